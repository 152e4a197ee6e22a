//! Chess as a tree for [`minimax`](super), with the post's example of a heuristic: material alone.
//!
//! A side that is mated has lost: minus infinity. Stalemate and positions without enough material
//! to mate are worth 0, which is ours. Repetitions and the fifty-move rule are ignored.

use super::GameTree;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};
use std::fmt::Write;

/// Chess positions, valued by their material in pawns: pawn 1, knight and bishop 3, rook 5, queen 9.
#[derive(Clone, Copy, Debug)]
pub struct MaterialTree;

impl GameTree for MaterialTree {
    type Position = Chess;
    type Move = Move;

    fn children(&self, position: &Chess) -> Vec<(Move, Chess)> {
        if position.is_insufficient_material() {
            return Vec::new();
        }
        let child = |m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            (m, after)
        };
        position.legal_moves().into_iter().map(child).collect()
    }

    fn value(&self, position: &Chess) -> f64 {
        if position.is_checkmate() {
            f64::NEG_INFINITY
        } else if position.is_stalemate() || position.is_insufficient_material() {
            0.0
        } else {
            let own = material(position, position.turn());
            f64::from(own - material(position, !position.turn()))
        }
    }

    fn describe(&self, root: &Chess, line: &[Move]) -> String {
        let mut chess = root.clone();
        let mut text = String::new();
        for m in line {
            let (turn, number) = (chess.turn(), chess.fullmoves());
            let gap = if text.is_empty() { "" } else { " " };
            let san = SanPlus::from_move_and_play_unchecked(&mut chess, *m);
            // writing to a String cannot fail
            let _ = match turn {
                Color::White => write!(text, "{gap}{number}.{san}"),
                Color::Black if text.is_empty() => write!(text, "{number}...{san}"),
                Color::Black => write!(text, "{gap}{san}"),
            };
        }
        text
    }
}

fn material(position: &Chess, side: Color) -> i32 {
    let men = position.board().material_side(side);
    let minors = men.knight + men.bishop;
    i32::from(men.pawn + 3 * minors + 5 * men.rook + 9 * men.queen)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "material is a whole number of pawns")]

    use super::*;
    use crate::{
        chess::game::Game,
        explain::minimax::{alpha_beta, plain},
    };

    fn chess(text: &str) -> Chess {
        Game::parse(text, None).unwrap().chess
    }

    #[test]
    fn material_is_for_the_side_to_move_and_a_mate_is_infinite() {
        for (position, value) in [
            ("startpos", 0.0),
            ("startpos moves e4 d5 exd5", -1.0),
            // the post's example: queen and both rooks gone
            ("1nb1kbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 19.0),
            ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", f64::NEG_INFINITY),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0.0),
            ("7k/8/6K1/8/8/8/8/6B1 w - - 0 1", 0.0),
        ] {
            assert_eq!(MaterialTree.value(&chess(position)), value, "{position}");
        }
    }

    #[test]
    fn leaves_are_those_of_perft() {
        let found = plain(&MaterialTree, &Chess::default(), 3, &mut |_| true).unwrap();
        assert_eq!((found.leaves, found.value), (8_902, 0.0));
        let pruned = alpha_beta(&MaterialTree, &Chess::default(), 3, &mut |_| true).unwrap();
        assert_eq!(pruned.line, found.line);
        assert!(pruned.leaves < found.leaves);
    }

    #[test]
    fn both_searches_agree_and_find_a_mate() {
        let mate = chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
        let tactics = chess("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
        for (root, value, line) in
            [(&mate, f64::INFINITY, "1.Rd8#"), (&tactics, f64::INFINITY, "4.Qxf7#")]
        {
            for depth in 1..=3 {
                let whole = plain(&MaterialTree, root, depth, &mut |_| true).unwrap();
                let pruned = alpha_beta(&MaterialTree, root, depth, &mut |_| true).unwrap();
                assert_eq!((whole.value, pruned.value), (value, value));
                assert_eq!(whole.line, pruned.line);
                assert_eq!(MaterialTree.describe(root, &whole.line), line);
            }
        }
    }

    #[test]
    fn lines_have_move_numbers() {
        let game = chess("startpos moves e4");
        let line = ["e5", "Nf3", "Nc6"].into_iter().scan(game.clone(), |chess, san| {
            let m = san.parse::<shakmaty::san::San>().unwrap().to_move(chess).unwrap();
            chess.play_unchecked(m);
            Some(m)
        });
        let line: Vec<_> = line.collect();
        assert_eq!(MaterialTree.describe(&game, &line), "1...e5 2.Nf3 Nc6");
    }
}
