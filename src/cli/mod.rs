//! The command line interface: its arguments, and one module per subcommand.

mod annotate;
mod bars;
mod bench;
mod census;
mod choices;
mod coach;
mod datagen;
mod doctor;
mod duel;
mod epd;
mod eval;
mod feel;
mod humans;
mod imitate;
pub mod interrupt;
mod knobs;
mod known;
mod likelihood;
mod limit;
mod map;
mod measure;
pub mod minimax;
mod output;
mod own;
mod panics;
mod perft;
mod played;
mod profiles;
mod remember;
mod report;
mod serve;
mod shell;
#[cfg(feature = "tuning")]
mod spsa;
mod study;
mod style;
mod switch;
mod tune;
mod tune_bars;
mod tune_clock;
mod tune_policy;
mod tune_style;
mod wdl;
mod whatif;
mod why;

use crate::{
    chess::game::Game, doctor::build, profile::Profile, support::threads::STACK_BYTES, uci,
};
use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// A UCI chess engine with emotions. Starts a UCI session if no command is given.
#[derive(Debug, Parser)]
#[command(version, long_version = build::description(), about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed set of positions and print the node count (signature)
    #[command(
        after_help = "Examples:\n  deepfeeling bench\n  deepfeeling bench --depth 10 --profile guardian"
    )]
    Bench(bench::BenchArgs),
    /// Count legal move sequences of a given length (perft)
    #[command(
        after_help = "Examples:\n  deepfeeling perft 5\n  deepfeeling perft 4 \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\""
    )]
    Perft(perft::PerftArgs),
    /// Print the static evaluation of a position, term by term
    #[command(after_help = "Example:\n  deepfeeling eval startpos moves e2e4 e7e5 g1f3")]
    Eval(PositionArgs),
    /// Print the feelings about a position and how they change the evaluation
    #[command(
        after_help = "Example:\n  deepfeeling feel startpos moves e2e4 f7f6 --profile anxious"
    )]
    Feel(PositionArgs),
    /// Print the cognitive map of a profile: concepts, links and stable states
    #[command(after_help = "Example:\n  deepfeeling map paper2012 --svg map.svg")]
    Map(map::MapArgs),
    /// Explain in words why a move is played and not another
    #[command(after_help = "Example:\n  deepfeeling why startpos moves e2e4 e7e5 --move g1f3")]
    Why(why::WhyArgs),
    /// Show the minimax algorithm and alpha-beta at work on a position
    #[command(
        after_help = "Examples:\n  deepfeeling minimax startpos --depth 4\n  deepfeeling minimax \"4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1\" --horizon"
    )]
    Minimax(minimax::MinimaxArgs),
    /// Write an HTML page that replays a game with winning chances, feelings and goals
    Report(report::ReportArgs),
    /// Show how feelings would change with different concepts or facts
    #[command(after_help = "Example:\n  deepfeeling whatif startpos king_safety=-1 endgame=true")]
    Whatif(whatif::WhatIfArgs),
    /// Annotate games with scores, feelings, glyphs, better lines and comments
    Annotate(annotate::AnnotateArgs),
    /// Recompute the numbers of the 2012 article and compare them
    #[command(after_help = "Example:\n  deepfeeling paper")]
    Paper(TableArgs),
    /// Check a profile and report the first error
    #[command(after_help = "Example:\n  deepfeeling check my-profile.toml")]
    Check {
        /// Path of a TOML file
        #[arg(value_name = "TOML")]
        path: PathBuf,
    },
    /// Say what a player can learn from their own games
    Coach(coach::CoachArgs),
    /// Count the positions of games with their results, to play by them
    Remember(remember::RememberArgs),
    /// Print what known games say about a position and its moves
    #[command(
        after_help = "Example:\n  deepfeeling known startpos moves e4 --known-games known.bin"
    )]
    Known(known::KnownArgs),
    /// Run test suites of positions with known best moves
    #[command(after_help = "Example:\n  deepfeeling epd wac.epd --time 1 --threads 2 --failed")]
    Epd(epd::EpdArgs),
    /// Tune evaluation weights on the results of games
    #[command(
        after_help = "Examples:\n  deepfeeling tune games.csv.zst --out tuned.toml\n  deepfeeling tune --relevance games.pgn --nodes 1000 --out felt.toml"
    )]
    Tune(tune::TuneArgs),
    /// Generate positions with results and scores from self-play
    #[command(
        after_help = "Example:\n  deepfeeling datagen --out own.csv --games 1000 --threads 2"
    )]
    Datagen(datagen::DatagenArgs),
    /// Play a match between two profiles
    #[command(
        after_help = "Example:\n  deepfeeling duel gambler neutral --nodes 3000 --games 300 --threads 2 --pgn games.pgn"
    )]
    Duel(duel::DuelArgs),
    /// Serve a web page to play against the engine and watch its feelings
    Serve(serve::ServeArgs),
    #[cfg(feature = "tuning")]
    #[command(
        about = "Tune search parameters by self-play (SPSA), or print them in OpenBench's format",
        after_help = "Example:\n  deepfeeling spsa --state tuned.toml --threads 2"
    )]
    Spsa(spsa::SpsaArgs),
    /// Find positions where each knob (emotion parameter) of a profile changes the move
    #[command(
        after_help = "Example:\n  deepfeeling knobs hunter --positions tactics.epd --threads 2"
    )]
    Knobs(knobs::KnobsArgs),
    /// Print statistics of a profile's feelings about positions from games
    #[command(after_help = "Example:\n  deepfeeling census games.pgn.zst --limit 2000")]
    Census(census::CensusArgs),
    /// Measure how often profiles play the same moves as humans
    #[command(
        after_help = "Example:\n  deepfeeling humans games.pgn.zst --from-game 16501 --profile human --profile neutral"
    )]
    Humans(humans::HumansArgs),
    /// Fit a profile that plays in human style like one player
    Imitate(imitate::ImitateArgs),
    /// Measure and compare the playing style of players
    #[command(after_help = "Example:\n  deepfeeling style games.pgn")]
    Style(style::StyleArgs),
    /// Measure the tables of docs/measurements.md and write the document
    Measure(measure::MeasureArgs),
    /// Test on human games whether feelings predict errors, thinking time and resignation
    #[command(
        after_help = "Example:\n  deepfeeling study games.pgn.zst --every 4 --cache scores.txt --html study.html"
    )]
    Study(study::StudyArgs),
    /// Fit the win, draw and loss model to scores and results
    #[command(after_help = "Example:\n  deepfeeling wdl own.csv")]
    Wdl(wdl::WdlArgs),
    /// List the built-in profiles
    #[command(after_help = "Example:\n  deepfeeling profiles")]
    Profiles(TableArgs),
    /// Check this machine and print GUI setup instructions
    #[command(
        after_help = "Examples:\n  deepfeeling doctor --hash 1024 --syzygy /tables\n  deepfeeling doctor --host cutechess-cli"
    )]
    Doctor(doctor::DoctorArgs),
    /// Print a shell completion script
    #[command(
        after_help = "Example:\n  deepfeeling completions bash > /etc/bash_completion.d/deepfeeling"
    )]
    Completions(shell::CompletionsArgs),
    /// Print the manual page
    #[command(after_help = "Example:\n  deepfeeling man | man -l -")]
    Man(shell::ManArgs),
}

