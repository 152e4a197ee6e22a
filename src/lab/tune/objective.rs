//! What a fit minimises: the error of each position, or of comparisons within a game.
//!
//! A search compares positions that arise from one position. Which of them is better matters more than
//! how good all of them are. Learning from comparisons goes back to Tesauro, "Comparison training of
//! chess evaluation functions" (2001).

use super::{
    dataset::{Dataset, Split},
    model::{FitTargets, ResultModel, Slope, logistic},
};
use rayon::prelude::*;
use std::ops::Range;

/// Groups per partial sum. It does not depend on the number of threads, so that floating-point sums do
/// not either.
const CHUNK: usize = 256;
/// Maximum number of positions of a group.
const LARGEST: usize = 16;

/// The objective of a fit over the positions of a data set. Its units are positions or groups of
/// positions.
#[derive(Debug)]
pub(super) struct Objective<'d> {
    data: &'d Dataset,
    targets: &'d FitTargets,
    comparison: Option<Comparison>,
}

/// Groups of positions that are compared with each other.
#[derive(Debug)]
struct Comparison {
    /// Consecutive positions of one game, at most [`LARGEST`].
    groups: Vec<Range<u32>>,
    /// Share of the loss that is left of the error that all positions of a group have in common.
    common: f32,
}

impl<'d> Objective<'d> {
    /// Creates an objective. With `compare` 0, it is the mean cross-entropy of all positions. Above 0, it
    /// is the mean squared error of win probabilities, of which the error common to a group counts
    /// `1 - compare`.
    pub(super) fn new(data: &'d Dataset, targets: &'d FitTargets, compare: f32) -> Self {
        let comparison =
            (compare > 0.0).then(|| Comparison { groups: groups(data), common: 1.0 - compare });
        Self { data, targets, comparison }
    }

    /// Returns the units of `part`, in reading order.
    pub(super) fn units(&self, part: Split) -> Vec<u32> {
        let Some(Comparison { groups, .. }) = &self.comparison else { return self.data.of(part) };
        let of_part = |group: &Range<u32>| self.data.label(group.start as usize).part == part;
        let numbered = (0..).zip(groups);
        numbered.filter(|(_, group)| of_part(group)).map(|(number, _)| number).collect()
    }

    /// Returns the number of positions in `units`.
    pub(super) fn positions(&self, units: &[u32]) -> usize {
        self.comparison.as_ref().map_or(units.len(), |comparison| {
            units.iter().map(|&unit| comparison.groups[unit as usize].len()).sum()
        })
    }

    /// Returns the summed loss and gradient over `units`.
    pub(super) fn slope(&self, model: &ResultModel, units: &[u32]) -> Slope {
        let Some(comparison) = &self.comparison else {
            return model.slope(self.data, self.targets, units);
        };
        let slopes = units.par_chunks(CHUNK).map(|chunk| {
            let mut sum = Slope::default();
            for &unit in chunk {
                self.add(model, comparison, unit, &mut sum);
            }
            sum
        });
        let slopes: Vec<Slope> = slopes.collect();
        slopes.iter().fold(Slope::default(), Slope::plus)
    }

    /// Returns the mean loss over `units`, or NaN if there are none.
    pub(super) fn loss(&self, model: &ResultModel, units: &[u32]) -> f64 {
        if self.comparison.is_none() {
            return model.loss(self.data, self.targets, units);
        }
        let slope = self.slope(model, units);
        slope.loss / slope.mass
    }

    /// Adds the loss of a group and its gradient to `sum`.
    fn add(&self, model: &ResultModel, comparison: &Comparison, unit: u32, sum: &mut Slope) {
        let group = &comparison.groups[unit as usize];
        // the chance and the error of each position
        let errors: Vec<[f32; 2]> = group
            .clone()
            .map(|position| {
                let position = position as usize;
                let chance = logistic(model.slope * model.score(self.data, position));
                [chance, chance - self.targets.of(self.data, position).0]
            })
            .collect();
        let mean = errors.iter().map(|[_, error]| error).sum::<f32>() / errors.len() as f32;
        for (position, [chance, error]) in group.clone().zip(errors) {
            let position = position as usize;
            let mass = self.targets.of(self.data, position).1;
            let own = error - mean;
            sum.loss += f64::from(mass * (own * own + comparison.common * mean * mean));
            sum.mass += f64::from(mass);
            let by_chance = 2.0 * mass * (own + comparison.common * mean);
            let by_score = by_chance * chance * (1.0 - chance) * model.slope;
            sum.add_gradient(self.data, position, by_score);
        }
    }
}

