//! Tests the hypotheses H1 to H4 with regressions.

use super::{
    covariate::{
        CLOCK, Covariate, EMOTION, HURRY, IN_HURRY, LAST_TIMES, MEASURES, SITUATION, STANDING,
        table,
    },
    findings::{Finding, Line, Scale, Tested},
    fit::{Fit, Table, mixed_logit, within},
    observation::Observation,
    sample::{Sizes, for_blunders, for_resignations, for_times, is_blunder, time, with_clocks},
    units::Units,
};

/// Fewer events than this do not allow a test.
const EVENTS: usize = 20;
/// Fewer players than this do not allow a test.
const PLAYERS: usize = 10;

const INTERCEPT: &[Covariate] = &[Covariate::Intercept];
const RATING: &[Covariate] = &[Covariate::Rating];

/// Returns the sizes of a sample, or why it is too small.
pub(super) fn large_enough(
    sample: &[&Observation],
    what: &str,
    is_event: impl Fn(&Observation) -> bool,
) -> Result<Sizes, String> {
    let sizes = Sizes::of(sample, is_event);
    if sizes.events < EVENTS || sizes.moves - sizes.events < EVENTS {
        return Err(format!(
            "{} {what} in {} moves, at least {EVENTS} needed",
            sizes.events, sizes.moves
        ));
    }
    if sizes.players < PLAYERS {
        return Err(format!("{} players, at least {PLAYERS} needed", sizes.players));
    }
    Ok(sizes)
}

/// Returns the groups of columns of the full blunder model.
pub(super) fn blunder_columns(is_timed: bool) -> Vec<&'static [Covariate]> {
    let mut groups = vec![INTERCEPT, SITUATION, MEASURES];
    if is_timed {
        groups.push(CLOCK);
    }
    groups
}

pub(super) fn blunder(one: &Observation) -> f64 {
    f64::from(u8::from(is_blunder(one)))
}

pub(super) fn mixed(table: &Table) -> Result<mixed_logit::MixedFit, String> {
    mixed_logit::fit(table).ok_or_else(|| "the model has no maximum".to_owned())
}

pub(super) fn player_effects(found: &mixed_logit::MixedFit) -> String {
    format!("{} player intercepts, standard deviation {:.2}", found.units, found.deviation)
}

/// Returns the estimate of a column as a line of a table.
pub(super) fn line(
    label: &str,
    scale: Scale,
    fit: &Fit,
    column: Covariate,
) -> Result<Line, String> {
    let estimate = fit.estimate(column.name());
    let estimate = estimate.ok_or_else(|| format!("{} is constant", column.name()))?;
    Ok(Line { label: label.into(), scale, estimate, rows: fit.rows, clusters: fit.clusters })
}

/// H1: relief leads to errors.
pub(super) fn complacency(all: &[Observation], units: &Units) -> Tested {
    let (sample, is_timed) = with_clocks(for_blunders(all));
    let sizes = large_enough(&sample, "blunders", is_blunder)?;
    let groups = blunder_columns(is_timed);
    let full = [&[EMOTION][..], &groups].concat();
    let no_measures: Vec<_> = full.iter().filter(|group| **group != MEASURES).copied().collect();
    let models = [
        ("all controls", full),
        ("without the four measures", no_measures),
        ("rating only", vec![EMOTION, INTERCEPT, RATING]),
    ];
    let mut lines = Vec::new();
    let mut effects = String::new();
    for (number, (controls, groups)) in models.into_iter().enumerate() {
        let found = mixed(&table(&sample, &groups, units, blunder))?;
        if number == 0 {
            effects = player_effects(&found);
        }
        for column in [Covariate::Relief, Covariate::Fear] {
            let label = format!("{}, {controls}", column.name());
            lines.push(line(&label, Scale::Odds, &found.fit, column)?);
        }
    }
    let clock = if is_timed { "with" } else { "without" };
    Ok(Finding {
        p: lines[0].estimate.p(),
        is_as_predicted: lines[0].estimate.value > 0.0,
        lines,
        sizes,
        note: format!("{effects}; {clock} clocks"),
    })
}

