//! Scores positions with a small search, and measures how difficult they are.

use super::MOST_CENTIPAWNS;
use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score, win_chance::win_chance},
    eval::TermEvaluator,
    player::{Engine, Options, OptionsError},
    profile::{Profile, ProfileError},
    search::quiet_line,
};
use shakmaty::{ByColor, Chess, Position};
use std::num::NonZeroU64;

/// Hash table size in MiB. The table is cleared before every position.
const HASH: usize = 1;
/// The loss of winning chance, in percentage points, from which a move is a blunder.
pub(super) const BLUNDER: f64 = 15.0;

/// An engine without emotion that scores positions independently of each other.
pub(super) struct Judge {
    engine: Engine,
    evaluator: TermEvaluator,
    nodes: NonZeroU64,
}

/// An error that prevents the creation of a judge.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    #[error(transparent)]
    Engine(#[from] OptionsError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
}

impl Judge {
    /// Creates a judge that searches `nodes` nodes per position with the profile `neutral`.
    pub(super) fn new(nodes: NonZeroU64) -> Result<Self, JudgeError> {
        let profile = Profile::builtin("neutral")?;
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        let engine = Engine::new(profile, Options { hash: HASH, ..Options::default() })?;
        Ok(Self { engine, evaluator: TermEvaluator::new(weights), nodes })
    }

    /// Returns the score of the position from White's point of view, in centipawns.
    pub(super) fn score(&mut self, game: &Game) -> i16 {
        let turn = game.chess.turn();
        self.engine.new_game();
        let outcome = self.engine.best_at(game, self.nodes);
        let lost = if game.chess.is_check() { -MOST_CENTIPAWNS } else { 0 };
        let own = outcome.map_or(lost, |outcome| limited(outcome.score));
        turn.fold_wb(own, -own)
    }

    /// Returns the share of legal moves that lose at least 15 points of winning chance against the
    /// best one, by a one-ply search with quiescence.
    pub(super) fn difficulty(&mut self, chess: &Chess) -> f64 {
        let mut chances: Vec<f64> = Vec::new();
        for m in chess.legal_moves() {
            let mut after = chess.clone();
            after.play_unchecked(m);
            chances.push(100.0 - self.quiet_chance(after));
        }
        let best = chances.iter().copied().fold(0.0, f64::max);
        let blunders = chances.iter().filter(|chance| best - **chance >= BLUNDER).count();
        blunders as f64 / chances.len().max(1) as f64
    }

    /// Returns the winning chance of the side to move after the best captures, in percent.
    fn quiet_chance(&mut self, chess: Chess) -> f64 {
        let turn = chess.turn();
        let line = quiet_line(chess.clone(), &mut self.evaluator);
        let mut leaf = chess;
        for m in line {
            leaf.play_unchecked(m);
        }
        let own = if leaf.is_checkmate() {
            Score::cp(i32::from(-MOST_CENTIPAWNS))
        } else if leaf.is_stalemate() {
            Score::DRAW
        } else {
            let sums = self.evaluator.sums(&leaf);
            self.evaluator.evaluate(&leaf, sums)
        };
        win_chance(if leaf.turn() == turn { own } else { -own })
    }
}

/// Returns the score in centipawns. Mates and larger scores are ±2,000.
pub(super) fn limited(score: Score) -> i16 {
    score.centipawns().clamp((-MOST_CENTIPAWNS).into(), MOST_CENTIPAWNS.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge() -> Judge {
        Judge::new(NonZeroU64::new(500).unwrap()).unwrap()
    }

    #[test]
    fn scores_are_from_the_point_of_view_of_white() {
        let mut judge = judge();
        let mut score = |fen| judge.score(&Game::from_fen(fen, None).unwrap());
        assert!(score("4k3/8/8/8/8/8/4P3/QK6 w - - 0 1") > 500);
        assert!(score("4k3/8/8/8/8/8/4P3/QK6 b - - 0 1") > 500);
        // mates in one, given and suffered, and stalemate
        assert_eq!(score("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), MOST_CENTIPAWNS);
        assert_eq!(score("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), MOST_CENTIPAWNS);
        assert_eq!(score("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 0);
    }

    #[test]
    fn difficulty_is_the_share_of_moves_that_lose_much() {
        let mut judge = judge();
        let mut difficulty = |fen| judge.difficulty(&Game::from_fen(fen, None).unwrap().chess);
        assert!(difficulty("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") < 0.1);
        // only a capture of the queen keeps the balance
        let hard = difficulty("3q2k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1");
        assert!(hard > 0.5 && hard < 1.0, "{hard}");
    }
}
