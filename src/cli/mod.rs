//! The command line: clap types, and one short function for each subcommand.

mod annotate;
mod bars;
mod bench;
mod census;
mod choices;
mod datagen;
mod doctor;
mod duel;
mod epd;
mod eval;
mod feel;
mod humans;
mod interrupt;
mod knobs;
mod limit;
mod map;
mod output;
mod panics;
mod perft;
mod played;
mod profiles;
mod report;
mod serve;
mod shell;
mod style;
mod switch;
mod tune;
mod tune_bars;
mod wdl;
mod whatif;
mod why;

use crate::{chess::game::Game, profile::Profile, support::threads::STACK_BYTES, uci};
use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// A chess engine that feels. Without a command it speaks UCI.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed set of positions; the node count is the engine's signature
    #[command(
        after_help = "Examples:\n  deepfeeling bench\n  deepfeeling bench --depth 10 --profile guardian"
    )]
    Bench(bench::BenchArgs),
    /// Count the positions that so many moves can lead to
    #[command(
        after_help = "Examples:\n  deepfeeling perft 5\n  deepfeeling perft 4 \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\""
    )]
    Perft(perft::PerftArgs),
    /// Take the static evaluation of a position apart, term by term
    #[command(after_help = "Example:\n  deepfeeling eval startpos moves e2e4 e7e5 g1f3")]
    Eval(PositionArgs),
    /// Show what the engine feels about a position, from the board to the factors
    #[command(
        after_help = "Example:\n  deepfeeling feel startpos moves e2e4 f7f6 --profile anxious"
    )]
    Feel(PositionArgs),
    /// Take the map of a profile apart: concepts, links, whether it comes to rest, and where
    #[command(after_help = "Example:\n  deepfeeling map paper2012 --svg map.svg")]
    Map(map::MapArgs),
    /// Tell in words why a move is played, and why not another
    #[command(after_help = "Example:\n  deepfeeling why startpos moves e2e4 e7e5 --move g1f3")]
    Why(why::WhyArgs),
    /// Show a game as a page: board, chances, feelings, goals and map, move by move
    Report(report::ReportArgs),
    /// Show what would be felt if concepts or facts were different
    #[command(after_help = "Example:\n  deepfeeling whatif startpos king_safety=-1 endgame=true")]
    Whatif(whatif::WhatIfArgs),
    /// Write the same games with scores, feelings, glyphs, better lines, and words at turning points
    Annotate(annotate::AnnotateArgs),
    /// Recompute the numbers of the 2012 article and print ours beside them
    #[command(after_help = "Example:\n  deepfeeling paper")]
    Paper(TableArgs),
    /// Check a profile and tell the first thing that is wrong with it
    #[command(after_help = "Example:\n  deepfeeling check my-profile.toml")]
    Check {
        /// A TOML file
        #[arg(value_name = "TOML")]
        path: PathBuf,
    },
    /// Work through test suites: positions with a known answer
    #[command(after_help = "Example:\n  deepfeeling epd wac.epd --time 1 --threads 2 --failed")]
    Epd(epd::EpdArgs),
    /// Fit the weights of the evaluation to the results of games
    #[command(
        after_help = "Examples:\n  deepfeeling tune games.csv.zst --out tuned.toml\n  deepfeeling tune --relevance games.pgn --nodes 1000 --out felt.toml"
    )]
    Tune(tune::TuneArgs),
    /// Play against itself and write down positions with results and scores
    #[command(
        after_help = "Example:\n  deepfeeling datagen --out own.csv --games 1000 --threads 2"
    )]
    Datagen(datagen::DatagenArgs),
    /// Let two temperaments play a match
    #[command(
        after_help = "Example:\n  deepfeeling duel gambler neutral --nodes 3000 --games 300 --threads 2 --pgn games.pgn"
    )]
    Duel(duel::DuelArgs),
    /// Serve a page to play against the engine and to see what it feels
    Serve(serve::ServeArgs),
    #[cfg(feature = "tuning")]
    #[command(about = "Print the search parameters in OpenBench's format for SPSA tuning")]
    Spsa,
    /// Prove that every number of a feeling lives: positions in which it changes the move
    #[command(
        after_help = "Example:\n  deepfeeling knobs hunter --positions tactics.epd --threads 2"
    )]
    Knobs(knobs::KnobsArgs),
    /// Count what a profile feels about the positions of real games
    #[command(after_help = "Example:\n  deepfeeling census games.pgn.zst --limit 2000")]
    Census(census::CensusArgs),
    /// Measure how often profiles play the moves that humans chose
    #[command(
        after_help = "Example:\n  deepfeeling humans games.pgn.zst --from-game 16501 --profile human --profile neutral"
    )]
    Humans(humans::HumansArgs),
    /// Measure how the players of games play, and compare them
    #[command(after_help = "Example:\n  deepfeeling style games.pgn")]
    Style(style::StyleArgs),
    /// Fit the model of wins, draws and losses to scores and results
    #[command(after_help = "Example:\n  deepfeeling wdl own.csv")]
    Wdl(wdl::WdlArgs),
    /// List the built-in profiles
    #[command(after_help = "Example:\n  deepfeeling profiles")]
    Profiles(TableArgs),
    /// Check this machine and print setup instructions for GUIs, bots and test tools
    #[command(
        after_help = "Examples:\n  deepfeeling doctor --hash 1024 --syzygy /tables\n  deepfeeling doctor --host cutechess-cli"
    )]
    Doctor(doctor::DoctorArgs),
    /// Print what makes a shell complete commands and options
    #[command(
        after_help = "Example:\n  deepfeeling completions bash > /etc/bash_completion.d/deepfeeling"
    )]
    Completions(shell::CompletionsArgs),
    /// Print the manual page
    #[command(after_help = "Example:\n  deepfeeling man | man -l -")]
    Man(shell::ManArgs),
}

