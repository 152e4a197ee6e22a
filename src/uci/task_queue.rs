//! A queue of commands that wait for the running search to end, with bounded memory.

use super::{command::Task, refusal::InvalidArgument};
use crate::search::root::moment::Moment;
use std::collections::VecDeque;

/// A waiting command.
pub(super) struct WaitingTask {
    pub(super) task: Task,
    /// When the line was read.
    pub(super) read: Moment,
    /// The estimated memory of this command in bytes.
    bytes: usize,
}

/// The waiting commands, in order.
#[derive(Default)]
pub(super) struct TaskQueue {
    tasks: VecDeque<WaitingTask>,
    /// The estimated memory of all commands in bytes.
    bytes: usize,
}

impl TaskQueue {
    /// The memory limit in bytes: enough for hundreds of complete games.
    const MOST: usize = 8 << 20;

    /// Appends a command. `length` is the length of its line in bytes.
    ///
    /// # Errors
    /// If the queue is full. All earlier commands are then dropped. The position counts as refused,
    /// because a dropped command may have set another one.
    pub(super) fn push(
        &mut self,
        task: Task,
        length: usize,
        read: Moment,
    ) -> Result<(), InvalidArgument> {
        let bytes = length + size_of::<WaitingTask>();
        let mut result = Ok(());
        if self.bytes + bytes > Self::MOST {
            let allowed = format!("{} bytes; they are dropped", Self::MOST);
            let refusal = InvalidArgument::new("commands during a search", "too many", allowed);
            self.clear();
            let task = Task::Position(Err(refusal.clone()));
            self.tasks.push_back(WaitingTask { task, read, bytes: 0 });
            result = Err(refusal);
        }
        self.bytes += bytes;
        self.tasks.push_back(WaitingTask { task, read, bytes });
        result
    }

    /// Removes and returns the first command.
    pub(super) fn pop(&mut self) -> Option<WaitingTask> {
        let first = self.tasks.pop_front()?;
        self.bytes -= first.bytes;
        Some(first)
    }

    /// Returns the last command for which `is_wanted` returns a value.
    pub(super) fn find_last<T>(
        &mut self,
        is_wanted: impl FnMut(&mut Task) -> Option<&mut T>,
    ) -> Option<&mut T> {
        self.tasks.iter_mut().rev().map(|waiter| &mut waiter.task).find_map(is_wanted)
    }

    /// Removes all commands equal to `task` and returns their number.
    pub(super) fn remove(&mut self, task: &Task) -> usize {
        let before = self.tasks.len();
        self.tasks.retain(|waiter| waiter.task != *task);
        self.bytes = self.tasks.iter().map(|waiter| waiter.bytes).sum();
        before - self.tasks.len()
    }

    /// Removes all commands.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::moment::now;

    #[test]
    fn memory_is_bounded_and_later_commands_are_kept() {
        let mut waiting = TaskQueue::default();
        let refused = |_| waiting.push(Task::NewGame, 1 << 20, now()).is_err();
        assert_eq!((0..100).map(refused).filter(|&is_refused| is_refused).count(), 14);
        assert!(waiting.bytes <= TaskQueue::MOST);
        let tasks: Vec<_> =
            std::iter::from_fn(|| waiting.pop()).map(|waiter| waiter.task).collect();
        assert!(matches!(tasks[0], Task::Position(Err(_))), "the position is unknown");
        assert!(tasks[1..].len() == 2 && tasks[1..].iter().all(|task| *task == Task::NewGame));
        assert_eq!(waiting.bytes, 0);
    }

    #[test]
    fn many_small_commands_are_bounded_too() {
        let mut waiting = TaskQueue::default();
        let pushed = (0..1_000_000).take_while(|_| waiting.push(Task::NewGame, 1, now()).is_ok());
        assert!(pushed.count() < 100_000);
    }
}