/// H2: fear with less than 30 seconds on the clock leads to errors.
pub(super) fn time_trouble(all: &[Observation], units: &Units) -> Tested {
    let (sample, is_timed) = with_clocks(for_blunders(all));
    if !is_timed {
        return Err("the games have no clocks ([%clk])".into());
    }
    large_enough(&sample, "blunders", is_blunder)?;
    let is_hurried = |one: &Observation| one.clock.is_some_and(|clock| clock.left < HURRY);
    let hurried: Vec<_> = sample.iter().filter(|one| is_hurried(one)).copied().collect();
    large_enough(&hurried, "blunders in time trouble", is_blunder)?;
    let groups = [&[EMOTION, IN_HURRY][..], &blunder_columns(true)].concat();
    let found = mixed(&table(&sample, &groups, units, blunder))?;
    let lines = [Covariate::FearInHurry, Covariate::ReliefInHurry, Covariate::Fear]
        .map(|column| line(column.name(), Scale::Odds, &found.fit, column));
    let lines = lines.into_iter().collect::<Result<Vec<_>, _>>()?;
    let sizes = Sizes::of(&sample, is_blunder);
    Ok(Finding {
        p: lines[0].estimate.p(),
        is_as_predicted: lines[0].estimate.value > 0.0,
        lines,
        sizes,
        note: format!("{} moves with less than 30 seconds left", hurried.len()),
    })
}

/// Returns the moves of `sample` that took time, and the size of the sample, or why they are too few
/// for a model with these columns.
pub(super) fn timed_moves<'o>(
    sample: &[&'o Observation],
    columns: &[&[Covariate]],
) -> Result<(Vec<&'o Observation>, Sizes), String> {
    if sample.is_empty() {
        return Err("the games have no clocks ([%clk])".into());
    }
    let took_time = |one: &Observation| time(one) > 0.0;
    let sizes = Sizes::of(sample, took_time);
    let timed: Vec<_> = sample.iter().filter(|one| took_time(one)).copied().collect();
    if sizes.players < PLAYERS || timed.len() < 10 * columns.concat().len() {
        return Err(format!("{} timed moves of {} players", timed.len(), sizes.players));
    }
    Ok((timed, sizes))
}

/// H3: relief leads to longer thought, fear to shorter.
///
/// Both halves must hold, so the p-value is the larger of the two. Moves of less than half a second
/// have a model of their own.
pub(super) fn thought(all: &[Observation], units: &Units) -> Tested {
    let sample = for_times(all);
    let columns = [EMOTION, SITUATION, MEASURES, CLOCK, LAST_TIMES];
    let (timed, sizes) = timed_moves(&sample, &columns)?;
    let logarithm = |one: &Observation| libm::log(time(one));
    let found = within::fit(&table(&timed, &columns, units, logarithm));
    let found = found.ok_or("too few moves per player")?;
    let both = [Covariate::Relief, Covariate::Fear];
    let mut lines = Vec::new();
    for column in both {
        let label = format!("{}, time", column.name());
        lines.push(line(&label, Scale::Time, &found, column)?);
    }
    let instant = |one: &Observation| f64::from(u8::from(time(one) <= 0.0));
    let hurdle = table(&sample, &[&[INTERCEPT][..], &columns].concat(), units, instant);
    if let Some(hurdle) = mixed_logit::fit(&hurdle) {
        for column in both {
            let label = format!("{}, no time", column.name());
            lines.push(line(&label, Scale::Odds, &hurdle.fit, column)?);
        }
    }
    let (relief, fear) = (lines[0].estimate, lines[1].estimate);
    let instant = sample.len() - timed.len();
    Ok(Finding {
        p: relief.p().max(fear.p()),
        is_as_predicted: relief.value > 0.0 && fear.value < 0.0,
        lines,
        sizes,
        note: format!("{instant} moves took less than half a second"),
    })
}

