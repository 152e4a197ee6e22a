//! What earlier nodes taught about moves: which ones caused cutoffs, after what.
//! <https://www.chessprogramming.org/History_Heuristic>

use super::params as p;
use shakmaty::{Color, Move, Role, Square};

/// A piece and where it went: what a later reply is remembered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(usize);

impl Step {
    const COUNT: usize = 6 * 64;

    pub(super) fn of(m: Move) -> Self {
        Self((m.role() as usize - 1) * 64 + m.to().to_usize())
    }
}

/// The last two steps of a line: the opponent's, and the own one before it.
pub(super) type Steps = [Option<Step>; 2];

type Replies = Box<[[i16; Step::COUNT]]>;

/// One thread's histories. They live from search to search and are forgotten with a new game.
#[derive(Clone, Debug)]
pub struct History {
    /// By side, from and to.
    quiet: Box<[[[i16; 64]; 64]; 2]>,
    /// By what was played one and two plies before.
    replies: [Replies; 2],
    /// By moving piece, target square and captured piece.
    captures: Box<[[i16; 6]; Step::COUNT]>,
}

impl Default for History {
    fn default() -> Self {
        let replies = || vec![[0; Step::COUNT]; Step::COUNT].into_boxed_slice();
        Self {
            quiet: Box::new([[[0; 64]; 64]; 2]),
            replies: [replies(), replies()],
            captures: Box::new([[0; 6]; Step::COUNT]),
        }
    }
}

impl History {
    /// How a quiet move fared, in this position's company; within ±3 [`p::HISTORY_MAX`].
    pub(super) fn of_quiet(&self, side: Color, m: Move, steps: &Steps) -> i32 {
        let (from, to) = squares(m);
        let step = Step::of(m).0;
        let mut sum = i32::from(self.quiet[side as usize][from][to]);
        for (replies, last) in self.replies.iter().zip(steps) {
            if let Some(last) = last {
                sum += i32::from(replies[last.0][step]);
            }
        }
        sum
    }

    /// How a capture fared, within ± [`p::HISTORY_MAX`].
    pub(super) fn of_capture(&self, m: Move) -> i32 {
        i32::from(self.captures[Step::of(m).0][captured(m)])
    }

    /// A quiet move caused a cutoff at `depth` (`sign` 1) or was tried before it in vain (-1).
    pub(super) fn teach_quiet(
        &mut self,
        side: Color,
        m: Move,
        steps: &Steps,
        depth: i32,
        sign: i32,
    ) {
        let (from, to) = squares(m);
        let bonus = sign * bonus(depth);
        let step = Step::of(m).0;
        add(&mut self.quiet[side as usize][from][to], bonus);
        for (replies, last) in self.replies.iter_mut().zip(steps) {
            if let Some(last) = last {
                add(&mut replies[last.0][step], bonus);
            }
        }
    }

    /// The same of a capture.
    pub(super) fn teach_capture(&mut self, m: Move, depth: i32, sign: i32) {
        add(&mut self.captures[Step::of(m).0][captured(m)], sign * bonus(depth));
    }
}

fn squares(m: Move) -> (usize, usize) {
    (m.from().map_or(0, Square::to_usize), m.to().to_usize())
}

fn captured(m: Move) -> usize {
    m.capture().unwrap_or(Role::King) as usize - 1
}

fn bonus(depth: i32) -> i32 {
    (p::HISTORY_BONUS * depth - p::HISTORY_BONUS_OFFSET).clamp(0, p::HISTORY_BONUS_MOST)
}

/// Adds with gravity: the nearer to the limit, the less is added; never beyond it.
fn add(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / p::HISTORY_MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_histories_within_bounds() {
        let mut entry = 0;
        for _ in 0..10_000 {
            add(&mut entry, p::HISTORY_BONUS_MOST);
        }
        assert!(i32::from(entry) > p::HISTORY_MAX * 9 / 10 && i32::from(entry) <= p::HISTORY_MAX);
        for _ in 0..10_000 {
            add(&mut entry, -p::HISTORY_BONUS_MOST);
        }
        assert!(i32::from(entry) < -p::HISTORY_MAX * 9 / 10);
    }
}
