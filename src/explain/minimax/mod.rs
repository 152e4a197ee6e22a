//! The minimax algorithm as a textbook shows it, and alpha-beta beside it, over the tree of any
//! game.
//!
//! Source: the blog post "Cómo piensa un programa de ajedrez" (Antonio, 2009). A node that is final,
//! at depth 0 or without moves gets the heuristic value. Any other node starts from minus infinity,
//! asks for the value of each child from the other player's point of view, and keeps the best child.
//! The post compares with the negated value of the child but stores the value itself. That is a
//! slip: here the negated one is stored.
//!
//! What is ours: alpha-beta, the counts, the whole line instead of one move, and a choice of the
//! first move where all moves lose.
//!
//! A game implements [`GameTree`] and gets [`plain`], [`alpha_beta`] and [`Lesson`].
//!
//! ```
//! use deepfeeling::explain::minimax::{GameTree, alpha_beta, plain};
//!
//! /// Takes one or two from a heap. Who takes the last one wins.
//! struct Heap;
//!
//! impl GameTree for Heap {
//!     type Position = u32;
//!     type Move = u32;
//!
//!     fn children(&self, heap: &u32) -> Vec<(u32, u32)> {
//!         (1..=2.min(*heap)).map(|taken| (taken, heap - taken)).collect()
//!     }
//!
//!     fn value(&self, heap: &u32) -> f64 {
//!         if *heap == 0 { f64::NEG_INFINITY } else { 0.0 }
//!     }
//!
//!     fn describe(&self, _: &u32, line: &[u32]) -> String {
//!         format!("{line:?}")
//!     }
//! }
//!
//! let found = plain(&Heap, &7, 9, &mut |_| true).unwrap();
//! assert_eq!((found.value, found.line[0]), (f64::INFINITY, 1));
//! let pruned = alpha_beta(&Heap, &7, 9, &mut |_| true).unwrap();
//! assert_eq!((pruned.value, pruned.line[0]), (found.value, found.line[0]));
//! assert!(pruned.leaves < found.leaves);
//! ```
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod lesson;
pub mod material;

pub use lesson::{Horizon, Lesson};

use std::ops::ControlFlow::{self, Break, Continue};

/// Leaves between two calls of a watcher.
const WATCHED: u64 = 1 << 16;

/// The tree of a game for two players.
pub trait GameTree {
    /// A position, with the side to move.
    type Position;
    /// A move.
    type Move: Clone + PartialEq;

    /// Returns the legal moves and the positions after them, or nothing if the game is over.
    fn children(&self, position: &Self::Position) -> Vec<(Self::Move, Self::Position)>;

    /// Returns the heuristic value for the side to move, in any unit. A win is infinite.
    fn value(&self, position: &Self::Position) -> f64;

    /// Formats a line that begins at `root`, for people.
    fn describe(&self, root: &Self::Position, line: &[Self::Move]) -> String;

