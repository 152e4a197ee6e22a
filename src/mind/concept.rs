//! Concepts: the nodes of the fuzzy cognitive map, and their linguistic labels (the article's table
//! 1).
//!
//! The concepts are the same in every game. What the four perceived ones stand for, and their names
//! in profiles, are up to the game: see [`super::game::FeltGame::MEASURES`].

use super::fcm::Activation;
use crate::support::variants::variants;

/// The activations of all concepts, in the order of [`Concept::ALL`].
pub type Activations = Activation<{ Concept::COUNT }>;

/// A node of the map. Activations are in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
#[repr(usize)]
pub enum Concept {
    /// `Des`: how desirable the situation is, from undesirable (-1) to desirable (1).
    Desirability,
    /// `Aliv`: the emotion, from fear (-1) to relief (1). Its activation is the intensity.
    Relief,
    /// `Exc`: arousal, from at rest (-1) to excited (1).
    Arousal,
    /// `BM`: the material balance, from disadvantage (-1) to advantage (1).
    Material,
    /// `Mov`: the mobility of the side that feels, from immobile (-1) to mobile (1).
    Mobility,
    /// `SegR`: how safe it is from what loses games, from defenceless (-1) to safe (1). In chess, the
    /// safety of its king.
    Safety,
    /// `IndROp`: how exposed the opponent is to the same, from safe (-1) to defenceless (1).
    Exposure,
}

impl Concept {
    /// Every concept, in the order of the article's table 2.
    pub const ALL: [Self; 7] = variants();
    /// The concepts that are perceived, in the order of the measures.
    pub const PERCEIVED: [Self; 4] = [Self::Material, Self::Mobility, Self::Safety, Self::Exposure];
    /// The number of concepts.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the article's abbreviation.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Desirability => "Des",
            Self::Relief => "Aliv",
            Self::Arousal => "Exc",
            Self::Material => "BM",
            Self::Mobility => "Mov",
            Self::Safety => "SegR",
            Self::Exposure => "IndROp",
        }
    }

    /// Returns whether this concept is perceived from the position. The others change only through the
    /// map.
    #[must_use]
    pub const fn is_perceived(self) -> bool {
        match self {
            Self::Material | Self::Mobility | Self::Safety | Self::Exposure => true,
            Self::Desirability | Self::Relief | Self::Arousal => false,
        }
    }

    /// Returns the labels of table 1, lowest first.
    #[must_use]
    pub const fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Desirability => &["undesirable", "neutral", "desirable"],
            Self::Relief => &["fear", "neutral", "relief"],
            Self::Arousal => &["at_rest", "neutral", "excited"],
            Self::Material => &["disadvantage", "even", "advantage"],
            Self::Mobility => &["immobile", "mobile"],
            Self::Safety => &["defenceless", "neutral", "safe"],
            Self::Exposure => &["safe", "neutral", "defenceless"],
        }
    }

    /// Returns the index in [`Self::labels`] of the label for an activation.
    ///
    /// Table 1 has two labels for mobility, [-1, 0] and (0, 1]. The other concepts have three:
    /// [-1, -0.5), [-0.5, 0.5] and (0.5, 1].
    #[must_use]
    pub fn label_of(self, value: f64) -> usize {
        match self {
            Self::Mobility => usize::from(value > 0.0),
            Self::Desirability
            | Self::Relief
            | Self::Arousal
            | Self::Material
            | Self::Safety
            | Self::Exposure => usize::from(value >= -0.5) + usize::from(value > 0.5),
        }
    }

    /// Returns the label for an activation, such as "fear", "even" or "mobile".
    #[must_use]
    pub fn label(self, value: f64) -> &'static str {
        self.labels()[self.label_of(value)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_follow_table_1() {
        let words = |concept: Concept, values: [f64; 5]| values.map(|value| concept.label(value));
        assert_eq!(
            words(Concept::Relief, [-1.0, -0.500_001, -0.5, 0.5, 0.500_001]),
            ["fear", "fear", "neutral", "neutral", "relief"]
        );
        assert_eq!(
            words(Concept::Mobility, [-1.0, -0.1, 0.0, 1e-9, 1.0]),
            ["immobile", "immobile", "immobile", "mobile", "mobile"]
        );
        assert_eq!(Concept::Exposure.label(1.0), "defenceless");
        assert_eq!(Concept::Safety.label(1.0), "safe");
    }

    #[test]
    fn the_list_is_in_order_and_tells_which_concepts_are_perceived() {
        for (i, concept) in Concept::ALL.into_iter().enumerate() {
            assert_eq!(concept as usize, i);
            assert_eq!(concept.is_perceived(), Concept::PERCEIVED.contains(&concept));
        }
    }
}
