//! Normalises weights: moves the mean of each table of a piece into the value of that piece.
//!
//! Every knight has one square, one mobility count and one distance to either king. A constant can
//! therefore move between these tables and the knight's value without changing any score. It does
//! change play under emotion, which weights placement and mobility differently from material. In
//! normal form, each such table averages zero over the training positions.

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

/// A table of weights that counts every piece of one kind exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CountTable {
    weights: Range<usize>,
    /// Index of the piece value. `None` for the king, which both sides always have.
    value: Option<usize>,
    whose: Whose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The table counts pieces of the side that gets the score.
    Own,
    /// The table counts pieces of the opponent.
    Other,
}

/// Number of random positions used to detect the tables.
const PROBES: usize = 20_000;

/// Brings `weights` into normal form without changing any score. `occurrences` is the count of each
/// weight in the training positions. A table is skipped unless all its weights are `free`.
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
                // the table scores the opponent's pieces, so its mean counts against their value
                Whose::Other => weights.0[value] -= mean,
            }
        }
    }
}

/// Returns the tables to normalise, and which weights can occur at all. Both are found by testing
/// random positions.
fn tables() -> (Vec<CountTable>, [bool; LEN]) {
    let range = |feature: Feature| feature.start()..feature.start() + feature.spec().len;
    let values = range(Feature::PieceValue)
        .flat_map(|value| [Whose::Own, Whose::Other].map(|whose| (Some(value), whose)));
    let mut tables = Vec::new();
    for feature in Feature::ALL {
        let many = feature.spec().len > 1 && feature != Feature::PieceValue;
        // a constant for each king cancels out only if both sides get it
        let king = (feature.spec().group == Group::Placement).then_some((None, Whose::Own));
        let values = values.clone().chain(king).filter(|_| many);
        tables.extend(values.map(|(value, whose)| CountTable {
            weights: range(feature),
            value,
            whose,
        }));
    }
    let mut reachable = [false; LEN];
    let mut random = Random::new(0);
    for chess in std::iter::repeat_with(|| random_position(&mut random)).flatten().take(PROBES) {
        let trace = trace(&chess);
        for side in Color::ALL {
            let counts = trace.counts(side);
            tables.retain(|table| {
                let sum: i32 = counts[table.weights.clone()].iter().sum();
                let counted = match table.whose {
                    Whose::Own => counts,
                    Whose::Other => trace.counts(!side),
                };
                sum == table.value.map_or(1, |value| counted[value])
            });
            for (reachable, &count) in reachable.iter_mut().zip(counts) {
                *reachable |= count != 0;
            }
        }
    }
    (tables, reachable)
}

/// Returns a position with random pieces, or `None` if it is illegal. Many positions have a crowd
/// of pawns, often on squares of one colour, because features that count many pawns are rare
/// otherwise.
fn random_position(random: &mut Random) -> Option<Chess> {
    const ROLES: [Role; 6] =
        [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    const AREAS: [Bitboard; 3] = [Bitboard::FULL, Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES];
    let side = |random: &mut Random| Color::from_white(random.below(2) == 0);
    let mut setup = Setup::empty();
    let mut place = |random: &mut Random, piece: Piece, area: Bitboard| {
        let square = Square::new(random.below(64) as u32);
        if area.contains(square) && setup.board.piece_at(square).is_none() {
            setup.board.set_piece_at(square, piece);
        }
    };
    for king in Color::ALL.map(|side| Role::King.of(side)) {
        place(random, king, Bitboard::FULL);
    }
    let (crowd, area) = (Role::Pawn.of(side(random)), AREAS[random.below(AREAS.len())]);
    for _ in 0..random.below(12) {
        place(random, crowd, area);
    }
    for _ in 0..random.below(24) {
        let piece = ROLES[random.below(ROLES.len())].of(side(random));
        place(random, piece, Bitboard::FULL);
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
    fn normalising_keeps_scores_and_centres_tables() {
        let start = Profile::builtin("standard").unwrap().weights;
        let occurrences: Vec<u64> = (0..LEN as u64).map(|i| 1000 + i * 7919 % 997).collect();
        let mut normal = start.clone();
        normalise(&mut normal, &occurrences, &[true; LEN]);
        assert_ne!(normal, start);
        let both = |weights: &Weights| ByColor { white: weights.clone(), black: weights.clone() };
        let mut random = Random::new(99);
        let played = POSITIONS.iter().map(|fen| Game::from_fen(fen, None).unwrap().chess);
        let generated = std::iter::repeat_with(|| random_position(&mut random)).flatten().take(500);
        for chess in played.chain(generated) {
            let trace = trace(&chess);
            assert_eq!(trace.under(&both(&normal)), trace.under(&both(&start)));
        }
        let (tables, _) = tables();
        assert!(tables.len() >= 6, "expected at least one piece-square table per piece");
        assert!(
            tables.iter().any(|table| table.whose == Whose::Other),
            "expected a table of distances to the enemy king"
        );
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
    fn frozen_weights_are_not_normalised() {
        let start = Profile::builtin("standard").unwrap().weights;
        let mut weights = start.clone();
        normalise(&mut weights, &[1; LEN], &[false; LEN]);
        assert_eq!(weights, start);
    }
}