/// What every command that reads a position takes.
#[derive(Args, Debug)]
struct PositionArgs {
    /// A FEN or startpos, then optionally moves and a list of moves: moves e4 e5 Nf3 or moves e2e4
    /// e7e5 g1f3
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Args, Debug)]
struct ProfileArgs {
    /// A built-in profile, or the path of a TOML file
    #[arg(long, default_value = "standard", value_name = "NAME|TOML")]
    profile: String,
}

#[derive(Args, Clone, Copy, Debug)]
struct TableArgs {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

impl PositionArgs {
    fn game(&self) -> anyhow::Result<Game> {
        game(&self.position)
    }
}

/// The game that words of the command line tell, quoted or not; line breaks among them are spaces.
fn game(words: &[String]) -> anyhow::Result<Game> {
    let words: Vec<_> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    Ok(Game::parse(&words.join(" "), None)?)
}

impl ProfileArgs {
    fn profile(&self) -> anyhow::Result<Profile> {
        profile(&self.profile)
    }
}

/// The built-in profile of this name, or that of the file at this path.
fn profile(name: &str) -> anyhow::Result<Profile> {
    let builtin = Profile::builtin(name);
    let path = Path::new(name);
    // a text that is neither a built-in name nor a file was meant as a name: say which there are
    if builtin.is_ok() || path.extension().is_none() && !path.exists() {
        return Ok(builtin?);
    }
    Ok(Profile::from_file(path)?)
}

/// Does what the command line asks for.
///
/// # Errors
/// If the input is wrong, or the output cannot be written.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    if !matches!(cli.command, Some(Command::Serve(_))) {
        panics::abort();
    }
    let mut out = io::stdout().lock();
    match cli.command {
        None => {
            drop(out);
            uci::run().context("UCI")?;
        }
        #[cfg(feature = "tuning")]
        Some(Command::Spsa) => writeln!(out, "{}", crate::search::tunables::spsa_lines())?,
        Some(Command::Bench(args)) => bench::run(&args, &mut out)?,
        Some(Command::Perft(args)) => return perft::run(&args, &mut out),
        Some(Command::Eval(args)) => eval::run(&args, &mut out)?,
        Some(Command::Feel(args)) => feel::run(&args, &mut out)?,
        Some(Command::Map(args)) => map::run(&args, &mut out)?,
        Some(Command::Why(args)) => why::run(&args, &mut out)?,
        Some(Command::Report(args)) => report::run(&args, &mut out)?,
        Some(Command::Whatif(args)) => whatif::run(&args, &mut out)?,
        Some(Command::Annotate(args)) => annotate::run(&args, &mut out)?,
        Some(Command::Epd(args)) => epd::run(&args, &mut out)?,
        Some(Command::Tune(args)) => tune::run(&args, &mut out)?,
        Some(Command::Datagen(args)) => datagen::run(&args, &mut out)?,
        Some(Command::Duel(args)) => duel::run(&args, &mut out)?,
        Some(Command::Serve(args)) => serve::run(&args, &mut out)?,
        Some(Command::Knobs(args)) => knobs::run(&args, &mut out)?,
        Some(Command::Census(args)) => census::run(&args, &mut out)?,
        Some(Command::Humans(args)) => humans::run(&args, &mut out)?,
        Some(Command::Style(args)) => style::run(&args, &mut out)?,
        Some(Command::Wdl(args)) => wdl::run(&args, &mut out)?,
        Some(Command::Paper(args)) => return profiles::paper(args, &mut out),
        Some(Command::Check { path }) => profiles::check(&path, &mut out)?,
        Some(Command::Profiles(args)) => profiles::list(args, &mut out)?,
        Some(Command::Doctor(args)) => return doctor::run(&args, &mut out),
        Some(Command::Completions(args)) => shell::completions(&args, &mut out)?,
        Some(Command::Man(args)) => shell::man(&args, &mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// As many threads as asked for, or as the machine has for 0, with a stack that searches need.
fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build()?)
}

/// Prints `json` on one line for programs, or `text` for people.
fn print(
    out: &mut impl Write,
    table: TableArgs,
    json: &serde_json::Value,
    text: impl std::fmt::Display,
) -> io::Result<()> {
    if table.json { writeln!(out, "{json}") } else { writeln!(out, "{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Panics if a help text of `command`, or of one below it, has Markdown in it.
    fn assert_plain(command: &mut clap::Command) {
        for help in [command.render_help(), command.render_long_help()] {
            let help = help.to_string();
            assert!(!help.contains('`'), "{}: {help}", command.get_name());
        }
        command.get_subcommands_mut().for_each(assert_plain);
    }

    #[test]
    fn no_help_shows_markdown() {
        let mut command = Cli::command();
        command.build();
        assert!(command.get_subcommands().count() > 20);
        assert_plain(&mut command);
    }
}
