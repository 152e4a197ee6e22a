//! Evaluations as weighted sums of a game's terms, seen from one side.
//!
//! Own terms and the opponent's terms have different weights if a source has a term for one side
//! only, or if a feeling bends them. A search therefore sees every position from
//! the side of its root.

use crate::game::{Game, Side};
use deepfeeling::{
    mind::{
        game::FeltGame,
        listed::{Each, Listed, Row},
        relevance::{Ratios, bent_weight},
    },
    support::random::mixed,
};

/// A game whose positions are evaluated by terms, which are the groups that feelings weigh.
pub trait Terms:
    Game + FeltGame<Position = Self, Side = Side, Group: Listed<Each<f64>: Send + Sync>>
{
    /// What a term without a weight is worth at 200 percent, in units of the evaluation.
    ///
    /// The terms of the side that feels come first, then the terms of its opponent. Terms with a weight
    /// do not use it.
    const FELT: Weights<Self>;

    /// Counts `term` for `side`, positive if it is good for `side`.
    fn count(&self, side: Side, term: Self::Group) -> f64;
}

/// The weights of the terms of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<G: Terms> {
    /// Weights of the terms of the side that evaluates.
    pub own: Each<G::Group, f64>,
    /// Weights of the terms of its opponent, which are subtracted.
    pub other: Each<G::Group, f64>,
}

impl<G: Terms> Weights<G> {
    /// Returns the weighted sum of the terms of `side`.
    pub fn own_sum(&self, position: &G, side: Side) -> f64 {
        sum::<G>(&self.own, position, side)
    }

    /// Returns the weighted sum of the terms of the opponent, where `side` is the opponent.
    pub fn other_sum(&self, position: &G, side: Side) -> f64 {
        sum::<G>(&self.other, position, side)
    }

    /// Returns these weights under the ratios of a feeling. With all ratios at 1 they are the same,
    /// bit for bit.
    #[must_use]
    pub fn bent(&self, ratios: &Ratios<G>) -> Self {
        Self {
            own: bent::<G>(&self.own, &G::FELT.own, &ratios.own),
            other: bent::<G>(&self.other, &G::FELT.other, &ratios.other),
        }
    }
}

/// A row of numbers, one per term.
type TermRow<G> = Each<<G as FeltGame>::Group, f64>;

fn bent<G: Terms>(weights: &TermRow<G>, felt: &TermRow<G>, ratios: &TermRow<G>) -> TermRow<G> {
    let [weights, felt, ratios] = [weights, felt, ratios].map(AsRef::as_ref);
    Row::from_fn(|i| {
        let unit = if weights[i] == 0.0 { felt[i] } else { 0.0 };
        bent_weight(weights[i], unit, ratios[i])
    })
}

fn sum<G: Terms>(weights: &Each<G::Group, f64>, position: &G, side: Side) -> f64 {
    let mut sum = 0.0;
    for (term, &weight) in G::Group::ALL.into_iter().zip(weights.as_ref()) {
        // some terms are slow to count
        if weight != 0.0 {
            sum += weight * position.count(side, term);
        }
    }
    sum
}

/// What a finished game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The weighted sum of its terms without a feeling, as in the program of the authors of Horses.
    Weighed,
    /// A win before a draw before a loss, and a larger lead before a smaller one.
    Ranked,
}

/// Noise on the value of every position, as in the program of the authors of Horses.
///
/// It depends on the position and a seed, so that pruning still cannot change the value of a
/// search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The largest deviation in either direction.
    pub most: f64,
    /// Equal seeds give equal noise.
    pub seed: u64,
}

impl Noise {
    fn at(self, key: u64) -> f64 {
        let unit = f64::from((mixed(key ^ self.seed) >> 32) as u32) / f64::from(u32::MAX);
        self.most * (2.0 * unit - 1.0)
    }
}

/// An evaluation of positions from the point of view of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<G: Terms> {
    /// The side that evaluates: the side to move at the root of a search.
    pub side: Side,
    /// The weights of the terms, which a feeling may have bent.
    pub weights: Weights<G>,
    /// The weights without a feeling, used for finished games.
    pub plain: Weights<G>,
    /// What finished games are worth.
    pub ends: Ends,
    /// Noise on every value.
    pub noise: Option<Noise>,
}

/// The value of a win by no points. It exceeds every weighted sum.
pub const WIN: f64 = 1e6;

impl<G: Terms> Evaluation<G> {
    /// Creates an evaluation by `weights` that no feeling bends.
    pub fn new(side: Side, weights: Weights<G>, ends: Ends) -> Self {
        Self { side, weights, plain: weights, ends, noise: None }
    }

    /// Returns this evaluation under the ratios of a feeling. Finished games are worth the same.
    #[must_use]
    pub fn bent(self, ratios: &Ratios<G>) -> Self {
        Self { weights: self.weights.bent(ratios), ..self }
    }

    /// Evaluates a position that is not over.
    pub fn leaf(&self, position: &G) -> f64 {
        self.noisy(position, self.weighed(&self.weights, position))
    }

    /// Evaluates a finished game.
    pub fn end(&self, position: &G) -> f64 {
        match self.ends {
            Ends::Weighed => self.noisy(position, self.weighed(&self.plain, position)),
            Ends::Ranked => {
                let half_points = position.outcome().map_or(1, |end| end.half_points(self.side));
                (f64::from(half_points) - 1.0) * WIN + f64::from(position.lead(self.side))
            }
        }
    }

    fn weighed(&self, weights: &Weights<G>, position: &G) -> f64 {
        weights.own_sum(position, self.side) - weights.other_sum(position, self.side.other())
    }

    fn noisy(&self, position: &G, value: f64) -> f64 {
        self.noise.map_or(value, |noise| value + noise.at(position.key()))
    }
}
