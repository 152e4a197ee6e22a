//! Sets up and runs one search: clock, appraisal, bent evaluation, table and histories.

use super::{
    Engine, Listener,
    attention::attention,
    bent_evaluation::{BendFactors, BentEvaluation, Identity},
    empathy,
    end_listener::EndListener,
    recall::Memory,
    taste,
};
use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score},
    chess_mind::{Appraisal, salience::Focus},
    profile::Profile,
    search::{
        self, Endgames, Progress, SearchResult, SharedState, Signals,
        memory::history::History,
        root::{
            blur::Blurred,
            bonus::RootBonuses,
            budget::{Budget, Overhead},
            lag::Lag,
            limits::Limits,
            moment::now,
            report::SearchListener,
            time::Timer,
            weakening::Weakening,
        },
    },
};
use shakmaty::{Chess, Position};

impl Engine {
    /// Starts the clock, appraises the position, and adjusts the thinking time to the appraisal.
    pub(super) fn prepare(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> (Timer, Option<Appraisal>) {
        let mut timer = self.timer(game, limits, signals);
        let appraisal = self.feel(game, listener);
        timer.stretch(appraisal.as_ref().map_or(0, |felt| felt.effects.time));
        (timer, appraisal)
    }

    /// Starts the clock, with the time that the limits and the delay of the last moves allow.
    pub(super) fn timer(&mut self, game: &Game, limits: &Limits, signals: &Signals) -> Timer {
        let (side, number) = (game.chess.turn(), game.chess.fullmoves());
        let per_move =
            self.lag.reserve(limits, side, number) + Lag::of_threads(self.options.threads);
        let overhead = Overhead { once: self.options.overhead, per_move };
        let budget = Budget::allot(limits, side, number, overhead);
        let pondering = signals.pondering.load(std::sync::atomic::Ordering::Relaxed);
        let timer = Timer::start_at(limits.since.unwrap_or_else(now), budget, pondering);
        timer.counting(limits.nodes_per_ms)
    }

    /// Searches under `appraisal`. Without one, no feeling changes the evaluation.
    pub(super) fn search(
        &mut self,
        game: &Game,
        appraisal: Option<&Appraisal>,
        limits: &Limits,
        timer: Timer,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        if let Some(person) = self.take_person() {
            return self.play_as_person(person, (game, appraisal), limits, &timer, listener);
        }
        let chess = &game.chess;
        let side = appraisal.map_or(chess.turn(), |felt| felt.side);
        let draw = appraisal.map_or(0, |felt| felt.effects.draw);
        let bend = BendFactors::of(&self.profile, side, appraisal);
        let focus = Focus::of(chess, appraisal, self.options.emotion_strength);
        let handicap = self.options.handicap();
        let weakening = handicap.map(|handicap| Weakening { handicap, salience: &focus });
        let narrowed = weakening.as_ref().map(|weakening| weakening.limits(chess, limits));
        let limits = narrowed.as_ref().unwrap_or(limits);
        if weakening.is_some() && !limits.moves.is_empty() {
            listener.attended(limits.moves.len(), chess.legal_moves().len());
        }
        if let Some(counts) = self.recall(chess) {
            listener.recalled(counts, chess.turn());
        }
        self.begin_search(&bend, weakening.is_some());
        let leaves = self.leaf_weight() > 0;
        let options = &self.options;
        let memory = Memory::of(self.remembered.as_deref(), options, &self.profile);
        self.hash.memory.make_room(limits.nodes_in_game(chess.turn(), options.threads));
        let own = appraisal.filter(|felt| felt.side == chess.turn());
        let draw = Score::cp(if side == chess.turn() { draw } else { -draw });
        let known = || Endgames::new(&self.tablebase, options.probing, chess, &game.keys, draw);
        let shared = SharedState {
            signals,
            limits,
            timer,
            table: self.hash.memory.table(),
            multi_pv: options.multi_pv,
            params: options.params.clone(),
            // a player of limited strength does not know the endgame tables
            endgames: weakening.is_none().then(known),
            draw,
            bonuses: bonuses(chess, &self.profile, memory, own),
            attention: own.and_then(|felt| attention(chess, felt)),
            weakening,
            progress: Progress::default(),
        };
        let histories = &mut self.histories;
        let tablebase = &self.tablebase;
        let memory = memory.filter(|_| leaves);
        let mut ending = EndListener { listener, tablebase, timer: &shared.timer, spent: None };
        let evaluation = bend.evaluation(&self.profile);
        let outcome = run_bent(game, &evaluation, &shared, memory, histories, &mut ending);
        let (spent, budget) = (ending.spent, shared.timer.budget());
        self.lag.note(limits, chess.turn(), chess.fullmoves(), budget, spent);
        outcome
    }

    /// Prepares table and histories for a search with this evaluation. Scores of a player with
    /// limited strength (`is_limited`) are not shared with other searches.
    fn begin_search(&mut self, bend: &BendFactors, is_limited: bool) {
        let own = (!is_limited).then(|| (bend, Identity::of(&self.options, self.leaf_weight())));
        let (number, compatible) = self.known.number(own).unwrap_or_else(|| {
            self.hash.memory.clear();
            self.known.clear();
            self.known.number(own).unwrap_or_default()
        });
        self.hash.memory.new_search(number, compatible);
        let threads = if is_limited { 1 } else { self.options.threads };
        self.histories.resize_with(threads, History::default);
        if self.last_number.replace(number).is_none_or(|last| !compatible.has(last)) {
            self.histories.iter_mut().for_each(History::forget_scores);
        }
    }
}

/// Returns what known games, and the taste and empathy of the side to move, if it feels, add to its
/// moves.
fn bonuses(
    chess: &Chess,
    profile: &Profile,
    memory: Option<Memory<'_>>,
    own: Option<&Appraisal>,
) -> RootBonuses {
    let known = memory.map_or_else(RootBonuses::default, |memory| memory.bonuses(chess));
    let Some(felt) = own else { return known };
    let others = [taste::bonuses(chess, profile, felt), empathy::bonuses(chess, profile, felt)];
    let others = others.into_iter().filter(|bonuses| !bonuses.is_empty());
    others.fold(known, |all, bonuses| all.with(&bonuses, &chess.legal_moves()))
}

fn run_bent(
    game: &Game,
    evaluation: &BentEvaluation,
    shared: &SharedState<'_>,
    memory: Option<Memory<'_>>,
    histories: &mut [History],
    report: &mut dyn SearchListener,
) -> Option<SearchResult> {
    match evaluation {
        BentEvaluation::Terms(evaluator) => run(game, evaluator, shared, memory, histories, report),
        BentEvaluation::Measures(evaluator) => {
            run(game, evaluator, shared, memory, histories, report)
        }
    }
}

/// Searches with this evaluator, and with what `memory` adds to it at leaves.
fn run<E: Evaluator + Clone + Send>(
    game: &Game,
    evaluator: &E,
    shared: &SharedState<'_>,
    memory: Option<Memory<'_>>,
    histories: &mut [History],
    report: &mut dyn SearchListener,
) -> Option<SearchResult> {
    let (chess, keys) = (&game.chess, &game.keys);
    match (&shared.weakening, memory) {
        (None, None) => search::search(chess, keys, evaluator, shared, histories, report),
        (None, Some(memory)) => {
            let remembering = memory.beside(evaluator.clone(), chess);
            search::search(chess, keys, &remembering, shared, histories, report)
        }
        // a player of limited strength remembers only at the root
        (Some(weakening), _) => {
            let blurred = Blurred { evaluator: evaluator.clone(), most: weakening.handicap.blur };
            search::search(chess, keys, &blurred, shared, histories, report)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        player::Options,
        profile::Profile,
        search::root::{limits::Clock, report::Silent},
    };
    use shakmaty::ByColor;
    use std::time::Duration;

    /// Returns the soft time limit in a position with this material balance. With emotion, fear
    /// extends it by 50 %.
    fn soft(material: i32, emotion: bool) -> Duration {
        let from = if material < 0 { 99_999 } else { -100_000 };
        let text = format!(
            "[perception]\nmaterial = {{ from = {from}, to = {} }}\n[feeling]\ntime = 50\n",
            from + 1
        );
        let profile = Profile::from_text(&text, "time.toml").unwrap();
        let options = Options { emotion, ..Options::default() };
        let mut engine = Engine::new(profile, options).unwrap();
        let minute = Clock { left: Duration::from_mins(1), increment: Duration::ZERO };
        let limits =
            Limits { clock: Some(ByColor { white: minute, black: minute }), ..Limits::default() };
        let prepared = engine.prepare(&Game::default(), &limits, &Signals::default(), &mut Silent);
        assert_eq!(prepared.1.is_some(), emotion);
        prepared.0.budget().soft.unwrap()
    }

    #[test]
    fn fear_extends_the_thinking_time_and_relief_shortens_it() {
        let usual = soft(-1, false);
        assert_eq!(usual, soft(1, false));
        assert!(soft(-1, true) > usual && usual > soft(1, true));
    }
}
