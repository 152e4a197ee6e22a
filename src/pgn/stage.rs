//! The stage of a game: opening, middlegame or ending.

use crate::eval::sums;
use crate::support::variants::variants;
use shakmaty::Board;

/// A stage of the game, derived from the phase of the evaluation ([`sums::phase`]).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[serde(rename_all = "snake_case")]
#[repr(usize)]
pub enum GameStage {
    /// Phase 22 or more: at most two minor pieces or one rook are gone.
    Opening,
    /// Phase 9 to 21.
    Middlegame,
    /// Phase 8 or less: at most two queens or four rooks are left.
    Ending,
}

impl GameStage {
    /// Every stage, in the order of a game.
    pub const ALL: [Self; 3] = variants();

    /// Returns the stage of this board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        match sums::phase(board) {
            22.. => Self::Opening,
            9..=21 => Self::Middlegame,
            _ => Self::Ending,
        }
    }

    /// Returns the name used in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}
