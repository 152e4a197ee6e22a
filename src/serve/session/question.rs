//! Questions of the player that need a search: a hint, and what the engine would have played
//! without its feeling.
//!
//! A worker answers them while the engine has nothing else to do in this game. A move ends the
//! question of the position before it.

use super::{GameSession, SearchTask, mind::NamedMove, options::LONGEST_GAME, state::GameState};
use crate::{
    chess::{game::Game, score::Score},
    chess_mind::Appraisal,
    player::Engine,
    search::{
        SearchResult, Signals,
        root::{limits::Limits, report::Silent},
    },
    serve::{refusal::Refusal, request::Request},
};
use hyper::StatusCode;
use serde::Serialize;
use shakmaty::{Move, Position, san::SanPlus};
use std::{
    num::NonZeroU64,
    sync::{Arc, atomic::Ordering::Relaxed},
};

/// The profile that gives hints, without feeling.
const ADVISER: &str = "standard";
/// Number of nodes of a hint.
const HINT_NODES: u64 = 200_000;
/// The largest number of nodes of each of the two searches of a comparison.
const COMPARED_NODES: u64 = 300_000;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    /// A good move in the current position.
    Hint,
    /// The move at this index, with and without feeling.
    Comparison(usize),
}

/// A question that waits for a worker or is being answered.
#[derive(Debug)]
pub(super) struct Question {
    topic: Topic,
    signals: Arc<Signals>,
    is_running: bool,
}

/// A question to be answered by a worker.
#[derive(Debug)]
pub(in crate::serve) struct QuestionTask {
    topic: Topic,
    search: SearchTask,
    /// What the engine felt before the move, for a comparison.
    felt: Option<Appraisal>,
}

/// The answer to a question.
#[derive(Debug)]
pub(in crate::serve) enum QuestionAnswer {
    Hint(ChoiceRecord),
    Comparison(ComparisonRecord),
}

/// The choice of a search. The score is from White's point of view.
#[derive(Clone, Debug, Serialize)]
pub(in crate::serve) struct ChoiceRecord {
    #[serde(flatten)]
    best: NamedMove,
    score: Score,
    depth: u8,
    /// The best line in SAN.
    line: Vec<String>,
}

/// The choices in one position with and without feeling, by equal searches.
#[derive(Clone, Debug, Serialize)]
pub(in crate::serve) struct ComparisonRecord {
    with: ChoiceRecord,
    without: ChoiceRecord,
}

impl GameState {
    /// Asks for a good move in the current position.
    pub(super) fn ask_hint(&mut self) -> Result<(), Refusal> {
        self.check_turn("Ask for a hint when it is your turn.")?;
        if self.hint.is_none() {
            self.ask(Topic::Hint);
        }
        Ok(())
    }

    /// Asks what the engine would have played without feeling.
    pub(super) fn ask_comparison(&mut self, request: &Request) -> Result<(), Refusal> {
        let refused = |why: &str| Err(Refusal::plain(StatusCode::CONFLICT, why));
        if self.is_engines_turn() {
            return refused("Wait for its move.");
        }
        let ply = request.count("ply", 1..=LONGEST_GAME as u64)?.unwrap_or_default() as usize;
        let played = ply.checked_sub(1).and_then(|index| Some((index, self.plies.get(index)?)));
        match played.and_then(|(index, ply)| Some((index, ply.insight.as_ref()?))) {
            Some((_, insight)) if insight.felt.is_none() => refused("It felt nothing."),
            Some((_, insight)) if insight.comparison.is_some() => Ok(()),
            Some((index, _)) => {
                self.ask(Topic::Comparison(index));
                Ok(())
            }
            None => refused("It has not played this move."),
        }
    }

    /// Replaces the question, unless it is the same.
    fn ask(&mut self, topic: Topic) {
        if self.question.as_ref().is_none_or(|question| question.topic != topic) {
            self.drop_question();
            self.question = Some(Question { topic, signals: Arc::default(), is_running: false });
        }
    }

    /// Names the question that waits for its answer: `hint` or `comparison`.
    pub(super) fn asked(&self) -> Option<&'static str> {
        self.question.as_ref().map(|question| match question.topic {
            Topic::Hint => "hint",
            Topic::Comparison(_) => "comparison",
        })
    }

    /// Forgets the question and the hint, because the position changes.
    pub(super) fn forget_questions(&mut self) {
        self.hint = None;
        self.drop_question();
    }

    fn drop_question(&mut self) {
        if let Some(question) = self.question.take() {
            question.signals.stop.store(true, Relaxed);
        }
    }

    /// Returns the position before the move at `index`.
    fn before(&self, index: usize) -> Game {
        let mut game = self.order.start.clone();
        self.plies.iter().take(index).for_each(|ply| game.push(ply.m));
        game
    }
}

