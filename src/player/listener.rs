//! Who hears what the engine felt, besides what its search reports.

use crate::{
    mind::appraisal::Appraisal,
    search::root::report::{Report, Silent},
};

/// Listens to the engine: to its search, and to what it felt before searching.
pub trait Listener: Report {
    fn appraised(&mut self, _: &Appraisal) {}

    /// Something went wrong on the way, without harm to the search.
    fn warned(&mut self, _: &str) {}
    /// A limited player considers fewer moves than are legal.
    fn attended(&mut self, _considered: usize, _legal: usize) {}
}

impl Listener for Silent {}

/// Remembers what was felt last, if anything was, and hears nothing else.
#[derive(Debug, Default)]
pub struct Felt(pub Option<Appraisal>);

impl Report for Felt {}

impl Listener for Felt {
    fn appraised(&mut self, appraisal: &Appraisal) {
        self.0 = Some(appraisal.clone());
    }
}
