//! Selects the opening for each pair of games.

use crate::{
    chess::game::Game,
    lab::self_play::opening::{self, Book, Unbalanced},
    player::Engine,
    support::random::{Random, mixed},
};

/// The number of random plies without a book.
const PLIES: u32 = 8;

/// The openings of a duel, one per pair of games.
///
/// They come from a book in shuffled order, repeated when all have been played, or from random
/// moves.
#[derive(Debug)]
pub(super) struct Openings<'b> {
    book: Option<(&'b Book, Vec<usize>)>,
    seed: u64,
}

impl<'b> Openings<'b> {
    pub(super) fn new(book: Option<&'b Book>, seed: u64) -> Self {
        let shuffled = |book: &'b Book| {
            let mut order: Vec<_> = (0..book.len()).collect();
            Random::new(seed).shuffle(&mut order);
            (book, order)
        };
        Self { book: book.map(shuffled), seed }
    }

    /// Returns the opening of `pair`, counted from 0. `referee` checks that random openings are
    /// balanced.
    pub(super) fn of_pair(&self, pair: u64, referee: &mut Engine) -> Result<Game, Unbalanced> {
        if let Some((book, order)) = &self.book {
            let number = order[(pair % order.len() as u64) as usize];
            return book.game(number).ok_or(Unbalanced);
        }
        let mut random = Random::new(mixed(self.seed).wrapping_add(mixed(pair)));
        opening::balanced(referee, None, PLIES, &mut random)
    }
}
