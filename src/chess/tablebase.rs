//! What the search may ask of endgame tables, and all it knows about them.

use shakmaty::Chess;
use std::{fmt, ops::Neg};

/// Tables that know endings with few men exactly.
pub trait Tablebase: fmt::Debug + Sync {
    /// The most men, kings included, of a position that may be known; 0 if there are no tables.
    fn most_men(&self) -> usize;

    /// The result of a position without castling rights whose last move was a capture or a pawn's.
    fn wdl(&self, position: &Chess) -> Option<Wdl>;

    /// How far a position without castling rights is from the next capture or pawn move.
    fn dtz(&self, position: &Chess) -> Option<Dtz>;
}

/// Win, draw or loss (wdl) of the side to move if both play best, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    Loss,
    /// Saved by the fifty-move rule.
    BlessedLoss,
    Draw,
    /// Frustrated by the fifty-move rule.
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

/// Distance to zeroing (dtz): half-moves to the capture or pawn move with which the winning side
/// makes progress, or to mate, if both play best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dtz {
    /// Above 0 if the side to move wins, below if it loses, 0 for a draw. Beyond 100 the fifty-move
    /// rule makes it a draw.
    pub plies: i32,
    /// Whether it may be one half-move more.
    pub rounded: bool,
}

impl Dtz {
    /// A distance known to the half-move.
    pub const fn exact(plies: i32) -> Self {
        Self { plies, rounded: false }
    }

    /// The distance of a position whose best move is a capture or a pawn's, by its result.
    pub const fn before_zeroing(wdl: Wdl) -> Self {
        Self::exact(match wdl {
            Wdl::Loss => -1,
            Wdl::BlessedLoss => -101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101,
            Wdl::Win => 1,
        })
    }

    /// The distance, as the other side sees it, one half-move before.
    #[must_use]
    pub const fn step_back(self) -> Self {
        Self { plies: -self.plies - self.plies.signum(), ..self }
    }
}
