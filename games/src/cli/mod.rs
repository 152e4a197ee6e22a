//! The commands: one subcommand per game, with the same verbs under each.

mod contest;
mod feel;
mod lab;
mod minimax;
mod play;
mod replay;
mod serve;
mod source;

use crate::{
    agent::AgentOptions,
    game::Game,
    horses::Horses,
    level::{Playable, temperament},
    perft::lines,
    search::deepening::Limit,
    tilt::Tilt,
};
use anyhow::bail;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use deepfeeling::cli::interrupt::on_first;
use serde::Serialize;
use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

/// Board games under the mind of the chess engine Deep Feeling
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the games with their levels and temperaments
    List(TableArgs),
    Serve(serve::ServeArgs),
    /// Two knights collect points on a board that crumbles behind them
    Horses {
        #[arg(long, global = true, default_value = "fine=once", value_name = "KEY=VALUE",
              value_parser = Horses::parse_rules, help = "The rules: fine=once or fine=each_turn")]
        rules: <Horses as Game>::Rules,
        #[command(subcommand)]
        verb: Verb,
    },
    /// Two sides cross a board that tips, and the heavier half decides who moves
    Tilt {
        /// The rules, with commas: goal=steps or cells, extras=moved, edge or printed, balance=gold
        /// or stay, jumps=false or true
        #[arg(long, global = true, default_value = "goal=steps", value_name = "KEY=VALUE",
              value_parser = Tilt::parse_rules)]
        rules: <Tilt as Game>::Rules,
        #[command(subcommand)]
        verb: TiltVerb,
    },
}

/// The commands of every game.
#[derive(Debug, Subcommand)]
enum Verb {
    Play(play::PlayArgs),
    Feel(feel::FeelArgs),
    Match(contest::MatchArgs),
    Perft(PerftArgs),
    Replay(replay::ReplayArgs),
    Check(CheckArgs),
    Census(lab::CensusArgs),
    Knobs(lab::KnobsArgs),
    Minimax(minimax::MinimaxArgs),
}

#[derive(Debug, Subcommand)]
enum TiltVerb {
    #[command(flatten)]
    Verb(Verb),
    Shapes(source::ShapesArgs),
    Person(source::PersonArgs),
}

/// Count legal move sequences of a given length
#[derive(Args, Debug)]
struct PerftArgs {
    /// The length, in moves
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,
    #[command(flatten)]
    from: PositionArgs,
    #[command(flatten)]
    table: TableArgs,
}

/// Check a temperament, and whether its map settles
#[derive(Args, Debug)]
struct CheckArgs {
    /// The path of a TOML file, or the name of a built-in temperament
    #[arg(value_name = "TOML")]
    profile: String,
}

/// A position, or the start of a seed.
#[derive(Args, Debug)]
struct PositionArgs {
    /// A position in one-line notation, instead of the start
    #[arg(long, value_name = "POSITION", conflicts_with = "seed", allow_hyphen_values = true)]
    position: Option<String>,
    /// The seed of the start
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

impl PositionArgs {
    fn position<G: Game>(&self, rules: G::Rules) -> anyhow::Result<G> {
        match &self.position {
            Some(text) => Ok(G::parse(text, rules)?),
            None => Ok(G::start(rules, self.seed)),
        }
    }
}

/// Options of all agents.
#[derive(Args, Debug)]
struct AgentArgs {
    /// Positions that the level master searches for a move
    #[arg(long, default_value_t = AgentOptions::DEFAULT_NODES, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seconds that the level master thinks, instead of positions
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "nodes")]
    time: Option<Duration>,
    /// The largest noise on each evaluated position; the authors of Horses use 0.3
    #[arg(long, default_value_t = 0.0, value_name = "X", value_parser = noise)]
    noise: f64,
    /// The strength of emotions, 0 to 200 percent
    #[arg(long, default_value_t = 100, value_name = "PERCENT",
          value_parser = clap::value_parser!(u16).range(0..=200))]
    strength: u16,
}

impl AgentArgs {
    fn options(&self) -> AgentOptions {
        let limit = self.time.map_or(Limit::Nodes(self.nodes), Limit::Time);
        AgentOptions { limit, noise: self.noise, strength: self.strength }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "allowed: 0.001 to 3600 seconds".into())
}

fn noise(text: &str) -> Result<f64, String> {
    let noise = text.parse().ok().filter(|noise| (0.0..=100.0).contains(noise));
    noise.ok_or_else(|| "allowed: a number from 0 to 100".into())
}

#[derive(Args, Clone, Copy, Debug)]
struct TableArgs {
    /// Print JSON on one line
    #[arg(long)]
    json: bool,
}

/// Runs the command of the command line.
///
/// # Errors
/// If the command cannot be done. Wrong arguments end the program, with exit code 2.
pub fn run() -> anyhow::Result<()> {
    let matches = with_examples(Cli::command()).get_matches();
    let cli = Cli::from_arg_matches(&matches)?;
    let mut out = io::stdout().lock();
    match cli.command {
        Command::List(table) => list(table, &mut out),
        Command::Serve(args) => serve::run(&args, &mut out),
        Command::Horses { rules, verb } => verb.run::<Horses>(rules, &mut out),
        Command::Tilt { rules, verb } => match verb {
            TiltVerb::Verb(verb) => verb.run::<Tilt>(rules, &mut out),
            TiltVerb::Shapes(args) => source::shapes(&args, &mut out),
            TiltVerb::Person(args) => source::person(&args, &mut out),
        },
    }
}

