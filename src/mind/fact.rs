//! Facts: yes-or-no conditions of a position, such as being in check, that decide the goal.

use super::{
    game::FeltGame,
    listed::{Each, Listed, Row, value_of},
};

/// All facts of one position, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts<G: FeltGame>(pub Each<G::Fact, bool>);

impl<G: FeltGame> Facts<G> {
    /// Creates the facts from the truth value of each.
    #[must_use]
    pub fn from_fn(mut holds: impl FnMut(G::Fact) -> bool) -> Self {
        let all = G::Fact::ALL;
        Self(Row::from_fn(|i| holds(all.as_ref()[i])))
    }

    /// Returns these facts, with those in `given` replaced.
    #[must_use]
    pub fn given(self, given: &Each<G::Fact, Option<bool>>) -> Self {
        Self(Row::from_fn(|i| given.as_ref()[i].unwrap_or_else(|| self.0.as_ref()[i])))
    }

    /// Returns whether `fact` is true.
    #[must_use]
    pub fn holds(&self, fact: G::Fact) -> bool {
        value_of(&self.0, fact)
    }
}
