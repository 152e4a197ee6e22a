//! History heuristic: remembers which moves caused beta cutoffs, also as replies to earlier moves.
//! <https://www.chessprogramming.org/History_Heuristic>

use super::{
    correction::Corrections,
    gravity::add,
    step::{STEPS_BACK, Step, Steps},
};
use crate::{chess::node::CompactMove, search::params::HISTORY_MAX};
use shakmaty::{Bitboard, Color, Role, Square};

/// Continuation history of the present moves after one earlier move.
type Row = [i16; Step::COUNT];
/// One row per earlier move. The first row stands for a missing move and stays 0.
type Replies = Box<[Row]>;
/// Butterfly history of the moves from one square, by to-square and its exposure.
type Targets = [[i16; 2]; 64];

/// The histories of one thread. They live from search to search and are cleared by a new game.
#[derive(Clone, Debug)]
pub struct History {
    /// Butterfly history, by side, from-square, its exposure, to-square and its exposure.
    quiet: [Box<[[Targets; 2]]>; 2],
    /// Continuation history, by distance (see [`STEPS_BACK`]), side, earlier move and present move.
    replies: [[Replies; 2]; STEPS_BACK.len()],
    /// Capture history, by side, moving piece, target square, captured piece and exposure.
    captures: [Box<[[[i16; EXPOSURES]; 6]]>; 2],
    pub(in crate::search) corrections: Corrections,
}

impl Default for History {
    fn default() -> Self {
        let one_side = || vec![[0; Step::COUNT]; 1 + Step::COUNT].into_boxed_slice();
        let replies = || [one_side(), one_side()];
        let quiet = || vec![[[[0; 2]; 64]; 2]; 64].into_boxed_slice();
        let captures = || vec![[[0; EXPOSURES]; 6]; Step::COUNT].into_boxed_slice();
        Self {
            quiet: [quiet(), quiet()],
            replies: [replies(), replies(), replies()],
            captures: [captures(), captures()],
            corrections: Corrections::default(),
        }
    }
}

impl History {
    /// Clears the correction history, after the evaluation has changed.
    pub fn forget_scores(&mut self) {
        self.corrections = Corrections::default();
    }

    /// Returns the history of the quiet moves of `side` after the moves `steps`. `attacked` are the
    /// squares that the opponent attacks before the move.
    pub(in crate::search) fn quiets(
        &self,
        side: Color,
        steps: Steps,
        attacked: Bitboard,
    ) -> QuietHistory<'_> {
        let row = |back: usize| &self.replies[back][side as usize][Step::row(steps[back])];
        QuietHistory {
            by_squares: &self.quiet[side as usize],
            replies: [row(0), row(1), row(2)],
            attacked,
        }
    }

    /// Returns the history of a capture, within ±[`HISTORY_MAX`]. `attacked` are the squares that
    /// the opponent attacks before the move.
    pub(in crate::search) fn of_capture(
        &self,
        side: Color,
        m: CompactMove,
        attacked: Bitboard,
    ) -> i32 {
        let entries = &self.captures[side as usize][Step::of(m).number()][captured(m)];
        entries[exposure(m, attacked)].into()
    }

    /// Adds `bonus` to the histories of a quiet move. The bonus is negative for a move that did not
    /// cause the cutoff.
    pub(in crate::search) fn update_quiet(
        &mut self,
        side: Color,
        m: CompactMove,
        steps: Steps,
        attacked: Bitboard,
        bonus: i32,
    ) {
        self.update_squares(side, m, attacked, bonus);
        self.update_replies(side, m, steps, bonus);
    }

    /// Adds `bonus` to the butterfly history of a quiet move only.
    pub(in crate::search) fn update_squares(
        &mut self,
        side: Color,
        m: CompactMove,
        attacked: Bitboard,
        bonus: i32,
    ) {
        let (from, to) = (m.from_square(), m.to());
        let targets =
            &mut self.quiet[side as usize][from as usize][usize::from(attacked.contains(from))];
        let entry = &mut targets[to as usize][usize::from(attacked.contains(to))];
        add(entry, bonus, HISTORY_MAX);
    }

    /// Adds `bonus` to the continuation histories of a quiet move only.
    pub(in crate::search) fn update_replies(
        &mut self,
        side: Color,
        m: CompactMove,
        steps: Steps,
        bonus: i32,
    ) {
        let step = Step::of(m).number();
        for (replies, last) in self.replies.iter_mut().zip(steps) {
            if last.is_some() {
                add(&mut replies[side as usize][Step::row(last)][step], bonus, HISTORY_MAX);
            }
        }
    }

    /// Adds `bonus` to the history of a capture. The bonus is negative for a move that did not
    /// cause the cutoff.
    pub(in crate::search) fn update_capture(
        &mut self,
        side: Color,
        m: CompactMove,
        attacked: Bitboard,
        bonus: i32,
    ) {
        let entries = &mut self.captures[side as usize][Step::of(m).number()][captured(m)];
        add(&mut entries[exposure(m, attacked)], bonus, HISTORY_MAX);
    }
}

