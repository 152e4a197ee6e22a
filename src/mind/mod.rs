//! The emotional model: perceive, choose a goal, feel, weigh.
//!
//! Laureano-Cruces et al. 2012. An appraisal is a function of position and mind; whoever wants
//! inertia from move to move keeps what was felt last and passes it in.

pub mod analysis;
pub mod appraisal;
pub mod channels;
pub mod concept;
pub mod fact;
pub mod fcm;
pub mod goal;
pub mod knob;
pub mod perception;
pub mod relevance;
pub mod salience;

use crate::eval::measures::Measures;
use appraisal::Appraisal;
use concept::Concept;
use fact::{Fact, Facts};
use fcm::{Activation, Rule, Settling};
use relevance::Ratios;
use shakmaty::{Chess, Color};

/// A mind: how it perceives, its map of concepts, its goals, and what each makes relevant.
#[derive(Clone, Debug, PartialEq)]
pub struct Mind {
    pub perception: perception::Perception,
    pub map: fcm::FuzzyCognitiveMap<{ Concept::COUNT }>,
    /// Concepts that keep what was perceived while the map settles.
    pub held: [bool; Concept::COUNT],
    /// Concepts that have this value throughout, whatever the board says.
    pub fixed: [Option<f64>; Concept::COUNT],
    /// Where facts of the board begin.
    pub thresholds: fact::Thresholds,
    /// The decision list; the first rung that holds gives the goal.
    pub ladder: Vec<goal::Rung>,
    pub relevance: relevance::RelevanceTable,
    /// Intensity is rounded to this many steps from 0 to 1; none leaves it as it is.
    pub steps: Option<u16>,
    /// Share of the last intensity that carries over to this one, 0 to 1 (0: none).
    pub inertia: f64,
    /// The ways of a feeling into play beside the relevance.
    pub channels: channels::Channels,
}

/// What is told instead of perceived.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    /// Concepts that have these values, and keep them while the map settles.
    pub concepts: [Option<f64>; Concept::COUNT],
    /// What the ladder takes for true or false.
    pub facts: [Option<bool>; Fact::COUNT],
}

/// A perception from which a map does not come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restless {
    pub perceived: Activation<{ Concept::COUNT }>,
    pub settling: Settling,
}

impl Mind {
    /// What `side` feels about the position. `temperament` is in percent, 0 to 200; `last` is what
    /// it felt before this one ([`Appraisal::felt`]), if there was any in this game.
    #[must_use]
    pub fn appraise(
        &self,
        chess: &Chess,
        side: Color,
        emotion_strength: u16,
        last: Option<f64>,
    ) -> Appraisal {
        self.appraise_given(chess, side, emotion_strength, last, &Given::default())
    }

    /// [`Self::appraise`] where some concepts and facts are given: whatever follows from them follows
    /// from what is given, the others stay as the board has them. So scenarios are told of maps in
    /// general: a concept that is given is clamped.
    #[must_use]
    pub fn appraise_given(
        &self,
        chess: &Chess,
        side: Color,
        emotion_strength: u16,
        last: Option<f64>,
        given: &Given,
    ) -> Appraisal {
        let measures = Measures::of(chess, side);
        let perceived = self.perception.perceive(&measures);
        let perceived = Activation::from_fn(|i, _| {
            // what is felt is given to the map alone
            given.concepts[i].filter(|_| Concept::ALL[i].is_perceived()).unwrap_or(perceived[i])
        });
        let facts = Facts::of(chess, side, &self.thresholds).given(&given.facts);
        let goal = goal::choose(&self.ladder, &facts, &perceived);
        let (start, held) = self.entry_given(&perceived, &given.concepts);
        let (settled, settling) = self.settle_from(&start, held);
        let felt = settling.trusted(self.carry_over(settled[Concept::Relief as usize], last));
        let intensity = self.quantised(felt);
        let ratios = self.weigh(goal, intensity, settling, emotion_strength);
        let leaning = self.channels.under(intensity, emotion_strength);
        Appraisal {
            side,
            measures,
            perceived,
            goal,
            settled,
            settling,
            felt,
            intensity,
            ratios,
            leaning,
        }
    }

    /// Where the map ends from what is perceived.
    #[must_use]
    pub fn settle(
        &self,
        perceived: &Activation<{ Concept::COUNT }>,
    ) -> (Activation<{ Concept::COUNT }>, Settling) {
        let (start, held) = self.entry(perceived);
        self.settle_from(&start, held)
    }

