//! Moves that rated players chose: what a model of human play learns from, and is measured by.

use super::PlayedGame;
use crate::chess::game::Game;
use shakmaty::{Move, Position};

/// Plies of each game that are left out: what is played by heart.
pub const FIRST_PLY: usize = 8;

/// A move that was chosen where there was a choice.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The game before the move.
    pub game: Game,
    pub m: Move,
    /// The mover's rating.
    pub elo: u16,
    /// The mover's name; empty or `?` if nobody is named.
    pub human: String,
}

/// Whether the move at `ply` of the game of this `number` is looked at, if one move of `every` is: which
/// one differs from game to game, so that all stages of games have their share.
pub fn is_sampled(ply: usize, number: usize, every: usize) -> bool {
    (ply / 2 + number).is_multiple_of(every)
}

impl PlayedGame {
    /// The moves from [`FIRST_PLY`] on that a rated player chose from at least two, of one move in
    /// `every`, see [`is_sampled`].
    pub fn chosen(&self, every: usize) -> impl Iterator<Item = Chosen> {
        let mut game = self.start.clone();
        self.moves.iter().enumerate().filter_map(move |(ply, played)| {
            let counts = ply >= FIRST_PLY && is_sampled(ply, self.number, every);
            let turn = game.chess.turn();
            let human = || self.tags.players.get(turn).clone();
            let chosen = (*self.tags.elos.get(turn))
                .filter(|_| counts && game.chess.legal_moves().len() > 1)
                .map(|elo| Chosen { game: game.clone(), m: played.m, elo, human: human() });
            game.push(played.m);
            chosen
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::Games;
    use shakmaty::Position;
    use std::io::Cursor;

    fn elos(tags: &str, every: usize) -> Vec<u16> {
        let text = format!(
            "{tags}\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O *\n"
        );
        let game = Games::of(Box::new(Cursor::new(text))).next().unwrap().unwrap();
        game.chosen(every)
            .inspect(|chosen| assert!(chosen.game.chess.is_legal(chosen.m)))
            .map(|chosen| chosen.elo)
            .collect()
    }

    #[test]
    fn rated_movers_are_taken_after_the_opening() {
        let both = "[WhiteElo \"1500\"]\n[BlackElo \"1700\"]";
        assert_eq!(elos(both, 1), [1500, 1700, 1500, 1700, 1500, 1700]);
        // the fifth move is number 4 from 0, and the game number 1
        assert_eq!(elos(both, 5), [1500, 1700]);
        assert_eq!(elos("[BlackElo \"900\"]", 1), [900, 900, 900]);
        assert!(elos("[White \"a\"]", 1).is_empty());
    }
}