    /// Whether the side that moved from `before` to `after` is to move again. By default the sides
    /// take turns.
    fn moves_again(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        false
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<M> {
    /// The value for the side to move at the root.
    pub value: f64,
    /// The best line. Its first move is the one to play. Empty if the game is over.
    pub line: Vec<M>,
    /// The positions that got a heuristic value.
    pub leaves: u64,
    /// The mean number of moves of the positions above the leaves. 0 if there are none.
    pub branching: f64,
}

/// Is called with the number of leaves so far, again and again. The search ends early if it returns
/// `false`.
pub type Watcher<'w> = &'w mut dyn FnMut(u64) -> bool;

/// A search that the watcher ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped after {leaves} leaves")]
pub struct Stopped {
    /// The leaves evaluated until then.
    pub leaves: u64,
}

/// Searches `root` to `depth` as the post does.
///
/// # Errors
/// If the watcher ended the search.
pub fn plain<T: GameTree>(
    tree: &T,
    root: &T::Position,
    depth: u32,
    watch: Watcher<'_>,
) -> Result<Found<T::Move>, Stopped> {
    let mut search = Search { tree, watch, leaves: 0, parents: 0, children: 0 };
    let result = search.plain(root, depth);
    search.found(result)
}

/// Searches `root` to `depth` with alpha-beta. Returns the same value and move as [`plain`].
/// <https://www.chessprogramming.org/Alpha-Beta>
///
/// # Errors
/// If the watcher ended the search.
pub fn alpha_beta<T: GameTree>(
    tree: &T,
    root: &T::Position,
    depth: u32,
    watch: Watcher<'_>,
) -> Result<Found<T::Move>, Stopped> {
    let mut search = Search { tree, watch, leaves: 0, parents: 0, children: 0 };
    let result = search.alpha_beta(root, depth, f64::NEG_INFINITY, f64::INFINITY);
    search.found(result)
}

/// A value with the line that led to it. `Break` if the watcher ended the search.
type Outcome<M> = ControlFlow<(), (f64, Vec<M>)>;

/// A search in progress.
struct Search<'t, 'w, T> {
    tree: &'t T,
    watch: Watcher<'w>,
    leaves: u64,
    parents: u64,
    /// Children of all parents, visited or not.
    children: u64,
}

impl<T: GameTree> Search<'_, '_, T> {
    fn plain(&mut self, position: &T::Position, depth: u32) -> Outcome<T::Move> {
        let children = self.children(position, depth);
        if children.is_empty() {
            return self.leaf(position);
        }
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for (m, child) in children {
            let again = self.tree.moves_again(position, &child);
            let (value, line) = self.plain(&child, depth - 1)?;
            let value = if again { value } else { -value };
            if value > best.0 || best.1.is_empty() {
                best = (value, prepended(m, line));
            }
        }
        Continue(best)
    }

    /// Values up to `alpha` and from `beta` on need not be exact: one of the players avoids them.
    fn alpha_beta(
        &mut self,
        position: &T::Position,
        depth: u32,
        alpha: f64,
        beta: f64,
    ) -> Outcome<T::Move> {
        let children = self.children(position, depth);
        if children.is_empty() {
            return self.leaf(position);
        }
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for (m, child) in children {
            let alpha = alpha.max(best.0);
            let again = self.tree.moves_again(position, &child);
            let (value, line) = if again {
                self.alpha_beta(&child, depth - 1, alpha, beta)?
            } else {
                let (value, line) = self.alpha_beta(&child, depth - 1, -beta, -alpha)?;
                (-value, line)
            };
            if value > best.0 || best.1.is_empty() {
                best = (value, prepended(m, line));
            }
            if best.0 >= beta {
                break;
            }
        }
        Continue(best)
    }

    /// Returns the children to search, or nothing for a leaf.
    fn children(&mut self, position: &T::Position, depth: u32) -> Vec<(T::Move, T::Position)> {
        if depth == 0 {
            return Vec::new();
        }
        let children = self.tree.children(position);
        if !children.is_empty() {
            self.parents += 1;
            self.children += children.len() as u64;
        }
        children
    }

    fn leaf(&mut self, position: &T::Position) -> Outcome<T::Move> {
        self.leaves += 1;
        if self.leaves.is_multiple_of(WATCHED) && !(self.watch)(self.leaves) {
            return Break(());
        }
        Continue((self.tree.value(position), Vec::new()))
    }

    fn found(&self, outcome: Outcome<T::Move>) -> Result<Found<T::Move>, Stopped> {
        let leaves = self.leaves;
        let Continue((value, line)) = outcome else { return Err(Stopped { leaves }) };
        let branching = self.children as f64 / self.parents.max(1) as f64;
        Ok(Found { value, line, leaves, branching })
    }
}

fn prepended<M>(m: M, mut line: Vec<M>) -> Vec<M> {
    line.insert(0, m);
    line
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "values are copied, not computed")]

    use super::*;
    use proptest::prelude::*;

    /// The tree of the post: max, min, max, and eight leaves. A position is the path from the root,
    /// as ply and number. The leaves have values for the player who maximises.
    struct Drawing([f64; 8]);

    impl GameTree for Drawing {
        type Position = (u32, usize);
        type Move = usize;

        fn children(&self, &(ply, number): &Self::Position) -> Vec<(usize, Self::Position)> {
            let both = [0, 1].map(|side| (side, (ply + 1, 2 * number + side)));
            if ply == 3 { Vec::new() } else { both.to_vec() }
        }

        fn value(&self, &(ply, number): &Self::Position) -> f64 {
            // at ply 3 the player who minimises would be to move
            assert_eq!(ply, 3, "only leaves are evaluated");
            -self.0[number]
        }