    fn settle_from(
        &self,
        start: &Activation<{ Concept::COUNT }>,
        held: [bool; Concept::COUNT],
    ) -> (Activation<{ Concept::COUNT }>, Settling) {
        let (end, settling) = self.map.relax(start, &held);
        (self.unscaled(end), settling)
    }

    /// [`Self::settle`] step by step, the start first.
    #[must_use]
    pub fn settle_traced(
        &self,
        perceived: &Activation<{ Concept::COUNT }>,
    ) -> (Vec<Activation<{ Concept::COUNT }>>, Settling) {
        let (start, held) = self.entry(perceived);
        let (states, _, settling) = self.map.relax_traced(&start, &held);
        (states.into_iter().map(|state| self.unscaled(state)).collect(), settling)
    }

    /// The first perception, from the corners and a grid between them, from which the map cycles or
    /// does not settle. None if it rests from all of these.
    #[must_use]
    pub fn first_restless(&self) -> Option<Restless> {
        starts(1).chain(starts(4)).find_map(|perceived| {
            let (_, settling) = self.settle(&perceived);
            match settling {
                Settling::FixedPoint { .. } => None,
                Settling::Cycle { .. } | Settling::Unsettled => {
                    Some(Restless { perceived, settling })
                }
            }
        })
    }

    /// The map's first activation, and which concepts keep theirs. A fixed concept has its value in
    /// the map only; the ladder sees what was perceived.
    pub(crate) fn entry(
        &self,
        perceived: &Activation<{ Concept::COUNT }>,
    ) -> (Activation<{ Concept::COUNT }>, [bool; Concept::COUNT]) {
        self.entry_given(perceived, &[None; Concept::COUNT])
    }

    /// The same where some concepts are given, which goes before what is fixed.
    fn entry_given(
        &self,
        perceived: &Activation<{ Concept::COUNT }>,
        given: &[Option<f64>; Concept::COUNT],
    ) -> (Activation<{ Concept::COUNT }>, [bool; Concept::COUNT]) {
        let still = |i: usize| given[i].or(self.fixed[i]);
        let start: Activation<{ Concept::COUNT }> =
            Activation::from_fn(|i, _| still(i).unwrap_or(perceived[i]));
        let held = std::array::from_fn(|i| self.held[i] || still(i).is_some());
        let start = match self.map.rule {
            Rule::Kosko | Rule::ModifiedKosko => start,
            // such a map lives in [0, 1]
            Rule::Rescaled => start.map(|c| f64::midpoint(c, 1.0)),
        };
        (start, held)
    }

    /// The inverse of the scaling in [`Self::entry`].
    pub(crate) fn unscaled(
        &self,
        state: Activation<{ Concept::COUNT }>,
    ) -> Activation<{ Concept::COUNT }> {
        match self.map.rule {
            Rule::Kosko | Rule::ModifiedKosko => state,
            Rule::Rescaled => state.map(|c| 2.0 * c - 1.0),
        }
    }

    fn carry_over(&self, felt: f64, last: Option<f64>) -> f64 {
        last.map_or(felt, |last| self.inertia * last + (1.0 - self.inertia) * felt)
    }

    /// Halves go away from 0, so that fear and relief are rounded alike.
    fn quantised(&self, intensity: f64) -> f64 {
        self.steps.map_or(intensity, |steps| {
            let steps = f64::from(steps);
            (intensity * steps).round() / steps
        })
    }

    /// An unsettled map weighs nothing, whatever the temperament and the bounds.
    fn weigh(
        &self,
        goal: Option<goal::Goal>,
        intensity: f64,
        settling: Settling,
        emotion_strength: u16,
    ) -> Ratios {
        match settling {
            Settling::FixedPoint { .. } | Settling::Cycle { .. } => {
                self.relevance.ratios(goal, intensity, emotion_strength)
            }
            Settling::Unsettled => Ratios::NEUTRAL,
        }
    }
}

/// Every combination of the board concepts in steps of 1/`fineness`: at 1 with the middle, at 4 in
/// quarters.
pub(crate) fn starts(fineness: i32) -> impl Iterator<Item = Activation<{ Concept::COUNT }>> {
    let sides = 2 * fineness + 1;
    let board = Concept::ALL.into_iter().filter(|concept| concept.is_perceived());
    let board: Vec<_> = board.collect();
    (0..sides.pow(board.len() as u32)).map(move |mut number| {
        let mut start = Activation::zeros();
        for &concept in &board {
            start[concept as usize] = f64::from(number % sides - fineness) / f64::from(fineness);
            number /= sides;
        }
        start
    })
}
