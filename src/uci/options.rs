//! The option table: name, kind, default, range, and what each option sets.

use super::{Refusal, info::Style, log::Log};
use crate::{
    chess::syzygy::{NoTables, Syzygy},
    player::{Engine, HashError},
    profile::{Profile, ProfileError, error::unknown},
    search::root::handicap::Handicap,
    uci::feelings::FeelingsFile,
};
use shakmaty::CastlingMode;
use std::{fmt, path::Path, time::Duration};

/// An option: its name, and what kind of value sets what.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
}

/// The kinds of option that the protocol knows. A profile or table that cannot be had leaves the
/// engine as it was.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Check {
        default: bool,
        set: fn(&mut Engine, &mut Settings, bool),
    },
    Spin {
        default: usize,
        min: usize,
        max: usize,
        set: SetNumber,
    },
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
        set: SetChoice,
    },
    /// Any text.
    Text {
        default: &'static str,
        set: SetText,
    },
    Button {
        press: fn(&mut Engine),
    },
}

type SetNumber = fn(&mut Engine, usize) -> Result<(), OptionError>;
type SetChoice = fn(&mut Engine, &mut Settings, &'static str) -> Result<(), OptionError>;
type SetText = fn(&mut Engine, &mut Settings, &str) -> Result<Option<String>, OptionError>;

/// The profile with which the engine starts.
pub const DEFAULT_PROFILE: &str = Profile::BUILTIN[0];

/// From the weakest the engine can be to its full strength.
const ELO: (usize, usize) = (Handicap::LEAST_ELO as usize, Handicap::FULL_ELO as usize);

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// Every option, in the order in which they are announced.
pub const ROWS: [Row; 22] = [
    spin("Hash", Engine::DEFAULT_HASH, (1, 65_536), |engine, mib| Ok(engine.set_hash(mib)?)),
    spin("Threads", 1, (1, 256), |engine, threads| {
        engine.threads = threads;
        Ok(())
    }),
    Row { name: "Clear Hash", kind: Kind::Button { press: Engine::clear_hash } },
    // Tells the GUI that it may ponder; a search learns from its own `go` whether it does.
    check("Ponder", false, |_, _, _| {}),
    // No position that a game can bring has more moves.
    spin("MultiPV", 1, (1, 218), |engine, lines| {
        engine.multi_pv = lines;
        Ok(())
    }),
    spin("Move Overhead", 10, (0, 5_000), |engine, ms| {
        engine.overhead = Duration::from_millis(ms as u64);
        Ok(())
    }),
    check("UCI_LimitStrength", false, |engine, _, on| engine.limit_strength = on),
    spin("UCI_Elo", 1500, ELO, |engine, elo| {
        engine.elo = elo as u16;
        Ok(())
    }),
    check("UCI_Chess960", false, |_, settings, on| settings.chess960 = on),
    check("UCI_ShowWDL", false, |_, settings, on| settings.wdl = on),
    check("UCI_AnalyseMode", false, |engine, _, on| engine.analysis = on),
    Row { name: "SyzygyPath", kind: Kind::Text { default: EMPTY, set: read_tables } },
    spin("SyzygyProbeDepth", 1, (1, 100), |engine, plies| {
        engine.probing.depth = plies as u8;
        Ok(())
    }),
    check("Syzygy50MoveRule", true, |engine, _, on| engine.probing.fifty_move_rule = on),
    spin("SyzygyProbeLimit", 7, (0, 7), |engine, men| {
        engine.probing.men = men;
        Ok(())
    }),
    Row {
        name: "Profile",
        kind: Kind::Combo {
            default: DEFAULT_PROFILE,
            choices: &Profile::BUILTIN,
            set: choose_profile,
        },
    },
    Row { name: "ProfileFile", kind: Kind::Text { default: EMPTY, set: read_profile } },
    check("Emotion", true, |engine, _, on| engine.emotion = on),
    spin("Temperament", 100, (0, 200), |engine, percent| {
        engine.emotion_strength = percent as u16;
        Ok(())
    }),
    Row { name: "FeelingsFile", kind: Kind::Text { default: EMPTY, set: open_feelings } },
    Row { name: "Debug Log File", kind: Kind::Text { default: EMPTY, set: open_log } },
    // For GUIs to show; it cannot be changed.
    Row { name: "UCI_EngineAbout", kind: Kind::Text { default: ABOUT, set: |_, _, _| Ok(None) } },
];

const ABOUT: &str = concat!(
    "Deep Feeling ",
    env!("CARGO_PKG_VERSION"),
    " by the Deep Feeling authors, GPL-3.0-or-later: it feels between fear and relief, and what it \
     feels weighs in its evaluation"
);

const fn spin(
    name: &'static str,
    default: usize,
    (min, max): (usize, usize),
    set: SetNumber,
) -> Row {
    Row { name, kind: Kind::Spin { default, min, max, set } }
}

const fn check(
    name: &'static str,
    default: bool,
    set: fn(&mut Engine, &mut Settings, bool),
) -> Row {
    Row { name, kind: Kind::Check { default, set } }
}

/// Remembers the built-in profile, and plays with it unless a file is in force.
fn choose_profile(
    engine: &mut Engine,
    settings: &mut Settings,
    name: &'static str,
) -> Result<(), OptionError> {
    if !settings.plays_file {
        engine.set_profile(Profile::builtin(name)?);
    }
    settings.profile = name;
    Ok(())
}

/// Plays with the profile in a file; without a path, with the built-in one again.
fn read_profile(
    engine: &mut Engine,
    settings: &mut Settings,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let path = given(path);
    let profile = match path {
        Some(path) => Profile::from_file(Path::new(path))?,
        None => Profile::builtin(settings.profile)?,
    };
    engine.set_profile(profile);
    settings.plays_file = path.is_some();
    Ok(None)
}

/// Uses the endgame tables in some folders, or none; tells what was found.
fn read_tables(
    engine: &mut Engine,
    _: &mut Settings,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let path = given(path);
    let tables = Syzygy::open(path.unwrap_or_default())?;
    let faults = tables.take_faults().map(|faults| format!("; {faults}")).unwrap_or_default();
    let found = format!("SyzygyPath: {tables}{faults}");
    engine.set_tablebase(tables);
    Ok(path.map(|_| found))
}

/// Writes down what is felt from now on; without a path, no more.
fn open_feelings(
    _: &mut Engine,
    settings: &mut Settings,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let opened = settings.feelings.open(given(path).map(Path::new));
    opened.map(|()| None).map_err(|e| OptionError::Feelings(path.into(), e.to_string()))
}

/// Writes the conversation down from now on; without a path, no more.
fn open_log(
    _: &mut Engine,
    settings: &mut Settings,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let opened = settings.log.open(given(path));
    opened.map(|()| None).map_err(|e| OptionError::Log(path.into(), e.to_string()))
}

/// A text that is not empty.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty() && *text != EMPTY)
}

