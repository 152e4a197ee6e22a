//! Moves packed into 16 bits, as stored in the transposition table.

use crate::chess::node::CompactMove;
use shakmaty::{Bitboard, Move, Role, Square};

/// A move in 16 bits, to be matched with a legal one. 0 is no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedMove(pub(super) u16);

impl PackedMove {
    /// No move.
    pub const NONE: Self = Self(0);

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

    /// Returns the target square if the move goes from `from` without promotion, or the empty set.
    #[inline]
    pub(in crate::search) fn target_from(self, from: Square) -> Bitboard {
        if u32::from(self.0 & !(63 << 6)) == from.to_u32() {
            Bitboard::from_square(Square::new(u32::from(self.0 >> 6)))
        } else {
            Bitboard::EMPTY
        }
    }
}

impl From<CompactMove> for PackedMove {
    #[inline]
    fn from(m: CompactMove) -> Self {
        Self(m.squares_and_promotion())
    }
}

impl From<Move> for PackedMove {
    fn from(m: Move) -> Self {
        CompactMove::from(m).into()
    }
}
