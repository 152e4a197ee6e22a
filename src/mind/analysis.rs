//! What can be told of a map as a whole: who drives whom, whether it has but one rest, and where
//! starts end. Knows no chess.
//!
//! Degrees, density and kinds of concepts are those of Özesmi and Özesmi 2004 (Ecological Modelling
//! 176). A map whose steps bring any two states nearer to each other has exactly one fixed point, and
//! reaches it from everywhere (Banach). That is so where the steepest slope of the squashing function
//! times a norm of the weights is below 1 (Knight, Lloyd and Penn 2014, Applied Soft Computing;
//! Harmati, Hatwágner and Kóczy 2021, doi 10.1007/s00521-021-06742-9). Only loops need the bound: what
//! lies on none passes on what has settled before it.

use super::fcm::{Activation, FuzzyCognitiveMap, Rule, Settling, Squash};
use nalgebra::{DMatrix, SMatrix};

/// What a concept is to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Raises or lowers others, and nothing does so to it: a transmitter.
    Driver,
    /// Is raised or lowered, and does so to none.
    Receiver,
    /// Both.
    Ordinary,
    /// Neither: no link begins or ends here.
    Apart,
}

impl Part {
    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Driver => "driver",
            Self::Receiver => "receiver",
            Self::Ordinary => "ordinary",
            Self::Apart => "apart",
        }
    }
}

/// A link of a map, by the indices of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    /// From -1 to 1, never 0.
    pub weight: f64,
}

/// Three norms of a matrix of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norms {
    /// The largest sum of one concept's links out, by amount.
    pub one: f64,
    /// The largest singular value.
    pub two: f64,
    /// The largest sum of one concept's links in, by amount.
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

    /// The smallest, with its name.
    #[must_use]
    pub fn smallest(&self) -> (f64, &'static str) {
        let named = [(self.one, "1-norm"), (self.two, "2-norm"), (self.infinity, "infinity norm")];
        let smaller = |best: (f64, _), next: (f64, _)| if next.0 < best.0 { next } else { best };
        named.into_iter().fold((f64::INFINITY, "1-norm"), smaller)
    }
}

/// How far a step of a map brings two of its states together at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contraction {
    /// The steepest slope of the squashing function; none if it jumps.
    pub slope: Option<f64>,
    /// Of the weights between free concepts, as the rule applies them.
    pub all: Norms,
    /// Of those among them that lie on loops.
    pub loops: Norms,
}

impl Contraction {
    /// Slope times the smallest norm of the loops. None if nothing can be said: the function jumps,
    /// and there are loops.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let (norm, _) = self.loops.smallest();
        if norm == 0.0 { Some(0.0) } else { self.slope.map(|slope| slope * norm) }
    }

    /// Whether this proves that there is exactly one fixed point for whatever is held, and that
    /// every start ends there.
    #[must_use]
    pub fn proves_one_rest(&self) -> bool {
        self.bound().is_some_and(|bound| bound < 1.0)
    }
}

/// One end of a map, and how many of the starts that were tried lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Basin<const N: usize> {
    /// The states that return in turn; one if it rests.
    pub round: Vec<Activation<N>>,
    pub starts: usize,
}

impl<const N: usize> Basin<N> {
    /// The mean of the round.
    #[must_use]
    pub fn mean(&self) -> Activation<N> {
        // a round has at most as many states as there are steps
        self.round.iter().sum::<Activation<N>>() / f64::from(self.round.len().max(1) as u32)
    }
}

/// Where a sample of starts ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Basins<const N: usize> {
    /// Those with most starts come first.
    pub ends: Vec<Basin<N>>,
    /// Starts from which the map neither rests nor returns.
    pub unsettled: usize,
}

/// Ends that nowhere lie further apart than this, and ten tolerances of the map, are the same.
const SAME_END: f64 = 1e-3;

