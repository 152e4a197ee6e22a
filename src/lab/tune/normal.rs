//! The normal form of weights that say the same: what a table gives every man of a kind belongs to
//! the value of that kind.
//!
//! Every knight stands on one square, reaches one number of squares and is at one distance of either
//! king, so a constant can wander from those tables to the knight's value and back without any score
//! noticing. A feeling notices: it weighs placement and mobility otherwise than material. Hence each
//! such table averages zero over what occurs.

use crate::{
    chess::score::Tapered,
    eval::{
        feature::{Feature, LEN},
        group::Group,
        trace,
        weights::Weights,
    },
    support::random::Random,
};
use shakmaty::{Bitboard, CastlingMode, Chess, Color, FromSetup, Piece, Role, Setup, Square};
use std::ops::Range;

/// A table that counts every man of a kind exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Table {
    weights: Range<usize>,
    /// Where the kind's value is; none for the king, who is always there.
    value: Option<usize>,
    /// Whose men they are: of the side that the table is told to, or of the other.
    whose: Whose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Own,
    Other,
}

/// Random positions that are tried to find those tables.
const PROBES: usize = 20_000;

/// Brings `weights` into normal form without changing any score. `occurrences` tells how often each
/// weight occurs; only weights that are `free` are touched.
pub fn normalise(weights: &mut Weights, occurrences: &[u64], free: &[bool; LEN]) {
    let (tables, reachable) = tables();
    for table in tables {
        let all_free = table.weights.clone().chain(table.value).all(|i| free[i]);
        let total: u64 = occurrences[table.weights.clone()].iter().sum();
        if !all_free || total == 0 {
            continue;
        }
        let mean = |of: fn(Tapered) -> i32| {
            let sum: i128 = table
                .weights
                .clone()
                .map(|i| i128::from(of(weights.0[i])) * i128::from(occurrences[i]))
                .sum();
            let half = i128::from(total) / 2 * sum.signum();
            ((sum + half) / i128::from(total)) as i32
        };
        let mean = Tapered::new(mean(Tapered::mg), mean(Tapered::eg));
        for i in table.weights.filter(|&i| reachable[i] || occurrences[i] > 0) {
            weights.0[i] -= mean;
        }
        if let Some(value) = table.value {
            match table.whose {
                Whose::Own => weights.0[value] += mean,
                // what is good for the one side is bad for the other
                Whose::Other => weights.0[value] -= mean,
            }
        }
    }
}

/// Those tables, and which weights can occur at all, found by trying.
fn tables() -> (Vec<Table>, [bool; LEN]) {
    let range = |feature: Feature| feature.start()..feature.start() + feature.spec().len;
    let values = range(Feature::PieceValue)
        .flat_map(|value| [Whose::Own, Whose::Other].map(|whose| (Some(value), whose)));
    let mut tables = Vec::new();
    for feature in Feature::ALL {
        let many = feature.spec().len > 1 && feature != Feature::PieceValue;
        // what is told of every king is a constant only where it is told to both alike
        let king = (feature.spec().group == Group::Placement).then_some((None, Whose::Own));
        let values = values.clone().chain(king).filter(|_| many);
        tables.extend(values.map(|(value, whose)| Table { weights: range(feature), value, whose }));
    }
    let mut reachable = [false; LEN];
    let mut random = Random::new(0);
    for chess in std::iter::repeat_with(|| scattered(&mut random)).flatten().take(PROBES) {
        let trace = trace(&chess);
        for side in Color::ALL {
            let counts = trace.counts(side);
            tables.retain(|table| {
                let sum: i32 = counts[table.weights.clone()].iter().sum();
                let men = match table.whose {
                    Whose::Own => counts,
                    Whose::Other => trace.counts(!side),
                };
                sum == table.value.map_or(1, |value| men[value])
            });
            for (reachable, &count) in reachable.iter_mut().zip(counts) {
                *reachable |= count != 0;
            }
        }
    }
    (tables, reachable)
}

/// A position of some men thrown on the board, among them often a crowd of pawns, maybe all on one
/// colour, since whatever counts many pawns would else hardly occur. None if they fell against the
/// rules.
fn scattered(random: &mut Random) -> Option<Chess> {
    const MEN: [Role; 6] =
        [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    const GROUNDS: [Bitboard; 3] =
        [Bitboard::FULL, Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES];
    let side = |random: &mut Random| Color::from_white(random.below(2) == 0);
    let mut setup = Setup::empty();
    let mut throw = |random: &mut Random, piece: Piece, ground: Bitboard| {
        let square = Square::new(random.below(64) as u32);
        if ground.contains(square) && setup.board.piece_at(square).is_none() {
            setup.board.set_piece_at(square, piece);
        }
    };
    for king in Color::ALL.map(|side| Role::King.of(side)) {
        throw(random, king, Bitboard::FULL);
    }
    let (crowd, ground) = (Role::Pawn.of(side(random)), GROUNDS[random.below(GROUNDS.len())]);
    for _ in 0..random.below(12) {
        throw(random, crowd, ground);
    }
    for _ in 0..random.below(24) {
        let man = MEN[random.below(MEN.len())].of(side(random));
        throw(random, man, Bitboard::FULL);
    }
    setup.turn = side(random);
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, lab::bench::POSITIONS, profile::Profile};
    use shakmaty::ByColor;

    #[test]
    fn scores_stay_and_tables_average_zero() {
        let start = Profile::builtin("default").unwrap().weights;
        let occurrences: Vec<u64> = (0..LEN as u64).map(|i| 1000 + i * 7919 % 997).collect();
        let mut normal = start.clone();
        normalise(&mut normal, &occurrences, &[true; LEN]);
        assert_ne!(normal, start);
        let both = |weights: &Weights| ByColor { white: weights.clone(), black: weights.clone() };
        let mut random = Random::new(99);
        let played = POSITIONS.iter().map(|fen| Game::from_fen(fen, None).unwrap().chess);
        let thrown = std::iter::repeat_with(|| scattered(&mut random)).flatten().take(500);
        for chess in played.chain(thrown) {
            let trace = trace(&chess);
            assert_eq!(trace.under(&both(&normal)), trace.under(&both(&start)));
        }
        let (tables, _) = tables();
        assert!(tables.len() >= 6, "a table of squares for each kind");
        assert!(tables.iter().any(|table| table.whose == Whose::Other), "distances to a king");
        for table in &tables {
            let total: u64 = occurrences[table.weights.clone()].iter().sum();
            let sum: i64 = table
                .weights
                .clone()
                .map(|i| i64::from(normal.0[i].mg()) * occurrences[i] as i64)
                .sum();
            assert!(sum.unsigned_abs() <= total, "{table:?}");
        }
        let again = normal.clone();
        normalise(&mut normal, &occurrences, &[true; LEN]);
        assert_eq!(normal, again);
    }

    #[test]
    fn what_is_not_free_stays() {
        let start = Profile::builtin("default").unwrap().weights;
        let mut weights = start.clone();
        normalise(&mut weights, &[1; LEN], &[false; LEN]);
        assert_eq!(weights, start);
    }
}
