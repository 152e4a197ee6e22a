//! The evaluation errors of a player of limited strength.
//!
//! Each kind of piece of each side adds an error that depends only on the squares of these pieces.
//! The transposition table therefore stays valid, games are repeatable, and an unchanged structure
//! stays misjudged.

use super::handicap::SEED;
use crate::{
    chess::{evaluator::Evaluator, score::Score},
    support::random::mixed,
};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role};

/// An evaluator with errors.
#[derive(Clone, Debug)]
pub struct Blurred<E> {
    /// The evaluator without errors.
    pub evaluator: E,
    /// The maximum error per side and kind of piece, in centipawns.
    pub most: i32,
}

impl<E> Blurred<E> {
    /// Returns the evaluation error in White's favour, in centipawns. Mirrored positions have
    /// mirrored errors.
    fn error(&self, board: &Board) -> i32 {
        let error = |color, role| misjudgement(board, color, role) * self.most / UNIT;
        Role::ALL
            .into_iter()
            .map(|role| error(Color::White, role) - error(Color::Black, role))
            .sum()
    }
}

impl<E: Evaluator> Evaluator for Blurred<E> {
    type Sums = E::Sums;

    fn sums(&self, position: &Chess) -> Self::Sums {
        self.evaluator.sums(position)
    }

    fn after(&self, sums: Self::Sums, before: &Chess, m: Move) -> Self::Sums {
        self.evaluator.after(sums, before, m)
    }

    fn evaluate(&mut self, position: &Chess, sums: Self::Sums) -> Score {
        let white = self.error(position.board());
        let error = position.turn().fold_wb(white, -white);
        self.evaluator.evaluate(position, sums).plus(error).clamp_static()
    }
}

/// The largest misjudgement.
const UNIT: i32 = 1 << 15;

/// Returns the misjudgement of the squares of one side's pieces of one kind, from -[`UNIT`] to
/// [`UNIT`].
fn misjudgement(board: &Board, color: Color, role: Role) -> i32 {
    let pieces: Bitboard = board.by_piece(role.of(color));
    if pieces.is_empty() {
        return 0;
    }
    let seen = color.fold_wb(pieces, pieces.flip_vertical());
    i32::from(mixed(SEED ^ mixed(seen.0 ^ role as u64)) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{evaluator::stub::DrawEvaluator, game::Game},
        search::root::handicap::Handicap,
    };
    use shakmaty::{EnPassantMode, FromSetup};

    #[test]
    fn mirrored_positions_have_mirrored_errors_within_bounds() {
        let most = Handicap::of_elo(1000).unwrap().blur;
        let blurred = Blurred { evaluator: DrawEvaluator, most };
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55",
        ] {
            let position = Game::from_fen(fen, None).unwrap().chess;
            let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirror = Chess::from_setup(setup, position.castles().mode()).unwrap();
            let error = blurred.error(position.board());
            assert_eq!(blurred.error(mirror.board()), -error);
            assert!(error != 0 && error.abs() <= 12 * most);
        }
    }
}
