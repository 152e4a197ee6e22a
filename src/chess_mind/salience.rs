//! Salience: how soon a move comes to a player's mind, in general and under a goal.
//!
//! At limited strength, the engine considers salient moves only. At full strength it considers
//! every move, and reduces salient ones less if the profile sets `attention`.
//!
//! Emotion narrows attention to what it is about (Easterbrook 1959, "The effect of emotion on cue
//! utilization and the organization of behavior"). Here a goal highlights squares, and a stronger
//! emotion highlights them more. Quiet, long and backward moves are easily overlooked (Neiman and
//! Afek 2011, "Invisible Chess Moves"). The numbers are ours.

use super::{Appraisal, Goal, fact::passed_pawns};
use crate::eval::{
    geometry::path,
    measures::{piece_value, wing},
};
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square, attacks,
};

/// Salience of a check, in centipawns as all constants here.
const CHECK: i32 = 300;
/// Salience of castling.
const CASTLING: i32 = 200;
/// Salience of a move to the square of the last move.
const REPLY: i32 = 300;
/// Salience of a move next to the square of the last move.
const NEAR_REPLY: i32 = 100;
/// Salience of a move to a highlighted square at full intensity. A move from one, or aimed at one,
/// gets half.
const GOAL: i32 = 400;
/// Deduction for a backward move.
const BACKWARD: i32 = 60;
/// Deduction for each square of distance beyond the second.
const FAR: i32 = 15;

/// The squares that draw attention during one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// The squares highlighted by the goal.
    lit: Bitboard,
    /// Salience of a move to a highlighted square, in centipawns.
    pull: i32,
}

impl Focus {
    /// Returns the focus of an appraisal of `chess` at `emotion_strength` percent. It is empty
    /// without an appraisal.
    #[must_use]
    pub fn of(chess: &Chess, appraisal: Option<&Appraisal>, emotion_strength: u16) -> Self {
        let Some(appraisal) = appraisal else { return Self::default() };
        let lit = appraisal.goal.map_or(Bitboard::EMPTY, |goal| lit(goal, chess, appraisal.side));
        let felt = appraisal.intensity.abs() * f64::from(emotion_strength) / 100.0;
        let pull = (felt * f64::from(GOAL)) as i32;
        Self { lit, pull }
    }

    /// Returns the salience of the legal move `m` after a move to `last`, in centipawns.
    #[must_use]
    pub fn salience(&self, chess: &Chess, last: Option<Square>, m: Move) -> i32 {
        let beckons =
            stakes(chess, m) + last.map_or(0, |last| reply(last, m)) + self.goal(chess, m);
        beckons - risk(chess, m) - effort(chess.turn(), m)
    }

    /// Returns the squares highlighted by the goal.
    #[must_use]
    pub fn lit(&self) -> Bitboard {
        self.lit
    }

    /// Returns whether the goal highlights `square`.
    #[must_use]
    pub fn highlights(&self, square: Square) -> bool {
        self.lit.contains(square)
    }

    /// Returns whether a `piece` on `square` would attack a highlighted square.
    #[must_use]
    pub fn is_aimed_at(&self, board: &Board, square: Square, piece: Piece) -> bool {
        attacks::attacks(square, piece, board.occupied()).intersects(self.lit)
    }

    /// Returns how much the goal draws attention to `m`, as a share of the most: 0, 0.5 or 1 times
    /// the intensity of the emotion.
    #[must_use]
    pub fn share(&self, chess: &Chess, m: Move) -> f64 {
        f64::from(self.goal(chess, m)) / f64::from(GOAL)
    }

    fn goal(&self, chess: &Chess, m: Move) -> i32 {
        if self.highlights(m.to()) {
            return self.pull;
        }
        let arrives = m.promotion().unwrap_or(m.role()).of(chess.turn());
        let leaves = m.from().is_some_and(|from| self.highlights(from));
        let is_half = leaves || self.is_aimed_at(chess.board(), m.to(), arrives);
        if is_half { self.pull / 2 } else { 0 }
    }
}

/// Salience of the visible gains of a move: captures, promotions, castling, checks and rescues.
fn stakes(chess: &Chess, m: Move) -> i32 {
    let board = chess.board();
    let mut stakes = m.capture().map_or(0, piece_value);
    if m.promotion() == Some(Role::Queen) {
        stakes += piece_value(Role::Queen);
    }
    if m.is_castle() {
        stakes += CASTLING;
    }
    if m.from().is_some_and(|from| is_in_danger(board, from)) {
        stakes += piece_value(m.role());
    }
    if gives_check(chess, m) {
        stakes += CHECK;
    }
    stakes
}

