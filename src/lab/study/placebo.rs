//! Tests the hypothesis H5: the emotion says more about errors than its inputs do, and the map says
//! more than maps with shuffled weights.
//!
//! Players are split into five parts. A model of blunders is fitted to four parts and tested on the
//! fifth, with the emotion and without it. The four measures and all other controls are in both
//! models. The same is done with the emotion of maps whose links keep their places but exchange
//! their weights.

use super::{
    covariate::{Covariate, EMOTION, table},
    findings::Rank,
    fit::{
        Table,
        logit::{self, odds},
    },
    hypotheses::{blunder_columns, large_enough},
    observation::{INPUTS, Observation},
    sample::{for_blunders, is_blunder, with_clocks},
    units::Units,
};
use crate::{
    chess::wdl::logistic,
    chess_mind::Mind,
    mind::{concept::Concept, fcm::Activation},
    support::random::{Random, mixed},
};
use nalgebra::DVector;
use rayon::prelude::*;

/// Number of parts that the players are split into.
const PARTS: usize = 5;
/// Number of bins of the calibration curve.
const BINS: usize = 10;
/// Attempts to shuffle a map that settles, per map.
const ATTEMPTS: usize = 50;

/// A bin of the calibration curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bin {
    /// Mean predicted share of blunders.
    pub predicted: f64,
    /// Observed share of blunders.
    pub observed: f64,
    pub moves: usize,
}

/// A table of the blunder model, with relief and fear in its last two columns.
struct Model {
    table: Table,
    /// The part of each row.
    parts: Vec<usize>,
    /// The perceived activations of each row, in the order of the table.
    perceived: Vec<[f32; 4]>,
    /// For each part, the coefficients without emotion and the likelihood on that part.
    without: Vec<(DVector<f64>, f64)>,
}

/// Ranks the map of `mind` among maps with shuffled weights.
pub(super) fn rank(
    all: &[Observation],
    units: &Units,
    mind: &Mind,
    placebos: usize,
    seed: u64,
) -> Result<Rank, String> {
    let (sample, is_timed) = with_clocks(for_blunders(all));
    let sizes = large_enough(&sample, "blunders", is_blunder)?;
    let maps = shuffled(mind, placebos, seed);
    if maps.is_empty() {
        return Err("the weights of the map cannot be shuffled".into());
    }
    let model = Model::new(sample, units, is_timed, seed)?;
    let gains: Vec<f64> = maps.par_iter().map(|map| model.gain(map)).collect();
    let (ours, parts) = (model.gain(mind), model.parts_of_gain(mind));
    let better = gains.iter().filter(|gain| **gain >= ours).count();
    Ok(Rank {
        gain: ours,
        parts,
        placebos: gains,
        p: (1 + better) as f64 / (1 + maps.len()) as f64,
        sizes,
        calibration: model.calibration(mind),
    })
}

/// Returns maps in which the links that act have exchanged their weights. Like a map of a profile,
/// each settles from every perception, and none equals the original.
fn shuffled(mind: &Mind, number: usize, seed: u64) -> Vec<Mind> {
    let acts = |to: usize| !mind.held[to] && mind.fixed[to].is_none();
    let links: Vec<_> = mind.map.links().filter(|link| acts(link.to)).collect();
    let mut random = Random::new(seed);
    let mut maps = Vec::new();
    for _ in 0..number * ATTEMPTS {
        if maps.len() == number {
            break;
        }
        let mut weights: Vec<f64> = links.iter().map(|link| link.weight).collect();
        random.shuffle(&mut weights);
        let mut other = mind.clone();
        for (link, weight) in links.iter().zip(weights) {
            other.map.influence[(link.to, link.from)] = weight;
        }
        if other != *mind && other.first_unsettled().is_none() {
            maps.push(other);
        }
    }
    maps
}

