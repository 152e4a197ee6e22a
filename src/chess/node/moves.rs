//! Generates legal moves in stages: captures and promotions first, quiet moves only when needed,
//! and single moves by their squares.
//!
//! shakmaty can only generate all moves in one list.

use super::{CompactMove, CompactMoves, shielders};
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, MoveList, Position, Rank, Role, Square, attacks,
};

/// Returns the legal captures (including en passant) and queen promotions of a side that is not in
/// check.
pub fn noisy_moves(chess: &Chess) -> MoveList {
    debug_assert!(!chess.is_check());
    let mut moves = CompactMoves::new();
    Generator::new(chess, Bitboard::EMPTY).noisy(&mut moves);
    moves.retain(|m| matches!(m.promotion(), None | Some(Role::Queen)));
    moves.into_iter().map(Into::into).collect()
}

/// A staged generator of the legal moves of one position. Within a stage, moves have the same order
/// as in shakmaty's list.
#[derive(Clone, Debug)]
pub struct Generator<'p> {
    chess: &'p Chess,
    board: &'p Board,
    side: Color,
    king: Square,
    /// Own pieces that may only move on a line with the king.
    pinned: Bitboard,
    in_check: bool,
    /// Allowed target squares of all pieces except the king: any square, or those that end a check.
    targets: Bitboard,
}

impl<'p> Generator<'p> {
    /// Creates the generator for `chess`, where `checkers` give check to the side to move.
    pub fn new(chess: &'p Chess, checkers: Bitboard) -> Self {
        let (board, side) = (chess.board(), chess.turn());
        let king = board.king_of(side).unwrap_or(Square::E1);
        let targets = match checkers.single_square() {
            Some(checker) => attacks::between(king, checker).with(checker),
            None if checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        };
        Self {
            chess,
            board,
            side,
            king,
            pinned: shielders(board, !side, king, board.occupied()) & board.by_color(side),
            in_check: checkers.any(),
            targets,
        }
    }

    /// Appends the captures and all promotions.
    pub fn noisy(&self, moves: &mut CompactMoves) {
        self.en_passant(moves);
        let them = self.board.by_color(!self.side);
        if self.in_check {
            self.king(them, None, self.push_to(moves));
        }
        self.pawns_noisy(moves);
        self.pieces(them, |_, _| Bitboard::FULL, self.push_to(moves));
        if !self.in_check {
            self.king(them, None, self.push_to(moves));
        }
    }

    /// Appends all other moves.
    pub fn quiet(&self, moves: &mut CompactMoves) {
        self.each_quiet(None, |_, _| Bitboard::FULL, self.push_to(moves));
        self.castling(moves);
    }

    /// Calls `each` with the role, the square and the target squares of each piece: its quiet moves to
    /// squares in `wanted(role, from)`, without castling. A pawn may come twice. `attacked` are the
    /// squares that the opponent attacks, if they are known. King moves are found faster with them.
    pub fn each_quiet(
        &self,
        attacked: Option<Bitboard>,
        wanted: impl Fn(Role, Square) -> Bitboard,
        mut each: impl FnMut(Role, Square, Bitboard),
    ) {
        let free = !self.board.occupied();
        let by_king = free & wanted(Role::King, self.king);
        if self.in_check {
            // a checking slider also attacks the squares behind the king
            self.king(by_king, None, &mut each);
        }
        self.pawns_quiet(|from| wanted(Role::Pawn, from), &mut each);
        self.pieces(free, wanted, &mut each);
        if !self.in_check {
            self.king(by_king, attacked, each);
        }
    }

    /// Returns a function that appends the moves of one piece to `moves`.
    fn push_to(&self, moves: &mut CompactMoves) -> impl FnMut(Role, Square, Bitboard) {
        |role, from, targets| {
            for to in targets {
                moves.push(self.normal(role, from, to, None));
            }
        }
    }

    /// Returns the legal move from `from` to `to`, if there is one. For castling, `to` is the
    /// rook's square.
    pub fn find(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<CompactMove> {
        let board = self.board;
        let own = board.by_color(self.side);
        if !own.contains(from) {
            return None;
        }
        let role = board.role_at(from)?;
        let among = |moves: &CompactMoves| {
            moves.iter().copied().find(|m| (m.from_square(), m.to()) == (from, to))
        };
        if own.contains(to) {
            let mut moves = CompactMoves::new();
            if role == Role::King && promotion.is_none() {
                self.castling(&mut moves);
            }
            return among(&moves);
        }
        let reached = match role {
            Role::Pawn if self.chess.maybe_ep_square() == Some(to) && from.file() != to.file() => {
                let mut moves = CompactMoves::new();
                if promotion.is_none() {
                    self.en_passant(&mut moves);
                }
                return among(&moves);
            }
            Role::Pawn => self.pawn_targets(from),
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                attacks::attacks(from, role.of(self.side), board.occupied())
            }
        };
        let may_go = match role {
            Role::King => self.is_safe(to),
            _ => (self.targets & self.allowed(from)).contains(to),
        };
        let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
        let right_promotion = match promotion {
            Some(promotion) => promotes && !matches!(promotion, Role::Pawn | Role::King),
            None => !promotes,
        };
        (reached.contains(to) && may_go && right_promotion)
            .then(|| CompactMove::normal(role, from, to, board.role_at(to), promotion))
    }