/// H4: fear predicts resignation.
pub(super) fn resignation(all: &[Observation], units: &Units) -> Tested {
    let (sample, is_timed) = with_clocks(for_resignations(all));
    let resigns = |one: &Observation| one.resigns == Some(true);
    let sizes = large_enough(&sample, "resignations", resigns)?;
    let mut groups = vec![EMOTION, INTERCEPT, STANDING, MEASURES];
    if is_timed {
        groups.push(CLOCK);
    }
    let event = |one: &Observation| f64::from(u8::from(resigns(one)));
    let found = mixed(&table(&sample, &groups, units, event))?;
    let lines = [Covariate::Fear, Covariate::Relief]
        .map(|column| line(column.name(), Scale::Odds, &found.fit, column));
    let lines = lines.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Finding {
        p: lines[0].estimate.p(),
        is_as_predicted: lines[0].estimate.value > 0.0,
        lines,
        sizes,
        note: player_effects(&found),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        lab::study::{fit::Estimate, observation::ClockState, tests::observation},
        support::random::Random,
    };

    /// Simulates moves with known effects: relief raises the odds of a blunder and lengthens
    /// thought, fear does so in time trouble, shortens thought, and makes players resign.
    fn simulated(effect: f64) -> Vec<Observation> {
        let mut random = Random::new(4);
        let mut all = Vec::new();
        for player in 0..60 {
            for number in 0..400_u32 {
                let felt = 2.0 * random.unit() - 1.0;
                let (relief, fear) = (felt.max(0.0), (-felt).max(0.0));
                let left: f32 = if random.unit() < 0.4 { 20.0 } else { 100.0 };
                let hurried = f64::from(u8::from(left < HURRY));
                let mut happens = |odds: f64| random.unit() < 1.0 / (1.0 + libm::exp(-odds));
                let blunders = happens(-2.5 + effect * (relief + 2.0 * hurried * fear));
                let resigns = happens(-4.0 + 2.0 * effect * fear);
                let noise = random.unit() + random.unit() + random.unit() - 1.5;
                let used = libm::exp(1.5 + 0.3 * effect * felt + noise);
                let used = if random.unit() < 0.1 { 0.0 } else { used as f32 };
                let mut any = || random.unit() as f32;
                all.push(Observation {
                    player,
                    opponent: 100 + player,
                    game: number / 40,
                    felt: felt as f32,
                    perceived: [any(), any(), any(), any()],
                    chance: 30.0 + 40.0 * any(),
                    loss: Some(if blunders { 20.0 } else { 1.0 }),
                    clock: Some(ClockState {
                        left,
                        used: Some(used),
                        own_last: Some(any()),
                        their_last: Some(any()),
                        base: 180.0,
                        increment: 0.0,
                    }),
                    resigns: Some(resigns),
                    ..observation()
                });
            }
        }
        all
    }

    #[test]
    fn known_effects_are_found() {
        let all = simulated(1.0);
        let units = Units::new(&all, 200);
        let near = |line: &Line, truth: f64| {
            let Estimate { value, error, .. } = line.estimate;
            assert!((value - truth).abs() < 3.0 * error && error < 0.4, "{line:?}");
        };
        let h1 = complacency(&all, &units).unwrap();
        assert!(h1.is_as_predicted && h1.p < 0.001 && h1.lines.len() == 6);
        let h2 = time_trouble(&all, &units).unwrap();
        near(&h2.lines[0], 2.0);
        assert!(h2.is_as_predicted && h2.p < 0.001);
        let h3 = thought(&all, &units).unwrap();
        near(&h3.lines[0], 0.3);
        near(&h3.lines[1], -0.3);
        assert!(h3.is_as_predicted && h3.p < 0.001 && h3.lines.len() == 4);
        let h4 = resignation(&all, &units).unwrap();
        near(&h4.lines[0], 2.0);
        assert!(h4.is_as_predicted && h4.p < 0.001);
    }

    #[test]
    fn no_effect_is_found_where_there_is_none() {
        let all = simulated(0.0);
        let units = Units::new(&all, 200);
        for test in [complacency, time_trouble, thought, resignation] {
            let finding = test(&all, &units).unwrap();
            assert!(finding.p > 0.01, "{finding:?}");
        }
    }

    #[test]
    fn a_missing_quantity_is_the_reason_for_no_test() {
        let all: Vec<_> = simulated(0.0)
            .into_iter()
            .map(|one| Observation { clock: None, resigns: None, ..one })
            .collect();
        let units = Units::new(&all, 200);
        assert!(complacency(&all, &units).is_ok());
        assert!(time_trouble(&all, &units).unwrap_err().contains("no clocks"));
        assert!(thought(&all, &units).unwrap_err().contains("no clocks"));
        assert_eq!(
            resignation(&all, &units).unwrap_err(),
            "0 resignations in 0 moves, at least 20 needed"
        );
        assert!(complacency(&all[..400], &units).unwrap_err().contains("1 players"));
    }
}
