//! Decisions: the moves of one player, compared with the best ones and with what people of the same
//! rating would have played.

use super::miss::Miss;
use crate::{
    chess::{game::Game, score::Score, win_chance::win_chance},
    chess_mind::Goal,
    eval::{TermEvaluator, weights::Weights},
    pgn::{Chosen, OwnGame},
    player::human::{
        book::{Book, follow},
        cue::{Cue, ERROR},
        habit::Habits,
        policy::{Policy, PolicyError, relative},
        reading::Reader,
        view::View,
    },
    profile::{HumanTaste, Profile},
    search::memory::pages::OutOfMemory,
};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, Move};
use strum::EnumCount;

/// How much stronger the player is from whom one learns, in rating points.
pub const STRONGER: u16 = 200;

/// Why games cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoachError {
    /// The weights of the human style are broken.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A transposition table cannot be allocated.
    #[error("the transposition tables cannot be allocated")]
    Memory,
    /// The player has no move to judge.
    #[error("found no moves of `{0}` after the opening")]
    NoMoves(String),
}

/// A position and what was played there.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// The position before the move.
    pub before: Chess,
    /// The move that was played.
    pub played: Move,
    /// The best move that was read.
    pub best: Move,
    /// The opponent's best reply to the move played.
    pub reply: Option<Move>,
    /// The winning chance that the move lost, in percentage points.
    pub loss: f64,
    /// The goal of the player's side.
    pub goal: Option<Goal>,
    /// The emotion of the player's side, from fear (-1) to relief (1).
    pub intensity: f64,
}

/// A move of the player after the opening.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The position.
    pub spot: Spot,
    /// The rating of the player.
    pub rating: u16,
    /// What the move missed, if it is an error.
    pub miss: Option<Miss>,
    /// Whether the move played and the best move concern the goal.
    pub serves: [bool; 2],
    /// The lead of the best move over any other, in percentage points of winning chance.
    pub gap: f64,
    /// The number of moves that are likelier than the best one to people of this rating.
    pub rank: usize,
    /// Whether the best move comes to mind.
    pub is_in_mind: bool,
    /// The probability of an error of each kind to people of this rating.
    pub expected: [f64; Miss::COUNT],
    /// The probability of the best move at this rating and at one [`STRONGER`] points higher.
    pub chances: [f64; 2],
    /// How much each cue makes the best move likelier at the higher rating, in nats, at least 0.
    pub raised: [f32; Cue::COUNT],
}

/// Reads the decisions of a player.
#[derive(Debug)]
pub struct DecisionReader<'p> {
    profile: &'p Profile,
    weights: ByColor<Weights>,
    policy: Policy,
    habits: Habits,
    book: Book,
}

impl<'p> DecisionReader<'p> {
    /// Creates a reader. `profile` judges the moves and gives the feelings.
    ///
    /// # Errors
    /// If the weights of the human style are broken.
    pub fn new(profile: &'p Profile) -> Result<Self, CoachError> {
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        Ok(Self {
            profile,
            weights,
            policy: Policy::fitted()?,
            habits: Habits::counted(),
            book: Book::counted(),
        })
    }

    /// Returns the decisions in `games`, in order. Openings are skipped.
    ///
    /// # Errors
    /// If a transposition table cannot be allocated.
    pub fn decisions(&self, games: &[OwnGame]) -> Result<Vec<Decision>, CoachError> {
        let each: Vec<Vec<Decision>> = games
            .par_iter()
            .map_init(Reader::new, |reader, game| {
                let reader = reader.as_mut().map_err(|_: &mut OutOfMemory| CoachError::Memory)?;
                let chosen = game.played.chosen(1);
                let number = game.played.number;
                Ok(chosen.filter_map(|chosen| self.decision(number, &chosen, reader)).collect())
            })
            .collect::<Result<_, CoachError>>()?;
        Ok(each.into_iter().flatten().collect())
    }

    /// Views a position as people see it.
    pub fn view(&self, game: &Game, reader: &mut Reader) -> View {
        let evaluator = TermEvaluator::new(self.weights.clone());
        View::of(game, self.profile, &self.habits, (reader, &evaluator))
    }

    fn decision(&self, number: usize, chosen: &Chosen, reader: &mut Reader) -> Option<Decision> {
        let view = self.view(&chosen.game, reader);
        let (moves, chess) = (&view.readings.moves, &chosen.game.chess);
        let played = moves.iter().position(|reading| reading.m == chosen.m)?;
        let best = (0..moves.len()).rev().max_by_key(|&index| moves[index].read)?;
        let value = |index: usize| win_chance(Score::cp(moves[index].read));
        let others = (0..moves.len()).filter(|&index| index != best).map(value);
        let is_error = |index: usize| value(best) - value(index) >= ERROR;
        let rating = chosen.elo;
        let [now, later] = [rating, rating.saturating_add(STRONGER)]
            .map(|rating| self.chances(chess, rating, &view));
        let mut expected = [0.0; Miss::COUNT];
        for index in (0..moves.len()).filter(|&index| is_error(index)) {
            expected[Miss::of(chess, &view, index, best)? as usize] += now[index];
        }
        let likelier = now.iter().filter(|&&chance| chance > now[best]);
        let concerns = |index: usize| {
            [Cue::LitByFear, Cue::LitByRelief]
                .iter()
                .any(|&cue| view.cues[index][cue as usize] > 0.0)
        };
        Some(Decision {
            spot: Spot {
                game: number,
                before: chess.clone(),
                played: chosen.m,
                best: moves[best].m,
                reply: moves[played].reply,
                loss: (value(best) - value(played)).max(0.0),
                goal: view.felt.goal,
                intensity: view.felt.intensity,
            },
            rating,
            miss: is_error(played).then(|| Miss::of(chess, &view, played, best)).flatten(),
            serves: [concerns(played), concerns(best)],
            gap: value(best) - others.fold(0.0, f64::max),
            rank: likelier.clone().count(),
            is_in_mind: likelier.sum::<f64>() < HumanTaste::default().in_mind,
            expected,
            chances: [now[best], later[best]],
            raised: self.raised(rating, &view, &now, best),
        })
    }

    /// Returns the probability of each move to people of this rating.
    fn chances(&self, chess: &Chess, rating: u16, view: &View) -> Vec<f64> {
        let mut chances = self.policy.probabilities(rating, &view.cues);
        let moves: Vec<Move> = view.readings.moves.iter().map(|reading| reading.m).collect();
        if let Some(counts) = self.book.counts(chess, rating, &moves) {
            follow(&mut chances, &counts);
        }
        chances
    }

    /// Returns how much each cue raises the move at `best` above the others if the rating rises.
    fn raised(&self, rating: u16, view: &View, chances: &[f64], best: usize) -> [f32; Cue::COUNT] {
        let step = relative(rating.saturating_add(STRONGER)) - relative(rating);
        std::array::from_fn(|cue| {
            let all = view.cues.iter().zip(chances);
            let mean: f64 = all.map(|(cues, chance)| chance * f64::from(cues[cue])).sum();
            let more = f64::from(view.cues[best][cue]) - mean;
            (self.policy.weights[cue].slope * step * more).max(0.0) as f32
        })
    }
}
