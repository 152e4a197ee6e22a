//! Time controls: base time and increment.

/// Base time and increment, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeControl {
    /// The time at the start of the game, above 0.
    pub base: f64,
    /// The time added after each move.
    pub increment: f64,
}

/// The number of moves of a usual game.
const MOVES: f64 = 40.0;

impl TimeControl {
    /// Parses the value of a PGN tag, such as `180+2` or `600`.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let (base, increment) = tag.split_once('+').unwrap_or((tag, "0"));
        let [base, increment] = [base, increment].map(|part| part.trim().parse::<f64>().ok());
        let control = Self { base: base?, increment: increment? };
        let is_usual = control.base > 0.0 && control.increment >= 0.0;
        is_usual.then_some(control)
    }

    /// Returns the mean time per move that a game of 40 moves allows, in seconds.
    #[must_use]
    pub fn per_move(&self) -> f64 {
        self.base / MOVES + self.increment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_parsed_and_give_the_time_per_move() {
        let blitz = TimeControl::parse("180+2").unwrap();
        assert_eq!(blitz, TimeControl { base: 180.0, increment: 2.0 });
        assert!((blitz.per_move() - 6.5).abs() < 1e-9);
        let rapid = TimeControl::parse("600").unwrap();
        assert!((rapid.per_move() - 15.0).abs() < 1e-9);
        for broken in ["", "-", "0+1", "180+-2", "40/5400"] {
            assert_eq!(TimeControl::parse(broken), None, "{broken}");
        }
    }
}
