//! The one pass over knights, bishops, rooks and queens: every term that looks at them one by one is
//! called from here. In loops of their own the processor would guess each end wrong.

use super::{PIECES, Side, View, king::Assault, mobility, pieces, rooks};
use crate::eval::tally::Tally;
use shakmaty::Role;

/// Counts the pieces of `view.side`, and tells what they do to the enemy king.
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