/// The history of the quiet moves of one position. Created once, it ranks many moves quickly.
pub(in crate::search) struct QuietHistory<'h> {
    by_squares: &'h [[Targets; 2]],
    replies: [&'h Row; STEPS_BACK.len()],
    attacked: Bitboard,
}

impl<'h> QuietHistory<'h> {
    /// Returns the history of the moves of the piece of `role` on `from`.
    #[inline]
    pub(in crate::search) fn of_piece(&self, role: Role, from: Square) -> PieceHistory<'h> {
        PieceHistory {
            targets: self.targets(from),
            replies: self.replies.map(|row| &row.as_chunks().0[role as usize - 1]),
            attacked: self.attacked,
        }
    }

    #[inline]
    fn targets(&self, from: Square) -> &'h Targets {
        &self.by_squares[from as usize][usize::from(self.attacked.contains(from))]
    }

    /// Returns the butterfly history of a move alone, within ±[`HISTORY_MAX`].
    #[inline]
    pub(in crate::search) fn of_squares(&self, m: CompactMove) -> i32 {
        let entries = self.targets(m.from_square())[m.to() as usize];
        i32::from(entries[usize::from(self.attacked.contains(m.to()))])
    }

    /// Returns the continuation history of a move alone, within ±3 · [`HISTORY_MAX`].
    #[inline]
    pub(in crate::search) fn of_replies(&self, m: CompactMove) -> i32 {
        let step = Step::of(m).number();
        self.replies.iter().map(|row| i32::from(row[step])).sum()
    }
}

/// The history of the quiet moves of one piece.
pub(in crate::search) struct PieceHistory<'h> {
    targets: &'h Targets,
    replies: [&'h [i16; 64]; STEPS_BACK.len()],
    attacked: Bitboard,
}

impl PieceHistory<'_> {
    /// Returns the history of the move to `to`, within ±4 · [`HISTORY_MAX`].
    #[inline]
    pub(in crate::search) fn of(&self, to: Square) -> i32 {
        let by_squares = self.targets[to as usize][usize::from(self.attacked.contains(to))];
        let replies: i32 = self.replies.iter().map(|row| i32::from(row[to as usize])).sum();
        i32::from(by_squares) + replies
    }
}

/// The number of exposures of a move.
const EXPOSURES: usize = 4;

/// Returns the exposure of a move: whether its from-square and its to-square are `attacked`. A move
/// out of an attack is a different idea from the same move without one.
#[inline]
fn exposure(m: CompactMove, attacked: Bitboard) -> usize {
    usize::from(attacked.contains(m.from_square())) << 1 | usize::from(attacked.contains(m.to()))
}

#[inline]
fn captured(m: CompactMove) -> usize {
    m.capture().unwrap_or(Role::King) as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Move, Square};

    #[test]
    fn the_square_history_of_a_move_can_change_alone() {
        let (from, to) = (Square::G1, Square::F3);
        let m = CompactMove::normal(Role::Knight, from, to, None, None);
        let (mut history, attacked) = (History::default(), Bitboard::EMPTY);
        let steps = [Some(Step::of(m)), None, None];
        history.update_squares(Color::White, m, attacked, 500);
        let of = |history: &History, steps| {
            history.quiets(Color::White, steps, attacked).of_piece(m.role(), from).of(to)
        };
        assert_eq!((of(&history, steps), of(&history, [None; 3])), (500, 500));
        history.update_replies(Color::White, m, steps, -500);
        assert_eq!((of(&history, steps), of(&history, [None; 3])), (0, 500));
    }

    #[test]
    fn capture_history_is_separate_for_each_side() {
        let takes = CompactMove::from(Move::Normal {
            role: Role::Rook,
            from: Square::D1,
            capture: Some(Role::Pawn),
            to: Square::D5,
            promotion: None,
        });
        let (mut history, attacked) = (History::default(), Square::D5.into());
        history.update_capture(Color::White, takes, attacked, 500);
        assert!(history.of_capture(Color::White, takes, attacked) > 0);
        assert_eq!(history.of_capture(Color::Black, takes, attacked), 0);
        assert_eq!(history.of_capture(Color::White, takes, Bitboard::EMPTY), 0, "not attacked");
    }
}
