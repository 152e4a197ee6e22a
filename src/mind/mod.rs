//! The emotional model: appraises a position and turns the emotion into factors for the evaluation.
//!
//! An appraisal has four steps (Laureano-Cruces et al. 2012): perceive the position, choose a goal,
//! let the fuzzy cognitive map settle into an emotion, and weigh the groups of terms.
//!
//! Appraising is a pure function of position and mind. For inertia from move to move, the caller
//! passes in the last emotion.
//!
//! No file here knows a game. A game describes itself by the trait [`FeltGame`].
#![doc = include_str!("../../docs/mind.md")]

pub mod analysis;
pub mod appraisal;
pub mod channels;
pub mod concept;
pub mod fact;
pub mod fcm;
pub mod game;
pub mod goal;
pub mod listed;
pub mod perception;
pub mod relevance;
pub mod side_group;
pub mod standard;

use appraisal::Appraisal;
use concept::{Activations, Concept};
use fcm::{Rule, Settling};
use game::FeltGame;
use listed::{Each, Row};
use relevance::Ratios;

/// The emotional part of a profile: perception, map, goals and relevance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mind<G: FeltGame> {
    /// How measures of the position become activations.
    pub perception: perception::Perception,
    /// The fuzzy cognitive map.
    pub map: fcm::FuzzyCognitiveMap<{ Concept::COUNT }>,
    /// Concepts that keep their perceived activation while the map settles.
    pub held: [bool; Concept::COUNT],
    /// Concepts whose activation in the map is constant, regardless of the position.
    pub fixed: [Option<f64>; Concept::COUNT],
    /// The thresholds of facts.
    pub thresholds: G::Thresholds,
    /// The decision list. The first rule whose conditions hold gives the goal.
    pub ladder: Vec<goal::GoalRule<G>>,
    /// The ratios that each goal gives to the groups of terms.
    pub relevance: relevance::RelevanceTable<G>,
    /// The number of steps from 0 to 1 to which intensity is rounded; `None` for no rounding.
    pub steps: Option<u16>,
    /// The share of the last emotion that carries over to the next, 0 to 1.
    pub inertia: f64,
    /// The part of each ratio's distance from 1 that bends the search of a player with taste, 0 to 1.
    /// Without taste, all of it does.
    pub bend: f64,
    /// The effects of an emotion beside the relevance.
    pub channels: channels::Channels,
}

/// Values that replace what is perceived from the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenValues<G: FeltGame> {
    /// Concepts that are set to these values and held while the map settles.
    pub concepts: [Option<f64>; Concept::COUNT],
    /// Facts that are set to true or false for the ladder.
    pub facts: Each<G::Fact, Option<bool>>,
}

impl<G: FeltGame> Default for GivenValues<G> {
    /// Nothing is given.
    fn default() -> Self {
        Self { concepts: [None; Concept::COUNT], facts: Row::from_fn(|_| None) }
    }
}

/// A perception from which the map does not reach a fixed point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnsettledPerception {
    /// The perceived activations.
    pub perceived: Activations,
    /// What the map does instead.
    pub settling: Settling,
}

impl<G: FeltGame> Mind<G> {
    /// Appraises the position for `side`.
    ///
    /// `emotion_strength` is in percent, 0 to 200. `last` is [`Appraisal::felt`] of the previous
    /// appraisal in this game, if any.
    #[must_use]
    pub fn appraise(
        &self,
        position: &G::Position,
        side: G::Side,
        emotion_strength: u16,
        last: Option<f64>,
    ) -> Appraisal<G> {
        self.appraise_given(position, side, emotion_strength, last, &GivenValues::default())
    }

    /// Like [`Self::appraise`], but with some concepts and facts set to `given` values.
    ///
    /// This runs what-if scenarios: given concepts are clamped, all others follow from the position.
    #[must_use]
    pub fn appraise_given(
        &self,
        position: &G::Position,
        side: G::Side,
        emotion_strength: u16,
        last: Option<f64>,
        given: &GivenValues<G>,
    ) -> Appraisal<G> {
        let measures = G::measures(position, side);
        let perceived = self.perception.perceive(&measures);
        let perceived = Activations::from_fn(|i, _| {
            // given values of felt concepts affect the map only
            given.concepts[i].filter(|_| Concept::ALL[i].is_perceived()).unwrap_or(perceived[i])
        });
        let facts = G::facts(position, side, &self.thresholds).given(&given.facts);
        let rules = goal::examine(&self.ladder, &facts, &perceived);
        let goal = goal::chosen(&rules);
        let (start, held) = self.entry_given(&perceived, &given.concepts);
        let (settled, settling) = self.settle_from(&start, held);
        let felt = settling.trusted(self.carry_over(settled[Concept::Relief as usize], last));
        let intensity = self.quantised(felt);
        let ratios = self.weigh(goal, intensity, settling, emotion_strength);
        let effects = self.channels.under(intensity, emotion_strength);
        Appraisal {
            side,
            measures,
            perceived,
            facts,
            rules,
            goal,
            settled,
            settling,
            felt,
            intensity,
            ratios,
            effects,
        }
    }

