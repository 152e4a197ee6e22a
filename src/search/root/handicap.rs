//! Limits the playing strength: fewer candidate moves, fewer nodes and evaluation errors.
//!
//! No move is picked at random. A weak player *overlooks* moves: near the root, only the most
//! salient ones are searched. It *calculates little*: its nodes are limited. And it *misjudges*: its
//! evaluation has errors.

/// The limits of a weakened player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The node limit per move.
    pub nodes: u64,
    /// The maximum number of moves considered at the root, for the replies, and for the moves after
    /// those. All moves are considered at later plies.
    pub breadth: [usize; Self::PLIES],
    /// The maximum evaluation error per side and kind of piece, in centipawns.
    pub blur: i32,
}

impl Handicap {
    /// The lowest strength available, in Elo.
    pub const LEAST_ELO: u16 = 1000;
    /// The strength from which there is no handicap, in Elo.
    pub const FULL_ELO: u16 = 3450;
    /// The number of plies at which moves are overlooked, the root included.
    pub const PLIES: usize = 3;

    /// Returns the handicap for a strength of about `elo`, or `None` at full strength.
    pub fn of_elo(elo: u16) -> Option<Self> {
        let above = LEVELS.iter().position(|(level, _)| *level > elo)?;
        let (low, weaker) = LEVELS[above.saturating_sub(1)];
        let (high, stronger) = LEVELS[above];
        let (part, whole) = (i64::from(elo.max(low) - low), i64::from((high - low).max(1)));
        let between = |from: i64, to: i64| from + (to - from) * part / whole;
        Some(Self {
            nodes: between(weaker.nodes as i64, stronger.nodes as i64) as u64,
            breadth: std::array::from_fn(|ply| {
                between(weaker.breadth[ply] as i64, stronger.breadth[ply] as i64) as usize
            }),
            blur: between(weaker.blur.into(), stronger.blur.into()) as i32,
        })
    }
}

const fn level(
    elo: u16,
    nodes: u64,
    breadth: [usize; Handicap::PLIES],
    blur: i32,
) -> (u16, Handicap) {
    (elo, Handicap { nodes, breadth, blur })
}

/// Handicaps by Elo, weakest first. Values between levels are interpolated.
///
/// Up to 2500, measured in games with a fixed number of nodes against Stockfish 15.1 at Skill
/// Levels 0 to 7. The Elo of these levels follows Stockfish 16: the inverse of its formula from
/// `UCI_Elo` to Skill Level, fitted to CCRL ratings (1347, 1444, 1566, 1729, 1953, 2197, 2383,
/// 2518). From 2500 on, measured in timed games against engines of known rating. docs/measurements.md
/// lists the results.
const LEVELS: [(u16, Handicap); 11] = [
    level(Handicap::LEAST_ELO, 61, [6, 6, 6], 77),
    level(1250, 240, [11, 11, 10], 47),
    level(1500, 545, [15, 14, 12], 30),
    level(1750, 1_150, [19, 18, 16], 25),
    level(2000, 1_800, [22, 19, 17], 20),
    level(2250, 3_800, [27, 23, 20], 14),
    level(2500, 7_200, [30, 26, 22], 11),
    level(2750, 14_400, [34, 28, 24], 9),
    level(3000, 31_000, [38, 31, 27], 6),
    level(3250, 90_000, [50, 40, 34], 3),
    level(Handicap::FULL_ELO, 8_000_000, [218, 218, 218], 0),
];

/// The seed of the evaluation errors and of the noise in salience.
pub(super) const SEED: u64 = 0x6465_6570_6665_656c;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_elo_considers_more_and_full_elo_has_no_handicap() {
        let handicaps: Vec<_> =
            (Handicap::LEAST_ELO..Handicap::FULL_ELO).filter_map(Handicap::of_elo).collect();
        assert_eq!(handicaps.len(), usize::from(Handicap::FULL_ELO - Handicap::LEAST_ELO));
        for pair in handicaps.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].blur >= pair[1].blur);
            assert!((0..3).all(|ply| pair[0].breadth[ply] <= pair[1].breadth[ply]));
        }
        assert_eq!(Handicap::of_elo(0), handicaps.first().copied());
        assert_eq!(Handicap::of_elo(Handicap::FULL_ELO), None);
        assert_eq!(Handicap::of_elo(u16::MAX), None);
    }
}
