//! A line that a search found, and where it ends.
//!
//! The static evaluation at the end is what the score at the root goes back to, but for three things:
//! the search corrects what the evaluation says by what it has found before, the table may know more
//! of a position than the line shows, and a line of the last, unfinished iteration may be worth more
//! than its score, which is then a bound. A move that was found best there has no line yet: it is
//! searched once more, alone. Where the table cuts a line short, the captures that are left are added
//! to it.

use super::{WhyError, judge::Judge};
use crate::{
    chess::{game::Game, score::Score},
    mind::{appraisal::Appraisal, relevance::Ratios},
    player::{Engine, Felt},
    profile::Profile,
    search::{
        Outcome, Signals,
        root::{limits::Limits, report::Silent},
    },
};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus, uci::UciMove};
use std::time::Duration;

/// Why a position needs no evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Mate, or its forced way there.
    Mate,
    Stalemate,
    /// Too few men are left to mate.
    Dead,
    FiftyMoves,
    Repetition,
}

impl Over {
    /// In words: "ends in …".
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Dead => "too few men to mate",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
        }
    }

    pub(super) const fn is_draw(self) -> bool {
        match self {
            Self::Mate => false,
            Self::Stalemate | Self::Dead | Self::FiftyMoves | Self::Repetition => true,
        }
    }
}

/// Where a line ends.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub game: Game,
    /// None if the position there is evaluated.
    pub over: Option<Over>,
}

impl End {
    /// Whether the game ends here without a winner.
    pub(super) fn is_draw(&self) -> bool {
        self.over.is_some_and(Over::is_draw)
    }

    /// The end of a line with this `score`, where `draw` is that of a draw.
    fn of(game: Game, score: Score, draw: Score) -> Self {
        let chess = &game.chess;
        let over = if score.is_decided() || chess.is_checkmate() {
            Some(Over::Mate)
        } else if chess.is_stalemate() {
            Some(Over::Stalemate)
        } else if chess.is_insufficient_material() {
            Some(Over::Dead)
        } else if score != draw {
            // the search goes by the first return within its own line, but not within the game
            None
        } else if chess.halfmoves() >= 100 {
            Some(Over::FiftyMoves)
        } else if game.repetitions() > 0 {
            Some(Over::Repetition)
        } else {
            None
        };
        Self { game, over }
    }
}

/// The best line of one search.
#[derive(Clone, Debug)]
pub(super) struct Line {
    start: Chess,
    /// As the search told them: at least one.
    pub moves: Vec<Move>,
    /// What is left to take after them.
    pub captures: Vec<Move>,
    /// Of the side to move at the start.
    pub score: Score,
    /// In plies.
    pub depth: u8,
    pub nodes: u64,
    pub end: End,
}

impl Line {
    /// What a new engine of this profile finds within `limits`, as it feels or, if the ratios felt
    /// are none, without feeling.
    pub(super) fn search(
        game: &Game,
        judge: Judge<'_>,
        felt: Option<&Ratios>,
        limits: &Limits,
    ) -> Result<Self, WhyError> {
        let find = |limits: &Limits| {
            let mut engine = Engine::new(judge.profile.clone())?;
            engine.emotion = felt.is_some();
            engine.overhead = Duration::ZERO;
            let mut heard = Felt::default();
            let outcome = engine.go(game, limits, &Signals::default(), &mut heard);
            let outcome = outcome.ok_or_else(|| WhyError::over(game))?;
            let draw = Score::cp(heard.0.map_or(0, |felt| felt.leaning.draw));
            let mut end = game.clone();
            outcome.pv.iter().for_each(|m| end.push(*m));
            Ok::<_, WhyError>((End::of(end, outcome.score, draw), draw, outcome))
        };
        let (mut end, mut draw, mut outcome) = find(limits)?;
        if outcome.pv.len() == 1 && end.over.is_none() && limits.moves.len() != 1 {
            let alone = Limits { moves: outcome.pv, ..limits.clone() };
            (end, draw, outcome) = find(&alone)?;
        }
        let Outcome { pv: moves, score, depth, nodes, .. } = outcome;
        let mut captures = Vec::new();
        if end.over.is_none() {
            captures = judge.quiet_line(end.game.chess.clone(), felt.unwrap_or(&Ratios::NEUTRAL));
            let mut game = end.game;
            for m in &captures {
                game.push(*m);
            }
            end = End::of(game, score, draw);
        }
        Ok(Self { start: game.chess.clone(), moves, captures, score, depth, nodes, end })
    }

    /// The move that begins it.
    pub(super) fn first(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    /// The moves as people write them, with their numbers; "then" come captures that were added.
    pub(super) fn san(&self) -> String {
        let mut chess = self.start.clone();
        let mut words = Vec::new();
        for (ply, m) in self.moves.iter().chain(&self.captures).enumerate() {
            if ply == self.moves.len() {
                words.push("then".to_owned());
            }
            let (turn, number) = (chess.turn(), chess.fullmoves());
            let san = SanPlus::from_move_and_play_unchecked(&mut chess, *m);
            words.push(match turn {
                Color::White => format!("{number}.{san}"),
                Color::Black if ply == 0 => format!("{number}...{san}"),
                Color::Black => san.to_string(),
            });
        }
        words.join(" ")
    }

    /// `moves`, from the start or from anywhere on the line, as UCI writes them.
    pub(super) fn uci(&self, moves: &[Move]) -> Vec<String> {
        let mode = self.start.castles().mode();
        moves.iter().map(|m| UciMove::from_move(*m, mode).to_string()).collect()
    }
}

/// What a new engine of this profile chooses within `limits` if it feels so.
pub(super) fn choice(
    game: &Game,
    profile: &Profile,
    felt: &Appraisal,
    limits: &Limits,
) -> Result<Move, WhyError> {
    let mut engine = Engine::new(profile.clone())?;
    engine.overhead = Duration::ZERO;
    let outcome = engine.go_as(felt, game, limits, &Signals::default(), &mut Silent);
    outcome.map(|outcome| outcome.best).ok_or_else(|| WhyError::over(game))
}