/// The arguments shared by all commands that read a position.
#[derive(Args, Debug)]
struct PositionArgs {
    /// FEN or startpos, optionally followed by moves and a list of moves, e.g. startpos moves e4 e5
    /// Nf3 or startpos moves e2e4 e7e5 g1f3
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Args, Debug)]
struct ProfileArgs {
    /// Built-in profile or path of a TOML file
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

/// Parses a game from command line words, quoted or not. Line breaks count as spaces.
fn game(words: &[String]) -> anyhow::Result<Game> {
    let words: Vec<_> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    Ok(Game::parse(&words.join(" "), None)?)
}

impl ProfileArgs {
    fn profile(&self) -> anyhow::Result<Profile> {
        profile(&self.profile)
    }
}

/// Loads a profile by built-in name or file path.
fn profile(name: &str) -> anyhow::Result<Profile> {
    let builtin = Profile::builtin(name);
    let path = Path::new(name);
    // without an extension or a file, report an unknown name, which lists the built-in ones
    if builtin.is_ok() || path.extension().is_none() && !path.exists() {
        return Ok(builtin?);
    }
    Ok(Profile::from_file(path)?)
}

/// Runs the command.
///
/// # Errors
/// If the input is invalid or the output cannot be written.
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
        Some(Command::Spsa(args)) => spsa::run(&args, &mut out)?,
        Some(Command::Bench(args)) => bench::run(&args, &mut out)?,
        Some(Command::Perft(args)) => return perft::run(&args, &mut out),
        Some(Command::Eval(args)) => eval::run(&args, &mut out)?,
        Some(Command::Feel(args)) => feel::run(&args, &mut out)?,
        Some(Command::Map(args)) => map::run(&args, &mut out)?,
        Some(Command::Why(args)) => why::run(&args, &mut out)?,
        Some(Command::Minimax(args)) => minimax::run(&args, &mut out)?,
        Some(Command::Report(args)) => report::run(&args, &mut out)?,
        Some(Command::Whatif(args)) => whatif::run(&args, &mut out)?,
        Some(Command::Annotate(args)) => annotate::run(&args, &mut out)?,
        Some(Command::Coach(args)) => coach::run(&args, &mut out)?,
        Some(Command::Remember(args)) => remember::run(&args, &mut out)?,
        Some(Command::Known(args)) => known::run(&args, &mut out)?,
        Some(Command::Epd(args)) => epd::run(&args, &mut out)?,
        Some(Command::Tune(args)) => tune::run(&args, &mut out)?,
        Some(Command::Datagen(args)) => datagen::run(&args, &mut out)?,
        Some(Command::Duel(args)) => duel::run(&args, &mut out)?,
        Some(Command::Serve(args)) => serve::run(&args, &mut out)?,
        Some(Command::Knobs(args)) => knobs::run(&args, &mut out)?,
        Some(Command::Census(args)) => census::run(&args, &mut out)?,
        Some(Command::Humans(args)) => humans::run(&args, &mut out)?,
        Some(Command::Imitate(args)) => imitate::run(&args, &mut out)?,
        Some(Command::Style(args)) => style::run(&args, &mut out)?,
        Some(Command::Measure(args)) => measure::run(&args, &mut out)?,
        Some(Command::Study(args)) => study::run(&args, &mut out)?,
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

/// Creates a thread pool with a stack size for searches. Zero `threads` means one per core.
fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build()?)
}

/// Returns whether the reader closed our output early, as `head` does. This is not a failure.
#[must_use]
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let json = error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or(json) == Some(io::ErrorKind::BrokenPipe)
}

/// Prints `json` on one line if requested, or else `text`.
fn print(
    out: &mut impl Write,
    table: TableArgs,
    json: &impl serde::Serialize,
    text: impl std::fmt::Display,
) -> io::Result<()> {
    if !table.json {
        return writeln!(out, "{text}");
    }
    serde_json::to_writer(&mut *out, json)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Panics if a help text of `command` or its subcommands contains a backtick.
    fn assert_plain(command: &mut clap::Command) {
        for help in [command.render_help(), command.render_long_help()] {
            let help = help.to_string();
            assert!(!help.contains('`'), "{}: {help}", command.get_name());
        }
        command.get_subcommands_mut().for_each(assert_plain);
    }

    #[test]
    fn help_contains_no_backticks() {
        let mut command = Cli::command();
        command.build();
        assert!(command.get_subcommands().count() > 20);
        assert_plain(&mut command);
    }
}
