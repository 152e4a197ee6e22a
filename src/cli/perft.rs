//! The `perft` command: counts legal moves per root move, or checks a file of known counts.

use super::{TableArgs, game};
use crate::{
    chess::{
        game::Game,
        perft::{self, DEEPEST},
    },
    search::root::{report::per_second, time::Timer},
    support::compressed,
};
use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use shakmaty::{Position, uci::UciMove};
use std::{
    collections::BTreeMap, io::Write, path::PathBuf, process::ExitCode, sync::atomic::AtomicBool,
};

#[derive(Args, Debug)]
pub(super) struct PerftArgs {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(DEEPEST)))]
    depth: u32,
    /// FEN or startpos, optionally followed by moves and a list of moves, e.g. startpos moves e4 e5
    /// Nf3 or startpos moves e2e4 e7e5 g1f3 [default: startpos]
    #[arg(num_args = 0.., value_name = "FEN")]
    position: Vec<String>,
    /// Check the ';Dn count' fields of an EPD file up to the given depth
    #[arg(long, value_name = "EPD", conflicts_with = "position")]
    suite: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &PerftArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.suite {
        let unreadable = || format!("{} cannot be read as text", path.display());
        let bytes = compressed::read(path, compressed::LARGEST_DATA).with_context(unreadable)?;
        let text = String::from_utf8(bytes).with_context(unreadable)?;
        return suite(&text, args, out).with_context(|| path.display().to_string());
    }
    let game = if args.position.is_empty() { Game::default() } else { game(&args.position)? };
    divide(&game, args, out)?;
    Ok(ExitCode::SUCCESS)
}

/// The JSON form of the node count below each root move.
#[derive(Debug, Serialize)]
struct DivideRecord {
    fen: String,
    depth: u32,
    divide: BTreeMap<String, u64>,
    nodes: u64,
    nps: u64,
}

/// The JSON form of the check of a test suite.
#[derive(Debug, Serialize)]
struct SuiteRecord {
    counts: u64,
    wrong: u64,
    nodes: u64,
    nps: u64,
}

/// Prints the node count below each root move and the total.
fn divide(game: &Game, args: &PerftArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let timer = Timer::stopwatch();
    let mode = game.chess.castles().mode();
    let mut moves = Vec::new();
    let total = perft::divide(&game.chess, args.depth, &AtomicBool::new(false), |m, nodes| {
        moves.push((UciMove::from_move(m, mode).to_string(), nodes));
    });
    moves.sort();
    let nodes = total.unwrap_or_default();
    let nps = per_second(nodes, timer.elapsed());
    if args.table.json {
        let (fen, depth, divide) = (game.fen(), args.depth, moves.into_iter().collect());
        let json = DivideRecord { fen, depth, divide, nodes, nps };
        return Ok(super::print(out, args.table, &json, "")?);
    }
    for (m, nodes) in moves {
        writeln!(out, "{m}: {nodes}")?;
    }
    writeln!(out, "\n{nodes} nodes {nps} nps")?;
    Ok(())
}

/// Checks the counts of a test suite. Returns exit code 1 if a count differs.
fn suite(text: &str, args: &PerftArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let timer = Timer::stopwatch();
    let (mut counts, mut wrong, mut nodes) = (0, 0, 0);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default();
        let game = Game::from_fen(fen, None).with_context(|| format!("line {number}"))?;
        for field in fields.filter(|field| !field.is_empty()) {
            let (depth, expected) = known_count(field).with_context(|| {
                format!("line {number}: found `{field}`, expected e.g. `D4 197281`")
            })?;
            if depth > args.depth {
                continue;
            }
            let found = shakmaty::perft(&game.chess, depth);
            (counts, nodes) = (counts + 1, nodes + found);
            if found != expected {
                wrong += 1;
                writeln!(out, "line {number}: depth {depth} gives {found}, expected {expected}")?;
            }
        }
    }
    if counts == 0 {
        bail!("found no count up to depth {}, expected e.g. `;D4 197281` after a FEN", args.depth);
    }
    let nps = per_second(nodes, timer.elapsed());
    let json = SuiteRecord { counts, wrong, nodes, nps };
    let text = format!("{counts} counts, {wrong} wrong, {nodes} nodes {nps} nps");
    super::print(out, args.table, &json, text)?;
    Ok(ExitCode::from(u8::from(wrong > 0)))
}

/// Parses a field such as `D4 197281` into depth and count.
fn known_count(field: &str) -> Option<(u32, u64)> {
    let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}
