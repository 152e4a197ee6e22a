//! The state of a game against the engine: moves, clocks, and whose turn it is.

use super::{
    EngineAnswer,
    ending::GameEnd,
    mind::MindRecord,
    options::{GameOptions, LONGEST_GAME, LONGEST_POSITION, Pace, legal},
    pause,
    question::{ChoiceRecord, ComparisonRecord, Question},
};
use crate::{
    chess::{game::Game, opening::Opening, score::Score},
    chess_mind::{Appraisal, Goal},
    lab::self_play::{adjudication::is_drawn, written::CommentedMove},
    player::Engine,
    search::{Signals, root::time::Timer},
    serve::{line::PageRecord, refusal::Refusal, request::Request, temperaments::Temperament},
};
use hyper::StatusCode;
use shakmaty::{ByColor, Move, Position, san::SanPlus};
use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

pub(super) const OVER: &str = "The game is over. Take back a move or begin a new game.";

/// A move that was played.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub(super) m: Move,
    pub(super) san: String,
    /// What the engine thought and felt. `None` for the person's moves.
    pub(super) insight: Option<Insight>,
    /// What the engine would have felt in the person's place. `None` for the engine's moves.
    pub(super) imagined: Option<f64>,
    /// The opening that this move leads to.
    pub(super) opening: Option<&'static Opening>,
    /// The time that the move took.
    pub(super) spent: Duration,
    /// Clock times before this move.
    clocks: Option<ByColor<Duration>>,
}

/// What the engine thought and felt before its move.
#[derive(Clone, Debug)]
pub(super) struct Insight {
    pub(super) score: Score,
    /// The search depth in plies.
    pub(super) depth: u8,
    /// Number of nodes of the search.
    pub(super) nodes: u64,
    pub(super) felt: Option<Appraisal>,
    /// Index of the profile that played the move.
    pub(super) choice: usize,
    /// What the engine would have played without feeling, if the player asked.
    pub(super) comparison: Option<ComparisonRecord>,
    /// What came to mind, in human style.
    pub(super) mind: Option<MindRecord>,
    pub(super) record: PageRecord,
}

impl Insight {
    /// Returns the intensity of the emotion, and the goal.
    pub(super) fn feeling(&self) -> Option<(f64, Option<Goal>)> {
        self.felt.as_ref().map(|felt| (felt.intensity, felt.goal))
    }
}

#[derive(Debug)]
pub(super) struct GameState {
    pub(super) order: GameOptions,
    pub(super) game: Game,
    pub(super) plies: Vec<Ply>,
    pub(super) end: Option<GameEnd>,
    /// Clock times at the beginning of the current move.
    pub(super) clocks: Option<ByColor<Duration>>,
    pub(super) timer: Timer,
    /// The engine. `None` before the first search and while a search is running.
    pub(super) engine: Option<Engine>,
    pub(super) search: Option<Arc<Signals>>,
    /// The profile of the running search, and the last intensity from which its emotion started.
    pub(super) lent: Option<(usize, Option<f64>)>,
    /// The answer of the search, which is shown after a pause.
    pub(super) held: Option<EngineAnswer>,
    /// The last feelings record, for the page.
    pub(super) feeling: Option<PageRecord>,
    /// Number of plies when the engine last declined a draw.
    pub(super) declined_at: Option<usize>,
    /// The question that waits for a worker or is being answered.
    pub(super) question: Option<Question>,
    /// The move suggested to the player in this position.
    pub(super) hint: Option<ChoiceRecord>,
}

impl GameState {
    pub(super) fn new(order: GameOptions) -> Self {
        Self {
            game: order.start.clone(),
            plies: Vec::new(),
            end: None,
            clocks: order.pace.clocks(),
            timer: Timer::stopwatch(),
            engine: None,
            search: None,
            lent: None,
            held: None,
            feeling: None,
            declined_at: None,
            question: None,
            hint: None,
            order,
        }
    }

    /// Hands out the engine for a search.
    pub(super) fn lend(&mut self, all: &[Temperament]) -> Option<Engine> {
        let last = all.get(self.order.choice).and_then(|choice| self.last_felt(&choice.profile));
        self.lent = Some((self.order.choice, last));
        self.engine.take()
    }

    /// Stops the search and discards its engine and answer.
    pub(super) fn drop_search(&mut self) {
        self.held = None;
        self.forget_questions();
        if let Some(signals) = self.search.take() {
            signals.stop.store(true, Relaxed);
        }
    }

