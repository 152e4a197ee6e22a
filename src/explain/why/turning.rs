//! What is played at other intensities of the same feeling, and with other single factors: found by
//! searching with each, so it holds where the ends of two lines do not tell what decides.

use super::{WhyError, line};
use crate::{
    explain::feeling::Feeling,
    mind::{
        Mind, appraisal::Appraisal, channels::Leaning, fcm::Settling, goal::Goal, knob::Knob,
        relevance::Ratios,
    },
    search::root::limits::Limits,
};
use shakmaty::Move;

/// Intensities are tried in no more steps than these between 0 and 1.
const FINEST: u16 = 8;

/// A single factor is moved by so much, the least first.
pub(super) const CHANGES: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.8];

/// The least change of the intensity with which a search of the whole position turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turning {
    /// Intensities are tried in steps of one in so many.
    pub steps: u16,
    /// The intensity, and the move played with it; none if no step does.
    pub found: Option<(f64, Move)>,
}

/// What `mind` makes of another intensity under the same goal.
pub(super) fn felt_at(mind: &Mind, goal: Option<Goal>, intensity: f64) -> (Ratios, Leaning) {
    (mind.relevance.ratios(goal, intensity, 100), mind.channels.under(intensity, 100))
}

impl Turning {
    /// Searches with ever more different intensities until the choice `is_turned`; none if the map
    /// comes to no rest.
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
        let mut tried = vec![(appraisal.ratios, appraisal.leaning)];
        for intensity in outwards(appraisal.intensity, steps) {
            let felt = felt_at(mind, appraisal.goal, intensity);
            // what is felt alike is played alike
            if tried.contains(&felt) {
                continue;
            }
            tried.push(felt);
            let (ratios, leaning) = felt;
            let other = Appraisal { ratios, leaning, ..appraisal.clone() };
            let choice = line::choice(&feeling.game, &feeling.profile, &other, limits)?;
            if is_turned(choice) {
                return Ok(Some(Self { steps, found: Some((intensity, choice)) }));
            }
        }
        Ok(Some(Self { steps, found: None }))
    }
}

/// The least of the [`CHANGES`] of one factor with which a search of the whole position turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FactorTurning {
    /// So many changes were searched with.
    pub tried: usize,
    /// The factor, where it stands, where it turns the choice, and the move played with it; none if
    /// no change does.
    pub found: Option<(Knob, [f64; 2], Move)>,
}

impl FactorTurning {
    /// Searches with each factor moved ever farther within the profile's bounds, first the way that
    /// `ways` tells, then the other, until the choice `is_turned`.
    pub(super) fn of(
        feeling: &Feeling,
        limits: &Limits,
        ways: &[(Knob, f64)],
        is_turned: impl Fn(Move) -> bool,
    ) -> Result<Self, WhyError> {
        let (table, appraisal) = (&feeling.profile.mind.relevance, &feeling.appraisal);
        let (floor, ceiling) = (table.floor.unwrap_or(f64::MIN), table.ceiling.unwrap_or(f64::MAX));
        let mut tried = 0;
        for by in CHANGES {
            for (knob, way) in ways {
                let from = knob.of(&appraisal.ratios);
                for to in [from + way * by, from - way * by] {
                    // a hair of tolerance: a step onto a bound
                    if to < floor - 1e-9 || to > ceiling + 1e-9 {
                        continue;
                    }
                    let mut other = appraisal.clone();
                    knob.turn(&mut other.ratios, to);
                    let plays = line::choice(&feeling.game, &feeling.profile, &other, limits)?;
                    tried += 1;
                    if is_turned(plays) {
                        return Ok(Self { tried, found: Some((*knob, [from, to], plays)) });
                    }
                }
            }
        }
        Ok(Self { tried, found: None })
    }
}

/// In so many steps of those that a profile knows as are not too many; each can be felt.
fn grid(known: Option<u16>) -> u16 {
    let known = known.unwrap_or(FINEST);
    (1..=FINEST).rev().find(|steps| known.is_multiple_of(*steps)).unwrap_or(1)
}

/// The multiples of 1/`steps` from -1 to 1 but `from`, the nearest first.
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
    fn the_steps_are_among_those_that_can_be_felt() {
        let grids = [None, Some(4), Some(8), Some(10), Some(11), Some(1000)].map(grid);
        assert_eq!(grids, [8, 4, 8, 5, 1, 8]);
    }

    #[test]
    fn the_nearest_intensities_come_first() {
        assert_eq!(outwards(0.5, 2), [0.0, 1.0, -0.5, -1.0]);
        assert_eq!(outwards(0.3, 1), [0.0, 1.0, -1.0]);
    }
}
