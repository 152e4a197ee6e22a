//! A prior for tables of weights: neighbouring entries, such as adjacent squares, differ smoothly.
//!
//! Rare entries follow only a few games, so a fit to results alone makes them noisy. The search finds
//! the lines that end in overrated entries, and the deeper it searches, the more of them it finds.

use super::model::Pairs;
use crate::eval::feature::Feature;
use std::ops::RangeInclusive;

/// The arrangement of the entries of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Arrangement {
    /// Entries without an order, such as the kinds of pieces, or a single weight.
    Unordered,
    /// Entries ordered by a number, such as a rank or a distance. Only this range is smooth: entries
    /// outside it do not occur or stand for something else.
    Line(RangeInclusive<usize>),
    /// Squares, eight per rank. Only these ranks are smooth. `mirrors` means that a file is likely to be
    /// worth as much as its mirror image.
    Board { ranks: RangeInclusive<usize>, mirrors: bool },
    /// Four distances of the file to the edge, each with eight ranks. Rank 0 stands for no pawn.
    Wing,
}

impl Arrangement {
    fn of(feature: Feature) -> Self {
        use Feature as F;
        let len = feature.spec().len;
        match feature {
            F::PieceValue
            | F::CastlingRight
            | F::RingAttack
            | F::SafeCheck
            | F::UnsafeCheck
            | F::ThreatByPawn
            | F::ThreatByMinor
            | F::ThreatByRook
            | F::BareKingEdge
            | F::BareKingDistance
            | F::BareKingCorner => Self::Unordered,
            F::PawnPlacement => Self::Board { ranks: 1..=6, mirrors: true },
            F::KingPlacement => Self::Board { ranks: 0..=7, mirrors: false },
            F::KnightPlacement | F::BishopPlacement | F::RookPlacement | F::QueenPlacement => {
                Self::Board { ranks: 0..=7, mirrors: true }
            }
            F::PawnShield | F::FreeStorm => Self::Wing,
            F::PhalanxPawn
            | F::SupportedPawn
            | F::FreeChain
            | F::LeverPawn
            | F::BlockedPawn
            | F::CandidatePawn
            | F::PassedPawn
            | F::PassedBlocked
            | F::PassedSupported
            | F::PassedFreePath
            | F::PassedSafeStep
            | F::PassedGuardedStep
            | F::BlockedStorm => Self::Line(1..=6),
            F::KnightTropism
            | F::BishopTropism
            | F::RookTropism
            | F::QueenTropism
            | F::KingPawnDistance => Self::Line(1..=7),
            _ if len == 1 => Self::Unordered,
            _ => Self::Line(0..=len - 1),
        }
    }

    /// Returns the stencils of a table with this arrangement whose first weight is `start`.
    fn stencils(&self, start: usize) -> Vec<Stencil> {
        let mut stencils = Vec::new();
        match self {
            Self::Unordered => {}
            Self::Line(range) => bends(range.clone().map(|i| start + i), &mut stencils),
            Self::Board { ranks, mirrors } => {
                let square = |rank: usize, file: usize| start + 8 * rank + file;
                for rank in ranks.clone() {
                    bends((0..8).map(|file| square(rank, file)), &mut stencils);
                    let pairs = (0..4).filter(|_| *mirrors);
                    stencils.extend(pairs.map(|f| step(square(rank, f), square(rank, 7 - f))));
                }
                for file in 0..8 {
                    bends(ranks.clone().map(|rank| square(rank, file)), &mut stencils);
                }
            }
            Self::Wing => {
                let entry = |file: usize, rank: usize| start + 8 * file + rank;
                for file in 0..4 {
                    bends((1..=6).map(|rank| entry(file, rank)), &mut stencils);
                    let next = (0..=6).filter(|_| file < 3);
                    stencils.extend(next.map(|r| step(entry(file, r), entry(file + 1, r))));
                }
            }
        }
        stencils
    }
}

/// Weights, each with a factor. Their weighted sum is 0 where the table is smooth.
type Stencil = Vec<(usize, f32)>;

/// Adds the stencils that compare each entry with the mean of its two neighbours.
fn bends(line: impl Iterator<Item = usize>, stencils: &mut Vec<Stencil>) {
    let line: Vec<_> = line.collect();
    stencils.extend(line.windows(3).map(|three| {
        let [before, here, after] = [three[0], three[1], three[2]];
        vec![(before, -0.5), (here, 1.0), (after, -0.5)]
    }));
}

/// Returns the stencil that compares two entries, with half the strength of the others.
fn step(one: usize, other: usize) -> Stencil {
    vec![(one, 0.5), (other, -0.5)]
}

