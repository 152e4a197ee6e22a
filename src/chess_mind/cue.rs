//! Cues: the names of what speaks for or against a move in the eyes of a person.
//!
//! [`crate::player::human::cue`] measures them on the board. A profile can add to their weights.

use strum::{EnumCount, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

/// A cue. Losses are in the mover's eyes, compared with the best move of the same reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Cue {
    /// Loss at a glance: one ply and captures, in pawns, at most 10.
    GlanceLoss,
    /// Whether the glance finds a loss, from 0 to 1 (0.63 at half a pawn).
    GlanceDoubt,
    /// Loss by two plies, in pawns.
    LookLoss,
    /// Whether two plies find a loss, from 0 to 1.
    LookDoubt,
    /// Loss by the longer reading, in pawns.
    ReadLoss,
    /// Whether the longer reading finds a loss, from 0 to 1.
    ReadDoubt,
    /// Loss of winning chance by the longer reading, from 0 to 1.
    ReadChance,
    /// The longer reading finds an error: a loss of at least 15 points of winning chance.
    ReadError,
    /// [`Self::ReadChance`] times the share of material that is gone.
    EndgameChance,
    /// [`Self::ReadError`] times the share of material that is gone.
    EndgameError,
    /// The move is the best at a glance.
    GlanceBest,
    /// The move is the best by two plies.
    LookBest,
    /// The move is the best of the longer reading.
    ReadBest,
    /// The move is the answer of a search of 1,000 nodes.
    SearchBest,
    /// A capture.
    Capture,
    /// The value of the captured piece, in pawns.
    Victim,
    /// A capture of a piece of the same kind, times the lead: 1 at five pawns, -1 if behind.
    Trade,
    /// A capture on the square of the last move.
    Recapture,
    /// A check.
    Check,
    /// Castling.
    Castle,
    /// A promotion to a queen.
    Promotion,
    /// A promotion to a lesser piece.
    Underpromotion,
    /// The value of the best piece that the move newly attacks with profit, in pawns.
    Threat,
    /// The value of the moved piece if it was in danger, in pawns.
    Rescue,
    /// The value of the moved piece if it can be captured with profit afterwards, in pawns.
    EnPrise,
    /// The value of the best other piece that stays in danger, in pawns.
    LeavesHanging,
    /// The move takes the player's last move back.
    Undo,
    /// The piece that moved last moves again.
    SamePiece,
    /// A move to a square next to the target of the opponent's last move.
    NearLast,
    /// The length of the move in squares beyond the second.
    Distance,
    /// A move back.
    Backward,
    /// Squares by which the move comes closer to the enemy king.
    TowardKing,
    /// A knight move.
    Knight,
    /// A bishop move.
    Bishop,
    /// A rook move.
    Rook,
    /// A queen move.
    Queen,
    /// A king move, castling not included.
    King,
    /// A king move, times the share of material that is gone.
    EndgameKing,
    /// A pawn move, times the share of material that is gone.
    EndgamePawn,
    /// A pawn move on the a- or h-file.
    RookPawn,
    /// A passed or advanced pawn moves: its relative rank from the fifth on, 1 to 3.
    PawnRun,
    /// A move to one of the four central squares.
    Centre,
    /// A knight or bishop leaves its first rank.
    Develop,
    /// The goal highlights the move, times the intensity of fear.
    LitByFear,
    /// The goal highlights the move, times the intensity of relief.
    LitByRelief,
    /// How much more often people play a move of this piece from and to these squares than others, in nats.
    Habit,
}

impl Cue {
    /// Returns the name used in profiles, such as `leaves_hanging`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the names of all cues, in their order.
    #[must_use]
    pub fn names() -> [&'static str; Self::COUNT] {
        let mut names = [""; Self::COUNT];
        names.iter_mut().zip(Self::iter()).for_each(|(name, cue)| *name = cue.name());
        names
    }

    /// Returns the cue as a phrase for club players: what a move does, or what is weighed.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::GlanceLoss => "what a move loses at first sight",
            Self::GlanceDoubt => "whether a move loses anything at first sight",
            Self::LookLoss => "what a move loses to the best reply",
            Self::LookDoubt => "whether a move loses anything to the best reply",
            Self::ReadLoss => "what a move loses some moves later",
            Self::ReadDoubt => "whether a move loses anything some moves later",
            Self::ReadChance => "how much winning chance a move gives away",
            Self::ReadError => "whether a move is an error",
            Self::EndgameChance => "how much winning chance a move gives away in the ending",
            Self::EndgameError => "whether a move is an error in the ending",
            Self::GlanceBest => "the move that looks best at first sight",
            Self::LookBest => "the move that looks best after the reply",
            Self::ReadBest => "the move that comes out best some moves later",
            Self::SearchBest => "the move that a short search prefers",
            Self::Capture => "a capture",
            Self::Victim => "the value of the captured piece",
            Self::Trade => "a trade of equal pieces when ahead",
            Self::Recapture => "a recapture",
            Self::Check => "a check",
            Self::Castle => "castling",
            Self::Promotion => "a promotion to a queen",
            Self::Underpromotion => "a promotion to a lesser piece",
            Self::Threat => "a new threat against a piece",
            Self::Rescue => "moving a piece out of danger",
            Self::EnPrise => "moving a piece to where it can be taken",
            Self::LeavesHanging => "leaving another piece in danger",
            Self::Undo => "taking back the last move",
            Self::SamePiece => "moving the same piece again",
            Self::NearLast => "a move next to the opponent's last move",
            Self::Distance => "a long move",
            Self::Backward => "a move back",
            Self::TowardKing => "a move closer to the enemy king",
            Self::Knight => "a knight move",
            Self::Bishop => "a bishop move",
            Self::Rook => "a rook move",
            Self::Queen => "a queen move",
            Self::King => "a king move",
            Self::EndgameKing => "a king move in the ending",
            Self::EndgamePawn => "a pawn move in the ending",
            Self::RookPawn => "a pawn move on the a- or h-file",
            Self::PawnRun => "advancing a far advanced pawn",
            Self::Centre => "a move to the centre",
            Self::Develop => "developing a knight or bishop",
            Self::LitByFear => "a move that concerns the goal, in fear",
            Self::LitByRelief => "a move that concerns the goal, in relief",
            Self::Habit => "a move that people often play",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_cue_has_its_own_name_and_phrase() {
        let phrases: BTreeSet<_> = Cue::iter().map(Cue::phrase).collect();
        assert_eq!(phrases.len(), Cue::COUNT);
        for (cue, name) in Cue::iter().zip(Cue::names()) {
            assert_eq!(name.parse(), Ok(cue));
            assert!(!cue.phrase().contains('_'));
        }
    }
}
