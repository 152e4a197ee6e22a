//! Benchmark of looking up a position in a file of a million known positions.

use deepfeeling::{
    chess::known::{KnownGamesBuilder, position_key},
    support::random::mixed,
};
use divan::Bencher;
use shakmaty::{Chess, KnownOutcome, Position};
use std::hint::black_box;

/// Positions in the file.
const KNOWN: u64 = 1_000_000;
/// Games whose positions are looked up, enough to reach all parts of the file.
const GAMES: u64 = 2_000;
const PLIES: u64 = 40;

fn main() {
    divan::main();
}

/// Returns the positions of games with random moves.
fn positions() -> Vec<Chess> {
    let mut positions = Vec::new();
    for game in 0..GAMES {
        let mut chess = Chess::default();
        for ply in 0..PLIES {
            let moves = chess.legal_moves();
            let Some(m) = moves.get(mixed(game << 8 | ply) as usize % moves.len().max(1)) else {
                break;
            };
            chess.play_unchecked(*m);
            positions.push(chess.clone());
        }
    }
    positions
}

#[divan::bench]
fn lookup(bencher: Bencher) {
    let positions = positions();
    let mut builder = KnownGamesBuilder::default();
    // every other position is known
    builder.add(positions.iter().step_by(2).map(position_key).collect(), KnownOutcome::Draw);
    builder.add((0..KNOWN).map(mixed).collect(), KnownOutcome::Draw);
    let known = builder.build();
    let mut next = positions.iter().cycle();
    bencher.bench_local(|| next.next().map(|chess| black_box(known.counts(chess))));
}
