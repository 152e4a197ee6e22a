//! The `feel` command: from a position to a feeling and a move, step by step.

use super::{AgentArgs, PositionArgs, TableArgs};
use crate::{
    explain::{Explanation, TermRow, explain},
    level::{Playable, PlayerSpec, level, temperament},
};
use clap::Args;
use std::{
    fmt::{self, Write as _},
    io::Write,
};

/// Show how a position becomes a feeling, a goal, weights and a move
#[derive(Args, Debug)]
pub(super) struct FeelArgs {
    /// A position in one-line notation; its fields may be separate arguments
    #[arg(value_name = "POSITION", allow_hyphen_values = true, conflicts_with_all = ["position", "seed"])]
    words: Vec<String>,
    #[command(flatten)]
    from: PositionArgs,
    /// The level that chooses the moves [default: the strongest without a time limit]
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// The name of a built-in temperament, or the path of a TOML file
    #[arg(long, default_value = "standard", value_name = "NAME|TOML")]
    temperament: String,
    #[command(flatten)]
    agents: AgentArgs,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run<G: Playable>(
    args: &FeelArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let position: G = if args.words.is_empty() {
        args.from.position(rules)?
    } else {
        G::parse(&args.words.join(" "), rules)?
    };
    let level = level::<G>(args.level.as_deref().unwrap_or(G::EXPLAINED))?;
    let profile = temperament::<G>(&args.temperament)?;
    let mind = profile.mind.clone();
    let name = format!("{}+{}", level.name, args.temperament);
    let player = PlayerSpec { name, level, errs: 0.0, temperament: Some(profile) };
    let explanation = explain(&position, &player, &mind, args.agents.options(), args.from.seed);
    let mut text = format!("{}{position}\n\n", position.draw());
    // writing to a String cannot fail
    let _ = write(&mut text, &explanation, &player.name);
    super::print(out, args.table, &explanation, text.trim_end())
}

fn write(text: &mut String, explanation: &Explanation, player: &str) -> fmt::Result {
    writeln!(text, "{} to move: {player}\n", explanation.side)?;
    perception(text, explanation)?;
    let settled: Vec<String> =
        explanation.settled.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
    writeln!(text, "\nmap: {}", settled.join(", "))?;
    writeln!(text, "{}", explanation.summary)?;
    if let Some(aim) = explanation.aim {
        writeln!(text, "{aim}")?;
    }
    terms(text, &explanation.terms)?;
    match (&explanation.felt_move, &explanation.plain_move) {
        (Some(felt), Some(plain)) if felt == plain => {
            writeln!(text, "move {felt}, with the feeling and without")
        }
        (Some(felt), Some(plain)) => writeln!(text, "move {felt}, without the feeling {plain}"),
        _ => writeln!(text, "the game is over"),
    }
}

/// Writes measures, facts and the rungs of the ladder.
fn perception(text: &mut String, explanation: &Explanation) -> fmt::Result {
    let Explanation { measures, facts, ladder, .. } = explanation;
    writeln!(text, "{:<15} {:>8} {:<12} {:>10}  label", "measure", "", "", "activation")?;
    for row in measures {
        let (value, activation) = (plain(row.value), row.activation);
        writeln!(
            text,
            "{:<15} {value:>8} {:<12} {activation:>10.2}  {}",
            row.name, row.unit, row.label
        )?;
    }
    writeln!(text)?;
    for row in facts {
        let truth = if row.holds { "true" } else { "false" };
        writeln!(text, "{:<22} {truth:<6} {}", row.name, row.meaning)?;
    }
    writeln!(text)?;
    for rung in ladder {
        let failed = rung.failed.join(", ");
        let verdict = if failed.is_empty() { "holds".into() } else { format!("fails: {failed}") };
        writeln!(text, "{:<15} {verdict}", rung.goal)?;
    }
    Ok(())
}

/// Writes the terms of the evaluation, without the feeling and with it.
fn terms(text: &mut String, terms: &[TermRow]) -> fmt::Result {
    writeln!(
        text,
        "\n{:<10} {:>8} {:>8} {:>16} {:>16} {:>9} {:>9}",
        "term", "own", "other", "weights", "felt weights", "value", "felt"
    )?;
    for row in terms {
        let [own, other] = row.counts.map(plain);
        let [weights, felt] = [row.weights, row.felt_weights]
            .map(|[own, other]| format!("{} / {}", plain(own), plain(other)));
        writeln!(
            text,
            "{:<10} {own:>8} {other:>8} {weights:>16} {felt:>16} {:>9.2} {:>9.2}",
            row.name, row.value, row.felt_value
        )?;
    }
    let [value, felt] = [
        terms.iter().map(|row| row.value).sum::<f64>(),
        terms.iter().map(|row| row.felt_value).sum(),
    ];
    writeln!(
        text,
        "{:<10} {:>8} {:>8} {:>16} {:>16} {value:>9.2} {felt:>9.2}\n",
        "sum", "", "", "", ""
    )
}

/// Formats a number with at most two decimals.
fn plain(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0')
        .trim_end_matches('.')
        .replace("-0", if number.abs() < 0.005 { "0" } else { "-0" })
}
