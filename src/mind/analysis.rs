//! Analysis of a fuzzy cognitive map: degrees of concepts, uniqueness of the fixed point, and
//! basins of attraction.
//!
//! Degrees, density and kinds of concepts follow Özesmi and Özesmi 2004 (Ecological Modelling 176).
//!
//! A contracting map, whose steps bring any two states closer, has exactly one fixed point and
//! reaches it from every start (Banach). A map contracts if the steepest slope of the squashing
//! function times a norm of the weights is below 1. Sources: Knight, Lloyd and Penn 2014, Applied
//! Soft Computing; Harmati, Hatwágner and Kóczy 2021, doi 10.1007/s00521-021-06742-9.
//!
//! Only links on loops need this bound, because concepts outside loops settle once their inputs
//! have settled.

use super::fcm::{Activation, FuzzyCognitiveMap, Rule, Settling, Squash};
use nalgebra::{DMatrix, SMatrix};

/// The role of a concept in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ConceptRole {
    /// A transmitter: it has outgoing links only.
    Driver,
    /// It has incoming links only.
    Receiver,
    /// It has both incoming and outgoing links.
    Ordinary,
    /// It has no links.
    Apart,
}

impl ConceptRole {
    /// Returns the name used in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// A link between two concepts, given by index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The concept that influences.
    pub from: usize,
    /// The concept that is influenced.
    pub to: usize,
    /// The strength, from -1 to 1 and never 0.
    pub weight: f64,
}

/// Three norms of a weight matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norms {
    /// The 1-norm: the largest sum of absolute weights of one concept's outgoing links.
    pub one: f64,
    /// The 2-norm: the largest singular value.
    pub two: f64,
    /// The infinity norm: the largest sum of absolute weights of one concept's incoming links.
    pub infinity: f64,
}

impl Norms {
    fn of<const N: usize>(weights: &SMatrix<f64, N, N>) -> Self {
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Self { one: f64::INFINITY, two: f64::INFINITY, infinity: f64::INFINITY };
        }
        let largest = |sums: &mut dyn Iterator<Item = f64>| sums.fold(0.0, f64::max);
        let dynamic = DMatrix::from_fn(N, N, |to, from| weights[(to, from)]);
        Self {
            one: largest(&mut weights.column_iter().map(|links| links.lp_norm(1))),
            two: largest(&mut dynamic.singular_values().iter().copied()),
            infinity: largest(&mut weights.row_iter().map(|links| links.lp_norm(1))),
        }
    }

    /// Returns the smallest norm and its name.
    #[must_use]
    pub fn smallest(&self) -> (f64, &'static str) {
        let named = [(self.one, "1-norm"), (self.two, "2-norm"), (self.infinity, "infinity norm")];
        let smaller = |best: (f64, _), next: (f64, _)| if next.0 < best.0 { next } else { best };
        named.into_iter().fold((f64::INFINITY, "1-norm"), smaller)
    }
}

/// An upper bound on how far apart a step leaves two states, relative to their distance before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contraction {
    /// The steepest slope of the squashing function, or `None` if it jumps.
    pub slope: Option<f64>,
    /// Norms of the weights between free concepts, as the update rule applies them.
    pub all: Norms,
    /// Norms of the same matrix, with links on loops only.
    pub loops: Norms,
}

impl Contraction {
    /// Returns slope times the smallest norm of the loops, or `None` if there are loops and the
    /// function jumps.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let (norm, _) = self.loops.smallest();
        if norm == 0.0 { Some(0.0) } else { self.slope.map(|slope| slope * norm) }
    }

    /// Returns whether the bound proves that, for any held values, there is exactly one fixed point
    /// and every start reaches it.
    #[must_use]
    pub fn proves_one_rest(&self) -> bool {
        self.bound().is_some_and(|bound| bound < 1.0)
    }
}

/// An attractor of the map, and the number of sampled starts that lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Basin<const N: usize> {
    /// The states of the cycle, or one state for a fixed point.
    pub round: Vec<Activation<N>>,
    /// The number of starts that end here.
    pub starts: usize,
}

