//! The loop over knights, bishops, rooks and queens, which calls every term that scores single
//! pieces.
//!
//! One shared loop has fewer mispredicted branches than one loop per term.

use super::{PIECES, Side, View, king::Assault, mobility, pieces, rooks};
use crate::eval::tally::Tally;
use shakmaty::Role;

/// Counts the terms of single pieces of `view.side`. Returns their attack on the enemy king.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) -> Assault {
    let (area, outposts) = (mobility::area(view), pieces::outposts(view));
    let mut assault = Assault::by(view);
    for (index, role) in PIECES.into_iter().enumerate() {
        for piece in view.pieces(role) {
            mobility::count(view, index, piece, area, tally);
            assault.add(view, index, piece, tally);
            match role {
                Role::Knight => pieces::knight(view, piece, outposts, tally),
                Role::Bishop => pieces::bishop(view, piece.square, outposts, tally),
                Role::Rook => rooks::rook(view, piece, tally),
                Role::Queen => rooks::queen(view, piece.square, tally),
                Role::Pawn | Role::King => {}
            }
        }
    }
    assault
}
