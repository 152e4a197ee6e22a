//! How often players play what humans chose, by the rating of the human: all players are asked about
//! the same positions, so that small differences between them show.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod report;

use crate::{
    duel::Entrant,
    engine::{Engine, HashError},
    games::{Chosen, PlayedGame},
    search::{Signals, limits::Limits, report::Silent},
    style::{Count, Moments},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, num::NonZeroU64};

/// The table of each player, in MiB: it is emptied before every position.
const HASH: usize = 1;

/// Who is asked, and what about.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub players: Vec<Entrant>,
    /// Nodes for each move.
    pub nodes: NonZeroU64,
    /// One move of so many in each game.
    pub every: usize,
    /// How many points of rating make a band.
    pub width: u16,
}

/// What was counted for humans of like ratings.
#[derive(Clone, Debug, PartialEq)]
struct Band {
    /// Of each player.
    shares: Vec<Moments>,
    /// Of each two players, in the order of [`pairs`]: the share of the first less that of the second.
    differences: Vec<Moments>,
}

/// How alike humans each player plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness<'s> {
    settings: &'s Settings,
    /// By their lowest rating.
    bands: BTreeMap<u16, Band>,
    all: Band,
}

/// In one game: by the lowest rating of the band, the positions, and how many of them each player
/// played as the human did.
type Hits = BTreeMap<u16, (u32, Vec<u32>)>;

/// Each two of so many players, by their places.
fn pairs(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |first| (first + 1..players).map(move |second| (first, second)))
}

impl<'s> Likeness<'s> {
    /// Nothing asked yet.
    #[must_use]
    pub fn new(settings: &'s Settings) -> Self {
        let all = Band::of(settings.players.len());
        Self { settings, bands: BTreeMap::new(), all }
    }

    /// Asks all players about the positions of these games; the outcome does not depend on threads.
    ///
    /// # Errors
    /// If there is no memory for a player.
    pub fn add(&mut self, games: &[PlayedGame]) -> Result<(), HashError> {
        let settings = self.settings;
        let engines =
            || settings.players.iter().map(|player| player.engine(HASH)).collect::<Result<_, _>>();
        let each: Vec<Hits> = games
            .par_iter()
            .map_init(engines, |engines: &mut Result<Vec<Engine>, HashError>, game| {
                let engines = engines.as_mut().map_err(|error| *error)?;
                Ok(hits(game, settings, engines))
            })
            .collect::<Result<_, _>>()?;
        for hits in each {
            self.count(&hits);
        }
        Ok(())
    }

    /// Positions asked about.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.all.positions()
    }

    fn count(&mut self, game: &Hits) {
        let players = self.settings.players.len();
        let mut all = (0, vec![0; players]);
        for (low, (positions, hits)) in game {
            self.bands.entry(*low).or_insert_with(|| Band::of(players)).add(*positions, hits);
            all.0 += positions;
            all.1.iter_mut().zip(hits).for_each(|(all, hits)| *all += hits);
        }
        self.all.add(all.0, &all.1);
    }
}

impl Band {
    fn of(players: usize) -> Self {
        let none = |count| vec![Moments::default(); count];
        Self { shares: none(players), differences: none(pairs(players).count()) }
    }

    /// Adds a game.
    fn add(&mut self, positions: u32, hits: &[u32]) {
        let count = |sum: f64| Count { sum, of: positions.into() };
        for (share, hits) in self.shares.iter_mut().zip(hits) {
            share.add(count((*hits).into()));
        }
        for (difference, (first, second)) in self.differences.iter_mut().zip(pairs(hits.len())) {
            difference.add(count(f64::from(hits[first]) - f64::from(hits[second])));
        }
    }

    fn positions(&self) -> u64 {
        self.shares.first().map_or(0, |share| share.total.of as u64)
    }

    fn games(&self) -> u64 {
        self.shares.first().map_or(0, |share| share.units)
    }
}

/// What the players say to one game.
fn hits(game: &PlayedGame, settings: &Settings, engines: &mut [Engine]) -> Hits {
    let mut hits = Hits::new();
    for chosen in game.chosen(settings.every) {
        let low = chosen.elo / settings.width * settings.width;
        let (positions, hits) = hits.entry(low).or_insert_with(|| (0, vec![0; engines.len()]));
        *positions += 1;
        for (hits, engine) in hits.iter_mut().zip(&mut *engines) {
            *hits += u32::from(agrees(engine, &chosen, settings.nodes));
        }
    }
    hits
}

/// Whether `engine`, which knows no more of the game than this position, plays as the human did.
fn agrees(engine: &mut Engine, chosen: &Chosen, nodes: NonZeroU64) -> bool {
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let outcome = engine.go(&chosen.game, &limits, &Signals::default(), &mut Silent);
    outcome.is_some_and(|outcome| outcome.best == chosen.m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_of_the_same_positions() {
        let mut band = Band::of(3);
        for hits in [[4, 3, 5], [2, 2, 1], [6, 4, 6], [3, 3, 3], [5, 4, 5]] {
            band.add(10, &hits);
        }
        assert_eq!((band.positions(), band.games()), (50, 5));
        let mean = |moments: &Moments| moments.estimate(2.0).unwrap().mean;
        assert!((mean(&band.shares[0]) - 0.4).abs() < 1e-12);
        let differences: Vec<_> = band.differences.iter().map(mean).collect();
        for (difference, expected) in differences.iter().zip([0.08, 0.0, -0.08]) {
            assert!((difference - expected).abs() < 1e-12, "{differences:?}");
        }
        // shares of a game go up and down together
        let error = |moments: &Moments| moments.estimate(2.0).unwrap().error.unwrap();
        assert!(error(&band.differences[0]) < error(&band.shares[0]));
        assert_eq!(pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    }
}
