//! A queue of waiting searches that serves their owners in turn.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// A round-robin queue: each owner has a line, and each turn takes one item from one line. An owner
/// with one item waits for at most one item of each other owner.
#[derive(Debug)]
pub(super) struct FairQueue<K, T> {
    /// The lines of the owners, the next one first. No line is empty.
    lines: VecDeque<(K, VecDeque<T>)>,
    /// Number of items of each owner that were taken and are not done.
    running: HashMap<K, usize>,
    /// The largest number of unfinished items per owner.
    most_running: usize,
}

impl<K: Copy + Eq + Hash, T> FairQueue<K, T> {
    pub(super) fn new(most_running: usize) -> Self {
        Self { lines: VecDeque::new(), running: HashMap::new(), most_running }
    }

    pub(super) fn push(&mut self, owner: K, item: T) {
        match self.lines.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, line)) => line.push_back(item),
            None => self.lines.push_back((owner, VecDeque::from([item]))),
        }
    }

    /// Takes the next item of the owner whose turn it is: its first preferred item, or else its
    /// first.
    pub(super) fn pop(&mut self, is_preferred: impl Fn(&T) -> bool) -> Option<(K, T)> {
        let is_free =
            |owner: &K| self.running.get(owner).is_none_or(|count| *count < self.most_running);
        let turn = self.lines.iter().position(|(owner, _)| is_free(owner))?;
        let (owner, mut line) = self.lines.remove(turn)?;
        let item = line.remove(line.iter().position(is_preferred).unwrap_or(0))?;
        if !line.is_empty() {
            self.lines.push_back((owner, line));
        }
        *self.running.entry(owner).or_default() += 1;
        Some((owner, item))
    }

    /// Marks an item that was taken as done. Its owner moves behind all waiting owners.
    pub(super) fn done(&mut self, owner: K) {
        if let Some(at) = self.lines.iter().position(|(known, _)| *known == owner) {
            let line = self.lines.remove(at);
            self.lines.extend(line);
        }
        if let Some(count) = self.running.get_mut(&owner) {
            *count -= 1;
            if *count == 0 {
                self.running.remove(&owner);
            }
        }
    }

    /// Removes the items that are no longer wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        self.lines.iter_mut().for_each(|(_, line)| line.retain(&is_wanted));
        self.lines.retain(|(_, line)| !line.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(queue: &mut FairQueue<char, u8>) -> Vec<(char, u8)> {
        let next = || {
            let found = queue.pop(|_| false)?;
            queue.done(found.0);
            Some(found)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn owners_take_turns_regardless_of_their_number_of_items() {
        let mut queue = FairQueue::new(1);
        (0..4).for_each(|item| queue.push('a', item));
        queue.push('b', 9);
        queue.push('c', 7);
        let expected = [('a', 0), ('b', 9), ('c', 7), ('a', 1), ('a', 2), ('a', 3)];
        assert_eq!(order(&mut queue), expected);
    }

    #[test]
    fn a_new_owner_is_next_after_the_running_search() {
        let mut queue = FairQueue::new(1);
        queue.push('a', 0);
        assert_eq!(queue.pop(|_| true), Some(('a', 0)));
        queue.push('a', 1);
        queue.push('b', 0);
        queue.done('a');
        assert_eq!(order(&mut queue), [('b', 0), ('a', 1)]);
    }

    #[test]
    fn an_owner_that_returns_immediately_does_not_overtake() {
        let mut queue = FairQueue::new(2);
        queue.push('a', 0);
        queue.push('b', 0);
        assert_eq!(queue.pop(|_| true), Some(('a', 0)));
        queue.done('a');
        queue.push('a', 1);
        assert_eq!(order(&mut queue), [('b', 0), ('a', 1)]);
    }

    #[test]
    fn one_owner_cannot_occupy_all_threads() {
        let mut queue = FairQueue::new(1);
        (0..3).for_each(|item| queue.push('a', item));
        assert_eq!(queue.pop(|_| true), Some(('a', 0)));
        assert_eq!(queue.pop(|_| true), None, "one at a time");
        queue.push('b', 5);
        assert_eq!(queue.pop(|_| true), Some(('b', 5)));
        queue.done('a');
        assert_eq!(queue.pop(|_| true), Some(('a', 1)));
    }

    #[test]
    fn preferred_items_come_first_and_unwanted_items_are_removed() {
        let mut queue = FairQueue::new(9);
        (0..4).for_each(|item| queue.push('a', item));
        queue.retain(|item| *item != 0);
        assert_eq!(queue.pop(|item| *item == 2), Some(('a', 2)));
        assert_eq!(order(&mut queue), [('a', 1), ('a', 3)]);
    }
}
