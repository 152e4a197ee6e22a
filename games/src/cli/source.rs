//! The commands `shapes` and `person`, which compare Tilt with the report on Yali2.

use super::TableArgs;
use crate::{
    matches::statistics::Estimate,
    tilt::{
        person::{PersonRow, REPORTED, against_person, reported_interval},
        shapes::{Shape, ShapedLevel, share},
    },
};
use clap::Args;
use serde::Serialize;
use std::{io::Write, sync::atomic::Ordering::Relaxed};

/// Search shapes of the evaluation for one under which the levels are as strong as their names
#[derive(Args, Debug)]
pub(super) struct ShapesArgs {
    /// Pairs of games per shape and match
    #[arg(long, default_value_t = 100, value_name = "N",
          value_parser = clap::value_parser!(u64).range(2..))]
    pairs: u64,
    /// The seed of the first pair
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    table: TableArgs,
}

/// A shape and how the levels fare under it.
#[derive(Debug, Serialize)]
struct ShapeRow {
    exponent: f64,
    kappa: f64,
    reply: f64,
    only_passed: bool,
    expert_against_normal: Estimate,
    normal_against_novice: Estimate,
}

pub(super) fn shapes(args: &ShapesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = super::stop_flag()?;
    let estimate =
        |shape: &Shape, levels| Estimate::of(&share(shape, levels, args.pairs, args.seed));
    let mut rows = Vec::new();
    // the use of replies does not affect these
    let mut normal: Option<(Shape, Estimate)> = None;
    for shape in Shape::grid().take_while(|_| !stop.load(Relaxed)) {
        let is_same = |(last, _): &&(Shape, Estimate)| {
            (last.exponent, last.kappa) == (shape.exponent, shape.kappa)
        };
        let known = normal.as_ref().filter(is_same).map(|(_, estimate)| *estimate);
        let normal_against_novice =
            known.unwrap_or_else(|| estimate(&shape, [ShapedLevel::Normal, ShapedLevel::Novice]));
        normal = Some((shape, normal_against_novice));
        let expert_against_normal = estimate(&shape, [ShapedLevel::Expert, ShapedLevel::Normal]);
        let Shape { exponent, kappa, reply, only_passed } = shape;
        rows.push(ShapeRow {
            exponent,
            kappa,
            reply,
            only_passed,
            expert_against_normal,
            normal_against_novice,
        });
    }
    rows.sort_by(|a, b| b.expert_against_normal.mean.total_cmp(&a.expert_against_normal.mean));
    super::print(out, args.table, &rows, shapes_text(&rows).trim_end())
}

fn shapes_text(rows: &[ShapeRow]) -> String {
    let mut text = format!(
        "{:>8} {:>6} {:>6} {:<16} {:>15} {:>15}\n",
        "exponent", "kappa", "reply", "replies", "expert-normal", "normal-novice"
    );
    let percent = |Estimate { mean, error }: Estimate| {
        format!("{:.1} ± {:.1} %", 100.0 * mean, 100.0 * error.unwrap_or_default())
    };
    for row in rows {
        let replies = if row.only_passed { "after the tip" } else { "always" };
        text += &format!(
            "{:>8} {:>6} {:>6} {replies:<16} {:>15} {:>15}\n",
            row.exponent,
            row.kappa,
            row.reply,
            percent(row.expert_against_normal),
            percent(row.normal_against_novice)
        );
    }
    text
}

/// Play a simulated person against the three levels, beside the report's results
///
/// The person is greedy, with a share of random moves that is the same against all levels. The
/// person plays Silver and begins.
#[derive(Args, Debug)]
pub(super) struct PersonArgs {
    /// Games per level and share
    #[arg(long, default_value_t = 2000, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Shares of random moves, from 0 to 1, in this number of steps
    #[arg(long, default_value_t = 20, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    steps: u16,
    /// The seed
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Games to play in parallel. Does not affect the result
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn person(args: &PersonArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = super::stop_flag()?;
    let mut rows = Vec::new();
    for step in 0..=args.steps {
        let errs = f64::from(step) / f64::from(args.steps);
        let row = against_person(errs, args.games, args.seed, args.threads.into(), &stop)?;
        if stop.load(Relaxed) {
            break;
        }
        rows.push(row);
    }
    super::print(out, args.table, &rows, person_text(&rows).trim_end())
}

fn person_text(rows: &[PersonRow]) -> String {
    let mut text = String::from(
        "the machine's share of the points, in percent; * is outside the report's interval\n",
    );
    text += &format!("{:>13}", "random moves");
    for (level, wins) in REPORTED {
        let [low, high] = reported_interval(wins);
        text += &format!(" {:>16}", format!("{level} {low:.0}-{high:.0}"));
    }
    text.push('\n');
    for PersonRow { errs, machine, is_inside } in rows {
        text += &format!("{:>11.1} %", 100.0 * errs);
        for (share, is_inside) in machine.iter().zip(is_inside) {
            let mark = if *is_inside { ' ' } else { '*' };
            text += &format!(" {share:>15.1}{mark}");
        }
        text.push('\n');
    }
    let count = rows.iter().filter(|row| row.is_inside == [true; 3]).count();
    text + &format!("{count} of {} shares are inside all three intervals\n", rows.len())
}
