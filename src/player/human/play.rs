//! The engine in human style: reads, chooses, and reports what came to mind.

use super::{
    book::{Book, follow},
    choice::{Choice, Weighed, choose, drawn},
    clock::ClockModel,
    cue::Scene,
    habit::Habits,
    pacing::{self, Pacing},
    policy::Policy,
    reading::{Reader, Readings},
};
use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score},
    chess_mind::{Appraisal, salience::Focus},
    player::{
        Engine, Listener,
        bent_evaluation::{BendFactors, BentEvaluation},
    },
    search::{
        SearchResult,
        root::{
            budget::Budget,
            limits::Limits,
            report::{Bound, Iteration},
            time::Timer,
        },
    },
    support::random::mixed,
};
use shakmaty::{ByColor, Color, Move, Position};
use std::{sync::LazyLock, time::Duration};

/// What was learnt from people's games: weights, habits, opening moves and think times.
static FITTED: LazyLock<Option<(Policy, Habits, Book, ClockModel)>> = LazyLock::new(|| {
    Some((Policy::fitted().ok()?, Habits::counted(), Book::counted(), ClockModel::fitted().ok()?))
});

/// With less time left than this, a person only glances at the board.
const HURRY: Duration = Duration::from_secs(1);
/// With less time left than 30 readings take, too. This happens on a busy machine.
const KEPT_READINGS: u32 = 30;
/// No reading counts as slower than this, so that a single delay does not spoil a game.
const SLOWEST: Duration = Duration::from_millis(300);
/// With less time for one move than this, too.
const SHORT: Duration = Duration::from_millis(50);
/// Makes the draw of a time independent of the draw of the move.
const TIME_SEED: u64 = 0x7468_696e_6b21;

/// What a person brings to a game: how moves are weighed, habits, and memory to read with.
#[derive(Debug)]
pub(in crate::player) struct Person {
    policy: &'static Policy,
    habits: &'static Habits,
    book: &'static Book,
    clock: &'static ClockModel,
    /// The clocks of this game as each side saw them.
    pacing: ByColor<Pacing>,
    reader: Reader,
    /// How long a reading takes on this machine: the longest of late.
    slowest: Duration,
}

impl Person {
    /// Returns a person, or `None` if the table for reading cannot be allocated.
    fn new() -> Option<Self> {
        let (policy, habits, book, clock) = FITTED.as_ref()?;
        let pacing = ByColor::default();
        let reader = Reader::new().ok()?;
        Some(Self { policy, habits, book, clock, pacing, reader, slowest: Duration::ZERO })
    }

    /// Remembers how long a reading or a glance took. Slower ones count within a few moves, faster
    /// ones gradually.
    fn note(&mut self, read: Duration) {
        let growth = 2 * self.slowest + Duration::from_millis(20);
        self.slowest = read.min(growth).min(SLOWEST).max(self.slowest * 7 / 8);
    }

    /// Forgets the clocks of the last game.
    pub(in crate::player) fn new_game(&mut self) {
        self.pacing = ByColor::default();
    }
}

impl Engine {
    /// Takes the person that plays in human style. Returns `None` in another style, or without
    /// memory to read with. The narrow style plays then.
    pub(in crate::player) fn take_person(&mut self) -> Option<Box<Person>> {
        self.options.person()?;
        self.person.take().or_else(|| Person::new().map(Box::new))
    }

    /// Chooses a move like a person of the rating [`crate::player::Options::human_rating`]. Returns
    /// `None` if there is no legal move.
    ///
    /// The move depends on the game, the seed, the profile, the number of games since the engine was
    /// started, and on whether there is time to read. With
    /// [`crate::player::Options::human_clock`], the engine also reports how long a person would
    /// think. That time depends on the clocks too.
    pub(in crate::player) fn play_as_person(
        &mut self,
        mut person: Box<Person>,
        (game, appraisal): (&Game, Option<&Appraisal>),
        limits: &Limits,
        timer: &Timer,
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        let bend = BendFactors::felt(&self.profile, game.chess.turn(), appraisal);
        let hurries = is_hurried(limits, game.chess.turn(), person.slowest);
        let choice = match &bend.evaluation(&self.profile) {
            BentEvaluation::Terms(evaluator) => {
                self.choose((game, appraisal), limits, hurries, &mut person, evaluator)
            }
            BentEvaluation::Measures(evaluator) => {
                self.choose((game, appraisal), limits, hurries, &mut person, evaluator)
            }
        };
        let Some(choice) = choice else {
            self.person = Some(person);
            listener.finished(None);
            return None;
        };
        person.note(timer.elapsed());
        let thinks = self.think_time(game, choice.m, limits, timer, &mut person);
        self.person = Some(person);
        let result = result(&choice, timer);
        listener.came_to_mind(game, self.options.human_rating(), &choice);
        listener.iteration(&iteration(&result));
        let spent = timer.counted();
        let rest = thinks.map(|thinks| thinks.saturating_sub(timer.elapsed()));
        if let Some(thinks) = thinks {
            listener.thinks_for(thinks);
        }
        listener.finished(Some(&result));
        let chess = &game.chess;
        // waiting is no delay, even beyond the budget of a search
        let budget = rest.map_or(timer.budget(), |_| Budget::default());
        let spent = spent.map(|spent| spent + rest.unwrap_or_default());
        self.lag.note(limits, chess.turn(), chess.fullmoves(), budget, spent);
        Some(result)
    }