impl<const N: usize> Basin<N> {
    /// Returns the mean state of the cycle.
    #[must_use]
    pub fn mean(&self) -> Activation<N> {
        // the period is at most the step limit, a `u16`
        self.round.iter().sum::<Activation<N>>() / f64::from(self.round.len().max(1) as u32)
    }
}

/// The attractors that a sample of starts leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Basins<const N: usize> {
    /// The attractors, most starts first.
    pub ends: Vec<Basin<N>>,
    /// The number of starts from which the map neither settles nor cycles.
    pub unsettled: usize,
}

/// Two attractors are the same if no concept differs by more than this plus ten tolerances.
const SAME_END: f64 = 1e-3;

impl<const N: usize> FuzzyCognitiveMap<N> {
    /// Iterates over all links, ordered by their first concept.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        let pairs = (0..N).flat_map(|from| (0..N).map(move |to| (from, to)));
        pairs
            .map(|(from, to)| Link { from, to, weight: self.influence[(to, from)] })
            .filter(|link| link.weight != 0.0)
    }

    /// Returns the sum of absolute weights of the incoming links of a concept.
    #[must_use]
    pub fn in_degree(&self, concept: usize) -> f64 {
        self.influence.row(concept).lp_norm(1)
    }

    /// Returns the sum of absolute weights of the outgoing links of a concept.
    #[must_use]
    pub fn out_degree(&self, concept: usize) -> f64 {
        self.influence.column(concept).lp_norm(1)
    }

    /// Returns the role of a concept. A link to itself counts as both incoming and outgoing.
    #[must_use]
    pub fn part(&self, concept: usize) -> ConceptRole {
        match (self.in_degree(concept) > 0.0, self.out_degree(concept) > 0.0) {
            (false, true) => ConceptRole::Driver,
            (true, false) => ConceptRole::Receiver,
            (true, true) => ConceptRole::Ordinary,
            (false, false) => ConceptRole::Apart,
        }
    }

    /// Returns the number of links divided by the number of possible links, self-links included.
    #[must_use]
    pub fn density(&self) -> f64 {
        let count = |number: usize| f64::from(number as u32);
        count(self.links().count()) / count((N * N).max(1))
    }

    /// Computes how strongly this map contracts while the concepts in `held` keep their values.
    #[must_use]
    pub fn contraction(&self, held: &[bool; N]) -> Contraction {
        let acting = match self.rule {
            Rule::Kosko => self.influence,
            Rule::ModifiedKosko => SMatrix::identity() + self.influence,
            Rule::Rescaled => (SMatrix::identity() + self.influence) * 2.0,
        };
        let acting: SMatrix<f64, N, N> =
            SMatrix::from_fn(
                |to, from| {
                    if held[to] || held[from] { 0.0 } else { acting[(to, from)] }
                },
            );
        let reaches = reach(&acting);
        let loops: SMatrix<f64, N, N> = SMatrix::from_fn(|to, from| {
            // a link lies on a loop if a path leads from its end back to its start
            if reaches[to][from] { acting[(to, from)] } else { 0.0 }
        });
        let slope = self.squash.steepest();
        Contraction { slope, all: Norms::of(&acting), loops: Norms::of(&loops) }
    }

    /// Finds the attractor that each of `starts` leads to.
    #[must_use]
    pub fn basins(
        &self,
        starts: impl Iterator<Item = Activation<N>>,
        held: &[bool; N],
    ) -> Basins<N> {
        let mut basins = Basins { ends: Vec::new(), unsettled: 0 };
        for start in starts {
            let Some(round) = self.round_from(&start, held) else {
                basins.unsettled += 1;
                continue;
            };
            let known = basins.ends.iter_mut().find(|basin| self.same_end(&basin.round, &round));
            match known {
                Some(basin) => basin.starts += 1,
                None => basins.ends.push(Basin { round, starts: 1 }),
            }
        }
        basins.ends.sort_by_key(|basin| std::cmp::Reverse(basin.starts));
        basins
    }

    /// Returns the states of the attractor reached from `start`, or `None` if the map does not
    /// settle.
    fn round_from(&self, start: &Activation<N>, held: &[bool; N]) -> Option<Vec<Activation<N>>> {
        let (states, end, settling) = self.relax_traced(start, held);
        let period = match settling {
            Settling::FixedPoint { .. } => return Some(vec![end]),
            Settling::Cycle { period } => usize::from(period),
            Settling::Unsettled => return None,
        };
        let onward =
            std::iter::successors(states.last().copied(), |now| Some(self.step(now, held)));
        Some(onward.take(period).collect())
    }

    /// Returns whether two cycles are the same, wherever each starts.
    fn same_end(&self, a: &[Activation<N>], b: &[Activation<N>]) -> bool {
        let near = SAME_END + 10.0 * self.tolerance;
        let is_near = |x: &Activation<N>, y: &Activation<N>| (x - y).amax() <= near;
        let first = b.first();
        a.len() == b.len() && first.is_some_and(|first| a.iter().any(|state| is_near(state, first)))
    }
}

