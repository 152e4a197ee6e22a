//! Formats the fit of a player as text, as JSON and as a profile.

use super::{ENOUGH_GAMES, Imitation, Judgement};
use crate::{
    lab::style::Estimate,
    player::human::cue::Cue,
    profile::{Profile, ProfileError, refit},
    support::noise::DEVIATIONS_95,
};
use serde::Serialize;
use std::fmt;

/// The JSON form of [`Imitation`]. Weights and likelihoods are in nats, shares from 0 to 1, errors
/// half a 95 % interval.
#[derive(Clone, Debug, Serialize)]
pub struct ImitationRecord {
    pub player: String,
    pub games: usize,
    /// Games without a rating of the player.
    pub unrated: usize,
    pub fitted_games: usize,
    pub fitted_moves: usize,
    pub judged_games: usize,
    pub judged_moves: usize,
    pub pull: f64,
    pub weights: Vec<TasteRecord>,
    /// Nats per move gained on the last games.
    pub gain: Option<Estimate>,
    pub human_nats: f64,
    pub player_nats: f64,
    pub human_top: f64,
    pub player_top: f64,
}

/// What is added to the weight of one cue.
#[derive(Clone, Debug, Serialize)]
pub struct TasteRecord {
    pub cue: &'static str,
    /// The cue in plain words.
    pub meaning: &'static str,
    pub added: f64,
    pub error: f64,
}

impl ImitationRecord {
    /// Creates the record of a fit to `games` games of `player`, of which `unrated` had no rating.
    #[must_use]
    pub fn new(player: &str, games: usize, unrated: usize, imitation: &Imitation) -> Self {
        let Judgement { size, gain, likelihoods, hits } = &imitation.judged;
        let weight = |&(cue, added, error): &(Cue, f64, f64)| TasteRecord {
            cue: cue.name(),
            meaning: cue.phrase(),
            added,
            error,
        };
        Self {
            player: player.to_owned(),
            games,
            unrated,
            fitted_games: imitation.fitted[0],
            fitted_moves: imitation.fitted[1],
            judged_games: size[0],
            judged_moves: size[1],
            pull: imitation.pull,
            weights: imitation.additions.iter().map(weight).collect(),
            gain: gain.estimate(DEVIATIONS_95),
            human_nats: likelihoods[0],
            player_nats: likelihoods[1],
            human_top: hits[0],
            player_top: hits[1],
        }
    }

    /// Returns the text of a profile file that plays like `start` with the taste of the player.
    ///
    /// # Errors
    /// If `start` was read from a file that cannot be read again.
    pub fn profile(&self, start: &Profile, imitation: &Imitation) -> Result<String, ProfileError> {
        let summary =
            format!("Plays in human style like this player, fitted to {} games.", self.games);
        refit::with_taste(start, &imitation.taste, (&self.player, &summary), &self.verdict())
    }

    /// Says in one line whether the fit predicts the last games better than the rating does.
    fn verdict(&self) -> String {
        let Some(Estimate { mean, error }) = self.gain else { return "no moves to judge".into() };
        let (games, moves) = (self.judged_games, self.judged_moves);
        let error = error.map_or("too few games for an interval".into(), |e| format!("± {e:.4}"));
        format!(
            "{mean:+.4} {error} nats per move over human, on {moves} moves of the last {games} games"
        )
    }
}

impl fmt::Display for ImitationRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} games, {} moves to fit", self.player, self.games, self.fitted_moves)?;
        if self.unrated > 0 {
            writeln!(f, "{} games without a rating of the player were skipped", self.unrated)?;
        }
        if self.games < ENOUGH_GAMES {
            writeln!(f, "warning: fewer than {ENOUGH_GAMES} games, so little can be found")?;
        }
        writeln!(f)?;
        if self.weights.is_empty() {
            writeln!(f, "No weight differs beyond noise from the weights of this rating.")?;
        } else {
            writeln!(f, "{:<16}{:>8}{:>9}  meaning", "cue", "nats", "± 95 %")?;
        }
        for TasteRecord { cue, meaning, added, error } in &self.weights {
            writeln!(f, "{cue:<16}{added:>+8.3}{error:>9.3}  {meaning}")?;
        }
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        writeln!(f)?;
        writeln!(f, "{:<16}{:>9}{:>9}", "last games", "nats", "top move")?;
        for (name, nats, top) in [
            ("human", self.human_nats, self.human_top),
            ("this player", self.player_nats, self.player_top),
        ] {
            writeln!(f, "{name:<16}{nats:>9.4}{:>9}", percent(top))?;
        }
        write!(f, "{}", self.verdict())
    }
}
