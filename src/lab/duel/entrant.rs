//! A player of a duel: a profile with its options.

use super::DuelError;
use crate::{
    chess::known::KnownGames,
    chess_mind::Mind,
    mind::channels::Channels,
    player::{Engine, Options, OptionsError},
    profile::Profile,
};
use std::{path::Path, sync::Arc};

#[cfg(feature = "tuning")]
use crate::search::tunables::Tunable;

/// A player of a duel: a profile with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    profile: Box<Profile>,
    /// The options, without the size of the hash table.
    options: Options,
    /// The options as given by the user.
    words: Vec<String>,
    /// The games that the player remembers.
    known: Option<Arc<KnownGames>>,
}

/// The allowed options, for error messages.
const ALLOWED: &str = if cfg!(feature = "tuning") {
    "Emotion=true|false, Temperament=0..200, UCI_Elo=1000..3450, LimitStyle=narrow|human, HumanSeed=0.., KnownGames=FILE, KnownWeight=0..100, KnownLeaves=true|false, and search parameters (see `spsa`)"
} else {
    "Emotion=true|false, Temperament=0..200, UCI_Elo=1000..3450, LimitStyle=narrow|human, HumanSeed=0.., KnownGames=FILE, KnownWeight=0..100, KnownLeaves=true|false"
};

impl Entrant {
    /// Creates a player with UCI options of the form `Name=Value`.
    ///
    /// # Errors
    /// If an option is unknown, has an invalid value, or is given twice, or if the file of known
    /// positions is refused.
    pub fn new(profile: Profile, options: &[String]) -> Result<Self, DuelError> {
        let (profile, words) = (Box::new(profile), options.to_vec());
        let mut entrant = Self { profile, options: Options::default(), words, known: None };
        let name = |option: &str| option.split('=').next().unwrap_or_default().to_ascii_lowercase();
        for (number, option) in options.iter().enumerate() {
            let path = option.split_once('=').filter(|_| name(option) == "knowngames");
            if let Some((_, path)) = path {
                entrant.known = Some(KnownGames::read(Path::new(path))?.into());
            } else {
                entrant.set(option).ok_or_else(|| DuelError::Option(option.clone(), ALLOWED))?;
            }
            if options.iter().take(number).any(|before| name(before) == name(option)) {
                return Err(DuelError::Twice(option.clone()));
            }
        }
        Ok(entrant)
    }

    /// Sets one option. Returns `None` if its name or value is invalid.
    fn set(&mut self, option: &str) -> Option<()> {
        let (name, value) = option.split_once('=')?;
        let options = &mut self.options;
        match name.to_ascii_lowercase().as_str() {
            "emotion" => options.emotion = value.parse().ok()?,
            "temperament" => options.emotion_strength = value.parse().ok()?,
            "uci_elo" => (options.limit_strength, options.elo) = (true, value.parse().ok()?),
            "limitstyle" => options.limit_style = value.parse().ok()?,
            "knownweight" => options.known_weight = value.parse().ok()?,
            "knownleaves" => options.known_leaves = value.parse().ok()?,
            "humanseed" => options.human_seed = value.parse().ok()?,
            #[cfg(feature = "tuning")]
            name => Tunable::named(name)?.set(&mut options.params, value)?,
            #[cfg(not(feature = "tuning"))]
            _ => return None,
        }
        options.check().ok()
    }

    /// Returns the name used in tables and games.
    pub fn name(&self) -> String {
        let options = self.words.iter().map(String::as_str);
        std::iter::once(self.profile.name.as_str()).chain(options).collect::<Vec<_>>().join(" ")
    }

    /// Returns whether both players choose the same moves at fixed nodes. Names do not matter.
    pub fn plays_like(&self, other: &Self) -> bool {
        let base = |entrant: &Self| {
            (entrant.options.handicap(), entrant.options.person(), entrant.profile.evaluator)
        };
        let emotion = |entrant: &Self| {
            let mut mind = entrant.profile.mind.clone();
            // at fixed nodes there is no clock, so time use does not matter
            mind.channels.time = 0.0;
            entrant.is_moved().then_some((entrant.options.emotion_strength, mind))
        };
        let known = |entrant: &Self| {
            let known = entrant.known.as_ref().filter(|_| entrant.options.known_weight > 0)?;
            let Options { known_weight, known_leaves, .. } = entrant.options;
            Some((known.digest(), known_weight, known_leaves, entrant.profile.known))
        };
        base(self) == base(other)
            && self.options.params == other.options.params
            && self.profile.weights == other.profile.weights
            && emotion(self) == emotion(other)
            && known(self) == known(other)
    }

