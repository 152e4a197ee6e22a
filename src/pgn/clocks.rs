//! The clocks of a game: time left before a move, and time used for it.

use super::{PlayedGame, clock};
use crate::chess::time_control::TimeControl;

/// Usual increments in seconds. An increment that is not stated is taken from this list.
const INCREMENTS: [f64; 10] = [0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 12.0, 15.0, 30.0];
/// A clock may show up to this many seconds more than the rules allow, because it is rounded.
const ROUNDING: f64 = 1.0;
/// Usual base times in seconds.
const BASES: [f64; 14] = [
    15.0, 30.0, 60.0, 120.0, 180.0, 300.0, 600.0, 900.0, 1200.0, 1500.0, 1800.0, 2700.0, 3600.0,
    5400.0,
];

/// The clocks of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Clocks {
    /// The time control as stated, or else inferred.
    pub control: TimeControl,
    /// The mover's clock after each ply, in seconds.
    after: Vec<Option<f64>>,
}

impl Clocks {
    /// Returns the clocks of a game with `[%clk]` comments.
    pub fn of(game: &PlayedGame) -> Option<Self> {
        let after: Vec<_> = game.moves.iter().map(|played| clock(&played.comment)).collect();
        let stated = TimeControl::parse(&game.tags.time_control);
        let control = stated.or_else(|| inferred(&after))?;
        after.iter().any(Option::is_some).then_some(Self { control, after })
    }

    /// Returns these clocks with an inferred time control rounded to usual numbers.
    ///
    /// Some clocks include the first increment: a first clock of 182 seconds then means a base of
    /// 180 seconds and an increment of 2. A stated time control is usual already.
    #[must_use]
    pub fn usual(self) -> Self {
        let TimeControl { base, increment } = self.control;
        let usual = BASES.into_iter().rev().find(|usual| *usual <= base);
        let control = usual.and_then(|usual| {
            let increment = usual_increment(increment.max(base - usual))?;
            Some(TimeControl { base: usual, increment })
        });
        Self { control: control.unwrap_or(self.control), ..self }
    }

    /// Returns the mover's time left before the move at `ply`, in seconds.
    pub fn left(&self, ply: usize) -> Option<f64> {
        self.after.get(ply.checked_sub(2)?).copied().flatten()
    }

    /// Returns the time used for the move at `ply`, in seconds. `None` if a clock is missing or was
    /// set forward.
    pub fn used(&self, ply: usize) -> Option<f64> {
        let used =
            self.left(ply)? - self.after.get(ply).copied().flatten()? + self.control.increment;
        (used >= -ROUNDING).then_some(used.max(0.0))
    }

    /// Returns the last clock of the side that moves at plies of the parity of `ply`.
    pub fn last(&self, parity: usize) -> Option<f64> {
        let own = self.after.iter().enumerate().filter(|(ply, _)| ply % 2 == parity);
        own.rev().find_map(|(_, clock)| *clock)
    }
}

/// Infers the time control from the clocks after each ply: the base from the first two clocks, and
/// the increment from the largest rise of a clock over an own move, rounded up to a usual one.
fn inferred(after: &[Option<f64>]) -> Option<TimeControl> {
    let base = after.iter().take(2).flatten().copied().fold(0.0, f64::max);
    let rises = after.windows(3).filter_map(|three| Some(three[2]? - three[0]?));
    let largest = rises.fold(0.0, f64::max);
    let increment = usual_increment(largest - 0.5)?;
    (base > 0.0).then_some(TimeControl { base, increment })
}

/// Returns the smallest usual increment of at least `least` seconds.
fn usual_increment(least: f64) -> Option<f64> {
    INCREMENTS.into_iter().find(|usual| *usual >= least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    fn clocks(tags: &str, times: &[&str]) -> Option<Clocks> {
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
        let with = moves.iter().zip(times).map(|(san, time)| match *time {
            "" => format!("{san} "),
            time => format!("{san} {{[%clk 0:{time}]}} "),
        });
        let text = format!("{tags}\n\n{}*\n", with.collect::<String>());
        let game = Games::of(Box::new(std::io::Cursor::new(text))).next().unwrap().unwrap();
        Clocks::of(&game)
    }

    #[test]
    fn time_used_is_the_difference_of_own_clocks_plus_the_increment() {
        let times = ["03:00", "03:00", "02:50", "02:59", "02:47", "03:05"];
        let clocks = clocks("[TimeControl \"180+2\"]", &times).unwrap();
        assert_eq!(clocks.control, TimeControl { base: 180.0, increment: 2.0 });
        assert_eq!((clocks.left(2), clocks.used(2)), (Some(180.0), Some(12.0)));
        assert_eq!((clocks.left(4), clocks.used(4)), (Some(170.0), Some(5.0)));
        assert_eq!((clocks.left(0), clocks.used(1)), (None, None));
        // the clock was set forward
        assert_eq!(clocks.used(5), None);
        assert_eq!((clocks.last(0), clocks.last(1)), (Some(167.0), Some(185.0)));
    }

    #[test]
    fn a_missing_time_control_is_inferred() {
        let times = ["03:02", "02:59", "03:03", "02:58", "03:00", "02:50"];
        let inferred = clocks("[Event \"x\"]", &times).unwrap().control;
        assert_eq!(inferred, TimeControl { base: 182.0, increment: 1.0 });
        // each first clock includes the increment
        let usual = clocks("[Event \"x\"]", &times).unwrap().usual().control;
        assert_eq!(usual, TimeControl { base: 180.0, increment: 2.0 });
        let stated = clocks("[TimeControl \"300+3\"]", &times).unwrap();
        assert_eq!(stated.clone().usual(), stated);
        let times = ["10:00", "10:05", "10:04", "10:08", "09:00", "10:00"];
        assert!(
            (clocks("[TimeControl \"-\"]", &times).unwrap().control.increment - 5.0).abs() < 0.1
        );
    }

    #[test]
    fn games_without_clocks_have_none() {
        assert_eq!(clocks("[TimeControl \"180+2\"]", &["", "", "", "", "", ""]), None);
        let some = clocks("[TimeControl \"180\"]", &["03:00", "", "02:50", "", "", ""]).unwrap();
        assert_eq!((some.used(2), some.used(3), some.used(4)), (Some(10.0), None, None));
    }
}
