//! Where the pieces can go.

use crate::eval::{attacks::Attacks, feature::Feature, tally::Tally};
use shakmaty::{Chess, Color, Position, Role};

/// Each piece by the number of squares it reaches, not counting those that own men or the own king
/// occupy and those that an enemy pawn guards.
pub(super) fn count(position: &Chess, attacks: &Attacks, side: Color, tally: &mut impl Tally) {
    let own = position.board().by_color(side);
    let safe = !own & !attacks.get(!side).pawns;
    for piece in attacks.get(side).attackers() {
        let feature = match piece.role {
            Role::Knight => Feature::KnightMobility,
            Role::Bishop => Feature::BishopMobility,
            Role::Rook => Feature::RookMobility,
            Role::Queen => Feature::QueenMobility,
            Role::Pawn | Role::King => continue,
        };
        tally.add(side, feature, (piece.attacks & safe).count(), 1);
    }
}
