//! Lessons: the kinds of errors that cost most, each with examples.

use super::{decision::Spot, miss::Miss};
use crate::{
    chess::{game::Game, score::Score, win_chance::win_chance},
    chess_mind::Goal,
    mind::appraisal::emotion_word,
    player::{Engine, Options, OptionsError, human::cue::ERROR},
    profile::Profile,
};
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};
use std::{num::NonZeroU64, time::Duration};

/// The number of lessons.
pub const LESSONS: usize = 3;
/// The largest number of examples of a lesson.
const EXAMPLES: usize = 3;
/// The largest number of positions that are checked to find the examples of a lesson.
const CHECKED: usize = 12;
/// Nodes of the search that checks an example, for each of two positions.
const NODES: u64 = 20_000;

/// One thing to learn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lesson {
    /// The kind of error.
    pub kind: &'static str,
    /// What goes wrong, as a title.
    pub title: &'static str,
    /// What helps, in a sentence.
    pub advice: &'static str,
    /// The number of errors.
    pub errors: usize,
    /// Winning chance that these errors lost per game, in percentage points.
    pub lost_per_game: f64,
    /// Positions from the games, at least one.
    pub examples: Vec<Example>,
}

/// A position from a game, with the move played and a better one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// The move number, such as `23.` or `23…`.
    pub number: String,
    /// The position before the move.
    pub fen: String,
    /// The move played, in SAN.
    pub played: String,
    /// The better move, in SAN.
    pub better: String,
    /// The best reply to the move played, in SAN.
    pub reply: Option<String>,
    /// Winning chance that the move lost, in percentage points.
    pub lost: f64,
    /// The goal of the side to move, by the feelings of the profile.
    pub goal: Option<&'static str>,
    /// The emotion of the side to move in words.
    pub feeling: &'static str,
}

impl Example {
    pub(super) fn of(spot: &Spot) -> Self {
        let chess = &spot.before;
        let mark = chess.turn().fold_wb(".", "…");
        let san = |chess: &Chess, m: Move| SanPlus::from_move(chess.clone(), m).to_string();
        let mut after = chess.clone();
        after.play_unchecked(spot.played);
        Self {
            game: spot.game,
            number: format!("{}{mark}", chess.fullmoves()),
            fen: Fen::from_position(chess, EnPassantMode::Legal).to_string(),
            played: san(chess, spot.played),
            better: san(chess, spot.best),
            reply: spot.reply.map(|reply| san(&after, reply)),
            lost: tenths(spot.loss),
            goal: spot.goal.map(Goal::name),
            feeling: emotion_word(spot.intensity),
        }
    }
}

/// Rounds to one decimal.
pub(super) fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Checks examples by a longer search without feelings.
#[derive(Debug)]
pub struct Checker(Engine);

impl Checker {
    /// Creates a checker with the evaluation of `profile`.
    ///
    /// # Errors
    /// If its transposition table cannot be allocated.
    pub fn new(profile: Profile) -> Result<Self, OptionsError> {
        let options = Options { emotion: false, overhead: Duration::ZERO, ..Options::default() };
        Ok(Self(Engine::new(profile, options)?))
    }

    /// Returns whether the search also prefers the best move, and finds a loss of at least `least`
    /// percentage points of winning chance in the move played.
    pub(super) fn confirms(&mut self, spot: &Spot, least: f64) -> bool {
        let Some((best, score)) = self.search(&spot.before) else { return false };
        let mut after = spot.before.clone();
        after.play_unchecked(spot.played);
        let reply = self.search(&after).map_or_else(
            || if after.is_check() { Score::mated_in(0) } else { Score::DRAW },
            |(_, score)| score,
        );
        best == spot.best && win_chance(score) - win_chance(-reply) >= least
    }

    fn search(&mut self, chess: &Chess) -> Option<(Move, Score)> {
        self.0.new_game();
        let game = Game { chess: chess.clone(), ..Game::default() };
        let found = self.0.best_at(&game, NonZeroU64::new(NODES)?)?;
        Some((found.best, found.score))
    }

    /// Returns the first of `spots` that are confirmed, at most `most`.
    pub(super) fn examples(&mut self, spots: &[&Spot], most: usize, least: f64) -> Vec<Example> {
        let checked = spots.iter().take(CHECKED);
        let confirmed = checked.filter(|spot| self.confirms(spot, least));
        confirmed.take(most).map(|spot| Example::of(spot)).collect()
    }
}

/// Returns at most three lessons from the `errors` of `games` games, the most expensive first. Each
/// has an example that `checker` confirms. Without a checker, the errors are taken as confirmed.
pub fn lessons(
    errors: &[(Miss, &Spot)],
    games: usize,
    mut checker: Option<&mut Checker>,
) -> Vec<Lesson> {
    let mut kinds: Vec<(Miss, Vec<&Spot>, f64)> = Miss::ALL
        .into_iter()
        .map(|kind| {
            let mut spots: Vec<&Spot> =
                errors.iter().filter(|(miss, _)| *miss == kind).map(|(_, spot)| *spot).collect();
            spots.sort_by(|a, b| b.loss.total_cmp(&a.loss));
            let lost = spots.iter().map(|spot| spot.loss).sum();
            (kind, spots, lost)
        })
        .collect();
    kinds.sort_by(|a, b| b.2.total_cmp(&a.2));
    let lesson = |(kind, spots, lost): (Miss, Vec<&Spot>, f64)| {
        let examples = match &mut checker {
            Some(checker) => checker.examples(&spots, EXAMPLES, ERROR),
            None => spots.iter().take(EXAMPLES).map(|spot| Example::of(spot)).collect(),
        };
        (!examples.is_empty()).then(|| Lesson {
            kind: kind.name(),
            title: kind.title(),
            advice: kind.advice(),
            errors: spots.len(),
            lost_per_game: tenths(lost / games.max(1) as f64),
            examples,
        })
    };
    kinds.into_iter().filter_map(lesson).take(LESSONS).collect()
}
