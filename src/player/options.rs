//! The options of an engine, with their defaults and ranges.

use super::hash::HashError;
use crate::search::{Probing, params::Params, root::handicap::Handicap};
use std::{ops::RangeInclusive, time::Duration};

/// The options of an engine: plain values. The profile, the endgame tables and the known positions
/// are not among them, because they are loaded from files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Options {
    /// The size of the transposition table in MiB, within [`Self::HASH`].
    pub hash: usize,
    /// The number of search threads, within [`Self::THREADS`].
    pub threads: usize,
    /// The number of lines to search and report, within [`Self::MULTI_PV`].
    pub multi_pv: usize,
    /// The time kept on the clock for a single long delay between engine and GUI, within
    /// [`Self::OVERHEAD`].
    pub overhead: Duration,
    /// Whether the engine feels. If `false`, no appraisal is made and no weight is bent.
    pub emotion: bool,
    /// The emotion strength in percent, within [`Self::EMOTION_STRENGTH`]. It scales every factor's
    /// distance from 1.
    pub emotion_strength: u16,
    /// Analysis mode: a draw scores 0, whatever the appraisal says.
    pub analysis: bool,
    /// Whether to limit the strength to [`Self::elo`]. The search then uses one thread, regardless
    /// of [`Self::threads`].
    pub limit_strength: bool,
    /// The strength limit in Elo, within [`Self::ELO`].
    pub elo: u16,
    /// How a player of limited strength plays.
    pub limit_style: LimitStyle,
    /// Seed of the human style. Equal seeds give equal moves in equal games.
    pub human_seed: u64,
    /// Whether the human style plays the opening moves of people.
    pub human_book: bool,
    /// Whether a player in human style takes as long for a move as people do. Only a clock makes it
    /// wait.
    pub human_clock: bool,
    /// How much the positions known from games count, in percent, within [`Self::KNOWN_WEIGHT`].
    pub known_weight: u8,
    /// Whether known positions also count at the leaves of the first plies, not only at the root.
    pub known_leaves: bool,
    /// How searches use the endgame tables, within [`Self::PROBE_DEPTH`] and [`Self::PROBE_MEN`].
    pub probing: Probing,
    /// The search parameters. They change only during tuning.
    pub params: Params,
}

/// How a player of limited strength plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LimitStyle {
    /// Searches fewer moves and nodes, with errors of evaluation.
    #[default]
    Narrow,
    /// Plays the moves that people of this rating play.
    Human,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: Self::DEFAULT_HASH,
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(10),
            emotion: true,
            emotion_strength: 100,
            analysis: false,
            limit_strength: false,
            elo: 1500,
            limit_style: LimitStyle::default(),
            human_seed: 0,
            human_book: true,
            human_clock: false,
            known_weight: 100,
            known_leaves: false,
            probing: Probing::default(),
            params: Params::default(),
        }
    }
}

