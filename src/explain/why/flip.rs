//! Finds the smallest change of the intensity, or of one factor, that reverses the preference
//! between two positions.
//!
//! The evaluation is linear in every factor. Every factor is piecewise linear in the intensity ε:
//! it bends at 0 and where it meets its floor or ceiling. So there is a closed form for the point
//! where both positions evaluate the same. The result is checked by evaluating both positions with
//! the changed factors, rounded as in play. The smallest changes are also checked by a search.

use super::{
    end::LineEnd,
    evaluator::{FactorSplit, ProfileEvaluator},
    turning::felt_at,
};
use crate::{
    chess_mind::{Appraisal, Ratios, SideGroup},
    eval::group::Group,
    mind::{channels::ChannelEffects, fcm::Settling},
};
use shakmaty::Move;

/// The bound of factors if the profile has no floor or ceiling, as in play.
const WIDEST: f64 = 64.0;
/// Number of factor steps per unit.
const FACTOR_STEPS: f64 = 256.0;
/// Number of intensity steps per unit if the profile does not round the intensity.
const INTENSITY_STEPS: u16 = 1000;

/// A change that reverses the preference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flip {
    /// The current value.
    pub from: f64,
    /// The computed value at which both positions evaluate the same.
    pub tip: f64,
    /// The first possible value beyond `tip` at which the preference is reversed.
    pub to: f64,
    /// The evaluations of both positions at `to`, in centipawns.
    pub scores: [i32; 2],
    /// The factors and other effects at `to`.
    pub felt: (Ratios, ChannelEffects),
    /// The move that a search at `to` plays, or `None` before that search.
    pub choice: Option<Move>,
}

impl Flip {
    fn size(&self) -> f64 {
        (self.to - self.from).abs()
    }
}

/// All changes that reverse one preference.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flips {
    /// The smallest change of the intensity, or `None` if no intensity reverses the preference.
    pub intensity: Option<Flip>,
    /// Changes of single factors within their bounds, smallest first.
    pub factors: Vec<(SideGroup, Flip)>,
}

/// Number of factor changes that are checked by a search and printed.
pub(super) const SHOWN: usize = 3;

impl Flips {
    /// Checks the changes that will be printed: `choose` searches with the feeling of each.
    pub(super) fn search<E>(
        &mut self,
        choose: impl Fn(Ratios, ChannelEffects) -> Result<Move, E>,
    ) -> Result<(), E> {
        let factors = self.factors.iter_mut().take(SHOWN).map(|(_, flip)| flip);
        for flip in self.intensity.iter_mut().chain(factors) {
            let (ratios, effects) = flip.felt;
            flip.choice = Some(choose(ratios, effects)?);
        }
        Ok(())
    }
}