impl<const N: usize> FuzzyCognitiveMap<N> {
    /// Every link, by where it begins.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        let pairs = (0..N).flat_map(|from| (0..N).map(move |to| (from, to)));
        pairs
            .map(|(from, to)| Link { from, to, weight: self.influence[(to, from)] })
            .filter(|link| link.weight != 0.0)
    }

    /// The weights of the links into a concept, by amount, added up.
    #[must_use]
    pub fn in_degree(&self, concept: usize) -> f64 {
        self.influence.row(concept).lp_norm(1)
    }

    /// The weights of the links out of a concept, by amount, added up.
    #[must_use]
    pub fn out_degree(&self, concept: usize) -> f64 {
        self.influence.column(concept).lp_norm(1)
    }

    /// What a concept is to the others. A link to itself counts as one in and one out.
    #[must_use]
    pub fn part(&self, concept: usize) -> Part {
        match (self.in_degree(concept) > 0.0, self.out_degree(concept) > 0.0) {
            (false, true) => Part::Driver,
            (true, false) => Part::Receiver,
            (true, true) => Part::Ordinary,
            (false, false) => Part::Apart,
        }
    }

    /// The share of all possible links that there are, those of concepts to themselves included.
    #[must_use]
    pub fn density(&self) -> f64 {
        let count = |number: usize| f64::from(number as u32);
        count(self.links().count()) / count((N * N).max(1))
    }

    /// How strongly the steps of this map contract while the concepts in `held` keep their values.
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
            // a link lies on a loop if its end leads back to where it begins
            if reaches[to][from] { acting[(to, from)] } else { 0.0 }
        });
        let slope = self.squash.steepest();
        Contraction { slope, all: Norms::of(&acting), loops: Norms::of(&loops) }
    }

    /// Where the map ends from each of `starts`.
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

    /// The states in which the map ends; none if it does not settle.
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

    /// Whether two rounds are one, wherever each begins.
    fn same_end(&self, a: &[Activation<N>], b: &[Activation<N>]) -> bool {
        let near = SAME_END + 10.0 * self.tolerance;
        let is_near = |x: &Activation<N>, y: &Activation<N>| (x - y).amax() <= near;
        let first = b.first();
        a.len() == b.len() && first.is_some_and(|first| a.iter().any(|state| is_near(state, first)))
    }
}

impl Squash {
    /// The steepest slope anywhere; none for a function that jumps.
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

/// `[from][to]`: whether links lead from one concept to the other, over any number of steps, none
/// included (Warshall 1962).
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

    /// A map in which `links[to][from]`.
    fn map<const N: usize>(links: [[f64; N]; N], squash: Squash) -> FuzzyCognitiveMap<N> {
        let influence = SMatrix::from_fn(|to, from| links[to][from]);
        FuzzyCognitiveMap { influence, squash, rule: Rule::Kosko, tolerance: 1e-9, step_limit: 500 }
    }

    const CHAIN: [[f64; 4]; 4] =
        [[0.0, 0.0, 0.0, 0.0], [-0.5, 0.25, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]];

    #[test]
    fn degrees_are_sums_of_amounts_and_tell_the_parts() {
        let map = map(CHAIN, Squash::Saturation);
        assert_eq!([0, 1, 2, 3].map(|i| map.in_degree(i)), [0.0, 0.75, 1.0, 0.0]);
        assert_eq!([0, 1, 2, 3].map(|i| map.out_degree(i)), [0.5, 1.25, 0.0, 0.0]);
        let parts = [Part::Driver, Part::Ordinary, Part::Receiver, Part::Apart];
        assert_eq!([0, 1, 2, 3].map(|i| map.part(i)), parts);
        // three of four times four
        assert_eq!(map.density(), 0.1875);
        let links: Vec<_> = map.links().map(|link| (link.from, link.to, link.weight)).collect();
        assert_eq!(links, [(0, 1, -0.5), (1, 1, 0.25), (1, 2, 1.0)]);
    }

    #[test]
    fn only_loops_need_the_bound() {
        let chain = map(CHAIN, Squash::Tanh { slope: 2.0 });
        let contraction = chain.contraction(&[false; 4]);
        // the loop of the second concept to itself is all that returns: 2 x 0.25
        assert_eq!(contraction.loops, Norms { one: 0.25, two: 0.25, infinity: 0.25 });
        assert_eq!((contraction.all.one, contraction.all.infinity), (1.25, 1.0));
        assert_eq!(contraction.bound(), Some(0.5));
        assert!(contraction.proves_one_rest());
        // held, it returns nothing either, and then a function may even jump
        let held = [false, true, false, false];
        let jumping = map(CHAIN, Squash::Trivalent);
        assert_eq!(jumping.contraction(&held).bound(), Some(0.0));
        assert_eq!(jumping.contraction(&[false; 4]).bound(), None);
        assert!(!jumping.contraction(&[false; 4]).proves_one_rest());
    }

    #[test]
    fn norms_are_those_of_the_books() {
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
    fn a_bent_mirror_has_two_rests_and_a_swap_a_round() {
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
        // the first two are one round, begun at either end; the last rests
        let starts = [at(1.0, -1.0), at(-1.0, 1.0), at(1.0, 0.0), at(0.5, 0.5)];
        let basins = swap.basins(starts.into_iter(), &[false; 2]);
        let sizes: Vec<_> = basins.ends.iter().map(|end| (end.round.len(), end.starts)).collect();
        assert_eq!(sizes, [(2, 2), (2, 1), (1, 1)]);
        assert_eq!((basins.ends[0].mean(), basins.ends[1].mean()), (at(0.0, 0.0), at(0.5, 0.5)));
    }

    #[test]
    fn what_does_not_settle_is_counted_apart() {
        let mut slow = map([[0.99]], Squash::Saturation);
        slow.step_limit = 3;
        let starts = [1.0, 0.0, -1.0].map(|x| Activation::from([x]));
        let basins = slow.basins(starts.into_iter(), &[false]);
        assert_eq!((basins.unsettled, basins.ends.len()), (2, 1));
    }
}