/// Deduction for a move that leaves the moved piece en prise, sacrifice or not.
fn risk(chess: &Chess, m: Move) -> i32 {
    let (board, side, to) = (chess.board(), chess.turn(), m.to());
    if m.is_castle() {
        return 0;
    }
    let attackers = board.attacks_to(to, !side, board.occupied());
    let defenders = m.from().map_or(Bitboard::EMPTY, |from| {
        board.attacks_to(to, side, board.occupied().without(from)).without(from)
    });
    if is_exposed(board, m.role(), attackers, defenders) { piece_value(m.role()) } else { 0 }
}

/// Salience of a move near the square of the last move.
fn reply(last: Square, m: Move) -> i32 {
    match last.distance(m.to()) {
        0 => REPLY,
        1 => NEAR_REPLY,
        _ => 0,
    }
}

/// Deduction for backward and long moves, which are easily overlooked.
fn effort(side: Color, m: Move) -> i32 {
    let Some(from) = m.from().filter(|_| !m.is_castle()) else { return 0 };
    let rank = |square: Square| side.relative_rank(square.rank());
    let back = if rank(m.to()) < rank(from) { BACKWARD } else { 0 };
    back + FAR * from.distance(m.to()).saturating_sub(2) as i32
}

pub(crate) fn gives_check(chess: &Chess, m: Move) -> bool {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after.is_check()
}

/// Returns whether the piece on `square` looks capturable with profit.
pub(crate) fn is_in_danger(board: &Board, square: Square) -> bool {
    board.piece_at(square).is_some_and(|piece| {
        let attackers = board.attacks_to(square, !piece.color, board.occupied());
        let defenders = board.attacks_to(square, piece.color, board.occupied());
        is_exposed(board, piece.role, attackers, defenders)
    })
}

/// Returns whether a piece is attacked and undefended, or attacked by a piece of less value.
pub(crate) fn is_exposed(
    board: &Board,
    role: Role,
    attackers: Bitboard,
    defenders: Bitboard,
) -> bool {
    let is_lesser = |from| {
        board.role_at(from).is_some_and(|attacker| piece_value(attacker) < piece_value(role))
    };
    attackers.any()
        && (defenders.is_empty() || (attackers & !board.kings()).into_iter().any(is_lesser))
}

/// Returns the squares highlighted by a goal of `side`.
fn lit(goal: Goal, chess: &Chess, side: Color) -> Bitboard {
    let board = chess.board();
    let (own, other) = (board.by_color(side), board.by_color(!side));
    let endangered = |men: Bitboard| -> Bitboard {
        men.into_iter().filter(|&square| is_in_danger(board, square)).collect()
    };
    match goal {
        Goal::EscapeCheck => near_king(board, side) | chess.checkers(),
        Goal::GiveMate | Goal::ConfineKing => near_king(board, !side),
        Goal::SecureKing => near_king(board, side) | shelter(board, side),
        Goal::Castle => castling_way(chess, side),
        Goal::GainMobility => own & !board.pawns() & !board.kings(),
        Goal::PromotePawn => with_paths(passed_pawns(board, side), side),
        Goal::WinMaterial => endangered(other) | (other & !board.pawns() & !board.kings()),
        Goal::DominateCentre => [Square::D4, Square::E4, Square::D5, Square::E5]
            .into_iter()
            .fold(Bitboard::EMPTY, Bitboard::with),
        Goal::BlockPassedPawns => with_paths(passed_pawns(board, !side), !side),
        Goal::CaptureThreat => {
            let victims = endangered(own);
            let threats = victims.into_iter().map(|s| board.attacks_to(s, !side, board.occupied()));
            threats.fold(victims, |lit, attackers| lit | attackers)
        }
        Goal::ReachSafety => near_king(board, side) | endangered(own),
    }
}

/// Returns the king's square and its neighbours.
fn near_king(board: &Board, side: Color) -> Bitboard {
    board.king_of(side).map_or(Bitboard::EMPTY, |king| attacks::king_attacks(king).with(king))
}

/// Returns the pawns of `side` on its king's file and the adjacent files.
fn shelter(board: &Board, side: Color) -> Bitboard {
    let files = board.king_of(side).map_or(Bitboard::EMPTY, wing);
    board.by_piece(side.pawn()) & files
}

/// Returns king, rook and the squares between them, for each castling right.
fn castling_way(chess: &Chess, side: Color) -> Bitboard {
    let rooks = CastlingSide::ALL.into_iter().filter_map(|wing| chess.castles().rook(side, wing));
    let king = chess.board().king_of(side);
    rooks.zip(king.into_iter().cycle()).fold(Bitboard::EMPTY, |way, (rook, king)| {
        way | attacks::between(king, rook).with(king).with(rook)
    })
}

