//! The best line of a search and the position where it ends.
//!
//! The score at the root usually comes from the static evaluation at the end of the line. There are
//! three exceptions. Correction history adjusts the evaluation. The transposition table may know
//! more about a position than the line shows. And the score of the last, unfinished iteration may
//! be only a bound.
//!
//! A best move found in that last iteration may have no line yet, so it is searched again on its
//! own. If the transposition table cuts a line short, the remaining captures are added to it.

use super::{WhyError, end::LineEnd, evaluator::ProfileEvaluator};
use crate::{
    chess::{game::Game, score::Score},
    chess_mind::{Appraisal, Ratios},
    explain::feeling::Feeling,
    player::{Engine, LastAppraisal, Options},
    search::{
        SearchResult, Signals,
        root::{limits::Limits, report::Silent},
    },
};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus, uci::UciMove};

/// The best line of one search.
#[derive(Clone, Debug)]
pub(super) struct BestLine {
    start: Chess,
    /// The principal variation: at least one move.
    pub moves: Vec<Move>,
    /// Captures that follow it until the position is quiet.
    pub captures: Vec<Move>,
    /// The score from the point of view of the side to move at the start.
    pub score: Score,
    /// The search depth in plies.
    pub depth: u8,
    pub nodes: u64,
    /// The position that is evaluated: the last one, or with taste the one after the first move.
    pub end: LineEnd,
}

impl BestLine {
    /// Searches `game` within `limits` with a new engine of this profile. It searches with emotion
    /// if `felt` has the factors, and without emotion if `felt` is `None`.
    pub(super) fn search(
        game: &Game,
        evaluator: ProfileEvaluator<'_>,
        felt: Option<&Ratios>,
        limits: &Limits,
    ) -> Result<Self, WhyError> {
        // with taste, the position after the first move is what the emotion judges
        let by_taste = evaluator.profile.acts_by_taste();
        let find = |limits: &Limits| {
            let options = Options { emotion: felt.is_some(), ..Options::default() };
            let mut engine = Engine::new(evaluator.profile.clone(), options)?;
            engine.set_known_games(evaluator.known.cloned());
            let mut listener = LastAppraisal::default();
            let outcome = engine.go(game, limits, &Signals::default(), &mut listener);
            let outcome = outcome.ok_or_else(|| WhyError::over(game))?;
            let draw = Score::cp(listener.0.map_or(0, |felt| felt.effects.draw));
            let mut end = game.clone();
            let decisive = if by_taste { 1 } else { outcome.pv.len() };
            outcome.pv.iter().take(decisive).for_each(|m| end.push(*m));
            Ok::<_, WhyError>((LineEnd::of(end, outcome.score, draw), draw, outcome))
        };
        let (mut end, mut draw, mut outcome) = find(limits)?;
        if outcome.pv.len() == 1 && end.over.is_none() && limits.moves.len() != 1 {
            let alone = Limits { moves: outcome.pv, ..limits.clone() };
            (end, draw, outcome) = find(&alone)?;
        }
        let SearchResult { pv: moves, score, depth, nodes, .. } = outcome;
        let mut captures = Vec::new();
        if end.over.is_none() && !by_taste {
            captures =
                evaluator.quiet_line(end.game.chess.clone(), felt.unwrap_or(&Ratios::NEUTRAL));
            let mut game = end.game;
            for m in &captures {
                game.push(*m);
            }
            end = LineEnd::of(game, score, draw);
        }
        Ok(Self { start: game.chess.clone(), moves, captures, score, depth, nodes, end })
    }

    /// Returns the first move of the line.
    pub(super) fn first(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    /// Returns the moves in SAN with move numbers. The word "then" precedes the added captures.
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

    /// Returns `moves`, a part of the line, in UCI notation.
    pub(super) fn uci(&self, moves: &[Move]) -> Vec<String> {
        let mode = self.start.castles().mode();
        moves.iter().map(|m| UciMove::from_move(*m, mode).to_string()).collect()
    }
}

/// Returns the move that a new engine of this player plays within `limits` if it feels `felt`.
pub(super) fn choice(
    feeling: &Feeling,
    felt: &Appraisal,
    limits: &Limits,
) -> Result<Move, WhyError> {
    let Feeling { game, profile, known, .. } = feeling;
    let mut engine = Engine::new(profile.clone(), Options::default())?;
    engine.set_known_games(known.clone());
    let outcome = engine.go_as(felt, game, limits, &Signals::default(), &mut Silent);
    outcome.map(|outcome| outcome.best).ok_or_else(|| WhyError::over(game))
}
