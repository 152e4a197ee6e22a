//! The measures of style: what each counts, and of how many.

use crate::mind::goal::Goal;

/// What is measured of one player in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Own knights, bishops, rooks and queens moved nearer to the enemy king, in king's steps.
    KingWard,
    /// Own moves after which the opponent captures, and the own material stays at least a pawn lower
    /// than before for four more plies, or until the own mate. A blunder counts like a gift.
    Sacrifice,
    /// Own captures, themselves no recaptures, that are answered on the same square.
    Exchange,
    /// Own pawn moves beyond the own fourth rank, to the enemy king's file or one beside it.
    PawnStorm,
    /// Own captures.
    Capture,
    /// Own moves that give check.
    Check,
    /// Games with short castling, of those in which it is allowed at the start.
    CastlesShort,
    /// The same of long castling.
    CastlesLong,
    /// The same of neither.
    CastlesNot,
    /// The ply of castling, counted from the start of the game, White's first move being 1.
    CastlingPly,
    /// Squares that the own men can go to before each own move: the article's Mov.
    Mobility,
    /// Moves of a game.
    Length,
    /// Draws of the games with a result.
    Draw,
    /// Mean feeling before an own move, from fear, -1, to relief, 1.
    Intensity,
    /// By how much it differs from that before the last own move.
    Volatility,
    /// Own moves under this goal, of those with a feeling.
    Goal(Goal),
}

/// In what a measure is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Per100Moves,
    PercentOfGames,
    PercentOfMoves,
    Plies,
    Squares,
    Moves,
    Intensity,
}

impl Measure {
    /// How many measures there are.
    pub const COUNT: usize = Self::FIRST_GOAL + Goal::COUNT;
    /// Every measure, goals last and in the order of the ladder.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Goal(Goal::EscapeCheck); Self::COUNT];
        let mut i = 0;
        while i < Self::COUNT {
            all[i] = if i < Self::FIRST_GOAL {
                Self::OF_THE_BOARD[i]
            } else {
                Self::Goal(Goal::ALL[i - Self::FIRST_GOAL])
            };
            i += 1;
        }
        all
    };
    const FIRST_GOAL: usize = Self::OF_THE_BOARD.len();
    const OF_THE_BOARD: [Self; 15] = [
        Self::KingWard,
        Self::Sacrifice,
        Self::Exchange,
        Self::PawnStorm,
        Self::Capture,
        Self::Check,
        Self::CastlesShort,
        Self::CastlesLong,
        Self::CastlesNot,
        Self::CastlingPly,
        Self::Mobility,
        Self::Length,
        Self::Draw,
        Self::Intensity,
        Self::Volatility,
    ];

    /// Its place in [`Self::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        if let Self::Goal(goal) = self {
            return Self::FIRST_GOAL + goal as usize;
        }
        Self::OF_THE_BOARD.iter().position(|measure| *measure == self).unwrap_or(0)
    }

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KingWard => "king_ward_moves",
            Self::Sacrifice => "sacrifices",
            Self::Exchange => "exchanges",
            Self::PawnStorm => "pawn_storms",
            Self::Capture => "captures",
            Self::Check => "checks",
            Self::CastlesShort => "castles_short",
            Self::CastlesLong => "castles_long",
            Self::CastlesNot => "castles_not",
            Self::CastlingPly => "castling_ply",
            Self::Mobility => "mobility",
            Self::Length => "length",
            Self::Draw => "draws",
            Self::Intensity => "intensity",
            Self::Volatility => "volatility",
            Self::Goal(goal) => goal.name(),
        }
    }

    /// Whether it is of what is felt, which need not move a man, and not of what is played.
    #[must_use]
    pub const fn is_felt(self) -> bool {
        matches!(self, Self::Intensity | Self::Volatility | Self::Goal(_))
    }

    /// In what it is told.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::KingWard
            | Self::Sacrifice
            | Self::Exchange
            | Self::PawnStorm
            | Self::Capture
            | Self::Check => Unit::Per100Moves,
            Self::CastlesShort | Self::CastlesLong | Self::CastlesNot | Self::Draw => {
                Unit::PercentOfGames
            }
            Self::CastlingPly => Unit::Plies,
            Self::Mobility => Unit::Squares,
            Self::Length => Unit::Moves,
            Self::Intensity | Self::Volatility => Unit::Intensity,
            Self::Goal(_) => Unit::PercentOfMoves,
        }
    }
}

impl Unit {
    /// What a mean is multiplied by to be in this unit.
    #[must_use]
    pub const fn scale(self) -> f64 {
        match self {
            Self::Per100Moves | Self::PercentOfGames | Self::PercentOfMoves => 100.0,
            Self::Plies | Self::Squares | Self::Moves | Self::Intensity => 1.0,
        }
    }

    /// How it reads in a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Per100Moves => "per 100 moves",
            Self::PercentOfGames => "% of games",
            Self::PercentOfMoves => "% of moves",
            Self::Plies => "plies",
            Self::Squares => "squares",
            Self::Moves => "moves",
            Self::Intensity => "-1 to 1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_names_are_distinct() {
        for (i, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(measure.index(), i, "{measure:?}");
            let twins = Measure::ALL.iter().filter(|other| other.name() == measure.name());
            assert_eq!(twins.count(), 1, "{measure:?}");
        }
    }
}
