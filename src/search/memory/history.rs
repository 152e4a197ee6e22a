//! History heuristic: remembers which moves caused beta cutoffs, also as replies to earlier moves.
//! <https://www.chessprogramming.org/History_Heuristic>

use super::{
    correction::Corrections,
    gravity::add,
    step::{STEPS_BACK, Step, Steps},
};
use crate::search::params::HISTORY_MAX;
use shakmaty::{Color, Move, Role, Square};

type Replies = Box<[[i16; Step::COUNT]]>;

/// The histories of one thread. They live from search to search and are cleared by a new game.
#[derive(Clone, Debug)]
pub struct History {
    /// Butterfly history, by side, from-square and to-square.
    quiet: Box<[[[i16; 64]; 64]; 2]>,
    /// Continuation history, by distance (see [`STEPS_BACK`]), side, earlier move and present move.
    replies: [[Replies; 2]; STEPS_BACK.len()],
    /// Capture history, by side, moving piece, target square and captured piece.
    captures: Box<[[[i16; 6]; Step::COUNT]; 2]>,
    pub(in crate::search) corrections: Corrections,
}

impl Default for History {
    fn default() -> Self {
        let one_side = || vec![[0; Step::COUNT]; Step::COUNT].into_boxed_slice();
        let replies = || [one_side(), one_side()];
        Self {
            quiet: Box::new([[[0; 64]; 64]; 2]),
            replies: [replies(), replies(), replies()],
            captures: Box::new([[[0; 6]; Step::COUNT]; 2]),
            corrections: Corrections::default(),
        }
    }
}

impl History {
    /// Clears the correction history, after the evaluation has changed.
    pub fn forget_scores(&mut self) {
        self.corrections = Corrections::default();
    }

    /// Returns the history of a quiet move, within ±4 · [`HISTORY_MAX`].
    pub(in crate::search) fn of_quiet(&self, side: Color, m: Move, steps: &Steps) -> i32 {
        let (from, to) = squares(m);
        let step = Step::of(m).number();
        let mut sum = i32::from(self.quiet[side as usize][from][to]);
        for (replies, last) in self.replies.iter().zip(steps) {
            if let Some(last) = last {
                sum += i32::from(replies[side as usize][last.number()][step]);
            }
        }
        sum
    }

    /// Returns the history of a capture, within ±[`HISTORY_MAX`].
    pub(in crate::search) fn of_capture(&self, side: Color, m: Move) -> i32 {
        i32::from(self.captures[side as usize][Step::of(m).number()][captured(m)])
    }

    /// Adds `bonus` to the histories of a quiet move. The bonus is negative for a move that did not
    /// cause the cutoff.
    pub(in crate::search) fn update_quiet(
        &mut self,
        side: Color,
        m: Move,
        steps: &Steps,
        bonus: i32,
    ) {
        let (from, to) = squares(m);
        let step = Step::of(m).number();
        add(&mut self.quiet[side as usize][from][to], bonus, HISTORY_MAX);
        for (replies, last) in self.replies.iter_mut().zip(steps) {
            if let Some(last) = last {
                add(&mut replies[side as usize][last.number()][step], bonus, HISTORY_MAX);
            }
        }
    }

    /// Adds `bonus` to the history of a capture. The bonus is negative for a move that did not
    /// cause the cutoff.
    pub(in crate::search) fn update_capture(&mut self, side: Color, m: Move, bonus: i32) {
        add(
            &mut self.captures[side as usize][Step::of(m).number()][captured(m)],
            bonus,
            HISTORY_MAX,
        );
    }
}

fn squares(m: Move) -> (usize, usize) {
    (m.from().map_or(0, Square::to_usize), m.to().to_usize())
}

fn captured(m: Move) -> usize {
    m.capture().unwrap_or(Role::King) as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capture_history_is_separate_for_each_side() {
        let takes = Move::Normal {
            role: Role::Rook,
            from: Square::D1,
            capture: Some(Role::Pawn),
            to: Square::D5,
            promotion: None,
        };
        let mut history = History::default();
        history.update_capture(Color::White, takes, 500);
        assert!(history.of_capture(Color::White, takes) > 0);
        assert_eq!(history.of_capture(Color::Black, takes), 0);
    }
}