impl fmt::Display for Row {
    /// As `uci` announces it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Combo { default, choices, .. } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button { .. } => write!(f, "button"),
        }
    }
}

/// What options set outside the engine.
#[derive(Clone, Debug)]
pub struct Settings {
    chess960: bool,
    /// Whether to tell the chances of a score.
    wdl: bool,
    /// The built-in profile that was chosen.
    profile: &'static str,
    /// Whether a profile from a file plays in its place.
    plays_file: bool,
    feelings: FeelingsFile,
    log: Log,
}

/// Why an option kept its value.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OptionError {
    #[error("{0}")]
    Unknown(String),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error("FeelingsFile `{0}` cannot be written: {1}")]
    Feelings(String, String),
    #[error("Debug Log File `{0}` cannot be written: {1}")]
    Log(String, String),
    #[error("SyzygyPath: {0}")]
    Tables(#[from] NoTables),
}

impl Settings {
    /// The settings at the start. Gives `engine` the table's defaults too, so that what is
    /// announced is what holds.
    ///
    /// # Errors
    /// If the hash table cannot be had.
    pub fn new(engine: &mut Engine) -> Result<Self, OptionError> {
        let mut settings = Self {
            chess960: false,
            wdl: false,
            profile: DEFAULT_PROFILE,
            plays_file: false,
            feelings: FeelingsFile::default(),
            log: Log::default(),
        };
        for row in &ROWS {
            match row.kind {
                Kind::Check { default, set } => set(engine, &mut settings, default),
                Kind::Spin { default, set, .. } => set(engine, default)?,
                Kind::Combo { .. } | Kind::Text { .. } | Kind::Button { .. } => {}
            }
        }
        Ok(settings)
    }

    /// How castling is written, and which castling rights a position may have.
    #[must_use]
    pub fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    /// The log that the option opens and closes.
    pub(super) fn log(&self) -> Log {
        self.log.clone()
    }

    /// The file of feelings that the option opens and closes.
    pub(super) fn feelings(&self) -> FeelingsFile {
        self.feelings.clone()
    }

    /// How the lines of a search are written.
    #[must_use]
    pub fn style(&self) -> Style {
        Style { mode: self.mode(), wdl: self.wdl }
    }

