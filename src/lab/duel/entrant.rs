//! Who plays: a profile, and the options it plays with.

use super::DuelError;
use crate::{
    mind::{Mind, channels::Channels},
    player::{Engine, HashError},
    profile::Profile,
    search::{params::Params, root::handicap::Handicap},
};

#[cfg(feature = "tuning")]
use crate::search::tunables::Tunable;

/// A player of a duel.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    profile: Box<Profile>,
    emotion: bool,
    emotion_strength: u16,
    elo: Option<u16>,
    /// The numbers of the search; those of any build but for tuning are the usual ones.
    params: Params,
    /// The options as they were given.
    options: Vec<String>,
}

/// The options that a player can be given, for messages.
const OPTIONS: &str = if cfg!(feature = "tuning") {
    "Emotion=true|false, Temperament=0..200, UCI_Elo=1000..3450, and the numbers that `spsa` prints"
} else {
    "Emotion=true|false, Temperament=0..200, UCI_Elo=1000..3450"
};

impl Entrant {
    /// A player of this profile, with options `Name=Value` as UCI has them.
    ///
    /// # Errors
    /// If there is no such option, or not with such a value.
    pub fn new(profile: Profile, options: &[String]) -> Result<Self, DuelError> {
        let options = options.to_vec();
        let mut entrant = Self {
            profile: Box::new(profile),
            emotion: true,
            emotion_strength: 100,
            elo: None,
            params: Params::default(),
            options: Vec::new(),
        };
        let name = |option: &str| option.split('=').next().unwrap_or_default().to_ascii_lowercase();
        for (number, option) in options.iter().enumerate() {
            entrant.set(option).ok_or_else(|| DuelError::Option(option.clone(), OPTIONS))?;
            if options.iter().take(number).any(|before| name(before) == name(option)) {
                return Err(DuelError::Twice(option.clone()));
            }
        }
        Ok(Self { options, ..entrant })
    }

    fn set(&mut self, option: &str) -> Option<()> {
        let (name, value) = option.split_once('=')?;
        let number = || value.parse::<u16>().ok();
        match name.to_ascii_lowercase().as_str() {
            "emotion" => self.emotion = value.parse().ok()?,
            "temperament" => {
                self.emotion_strength = number().filter(|percent| *percent <= 200)?
            }
            "uci_elo" => {
                let levels = Handicap::LEAST_ELO..=Handicap::FULL_ELO;
                self.elo = Some(number().filter(|elo| levels.contains(elo))?);
            }
            #[cfg(feature = "tuning")]
            name => Tunable::named(name)?.set(&mut self.params, value)?,
            #[cfg(not(feature = "tuning"))]
            _ => return None,
        }
        Some(())
    }

    /// The name in tables and games.
    pub fn name(&self) -> String {
        let options = self.options.iter().map(String::as_str);
        std::iter::once(self.profile.name.as_str()).chain(options).collect::<Vec<_>>().join(" ")
    }

    /// Whether both play alike at fixed nodes, whatever they are called.
    pub fn plays_like(&self, other: &Self) -> bool {
        let base = |entrant: &Self| (entrant.handicap(), entrant.profile.evaluator);
        let mood = |entrant: &Self| {
            let mut mind = entrant.profile.mind.clone();
            // there is no clock to take more of, or less
            mind.channels.time = 0.0;
            entrant.is_moved().then_some((entrant.emotion_strength, mind))
        };
        base(self) == base(other)
            && self.params == other.params
            && self.profile.weights == other.profile.weights
            && mood(self) == mood(other)
    }

    /// Whether what it feels reaches its play at fixed nodes: by the weights, by a channel, or by what
    /// a limited player sees.
    fn is_moved(&self) -> bool {
        let Mind { relevance, channels, .. } = &self.profile.mind;
        let is_open = (relevance.floor, relevance.ceiling) != (Some(1.0), Some(1.0))
            || Channels { time: 0.0, ..*channels } != Channels::default();
        self.emotion && self.emotion_strength > 0 && (is_open || self.handicap().is_some())
    }

    fn handicap(&self) -> Option<Handicap> {
        self.elo.and_then(Handicap::of_elo)
    }

    /// Tells players of one name apart.
    pub(super) fn digest(&self) -> String {
        self.profile.digest()
    }

    /// An engine that plays as this entrant does.
    ///
    /// # Errors
    /// If a table of `hash` MiB cannot be had.
    pub fn engine(&self, hash: usize) -> Result<Engine, HashError> {
        let mut engine = Engine::new(Profile::clone(&self.profile))?;
        engine.set_hash(hash)?;
        engine.emotion = self.emotion;
        engine.emotion_strength = self.emotion_strength;
        engine.limit_strength = self.elo.is_some();
        engine.elo = self.elo.unwrap_or(engine.elo);
        engine.params.clone_from(&self.params);
        Ok(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(options: &[&str]) -> Result<Entrant, DuelError> {
        let options: Vec<_> = options.iter().map(ToString::to_string).collect();
        Entrant::new(Profile::builtin("default").unwrap(), &options)
    }

    #[test]
    fn options_are_those_of_uci_and_show_in_the_name() {
        let player = entrant(&["Emotion=false", "temperament=50", "UCI_Elo=1500"]).unwrap();
        assert_eq!(player.name(), "Standard Emotion=false temperament=50 UCI_Elo=1500");
        let engine = player.engine(1).unwrap();
        assert_eq!((engine.emotion, engine.emotion_strength), (false, 50));
        assert_eq!((engine.limit_strength, engine.elo), (true, 1500));
        assert!(!player.plays_like(&entrant(&[]).unwrap()));
        assert!(entrant(&["Temperament=100"]).unwrap().plays_like(&entrant(&[]).unwrap()));
    }

    #[test]
    fn whom_no_feeling_moves_plays_as_without() {
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
        // a limited player sees what its goal is about
        assert!(!calm(&["UCI_Elo=1500", "Emotion=false"]).plays_like(&calm(&["UCI_Elo=1500"])));
    }

    #[test]
    fn without_a_clock_nobody_takes_more_time() {
        let player = |base: &str, time: u8| {
            let text = format!("[about]\nextends = \"{base}\"\n[feeling]\ntime = {time}\n");
            Entrant::new(Profile::from_text(&text, "slow.toml").unwrap(), &[]).unwrap()
        };
        for base in ["neutral", "gambler"] {
            assert!(player(base, 0).plays_like(&player(base, 30)), "{base}");
        }
    }

    #[test]
    fn a_wrong_option_is_told_with_those_there_are() {
        for wrong in ["Emotion=maybe", "Temperament=201", "UCI_Elo=900", "Hash", "Mood=1"] {
            let error = entrant(&[wrong]).unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("0..200"), "{error}");
        }
        let error = entrant(&["Emotion=true", "emotion=false"]).unwrap_err().to_string();
        assert_eq!(error, "option `emotion=false`: it was given before");
    }
}