/// Returns the groups of consecutive positions that have the same game. A position without a game is a
/// group of its own.
fn groups(data: &Dataset) -> Vec<Range<u32>> {
    let mut groups: Vec<Range<u32>> = Vec::new();
    for position in 0..data.len() {
        let number = position as u32;
        let joins = groups.last().is_some_and(|group| {
            let [label, here] = [group.start as usize, position].map(|p| data.label(p));
            let same = here.game.is_some() && (here.game, here.file) == (label.game, label.file);
            same && group.len() < LARGEST
        });
        match groups.last_mut() {
            Some(group) if joins => group.end = number + 1,
            _ => groups.push(number..number + 1),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::game::Game, eval::weights::Weights, lab::tune::dataset::Label, profile::Profile,
    };
    use shakmaty::ByColor;

    const SLOPE: f32 = 0.004;

    fn weights() -> Weights {
        Profile::builtin("standard").unwrap().weights
    }

    /// Three positions of one game and one of another, with these scores.
    fn data(scores: [i16; 4]) -> Dataset {
        let both = ByColor { white: weights(), black: weights() };
        let mut data = Dataset::default();
        for (index, (fen, cp)) in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "8/5k2/4p3/3pP3/3P4/5K2/8/8 w - - 0 1",
        ]
        .into_iter()
        .zip(scores)
        .enumerate()
        {
            let chess = Game::from_fen(fen, None).unwrap().chess;
            let game = Some(u64::from(index == 3));
            let label = Label { result: 1, cp: Some(cp), file: 0, part: Split::Training, game };
            data.push(&chess, label, &both);
        }
        data
    }

    fn targets(data: &Dataset) -> FitTargets {
        FitTargets::new(data, SLOPE, 1.0, vec![1.0])
    }

    #[test]
    fn positions_are_grouped_by_game() {
        let data = data([0; 4]);
        let targets = targets(&data);
        assert_eq!(Objective::new(&data, &targets, 0.0).units(Split::Training).len(), 4);
        let objective = Objective::new(&data, &targets, 0.5);
        let units = objective.units(Split::Training);
        assert_eq!((units.len(), objective.positions(&units)), (2, 4));
        assert_eq!(objective.positions(&units[..1]), 3);
    }

    #[test]
    fn an_error_that_a_game_shares_counts_less() {
        let data = data([300; 4]);
        let targets = targets(&data);
        let mut model = ResultModel::new(&weights(), SLOPE);
        // all scores are equal, so the errors of the first game are
        model.weights.fill([0.0; 2]);
        let loss = |compare| Objective::new(&data, &targets, compare).loss(&model, &[0]);
        assert!(loss(1.0) < 1e-9);
        let [much, little] = [0.25, 0.75].map(loss);
        assert!((much / little - 3.0).abs() < 1e-3, "{much} {little}");
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let data = data([150, -40, 90, 20]);
        let targets = targets(&data);
        let objective = Objective::new(&data, &targets, 0.7);
        let mut model = ResultModel::new(&weights(), SLOPE);
        let slope = objective.slope(&model, &[0, 1]);
        for count in data.counts(1) {
            let index = usize::from(count.index);
            let weight = model.weights[index][0];
            let [less, more] = [-2.0, 2.0].map(|step| {
                model.weights[index][0] = weight + step;
                objective.slope(&model, &[0, 1]).loss
            });
            model.weights[index][0] = weight;
            let expected = ((more - less) / 4.0) as f32;
            assert!((expected - slope.gradient[index][0]).abs() < 2e-5, "{index}: {expected}");
        }
    }
}
