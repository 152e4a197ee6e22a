//! The pause before the move of an engine in human style, without a clock.

use std::time::Duration;

/// The time for a move without alternatives.
const LEAST: Duration = Duration::from_millis(600);
/// The additional time for each further move that came to mind.
const EACH: Duration = Duration::from_millis(120);
/// The longest time.
const MOST: Duration = Duration::from_millis(1_800);

/// Returns how long the engine appears to think if this many moves came to mind.
pub(super) fn natural(in_mind: usize) -> Duration {
    let more = in_mind.saturating_sub(1).try_into().unwrap_or(u32::MAX);
    LEAST.saturating_add(EACH.saturating_mul(more)).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_choice_takes_longer() {
        assert_eq!(natural(1), LEAST);
        assert!(natural(4) > natural(3));
        assert_eq!([natural(99), natural(usize::MAX)], [MOST; 2]);
    }
}
