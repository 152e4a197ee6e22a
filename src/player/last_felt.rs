//! The last emotion intensity of each side, from which a profile with inertia starts the next one.

use shakmaty::{ByColor, Chess, Color, EnPassantMode, Position, zobrist::Zobrist64};

/// Unrounded intensities, and the position of the last search. Searching a position again gives the
/// same emotion as the first time.
#[derive(Clone, Debug, Default)]
pub(super) struct LastFelt {
    now: ByColor<Option<f64>>,
    /// The intensities before the last search.
    before: ByColor<Option<f64>>,
    root: Option<Zobrist64>,
}

impl LastFelt {
    /// Returns the intensity of `side` before the position `root` was searched.
    pub(super) fn before(&self, root: &Chess, side: Color) -> Option<f64> {
        let felt = if self.root == Some(key(root)) { &self.before } else { &self.now };
        *felt.get(side)
    }

    /// Records the intensity `felt` of the side to move after a search of `root`.
    pub(super) fn note(&mut self, root: &Chess, felt: f64) {
        let key = Some(key(root));
        if self.root != key {
            (self.root, self.before) = (key, self.now);
        }
        self.now = self.before;
        *self.now.get_mut(root.turn()) = Some(felt);
    }

    /// Forgets the last search, because its position was not reached in the game.
    pub(super) fn take_back(&mut self) {
        self.now = self.before;
    }
}

fn key(chess: &Chess) -> Zobrist64 {
    chess.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn after(moves: &str) -> Chess {
        Game::parse(&format!("startpos moves {moves}"), None).unwrap().chess
    }

    #[test]
    fn a_repeated_search_starts_from_the_same_intensity() {
        let [first, second, black] = ["e2e4 e7e5", "e2e4 c7c5", "e2e4"].map(after);
        let mut last = LastFelt::default();
        assert_eq!(last.before(&first, Color::White), None);
        last.note(&first, 0.5);
        assert_eq!(last.before(&first, Color::White), None);
        assert_eq!(last.before(&second, Color::White), Some(0.5));
        assert_eq!(last.before(&black, Color::Black), None);
        last.note(&second, 0.75);
        last.note(&second, 0.25);
        assert_eq!(last.before(&second, Color::White), Some(0.5));
        assert_eq!(last.before(&first, Color::White), Some(0.25));
    }

    #[test]
    fn a_search_taken_back_leaves_no_intensity() {
        let [first, second] = ["e2e4 e7e5", "e2e4 c7c5"].map(after);
        let mut last = LastFelt::default();
        last.note(&first, 0.5);
        last.note(&second, -0.5);
        last.take_back();
        assert_eq!([&first, &second].map(|root| last.before(root, Color::White)), [Some(0.5); 2]);
    }
}