    /// Returns whether emotions can change the moves at fixed nodes.
    ///
    /// They can act through the weights, through a channel, or through the moves that a player of
    /// limited strength sees.
    fn is_moved(&self) -> bool {
        let Mind { relevance, channels, .. } = &self.profile.mind;
        let is_open = (relevance.floor, relevance.ceiling) != (Some(1.0), Some(1.0))
            || Channels { time: 0.0, ..*channels } != Channels::default();
        let Options { emotion, emotion_strength, .. } = self.options;
        emotion && emotion_strength > 0 && (is_open || self.options.handicap().is_some())
    }

    /// Returns a checksum that distinguishes players of the same name.
    pub(super) fn digest(&self) -> String {
        let known = self.known.as_ref().map_or_else(String::new, |known| known.digest());
        self.profile.digest() + &known
    }

    /// Creates an engine with the profile and options of this player.
    ///
    /// # Errors
    /// If a hash table of `hash` MiB cannot be allocated.
    pub fn engine(&self, hash: usize) -> Result<Engine, OptionsError> {
        let options = Options { hash, ..self.options.clone() };
        let mut engine = Engine::new(Profile::clone(&self.profile), options)?;
        engine.set_known_games(self.known.clone());
        Ok(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(options: &[&str]) -> Result<Entrant, DuelError> {
        let options: Vec<_> = options.iter().map(ToString::to_string).collect();
        Entrant::new(Profile::builtin("standard").unwrap(), &options)
    }

    #[test]
    fn uci_options_are_applied_and_shown_in_the_name() {
        let player = entrant(&["Emotion=false", "temperament=50", "UCI_Elo=1500"]).unwrap();
        assert_eq!(player.name(), "Standard Emotion=false temperament=50 UCI_Elo=1500");
        let engine = player.engine(1).unwrap();
        let Options { emotion, emotion_strength, limit_strength, elo, .. } = *engine.options();
        assert_eq!((emotion, emotion_strength), (false, 50));
        assert_eq!((limit_strength, elo), (true, 1500));
        assert!(!player.plays_like(&entrant(&[]).unwrap()));
        assert!(entrant(&["Temperament=100"]).unwrap().plays_like(&entrant(&[]).unwrap()));
    }

    #[test]
    fn a_player_without_emotional_effects_plays_like_neutral() {
        let neutral = Profile::builtin("neutral").unwrap();
        let calm = |options: &[&str]| {
            let options: Vec<_> = options.iter().map(ToString::to_string).collect();
            Entrant::new(neutral.clone(), &options).unwrap()
        };
        for still in
            [&["Emotion=false"][..], &["Temperament=0"], &["Emotion=false", "Temperament=9"]]
        {
            assert!(entrant(still).unwrap().plays_like(&calm(&[])), "{still:?}");
        }
        assert!(!entrant(&[]).unwrap().plays_like(&calm(&[])));
        assert!(calm(&["Temperament=200"]).plays_like(&calm(&[])));
        // at limited strength, the goal determines which moves a player sees
        assert!(!calm(&["UCI_Elo=1500", "Emotion=false"]).plays_like(&calm(&["UCI_Elo=1500"])));
    }

    #[test]
    fn time_use_does_not_matter_at_fixed_nodes() {
        let player = |base: &str, time: u8| {
            let text = format!("[about]\nextends = \"{base}\"\n[feeling]\ntime = {time}\n");
            Entrant::new(Profile::from_text(&text, "slow.toml").unwrap(), &[]).unwrap()
        };
        for base in ["neutral", "gambler"] {
            assert!(player(base, 0).plays_like(&player(base, 30)), "{base}");
        }
    }

    #[test]
    fn an_invalid_option_is_reported_with_the_allowed_ones() {
        for wrong in ["Emotion=maybe", "Temperament=201", "UCI_Elo=900", "Hash", "Mood=1"] {
            let error = entrant(&[wrong]).unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("0..200"), "{error}");
        }
        let error = entrant(&["Emotion=true", "emotion=false"]).unwrap_err().to_string();
        assert_eq!(error, "option `emotion=false` is given twice");
    }
}
