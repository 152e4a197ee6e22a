//! Groups of evaluation features, the units to which a goal applies its factors.

use crate::support::variants::variants;

/// A group of features that a goal can weigh more or less than usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[repr(usize)]
pub enum Group {
    /// Piece values and material combinations: the article's material balance.
    Material,
    /// Piece-square values, and the right to move.
    Placement,
    /// The number of squares that pieces reach: the article's mobility.
    Mobility,
    /// Pawn structure: isolated, doubled, backward, connected and blocked pawns.
    Pawns,
    /// Passed pawns, and candidates.
    Passed,
    /// Strong and weak posts of pieces: outposts, open files, bad bishops.
    Pieces,
    /// The safety of a king, counted for its owner: the article's king safety.
    King,
    /// Enemy pieces under attack.
    Threats,
    /// Space: safe squares in one's own half.
    Space,
    /// Features that make an ending easier to win for the side that is ahead.
    Ending,
}

impl Group {
    /// Every group, in the order of declaration.
    pub const ALL: [Self; 10] = variants();
    /// The number of groups.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the name used in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
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
