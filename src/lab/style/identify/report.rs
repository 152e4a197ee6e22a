//! Formats identifications as a table and as JSON.

use super::{Candidates, Evidence};
use crate::{explain::schema::ByName, lab::style::UnknownPlayer};
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeMap, fmt};

/// The temperaments shown for each player.
const SHOWN: usize = 3;
/// Temperaments with a smaller probability are not shown, unless they are the likeliest.
const LEAST: f64 = 0.01;

/// The evidence for each player, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identification(BTreeMap<String, Evidence>);

/// The temperament of one player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerIdentity {
    name: String,
    games: u64,
    /// The number of moves that were judged.
    moves: u64,
    /// The probability of each temperament, the likeliest first.
    #[serde(serialize_with = "by_name")]
    temperaments: Vec<(&'static str, f64)>,
}

/// The JSON form of [`Identification`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IdentificationRecord {
    players: Vec<PlayerIdentity>,
}

impl IdentificationRecord {
    /// Whether there is no player.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }
}

impl Identification {
    /// Adds the evidence of a game. It is empty for a player who is not to be identified.
    pub fn add(&mut self, player: &str, evidence: &Evidence) {
        self.0.entry(player.to_owned()).or_default().add(evidence);
    }

    /// Checks that every player of `wanted` has a game.
    ///
    /// # Errors
    /// If one of them has none. The error lists the players.
    pub fn check(&self, wanted: &[String]) -> Result<(), UnknownPlayer> {
        let Some(name) = wanted.iter().find(|name| !self.0.contains_key(*name)) else {
            return Ok(());
        };
        Err(UnknownPlayer::among(name, self.0.keys().map(String::as_str)))
    }

    /// Returns the identities of all players, those with the most games first.
    #[must_use]
    pub fn record(&self, candidates: &Candidates) -> IdentificationRecord {
        let identity = |(name, evidence): (&String, &Evidence)| PlayerIdentity {
            name: name.clone(),
            games: evidence.games,
            moves: evidence.moves,
            temperaments: candidates.probabilities(evidence),
        };
        let judged = self.0.iter().filter(|(_, evidence)| evidence.games > 0);
        let mut players: Vec<_> = judged.map(identity).collect();
        players.sort_by_key(|player| Reverse(player.games));
        IdentificationRecord { players }
    }
}

fn by_name<S: serde::Serializer>(all: &[(&'static str, f64)], to: S) -> Result<S::Ok, S::Error> {
    all.iter().copied().collect::<ByName<f64>>().serialize(to)
}

impl fmt::Display for IdentificationRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.players.iter().map(|player| player.name.chars().count());
        let width = names.max().unwrap_or_default().max("player".len());
        write!(f, "{:<width$}  {:>5}  {:>6}  temperament", "player", "games", "moves")?;
        for PlayerIdentity { name, games, moves, temperaments } in &self.players {
            let is_shown = |(rank, (_, p)): &(usize, &(&str, f64))| *rank == 0 || *p >= LEAST;
            let shown = temperaments.iter().enumerate().take(SHOWN).filter(is_shown);
            let shown: Vec<_> =
                shown.map(|(_, (name, p))| format!("{name} {:.0} %", 100.0 * p)).collect();
            write!(f, "\n{name:<width$}  {games:>5}  {moves:>6}  {}", shown.join(", "))?;
        }
        Ok(())
    }
}