    /// Settles the map, starting from the perceived activations.
    #[must_use]
    pub fn settle(&self, perceived: &Activations) -> (Activations, Settling) {
        let (start, held) = self.entry(perceived);
        self.settle_from(&start, held)
    }

    fn settle_from(
        &self,
        start: &Activations,
        held: [bool; Concept::COUNT],
    ) -> (Activations, Settling) {
        let (end, settling) = self.map.relax(start, &held);
        (self.unscaled(end), settling)
    }

    /// Like [`Self::settle`] with `given` concepts, but returns all states, starting with the first
    /// activation.
    #[must_use]
    pub fn settle_traced(
        &self,
        perceived: &Activations,
        given: &GivenValues<G>,
    ) -> (Vec<Activations>, Settling) {
        let (start, held) = self.entry_given(perceived, &given.concepts);
        let (states, _, settling) = self.map.relax_traced(&start, &held);
        (states.into_iter().map(|state| self.unscaled(state)).collect(), settling)
    }

    /// Searches a grid of perceptions for one from which the map cycles or does not settle. Returns
    /// `None` if the map reaches a fixed point from all of them.
    #[must_use]
    pub fn first_unsettled(&self) -> Option<UnsettledPerception> {
        starts(1).chain(starts(4)).find_map(|perceived| {
            let (_, settling) = self.settle(&perceived);
            match settling {
                Settling::FixedPoint { .. } => None,
                Settling::Cycle { .. } | Settling::Unsettled => {
                    Some(UnsettledPerception { perceived, settling })
                }
            }
        })
    }

    /// Returns the map's first activation and the concepts that are held.
    ///
    /// A fixed concept has its value in the map only. The ladder uses the perceived activation.
    pub(crate) fn entry(&self, perceived: &Activations) -> (Activations, [bool; Concept::COUNT]) {
        self.entry_given(perceived, &[None; Concept::COUNT])
    }

    /// Like [`Self::entry`], but given values take precedence over fixed ones.
    fn entry_given(
        &self,
        perceived: &Activations,
        given: &[Option<f64>; Concept::COUNT],
    ) -> (Activations, [bool; Concept::COUNT]) {
        let clamped = |i: usize| given[i].or(self.fixed[i]);
        let start: Activations = Activations::from_fn(|i, _| clamped(i).unwrap_or(perceived[i]));
        let held = std::array::from_fn(|i| self.held[i] || clamped(i).is_some());
        let start = match self.map.rule {
            Rule::Kosko | Rule::ModifiedKosko => start,
            // rescaled maps use activations in [0, 1]
            Rule::Rescaled => start.map(|c| f64::midpoint(c, 1.0)),
        };
        (start, held)
    }

    /// Undoes the scaling of [`Self::entry`].
    pub(crate) fn unscaled(&self, state: Activations) -> Activations {
        match self.map.rule {
            Rule::Kosko | Rule::ModifiedKosko => state,
            Rule::Rescaled => state.map(|c| 2.0 * c - 1.0),
        }
    }

    fn carry_over(&self, felt: f64, last: Option<f64>) -> f64 {
        last.map_or(felt, |last| self.inertia * last + (1.0 - self.inertia) * felt)
    }

    /// Rounds intensity to the steps. Halves round away from 0, so fear and relief are treated
    /// alike.
    fn quantised(&self, intensity: f64) -> f64 {
        self.steps.map_or(intensity, |steps| {
            let steps = f64::from(steps);
            (intensity * steps).round() / steps
        })
    }

    /// Returns the ratios of the goal. An unsettled map leaves all ratios at 1.
    fn weigh(
        &self,
        goal: Option<G::Goal>,
        intensity: f64,
        settling: Settling,
        emotion_strength: u16,
    ) -> Ratios<G> {
        match settling {
            Settling::FixedPoint { .. } | Settling::Cycle { .. } => {
                self.relevance.ratios(goal, intensity, emotion_strength)
            }
            Settling::Unsettled => Ratios::NEUTRAL,
        }
    }
}

/// Iterates over a grid of all perceived concepts, from -1 to 1 in steps of 1/`fineness`.
pub(crate) fn starts(fineness: i32) -> impl Iterator<Item = Activations> {
    let sides = 2 * fineness + 1;
    (0..sides.pow(Concept::PERCEIVED.len() as u32)).map(move |mut number| {
        let mut start = Activations::zeros();
        for concept in Concept::PERCEIVED {
            start[concept as usize] = f64::from(number % sides - fineness) / f64::from(fineness);
            number /= sides;
        }
        start
    })
}
