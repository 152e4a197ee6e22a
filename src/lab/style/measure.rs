//! The measures of playing style, with their names and units.

use crate::chess_mind::Goal;

/// A measure of one player's style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Own moves of a knight, bishop, rook or queen nearer to the enemy king, in king steps.
    KingWard,
    /// Own moves after which the opponent captures and the player stays at least a pawn worse than
    /// before, for four more plies or until the player mates. Blunders count as well.
    Sacrifice,
    /// Own captures that are recaptured, without captures that are recaptures themselves.
    Exchange,
    /// Own pawn moves beyond the player's fourth rank, on the enemy king's file or an adjacent one.
    PawnStorm,
    /// Own captures.
    Capture,
    /// Own moves that give check.
    Check,
    /// Games with kingside castling, of those with castling rights at the start.
    CastlesShort,
    /// Games with queenside castling, of those with castling rights at the start.
    CastlesLong,
    /// Games without castling, of those with castling rights at the start.
    CastlesNot,
    /// The ply of castling. White's first move is ply 1.
    CastlingPly,
    /// The player's mobility before each own move, in squares (Mov in the article).
    Mobility,
    /// The length of a game in moves.
    Length,
    /// Draws, of the games with a result.
    Draw,
    /// The emotional intensity before an own move, from -1 (fear) to 1 (relief).
    Intensity,
    /// The absolute change of intensity since the previous own move.
    Volatility,
    /// Own moves under this goal, of those with a recorded emotion.
    Goal(Goal),
}

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureUnit {
    Per100Moves,
    PercentOfGames,
    PercentOfMoves,
    Plies,
    Squares,
    Moves,
    Intensity,
}

impl Measure {
    /// The number of measures.
    pub const COUNT: usize = Self::FIRST_GOAL + Goal::COUNT;
    /// Every measure. Goals come last, in the order of the goal ladder.
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

    /// Returns the index in [`Self::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        if let Self::Goal(goal) = self {
            return Self::FIRST_GOAL + goal as usize;
        }
        Self::OF_THE_BOARD.iter().position(|measure| *measure == self).unwrap_or(0)
    }

    /// Returns the name used in tables and JSON.
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

    /// Returns whether this measures emotions rather than moves. Emotions need not change the
    /// moves.
    #[must_use]
    pub const fn is_felt(self) -> bool {
        matches!(self, Self::Intensity | Self::Volatility | Self::Goal(_))
    }

    /// Returns the unit of the measure.
    #[must_use]
    pub const fn unit(self) -> MeasureUnit {
        match self {
            Self::KingWard
            | Self::Sacrifice
            | Self::Exchange
            | Self::PawnStorm
            | Self::Capture
            | Self::Check => MeasureUnit::Per100Moves,
            Self::CastlesShort | Self::CastlesLong | Self::CastlesNot | Self::Draw => {
                MeasureUnit::PercentOfGames
            }
            Self::CastlingPly => MeasureUnit::Plies,
            Self::Mobility => MeasureUnit::Squares,
            Self::Length => MeasureUnit::Moves,
            Self::Intensity | Self::Volatility => MeasureUnit::Intensity,
            Self::Goal(_) => MeasureUnit::PercentOfMoves,
        }
    }
}

impl MeasureUnit {
    /// Returns the factor that converts a mean to this unit.
    #[must_use]
    pub const fn scale(self) -> f64 {
        match self {
            Self::Per100Moves | Self::PercentOfGames | Self::PercentOfMoves => 100.0,
            Self::Plies | Self::Squares | Self::Moves | Self::Intensity => 1.0,
        }
    }

    /// Returns the name of the unit in tables.
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
    fn indices_follow_the_list_and_names_are_unique() {
        for (i, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(measure.index(), i, "{measure:?}");
            let twins = Measure::ALL.iter().filter(|other| other.name() == measure.name());
            assert_eq!(twins.count(), 1, "{measure:?}");
        }
    }
}