    /// Returns how long a person would think before playing `m`, pondering included. Returns `None`
    /// if the engine plays without waiting.
    ///
    /// The draw depends on the seed and the game, but not on the move.
    fn think_time(
        &self,
        game: &Game,
        m: Move,
        limits: &Limits,
        timer: &Timer,
        person: &mut Person,
    ) -> Option<Duration> {
        if !self.options.human_clock {
            return None;
        }
        let side = game.chess.turn();
        let pacing = person.pacing.get_mut(side);
        let view = pacing.see(&game.chess, limits, timer.counted().is_none())?;
        let cues = view.cues(game, m, self.options.human_rating());
        let draw = drawn(mixed(self.seed() ^ TIME_SEED), game);
        let time = person.clock.time(&cues, view.control, self.profile.human.pace, draw);
        let clock = *limits.clock.as_ref()?.get(side);
        let overhead = self.options.overhead + self.lag.known();
        let read = timer.elapsed().max(person.slowest);
        let most = pacing::most(clock, limits.moves_to_go, overhead, read);
        Some(Duration::from_secs_f64(time).min(most))
    }

    /// Returns the seed of this game.
    fn seed(&self) -> u64 {
        mixed(self.options.human_seed ^ mixed(self.games))
    }

    fn choose<E: Evaluator + Clone + Send>(
        &self,
        (game, appraisal): (&Game, Option<&Appraisal>),
        limits: &Limits,
        hurries: bool,
        person: &mut Person,
        evaluator: &E,
    ) -> Option<Choice> {
        let Person { policy, habits, book, reader, .. } = person;
        let mut readings =
            if hurries { reader.glance(game, evaluator) } else { reader.read(game, evaluator) };
        if !limits.moves.is_empty() {
            readings.moves.retain(|reading| limits.moves.contains(&reading.m));
        }
        let weighed = self.weigh(game, appraisal, &readings, (policy, habits, book));
        choose(game, &readings, &weighed, drawn(self.seed(), game), (reader, evaluator))
    }

    /// Weighs the moves that were read.
    fn weigh(
        &self,
        game: &Game,
        appraisal: Option<&Appraisal>,
        readings: &Readings,
        (policy, habits, book): (&Policy, &Habits, &Book),
    ) -> Weighed {
        let (rating, taste) = (self.options.human_rating(), &self.profile.human);
        let focus = Focus::of(&game.chess, appraisal, self.options.emotion_strength);
        let intensity = appraisal.map_or(0.0, |felt| felt.intensity);
        let scene = Scene::new(game, readings, &focus, intensity, habits);
        let cues: Vec<_> = readings.moves.iter().map(|reading| scene.cues(reading)).collect();
        let policy = policy.with(taste);
        let mut chances = policy.probabilities(rating, &cues);
        let lifts = policy.lifts(rating, &cues, &chances);
        let mut known_games = 0.0;
        if self.options.human_book {
            let moves: Vec<_> = readings.moves.iter().map(|reading| reading.m).collect();
            if let Some(counts) = book.counts(&game.chess, rating, &moves) {
                known_games = counts.iter().sum();
                follow(&mut chances, &counts);
            }
        }
        Weighed { chances, lifts, known_games, share: taste.in_mind }
    }
}

/// Returns whether there is only time for a glance. A reading takes up to `slowest`.
fn is_hurried(limits: &Limits, side: Color, slowest: Duration) -> bool {
    let clock = limits.clock.as_ref().map(|clocks| clocks.get(side).left);
    let hurry = HURRY.max(KEPT_READINGS * slowest);
    clock.is_some_and(|left| left < hurry) || limits.move_time.is_some_and(|time| time < SHORT)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::limits::Clock;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_busy_machine_makes_a_person_hurry_earlier() {
        let hurries_below = |person: &Person| {
            let below = (1..=60).rev().find(|&seconds| {
                let clock = Clock { left: Duration::from_secs(seconds), increment: MS };
                let clock = Some(ByColor { white: clock, black: clock });
                let limits = Limits { clock, ..Limits::default() };
                is_hurried(&limits, Color::White, person.slowest)
            });
            below.map_or(1, |seconds| seconds + 1)
        };
        let mut person = Person::new().unwrap();
        for (read, expected) in [(10 * MS, 1), (Duration::from_secs(5), 2), (15 * MS, 2)] {
            person.note(read);
            assert_eq!(hurries_below(&person), expected, "{:?}", person.slowest);
        }
        (0..9).for_each(|_| person.note(Duration::from_secs(5)));
        assert_eq!(hurries_below(&person), 9);
        (0..50).for_each(|_| person.note(MS));
        assert_eq!(hurries_below(&person), 1);
    }
}
