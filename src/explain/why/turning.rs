//! Finds the nearest intensity and the smallest change of one factor that lead to another answer,
//! by searching with each candidate.
//!
//! This works even if the evaluation at the ends of two lines does not explain the choice.

use super::{WhyError, line};
use crate::{
    chess_mind::{Appraisal, Goal, Mind, Ratios, SideGroup},
    explain::feeling::Feeling,
    mind::{channels::ChannelEffects, fcm::Settling},
    search::root::limits::Limits,
};
use shakmaty::Move;

/// Maximum number of intensity steps between 0 and 1.
const FINEST: u16 = 8;

/// Changes of a single factor, smallest first.
pub(super) const CHANGES: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.8];

/// The smallest change of the intensity that changes the answer of a full search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turning {
    /// Number of intensity steps between 0 and 1.
    pub steps: u16,
    /// The intensity and the move played with it, or `None` if no step changes the answer.
    pub found: Option<(f64, Move)>,
}

/// Returns the factors and other effects of another intensity under the same goal.
pub(super) fn felt_at(mind: &Mind, goal: Option<Goal>, intensity: f64) -> (Ratios, ChannelEffects) {
    (mind.relevance.ratios(goal, intensity, 100), mind.channels.under(intensity, 100))
}

impl Turning {
    /// Searches with intensities ever farther from the current one until a choice satisfies
    /// `is_turned`. Returns `None` if the map does not settle.
    pub(super) fn of(
        feeling: &Feeling,
        limits: &Limits,
        is_turned: impl Fn(Move) -> bool,
    ) -> Result<Option<Self>, WhyError> {
        let (mind, appraisal) = (&feeling.profile.mind, &feeling.appraisal);
        if appraisal.settling == Settling::Unsettled {
            return Ok(None);
        }
        let steps = grid(mind.steps);
        let mut tried = vec![(appraisal.ratios, appraisal.effects)];
        for intensity in outwards(appraisal.intensity, steps) {
            let felt = felt_at(mind, appraisal.goal, intensity);
            // equal effects lead to equal searches
            if tried.contains(&felt) {
                continue;
            }
            tried.push(felt);
            let (ratios, effects) = felt;
            let other = Appraisal { ratios, effects, ..appraisal.clone() };
            let choice = line::choice(feeling, &other, limits)?;
            if is_turned(choice) {
                return Ok(Some(Self { steps, found: Some((intensity, choice)) }));
            }
        }
        Ok(Some(Self { steps, found: None }))
    }
}

/// The smallest of the [`CHANGES`] of one factor that changes the answer of a full search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FactorTurning {
    /// Number of searches.
    pub tried: usize,
    /// The factor, its current and its changed value, and the move played with the latter. It is
    /// `None` if no change leads to another answer.
    pub found: Option<(SideGroup, [f64; 2], Move)>,
}

impl FactorTurning {
    /// Searches with each factor moved ever farther within the profile's bounds until a choice
    /// satisfies `is_turned`. The direction in `ways` is tried first, then the opposite one.
    pub(super) fn of(
        feeling: &Feeling,
        limits: &Limits,
        ways: &[(SideGroup, f64)],
        is_turned: impl Fn(Move) -> bool,
    ) -> Result<Self, WhyError> {
        let (table, appraisal) = (&feeling.profile.mind.relevance, &feeling.appraisal);
        let (floor, ceiling) = (table.floor.unwrap_or(f64::MIN), table.ceiling.unwrap_or(f64::MAX));
        let mut tried = 0;
        for by in CHANGES {
            for (side_group, way) in ways {
                let from = side_group.of(&appraisal.ratios);
                for to in [from + way * by, from - way * by] {
                    // tolerate rounding errors: a step may end exactly on a bound
                    if to < floor - 1e-9 || to > ceiling + 1e-9 {
                        continue;
                    }
                    let mut other = appraisal.clone();
                    side_group.turn(&mut other.ratios, to);
                    let plays = line::choice(feeling, &other, limits)?;
                    tried += 1;
                    if is_turned(plays) {
                        return Ok(Self { tried, found: Some((*side_group, [from, to], plays)) });
                    }
                }
            }
        }
        Ok(Self { tried, found: None })
    }
}

/// Returns the largest number of steps, up to [`FINEST`], that divides the profile's number of
/// steps, so that the profile can feel every step.
fn grid(profile_steps: Option<u16>) -> u16 {
    let profile_steps = profile_steps.unwrap_or(FINEST);
    (1..=FINEST).rev().find(|steps| profile_steps.is_multiple_of(*steps)).unwrap_or(1)
}

/// Returns the multiples of 1/`steps` from -1 to 1, except `from`, nearest first.
fn outwards(from: f64, steps: u16) -> Vec<f64> {
    let steps = i32::from(steps);
    let all = (-steps..=steps).map(|number| f64::from(number) / f64::from(steps));
    let mut all: Vec<_> = all.filter(|at| (at - from).abs() > 1e-9).collect();
    all.sort_by(|a, b| (a - from).abs().total_cmp(&(b - from).abs()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_the_grid_can_be_felt() {
        let grids = [None, Some(4), Some(8), Some(10), Some(11), Some(1000)].map(grid);
        assert_eq!(grids, [8, 4, 8, 5, 1, 8]);
    }

    #[test]
    fn the_nearest_intensities_come_first() {
        assert_eq!(outwards(0.5, 2), [0.0, 1.0, -0.5, -1.0]);
        assert_eq!(outwards(0.3, 1), [0.0, 1.0, -1.0]);
    }
}