/// Returns the emotion of a map, before rounding.
fn felt(mind: &Mind, perceived: &[f32; 4]) -> f64 {
    let mut start: Activation<{ Concept::COUNT }> = Activation::zeros();
    for (concept, value) in INPUTS.into_iter().zip(perceived) {
        start[concept as usize] = f64::from(*value);
    }
    let (settled, settling) = mind.settle(&start);
    settling.trusted(settled[Concept::Relief as usize])
}

impl Model {
    fn new(
        mut sample: Vec<&Observation>,
        units: &Units,
        is_timed: bool,
        seed: u64,
    ) -> Result<Self, String> {
        // the table sorts by unit, and the perceptions must keep its order
        sample.sort_by_key(|one| units.unit(one));
        let groups = [&blunder_columns(is_timed)[..], &[EMOTION]].concat();
        let blunder = |one: &Observation| f64::from(u8::from(is_blunder(one)));
        let table = table(&sample, &groups, units, blunder);
        if !table.names.ends_with(&[Covariate::Relief.name(), Covariate::Fear.name()]) {
            return Err("relief or fear is constant".into());
        }
        let part = |cluster: &u32| (mixed(seed ^ u64::from(*cluster)) % PARTS as u64) as usize;
        let parts = table.clusters.iter().map(part).collect();
        let perceived = sample.iter().map(|one| one.perceived).collect();
        let mut model = Self { table, parts, perceived, without: Vec::new() };
        let width = model.table.width() - EMOTION.len();
        let plain = |at: usize| &model.table.row(at)[..width];
        let fits = (0..PARTS).into_par_iter().map(|part| {
            let fit = logit::fit(&model.rows(part, false, plain), &DVector::zeros(width));
            let likelihood = logit::likelihood(model.rows(part, true, plain), &fit);
            (fit, likelihood)
        });
        model.without = fits.collect();
        Ok(model)
    }

