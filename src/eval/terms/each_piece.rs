//! The loops over knights, bishops, rooks and queens, which call every term that scores single
//! pieces.
//!
//! One loop for all terms has fewer mispredicted branches than one loop per term. Each kind of piece
//! has a loop of its own, in which the index of its tables is a constant.

use super::{Side, View, king::Assault, mobility, pieces, rooks};
use crate::eval::tally::Tally;
use shakmaty::Role;

/// Counts the terms of single pieces of `view.side`. Returns their attack on the enemy king.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) -> Assault {
    let (area, outposts) = (mobility::area(view), pieces::outposts(view));
    let mut assault = Assault::by(view);
    for piece in view.pieces(Role::Knight) {
        mobility::count(view, 0, piece, area, tally);
        assault.add(view, 0, piece, tally);
        pieces::knight(view, piece, outposts, tally);
    }
    for piece in view.pieces(Role::Bishop) {
        mobility::count(view, 1, piece, area, tally);
        assault.add(view, 1, piece, tally);
        pieces::bishop(view, piece.square, outposts, tally);
    }
    for piece in view.pieces(Role::Rook) {
        mobility::count(view, 2, piece, area, tally);
        assault.add(view, 2, piece, tally);
        rooks::rook(view, piece, tally);
    }
    for piece in view.pieces(Role::Queen) {
        mobility::count(view, 3, piece, area, tally);
        assault.add(view, 3, piece, tally);
        rooks::queen(view, piece.square, tally);
    }
    assault
}
