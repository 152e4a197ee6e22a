//! Measures how often engine players choose the moves that humans played, by the human's rating.
//!
//! All players search the same positions, so that small differences between them become visible.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod likelihood;
mod report;

pub use likelihood::Likelihood;

use crate::{
    lab::{
        duel::Entrant,
        style::{MeasureCount, Moments},
    },
    pgn::{Chosen, PlayedGame},
    player::{Engine, OptionsError},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, num::NonZeroU64};

/// The hash table size of each player in MiB. The table is cleared before every position.
const HASH: usize = 1;

/// The players to compare, and how positions are chosen and searched.
#[derive(Clone, Debug, PartialEq)]
pub struct HumansOptions {
    pub players: Vec<Entrant>,
    /// Nodes per move.
    pub nodes: NonZeroU64,
    /// Uses one of every this many moves of each game.
    pub every: usize,
    /// The width of a rating band, in rating points.
    pub width: u16,
}

/// The statistics of the humans in one rating band.
#[derive(Clone, Debug, PartialEq)]
struct Band {
    /// For each player, the share of positions in which it plays the human's move.
    shares: Vec<Moments>,
    /// For each two players, in the order of [`pairs`]: the share of the first minus that of the
    /// second.
    differences: Vec<Moments>,
}

/// How often each player plays the moves of humans.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanMatches<'s> {
    settings: &'s HumansOptions,
    /// The counts per human. The human is the statistical unit, because choices of the same human
    /// in different games are not independent.
    humans: Humans,
    /// The number of humans without a name. Each of them counts as a different person.
    nameless: usize,
}

/// The number of positions of one human, and for each player the number of matching moves.
#[derive(Clone, Debug, PartialEq)]
struct Hits {
    positions: u32,
    by_player: Vec<u32>,
}

impl Hits {
    fn none(players: usize) -> Self {
        Self { positions: 0, by_player: vec![0; players] }
    }

    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.by_player.iter_mut().zip(&other.by_player).for_each(|(hits, more)| *hits += more);
    }
}

/// Counts per human, by the lowest rating of the band and by the name in the games.
type Humans = BTreeMap<(u16, String), Hits>;

/// Returns every pair of indices below `players`, the lower index first.
fn pairs(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |first| (first + 1..players).map(move |second| (first, second)))
}

impl<'s> HumanMatches<'s> {
    /// Creates an empty comparison.
    #[must_use]
    pub fn new(settings: &'s HumansOptions) -> Self {
        Self { settings, humans: BTreeMap::new(), nameless: 0 }
    }

    /// Searches positions of `games` with all players and adds the results.
    ///
    /// The results do not depend on the number of threads.
    ///
    /// # Errors
    /// If a hash table cannot be allocated.
    pub fn add(&mut self, games: &[PlayedGame]) -> Result<(), OptionsError> {
        let settings = self.settings;
        let engines =
            || settings.players.iter().map(|player| player.engine(HASH)).collect::<Result<_, _>>();
        let each: Vec<Humans> = games
            .par_iter()
            .map_init(engines, |engines: &mut Result<Vec<Engine>, OptionsError>, game| {
                let engines = engines.as_mut().map_err(|error| *error)?;
                Ok::<_, OptionsError>(hits(game, settings, engines))
            })
            .collect::<Result<_, _>>()?;
        each.into_iter().flatten().for_each(|(human, hits)| self.count(human, &hits));
        Ok(())
    }

    /// Returns the number of positions searched.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.humans.values().map(|hits| u64::from(hits.positions)).sum()
    }

    fn count(&mut self, (low, name): (u16, String), hits: &Hits) {
        let name = if matches!(&*name, "" | "?") {
            self.nameless += 1;
            format!("? {}", self.nameless)
        } else {
            name
        };
        let none = || Hits::none(self.settings.players.len());
        self.humans.entry((low, name)).or_insert_with(none).add(hits);
    }

    /// Returns the bands by their lowest rating.
    fn bands(&self) -> BTreeMap<u16, Band> {
        let players = self.settings.players.len();
        let mut bands = BTreeMap::new();
        for ((low, _), hits) in &self.humans {
            bands.entry(*low).or_insert_with(|| Band::of(players)).add(hits);
        }
        bands
    }

    /// Returns all humans as one band.
    fn all(&self) -> Band {
        let players = self.settings.players.len();
        // a human who moved to another band is still one person
        let mut humans: BTreeMap<&str, Hits> = BTreeMap::new();
        for ((_, name), hits) in &self.humans {
            humans.entry(name).or_insert_with(|| Hits::none(players)).add(hits);
        }
        let mut all = Band::of(players);
        for hits in humans.values() {
            all.add(hits);
        }
        all
    }
}

