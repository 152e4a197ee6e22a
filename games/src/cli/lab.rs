//! The commands `census` and `knobs`: what a temperament does in real games.

use super::{AgentArgs, TableArgs};
use crate::{
    lab::{
        self,
        census::{Census, ConceptSpread, Spread},
        knobs::{self, KnobFinding},
    },
    level::{Playable, PlayerSpec},
    record::GameRecord,
};
use anyhow::Context;
use clap::Args;
use deepfeeling::profile::MindProfile;
use std::{
    io::Write,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Games of a player against itself.
#[derive(Args, Debug)]
struct GamesArgs {
    /// The player, with its temperament: for example amateur+standard
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The number of games that the player plays against itself
    #[arg(long, default_value_t = 200, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of the first start. Each game has the next one
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    agents: AgentArgs,
    #[command(flatten)]
    table: TableArgs,
}

impl GamesArgs {
    fn play<G: Playable>(
        &self,
        player: &PlayerSpec<G>,
        rules: G::Rules,
        stop: &AtomicBool,
    ) -> Vec<GameRecord<G>> {
        let stopped = || stop.load(Relaxed);
        let seeds = self.seed..self.seed.saturating_add(self.games);
        lab::games(player, rules, seeds, self.agents.options(), &stopped).collect()
    }
}

/// Returns the temperament of a player, which it must have.
fn profile<G: Playable>(player: &PlayerSpec<G>) -> anyhow::Result<&MindProfile<G>> {
    let profile = player.temperament.as_ref();
    profile.with_context(|| {
        format!(
            "player: found `{0}` without a temperament, allowed: such as {0}+standard",
            player.name
        )
    })
}

/// Measure what a temperament perceives, feels and pursues in games against itself
#[derive(Args, Debug)]
pub(super) struct CensusArgs {
    #[command(flatten)]
    games: GamesArgs,
}

pub(super) fn census<G: Playable>(
    args: &CensusArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let player = PlayerSpec::<G>::parse(&args.games.player)?;
    let mind = &profile(&player)?.mind;
    let games = args.games.play(&player, rules, &*super::stop_flag()?);
    let census = lab::census::census(mind, &games);
    super::print(out, args.games.table, &census, census_text(&census).trim_end())
}

fn census_text(census: &Census) -> String {
    let Census { games, positions, concepts, goals } = census;
    let mut text = format!(
        "{games} games, {positions} positions\n\
         {:<15} {:>20} {:>20}  at an end  labels\n",
        "concept", "measure 10-50-90 %", "activation"
    );
    let spread = |Spread { low, median, high }: Spread| format!("{low:.2} {median:.2} {high:.2}");
    for ConceptSpread { concept, measure, activation, labels, at_an_end } in concepts {
        let labels: Vec<String> =
            labels.iter().map(|(name, share)| format!("{name} {share:.0} %")).collect();
        let measure = measure.map_or(String::new(), spread);
        let activation = spread(*activation);
        text += &format!(
            "{concept:<15} {measure:>20} {activation:>20} {at_an_end:>8.1} %  {}\n",
            labels.join(", ")
        );
    }
    text += &format!("\n{:<15} {:>8} {:>12}\n", "goal", "share", "of it in fear");
    for goal in goals {
        text += &format!("{:<15} {:>6.1} % {:>10.1} %\n", goal.goal, goal.share, goal.in_fear);
    }
    text
}

/// Find a position for each percentage of a temperament where it changes the move
#[derive(Args, Debug)]
pub(super) struct KnobsArgs {
    #[command(flatten)]
    games: GamesArgs,
}

pub(super) fn knobs<G: Playable>(
    args: &KnobsArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let player = PlayerSpec::<G>::parse(&args.games.player)?;
    let mind = &profile(&player)?.mind;
    let stop = super::stop_flag()?;
    let games = args.games.play(&player, rules, &stop);
    let open = |position: &G| position.outcome().is_none();
    let positions: Vec<G> = games.iter().flat_map(GameRecord::positions).filter(open).collect();
    let stopped = || stop.load(Relaxed);
    let findings = knobs::find(mind, &player.level, &positions, &stopped);
    super::print(out, args.games.table, &findings, knobs_text(&findings).trim_end())
}

fn knobs_text(findings: &[KnobFinding]) -> String {
    let found = findings.iter().filter(|one| one.witness.is_some()).count();
    let mut text = format!("{found} of {} percentages change a move\n", findings.len());
    for KnobFinding { goal, feeling, group, percent, tried, witness } in findings {
        text +=
            &format!("{goal:<15} {feeling:<7} {group:<18} {percent:>5.0} %  tried {tried:>5}  ");
        text += &witness.as_ref().map_or("not found\n".into(), |(position, with, without)| {
            format!("{with} instead of {without} in {position}\n")
        });
    }
    text
}
