//! `humans --likelihood`: measures how well the human style predicts the moves of people.

use super::{TableArgs, played::PlayedArgs};
use crate::{
    lab::{
        humans::Likelihood,
        tune::policy::{PolicyChoice, PolicySample},
    },
    player::human::{book::Book, habit::Habits, policy::Policy},
    profile::Profile,
};
use anyhow::{Context, ensure};
use std::io::Write;

/// The model of values alone has few weights. So only one move in this many of the other players is
/// read.
const EVERY_OTHER: usize = 5;

/// Which moves to judge.
pub(super) struct LikelihoodArgs {
    /// Only one move in this many.
    pub(super) every: usize,
    /// The number of the first game.
    pub(super) from_game: u64,
    /// The share of players to judge. The others serve to fit the model of values alone.
    pub(super) holdout: f64,
    pub(super) table: TableArgs,
}

pub(super) fn run(
    games: &PlayedArgs,
    profile: &Profile,
    args: &LikelihoodArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let taste = &profile.human;
    let policy = Policy::fitted()?.with(taste);
    let (habits, book) = (Habits::counted(), Book::counted());
    let sample = PolicySample::new(profile, 0..=u16::MAX, args.every, args.holdout);
    let mut sample = sample.thinned(EVERY_OTHER);
    let pool = super::pool(0)?;
    let mut added = Ok(());
    games.read(|games| {
        let asked = games.iter().filter(|game| game.number as u64 >= args.from_game);
        let asked: Vec<_> = asked.cloned().collect();
        if added.is_ok() {
            added = pool.install(|| sample.add(&asked, &habits, &book));
        }
    })?;
    ensure!(added.is_ok(), "the transposition tables cannot be allocated");
    let (judged, training): (Vec<&PolicyChoice>, Vec<_>) =
        sample.choices.iter().partition(|choice| choice.is_held_out);
    let likelihood = pool.install(|| Likelihood::of((&policy, taste.in_mind), &training, &judged));
    let likelihood = likelihood.context("found no moves by rated players to judge")?;
    Ok(super::print(out, args.table, &likelihood, &likelihood)?)
}
