//! The bench: searches fixed positions to a fixed depth.
//!
//! The node count identifies the engine's behaviour: it changes when search, evaluation or emotions
//! change. It does not measure playing strength.

use crate::{
    chess::game::{Game, GameError},
    player::{Engine, Options, OptionsError},
    profile::{Profile, ProfileError},
    search::{
        Signals,
        root::{
            limits::Limits,
            report::{Silent, per_second},
        },
    },
};
use std::{fmt, sync::atomic::Ordering::Relaxed, time::Duration};

/// The default search depth, in plies.
pub const DEFAULT_DEPTH: u8 = 13;

/// The greatest allowed search depth, in plies.
pub const DEEPEST: u8 = 100;

/// The search depth of [`signature`], in plies.
///
/// Most pruning rules take effect at this depth, and the search takes some tenths of a second.
const SIGNATURE_DEPTH: u8 = 7;

/// The nodes searched and the time spent by a bench run, or by one of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    pub nodes: u64,
    pub elapsed: Duration,
}

impl BenchTotal {
    /// Returns the search speed in nodes per second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes, self.elapsed)
    }

    /// Formats the result of bench position `number`, counted from 0, as one line.
    pub fn row(&self, number: usize) -> String {
        let fen = POSITIONS[number];
        format!("{:>2} {:>10} nodes {:>9} nps  {fen}", number + 1, self.nodes, self.nps())
    }
}

/// The bench results of an engine and of the neutral profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchSummary {
    pub total: BenchTotal,
    pub neutral: BenchTotal,
}

impl fmt::Display for BenchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { total, neutral } = self;
        writeln!(f, "Bench: {}\nBench-neutral: {}", total.nodes, neutral.nodes)?;
        write!(f, "{} nodes {} nps", total.nodes, total.nps())
    }
}

/// The reason why a bench failed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Engine(#[from] OptionsError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error("bench position: {0}")]
    Position(#[from] GameError),
}

/// Runs the bench with `engine`, then with the neutral profile.
///
/// Calls `each` with the number and the result of every position that `engine` has searched.
///
/// # Errors
/// If the hash table cannot be allocated.
pub fn summary(
    engine: &mut Engine,
    depth: u8,
    signals: &Signals,
    each: impl FnMut(usize, &BenchTotal),
) -> Result<BenchSummary, BenchError> {
    let total = run(engine, depth, signals, each)?;
    let mut neutral = Engine::new(Profile::builtin("neutral")?, Options::default())?;
    let neutral = run(&mut neutral, depth, signals, |_, _| {})?;
    Ok(BenchSummary { total, neutral })
}

/// Searches every position of [`POSITIONS`] to `depth`, each with an empty hash table.
///
/// With one thread and the default hash size, the node count is the same on every machine. If
/// `signals` stop the search, the total covers only the positions finished before.
fn run(
    engine: &mut Engine,
    depth: u8,
    signals: &Signals,
    mut each: impl FnMut(usize, &BenchTotal),
) -> Result<BenchTotal, BenchError> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut total = BenchTotal::default();
    for (number, fen) in POSITIONS.iter().enumerate() {
        engine.new_game();
        let game = Game::from_fen(fen, None)?;
        let outcome = engine.go(&game, &limits, signals, &mut Silent);
        if signals.stop.load(Relaxed) {
            break;
        }
        if let Some(outcome) = outcome {
            let one = BenchTotal { nodes: outcome.nodes, elapsed: outcome.elapsed };
            total.nodes += one.nodes;
            total.elapsed += one.elapsed;
            each(number, &one);
        }
    }
    Ok(total)
}

/// Returns a node count that changes when search, evaluation or emotions change.
///
/// It is the sum of three short benches: `neutral` (no emotions), `berserker` (strong emotions) and
/// `paper2012` (evaluation by the article's measures).
///
/// # Errors
/// If a hash table cannot be allocated.
pub fn signature() -> Result<u64, BenchError> {
    let mut nodes = 0;
    for name in ["neutral", "berserker", "paper2012"] {
        let mut engine = Engine::new(Profile::builtin(name)?, Options::default())?;
        nodes += run(&mut engine, SIGNATURE_DEPTH, &Signals::default(), |_, _| {})?.nodes;
    }
    Ok(nodes)
}

