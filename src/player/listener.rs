//! The listener interface: reports of a search and of the appraisal before it.

use crate::{
    mind::appraisal::Appraisal,
    search::root::report::{SearchListener, Silent},
};

/// Receives the reports of a search and the appraisal made before it.
pub trait Listener: SearchListener {
    /// Reports the appraisal of the root position, before the search starts.
    fn appraised(&mut self, _: &Appraisal) {}

    /// Reports a problem that does not affect the search.
    fn warned(&mut self, _: &str) {}
    /// Reports how many of the legal moves a player of limited strength considers.
    fn attended(&mut self, _considered: usize, _legal: usize) {}
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
