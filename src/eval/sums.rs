//! Incremental evaluation: material, placement and phase, updated move by move.
//!
//! These depend on each piece and its square alone, so a move changes only a few summands.

use super::{
    feature::Feature,
    tally::{Sum, Tally},
    weights::Weights,
};
use crate::chess::score::Tapered;
use shakmaty::{Board, ByColor, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square};

/// The phase of a position with all pieces on the board.
pub const FULL_PHASE: i32 = 24;

/// The sums that the search updates along a line, from White's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Piece values and placements, in 256ths of a centipawn.
    pub total: Tapered,
    /// The game phase: 0 with kings and pawns only, up to [`FULL_PHASE`], and more after
    /// promotions.
    pub phase: i32,
}

impl Sums {
    /// Computes the sums of `board` from scratch.
    pub fn of(board: &Board, weights: &ByColor<Weights>) -> Self {
        let mut sum = Sum { weights, total: Tapered::default() };
        for (square, piece) in board {
            count(square, piece, 1, &mut sum);
        }
        Self { total: sum.total, phase: phase(board) }
    }

    /// Returns the sums after the legal move `m`.
    #[must_use]
    pub fn after(self, before: &Chess, m: Move, weights: &ByColor<Weights>) -> Self {
        let side = before.turn();
        let mut sum = Sum { weights, total: self.total };
        let mut phase = self.phase;
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                if let Some(arrives) = promotion {
                    count(from, role.of(side), -1, &mut sum);
                    count(to, arrives.of(side), 1, &mut sum);
                    phase += phase_of(arrives) - phase_of(role);
                } else {
                    // the value of the piece stays
                    place(from, role.of(side), -1, &mut sum);
                    place(to, role.of(side), 1, &mut sum);
                }
                if let Some(captured) = capture {
                    count(to, captured.of(!side), -1, &mut sum);
                    phase -= phase_of(captured);
                }
            }
            Move::EnPassant { from, to } => {
                count(from, side.pawn(), -1, &mut sum);
                count(to, side.pawn(), 1, &mut sum);
                let captured = Square::from_coords(to.file(), from.rank());
                count(captured, (!side).pawn(), -1, &mut sum);
            }
            Move::Castle { king, rook } => {
                let wing = CastlingSide::from_queen_side(rook < king);
                count(king, side.king(), -1, &mut sum);
                count(rook, side.rook(), -1, &mut sum);
                count(wing.king_to(side), side.king(), 1, &mut sum);
                count(wing.rook_to(side), side.rook(), 1, &mut sum);
            }
            // drops do not occur in chess
            Move::Put { .. } => {}
        }
        Self { total: sum.total, phase }
    }
}

/// Computes the phase of `board`, as in [`Sums::phase`].
#[must_use]
pub fn phase(board: &Board) -> i32 {
    board.into_iter().map(|(_, piece)| phase_of(piece.role)).sum()
}

/// Adds value and placement of `piece` on `square` to `tally`, `sign` times.
pub fn count(square: Square, piece: Piece, sign: i32, tally: &mut impl Tally) {
    if piece.role != Role::King {
        tally.add(piece.color, Feature::PieceValue, piece.role as usize - 1, sign);
    }
    place(square, piece, sign, tally);
}

/// Adds the placement of `piece` on `square` to `tally`, `sign` times.
fn place(square: Square, piece: Piece, sign: i32, tally: &mut impl Tally) {
    let placement = match piece.role {
        Role::Pawn => Feature::PawnPlacement,
        Role::Knight => Feature::KnightPlacement,
        Role::Bishop => Feature::BishopPlacement,
        Role::Rook => Feature::RookPlacement,
        Role::Queen => Feature::QueenPlacement,
        Role::King => Feature::KingPlacement,
    };
    tally.add(piece.color, placement, seen_from(square, piece.color), sign);
}

/// Returns the table index of `square` as `side` sees the board: a8 first, h1 last.
fn seen_from(square: Square, side: Color) -> usize {
    side.fold_wb(square.flip_vertical(), square).to_usize()
}

const fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}