        fn describe(&self, _: &Self::Position, line: &[usize]) -> String {
            format!("{line:?}")
        }
    }

    /// Returns the value of the node at `ply` with this number for the maximising player.
    fn value_at(tree: &Drawing, ply: u32, number: usize) -> f64 {
        let found = plain(tree, &(ply, number), 3 - ply, &mut |_| true).unwrap();
        if ply == 1 { -found.value } else { found.value }
    }

    #[test]
    fn the_tree_of_the_post_has_the_value_7_by_the_left_move() {
        for [third, fourth] in [[f64::NEG_INFINITY; 2], [2.0, 8.0]] {
            let tree = Drawing([7.0, 1.0, 15.0, 2.0, 2.0, third, 8.0, fourth]);
            let found = plain(&tree, &(0, 0), 3, &mut |_| true).unwrap();
            assert_eq!((found.value, &found.line[..]), (7.0, &[0, 0, 0][..]));
            assert_eq!((found.leaves, found.branching), (8, 2.0));
            assert_eq!([0, 1, 2, 3].map(|pair| value_at(&tree, 2, pair)), [7.0, 15.0, 2.0, 8.0]);
            assert_eq!([0, 1].map(|half| value_at(&tree, 1, half)), [7.0, 2.0]);
            let pruned = alpha_beta(&tree, &(0, 0), 3, &mut |_| true).unwrap();
            assert_eq!((pruned.value, &pruned.line), (found.value, &found.line));
            // the 2 beside 15 and the last pair are skipped
            assert_eq!(pruned.leaves, 5);
        }
    }

    #[test]
    fn a_move_is_chosen_even_if_all_moves_lose() {
        let tree = Drawing([f64::NEG_INFINITY; 8]);
        for search in [plain, alpha_beta] {
            let found = search(&tree, &(0, 0), 3, &mut |_| true).unwrap();
            assert_eq!((found.value, &found.line[..]), (f64::NEG_INFINITY, &[0, 0, 0][..]));
        }
    }

    #[test]
    fn depth_0_and_a_final_position_get_the_heuristic() {
        let tree = Drawing([5.0; 8]);
        for (root, depth) in [((3, 4), 0), ((3, 4), 9)] {
            let found = plain(&tree, &root, depth, &mut |_| true).unwrap();
            assert_eq!(found, Found { value: -5.0, line: vec![], leaves: 1, branching: 0.0 });
            assert_eq!(alpha_beta(&tree, &root, depth, &mut |_| true), Ok(found));
        }
    }

    /// A tree of numbers in which some moves keep the turn. The leaves have values for the first
    /// player.
    struct Passing {
        leaves: Vec<i8>,
        /// Bit n: the move that leads to node n keeps the turn.
        keeps: u64,
    }

    impl Passing {
        fn is_first(&self, mut node: usize) -> bool {
            let mut first = true;
            while node > 0 {
                first ^= self.keeps >> node & 1 == 0;
                node = (node - 1) / 3;
            }
            first
        }
    }

    impl GameTree for Passing {
        type Position = usize;
        type Move = usize;

        fn children(&self, node: &usize) -> Vec<(usize, usize)> {
            if *node >= 13 { Vec::new() } else { (1..=3).map(|n| (n, 3 * node + n)).collect() }
        }

        fn value(&self, node: &usize) -> f64 {
            let value = f64::from(self.leaves[node - 13]);
            if self.is_first(*node) { value } else { -value }
        }

        fn describe(&self, _: &usize, line: &[usize]) -> String {
            format!("{line:?}")
        }

        fn moves_again(&self, _: &usize, after: &usize) -> bool {
            self.keeps >> after & 1 == 1
        }
    }

    proptest! {
        #[test]
        fn alpha_beta_finds_value_and_move_of_minimax(
            leaves in prop::collection::vec(-5_i8..5, 27), keeps in any::<u64>(),
        ) {
            let tree = Passing { leaves, keeps };
            let whole = plain(&tree, &0, 3, &mut |_| true).unwrap();
            let pruned = alpha_beta(&tree, &0, 3, &mut |_| true).unwrap();
            prop_assert_eq!((pruned.value, &pruned.line), (whole.value, &whole.line));
            prop_assert!(pruned.leaves <= whole.leaves && whole.leaves == 27);
        }
    }
}
