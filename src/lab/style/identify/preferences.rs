//! What each temperament thinks of the best moves of a position.

use crate::{
    chess::game::Game,
    chess_mind::Ratios,
    eval::TermEvaluator,
    explain::split::Split,
    player::{Engine, Listener, Options, OptionsError, taste_bonuses},
    profile::Profile,
    search::{
        Signals, quiet_line,
        root::{
            limits::Limits,
            report::{Bound, Iteration, SearchListener},
        },
    },
};
use shakmaty::{ByColor, Chess, Move, Position};
use std::num::NonZeroU64;

/// The number of moves compared in a position.
const LINES: usize = 8;
/// Positions with a best score farther from even do not count, in centipawns.
const DECIDED: i32 = 500;

/// Searches positions without feelings.
pub(super) struct Reader {
    engine: Engine,
    limits: Limits,
}

/// The best moves of a position.
pub(super) struct Preferences {
    pub lines: Vec<Line>,
    /// The index of the move that was played.
    pub played: usize,
}

impl Reader {
    pub(super) fn new(neutral: Profile, nodes: NonZeroU64) -> Result<Self, OptionsError> {
        let options = Options { multi_pv: LINES, emotion: false, ..Options::default() };
        let engine = Engine::new(neutral, options)?;
        Ok(Self { engine, limits: Limits::of_nodes(nodes) })
    }

    /// Returns the best moves of a position. Returns `None` if the played move is not one of them,
    /// or if the game is decided.
    pub(super) fn read(&mut self, game: &Game, played: Move) -> Option<Preferences> {
        let mut listed = Lines::default();
        self.engine.go(game, &self.limits, &Signals::default(), &mut listed);
        let Lines(mut lines) = listed;
        let best = lines.iter().map(|line| line.score).max()?;
        let played = lines.iter().position(|line| line.moves[0] == played)?;
        if best.abs() > DECIDED || lines.len() < 2 {
            return None;
        }
        for line in &mut lines {
            line.end = self.end(&game.chess, &line.moves);
        }
        Some(Preferences { lines, played })
    }

    /// Returns the quiet position at the end of a line, or `None` if the game is over there.
    fn end(&self, chess: &Chess, moves: &[Move]) -> Option<Chess> {
        let mut end = chess.clone();
        for m in moves {
            end.play_unchecked(*m);
        }
        let weights = ByColor::new_with(|_| self.engine.profile().weights.clone());
        let captures = quiet_line(end.clone(), &mut TermEvaluator::new(weights));
        for m in captures {
            end.play_unchecked(m);
        }
        (!end.is_game_over()).then_some(end)
    }

    /// Returns by how many centipawns `profile` likes each line more than a neutral player.
    pub(super) fn likings(
        &self,
        profile: &Profile,
        chess: &Chess,
        Preferences { lines, .. }: &Preferences,
    ) -> Vec<f64> {
        let side = chess.turn();
        let felt = profile.mind.appraise(chess, side, 100, None);
        if profile.acts_by_taste() {
            let bonuses = taste_bonuses(chess, profile, &felt);
            return lines.iter().map(|line| f64::from(bonuses.of(line.moves[0]).liking)).collect();
        }
        let neutral = self.engine.profile();
        let liking = |end: &Chess| {
            let felt = Split::of(profile, end, side, &felt.ratios).score;
            f64::from(felt - Split::of(neutral, end, side, &Ratios::NEUTRAL).score)
        };
        lines.iter().map(|line| line.end.as_ref().map_or(0.0, liking)).collect()
    }
}

/// A line of a search.
pub(super) struct Line {
    /// At least one move.
    pub moves: Vec<Move>,
    /// The score without feelings in centipawns, for the side to move.
    pub score: i32,
    /// The quiet position at its end, unless the game is over there.
    end: Option<Chess>,
}

/// Collects the last line of each first move.
#[derive(Default)]
struct Lines(Vec<Line>);

impl SearchListener for Lines {
    fn iteration(&mut self, iteration: &Iteration<'_>) {
        let Some(&first) = iteration.pv.first().filter(|_| iteration.bound == Bound::Exact) else {
            return;
        };
        let line =
            Line { moves: iteration.pv.to_vec(), score: iteration.score.centipawns(), end: None };
        match self.0.iter_mut().find(|line| line.moves[0] == first) {
            Some(known) => *known = line,
            None => self.0.push(line),
        }
    }
}

impl Listener for Lines {}
