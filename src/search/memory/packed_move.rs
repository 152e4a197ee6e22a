//! Moves packed into 16 bits, as stored in the transposition table.

use crate::chess::node::Moved;
use shakmaty::{Move, Role, Square};

/// A move in 16 bits, to be matched with a legal one. 0 is no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedMove(pub(super) u16);

impl PackedMove {
    /// No move.
    pub const NONE: Self = Self(0);

    /// Packs a move that does not promote.
    #[inline]
    pub(in crate::search) fn plain(Moved { from, to, .. }: Moved) -> Self {
        Self(from.to_u32() as u16 | (to.to_u32() as u16) << 6)
    }

    /// Returns the bits of the move: six of the from-square, six of the to-square, the promotion.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the from-square, the to-square and the promotion, or `None` for [`Self::NONE`].
    pub fn parts(self) -> Option<(Square, Square, Option<Role>)> {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let promotion = match self.0 >> 12 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => None,
        };
        (self != Self::NONE).then(|| (square(self.0), square(self.0 >> 6), promotion))
    }
}

impl From<Move> for PackedMove {
    #[inline]
    fn from(m: Move) -> Self {
        let promotion = match m {
            Move::Normal { promotion: Some(role), .. } => match role {
                Role::Knight => 1,
                Role::Bishop => 2,
                Role::Rook => 3,
                Role::Queen => 4,
                Role::Pawn | Role::King => 0,
            },
            _ => 0,
        };
        Self(Self::plain(m.into()).0 | promotion << 12)
    }
}