/// The bench positions: openings, middlegames, endgames, checks and Chess960.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1b1r1k1/pp1n1ppp/2pb1n2/q2p2B1/3P4/2NBP3/PPQN1PPP/R3K2R w KQ - 6 11",
    "3rr3/2q4k/pp1b2pp/2nPpp2/2P5/4Q1P1/PB1N1P1P/1R1R2K1 b - - 1 30",
    "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55",
    "5k2/2r3p1/p2p1n2/R2np3/7P/2P2N2/1PK5/R7 w - - 9 44",
    "2B5/5bk1/5p1p/2p1b1p1/1pN2p2/3P1P1P/1PPK2P1/8 w - - 3 40",
    "rn1qk2r/ppp2ppp/2b1pn2/6B1/2QP4/P7/1P2PPPP/R3KBNR w KQkq - 3 9",
    "4r1k1/1p1nppb1/p2p2pp/P2P4/2r1PP2/2N3PP/1PPBR1K1/R7 b - - 3 25",
    "2rq1rk1/1p2bppp/p1npbn2/4p3/2P1P3/1PNB4/P1N2PPP/R1BQ1RK1 b - - 0 12",
    "3r3k/1p1n1p1p/1rb1p3/p1p3p1/P7/1BNPR2P/RPP2PP1/6K1 b - - 1 32",
    "r4r2/1pkbn3/3p3p/p1pP2p1/P1N1B3/2P5/1P3P1P/3RR1K1 w - - 0 28",
    "4rr1k/p5bp/R1p5/1nNnpp1q/1P6/2P3PP/2QB1PNK/3R4 w - - 3 48",
    "3r4/p4kp1/1pb1p1p1/4B1P1/P1P2P2/KP2R3/8/8 w - - 9 34",
    "8/4r1k1/1q1p1p1r/p1pPnQp1/R1P4p/1P2P2P/2B3P1/5R1K b - - 9 51",
    "2r1r2k/pp1q1bpp/6p1/P2pPp2/2pP1N1P/2P3Q1/1RP1K1P1/1R6 b - - 30 35",
    "7k/R7/8/4K3/7b/8/8/8 w - - 0 1",
    "8/8/R2r4/8/8/3k4/1r6/K7 w - - 0 1",
    "8/8/8/8/8/1p1p3K/7R/6k1 b - - 0 1",
    "8/8/4pR2/3pP2p/6P1/2p4k/P1Kb4/8 b - - 0 1",
    "8/6pk/8/2p2P1p/6qP/5QP1/8/6K1 w - - 0 1",
    "8/8/5p2/5k2/p4r2/PpKR4/1P5P/8 w - - 0 1",
    "4qr2/4p2k/1p2P1pP/5P2/1P3P2/6Q1/8/3B1K2 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "r1bqrk2/pp1n1n1p/3p1p2/P1pP1P1Q/2PpP1NP/6R1/2PB4/4RBK1 w - - 0 1",
    "3r1r1k/1p4pp/p4p2/8/1PQR4/6Pq/P3PP2/2R3K1 b - - 0 1",
    "8/8/p3R3/1p5p/1P5p/6rp/5K1p/7k w - - 0 1",
    "1Q1R4/5p2/4b3/2R1k2p/r7/4P3/5PP1/6K1 b - - 0 1",
    "r1b5/pp3kpp/3N4/8/1BP5/6P1/PPK4n/5R2 b - - 0 1",
    "8/8/6N1/1p2kp1p/2p4P/P3K1P1/1P6/3b4 b - - 0 1",
    "3rn1k1/5r2/2p2p1N/ppP5/3P2Pp/4QP2/Pq5P/4R2K b - - 0 1",
    "6Q1/2r2p2/2p1p1qk/1n1pP3/1P1P2Np/P6P/5RPK/8 b - - 0 1",
    "qrbbn1kr/1pp1pppp/4n3/p2p4/1P6/4P3/PBPP1PPP/QR1BNNKR w KQkq - 0 4",
    "rqbbnk1r/ppp1ppp1/5n2/3p3p/7P/2P2N2/PP1PPPP1/RQBBNK1R w KQkq - 0 4",
    "rbbqn1kr/pp1ppppp/8/2p5/2PnP3/3P4/PP3PPP/RBBQNNKR w KQkq - 1 4",
    "qrnkbrnb/p1p1ppp1/1p6/3p4/3P3p/5N1P/PPP1PPP1/QRNKBR1B w FBfb - 0 9",
    "rbqnbknr/pp1pppp1/8/2p5/3P3p/5N1P/PPP1PPPR/RBQNBK2 w Aha - 0 9",
    "2r4r/3n1pk1/pq1p1bp1/3B4/1p2P1N1/7P/PP1Q1PK1/3RR3 w - - 0 1",
    "8/1p2b3/6k1/5p2/p2NbP1p/P1B1P1p1/1P5P/6K1 w - - 0 1",
    "r1bqk2r/2pnbppp/p2ppn2/1p6/3PP3/N1P3P1/PP2NPBP/R1BQK2R w KQkq - 0 5",
    "rnbqkb1r/5ppp/p3pn2/2pp4/Pp1P4/4P1P1/1PP1NPBP/RNBQK2R w KQkq - 0 5",
    "r1bqk2r/ppp2pbp/2n1p1p1/3p1n2/3P1P2/2PBP3/PP3NPP/RNBQK2R w KQkq - 2 5",
];
