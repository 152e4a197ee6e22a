//! The engine in human style: reads, chooses, and reports what came to mind.

use super::{
    choice::{Choice, choose, drawn},
    cue::Scene,
    habit::Habits,
    policy::Policy,
    reading::Reader,
};
use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score},
    mind::{appraisal::Appraisal, salience::Focus},
    player::{
        Engine, Listener,
        bent_evaluation::{BendFactors, BentEvaluation},
    },
    search::{
        SearchResult, Signals,
        root::{
            limits::Limits,
            report::{Bound, Iteration},
            time::Timer,
        },
    },
    support::random::mixed,
};
use shakmaty::Position;
use std::{
    sync::{OnceLock, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};

/// What a person brings to a game: how moves are weighed, habits, and memory to read with.
#[derive(Debug)]
pub(in crate::player) struct Person {
    policy: Policy,
    habits: Habits,
    reader: Reader,
}

impl Person {
    /// Returns a person, or `None` if the table for reading cannot be allocated.
    fn new() -> Option<Self> {
        static FITTED: OnceLock<Option<(Policy, Habits)>> = OnceLock::new();
        let fitted = FITTED.get_or_init(|| Some((Policy::fitted().ok()?, Habits::counted())));
        let (policy, habits) = fitted.clone()?;
        Some(Self { policy, habits, reader: Reader::new().ok()? })
    }
}

impl Engine {
    /// Chooses a move like a person of the rating [`crate::player::Options::elo`]. Returns `None`
    /// if there is no legal move, or no memory.
    ///
    /// The move depends only on the game, the seed, the profile and the number of games since the
    /// engine was started, not on time.
    pub(in crate::player) fn play_as_person(
        &mut self,
        game: &Game,
        appraisal: Option<&Appraisal>,
        limits: &Limits,
        (timer, signals): (&Timer, &Signals),
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        let mut person = self.person.take().or_else(|| Some(Box::new(Person::new()?)))?;
        let bend = BendFactors::of(&self.profile, game.chess.turn(), appraisal);
        let choice = match &bend.evaluation(&self.profile) {
            BentEvaluation::Terms(evaluator) => {
                self.choose(game, appraisal, limits, &mut person, evaluator)
            }
            BentEvaluation::Measures(evaluator) => {
                self.choose(game, appraisal, limits, &mut person, evaluator)
            }
        };
        self.person = Some(person);
        let Some(choice) = choice else {
            listener.finished(None);
            return None;
        };
        let result = result(&choice, timer);
        listener.came_to_mind(game, self.options.elo, &choice);
        listener.iteration(&iteration(&result));
        // an answer to `go infinite` or `go ponder` waits for `stop` or `ponderhit`
        let waits = || signals.pondering.load(Relaxed) || limits.is_infinite();
        while waits() && !signals.stop.load(Relaxed) {
            thread::park_timeout(Duration::from_millis(1));
        }
        if !signals.pondering.load(Relaxed) {
            timer.ponder_hit();
        }
        let spent = timer.counted();
        listener.finished(Some(&result));
        let chess = &game.chess;
        self.lag.note(limits, chess.turn(), chess.fullmoves(), timer.budget(), spent);
        Some(result)
    }

    fn choose<E: Evaluator + Clone + Send>(
        &self,
        game: &Game,
        appraisal: Option<&Appraisal>,
        limits: &Limits,
        person: &mut Person,
        evaluator: &E,
    ) -> Option<Choice> {
        let Person { policy, habits, reader } = person;
        let mut readings = reader.read(game, evaluator);
        if !limits.moves.is_empty() {
            readings.moves.retain(|reading| reading.m.is_some_and(|m| limits.moves.contains(&m)));
        }
        let focus = Focus::of(&game.chess, appraisal, self.options.emotion_strength);
        let intensity = appraisal.map_or(0.0, |felt| felt.intensity);
        let scene = Scene::new(game, &readings, &focus, intensity, habits);
        let draw = drawn(mixed(self.options.human_seed ^ mixed(self.games)), game);
        let rated = (&*policy, self.options.elo);
        choose(game, &readings, &scene, rated, draw, (reader, evaluator))
    }
}

fn result(choice: &Choice, timer: &Timer) -> SearchResult {
    SearchResult {
        best: choice.m,
        pv: std::iter::once(choice.m).chain(choice.reply).collect(),
        ponder: choice.reply,
        score: Score::cp(choice.score),
        depth: 1,
        nodes: choice.nodes,
        elapsed: timer.elapsed(),
    }
}

fn iteration(result: &SearchResult) -> Iteration<'_> {
    Iteration {
        depth: result.depth,
        seldepth: result.depth,
        multi_pv: 1,
        score: result.score,
        bound: Bound::Exact,
        nodes: result.nodes,
        elapsed: result.elapsed,
        hashfull: 0,
        tablebase_hits: 0,
        pv: &result.pv,
    }
}
