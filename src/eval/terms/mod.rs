//! The order in which terms are counted.

mod king;
mod mobility;
mod pawns;
mod pieces;

use super::{attacks::Attacks, tally::Tally};
use shakmaty::{Chess, Color};

/// Counts every term of `position` but those that [`super::sums`] keeps.
pub fn count(position: &Chess, attacks: &Attacks, tally: &mut impl Tally) {
    for side in Color::ALL {
        pieces::count(position, side, tally);
        mobility::count(position, attacks, side, tally);
        pawns::count(position, side, tally);
        king::count(position, attacks, side, tally);
    }
    pieces::tempo(position, tally);
}