impl Verb {
    fn run<G: Playable>(self, rules: G::Rules, out: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Self::Play(args) => play::run::<G>(&args, rules, out),
            Self::Feel(args) => feel::run::<G>(&args, rules, out),
            Self::Match(args) => contest::run::<G>(&args, rules, out),
            Self::Perft(args) => perft::<G>(&args, rules, out),
            Self::Replay(args) => replay::run::<G>(&args, out),
            Self::Check(args) => check::<G>(&args, out),
            Self::Census(args) => lab::census::<G>(&args, rules, out),
            Self::Knobs(args) => lab::knobs::<G>(&args, rules, out),
            Self::Minimax(args) => minimax::run::<G>(&args, rules, out),
        }
    }
}

/// Adds an example to the help of every subcommand.
fn with_examples(mut command: clap::Command) -> clap::Command {
    let games = [("horses", "expert", "amateur"), ("tilt", "master", "normal")];
    for example in ["list", "serve"] {
        let text = format!("Example:\n  deepfeeling-games {example}");
        command = command.mut_subcommand(example, |command| command.after_help(text));
    }
    for (game, a, b) in games {
        let examples = [
            ("play", format!("play --level {a} --temperament standard --seed 7")),
            ("feel", "feel --seed 7".into()),
            ("match", format!("match {a}+standard {b} --games 100")),
            ("perft", "perft 5 --seed 7".into()),
            ("replay", format!("replay games.txt --player {b}+standard")),
            ("check", "check brave.toml".into()),
            ("census", format!("census {b}+standard --games 100")),
            ("knobs", format!("knobs {b}+standard --games 100")),
            ("minimax", "minimax --depth 3 --horizon --seed 7".into()),
            ("shapes", "shapes --pairs 100".into()),
            ("person", "person --games 200".into()),
        ];
        command = command.mut_subcommand(game, |mut command| {
            command = command.after_help(format!("Example:\n  deepfeeling-games {game} play"));
            for (verb, example) in examples {
                if command.find_subcommand(verb).is_some() {
                    let text = format!("Example:\n  deepfeeling-games {game} {example}");
                    command = command.mut_subcommand(verb, |verb| verb.after_help(text));
                }
            }
            command
        });
    }
    command
}

/// What `list` says of a game.
#[derive(Serialize)]
struct GameRow {
    game: &'static str,
    sides: [&'static str; 2],
    rules: String,
    levels: Vec<(&'static str, &'static str)>,
    temperaments: Vec<&'static str>,
}

fn row<G: Playable>() -> GameRow {
    GameRow {
        game: G::NAME,
        sides: G::SIDES,
        rules: G::Rules::default().to_string(),
        levels: G::LEVELS.iter().map(|level| (level.name, level.summary)).collect(),
        temperaments: G::TEMPERAMENTS.iter().map(|builtin| builtin.name).collect(),
    }
}

fn list(table: TableArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let rows = [row::<Horses>(), row::<Tilt>()];
    let mut text = String::new();
    for row in &rows {
        text += &format!(
            "{}: {} against {}, rules {}\n",
            row.game, row.sides[0], row.sides[1], row.rules
        );
        for (level, summary) in &row.levels {
            text += &format!("  {level:<9} {summary}\n");
        }
        text += &format!("  temperaments: {}\n", row.temperaments.join(", "));
    }
    print(out, table, &rows, text.trim_end())
}

fn perft<G: Game>(args: &PerftArgs, rules: G::Rules, out: &mut impl Write) -> anyhow::Result<()> {
    let position: G = args.from.position(rules)?;
    let counts: Vec<u64> = (1..=args.depth).map(|plies| lines(&position, plies)).collect();
    let rows: Vec<String> =
        (1..).zip(&counts).map(|(plies, count)| format!("{plies} {count}")).collect();
    print(out, args.table, &counts, format!("{position}\n{}", rows.join("\n")))
}

fn check<G: Playable>(args: &CheckArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let profile = temperament::<G>(&args.profile)?;
    if let Some(unsettled) = profile.mind.first_unsettled() {
        bail!("{}: the map does not settle: {:?}", args.profile, unsettled.settling);
    }
    let goals = profile.mind.ladder.len();
    writeln!(
        out,
        "{}: valid, {} goals; the map settles from every perception",
        profile.name, goals
    )?;
    Ok(())
}

/// Prints `json` on one line if requested, or else `text`.
fn print(
    out: &mut impl Write,
    table: TableArgs,
    json: &impl Serialize,
    text: impl std::fmt::Display,
) -> anyhow::Result<()> {
    if table.json {
        serde_json::to_writer(&mut *out, json)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{text}")?;
    }
    Ok(())
}

/// Returns a flag that is set on the first Ctrl-C.
fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_first(move || raised.store(true, Relaxed))?;
    Ok(flag)
}
