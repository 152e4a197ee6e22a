//! Parses the arguments of `go` and converts them to the [`Limits`] of a search.

use super::refusal::InvalidArgument;
use crate::{
    chess::{
        game::{Game, GameError},
        perft::DEEPEST,
        score::MAX_PLY,
    },
    lab::bench::{self, DEFAULT_DEPTH},
    search::root::limits::{Clock, Limits},
};
use shakmaty::{ByColor, Color};
use std::{num::NonZeroU64, str::FromStr, time::Duration};

/// The parsed arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub depth: Option<u8>,
    pub nodes: Option<NonZeroU64>,
    pub move_time: Option<Duration>,
    pub time: ByColor<Option<Duration>>,
    pub increment: ByColor<Option<Duration>>,
    pub moves_to_go: Option<u32>,
    pub mate: Option<u8>,
    /// Run perft to this depth instead of searching.
    pub perft: Option<u32>,
    /// Run the bench to this depth instead of searching.
    pub bench: Option<u8>,
    pub infinite: bool,
    pub ponder: bool,
    /// The moves after `searchmoves`, unparsed.
    pub moves: Vec<String>,
    /// Whether `stop` arrived while this search was waiting for another one to end.
    pub stopped: bool,
    /// Unknown words.
    pub ignored: Vec<String>,
    /// Errors for invalid arguments. The search runs without these arguments.
    pub refused: Vec<InvalidArgument>,
}

/// The search time if the only given limit is invalid.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// The longest mate that `go mate` searches for, in moves.
const LONGEST_MATE: u8 = MAX_PLY.div_ceil(2) as u8;

const WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