    /// Returns the squares that a pawn on `from` can push to or capture on, without en passant.
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let free = !self.board.occupied();
        let forward = self.side.fold_wb(8, -8);
        let step = Bitboard::from_square(from).shift(forward) & free;
        let double_step = (step & self.third()).shift(forward) & free;
        let captures = attacks::pawn_attacks(self.side, from) & self.board.by_color(!self.side);
        step | double_step | captures
    }

    fn third(&self) -> Bitboard {
        Bitboard::from_rank(self.side.relative_rank(Rank::Third))
    }

    fn pawns_noisy(&self, moves: &mut CompactMoves) {
        let pawns = self.board.by_piece(self.side.pawn());
        let them = self.board.by_color(!self.side);
        let a_file = Bitboard::from_file(shakmaty::File::A);
        let h_file = Bitboard::from_file(shakmaty::File::H);
        let (west, east, forward) = self.side.fold_wb((7, 9, 8), (-9, -7, -8));
        let seventh = Bitboard::from_rank(self.side.relative_rank(Rank::Seventh));
        let may_promote = (pawns & seventh).any();
        for (pawns, way) in [(pawns & !a_file, west), (pawns & !h_file, east)] {
            let captures = pawns.shift(way) & them & self.targets;
            let plain = captures & !Bitboard::BACKRANKS;
            self.pawns_by(way, plain, |_| Bitboard::FULL, self.push_to(moves));
            if may_promote {
                self.promotions_by(way, captures & Bitboard::BACKRANKS, moves);
            }
        }
        if !may_promote {
            return;
        }
        let steps = (pawns & seventh).shift(forward) & !self.board.occupied();
        self.promotions_by(forward, steps & self.targets, moves);
    }

    /// Calls `each` with the pawn moves straight ahead to squares in `wanted(from)`.
    fn pawns_quiet(
        &self,
        wanted: impl Fn(Square) -> Bitboard,
        mut each: impl FnMut(Role, Square, Bitboard),
    ) {
        let pawns = self.board.by_piece(self.side.pawn());
        let free = !self.board.occupied();
        let forward = self.side.fold_wb(8, -8);
        let steps = pawns.shift(forward) & free & !Bitboard::BACKRANKS;
        let double_steps = (steps & self.third()).shift(forward) & free;
        self.pawns_by(forward, steps & self.targets, &wanted, &mut each);
        self.pawns_by(2 * forward, double_steps & self.targets, wanted, each);
    }

    /// Calls `each` with the pawn moves by the offset `way` to squares that are both in `targets` and
    /// in `wanted(from)`.
    fn pawns_by(
        &self,
        way: i32,
        targets: Bitboard,
        wanted: impl Fn(Square) -> Bitboard,
        mut each: impl FnMut(Role, Square, Bitboard),
    ) {
        for to in targets {
            let Some(from) = to.offset(-way) else { continue };
            if (self.allowed(from) & wanted(from)).contains(to) {
                each(Role::Pawn, from, to.into());
            }
        }
    }

    fn promotions_by(&self, way: i32, targets: Bitboard, moves: &mut CompactMoves) {
        for to in targets {
            let Some(from) = to.offset(-way) else { continue };
            if self.allowed(from).contains(to) {
                for promotion in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    moves.push(self.normal(Role::Pawn, from, to, Some(promotion)));
                }
            }
        }
    }

    /// Calls `each` with the moves of knights, bishops, rooks and queens to squares that are both in
    /// `targets` and in `wanted(role, from)`.
    fn pieces(
        &self,
        targets: Bitboard,
        wanted: impl Fn(Role, Square) -> Bitboard,
        mut each: impl FnMut(Role, Square, Bitboard),
    ) {
        let targets = targets & self.targets;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.board.by_piece(role.of(self.side)) {
                let attacks = match role {
                    Role::Knight => attacks::knight_attacks(from),
                    Role::Bishop => attacks::bishop_attacks(from, self.board.occupied()),
                    Role::Rook => attacks::rook_attacks(from, self.board.occupied()),
                    _ => attacks::queen_attacks(from, self.board.occupied()),
                };
                each(role, from, attacks & targets & self.allowed(from) & wanted(role, from));
            }
        }
    }

    /// Calls `each` with the king moves to safe squares in `targets`.
    fn king(
        &self,
        targets: Bitboard,
        attacked: Option<Bitboard>,
        mut each: impl FnMut(Role, Square, Bitboard),
    ) {
        let reached = attacks::king_attacks(self.king) & targets;
        let safe = match attacked {
            Some(attacked) => reached & !attacked,
            None => reached.into_iter().filter(|to| self.is_safe(*to)).collect(),
        };
        each(Role::King, self.king, safe);
    }

    /// Appends castling.
    pub fn castling(&self, moves: &mut CompactMoves) {
        if self.in_check {
            return;
        }
        for wing in CastlingSide::ALL {
            let path = self.chess.castles().path(self.side, wing);
            if self.chess.castles().has(self.side, wing) && !path.intersects(self.board.occupied())
            {
                moves.extend(self.chess.castling_moves(wing).into_iter().map(CompactMove::from));
            }
        }
    }

    fn en_passant(&self, moves: &mut CompactMoves) {
        if let Some(to) = self.chess.maybe_ep_square()
            && (attacks::pawn_attacks(!self.side, to) & self.board.by_piece(self.side.pawn())).any()
        {
            moves.extend(self.chess.en_passant_moves().into_iter().map(CompactMove::from));
        }
    }

    /// Whether the king would not be attacked on `to`. The king itself does not block the attack.
    fn is_safe(&self, to: Square) -> bool {
        let occupied = self.board.occupied().without(self.king);
        self.board.attacks_to(to, !self.side, occupied).is_empty()
    }

    /// Returns the squares allowed by a pin: the line through king and piece, or all squares if the
    /// piece is not pinned.
    fn allowed(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { attacks::ray(self.king, from) } else { Bitboard::FULL }
    }

    fn normal(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> CompactMove {
        // testing `occupied` first avoids the slower `role_at` for quiet moves
        let taken = self.board.occupied().contains(to);
        let capture = if taken { self.board.role_at(to) } else { None };
        CompactMove::normal(role, from, to, capture, promotion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{
        game::Game,
        node::{Checks, Threats},
    };
    use shakmaty::Move;

    const FENS: [&str; 9] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        // en passant: onto the line of a pin, off that line, and as an evasion
        "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        // double check; castling with a pinned rook
        "4k3/8/8/8/4r3/8/3n4/R3K2R w KQ - 0 1",
        "1k6/8/8/8/8/8/8/r1RK3R w HC - 0 1",
        "qrnkbrnb/p1p1ppp1/1p6/3p4/3P3p/5N1P/PPP1PPP1/QRNKBR1B w FBfb - 0 9",
    ];

    /// Calls `check` for all positions up to `depth` plies below the positions `FENS`.
    fn walk(depth: u32, check: impl Fn(&Chess)) {
        fn below(chess: &Chess, depth: u32, check: &impl Fn(&Chess)) {
            check(chess);
            if depth > 0 {
                for m in chess.legal_moves() {
                    let mut child = chess.clone();
                    child.play_unchecked(m);
                    below(&child, depth - 1, check);
                }
            }
        }
        for fen in FENS {
            below(&Game::from_fen(fen, None).unwrap().chess, depth, &check);
        }
    }

    fn moves(compact: &CompactMoves) -> Vec<Move> {
        compact.iter().map(|m| (*m).into()).collect()
    }

    #[test]
    fn staged_generation_matches_full_generation_in_order() {
        walk(3, |chess| {
            let generator = Generator::new(chess, chess.checkers());
            let (mut noisy, mut quiet) = (CompactMoves::new(), CompactMoves::new());
            generator.noisy(&mut noisy);
            generator.quiet(&mut quiet);
            let is_noisy = |m: &Move| m.is_capture() || m.is_promotion();
            let all = chess.legal_moves().into_iter();
            let (noisy_of_all, quiet_of_all): (Vec<_>, Vec<_>) = all.partition(is_noisy);
            assert_eq!(moves(&noisy), noisy_of_all, "{chess:?}");
            assert_eq!(moves(&quiet), quiet_of_all, "{chess:?}");
            let attacked = Some(Threats::of(chess).attacked());
            quiet.clear();
            generator.each_quiet(attacked, |_, _| Bitboard::FULL, generator.push_to(&mut quiet));
            generator.castling(&mut quiet);
            assert_eq!(moves(&quiet), quiet_of_all, "with attacks, {chess:?}");
            let checks = Checks::of(chess);
            let wanted = |role, from| checks.targets(role, from);
            quiet.clear();
            generator.each_quiet(attacked, wanted, generator.push_to(&mut quiet));
            let giving = quiet_of_all.into_iter().filter(|m| checks.gives((*m).into()));
            assert_eq!(moves(&quiet), giving.collect::<Vec<_>>(), "checks, {chess:?}");
        });
    }

    #[test]
    fn find_returns_exactly_the_legal_moves() {
        let promotions = [None].into_iter().chain(Role::ALL.map(Some)).collect::<Vec<_>>();
        walk(1, |chess| {
            let generator = Generator::new(chess, chess.checkers());
            let legal = chess.legal_moves();
            let mut found = 0;
            for from in Square::ALL {
                for to in Square::ALL {
                    for promotion in &promotions {
                        let Some(m) = generator.find(from, to, *promotion) else { continue };
                        assert!(legal.contains(&m.into()), "{m:?} in {chess:?}");
                        found += 1;
                    }
                }
            }
            assert_eq!(found, legal.len(), "{chess:?}");
        });
    }
}