/// The comparisons of all neighbouring weights.
#[derive(Clone, Debug)]
pub(super) struct Smoothness {
    stencils: Vec<Stencil>,
    /// Nats that a weight 100 centipawns off the mean of its neighbours adds to the sum of losses.
    nats: f32,
}

impl Smoothness {
    /// Creates the prior that adds `nats` to the sum of losses for each weight that is 100 centipawns
    /// off the mean of its neighbours, and a quarter of this for each two that differ by 100 between
    /// mirrored or adjacent files.
    pub(super) fn new(nats: f32) -> Self {
        let stencils = |feature: Feature| Arrangement::of(feature).stencils(feature.start());
        Self { stencils: Feature::ALL.into_iter().flat_map(stencils).collect(), nats }
    }

    /// Returns the nats that `weights` add to the sum of losses.
    pub(super) fn loss(&self, weights: &Pairs) -> f64 {
        let squares = |stencil: &Stencil| {
            [0, 1].map(|phase| f64::from(roughness(stencil, weights, phase)).powi(2))
        };
        let sum: f64 = self.stencils.iter().flat_map(squares).sum();
        f64::from(self.nats) * sum / (100.0 * 100.0)
    }

    /// Adds the gradient of [`Self::loss`], multiplied by `share`, to `gradient`.
    pub(super) fn add_gradient(&self, weights: &Pairs, share: f32, gradient: &mut Pairs) {
        let scale = 2.0 * share * self.nats / (100.0 * 100.0);
        for stencil in &self.stencils {
            for phase in [0, 1] {
                let slope = scale * roughness(stencil, weights, phase);
                for &(index, factor) in stencil {
                    gradient[index][phase] += slope * factor;
                }
            }
        }
    }
}

/// Returns how far `weights` are from smooth at one place, in centipawns.
fn roughness(stencil: &Stencil, weights: &Pairs, phase: usize) -> f32 {
    stencil.iter().map(|&(index, factor)| factor * weights[index][phase]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::feature::LEN;

    fn zeros() -> Pairs {
        vec![[0.0; 2]; LEN]
    }

    #[test]
    fn straight_tables_are_smooth_and_a_spike_is_not() {
        let smoothness = Smoothness::new(8.0);
        let mut weights = zeros();
        let start = Feature::RookMobility.start();
        for i in 0..Feature::RookMobility.spec().len {
            weights[start + i] = [7.0 * i as f32, -3.0 * i as f32];
        }
        assert!(smoothness.loss(&weights) < 1e-6);
        weights[start + 4][1] += 100.0;
        // itself, and half of it at both neighbours
        assert!((smoothness.loss(&weights) - 8.0 * 1.5).abs() < 1e-3);
    }

    #[test]
    fn a_square_is_compared_along_ranks_files_and_with_its_mirror_image() {
        let smoothness = Smoothness::new(4.0);
        let mut weights = zeros();
        // d4, seen from the side of its owner: rank 4 from the top
        weights[Feature::KnightPlacement.start() + 8 * 4 + 3][0] = 100.0;
        assert!((smoothness.loss(&weights) - 4.0 * (1.5 + 1.5 + 0.25)).abs() < 1e-3);
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let smoothness = Smoothness::new(50.0);
        let mut weights = zeros();
        for (i, pair) in weights.iter_mut().enumerate() {
            *pair = [(i * 37 % 101) as f32, (i * 53 % 89) as f32];
        }
        let mut gradient = zeros();
        smoothness.add_gradient(&weights, 1.0, &mut gradient);
        let index = Feature::FreeStorm.start() + 11;
        let before = smoothness.loss(&weights);
        weights[index][1] += 1.0;
        let mean = f64::midpoint(before, smoothness.loss(&weights)) - before;
        let mut after = zeros();
        smoothness.add_gradient(&weights, 1.0, &mut after);
        let slope = f64::from(f32::midpoint(gradient[index][1], after[index][1]));
        assert!((2.0 * mean - slope).abs() < 1e-2, "{mean} {slope}");
    }

    #[test]
    fn every_arrangement_stays_within_its_table() {
        for feature in Feature::ALL {
            let (start, len) = (feature.start(), feature.spec().len);
            for stencil in Arrangement::of(feature).stencils(start) {
                assert!(
                    stencil.iter().all(|(i, _)| (start..start + len).contains(i)),
                    "{feature:?}"
                );
                let sum: f32 = stencil.iter().map(|(_, factor)| factor).sum();
                assert!(sum.abs() < f32::EPSILON);
            }
        }
    }
}
