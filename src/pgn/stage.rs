//! Opening, middlegame and ending.

use crate::eval::sums;
use shakmaty::Board;

/// The stage of a game that a position belongs to, by the evaluation's phase ([`sums::phase`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Stage {
    /// At most two minor pieces, or one rook, are gone: 22 or more.
    Opening,
    /// 9 to 21.
    Middlegame,
    /// No more than two queens, or four rooks, are left: 8 or less.
    Ending,
}

impl Stage {
    /// Every stage, in the order of a game.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Ending];

    /// The stage of this board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        match sums::phase(board) {
            22.. => Self::Opening,
            9..=21 => Self::Middlegame,
            _ => Self::Ending,
        }
    }

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Ending => "ending",
        }
    }
}
