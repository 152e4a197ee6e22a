//! The one pass over knights, bishops, rooks and queens: every term that looks at them one by one is
//! called from here. In loops of their own the processor would guess each end wrong.

use super::{OFFICERS, Side, View, king::Assault, mobility, pieces, rooks};
use crate::eval::tally::Tally;
use shakmaty::Role;

/// Counts the officers of `view.side`, and tells what they do to the enemy king.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) -> Assault {
    let (area, outposts) = (mobility::area(view), pieces::outposts(view));
    let mut assault = Assault::by(view);
    for (index, role) in OFFICERS.into_iter().enumerate() {
        for officer in view.officers(role) {
            mobility::count(view, index, officer, area, tally);
            assault.add(view, index, officer, tally);
            match role {
                Role::Knight => pieces::knight(view, officer, outposts, tally),
                Role::Bishop => pieces::bishop(view, officer.square, outposts, tally),
                Role::Rook => rooks::rook(view, officer, tally),
                Role::Queen => rooks::queen(view, officer.square, tally),
                Role::Pawn | Role::King => {}
            }
        }
    }
    assault
}