    /// Whether the search with these signals is running, or its answer is held.
    pub(super) fn is_searching(&self, signals: &Arc<Signals>) -> bool {
        self.search.as_ref().is_some_and(|search| Arc::ptr_eq(search, signals))
    }

    /// Returns how long an answer is held so that the engine seems to think as long as a person.
    pub(super) fn pause_before(&self, answer: &EngineAnswer) -> Duration {
        let Some(mind) = &answer.mind else { return Duration::ZERO };
        let wanted = mind.thinks.unwrap_or_else(|| pause::natural(mind.count));
        wanted.saturating_sub(self.timer.elapsed())
    }

    /// Plays the move of the answer that is held, if any.
    pub(super) fn play_held(&mut self) {
        let Some(EngineAnswer { outcome, record, felt, mind }) = self.held.take() else { return };
        self.feeling = Some(record.clone());
        if let Some(outcome) = outcome {
            let insight = Insight {
                score: outcome.score,
                depth: outcome.depth,
                nodes: outcome.nodes,
                felt,
                choice: self.lent.map_or(self.order.choice, |(choice, _)| choice),
                comparison: None,
                mind,
                record,
            };
            self.play(outcome.best, Some(insight));
        }
        // cleared last, so that a search that panics above is recognised
        self.search = None;
    }

    /// Begins a game against the engine.
    pub(super) fn begin(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        self.set_up(request, all)?;
        self.order.tags = None;
        Ok(())
    }

    /// Sets up the start position and the given moves.
    fn set_up(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        let mut next = Self::new(self.order.changed(request, all)?);
        for text in next.order.moves.clone() {
            next.play(legal(&next.game, &text)?, None);
        }
        // the clocks did not run during these moves, and nobody claimed a draw
        (next.end, next.clocks) = (None, next.order.pace.clocks());
        for ply in &mut next.plies {
            (ply.clocks, ply.spent) = (next.clocks, Duration::ZERO);
        }
        next.close();
        self.drop_search();
        *self = next;
        Ok(())
    }

    /// Sets up a pasted game with all its moves, to look back at it.
    pub(super) fn import(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        if request.text("pgn", LONGEST_POSITION)?.is_none() {
            return Err(Refusal::bad("pgn", "", "a game in PGN"));
        }
        self.set_up(request, all)?;
        self.end = self.end.or(Some(GameEnd::Pasted));
        Ok(())
    }

    pub(super) fn is_engines_turn(&self) -> bool {
        self.end.is_none() && self.game.chess.turn() != self.order.human
    }

    /// Refuses what is only possible while it is the user's turn. `why` is for the engine's turn.
    pub(super) fn check_turn(&self, why: &str) -> Result<(), Refusal> {
        let refused = |why: &str| Err(Refusal::plain(StatusCode::CONFLICT, why));
        if self.end.is_some() {
            refused(OVER)
        } else if self.is_engines_turn() {
            refused(why)
        } else {
            Ok(())
        }
    }

    pub(super) fn wants_search(&self) -> bool {
        self.is_engines_turn() && self.search.is_none()
    }

    pub(super) fn human_moves(&mut self, request: &Request) -> Result<(), Refusal> {
        let text = request.text("move", 16)?.unwrap_or_default();
        self.check_turn("It is not your turn.")?;
        let m = legal(&self.game, text)?;
        self.play(m, None);
        Ok(())
    }

    /// Plays a legal move and updates the clocks.
    pub(super) fn play(&mut self, m: Move, insight: Option<Insight>) {
        let side = self.game.chess.turn();
        let begun_with = self.clocks;
        if let (Pace::Clock(clock), Some(left)) = (self.order.pace, self.left()) {
            if left.get(side).is_zero() {
                self.end = Some(GameEnd::Time(side));
                self.clocks = Some(left);
                return;
            }
            let mut left = left;
            if self.is_timed() {
                *left.get_mut(side) += clock.increment;
            }
            self.clocks = Some(left);
        }
        self.forget_questions();
        let san = SanPlus::from_move(self.game.chess.clone(), m).to_string();
        self.game.push(m);
        let (spent, opening) = (self.timer.elapsed(), Opening::of(&self.game.chess));
        let (imagined, clocks) = (None, begun_with);
        self.plies.push(Ply { m, san, insight, imagined, opening, spent, clocks });
        self.timer = Timer::stopwatch();
        self.close();
    }

