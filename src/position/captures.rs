//! Legal captures and queen promotions, for quiescence: shakmaty makes all moves and filters.

use super::shielders;
use shakmaty::{
    Bitboard, Board, Chess, Color, Move, MoveList, Position, Rank, Role, Square, attacks,
};

/// The legal captures (en passant included) and promotions to a queen of a side not in check.
pub fn noisy_moves(chess: &Chess) -> MoveList {
    debug_assert!(!chess.is_check());
    let mut moves = MoveList::new();
    let (side, board) = (chess.turn(), chess.board());
    let Some(king) = board.king_of(side) else { return moves };
    let generator = Generator {
        board,
        side,
        king,
        pinned: shielders(board, !side, king) & board.by_color(side),
    };
    generator.officers(&mut moves);
    generator.pawns(&mut moves);
    generator.king(&mut moves);
    if chess.maybe_ep_square().is_some() {
        moves.extend(chess.en_passant_moves());
    }
    moves
}

struct Generator<'b> {
    board: &'b Board,
    side: Color,
    king: Square,
    pinned: Bitboard,
}

impl Generator<'_> {
    fn officers(&self, moves: &mut MoveList) {
        let board = self.board;
        let them = board.by_color(!self.side);
        for from in board.by_color(self.side) & !board.pawns() & !board.kings() {
            let Some(role) = board.role_at(from) else { continue };
            let attacks = attacks::attacks(from, role.of(self.side), board.occupied());
            for to in attacks & them & self.allowed(from) {
                self.push(role, from, to, None, moves);
            }
        }
    }

    fn pawns(&self, moves: &mut MoveList) {
        let board = self.board;
        let them = board.by_color(!self.side);
        let pawns = board.by_piece(self.side.pawn());
        let seventh = Bitboard::from_rank(self.side.relative_rank(Rank::Seventh));
        for from in pawns & seventh {
            let step = self.side.fold_wb(from.offset(8), from.offset(-8));
            let push = step.map_or(Bitboard::EMPTY, Bitboard::from_square) & !board.occupied();
            let captures = attacks::pawn_attacks(self.side, from) & them;
            for to in (captures | push) & self.allowed(from) {
                self.push(Role::Pawn, from, to, Some(Role::Queen), moves);
            }
        }
        for from in pawns & !seventh {
            for to in attacks::pawn_attacks(self.side, from) & them & self.allowed(from) {
                self.push(Role::Pawn, from, to, None, moves);
            }
        }
    }

    fn king(&self, moves: &mut MoveList) {
        let board = self.board;
        for to in attacks::king_attacks(self.king) & board.by_color(!self.side) {
            if board.attacks_to(to, !self.side, board.occupied()).is_empty() {
                self.push(Role::King, self.king, to, None, moves);
            }
        }
    }

    /// A pinned man may only move on the line between its king and the pinning piece.
    fn allowed(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { attacks::ray(self.king, from) } else { Bitboard::FULL }
    }

    fn push(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
        moves: &mut MoveList,
    ) {
        moves.push(Move::Normal { role, from, capture: self.board.role_at(to), to, promotion });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    /// All noisy moves, by shakmaty's full generation.
    fn filtered(chess: &Chess) -> Vec<Move> {
        let mut moves = chess.legal_moves();
        moves.retain(|m| {
            matches!(m.promotion(), None | Some(Role::Queen))
                && (m.is_capture() || m.is_promotion())
        });
        moves.to_vec()
    }

    fn assert_same_below(chess: &Chess, depth: u32) {
        if !chess.is_check() {
            let (mut ours, mut theirs) = (noisy_moves(chess).to_vec(), filtered(chess));
            let order = |m: &Move| (m.from().map(Square::to_u32), m.to().to_u32());
            ours.sort_by_key(order);
            theirs.sort_by_key(order);
            assert_eq!(ours, theirs, "{chess:?}");
        }
        if depth > 0 {
            for m in chess.legal_moves() {
                let mut child = chess.clone();
                child.play_unchecked(m);
                assert_same_below(&child, depth - 1);
            }
        }
    }

    #[test]
    fn captures_are_those_of_full_generation() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            assert_same_below(&Game::from_fen(fen, None).unwrap().chess, 3);
        }
    }
}
