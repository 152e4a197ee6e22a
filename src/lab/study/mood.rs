//! Explores whether feelings carry over from turn to turn: whether the mood of a player's earlier turns
//! predicts conduct beyond the present emotion. Not one of the five hypotheses, and not corrected.

use super::{
    covariate::{CLOCK, Covariate, EARLIER, EMOTION, LAST_TIMES, MEASURES, SITUATION, table},
    findings::{Finding, Line, Scale, Tested},
    fit::{Fit, within},
    hypotheses::{
        blunder, blunder_columns, large_enough, line, mixed, player_effects, timed_moves,
    },
    observation::Observation,
    sample::{Sizes, for_blunders, for_times, is_blunder, time, with_clocks},
    units::Units,
};

/// What is explored, in the order of [`explore`].
pub(super) const STATEMENTS: [&str; 2] =
    ["earlier fear leads to errors", "earlier fear leads to longer thought"];

/// Returns what the data say about each of [`STATEMENTS`].
pub(super) fn explore(all: &[Observation], units: &Units) -> [Tested; 2] {
    [errors(all, units), thought(all, units)]
}

fn errors(all: &[Observation], units: &Units) -> Tested {
    let (sample, is_timed) = with_clocks(for_blunders(all));
    let sample = with_last_move(sample);
    let sizes = large_enough(&sample, "blunders", is_blunder)?;
    let groups = [&[EARLIER, EMOTION][..], &blunder_columns(is_timed)].concat();
    let found = mixed(&table(&sample, &groups, units, blunder))?;
    finding(&found.fit, Scale::Odds, sizes, player_effects(&found))
}

fn thought(all: &[Observation], units: &Units) -> Tested {
    let sample = with_last_move(for_times(all));
    let groups = [EARLIER, EMOTION, SITUATION, MEASURES, CLOCK, LAST_TIMES];
    let (timed, sizes) = timed_moves(&sample, &groups)?;
    let logarithm = |one: &Observation| libm::log(time(one));
    let found = within::fit(&table(&timed, &groups, units, logarithm));
    let found = found.ok_or("too few moves per player")?;
    finding(&found, Scale::Time, sizes, String::new())
}

/// Returns the moves of players whose own last move was judged.
fn with_last_move(sample: Vec<&Observation>) -> Vec<&Observation> {
    sample.into_iter().filter(|one| one.own_slip.is_some()).collect()
}

/// Returns the estimates of what carries over, and of the present emotion beside them.
fn finding(fit: &Fit, scale: Scale, sizes: Sizes, note: String) -> Tested {
    use Covariate::{EarlierFear, EarlierRelief, Fear, OwnSlip, Relief};
    let lines = [EarlierFear, EarlierRelief, OwnSlip, Fear, Relief];
    let lines = lines.map(|column| line(column.name(), scale, fit, column));
    let lines = lines.into_iter().collect::<Result<Vec<Line>, _>>()?;
    let fear = lines[0].estimate;
    Ok(Finding { p: fear.p(), is_as_predicted: fear.value > 0.0, lines, sizes, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        lab::study::{observation::ClockState, tests::observation},
        support::random::Random,
    };

    /// Simulates moves whose errors and times depend on the mood, and not on the present emotion.
    fn simulated(effect: f64) -> Vec<Observation> {
        let mut random = Random::new(9);
        let mut all = Vec::new();
        for number in 0..24_000_u32 {
            let mut signed = || (2.0 * random.unit() - 1.0) as f32;
            let (felt, mood, perceived) = (signed(), signed(), [(); 4].map(|()| signed()));
            let earlier_fear = f64::from(-mood).max(0.0);
            let blunders =
                random.unit() < 1.0 / (1.0 + libm::exp(2.5 - 1.5 * effect * earlier_fear));
            let used = libm::exp(1.5 + 0.4 * effect * earlier_fear + random.unit());
            let mut any = || random.unit() as f32;
            all.push(Observation {
                player: number % 60,
                opponent: 100 + number % 60,
                game: number / 40,
                felt,
                mood,
                perceived,
                chance: 30.0 + 40.0 * any(),
                own_slip: (number % 50 > 0).then(|| 10.0 * any()),
                loss: Some(if blunders { 20.0 } else { 1.0 }),
                clock: Some(ClockState {
                    left: 10.0 + 90.0 * any(),
                    used: Some(used as f32),
                    own_last: Some(any()),
                    their_last: Some(any()),
                    base: 180.0,
                    increment: 0.0,
                }),
                ..observation()
            });
        }
        all
    }

    #[test]
    fn a_mood_that_matters_is_found() {
        let all = simulated(1.0);
        let [errors, times] = explore(&all, &Units::new(&all, 200)).map(Result::unwrap);
        for (finding, truth) in [(errors, 1.5), (times, 0.4)] {
            let fear = finding.lines[0].estimate;
            assert!((fear.value - truth).abs() < 3.0 * fear.error && finding.p < 0.001, "{fear:?}");
            assert!(finding.is_as_predicted);
            assert_eq!(finding.sizes.moves, 23_520, "moves after the first");
        }
    }

    #[test]
    fn no_mood_is_found_where_there_is_none() {
        let all = simulated(0.0);
        for finding in explore(&all, &Units::new(&all, 200)).map(Result::unwrap) {
            assert!(finding.p > 0.01, "{finding:?}");
        }
    }
}