    /// Ends the game if the rules require it or it is too long.
    pub(super) fn close(&mut self) {
        if is_drawn(&self.game) || self.game.chess.legal_moves().is_empty() {
            self.end = Some(GameEnd::Rules);
        } else if self.plies.len() >= LONGEST_GAME {
            self.end = Some(GameEnd::Broken("The game has reached its maximum length"));
        }
    }

    /// Whether a clock is running. Time counts once both sides have moved.
    pub(super) fn is_timed(&self) -> bool {
        self.clocks.is_some() && self.end.is_none() && self.plies.len() >= 2
    }

    /// Returns the current clock times.
    pub(super) fn left(&self) -> Option<ByColor<Duration>> {
        let mut left = self.clocks?;
        if self.is_timed() {
            let running = left.get_mut(self.game.chess.turn());
            *running = running.saturating_sub(self.timer.elapsed());
        }
        Some(left)
    }

    /// Ends the game if the person has run out of time. The engine's time is checked when its
    /// search ends.
    pub(super) fn watch_clock(&mut self) {
        let side = self.order.human;
        let is_over = self.left().is_some_and(|left| left.get(side).is_zero());
        if is_over && self.end.is_none() && self.game.chess.turn() == side {
            self.clocks = self.left();
            self.end = Some(GameEnd::Time(side));
        }
    }

    /// Returns to the last position in which the person was to move. The clocks are reset to that
    /// moment, so that the game can continue after a loss on time.
    pub(super) fn take_back(&mut self) -> Result<(), Refusal> {
        let turn = |plies: usize| {
            let first = self.order.start.chess.turn();
            if plies.is_multiple_of(2) { first } else { !first }
        };
        let before = (0..self.plies.len()).rev().find(|&plies| turn(plies) == self.order.human);
        let Some(kept) = before else {
            return Err(Refusal::plain(StatusCode::CONFLICT, "There is no move to take back."));
        };
        self.clocks = self.plies.get(kept).and_then(|ply| ply.clocks);
        self.drop_search();
        self.plies.truncate(kept);
        self.game = self.order.start.clone();
        for ply in &self.plies {
            self.game.push(ply.m);
        }
        (self.end, self.declined_at, self.order.tags) = (None, None, None);
        self.timer = Timer::stopwatch();
        Ok(())
    }

    /// Returns the moves with the engine's scores and emotions.
    pub(super) fn noted(&self) -> impl Iterator<Item = CommentedMove> {
        self.plies.iter().map(|ply| CommentedMove {
            m: ply.m,
            thought: ply.insight.as_ref().map(|insight| (insight.score, insight.depth)),
            feeling: ply.insight.as_ref().filter(|_| !self.is_blind()).and_then(Insight::feeling),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use shakmaty::Color;

    fn request(body: &Value, keys: &[&str]) -> Request {
        Request::parse(body.to_string().as_bytes(), keys).unwrap()
    }

    fn table(order: &Value) -> GameState {
        let all = Temperament::all(None).unwrap();
        let mut table = GameState::new(GameOptions::first());
        table.begin(&request(order, &GameOptions::KEYS), &all).unwrap();
        table
    }

    fn play(table: &mut GameState, text: &str) {
        table.play(legal(&table.game, text).unwrap(), None);
    }

    #[test]
    fn taking_back_a_move_resumes_a_game_lost_on_time() {
        let mut table = table(&json!({"seconds": 600, "increment": 5}));
        for text in ["e4", "e5", "Nf3", "Nc6"] {
            play(&mut table, text);
        }
        table.clocks = Some(ByColor { white: Duration::ZERO, black: Duration::from_mins(5) });
        table.watch_clock();
        assert_eq!(table.end, Some(GameEnd::Time(Color::White)));
        table.take_back().unwrap();
        table.watch_clock();
        assert_eq!((table.end, table.plies.len()), (None, 2));
        // White began 2. Nf3 with ten minutes, and this test uses almost none of them
        let left = table.left().unwrap().white;
        assert!(left > Duration::from_mins(5), "{left:?}");
        table.human_moves(&request(&json!({"move": "Nf3"}), &["move"])).unwrap();
        assert_eq!((table.end, table.plies.len()), (None, 3));
    }

    #[test]
    fn given_moves_leave_the_clocks_at_their_initial_times() {
        let mut table = table(&json!({"seconds": 600, "moves": "e2e4 e7e5 g1f3 b8c6"}));
        table.take_back().unwrap();
        assert_eq!(table.clocks, table.order.pace.clocks());
    }
}