/// Two positions and their evaluations under the current feeling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub evaluator: ProfileEvaluator<'a>,
    pub appraisal: &'a Appraisal,
    pub ends: [&'a LineEnd; 2],
    pub weighed: [&'a FactorSplit; 2],
}

impl Pair<'_> {
    /// Returns the changes that reverse the preference between the two positions.
    pub(super) fn flips(&self) -> Flips {
        let side_groups = self.evaluator.factors().into_iter().enumerate();
        let mut factors: Vec<_> = side_groups
            .filter_map(|(i, side_group)| {
                self.flip_of_factor(i, side_group).map(|flip| (side_group, flip))
            })
            .collect();
        factors.sort_by(|(_, a), (_, b)| a.size().total_cmp(&b.size()));
        Flips { intensity: self.flip_of_intensity(), factors }
    }

    /// Returns for each factor the direction, 1 or -1, that favours the second position. Factors
    /// with the largest effect come first.
    pub(super) fn ways(&self) -> Vec<(SideGroup, f64)> {
        let side_groups = self.evaluator.factors().into_iter().enumerate();
        let mut levers: Vec<_> =
            side_groups.map(|(i, side_group)| (side_group, self.leverage(i))).collect();
        levers.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
        levers.into_iter().map(|(side_group, leverage)| (side_group, -leverage.signum())).collect()
    }

    /// Returns 1 if the first position is preferred or both are equal, else -1.
    fn preference(&self) -> f64 {
        if self.weighed[0].score >= self.weighed[1].score { 1.0 } else { -1.0 }
    }

    /// Returns by how many centipawns per unit the factor favours the first position.
    fn leverage(&self, index: usize) -> f64 {
        let [first, second] = self.weighed.map(|weighed| weighed.parts[index].unit);
        first - second
    }

    /// Returns the lead of the first position under the current feeling, in centipawns.
    fn lead(&self) -> f64 {
        let total = |weighed: &FactorSplit| {
            f64::from(weighed.draw) + weighed.parts.iter().map(|part| part.value).sum::<f64>()
        };
        total(self.weighed[0]) - total(self.weighed[1])
    }

    fn flip_of_factor(&self, index: usize, side_group: SideGroup) -> Option<Flip> {
        let (ratios, table) = (&self.appraisal.ratios, &self.evaluator.profile.mind.relevance);
        let (lead, leverage, from) = (self.lead(), self.leverage(index), side_group.of(ratios));
        let linear = |ratio: f64| lead + (ratio - from) * leverage;
        let bounds = [table.floor.unwrap_or(-WIDEST), table.ceiling.unwrap_or(WIDEST)];
        self.smallest(&bounds.map(|bound| vec![from, bound]), FACTOR_STEPS, linear, |ratio| {
            let mut turned = *ratios;
            side_group.turn(&mut turned, ratio);
            (turned, self.appraisal.effects)
        })
    }

    fn flip_of_intensity(&self) -> Option<Flip> {
        let (mind, from) = (&self.evaluator.profile.mind, self.appraisal.intensity);
        if self.appraisal.settling == Settling::Unsettled {
            return None;
        }
        let felt = |intensity| felt_at(mind, self.appraisal.goal, intensity);
        // 1 if only the first position is a draw, -1 if only the second is, else 0
        let [first, second] = self.ends.map(|end| i32::from(end.is_draw()));
        let side_groups = self.evaluator.factors();
        let lead = self.lead();
        let linear = |intensity: f64| {
            let (ratios, effects) = felt(intensity);
            let drawn = (first - second) * (effects.draw - self.appraisal.effects.draw);
            let changes = side_groups.iter().enumerate().map(|(i, side_group)| {
                (side_group.of(&ratios) - side_group.of(&self.appraisal.ratios)) * self.leverage(i)
            });
            lead + f64::from(drawn) + changes.sum::<f64>()
        };
        let mut bends = self.bends();
        bends.sort_by(f64::total_cmp);
        let up = std::iter::once(from).chain(bends.iter().copied().filter(|bend| *bend > from));
        let down = bends.iter().rev().copied().filter(|bend| *bend < from);
        let paths = [std::iter::once(from).chain(down).collect(), up.collect()];
        let steps = f64::from(mind.steps.unwrap_or(INTENSITY_STEPS));
        self.smallest(&paths, steps, linear, felt)
    }

    /// Returns the intensities between which every factor is linear.
    fn bends(&self) -> Vec<f64> {
        let mut bends = vec![-1.0, 0.0, 1.0];
        let Some(goal) = self.appraisal.goal else { return bends };
        let table = &self.evaluator.profile.mind.relevance;
        for end in [-1.0, 1.0] {
            let full = table.goals[goal as usize].ratios(end);
            for group in Group::ALL {
                for full in [full.own[group as usize], full.other[group as usize]] {
                    let meets = |bound: f64| end * (bound - 1.0) / (full - 1.0);
                    let bounds = [table.floor, table.ceiling].into_iter().flatten();
                    bends.extend(bounds.map(meets).filter(|at| at * end > 0.0 && at.abs() < 1.0));
                }
            }
        }
        bends
    }

    /// Returns the smaller of the changes along two paths, in multiples of 1/`steps`. `linear`
    /// gives the lead of the first position, which is linear between the points of a path. `felt`
    /// gives the feeling to evaluate with.
    fn smallest(
        &self,
        paths: &[Vec<f64>; 2],
        steps: f64,
        linear: impl Fn(f64) -> f64,
        felt: impl Fn(f64) -> (Ratios, ChannelEffects),
    ) -> Option<Flip> {
        let sign = self.preference();
        let turned = |at: f64| {
            let (ratios, effects) = felt(at);
            let [first, second] =
                self.ends.map(|end| self.evaluator.weigh(end, &ratios, effects.draw));
            let scores = [first?.score, second?.score];
            (sign * f64::from(scores[0] - scores[1]) < 0.0).then_some(scores)
        };
        let along = |path: &Vec<f64>| {
            let (from, bound) = (*path.first()?, *path.last()?);
            let tip = tip(path, |at| sign * linear(at))?;
            let (to, scores) = first_step(from, tip, bound, steps, turned)?;
            Some(Flip { from, tip, to, scores, felt: felt(to), choice: None })
        };
        paths.iter().filter_map(along).min_by(|a, b| a.size().total_cmp(&b.size()))
    }
}