impl Band {
    fn of(players: usize) -> Self {
        let none = |count| vec![Moments::default(); count];
        Self { shares: none(players), differences: none(pairs(players).count()) }
    }

    /// Adds the counts of one human.
    fn add(&mut self, Hits { positions, by_player }: &Hits) {
        let count = |sum: f64| MeasureCount { sum, of: (*positions).into() };
        for (share, hits) in self.shares.iter_mut().zip(by_player) {
            share.add(count((*hits).into()));
        }
        let of_pairs = self.differences.iter_mut().zip(pairs(by_player.len()));
        for (difference, (first, second)) in of_pairs {
            difference.add(count(f64::from(by_player[first]) - f64::from(by_player[second])));
        }
    }

    fn positions(&self) -> u64 {
        self.shares.first().map_or(0, |share| share.total.of as u64)
    }

    fn humans(&self) -> u64 {
        self.shares.first().map_or(0, |share| share.units)
    }
}

/// Searches the chosen positions of one game with every engine and counts the matching moves.
fn hits(game: &PlayedGame, settings: &HumansOptions, engines: &mut [Engine]) -> Humans {
    let mut humans = Humans::new();
    for chosen in game.chosen(settings.every) {
        let low = chosen.elo / settings.width * settings.width;
        let agreed = engines.iter_mut().map(|engine| agrees(engine, &chosen, settings.nodes));
        let hits = Hits { positions: 1, by_player: agreed.map(u32::from).collect() };
        humans.entry((low, chosen.human)).or_insert_with(|| Hits::none(engines.len())).add(&hits);
    }
    humans
}

/// Returns whether `engine` plays the human's move, given the position without the earlier game.
fn agrees(engine: &mut Engine, chosen: &Chosen, nodes: NonZeroU64) -> bool {
    engine.new_game();
    engine.best_at(&chosen.game, nodes).is_some_and(|outcome| outcome.best == chosen.m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_between_players_use_the_same_positions() {
        let mut band = Band::of(3);
        for hits in [[4, 3, 5], [2, 2, 1], [6, 4, 6], [3, 3, 3], [5, 4, 5]] {
            band.add(&Hits { positions: 10, by_player: hits.to_vec() });
        }
        assert_eq!((band.positions(), band.humans()), (50, 5));
        let mean = |moments: &Moments| moments.estimate(2.0).unwrap().mean;
        assert!((mean(&band.shares[0]) - 0.4).abs() < 1e-12);
        let differences: Vec<_> = band.differences.iter().map(mean).collect();
        for (difference, expected) in differences.iter().zip([0.08, 0.0, -0.08]) {
            assert!((difference - expected).abs() < 1e-12, "{differences:?}");
        }
        // both players find the same positions easy or hard, so the difference varies less
        let error = |moments: &Moments| moments.estimate(2.0).unwrap().error.unwrap();
        assert!(error(&band.differences[0]) < error(&band.shares[0]));
        assert_eq!(pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    }

    #[test]
    fn games_of_one_human_are_one_unit_and_unnamed_humans_are_separate() {
        let settings =
            HumansOptions { players: Vec::new(), nodes: NonZeroU64::MIN, every: 1, width: 200 };
        let mut likeness = HumanMatches::new(&settings);
        let hits = Hits { positions: 10, by_player: Vec::new() };
        for (low, name) in
            [(1000, "a"), (1000, "a"), (1200, "a"), (1000, "?"), (1000, ""), (1200, "b")]
        {
            likeness.count((low, name.to_owned()), &hits);
        }
        let humans: Vec<_> = likeness.humans.keys().map(|(low, name)| (*low, &**name)).collect();
        assert_eq!(humans, [(1000, "? 1"), (1000, "? 2"), (1000, "a"), (1200, "a"), (1200, "b")]);
        assert_eq!(likeness.humans[&(1000, "a".to_owned())].positions, 20);
        assert_eq!(likeness.positions(), 60);
    }
}
