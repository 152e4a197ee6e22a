//! The danger of a king in units: how much each of its causes adds.
//!
//! Danger grows faster than the sum of its causes, so the table [`Feature::KingDanger`] turns the sum
//! of units into a score. The form is the usual one; the numbers are ours, fitted by
//! [`crate::lab::tune::danger`].
//! <https://www.chessprogramming.org/King_Safety#Attack_Units>

use super::feature::Feature;

/// A cause of danger to a king. Tables of four are for knights, bishops, rooks and queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Cause {
    /// Each enemy piece that attacks the king ring.
    Attacker,
    /// Each attack of an enemy piece on a square of the king ring.
    AttackedSquare,
    /// A kind of piece that can give a safe check.
    SafeCheck,
    /// A kind of piece that can give a check, but only where it can be captured.
    UnsafeCheck,
    /// Each square of the king ring that is weakly defended.
    WeakSquare,
    /// Each attacked square of the king ring that no own pawn defends.
    RingSquare,
    /// Each attacked square next to the king.
    AdjacentSquare,
    /// An own knight that guards the king ring.
    KnightGuard,
    /// An own bishop that guards the king ring.
    BishopGuard,
    /// The enemy has no queen.
    NoQueen,
    /// The enemy is to move.
    AttackerMoves,
    /// A king, whatever its position.
    King,
    /// The rank of the nearest own pawn on each file beside the king.
    SideShield,
    /// The rank of the nearest own pawn on the king's file.
    KingShield,
    /// The rank of the nearest enemy pawn on each file beside the king, unless an own pawn blocks it.
    SideStorm,
    /// The rank of the nearest enemy pawn on the king's file, unless an own pawn blocks it.
    KingStorm,
}

/// A cause, its name and its units. Tables by rank start with files without a pawn, and ranks are as
/// the king's side sees them.
const CAUSES: [(Cause, &str, &[i32]); COUNT] = [
    (Cause::Attacker, "attacker", &[31, 12, 11, 37]),
    (Cause::AttackedSquare, "attacked_square", &[23, 26, 12, 17]),
    (Cause::SafeCheck, "safe_check", &[111, 74, 102, 118]),
    (Cause::UnsafeCheck, "unsafe_check", &[34, 10, 49, 0]),
    (Cause::WeakSquare, "weak_square", &[19]),
    (Cause::RingSquare, "ring_square", &[13]),
    (Cause::AdjacentSquare, "adjacent_square", &[12]),
    (Cause::KnightGuard, "knight_guard", &[-35]),
    (Cause::BishopGuard, "bishop_guard", &[-22]),
    (Cause::NoQueen, "no_queen", &[-280]),
    (Cause::AttackerMoves, "attacker_moves", &[83]),
    (Cause::King, "king", &[29]),
    (Cause::SideShield, "side_shield", &[20, 12, 9, 28, 51, 41, 21, 0]),
    (Cause::KingShield, "king_shield", &[22, 6, 7, 25, 25, 43, 76, 0]),
    (Cause::SideStorm, "side_storm", &[13, 50, 105, 68, 18, 5, 2, 0]),
    (Cause::KingStorm, "king_storm", &[16, 68, 72, 30, 5, -18, -15, 0]),
];

const COUNT: usize = 16;

/// Units per entry of the table [`Feature::KingDanger`].
pub const STEP: i32 = 16;

impl Cause {
    /// Every cause, in the order of declaration.
    pub const ALL: [Self; COUNT] = {
        let mut all = [Self::Attacker; COUNT];
        let mut i = 0;
        while i < COUNT {
            all[i] = CAUSES[i].0;
            i += 1;
        }
        all
    };

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        CAUSES[self as usize].1
    }

    /// Returns the units of one occurrence, for each index of its table.
    #[must_use]
    #[inline]
    pub const fn units(self) -> &'static [i32] {
        CAUSES[self as usize].2
    }

    /// Returns the index of its first unit in the flat table of all causes.
    #[must_use]
    pub const fn start(self) -> usize {
        let (mut start, mut i) = (0, 0);
        while i < self as usize {
            start += CAUSES[i].2.len();
            i += 1;
        }
        start
    }
}

/// The number of units of all causes.
pub const LEN: usize = {
    let last = Cause::ALL[COUNT - 1];
    last.start() + last.units().len()
};

/// Returns the index of the table [`Feature::KingDanger`] for a sum of units.
#[must_use]
pub fn level(danger: i32) -> usize {
    let last = Feature::KingDanger.spec().len - 1;
    ((danger.max(0) / STEP) as usize).min(last)
}

/// What a cause adds to the danger of a king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Danger {
    /// How often the cause occurs, over all indices of its table.
    pub count: i32,
    /// The units of all occurrences together.
    pub units: i32,
}

/// Returns what `cause` adds to the danger of a king. `counts` has all causes in the order of their
/// flat table.
#[must_use]
pub fn of_cause(cause: Cause, counts: &[i32; LEN]) -> Danger {
    let counts = &counts[cause.start()..][..cause.units().len()];
    let units = counts.iter().zip(cause.units()).map(|(count, units)| count * units).sum();
    Danger { count: counts.iter().sum(), units }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_in_declaration_order() {
        for (i, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, i, "{cause:?}");
        }
    }

    #[test]
    fn levels_start_at_0_and_end_with_the_table() {
        assert_eq!([-100, 15, 16, 100_000].map(level), [0, 0, 1, 63]);
    }
}
