//! The interface between the search and the endgame tables.

use shakmaty::Chess;
use std::{fmt, ops::Neg};

/// Endgame tables with exact results for positions with few pieces.
pub trait Tablebase: fmt::Debug + Sync {
    /// Returns the largest number of pieces (kings and pawns included) of any table, or 0 if there
    /// are no tables.
    fn most_men(&self) -> usize;

    /// Returns the result of a position without castling rights. The last move must be a capture or
    /// a pawn move.
    fn wdl(&self, position: &Chess) -> Option<Wdl>;

    /// Returns the distance of a position without castling rights to the next capture or pawn move.
    fn dtz(&self, position: &Chess) -> Option<Dtz>;
}

/// Win, draw or loss (WDL) of the side to move with best play, from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    Win,
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// Distance to zeroing (DTZ): the plies to the next capture or pawn move that keeps the result, or
/// to mate, with best play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dtz {
    /// Positive if the side to move wins, negative if it loses, 0 for a draw. Beyond ±100, the
    /// fifty-move rule makes it a draw.
    pub plies: i32,
    /// Whether the true distance may be one ply longer.
    pub rounded: bool,
}

impl Dtz {
    /// Creates an exact distance.
    pub const fn exact(plies: i32) -> Self {
        Self { plies, rounded: false }
    }

    /// Returns the distance of a position whose best move is a capture or pawn move, given its
    /// result.
    pub const fn before_zeroing(wdl: Wdl) -> Self {
        Self::exact(match wdl {
            Wdl::Loss => -1,
            Wdl::BlessedLoss => -101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101,
            Wdl::Win => 1,
        })
    }

    /// Returns the distance one ply earlier, from the other side's point of view.
    #[must_use]
    pub const fn step_back(self) -> Self {
        Self { plies: -self.plies - self.plies.signum(), ..self }
    }
}
