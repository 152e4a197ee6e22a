//! What a goal can weigh: the groups of terms.

/// The groups of terms that a goal can make more or less important.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Group {
    /// What the pieces are worth, alone and together: the article's material balance.
    Material,
    /// Where they stand.
    Placement,
    /// Where they can go: the article's mobility.
    Mobility,
    /// How the pawns hold together.
    Pawns,
    /// Pawns that nothing stops any more.
    Passed,
    /// Outposts, open files and what else a piece can be proud or ashamed of.
    Pieces,
    /// The safety of a king, told to its owner: the article's king safety.
    King,
    /// What could be taken next.
    Threats,
    /// Room behind the own pawns.
    Space,
    /// What makes a won ending easier to win.
    Ending,
}

impl Group {
    /// Every group, in the order of declaration.
    pub const ALL: [Self; 10] = [
        Self::Material,
        Self::Placement,
        Self::Mobility,
        Self::Pawns,
        Self::Passed,
        Self::Pieces,
        Self::King,
        Self::Threats,
        Self::Space,
        Self::Ending,
    ];
    /// How many groups there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The name in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Placement => "placement",
            Self::Mobility => "mobility",
            Self::Pawns => "pawns",
            Self::Passed => "passed",
            Self::Pieces => "pieces",
            Self::King => "king",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::Ending => "ending",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_declaration_order() {
        for (i, group) in Group::ALL.into_iter().enumerate() {
            assert_eq!(group as usize, i, "{group:?}");
        }
    }
}
