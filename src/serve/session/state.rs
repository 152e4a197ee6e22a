//! The state of a game against the engine: moves, clocks, and whose turn it is.

use super::{
    EngineAnswer,
    ending::GameEnd,
    mind::MindRecord,
    options::{GameOptions, LONGEST_GAME, Pace, legal},
    pause,
};
use crate::{
    chess::{game::Game, score::Score},
    explain::whatif::{Intervention, WhatIf, WhatIfRecord},
    lab::self_play::{adjudication::is_drawn, written::CommentedMove},
    mind::goal::Goal,
    player::Engine,
    profile::Profile,
    search::{Signals, root::time::Timer},
    serve::{line::PageRecord, refusal::Refusal, request::Request, temperaments::Temperament},
    uci::feelings::Notes,
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
    /// Intensity of the emotion, and the goal.
    pub(super) feeling: Option<(f64, Option<Goal>)>,
    /// The score of a draw under this emotion, in centipawns.
    pub(super) draw_score: i32,
    /// What came to mind, in human style.
    pub(super) mind: Option<MindRecord>,
    pub(super) record: PageRecord,
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
    lent: Option<(usize, Option<f64>)>,
    /// The answer of the search, which is shown after a pause.
    pub(super) held: Option<EngineAnswer>,
    /// The last feelings record, for the page.
    pub(super) feeling: Option<PageRecord>,
    /// Number of plies when the engine last declined a draw.
    pub(super) declined_at: Option<usize>,
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
            order,
        }
    }

    /// Hands out the engine for a search.
    pub(super) fn lend(&mut self, all: &[Temperament]) -> Option<Engine> {
        let last = all.get(self.order.choice).and_then(|choice| self.last_felt(&choice.profile));
        self.lent = Some((self.order.choice, last));
        self.engine.take()
    }

    /// Returns the last intensity of the engine's side, from which inertia starts the next one.
    /// Returns `None` before the first one in this game under `profile`.
    fn last_felt(&self, profile: &Profile) -> Option<f64> {
        match &self.engine {
            Some(engine) if engine.profile() == profile => {
                engine.last_felt(&self.game.chess, !self.order.human)
            }
            Some(_) => None,
            None => {
                let (choice, last) = self.lent.filter(|_| self.search.is_some())?;
                last.filter(|_| choice == self.order.choice)
            }
        }
    }

    /// Stops the search and discards its engine and answer.
    pub(super) fn drop_search(&mut self) {
        self.held = None;
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
        let Some(EngineAnswer { outcome, notes, mind }) = self.held.take() else { return };
        let record = PageRecord::from(&notes);
        self.feeling = Some(record.clone());
        if let Some(outcome) = outcome {
            let felt = notes.felt();
            let insight = Insight {
                score: outcome.score,
                depth: outcome.depth,
                feeling: felt.map(|felt| (felt.intensity, felt.goal)),
                draw_score: felt.map_or(0, |felt| felt.effects.draw),
                mind,
                record,
            };
            self.play(outcome.best, Some(insight));
        }
        // cleared last, so that a search that panics above is recognised
        self.search = None;
    }

    pub(super) fn begin(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        let order = self.order.changed(request, all)?;
        let mut next = Self::new(order);
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

    pub(super) fn is_engines_turn(&self) -> bool {
        self.end.is_none() && self.game.chess.turn() != self.order.human
    }

    pub(super) fn wants_search(&self) -> bool {
        self.is_engines_turn() && self.search.is_none()
    }

    pub(super) fn human_moves(&mut self, request: &Request) -> Result<(), Refusal> {
        let text = request.text("move", 16)?.unwrap_or_default();
        if self.end.is_some() || self.is_engines_turn() {
            let why = if self.end.is_some() { OVER } else { "It is not your turn." };
            return Err(Refusal::plain(StatusCode::CONFLICT, why));
        }
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
        let san = SanPlus::from_move(self.game.chess.clone(), m).to_string();
        self.game.push(m);
        let spent = self.timer.elapsed();
        self.plies.push(Ply { m, san, insight, spent, clocks: begun_with });
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
        (self.end, self.declined_at) = (None, None);
        self.timer = Timer::stopwatch();
        Ok(())
    }

    /// Appraises the position for the engine's side, as its next search will.
    pub(super) fn appraise(&mut self, all: &[Temperament]) {
        let Some(Temperament { profile, .. }) = all.get(self.order.choice) else { return };
        self.feeling = Some(self.felt_in(&self.game, profile, self.last_felt(profile)));
    }

    /// Returns what the engine's side feels in `game`, starting from the intensity `last`.
    fn felt_in(&self, game: &Game, profile: &Profile, last: Option<f64>) -> PageRecord {
        let strength = self.order.strength;
        let felt = profile.mind.appraise(&game.chess, !self.order.human, strength, last);
        PageRecord::from(&Notes::of(felt, profile, strength, game))
    }

    /// Returns what the engine felt and thought last, after the first `plies` moves of the game.
    /// Before its first search, this is its feeling in the start position.
    pub(super) fn felt_after(&self, plies: usize, all: &[Temperament]) -> Option<PageRecord> {
        let profile = &all.get(self.order.choice)?.profile;
        let mut played = self.plies.get(..plies)?.iter().rev();
        let last = played.find_map(|ply| ply.insight.as_ref());
        let start = || self.felt_in(&self.order.start, profile, None);
        Some(last.map_or_else(start, |insight| insight.record.clone()))
    }

    pub(super) fn what_if(
        &self,
        request: &Request,
        all: &[Temperament],
    ) -> Result<WhatIfRecord, Refusal> {
        let words = request.words();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let interventions = Intervention::read_all(&words)
            .map_err(|error| Refusal::plain(StatusCode::BAD_REQUEST, error))?;
        let missing = || Refusal::plain(StatusCode::NOT_FOUND, "the profile does not exist");
        let profile = all.get(self.order.choice).ok_or_else(missing)?.profile.clone();
        let (side, strength) = (!self.order.human, self.order.strength);
        let (game, last) = (self.game.clone(), self.last_felt(&profile));
        Ok(WhatIf::of_side(game, profile, side, strength, last, interventions).record())
    }

    /// Returns the moves with the engine's scores and emotions.
    pub(super) fn noted(&self) -> impl Iterator<Item = CommentedMove> {
        self.plies.iter().map(|ply| CommentedMove {
            m: ply.m,
            thought: ply.insight.as_ref().map(|insight| (insight.score, insight.depth)),
            feeling: ply.insight.as_ref().and_then(|insight| insight.feeling),
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
