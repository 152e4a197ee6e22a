//! The arguments of `go`, and the [`Limits`] they stand for in a game.

use super::Refusal;
use crate::{
    game::{Game, GameError},
    perft::DEEPEST,
    score::MAX_PLY,
    search::limits::{Clock, Limits},
};
use shakmaty::{ByColor, Color, Move, uci::UciMove};
use std::{num::NonZeroU64, time::Duration};

/// What `go` asked for, in whatever order and combination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub depth: Option<u8>,
    pub nodes: Option<NonZeroU64>,
    pub move_time: Option<Duration>,
    pub time: ByColor<Option<Duration>>,
    pub increment: ByColor<Option<Duration>>,
    pub moves_to_go: Option<u32>,
    pub mate: Option<u8>,
    /// Count moves to this depth instead of searching.
    pub perft: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    /// The moves after `searchmoves`, as they were written.
    pub moves: Vec<String>,
    /// A `stop` came while this search still waited for another to end.
    pub stopped: bool,
    /// Words that mean nothing to us.
    pub ignored: Vec<String>,
}

/// In moves.
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
    /// Reads what follows `go`. Numbers beyond what a search can reach count as the nearest that
    /// it can; times below zero, which some GUIs send, count as no time left.
    ///
    /// # Errors
    /// If a number is missing, none, or negative where it cannot be.
    pub fn parse(arguments: &str) -> Result<Self, Refusal> {
        let mut go = Self::default();
        let mut words = arguments.split_whitespace();
        let mut next = words.next();
        while let Some(word) = next {
            let mut number = || words.next();
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "depth" => go.depth = Some(within(count(word, number())?, 1, MAX_PLY as u8)),
                "mate" => go.mate = Some(within(count(word, number())?, 1, LONGEST_MATE)),
                "perft" => go.perft = Some(plies(word, number())?),
                "nodes" => go.nodes = NonZeroU64::new(count(word, number())?.max(1)),
                // A zero here is how some GUIs say that no number of moves is set.
                "movestogo" => {
                    let moves = within(count(word, number())?, 0, u32::MAX);
                    go.moves_to_go = (moves > 0).then_some(moves);
                }
                "movetime" => go.move_time = Some(time(word, number())?),
                "wtime" => go.time.white = Some(time(word, number())?),
                "btime" => go.time.black = Some(time(word, number())?),
                "winc" => go.increment.white = Some(time(word, number())?),
                "binc" => go.increment.black = Some(time(word, number())?),
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
        Ok(go)
    }

    /// Whether nothing but `stop` ends the search: no limit was given, or `infinite`.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.clock().is_some();
        self.perft.is_none() && (self.infinite || !bounded)
    }

    /// The limits in `game`; the clock does not bind an infinite search.
    ///
    /// # Errors
    /// If a move to be searched is none or is illegal.
    pub fn limits(&self, game: &Game) -> Result<Limits, GameError> {
        let moves = self.moves.iter().map(|m| legal(m, game)).collect::<Result<_, _>>()?;
        let timed = !self.infinite;
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time.filter(|_| timed),
            clock: self.clock().filter(|_| timed),
            moves_to_go: self.moves_to_go.filter(|_| timed),
            mate: self.mate,
            moves,
        })
    }

    /// Both clocks, if anything is known of them. A side that was told no time is taken to have
    /// the other's, or to live from its increment.
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

fn legal(text: &str, game: &Game) -> Result<Move, GameError> {
    let uci: UciMove = text.parse().map_err(|_| GameError::Move(text.into()))?;
    uci.to_move(&game.chess).map_err(|_| GameError::Illegal(text.into(), game.fen()))
}

/// A number of things.
fn count(word: &str, found: Option<&str>) -> Result<u64, Refusal> {
    let found = found.unwrap_or_default();
    let allowed = || format!("a whole number from 0 to {}", u64::MAX);
    found.parse().map_err(|_| Refusal::new(format!("go {word}"), found, allowed()))
}

fn within<T: TryFrom<u64> + Ord + Copy>(number: u64, least: T, most: T) -> T {
    T::try_from(number).unwrap_or(most).clamp(least, most)
}

/// A depth that can be counted to.
fn plies(word: &str, found: Option<&str>) -> Result<u32, Refusal> {
    let found = found.unwrap_or_default();
    let plies = found.parse().ok().filter(|plies| (1..=DEEPEST).contains(plies));
    let allowed = || format!("a whole number from 1 to {DEEPEST}");
    plies.ok_or_else(|| Refusal::new(format!("go {word}"), found, allowed()))
}

/// Milliseconds.
fn time(word: &str, found: Option<&str>) -> Result<Duration, Refusal> {
    /// A year is as good as for ever, and can be added to any clock.
    const LONGEST: Duration = Duration::from_hours(365 * 24);
    let found = found.unwrap_or_default();
    let allowed = || format!("a whole number of milliseconds up to {}", i64::MAX);
    let time: i64 =
        found.parse().map_err(|_| Refusal::new(format!("go {word}"), found, allowed()))?;
    Ok(Duration::from_millis(time.max(0).unsigned_abs()).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(arguments: &str) -> Limits {
        Go::parse(arguments).unwrap().limits(&Game::default()).unwrap()
    }

    #[test]
    fn every_word_in_any_order() {
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
    fn numbers_out_of_reach_are_the_nearest_within() {
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
    fn numbers_that_are_none_are_refused() {
        let broken =
            ["depth", "depth x", "depth -1", "nodes 1e6", "mate infinite", "movestogo 2.5"];
        let too_large = ["depth 18446744073709551616", "wtime 9223372036854775808"];
        for text in broken.into_iter().chain(too_large) {
            let refusal = Go::parse(text).unwrap_err().to_string();
            assert!(refusal.contains("found") && refusal.contains("a whole number"), "{refusal}");
        }
    }

    #[test]
    fn a_side_without_a_clock_has_the_other_sides() {
        let clock = limits("btime 500 winc 20").clock.unwrap();
        assert_eq!(clock.white.left, Duration::from_millis(500));
        assert_eq!(clock.white.increment, Duration::from_millis(20));
        assert_eq!(clock.black.increment, Duration::ZERO);
        let clock = limits("winc 20").clock.unwrap();
        assert_eq!(clock.white.left, Duration::from_millis(20));
    }

    #[test]
    fn illegal_moves_are_refused_and_unknown_words_told() {
        let game = Game::default();
        assert!(Go::parse("searchmoves e2e5").unwrap().limits(&game).is_err());
        assert!(Go::parse("searchmoves e2e4 later").unwrap().limits(&game).is_err());
        assert_eq!(Go::parse("dept 8 depth 3").unwrap().ignored, ["dept", "8"]);
    }
}