impl GameSession {
    /// Starts to answer the question that the game is waiting for, if any.
    pub(in crate::serve) fn begin_question(&self) -> Option<QuestionTask> {
        let mut table = self.table();
        let question = table.question.as_mut().filter(|question| !question.is_running)?;
        question.is_running = true;
        let (topic, signals) = (question.topic, Arc::clone(&question.signals));
        let limits = Limits::of_nodes(NonZeroU64::new(HINT_NODES)?);
        let mut search = SearchTask::of(&table, &self.temperaments, limits, signals);
        let mut felt = None;
        match topic {
            Topic::Hint => {
                search.choice = self.temperaments.iter().position(|one| one.id == ADVISER)?;
                search.level = None;
            }
            Topic::Comparison(index) => {
                let insight = table.plies.get(index)?.insight.as_ref()?;
                search.choice = insight.choice;
                felt.clone_from(&insight.felt);
                let nodes = insight.nodes.clamp(1, COMPARED_NODES);
                search.limits = Limits::of_nodes(NonZeroU64::new(nodes)?);
                search.game = table.before(index);
            }
        }
        Some(QuestionTask { topic, search, felt })
    }

    /// Stores the answer, unless the question has been dropped.
    pub(in crate::serve) fn end_question(
        &self,
        signals: &Arc<Signals>,
        answer: Option<QuestionAnswer>,
    ) {
        let mut table = self.table();
        let is_it = |question: &&mut Question| Arc::ptr_eq(&question.signals, signals);
        let Some(question) = table.question.as_mut().filter(is_it) else { return };
        let topic = question.topic;
        table.question = None;
        match (topic, answer) {
            (Topic::Hint, Some(QuestionAnswer::Hint(hint))) => table.hint = Some(hint),
            (Topic::Comparison(index), Some(QuestionAnswer::Comparison(found))) => {
                let ply = table.plies.get_mut(index);
                if let Some(insight) = ply.and_then(|ply| ply.insight.as_mut()) {
                    insight.comparison = Some(found);
                }
            }
            _ => {}
        }
        self.publish_state(&mut table);
    }
}

impl QuestionTask {
    /// The signals that end this search.
    pub(in crate::serve) fn signals(&self) -> Arc<Signals> {
        Arc::clone(&self.search.signals)
    }

    /// Answers the question. Returns `None` if it was dropped.
    pub(in crate::serve) fn run(mut self) -> Option<QuestionAnswer> {
        match self.topic {
            Topic::Hint => Some(QuestionAnswer::Hint(self.choose(calm)?)),
            Topic::Comparison(_) => {
                let felt = self.felt.take()?;
                let with = self.choose(|engine, SearchTask { game, limits, signals, .. }| {
                    engine.go_as(&felt, game, limits, signals, &mut Silent)
                })?;
                let without = self.choose(calm)?;
                Some(QuestionAnswer::Comparison(ComparisonRecord { with, without }))
            }
        }
    }

    /// Lets `search` choose a move with a new engine, which remembers nothing of the game.
    fn choose(
        &mut self,
        search: impl FnOnce(&mut Engine, &SearchTask) -> Option<SearchResult>,
    ) -> Option<ChoiceRecord> {
        let mut engine = self.search.engine()?;
        let found = search(&mut engine, &self.search)?;
        let is_stopped = self.search.signals.stop.load(Relaxed);
        (!is_stopped).then(|| ChoiceRecord::of(&self.search.game, &found))
    }
}

/// Searches without feeling.
fn calm(engine: &mut Engine, task: &SearchTask) -> Option<SearchResult> {
    engine.change(|options| options.emotion = false).ok()?;
    engine.go(&task.game, &task.limits, &task.signals, &mut Silent)
}

impl ChoiceRecord {
    fn of(game: &Game, found: &SearchResult) -> Self {
        let mut chess = game.chess.clone();
        let best = NamedMove::of(&chess, found.best);
        let score = chess.turn().fold_wb(found.score, -found.score);
        let mut san = |m: &Move| SanPlus::from_move_and_play_unchecked(&mut chess, *m).to_string();
        let line = found.pv.iter().map(&mut san).collect();
        Self { best, score, depth: found.depth, line }
    }
}
