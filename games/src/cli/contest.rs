//! The `match` command: games between two players.

use super::{AgentArgs, TableArgs};
use crate::{
    level::{Playable, PlayerSpec},
    matches::{
        self, MatchOptions,
        statistics::{Estimate, MatchReport, MatchTally},
    },
};
use anyhow::Context;
use clap::Args;
use deepfeeling::lab::duel::{Decision, Sprt};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

/// Play a match between two players, each start twice with sides exchanged
///
/// A player is LEVEL[~SHARE][,TERM=WEIGHT...][+TEMPERAMENT]. LEVEL is one of the levels that 'list'
/// shows, or a search depth. SHARE is the probability of a random move. TERM=WEIGHT changes a
/// weight of the evaluation. TEMPERAMENT is a name or the path of a TOML file; without it the
/// player does not feel.
#[derive(Args, Debug)]
pub(super) struct MatchArgs {
    /// The first player
    #[arg(value_name = "A")]
    first: String,
    /// The second player
    #[arg(value_name = "B")]
    second: String,
    /// The number of games, an even number
    #[arg(long, default_value = "100", value_name = "N", value_parser = even)]
    games: u64,
    /// The seed of the first start. Each pair of games has the next one
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Games to play in parallel. Does not affect the result
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Stop the match by SPRT between two Elo differences (5 % error)
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write the records of the games to this file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    agents: AgentArgs,
    #[command(flatten)]
    table: TableArgs,
}

fn even(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games > 0 && games.is_multiple_of(2));
    games.ok_or_else(|| "allowed: an even number, at least 2".into())
}

pub(super) fn run<G: Playable>(
    args: &MatchArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let options = MatchOptions::<G> {
        players: [PlayerSpec::parse(&args.first)?, PlayerSpec::parse(&args.second)?],
        rules,
        pairs: args.games / 2,
        seed: args.seed,
        threads: args.threads.into(),
        agents: args.agents.options(),
        sprt: args.sprt.as_ref().map(|elos| Sprt { elo0: elos[0], elo1: elos[1] }),
    };
    let failed = || format!("{} cannot be written", args.out.clone().unwrap_or_default().display());
    let file = args.out.as_ref().map(File::create_new).transpose().with_context(failed)?;
    let mut file = file.map(BufWriter::new);
    let mut written = Ok(());
    let stop = super::stop_flag()?;
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {msg}")?;
    let bar = ProgressBar::new(args.games).with_style(style);
    let tally = matches::run(&options, &stop, |tally, pair| {
        bar.set_position(tally.score.games());
        bar.set_message(percent(&Estimate::of(&tally.share)));
        for record in &pair.0 {
            if let Some(file) = file.as_mut().filter(|_| written.is_ok()) {
                written = writeln!(file, "{record}");
            }
        }
    })?;
    bar.finish_and_clear();
    file.map_or(Ok(()), |mut file| file.flush()).and(written).with_context(failed)?;
    let names = options.players.each_ref().map(|player| player.name.clone());
    let report = tally.report(names, G::UNIT);
    let mut text = text(&report);
    if let Some(sprt) = options.sprt {
        text += &format!("\n{}", verdict(sprt, &tally));
    }
    super::print(out, args.table, &report, text)
}

fn percent(estimate: &Estimate) -> String {
    let error = estimate.error.map_or(String::new(), |error| format!(" ± {:.1}", 100.0 * error));
    format!("{:.1}{error} %", 100.0 * estimate.mean)
}

fn number(estimate: &Estimate) -> String {
    let error = estimate.error.map_or(String::new(), |error| format!(" ± {error:.1}"));
    format!("{:.1}{error}", estimate.mean)
}

fn text(report: &MatchReport) -> String {
    let MatchReport { players: [a, b], games, wins, draws, losses, score, lead, .. } = report;
    let mut text = format!(
        "{a} against {b}: {games} games, won {wins}, drawn {draws}, lost {losses}\n\
         score {}, lead {} {}, {} moves a game\n\
         score of the first mover {}",
        percent(score),
        number(lead),
        report.unit,
        number(&report.moves),
        percent(&report.first_mover)
    );
    if let (Some(remark), Some([first, second, neither])) = (report.remark, report.remarks) {
        let all = first + second + neither;
        // counts are far within what floats hold
        #[expect(clippy::cast_precision_loss)]
        let share = 100.0 * all as f64 / *games as f64;
        let whose =
            if neither == all { String::new() } else { format!(" ({a} {first}, {b} {second})") };
        text += &format!("\n{remark} in {all} games, {share:.0} %{whose}");
    }
    if let Some(elo) = &report.elo {
        text += &format!("\nElo {}", number(elo));
    }
    text
}

fn verdict(sprt: Sprt, tally: &MatchTally) -> String {
    let Sprt { elo0, elo1 } = sprt;
    let decision = match sprt.decision(&tally.score) {
        Decision::Passed => "passed",
        Decision::Failed => "failed",
        Decision::Open => "open",
    };
    format!("test [{elo0}, {elo1}] {decision}, LLR {:.2} of ±2.94", sprt.llr(&tally.score))
}