impl Go {
    /// Parses the text after `go`. Numbers out of range are clamped. Some GUIs send negative times:
    /// these count as zero. Invalid arguments go to `refused` instead of failing, because the GUI
    /// waits for a move.
    ///
    /// # Errors
    /// If `perft` has no valid depth. In this case the GUI does not wait for a move.
    pub fn parse(arguments: &str) -> Result<Self, InvalidArgument> {
        let mut go = Self::default();
        let mut words = arguments.split_whitespace().peekable();
        let mut next = words.next();
        while let Some(word) = next {
            let mut number = || words.next_if(|word| !WORDS.contains(word));
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "depth" => {
                    go.depth = go.count(word, number()).map(|n| within(n, 1, MAX_PLY as u8));
                }
                "mate" => go.mate = go.count(word, number()).map(|n| within(n, 1, LONGEST_MATE)),
                "perft" => go.perft = Some(plies(word, number())?),
                "nodes" => {
                    go.nodes = go.count(word, number()).and_then(|n| NonZeroU64::new(n.max(1)));
                }
                // Some GUIs send zero if the number of moves is not set.
                "movestogo" => {
                    let moves = go.count(word, number()).map(|n| within(n, 0, u32::MAX));
                    go.moves_to_go = moves.filter(|moves| *moves > 0);
                }
                "movetime" => go.move_time = go.time(word, number()),
                "wtime" => go.time.white = go.time(word, number()),
                "btime" => go.time.black = go.time(word, number()),
                "winc" => go.increment.white = go.time(word, number()),
                "binc" => go.increment.black = go.time(word, number()),
                "searchmoves" => {
                    next = words.next();
                    while let Some(m) = next.filter(|word| !WORDS.contains(word)) {
                        go.moves.push(m.into());
                        next = words.next();
                    }
                    continue;
                }
                _ => go.ignored.push(word.into()),
            }
            next = words.next();
        }
        if !go.refused.is_empty() && !go.infinite && !go.is_bounded() {
            go.move_time = Some(WITHOUT_LIMIT);
        }
        Ok(go)
    }

    /// Parses the text after `bench`: a depth, or nothing for the default depth.
    ///
    /// # Errors
    /// If the text is not a depth in range.
    pub fn bench(arguments: &str) -> Result<Self, InvalidArgument> {
        let found = arguments.trim();
        let depth = if found.is_empty() { Some(DEFAULT_DEPTH) } else { found.parse().ok() };
        let depth = depth.filter(|depth| (1..=bench::DEEPEST).contains(depth));
        let allowed = || format!("a depth from 1 to {}", bench::DEEPEST);
        let depth = depth.ok_or_else(|| InvalidArgument::new("bench", found, allowed()))?;
        Ok(Self { bench: Some(depth), ..Self::default() })
    }

    /// Parses a count. Records invalid numbers in `refused`.
    fn count(&mut self, word: &str, found: Option<&str>) -> Option<u64> {
        self.read(word, found, || format!("a whole number from 0 to {}", u64::MAX))
    }

    /// Parses a time in milliseconds. Records invalid numbers in `refused`.
    fn time(&mut self, word: &str, found: Option<&str>) -> Option<Duration> {
        /// One year: longer than any search, and safe to add to any clock.
        const LONGEST: Duration = Duration::from_hours(365 * 24);
        let allowed = || format!("a whole number of milliseconds up to {}", i64::MAX);
        let time: i64 = self.read(word, found, allowed)?;
        Some(Duration::from_millis(time.max(0).unsigned_abs()).min(LONGEST))
    }

    fn read<T: FromStr>(
        &mut self,
        word: &str,
        found: Option<&str>,
        allowed: impl FnOnce() -> String,
    ) -> Option<T> {
        let found = found.unwrap_or_default();
        let number = found.parse().ok();
        if number.is_none() {
            self.refused.push(InvalidArgument::new(format!("go {word}"), found, allowed()));
        }
        number
    }

    /// Returns whether a limit ends the search without `stop`.
    fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.clock().is_some()
    }

    /// Returns whether time ends the search.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.is_search() && (self.move_time.is_some() || self.clock().is_some())
    }

    /// Returns whether this is a search, not perft or bench.
    #[must_use]
    pub fn is_search(&self) -> bool {
        self.perft.is_none() && self.bench.is_none()
    }

    /// Returns whether only `stop` ends the search: `infinite`, or no limit was given.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        self.is_search() && (self.infinite || !self.is_bounded())
    }

    /// Returns the limits for a search of `game`, and an error for each illegal move after
    /// `searchmoves`. If all of them are illegal, every move is searched. An infinite search
    /// ignores the clock.
    #[must_use]
    pub fn limits(&self, game: &Game) -> (Limits, Vec<GameError>) {
        let (mut moves, mut errors) = (Vec::new(), Vec::new());
        for text in &self.moves {
            match game.read_uci(text) {
                Ok(m) => moves.push(m),
                Err(error) => errors.push(error),
            }
        }
        let timed = !self.infinite;
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time.filter(|_| timed),
            clock: self.clock().filter(|_| timed),
            moves_to_go: self.moves_to_go.filter(|_| timed),
            mate: self.mate,
            moves,
            since: None,
            nodes_per_ms: None,
        };
        (limits, errors)
    }

    /// Returns both clocks if any time or increment was given. A side without a time gets the time
    /// of the other side, or else its own increment.
    fn clock(&self) -> Option<ByColor<Clock>> {
        let given = |times: &ByColor<Option<Duration>>| times.white.or(times.black);
        given(&self.time).or(given(&self.increment))?;
        Some(ByColor::new_with(|side: Color| {
            let increment = *self.increment.get(side);
            let left = self.time.get(side).or(*self.time.get(!side)).or(increment);
            Clock { left: left.unwrap_or_default(), increment: increment.unwrap_or_default() }
        }))
    }
}

fn within<T: TryFrom<u64> + Ord + Copy>(number: u64, least: T, most: T) -> T {
    T::try_from(number).unwrap_or(most).clamp(least, most)
}