    /// Returns the rows outside `part`, or, if `is_test`, those in it, as `row` gives them.
    fn rows<'c>(
        &'c self,
        part: usize,
        is_test: bool,
        row: impl Fn(usize) -> &'c [f64] + Clone,
    ) -> impl Iterator<Item = (&'c [f64], f64)> + Clone {
        let chosen = move |at: &usize| (self.parts[*at] == part) == is_test;
        (0..self.table.len()).filter(chosen).map(move |at| (row(at), self.table.outcomes[at]))
    }

    /// Returns all rows with the emotion of `mind` in the last two columns.
    fn cells(&self, mind: &Mind) -> Vec<f64> {
        let width = self.table.width();
        let mut cells = Vec::with_capacity(self.table.len() * width);
        for (at, perceived) in self.perceived.iter().enumerate() {
            let felt = felt(mind, perceived);
            cells.extend_from_slice(&self.table.row(at)[..width - EMOTION.len()]);
            cells.extend([felt.max(0.0), (-felt).max(0.0)]);
        }
        cells
    }

    /// Returns, for each part, the coefficients fitted to the other parts.
    fn fits(&self, cells: &[f64]) -> Vec<DVector<f64>> {
        let width = self.table.width();
        let row = |at: usize| &cells[at * width..(at + 1) * width];
        let starts = self.without.iter().enumerate();
        starts
            .map(|(part, (without, _))| {
                let start = without.clone().resize_vertically(width, 0.0);
                logit::fit(&self.rows(part, false, row), &start)
            })
            .collect()
    }

    /// Returns by how much the emotion of `mind` raises the held-out likelihood of each part, in nats.
    fn parts_of_gain(&self, mind: &Mind) -> Vec<f64> {
        let cells = self.cells(mind);
        let width = self.table.width();
        let row = |at: usize| &cells[at * width..(at + 1) * width];
        let each = self.fits(&cells).into_iter().zip(&self.without).enumerate();
        each.map(|(part, (fit, (_, without)))| {
            logit::likelihood(self.rows(part, true, row), &fit) - without
        })
        .collect()
    }

    /// Returns the gain of all parts together.
    fn gain(&self, mind: &Mind) -> f64 {
        self.parts_of_gain(mind).into_iter().sum()
    }

    /// Returns predicted and observed shares of blunders, on held-out players, in bins of equal size.
    fn calibration(&self, mind: &Mind) -> Vec<Bin> {
        let cells = self.cells(mind);
        let width = self.table.width();
        let fits = self.fits(&cells);
        let predict = |at: usize| {
            let row = &cells[at * width..(at + 1) * width];
            (logistic(odds(row, &fits[self.parts[at]])), self.table.outcomes[at])
        };
        let mut predicted: Vec<_> = (0..self.table.len()).map(predict).collect();
        predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let size = predicted.len().div_ceil(BINS).max(1);
        let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| {
            values.sum::<f64>() / count as f64
        };
        predicted
            .chunks(size)
            .map(|bin| Bin {
                predicted: mean(&mut bin.iter().map(|one| one.0), bin.len()),
                observed: mean(&mut bin.iter().map(|one| one.1), bin.len()),
                moves: bin.len(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lab::study::tests::observation, profile::Profile};

    fn mind() -> Mind {
        Profile::builtin("standard").unwrap().mind
    }

    /// Simulates moves that are blunders more often in relief, as `mind` feels it.
    fn simulated(mind: &Mind, effect: f64) -> Vec<Observation> {
        let mut random = Random::new(9);
        let mut all = Vec::new();
        for player in 0..80 {
            for _ in 0..120 {
                let mut any = || (2.0 * random.unit() - 1.0) as f32;
                let perceived = [any() / 2.0, any() / 2.0, any(), any() / 4.0];
                let felt = felt(mind, &perceived);
                let odds = -2.0 + effect * felt.max(0.0);
                let blunders = random.unit() < 1.0 / (1.0 + libm::exp(-odds));
                let loss = Some(if blunders { 20.0 } else { 0.0 });
                let felt = felt as f32;
                all.push(Observation { player, perceived, felt, loss, ..observation() });
            }
        }
        all
    }

    #[test]
    fn shuffled_maps_keep_the_weights_but_not_their_places() {
        let mind = mind();
        let maps = shuffled(&mind, 5, 3);
        assert_eq!(maps.len(), 5);
        assert_eq!(maps, shuffled(&mind, 5, 3));
        assert_ne!(maps[0], maps[1]);
        let weights = |mind: &Mind| {
            let mut weights: Vec<_> = mind.map.links().map(|link| link.weight).collect();
            weights.sort_by(f64::total_cmp);
            weights
        };
        for map in &maps {
            assert_ne!(*map, mind);
            assert_eq!(weights(map), weights(&mind));
        }
    }

    #[test]
    fn a_map_that_made_the_errors_beats_shuffled_maps() {
        let mind = mind();
        let all = simulated(&mind, 3.0);
        let rank = rank(&all, &Units::default(), &mind, 30, 1).unwrap();
        assert!(rank.gain > 20.0 && rank.p < 0.1, "{rank:?}");
        assert_eq!((rank.placebos.len(), rank.parts.len()), (30, PARTS));
        assert_eq!(rank.calibration.len(), BINS);
        for bin in &rank.calibration {
            assert!((bin.predicted - bin.observed).abs() < 0.06, "{bin:?}");
        }
    }

    #[test]
    fn an_emotion_without_effect_gains_nothing() {
        let mind = mind();
        let all = simulated(&mind, 0.0);
        let rank = rank(&all, &Units::default(), &mind, 10, 1).unwrap();
        assert!(rank.gain < 3.0, "{rank:?}");
        assert!(super::rank(&all[..10], &Units::default(), &mind, 10, 1).is_err());
    }

    #[test]
    fn the_emotion_is_that_of_the_appraisal() {
        let mind = mind();
        let chess = shakmaty::Chess::default();
        let appraisal = mind.appraise(&chess, shakmaty::Color::White, 100, None);
        let perceived = INPUTS.map(|concept| appraisal.perceived[concept as usize] as f32);
        assert!((felt(&mind, &perceived) - appraisal.felt).abs() < 1e-5);
    }
}
