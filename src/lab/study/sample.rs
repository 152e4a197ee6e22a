//! Selects the observations of each model, and counts moves by goal.

use super::{
    MOST_CENTIPAWNS,
    judge::BLUNDER,
    observation::{ClockState, Observation},
};
use crate::{
    chess::{score::Score, win_chance::win_chance},
    chess_mind::Goal,
};
use std::collections::BTreeSet;

/// A move that took less than half a second counts as one without thought.
const INSTANT: f32 = 0.5;

/// Returns whether a move lost at least 15 points of winning chance.
pub(super) fn is_blunder(one: &Observation) -> bool {
    one.loss.is_some_and(|loss| f64::from(loss) >= BLUNDER)
}

/// Returns quiet moves with all quantities of the blunder model, made in positions where a blunder is
/// possible: the winning chance is at least 15 points above the smallest one.
pub(super) fn for_blunders(all: &[Observation]) -> Vec<&Observation> {
    let lost = win_chance(Score::cp(i32::from(-MOST_CENTIPAWNS)));
    let is_possible = |one: &&Observation| f64::from(one.chance) >= lost + BLUNDER;
    let is_complete = |one: &&Observation| one.loss.is_some() && is_described(one);
    all.iter().filter(is_complete).filter(is_possible).collect()
}

/// Returns quiet moves with the time used for them and for the two moves before.
pub(super) fn for_times(all: &[Observation]) -> Vec<&Observation> {
    let is_timed = |one: &&Observation| {
        one.clock.is_some_and(|clock| {
            clock.used.is_some() && clock.own_last.is_some() && clock.their_last.is_some()
        })
    };
    all.iter().filter(|one| is_described(one)).filter(is_timed).collect()
}

/// Returns all moves, quiet or not, of games that ended by resignation.
pub(super) fn for_resignations(all: &[Observation]) -> Vec<&Observation> {
    all.iter().filter(|one| one.resigns.is_some()).collect()
}

fn is_described(one: &Observation) -> bool {
    one.is_quiet && one.slip.is_some() && one.difficulty.is_some()
}

/// Returns the time used for a move in seconds, or 0 if it is shorter than half a second.
pub(super) fn time(one: &Observation) -> f64 {
    let used = one.clock.and_then(|clock: ClockState| clock.used).unwrap_or(0.0);
    if used < INSTANT { 0.0 } else { used.into() }
}

/// Returns the moves with a clock if at least half of them have one, and whether that is so.
pub(super) fn with_clocks(sample: Vec<&Observation>) -> (Vec<&Observation>, bool) {
    let timed = sample.iter().filter(|one| one.clock.is_some()).count();
    if timed == 0 || 2 * timed < sample.len() {
        return (sample, false);
    }
    (sample.into_iter().filter(|one| one.clock.is_some()).collect(), true)
}

/// The size of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub moves: usize,
    /// Number of moves with the outcome that the model is about.
    pub events: usize,
    pub games: usize,
    pub players: usize,
}

impl Sizes {
    pub(super) fn of(sample: &[&Observation], is_event: impl Fn(&Observation) -> bool) -> Self {
        let distinct = |id: fn(&Observation) -> u32| {
            sample.iter().map(|one| id(one)).collect::<BTreeSet<_>>().len()
        };
        Self {
            moves: sample.len(),
            events: sample.iter().filter(|one| is_event(one)).count(),
            games: distinct(|one| one.game),
            players: distinct(|one| one.player),
        }
    }
}

/// How often a goal was active in the blunder sample.
#[derive(Clone, Debug)]
pub(super) struct GoalCount {
    pub name: &'static str,
    pub moves: usize,
    pub blunders: usize,
    /// Mean emotion.
    pub felt: f64,
}

/// Counts moves and blunders by goal, as a description without a test.
pub(super) fn goals(all: &[Observation]) -> Vec<GoalCount> {
    let sample = for_blunders(all);
    let count = |goal: Option<Goal>| {
        let of: Vec<_> = sample.iter().filter(|one| one.goal == goal).collect();
        let felt: f64 = of.iter().map(|one| f64::from(one.felt)).sum();
        GoalCount {
            name: goal.map_or("none", Goal::name),
            moves: of.len(),
            blunders: of.iter().filter(|one| is_blunder(one)).count(),
            felt: felt / of.len().max(1) as f64,
        }
    };
    let goals = Goal::ALL.into_iter().map(Some).chain([None]);
    goals.map(count).filter(|count| count.moves > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::study::tests::observation;

    fn clock(used: Option<f32>) -> ClockState {
        let last = Some(1.0);
        ClockState {
            left: 60.0,
            used,
            own_last: last,
            their_last: last,
            base: 60.0,
            increment: 0.0,
        }
    }

    #[test]
    fn blunders_need_a_chance_to_lose() {
        let all = [
            observation(),
            Observation { loss: Some(15.0), ..observation() },
            Observation { loss: None, ..observation() },
            Observation { is_quiet: false, ..observation() },
            Observation { slip: None, ..observation() },
            Observation { difficulty: None, ..observation() },
            Observation { chance: 17.4, ..observation() },
            Observation { chance: 17.5, loss: Some(14.9), ..observation() },
        ];
        let sample = for_blunders(&all);
        let sizes = Sizes::of(&sample, is_blunder);
        assert_eq!(sizes, Sizes { moves: 3, events: 1, games: 1, players: 1 });
        let goals = goals(&all);
        assert_eq!((goals.len(), goals[0].name, goals[0].blunders), (1, "none", 1));
    }

    #[test]
    fn times_need_three_clocks_and_resignations_a_known_ending() {
        let timed = |used| Observation { clock: Some(clock(used)), ..observation() };
        let resigned = Observation { resigns: Some(true), is_quiet: false, ..observation() };
        let all = [timed(Some(0.4)), timed(Some(2.0)), timed(None), observation(), resigned];
        let seconds: Vec<_> = for_times(&all).into_iter().map(time).collect();
        assert_eq!(seconds, [0.0, 2.0]);
        assert_eq!(for_resignations(&all).len(), 1);
        let (kept, is_timed) = with_clocks(all.iter().collect());
        assert_eq!((kept.len(), is_timed), (3, true));
        let (kept, is_timed) = with_clocks(all[2..].iter().collect());
        assert_eq!((kept.len(), is_timed), (3, false));
    }
}