/// Returns where `lead` reaches 0 along `path`. It is linear between the points of the path.
fn tip(path: &[f64], lead: impl Fn(f64) -> f64) -> Option<f64> {
    path.windows(2).find_map(|ends| {
        let (near, far) = (lead(ends[0]), lead(ends[1]));
        (far < 0.0).then(|| {
            let way = if near <= 0.0 { 0.0 } else { near / (near - far) };
            ends[0] + way * (ends[1] - ends[0])
        })
    })
}

/// Returns the first multiple of 1/`steps` from `tip` to `bound` for which `turned` returns scores.
/// Scores are rounded to whole centipawns, so it may lie slightly beyond `tip` or before it.
fn first_step(
    from: f64,
    tip: f64,
    bound: f64,
    steps: f64,
    turned: impl Fn(f64) -> Option<[i32; 2]>,
) -> Option<(f64, [i32; 2])> {
    let way = (bound - from).signum();
    // tolerate rounding errors: bounds and tips may be multiples themselves
    let is_between = |at: f64| (at - from) * way > 1e-9 && (bound - at) * way > -1e-9;
    let at = |number: f64| number / steps;
    let scores = |number: f64| {
        let value = at(number);
        if is_between(value) { turned(value) } else { None }
    };
    let mut number = if way > 0.0 { (tip * steps).ceil() } else { (tip * steps).floor() };
    if !is_between(at(number)) {
        number += way;
    }
    while scores(number).is_none() {
        number += way;
        if !is_between(at(number)) {
            return None;
        }
    }
    while scores(number - way).is_some() {
        number -= way;
    }
    Some((at(number), scores(number)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::game::Game,
        chess_mind::{Goal, GoalRelevance, RelevanceTable},
        eval::measures::Measures,
        profile::{EvaluatorKind, Profile},
    };
    use shakmaty::Color;

    #[test]
    fn the_tip_is_where_the_lead_is_zero() {
        let close = |path: &[f64], lead: &dyn Fn(f64) -> f64, expected: Option<f64>| {
            let found = tip(path, lead);
            assert!(
                found.zip(expected).map_or(found == expected, |(a, b)| (a - b).abs() < 1e-12),
                "{found:?} is not {expected:?}"
            );
        };
        close(&[1.0, 4.0], &|x| 10.0 - 5.0 * x, Some(2.0));
        close(&[1.0, 0.25], &|x| 10.0 - 5.0 * x, None);
        // a bend at 0: flat in relief, falling in fear
        close(&[0.5, 0.0, -1.0], &|x| if x > 0.0 { 3.0 } else { 3.0 + 4.0 * x }, Some(-0.75));
        // equal at first, and any change breaks the tie
        close(&[1.0, 4.0], &|x| 1.0 - x, Some(1.0));
    }

    #[test]
    fn steps_are_tried_starting_at_the_tip() {
        let beyond = |limit: f64| move |at: f64| (at >= limit).then_some([0, 1]);
        assert_eq!(first_step(0.0, 0.3, 1.0, 4.0, beyond(0.3)), Some((0.5, [0, 1])));
        assert_eq!(first_step(0.0, 0.3, 1.0, 4.0, beyond(0.6)), Some((0.75, [0, 1])));
        // rounding reverses the preference one step earlier
        assert_eq!(first_step(0.0, 0.3, 1.0, 4.0, beyond(0.2)), Some((0.25, [0, 1])));
        assert_eq!(first_step(0.0, 0.3, 1.0, 4.0, beyond(1.1)), None);
        assert_eq!(first_step(0.0, 0.0, 1.0, 4.0, beyond(0.0)), Some((0.25, [0, 1])));
        let below = |at: f64| (at <= -0.1).then_some([2, 3]);
        assert_eq!(first_step(0.5, 0.0, -1.0, 4.0, below), Some((-0.25, [2, 3])));
    }

    /// In the first position the king is sheltered and the queen is in a corner. In the second the
    /// king is in the open and the queen has more squares.
    const ENDS: [&str; 2] =
        ["4k3/8/8/8/8/8/PPP5/KQ6 w - - 0 1", "4k3/8/8/8/3Q4/8/PPP5/4K3 w - - 0 1"];

    /// Computes the flips between `ENDS` under the article's measures, starting from intensity 0.
    /// At full relief the goal multiplies mobility by 3. Also returns the mobility factor at which
    /// both positions evaluate the same.
    fn flips(floor: f64, ceiling: f64, steps: Option<u16>) -> (Flips, f64) {
        let mut profile = Profile::builtin("standard").unwrap();
        profile.evaluator = EvaluatorKind::Measures;
        profile.mind.steps = steps;
        let mut relief = Ratios::NEUTRAL;
        relief.own[Group::Mobility as usize] = 3.0;
        let goals = Goal::ALL.map(|_| GoalRelevance::sides(Ratios::NEUTRAL, relief));
        profile.mind.relevance =
            RelevanceTable { goals, floor: Some(floor), ceiling: Some(ceiling) };
        let ends = ENDS.map(|fen| LineEnd { game: Game::from_fen(fen, None).unwrap(), over: None });
        let chess = &ends[0].game.chess;
        let mut appraisal = profile.mind.appraise(chess, Color::White, 100, None);
        (appraisal.intensity, appraisal.ratios) = (0.0, Ratios::NEUTRAL);
        let evaluator = ProfileEvaluator { profile: &profile, side: Color::White, known: None };
        let weighed = ends.each_ref().map(|end| evaluator.weigh(end, &Ratios::NEUTRAL, 0).unwrap());
        let (ends, weighed) = (ends.each_ref(), weighed.each_ref());
        let flips = Pair { evaluator, appraisal: &appraisal, ends, weighed }.flips();
        let [first, second] = ends.map(|end| Measures::of(&end.game.chess, Color::White));
        let points = |measures: &Measures| {
            let points = measures.in_order().map(|quarters| f64::from(quarters) / 4.0);
            (points.iter().sum::<f64>(), points[1])
        };
        let ((first, squares), (second, more_squares)) = (points(&first), points(&second));
        assert!(first > second && more_squares > squares, "{first} {second}");
        // the mobility factor at which both evaluate the same
        (flips, 1.0 + (first - second) / (more_squares - squares))
    }

    fn mobility(flips: &Flips) -> Option<Flip> {
        let is_own = |(side_group, _): &&(SideGroup, Flip)| side_group.name() == "own mobility";
        flips.factors.iter().find(is_own).map(|(_, flip)| *flip)
    }

    #[test]
    fn the_preference_flips_just_beyond_the_closed_form_of_eq_7() {
        let (flips, even) = flips(0.25, 4.0, None);
        assert!(even > 1.0 && even < 3.0, "{even}");
        let factor = mobility(&flips).unwrap();
        assert!((factor.tip - even).abs() < 1e-9 && factor.to > even, "{factor:?}");
        assert!(factor.scores[0] < factor.scores[1], "{factor:?}");
        let intensity = flips.intensity.unwrap();
        assert!((intensity.tip - (even - 1.0) / 2.0).abs() < 1e-9, "{intensity:?}");
        assert!(intensity.to >= intensity.tip && intensity.to < intensity.tip + 0.1);
        assert!(intensity.scores[0] < intensity.scores[1], "{intensity:?}");
    }

    #[test]
    fn no_flip_lies_outside_the_bounds() {
        let (_, even) = flips(0.25, 4.0, None);
        let (flips, _) = flips(1.0, even - 0.01, None);
        assert_eq!((mobility(&flips), flips.intensity), (None, None));
    }

    #[test]
    fn intensity_flips_at_a_step_of_the_profile() {
        let intensity = flips(0.25, 4.0, Some(2)).0.intensity.unwrap();
        assert!([0.5, 1.0].iter().any(|step| (intensity.to - step).abs() < 1e-12), "{intensity:?}");
    }
}