/// The reason why an engine refuses options. It keeps those that it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// A value is outside its range. The option has the name of the UCI option.
    #[error("{option}: found {found} (allowed: {least} to {most})")]
    OutOfRange { option: &'static str, found: usize, least: usize, most: usize },
    /// The transposition table cannot be allocated.
    #[error(transparent)]
    Hash(#[from] HashError),
}

impl Options {
    /// The default size of the transposition table, in MiB.
    pub const DEFAULT_HASH: usize = 16;

    /// The sizes of the transposition table, in MiB.
    pub const HASH: RangeInclusive<usize> = 1..=65_536;
    /// The numbers of search threads.
    pub const THREADS: RangeInclusive<usize> = 1..=256;
    /// The numbers of lines. No position reachable in a game has more than 218 legal moves.
    pub const MULTI_PV: RangeInclusive<usize> = 1..=218;
    /// The times kept on the clock, in milliseconds.
    pub const OVERHEAD: RangeInclusive<usize> = 0..=5_000;
    /// The emotion strengths, in percent.
    pub const EMOTION_STRENGTH: RangeInclusive<usize> = 0..=200;
    /// The strength limits in Elo: from the weakest play to full strength.
    pub const ELO: RangeInclusive<usize> =
        Handicap::LEAST_ELO as usize..=Handicap::FULL_ELO as usize;
    /// The highest rating of the human style. Few people in the games it was fitted to are stronger.
    pub const MOST_HUMAN_ELO: u16 = 2200;
    /// The weights of known positions, in percent.
    pub const KNOWN_WEIGHT: RangeInclusive<usize> = 0..=100;
    /// The minimum depths at which nodes are probed in the endgame tables, in plies.
    pub const PROBE_DEPTH: RangeInclusive<usize> = 1..=100;
    /// The maximum numbers of pieces of a probed node.
    pub const PROBE_MEN: RangeInclusive<usize> = 0..=7;

    /// Checks that every value is within its range.
    ///
    /// # Errors
    /// Returns [`OptionsError::OutOfRange`] for the first value that is not.
    pub fn check(&self) -> Result<(), OptionsError> {
        let overhead = usize::try_from(self.overhead.as_millis()).unwrap_or(usize::MAX);
        let each = [
            ("Hash", self.hash, Self::HASH),
            ("Threads", self.threads, Self::THREADS),
            ("MultiPV", self.multi_pv, Self::MULTI_PV),
            ("Move Overhead", overhead, Self::OVERHEAD),
            ("Temperament", self.emotion_strength.into(), Self::EMOTION_STRENGTH),
            ("UCI_Elo", self.elo.into(), Self::ELO),
            ("KnownWeight", self.known_weight.into(), Self::KNOWN_WEIGHT),
            ("SyzygyProbeDepth", self.probing.depth.into(), Self::PROBE_DEPTH),
            ("SyzygyProbeLimit", self.probing.men, Self::PROBE_MEN),
        ];
        for (option, found, allowed) in each {
            if !allowed.contains(&found) {
                let (least, most) = allowed.into_inner();
                return Err(OptionsError::OutOfRange { option, found, least, most });
            }
        }
        Ok(())
    }

    /// Returns rating and seed of a player in human style.
    pub fn person(&self) -> Option<(u16, u64)> {
        let is_human = self.limit_strength && self.limit_style == LimitStyle::Human;
        is_human.then_some((self.human_rating(), self.human_seed))
    }

    /// Returns the rating of a player in human style: [`Self::elo`], but at most
    /// [`Self::MOST_HUMAN_ELO`].
    pub fn human_rating(&self) -> u16 {
        self.elo.min(Self::MOST_HUMAN_ELO)
    }

    /// Returns the handicap of a player with limited strength, or `None` at full strength.
    pub fn handicap(&self) -> Option<Handicap> {
        self.limit_strength.then(|| Handicap::of_elo(self.elo)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        type Change = fn(&mut Options);
        assert_eq!(Options::default().check(), Ok(()));
        let changes: [(&str, Change); 9] = [
            ("Hash", |options| options.hash = 0),
            ("Threads", |options| options.threads = 257),
            ("MultiPV", |options| options.multi_pv = 0),
            ("Move Overhead", |options| options.overhead = Duration::from_secs(6)),
            ("Temperament", |options| options.emotion_strength = 201),
            ("UCI_Elo", |options| options.elo = 999),
            ("KnownWeight", |options| options.known_weight = 101),
            ("SyzygyProbeDepth", |options| options.probing.depth = 0),
            ("SyzygyProbeLimit", |options| options.probing.men = 8),
        ];
        for (name, change) in changes {
            let mut options = Options::default();
            change(&mut options);
            let error = options.check().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: found ")), "{error}");
        }
        let weak = Options { emotion_strength: 201, ..Options::default() };
        let error = weak.check().unwrap_err().to_string();
        assert_eq!(error, "Temperament: found 201 (allowed: 0 to 200)");
    }

    #[test]
    fn strength_is_limited_only_on_request() {
        let free = Options { elo: 1000, ..Options::default() };
        assert_eq!(free.handicap(), None);
        let limited = Options { limit_strength: true, ..free };
        assert_eq!(limited.handicap(), Handicap::of_elo(1000));
    }
}
