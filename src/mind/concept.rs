//! Concepts: the nodes of the map, under the article's names, and their linguistic labels (table 1).

/// A node of the map; every activation is in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Concept {
    /// Des: undesirable to desirable.
    Desirability,
    /// Aliv: the emotion itself, from fear (-1) to relief (1); its value is the intensity.
    Relief,
    /// Exc: at rest to excited.
    Arousal,
    /// BM: material disadvantage to advantage.
    Material,
    /// Mov: immobile to mobile.
    Mobility,
    /// `SegR`: own king defenceless to safe.
    KingSafety,
    /// `IndROp`: opponent's king safe to defenceless.
    KingExposure,
}

impl Concept {
    /// Every concept, in the order of the article's table 2.
    pub const ALL: [Self; 7] = [
        Self::Desirability,
        Self::Relief,
        Self::Arousal,
        Self::Material,
        Self::Mobility,
        Self::KingSafety,
        Self::KingExposure,
    ];
    /// How many concepts there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The name in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Desirability => "desirability",
            Self::Relief => "relief",
            Self::Arousal => "arousal",
            Self::Material => "material",
            Self::Mobility => "mobility",
            Self::KingSafety => "king_safety",
            Self::KingExposure => "king_exposure",
        }
    }

    /// The concept of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|concept| concept.name() == name)
    }

    /// The article's abbreviation.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Desirability => "Des",
            Self::Relief => "Aliv",
            Self::Arousal => "Exc",
            Self::Material => "BM",
            Self::Mobility => "Mov",
            Self::KingSafety => "SegR",
            Self::KingExposure => "IndROp",
        }
    }

    /// Whether the board raises this concept; the others are felt, and only the map moves them.
    #[must_use]
    pub const fn is_perceived(self) -> bool {
        match self {
            Self::Material | Self::Mobility | Self::KingSafety | Self::KingExposure => true,
            Self::Desirability | Self::Relief | Self::Arousal => false,
        }
    }

    /// The labels of table 1, lowest first.
    #[must_use]
    pub const fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Desirability => &["undesirable", "neutral", "desirable"],
            Self::Relief => &["fear", "neutral", "relief"],
            Self::Arousal => &["at_rest", "neutral", "excited"],
            Self::Material => &["disadvantage", "even", "advantage"],
            Self::Mobility => &["immobile", "mobile"],
            Self::KingSafety => &["defenceless", "neutral", "safe"],
            Self::KingExposure => &["safe", "neutral", "defenceless"],
        }
    }

    /// Which of [`Self::labels`] an activation bears. Table 1 gives mobility two, [-1, 0] and
    /// (0, 1], and the others three: [-1, -0.5), [-0.5, 0.5] and (0.5, 1].
    #[must_use]
    pub fn label_of(self, value: f64) -> usize {
        match self {
            Self::Mobility => usize::from(value > 0.0),
            Self::Desirability
            | Self::Relief
            | Self::Arousal
            | Self::Material
            | Self::KingSafety
            | Self::KingExposure => usize::from(value >= -0.5) + usize::from(value > 0.5),
        }
    }

    /// The word for an activation: "fear", "even", "mobile".
    #[must_use]
    pub fn label(self, value: f64) -> &'static str {
        self.labels()[self.label_of(value)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_those_of_table_1() {
        let words = |concept: Concept, values: [f64; 5]| values.map(|value| concept.label(value));
        assert_eq!(
            words(Concept::Relief, [-1.0, -0.500_001, -0.5, 0.5, 0.500_001]),
            ["fear", "fear", "neutral", "neutral", "relief"]
        );
        assert_eq!(
            words(Concept::Mobility, [-1.0, -0.1, 0.0, 1e-9, 1.0]),
            ["immobile", "immobile", "immobile", "mobile", "mobile"]
        );
        assert_eq!(Concept::KingExposure.label(1.0), "defenceless");
        assert_eq!(Concept::KingSafety.label(1.0), "safe");
    }

    #[test]
    fn names_are_found_again_and_the_list_is_in_order() {
        for (i, concept) in Concept::ALL.into_iter().enumerate() {
            assert_eq!(concept as usize, i);
            assert_eq!(Concept::from_name(concept.name()), Some(concept));
        }
        assert_eq!(Concept::from_name("fear"), None);
    }
}