impl Squash {
    /// Returns the steepest slope, or `None` for a function that jumps.
    #[must_use]
    pub fn steepest(self) -> Option<f64> {
        match self {
            Self::BipolarLogistic { slope } => Some(slope / 2.0),
            Self::Tanh { slope } => Some(slope),
            Self::Logistic { slope } => Some(slope / 4.0),
            Self::Saturation => Some(1.0),
            Self::Bivalent | Self::Trivalent => None,
        }
    }
}

/// Returns, as `[from][to]`, whether a path of any length leads from one concept to another. A path
/// of length 0 counts (Warshall 1962).
fn reach<const N: usize>(weights: &SMatrix<f64, N, N>) -> [[bool; N]; N] {
    let mut reaches: [[bool; N]; N] = std::array::from_fn(|from| {
        std::array::from_fn(|to| from == to || weights[(to, from)] != 0.0)
    });
    for via in 0..N {
        let onward = reaches[via];
        for row in reaches.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(onward).for_each(|(there, onward)| *there |= onward);
        }
    }
    reaches
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    /// Creates a map with the weights `links[to][from]`.
    fn map<const N: usize>(links: [[f64; N]; N], squash: Squash) -> FuzzyCognitiveMap<N> {
        let influence = SMatrix::from_fn(|to, from| links[to][from]);
        FuzzyCognitiveMap { influence, squash, rule: Rule::Kosko, tolerance: 1e-9, step_limit: 500 }
    }

    const CHAIN: [[f64; 4]; 4] =
        [[0.0, 0.0, 0.0, 0.0], [-0.5, 0.25, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]];

    #[test]
    fn degrees_are_absolute_sums_and_decide_the_role() {
        let map = map(CHAIN, Squash::Saturation);
        assert_eq!([0, 1, 2, 3].map(|i| map.in_degree(i)), [0.0, 0.75, 1.0, 0.0]);
        assert_eq!([0, 1, 2, 3].map(|i| map.out_degree(i)), [0.5, 1.25, 0.0, 0.0]);
        let parts =
            [ConceptRole::Driver, ConceptRole::Ordinary, ConceptRole::Receiver, ConceptRole::Apart];
        assert_eq!([0, 1, 2, 3].map(|i| map.part(i)), parts);
        // three links of sixteen
        assert_eq!(map.density(), 0.1875);
        let links: Vec<_> = map.links().map(|link| (link.from, link.to, link.weight)).collect();
        assert_eq!(links, [(0, 1, -0.5), (1, 1, 0.25), (1, 2, 1.0)]);
    }

    #[test]
    fn only_loops_need_the_bound() {
        let chain = map(CHAIN, Squash::Tanh { slope: 2.0 });
        let contraction = chain.contraction(&[false; 4]);
        // the only loop is the self-link of the second concept: 2 x 0.25
        assert_eq!(contraction.loops, Norms { one: 0.25, two: 0.25, infinity: 0.25 });
        assert_eq!((contraction.all.one, contraction.all.infinity), (1.25, 1.0));
        assert_eq!(contraction.bound(), Some(0.5));
        assert!(contraction.proves_one_rest());
        // holding that concept breaks the loop, so even a jumping function is fine
        let held = [false, true, false, false];
        let jumping = map(CHAIN, Squash::Trivalent);
        assert_eq!(jumping.contraction(&held).bound(), Some(0.0));
        assert_eq!(jumping.contraction(&[false; 4]).bound(), None);
        assert!(!jumping.contraction(&[false; 4]).proves_one_rest());
    }

    #[test]
    fn norms_match_their_textbook_definitions() {
        // rows (3, 0) and (4, 5): WᵀW has 25, 20, 20, 25, so eigenvalues 45 and 5
        let weights = SMatrix::from([[3.0, 4.0], [0.0, 5.0]]);
        let norms = Norms::of(&weights);
        assert_eq!((norms.one, norms.infinity), (7.0, 9.0));
        assert!((norms.two - 45f64.sqrt()).abs() < 1e-12);
        assert_eq!(norms.smallest(), (norms.two, "2-norm"));
        let broken = Norms::of(&SMatrix::<f64, 2, 2>::from_element(f64::NAN));
        assert_eq!(broken.smallest().0, f64::INFINITY);
    }

    #[test]
    fn each_rule_and_function_has_its_own_bound() {
        let swap = [[0.0, 0.4], [0.2, 0.0]];
        let bound = |squash, rule| {
            let map = FuzzyCognitiveMap { rule, ..map(swap, squash) };
            map.contraction(&[false; 2]).bound().unwrap()
        };
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        // the largest singular value is 0.4 here, as the other two norms are
        assert!(close(bound(Squash::BipolarLogistic { slope: 5.0 }, Rule::Kosko), 2.5 * 0.4));
        assert!(close(bound(Squash::Tanh { slope: 2.0 }, Rule::Kosko), 2.0 * 0.4));
        assert!(close(bound(Squash::Saturation, Rule::Kosko), 0.4));
        // rows (1, 0.4) and (0.2, 1): trace and determinant of WᵀW are 2.2 and 0.92²
        let two = (1.1 + (1.1f64 * 1.1 - 0.92 * 0.92).sqrt()).sqrt();
        assert!(close(bound(Squash::Saturation, Rule::ModifiedKosko), two));
        assert!(close(bound(Squash::Logistic { slope: 1.0 }, Rule::Rescaled), two / 2.0));
    }

    #[test]
    fn basins_separate_fixed_points_and_cycles() {
        // tanh(2x) crosses the diagonal at 0 and at ±0.9575
        let mirror = map([[1.0]], Squash::Tanh { slope: 2.0 });
        let starts = [0.3, -0.2, 0.9, 0.0, 0.4].map(|x| Activation::from([x]));
        let basins = mirror.basins(starts.into_iter(), &[false]);
        let ends: Vec<_> =
            basins.ends.iter().map(|basin| (basin.mean()[0], basin.starts)).collect();
        assert_eq!(ends.len(), 3);
        assert!((ends[0].0 - 0.957_504).abs() < 1e-6 && ends[0].1 == 3, "{ends:?}");
        assert!((ends[1].0 + ends[0].0).abs() < 1e-6 && ends[1].1 == 1, "{ends:?}");
        assert_eq!((ends[2], basins.unsettled), ((0.0, 1), 0));

        let swap = map([[0.0, 1.0], [1.0, 0.0]], Squash::Saturation);
        let at = |first, second| Activation::from([first, second]);
        // the first two starts reach the same cycle; the last one is a fixed point
        let starts = [at(1.0, -1.0), at(-1.0, 1.0), at(1.0, 0.0), at(0.5, 0.5)];
        let basins = swap.basins(starts.into_iter(), &[false; 2]);
        let sizes: Vec<_> = basins.ends.iter().map(|end| (end.round.len(), end.starts)).collect();
        assert_eq!(sizes, [(2, 2), (2, 1), (1, 1)]);
        assert_eq!((basins.ends[0].mean(), basins.ends[1].mean()), (at(0.0, 0.0), at(0.5, 0.5)));
    }

    #[test]
    fn unsettled_starts_are_counted_separately() {
        let mut slow = map([[0.99]], Squash::Saturation);
        slow.step_limit = 3;
        let starts = [1.0, 0.0, -1.0].map(|x| Activation::from([x]));
        let basins = slow.basins(starts.into_iter(), &[false]);
        assert_eq!((basins.unsettled, basins.ends.len()), (2, 1));
    }
}