/// Parses the depth of a perft.
fn plies(word: &str, found: Option<&str>) -> Result<u32, InvalidArgument> {
    let found = found.unwrap_or_default();
    let plies = found.parse().ok().filter(|plies| (1..=DEEPEST).contains(plies));
    let allowed = || format!("a whole number from 1 to {DEEPEST}");
    plies.ok_or_else(|| InvalidArgument::new(format!("go {word}"), found, allowed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(arguments: &str) -> Limits {
        Go::parse(arguments).unwrap().limits(&Game::default()).0
    }

    #[test]
    fn arguments_may_come_in_any_order() {
        let text = "searchmoves e2e4 g1f3 binc 5 winc 4 btime 3 wtime 2 mate 9 nodes 8 depth 7 \
            movestogo 6 movetime 1 ponder";
        let go = Go::parse(text).unwrap();
        assert_eq!((go.depth, go.mate, go.moves_to_go), (Some(7), Some(9), Some(6)));
        assert_eq!(go.moves, ["e2e4", "g1f3"]);
        assert!(go.ponder && !go.infinite && !go.is_infinite());
        let turned = "movetime 1 ponder movestogo 6 depth 7 nodes 8 mate 9 wtime 2 btime 3 winc 4 \
            binc 5 searchmoves e2e4 g1f3";
        assert_eq!(Go::parse(turned), Ok(go));
    }

    #[test]
    fn without_a_limit_a_search_is_infinite() {
        for text in ["", "infinite", "searchmoves e2e4", "infinite wtime 5", "movestogo 3"] {
            assert!(Go::parse(text).unwrap().is_infinite(), "{text}");
        }
        assert!(limits("infinite wtime 5 movetime 5").clock.is_none());
        for text in ["depth 1", "nodes 1", "mate 1", "movetime 0", "btime 1", "winc 0"] {
            assert!(!Go::parse(text).unwrap().is_infinite(), "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_clamped() {
        assert_eq!(limits("depth 128").depth, Some(127));
        assert_eq!(limits("depth 18446744073709551615").depth, Some(127));
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("nodes 0").nodes, NonZeroU64::new(1));
        assert_eq!(limits("depth 1 movestogo 0").moves_to_go, None);
        assert_eq!(limits("wtime -250").clock.unwrap().white.left, Duration::ZERO);
        let most = limits(&format!("movetime {}", i64::MAX)).move_time.unwrap();
        assert!(most > Duration::from_hours(24) && most.checked_mul(1000).is_some());
    }

    #[test]
    fn invalid_numbers_are_refused_and_the_search_still_ends() {
        let broken =
            ["depth", "depth x", "depth -1", "nodes 1e6", "mate infinite", "movestogo 2.5"];
        let too_large = ["depth 18446744073709551616", "wtime 9223372036854775808"];
        for text in broken.into_iter().chain(too_large) {
            let go = Go::parse(text).unwrap();
            let refusal = go.refused[0].to_string();
            assert!(refusal.contains("found") && refusal.contains("a whole number"), "{refusal}");
            assert_eq!(go.refused.len(), 1, "{text}");
            assert_eq!(go.move_time, (text != "mate infinite").then_some(WITHOUT_LIMIT), "{text}");
        }
        let go = Go::parse("depth movetime 7 winc x").unwrap();
        assert_eq!((go.depth, go.move_time), (None, Some(Duration::from_millis(7))));
        assert_eq!(go.refused.len(), 2);
        for text in ["perft", "perft x", "perft 0"] {
            assert!(Go::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_bench_has_a_depth_and_is_not_infinite() {
        let bench = |arguments: &str| Go::bench(arguments).map(|go| (go.bench, go.is_infinite()));
        assert_eq!(bench(""), Ok((Some(DEFAULT_DEPTH), false)));
        assert_eq!(bench(" 4 "), Ok((Some(4), false)));
        for broken in ["0", "101", "x", "4 5"] {
            let refusal = bench(broken).unwrap_err().to_string();
            assert!(refusal.ends_with(" (allowed: a depth from 1 to 100)"), "{refusal}");
        }
    }

    #[test]
    fn a_side_without_a_clock_gets_the_clock_of_the_other_side() {
        let clock = limits("btime 500 winc 20").clock.unwrap();
        assert_eq!(clock.white.left, Duration::from_millis(500));
        assert_eq!(clock.white.increment, Duration::from_millis(20));
        assert_eq!(clock.black.increment, Duration::ZERO);
        let clock = limits("winc 20").clock.unwrap();
        assert_eq!(clock.white.left, Duration::from_millis(20));
    }

    #[test]
    fn illegal_moves_are_refused_and_unknown_words_ignored() {
        let game = Game::default();
        let searched = |text: &str| {
            let (limits, errors) = Go::parse(text).unwrap().limits(&game);
            (limits.moves.len(), errors.len())
        };
        assert_eq!(searched("searchmoves e2e5"), (0, 1));
        assert_eq!(searched("searchmoves e2e4 later"), (1, 1));
        assert_eq!(searched("searchmoves e2e4 d2d4"), (2, 0));
        assert_eq!(Go::parse("dept 8 depth 3").unwrap().ignored, ["dept", "8"]);
    }
}