/// Returns `pawns` and their paths to promotion.
fn with_paths(pawns: Bitboard, side: Color) -> Bitboard {
    pawns.into_iter().fold(pawns, |lit, pawn| lit | path(pawn, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::{Position, uci::UciMove};

    /// Returns the legal moves, most salient first, under a goal at full intensity or without a
    /// goal.
    fn ranked(fen: &str, goal: Option<Goal>, last: Option<Square>) -> Vec<String> {
        let chess = Game::from_fen(fen, None).unwrap().chess;
        let lit = goal.map_or(Bitboard::EMPTY, |goal| lit(goal, &chess, chess.turn()));
        let focus = Focus { lit, pull: GOAL };
        let mut moves = chess.legal_moves();
        moves.sort_by_key(|&m| std::cmp::Reverse(focus.salience(&chess, last, m)));
        let mode = chess.castles().mode();
        moves.into_iter().map(|m| UciMove::from_move(m, mode).to_string()).collect()
    }

    fn rank(fen: &str, goal: Option<Goal>, m: &str) -> usize {
        ranked(fen, goal, None).iter().position(|other| other == m).unwrap()
    }

    #[test]
    fn captures_checks_and_rescues_come_first() {
        let fen = "4k3/R7/8/3n4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(ranked(fen, None, None)[..2], ["e4d5", "a7a8"], "a capture, then a check");
        assert!(rank(fen, None, "a7a1") > rank(fen, None, "a7a5"), "long backward moves come last");
        assert!(
            rank(fen, None, "a7a5") > rank(fen, None, "a7b7"),
            "backward moves come after sideways ones"
        );
        let attacked = "4k3/8/8/8/2p5/1Q6/7P/4K3 w - - 0 1";
        assert!(ranked(attacked, None, None)[..3].iter().all(|m| m.starts_with("b3")));
    }

    #[test]
    fn moves_that_give_a_piece_away_come_last() {
        let moves = ranked("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1", None, None);
        assert!(moves[moves.len() - 2..].iter().all(|m| ["c3d5", "c3b5"].contains(&m.as_str())));
    }

    #[test]
    fn replies_near_the_last_move_come_first() {
        let fen = "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1";
        assert_eq!(ranked(fen, None, Some(Square::C5))[0], "d4c5");
        assert_eq!(ranked(fen, None, Some(Square::E5))[0], "d4e5");
    }

    #[test]
    fn a_goal_makes_its_moves_more_salient() {
        for (fen, goal, m) in [
            // a rook move towards the exposed king, king moves, and the way to castle
            ("6k1/8/8/8/8/8/P7/K2R4 w - - 0 1", Goal::GiveMate, "d1d7"),
            ("6k1/8/8/8/8/8/PP6/1K1R3r w - - 0 1", Goal::EscapeCheck, "b1c2"),
            ("6k1/8/8/8/8/8/P4R2/1K6 w - - 0 1", Goal::SecureKing, "f2b2"),
            ("4k3/8/8/8/8/8/7P/4KB1R w K - 0 1", Goal::Castle, "f1e2"),
            ("4k3/6p1/P7/8/8/8/7P/4K2R w - - 0 1", Goal::PromotePawn, "a6a7"),
            ("4k3/8/8/8/8/p7/7P/1N2K2R w - - 0 1", Goal::BlockPassedPawns, "b1a3"),
            ("4k3/8/8/8/8/8/P6P/1N2K3 w - - 0 1", Goal::GainMobility, "b1c3"),
            ("4k3/8/8/8/8/8/P2P4/1N2K3 w - - 0 1", Goal::DominateCentre, "d2d4"),
            ("4k3/8/8/5n2/8/8/P7/1R2K3 w - - 0 1", Goal::WinMaterial, "b1b5"),
            ("4k3/8/8/8/2r5/8/2N4P/1R2K3 w - - 0 1", Goal::CaptureThreat, "b1c1"),
            ("4k3/8/8/8/2r5/8/2N4P/6KR w - - 0 1", Goal::ReachSafety, "g1g2"),
        ] {
            let (calm, moved) = (rank(fen, None, m), rank(fen, Some(goal), m));
            assert!(moved < calm || moved == 0, "{m} for {goal:?}: {calm} to {moved}");
        }
    }

    #[test]
    fn without_an_appraisal_the_focus_is_empty() {
        let chess = Chess::default();
        assert_eq!(Focus::of(&chess, None, 100), Focus { lit: Bitboard::EMPTY, pull: 0 });
    }
}
