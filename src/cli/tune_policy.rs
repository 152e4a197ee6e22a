//! `tune --target human --policy`: fits the policy of human-like play to moves played by people.

use super::{choices::ChoicesArgs, played::PlayedArgs};
use crate::{
    lab::tune::policy::{PolicyReport, PolicySample, count_habits, fit},
    player::human::{cue::Cue, habit::HabitCounts, policy::Policy},
    profile::Profile,
    support::whole_file,
};
use anyhow::ensure;
use std::{io::Write, path::Path};
use strum::EnumCount;

/// The options of the fit.
pub(super) struct PolicyArgs<'a> {
    /// The share of players held out.
    pub(super) holdout: f64,
    /// Nats that a weight of 1 adds to the loss.
    pub(super) pull: Option<f32>,
    /// The file for the weights. The habits are written beside it.
    pub(super) out: Option<&'a Path>,
}

pub(super) fn run(
    games: &PlayedArgs,
    profile: &Profile,
    choices: &ChoicesArgs,
    args: &PolicyArgs<'_>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let (mut counts, mut all) = (HabitCounts::default(), Vec::new());
    games.read(|games| {
        pool.install(|| count_habits(&mut counts, games, args.holdout));
        all.extend_from_slice(games);
    })?;
    let habits = counts.habits();
    let mut sample = PolicySample::new(profile, choices.band(), choices.every(), args.holdout);
    let added = pool.install(|| sample.add(&all, &habits));
    ensure!(added.is_ok(), "the transposition tables cannot be allocated");
    let (policy, text) = pool.install(|| judged(&sample, args.pull))?;
    if let Some(path) = args.out {
        whole_file::write(path, policy.to_string().as_bytes())?;
        whole_file::write(&path.with_extension("habits"), &habits.bytes())?;
    }
    Ok(writeln!(out, "{text}")?)
}

/// Fits the policy and says what it reaches on the players held out, and what a policy without goals
/// and emotion reaches.
fn judged(sample: &PolicySample<'_>, pull: Option<f32>) -> anyhow::Result<(Policy, String)> {
    let of = |held_out| sample.choices.iter().filter(move |choice| choice.is_held_out == held_out);
    let (training, held_out): (Vec<_>, Vec<_>) = (of(false).collect(), of(true).collect());
    ensure!(!training.is_empty(), "no move to fit to: all games are unrated or held out");
    let pull = f64::from(pull.unwrap_or(4.0));
    let policy = fit(&training, &[true; Cue::COUNT], pull);
    let mut unfeeling = [true; Cue::COUNT];
    (unfeeling[Cue::LitByFear as usize], unfeeling[Cue::LitByRelief as usize]) = (false, false);
    let control = fit(&training, &unfeeling, pull);
    let watched = if held_out.is_empty() { &training } else { &held_out };
    let report = PolicyReport::new(&policy, &training, watched);
    let without = PolicyReport::new(&control, &training, watched);
    let text = format!(
        "{} moves, {} of players held out\n{report}\n{:.4} nats; without goals and emotion {:.4}",
        sample.choices.len(),
        held_out.len(),
        report.all.likelihood,
        without.all.likelihood
    );
    Ok((policy, text))
}
