//! Kinds of errors: what the player missed, in words, and what helps against it.

use crate::{
    player::human::{
        cue::{Cue, Cues},
        reading::MoveReading,
        view::View,
    },
    support::variants::variants,
};
use shakmaty::{Chess, Move, Position, Rank};

/// What an error missed. Each error is of the first kind that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Miss {
    /// The best move mates.
    Mate,
    /// The opponent can mate.
    MateThreat,
    /// The moved piece can be captured with profit.
    UnsafeSquare,
    /// Another piece stays where it can be captured with profit.
    HangingPiece,
    /// The best move recaptures.
    Recapture,
    /// The best move is another capture.
    Capture,
    /// The opponent's best reply is a capture, a check or a promotion.
    Reply,
    /// The best move or the reply advances a far advanced pawn.
    PawnRace,
    /// The best move is a check.
    Check,
    /// The best move is a quiet one, and no other kind applies.
    QuietMove,
}

impl Miss {
    /// Every kind, in the order in which they are tried.
    pub const ALL: [Self; 10] = variants();
    /// The number of kinds.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the name used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the title of a lesson about such errors.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Mate => "Missed mates",
            Self::MateThreat => "Allowed mates",
            Self::UnsafeSquare => "Pieces moved to unsafe squares",
            Self::HangingPiece => "Pieces left hanging",
            Self::Recapture => "Missed recaptures",
            Self::Capture => "Missed captures",
            Self::Reply => "Overlooked replies",
            Self::PawnRace => "Misjudged far advanced pawns",
            Self::Check => "Missed checks",
            Self::QuietMove => "Missed quiet moves",
        }
    }

    /// Says what helps.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Mate => {
                "Before any other move, look at each of your checks and all replies to it."
            }
            Self::MateThreat => "Before you move, ask which checks the opponent has afterwards.",
            Self::UnsafeSquare => {
                "Before you play a piece to a square, count its attackers and its defenders there."
            }
            Self::HangingPiece => {
                "Before you move, find each of your pieces that is attacked more often than defended."
            }
            Self::Recapture => {
                "After each capture by the opponent, look at every way to recapture."
            }
            Self::Capture => {
                "Look at each of your captures, also at those that seem to lose material."
            }
            Self::Reply => {
                "When you have chosen a move, look at each check and capture that answers it."
            }
            Self::PawnRace => {
                "When a pawn is far advanced, count the moves until it promotes, for both sides."
            }
            Self::Check => "Look at each of your checks before you choose a move.",
            Self::QuietMove => {
                "When no check or capture helps, compare two quiet moves before you choose."
            }
        }
    }

    /// Returns what the move at index `played` of `view` missed, compared with the move at `best`.
    /// `None` if an index is too large.
    #[must_use]
    pub fn of(chess: &Chess, view: &View, played: usize, best: usize) -> Option<Self> {
        let seen = |index: usize| Some((view.readings.moves.get(index)?, view.cues.get(index)?));
        let ((own, cues), (better, best_cues)) = (seen(played)?, seen(best)?);
        Some(Self::compared(chess, (own, cues), (better, best_cues)))
    }

    fn compared(
        chess: &Chess,
        (own, cues): (&MoveReading, &Cues),
        (better, best): (&MoveReading, &Cues),
    ) -> Self {
        let has = |cues: &Cues, cue: Cue| cues[cue as usize] > 0.0;
        let takes = own.reply.filter(|reply| reply.is_capture());
        let reply = own.reply.map(|reply| Answer::of(chess, own.m, reply));
        if better.is_mate() {
            Self::Mate
        } else if own.is_mated() {
            Self::MateThreat
        } else if has(cues, Cue::EnPrise) && takes.is_some_and(|m| own.m.to() == m.to()) {
            Self::UnsafeSquare
        } else if has(cues, Cue::LeavesHanging) && takes.is_some() {
            Self::HangingPiece
        } else if has(best, Cue::Recapture) {
            Self::Recapture
        } else if has(best, Cue::Capture) {
            Self::Capture
        } else if reply.is_some_and(|reply| reply.is_forcing) {
            Self::Reply
        } else if has(best, Cue::PawnRun) || reply.is_some_and(|reply| reply.runs) {
            Self::PawnRace
        } else if has(best, Cue::Check) {
            Self::Check
        } else {
            Self::QuietMove
        }
    }
}

/// The opponent's reply to a move.
#[derive(Clone, Copy)]
struct Answer {
    /// It is a capture, a check or a promotion.
    is_forcing: bool,
    /// It advances a pawn to the sixth rank or beyond.
    runs: bool,
}

impl Answer {
    fn of(chess: &Chess, m: Move, reply: Move) -> Self {
        let mut after = chess.clone();
        after.play_unchecked(m);
        let rank = after.turn().relative_rank(reply.to().rank());
        after.play_unchecked(reply);
        let is_forcing = reply.is_capture() || reply.is_promotion() || after.is_check();
        Self { is_forcing, runs: reply.role() == shakmaty::Role::Pawn && rank >= Rank::Sixth }
    }
}
