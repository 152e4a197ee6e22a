//! The mind that a game starts from: the article's map with our usual numbers, and no goals.

use super::{
    Mind,
    channels::Channels,
    concept::Concept,
    fcm::{FuzzyCognitiveMap, Rule, Squash},
    game::FeltGame,
    listed::Row,
    perception::{Perception, Ramp},
    relevance::{GoalRelevance, RelevanceTable},
};
use nalgebra::SMatrix;

/// The article's table 2: the weight of each link, `LINKS[from][to]`, in the order of [`Concept::ALL`].
pub const LINKS: [[f64; Concept::COUNT]; Concept::COUNT] = [
    [0.0, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0],
    [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0],
    [0.5, 0.5, 0.0, 0.0, 0.5, 1.0, 0.25],
    [0.5, 0.13, 0.0, 0.0, 0.0, 0.5, 0.0],
    [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
];

impl<G: FeltGame> Mind<G> {
    /// Returns the article's map with the numbers of `config/standard.toml`, and without goals.
    ///
    /// The links are the article's (table 2). Slope, held concepts, steps and bounds are ours. Until
    /// the game sets them, every measure is perceived from -1 to 1 and thresholds have their default.
    #[must_use]
    pub fn standard() -> Self {
        let ramp = Ramp { from: -1.0, to: 1.0 };
        Self {
            perception: Perception { material: ramp, mobility: ramp, safety: ramp, exposure: ramp },
            map: FuzzyCognitiveMap {
                influence: SMatrix::from_fn(|to, from| LINKS[from][to]),
                squash: Squash::BipolarLogistic { slope: 2.0 },
                rule: Rule::Kosko,
                tolerance: 1e-6,
                step_limit: 200,
            },
            held: Concept::ALL.map(Concept::is_perceived),
            fixed: [None; Concept::COUNT],
            thresholds: G::Thresholds::default(),
            ladder: Vec::new(),
            relevance: RelevanceTable {
                goals: Row::from_fn(|_| GoalRelevance::neutral()),
                floor: Some(0.25),
                ceiling: Some(4.0),
            },
            steps: Some(4),
            inertia: 0.0,
            bend: 0.0,
            channels: Channels::default(),
        }
    }
}