    /// Sets the option called `name`, whatever its capitals; `value` is empty if none was given.
    /// What there is to say of it, if anything.
    ///
    /// # Errors
    /// If there is no such option, or it cannot have this value; it keeps the one it has.
    pub fn set(
        &mut self,
        engine: &mut Engine,
        name: &str,
        value: &str,
    ) -> Result<Option<String>, OptionError> {
        #[cfg(feature = "tuning")]
        if let Some(set) = super::tuning::set(engine, name, value) {
            set?;
            return Ok(None);
        }
        let Some(row) = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name)) else {
            let names = ROWS.each_ref().map(|row| row.name);
            return Err(OptionError::Unknown(unknown("option", name, &names)));
        };
        let refusal = |allowed| Refusal::new(row.name, value, allowed);
        match row.kind {
            Kind::Check { set, .. } => {
                let on = value.to_ascii_lowercase().parse();
                set(engine, self, on.map_err(|_| refusal("true, false".into()))?);
            }
            Kind::Spin { min, max, set, .. } => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                let allowed = || format!("a whole number from {min} to {max}");
                set(engine, number.ok_or_else(|| refusal(allowed()))?)?;
            }
            Kind::Combo { default, choices, set } => {
                // the former name of the profile `standard`, which GUIs may have stored
                let is_default = value.eq_ignore_ascii_case(Profile::SYNONYM);
                let named = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
                let choice = named.or(is_default.then_some(&default));
                set(engine, self, choice.ok_or_else(|| refusal(choices.join(", ")))?)?;
            }
            Kind::Text { set, .. } => return set(engine, self, value),
            Kind::Button { press } => press(engine),
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> (Engine, Settings) {
        let mut engine = Engine::new(Profile::builtin(DEFAULT_PROFILE).unwrap()).unwrap();
        let settings = Settings::new(&mut engine).unwrap();
        (engine, settings)
    }

    #[test]
    fn announced_defaults_hold() {
        let (engine, settings) = start();
        assert_eq!(engine.hash(), 16);
        assert_eq!((engine.threads, engine.multi_pv, engine.emotion_strength), (1, 1, 100));
        assert_eq!(engine.overhead, Duration::from_millis(20));
        assert_eq!(engine.probing, crate::search::Probing::default());
        assert!(engine.emotion && settings.mode().is_standard());
        assert_eq!(engine.profile().name, Profile::builtin(DEFAULT_PROFILE).unwrap().name);
    }

    #[test]
    fn every_number_is_held_to_its_range() {
        let (mut engine, mut settings) = start();
        for row in &ROWS {
            let Kind::Spin { min, max, .. } = row.kind else { continue };
            let wrong = ["", "x", "-1", "1.5", "0x10", "99999999999999999999"].map(String::from);
            let beyond = [(max + 1).to_string()]
                .into_iter()
                .chain(min.checked_sub(1).map(|n| n.to_string()));
            for value in wrong.into_iter().chain(beyond) {
                let error = settings.set(&mut engine, row.name, &value).unwrap_err().to_string();
                let allowed = format!("(allowed: a whole number from {min} to {max})");
                assert!(error.contains(row.name) && error.ends_with(&allowed), "{error}");
            }
        }
        assert_eq!((engine.threads, engine.emotion_strength, engine.hash()), (1, 100, 16));
    }

    #[test]
    fn names_and_values_need_no_capitals() {
        let (mut engine, mut settings) = start();
        settings.set(&mut engine, "uci_CHESS960", "TRUE").unwrap();
        settings.set(&mut engine, "move overhead", "0").unwrap();
        assert!(settings.mode().is_chess960() && engine.overhead.is_zero());
        assert!(settings.set(&mut engine, "Emotion", "yes").is_err());
        assert!(settings.set(&mut engine, "Profile", "nobody").is_err());
    }

    #[test]
    fn no_choice_is_a_word_of_the_protocol() {
        let words = ["name", "type", "default", "min", "max", "var", "value"];
        for row in &ROWS {
            let Kind::Combo { default, choices, .. } = row.kind else { continue };
            assert!(choices.contains(&default), "{}", row.name);
            for choice in choices {
                let is_word = words.iter().any(|word| word.eq_ignore_ascii_case(choice));
                assert!(!is_word && !choice.contains(' '), "{} {choice}", row.name);
            }
        }
    }

    #[test]
    fn the_default_profile_also_answers_to_its_former_name() {
        let (mut engine, mut settings) = start();
        let name = engine.profile().name.clone();
        for back in [DEFAULT_PROFILE, "default", "Default"] {
            settings.set(&mut engine, "Profile", "neutral").unwrap();
            assert_ne!(engine.profile().name, name);
            settings.set(&mut engine, "Profile", back).unwrap();
            assert_eq!(engine.profile().name, name, "{back}");
        }
    }

    #[test]
    fn an_unknown_option_names_the_nearest() {
        let (mut engine, mut settings) = start();
        let error = settings.set(&mut engine, "multi pv", "2").unwrap_err().to_string();
        assert!(error.starts_with("unknown option `multi pv` (options: Hash, "), "{error}");
        assert!(error.ends_with("; did you mean `MultiPV`?"), "{error}");
    }

    #[test]
    fn a_file_wins_until_it_is_taken_back() {
        let (mut engine, mut settings) = start();
        let last = *Profile::BUILTIN.last().unwrap();
        let chosen = Profile::builtin(last).unwrap().name;
        assert!(settings.set(&mut engine, "ProfileFile", "/no/such file.toml").is_err());
        settings.set(&mut engine, "Profile", last).unwrap();
        assert_eq!(engine.profile().name, chosen, "a file that cannot be read is not in force");
        for empty in ["", EMPTY] {
            settings.set(&mut engine, "ProfileFile", empty).unwrap();
            assert_eq!(engine.profile().name, chosen);
        }
    }
}
