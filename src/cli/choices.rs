//! `tune --target human`: fits relevance to moves played by humans.

use super::played::PlayedArgs;
use crate::{
    lab::tune::relevance::{
        FitScope,
        human::{self, ChoiceSample, ChoicesOptions, TunedChoices},
    },
    profile::Profile,
};
use anyhow::ensure;
use clap::Args;
use std::{num::NonZeroU64, ops::RangeInclusive};

#[derive(Args, Debug)]
pub(super) struct ChoicesArgs {
    /// Rating range of the players to learn from (only with --target human) [default: 0-4000]
    #[arg(long, value_name = "LOW-HIGH", value_parser = band)]
    band: Option<RangeInclusive<u16>>,
    /// Use only every Nth move of each game, or with --clock every Nth game (only with --target
    /// human) [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    every: Option<u16>,
}

impl ChoicesArgs {
    /// Rejects these options if the target is the results of games.
    pub(super) fn refuse(&self) -> anyhow::Result<()> {
        for (is_given, option) in
            [(self.band.is_some(), "--band"), (self.every.is_some(), "--every")]
        {
            ensure!(!is_given, "{option} needs --target human");
        }
        Ok(())
    }

    pub(super) fn band(&self) -> RangeInclusive<u16> {
        self.band.clone().unwrap_or(0..=4000)
    }

    pub(super) fn every(&self) -> usize {
        self.every.unwrap_or(1).into()
    }

    pub(super) fn settings(
        &self,
        nodes: Option<NonZeroU64>,
        holdout: f64,
        scope: FitScope,
    ) -> ChoicesOptions {
        let (band, every) = (self.band(), self.every());
        ChoicesOptions { band, every, nodes, holdout, scope }
    }
}

pub(super) fn tune(
    games: &PlayedArgs,
    start: &Profile,
    settings: &ChoicesOptions,
    pool: &rayon::ThreadPool,
) -> anyhow::Result<TunedChoices> {
    settings.check(start)?;
    let mut sample = ChoiceSample::new(start);
    games.read(|games| pool.install(|| sample.add(games, settings)))?;
    Ok(pool.install(|| human::tune(start, settings, &sample))?)
}

fn band(text: &str) -> Result<RangeInclusive<u16>, String> {
    let ends = text.split_once('-').and_then(|(low, high)| {
        let [low, high] = [low, high].map(|end| end.trim().parse::<u16>().ok());
        Some(low?..=high?)
    });
    let ends = ends.filter(|band| !band.is_empty() && *band.end() <= 4000);
    ends.ok_or_else(|| "allowed: LOW-HIGH, at most 4000, e.g. 1000-1800".into())
}
