//! Moves that rated players chose, for fitting and testing models of human play.

use super::PlayedGame;
use crate::chess::game::Game;
use shakmaty::{Move, Position};

/// Number of plies that are skipped at the start of each game, because openings are played from
/// memory.
pub const FIRST_PLY: usize = 8;

/// A move that a rated player chose from at least two legal moves.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The game before the move.
    pub game: Game,
    /// The move that was played.
    pub m: Move,
    /// The mover's rating.
    pub elo: u16,
    /// The mover's name; empty or `?` if it is unknown.
    pub human: String,
}

/// Returns whether a sample of one move in `every` includes the move at `ply` of game `number`.
///
/// The sampled moves differ from game to game, so that the sample covers all stages of games.
pub fn is_sampled(ply: usize, number: usize, every: usize) -> bool {
    (ply / 2 + number).is_multiple_of(every)
}

impl PlayedGame {
    /// Returns the moves from [`FIRST_PLY`] on that a rated player chose from at least two legal
    /// moves. Only one move in `every` is considered, see [`is_sampled`].
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
    fn moves_of_rated_players_are_chosen_after_the_opening() {
        let both = "[WhiteElo \"1500\"]\n[BlackElo \"1700\"]";
        assert_eq!(elos(both, 1), [1500, 1700, 1500, 1700, 1500, 1700]);
        // the fifth move has number 4, counted from 0, and the game has number 1
        assert_eq!(elos(both, 5), [1500, 1700]);
        assert_eq!(elos("[BlackElo \"900\"]", 1), [900, 900, 900]);
        assert!(elos("[White \"a\"]", 1).is_empty());
    }
}
