//! The `bench` command: prints the node signature, or compares the built-in profiles.

use super::{ProfileArgs, switch::Switch};
use crate::{
    lab::{
        bench::{self, BenchSummary},
        knobs::matrix::ChoiceMatrix,
    },
    player::{Engine, Options},
    search::Signals,
};
use clap::Args;
use serde::Serialize;
use std::{io::Write, num::NonZeroU64};

#[derive(Args, Debug)]
pub(super) struct BenchArgs {
    /// Search depth for each position, in plies
    #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_name = "PLIES",
          value_parser = clap::value_parser!(u8).range(1..=i64::from(bench::DEEPEST)))]
    depth: u8,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Whether feelings change the evaluation
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "on|off",
          hide_possible_values = true)]
    emotion: Switch,
    /// Compare each built-in profile with neutral instead of printing the signature
    #[arg(long, conflicts_with_all = ["depth", "profile", "emotion"])]
    temperaments: bool,
    /// Nodes per search (only with --temperaments)
    #[arg(long, default_value = "5000", value_name = "N", requires = "temperaments")]
    nodes: NonZeroU64,
    #[command(flatten)]
    table: super::TableArgs,
}

pub(super) fn run(args: &BenchArgs, out: &mut impl Write) -> anyhow::Result<()> {
    if args.temperaments {
        let matrix = ChoiceMatrix::of(args.nodes)?;
        return Ok(super::print(out, args.table, &matrix.record(), &matrix)?);
    }
    let profile = args.profile.profile()?;
    let name = profile.name.clone();
    let options = Options { emotion: args.emotion.is_on(), ..Options::default() };
    let mut engine = Engine::new(profile, options)?;
    let mut positions = Vec::new();
    let summary = bench::summary(&mut engine, args.depth, &Signals::default(), |number, one| {
        positions.push((number, *one));
    })?;
    if args.table.json {
        let row = |(number, one): &(usize, bench::BenchTotal)| PositionRecord {
            fen: bench::POSITIONS[*number],
            nodes: one.nodes,
            nps: one.nps(),
        };
        let BenchSummary { total, neutral } = summary;
        let json = BenchRecord {
            profile: &name,
            emotion: args.emotion.is_on(),
            depth: args.depth,
            nodes: total.nodes,
            nodes_neutral: neutral.nodes,
            nps: total.nps(),
            positions: positions.iter().map(row).collect(),
        };
        return Ok(super::print(out, args.table, &json, "")?);
    }
    for (number, one) in &positions {
        writeln!(out, "{}", one.row(*number))?;
    }
    writeln!(out, "{summary}")?;
    Ok(())
}

/// The JSON form of the signature.
#[derive(Debug, Serialize)]
struct BenchRecord<'a> {
    profile: &'a str,
    emotion: bool,
    depth: u8,
    nodes: u64,
    nodes_neutral: u64,
    nps: u64,
    positions: Vec<PositionRecord>,
}

#[derive(Debug, Serialize)]
struct PositionRecord {
    fen: &'static str,
    nodes: u64,
    nps: u64,
}
