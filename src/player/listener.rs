//! The listener interface: reports of a search and of the appraisal before it.

use super::human::choice::Choice;
use crate::{
    chess::{game::Game, known::ResultCounts},
    chess_mind::Appraisal,
    search::root::report::{SearchListener, Silent},
};
use shakmaty::Color;
use std::time::Duration;

/// Receives the reports of a search and the appraisal made before it.
pub trait Listener: SearchListener {
    /// Reports the appraisal of the root position, before the search starts.
    fn appraised(&mut self, _: &Appraisal) {}

    /// Reports the known games that reached the root position, and the side to move.
    fn recalled(&mut self, _: ResultCounts, _: Color) {}

    /// Reports a problem that does not affect the search.
    fn warned(&mut self, _: &str) {}
    /// Reports how many of the legal moves a player of limited strength considers.
    fn attended(&mut self, _considered: usize, _legal: usize) {}
    /// Reports what came to the mind of a player in human style, with this rating, before the move.
    fn came_to_mind(&mut self, _: &Game, _rating: u16, _: &Choice) {}
    /// Reports how long a person would think, since the start of the search. The move should not be
    /// played earlier.
    fn thinks_for(&mut self, _: Duration) {}
}

impl Listener for Silent {}

/// Remembers the last appraisal and ignores all other reports.
#[derive(Debug, Default)]
pub struct LastAppraisal(pub Option<Appraisal>);

impl SearchListener for LastAppraisal {}

impl Listener for LastAppraisal {
    fn appraised(&mut self, appraisal: &Appraisal) {
        self.0 = Some(appraisal.clone());
    }
}
