//! The UCI options: the name, type, default and range of each, and the function that sets it.

use super::{info::InfoFormat, log::Log, refusal::InvalidArgument};
use crate::{
    chess::{
        known::{KnownGames, NoKnownGames},
        syzygy::{NoTables, Syzygy},
    },
    player::{Engine, Options, OptionsError},
    profile::{Profile, ProfileError, error::unknown},
    support::random::unforeseen,
    uci::feelings::FeelingsFile,
};
use shakmaty::CastlingMode;
use std::{fmt, ops::RangeInclusive, path::Path, sync::Arc, time::Duration};

/// A UCI option.
#[derive(Clone, Copy, Debug)]
pub struct UciOption {
    pub name: &'static str,
    pub kind: OptionKind,
}

/// The option types of the protocol. If a profile or hash table cannot be loaded or allocated, the
/// engine keeps the previous one.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    Check {
        default: bool,
        set: SetCheck,
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
    /// A string option.
    Text {
        default: &'static str,
        set: SetText,
    },
    Button {
        press: fn(&mut Engine),
    },
}

type SetCheck = fn(&mut Options, &mut SessionOptions, bool);
type SetNumber = fn(&mut Engine, usize) -> Result<(), OptionsError>;
type SetChoice = fn(&mut Engine, &mut SessionOptions, &'static str) -> Result<(), OptionError>;
type SetText = fn(&mut Engine, &mut SessionOptions, &str) -> Result<Option<String>, OptionError>;

/// The default profile.
pub const DEFAULT_PROFILE: &str = Profile::BUILTIN[0];

/// An empty string in the protocol.
const EMPTY: &str = "<empty>";

/// All options, in the order of the `uci` output.
pub const ROWS: [UciOption; 29] = [
    spin("Hash", Options::DEFAULT_HASH, Options::HASH, |engine, mib| Ok(engine.set_hash(mib)?)),
    spin("Threads", 1, Options::THREADS, |engine, threads| {
        engine.change(|options| options.threads = threads)
    }),
    UciOption { name: "Clear Hash", kind: OptionKind::Button { press: Engine::clear_hash } },
    // Tells the GUI that the engine can ponder. The search itself uses `go ponder`.
    check("Ponder", false, |_, _, _| {}),
    spin("MultiPV", 1, Options::MULTI_PV, |engine, lines| {
        engine.change(|options| options.multi_pv = lines)
    }),
    spin("Move Overhead", 10, Options::OVERHEAD, |engine, ms| {
        engine.change(|options| options.overhead = Duration::from_millis(ms as u64))
    }),
    check("UCI_LimitStrength", false, |options, _, on| options.limit_strength = on),
    spin("UCI_Elo", 1500, Options::ELO, |engine, elo| {
        engine.change(|options| options.elo = elo as u16)
    }),
    UciOption {
        name: "LimitStyle",
        kind: OptionKind::Combo {
            default: "narrow",
            choices: &["narrow", "human"],
            set: choose_style,
        },
    },
    spin("HumanSeed", 0, 0..=1_000_000_000, |engine, seed| {
        engine.change(|options| options.human_seed = human_seed(seed as u64))
    }),
    check("HumanBook", true, |options, _, on| options.human_book = on),
    check("HumanClock", false, |options, _, on| options.human_clock = on),
    check("UCI_Chess960", false, |_, settings, on| settings.chess960 = on),
    check("UCI_ShowWDL", false, |_, settings, on| settings.wdl = on),
    check("UCI_AnalyseMode", false, |options, _, on| options.analysis = on),
    UciOption { name: "SyzygyPath", kind: OptionKind::Text { default: EMPTY, set: read_tables } },
    spin("SyzygyProbeDepth", 1, Options::PROBE_DEPTH, |engine, plies| {
        engine.change(|options| options.probing.depth = plies as u8)
    }),
    check("Syzygy50MoveRule", true, |options, _, on| options.probing.fifty_move_rule = on),
    spin("SyzygyProbeLimit", 7, Options::PROBE_MEN, |engine, men| {
        engine.change(|options| options.probing.men = men)
    }),
    UciOption { name: "KnownGames", kind: OptionKind::Text { default: EMPTY, set: read_known } },
    spin("KnownWeight", 100, Options::KNOWN_WEIGHT, |engine, percent| {
        engine.change(|options| options.known_weight = percent as u8)
    }),
    check("KnownLeaves", false, |options, _, on| options.known_leaves = on),
    UciOption {
        name: "Profile",
        kind: OptionKind::Combo {
            default: DEFAULT_PROFILE,
            choices: &Profile::BUILTIN,
            set: choose_profile,
        },
    },
    UciOption { name: "ProfileFile", kind: OptionKind::Text { default: EMPTY, set: read_profile } },
    check("Emotion", true, |options, _, on| options.emotion = on),
    spin("Temperament", 100, Options::EMOTION_STRENGTH, |engine, percent| {
        engine.change(|options| options.emotion_strength = percent as u16)
    }),
    UciOption {
        name: "FeelingsFile",
        kind: OptionKind::Text { default: EMPTY, set: open_feelings },
    },
    UciOption { name: "Debug Log File", kind: OptionKind::Text { default: EMPTY, set: open_log } },
    // Shown by GUIs. Setting it has no effect.
    UciOption {
        name: "UCI_EngineAbout",
        kind: OptionKind::Text { default: ABOUT, set: |_, _, _| Ok(None) },
    },
];

const ABOUT: &str = concat!(
    "Deep Feeling ",
    env!("CARGO_PKG_VERSION"),
    " by the Deep Feeling authors, GPL-3.0-or-later: its feelings, from fear to relief, \
     change its evaluation"
);

/// Returns the seed of the human style for the value of `HumanSeed`. 0 stands for a new seed.
pub(super) fn human_seed(asked: u64) -> u64 {
    if asked == 0 { unforeseen().unwrap_or_default() } else { asked }
}

const fn spin(
    name: &'static str,
    default: usize,
    range: RangeInclusive<usize>,
    set: SetNumber,
) -> UciOption {
    let (min, max) = (*range.start(), *range.end());
    UciOption { name, kind: OptionKind::Spin { default, min, max, set } }
}

const fn check(name: &'static str, default: bool, set: SetCheck) -> UciOption {
    UciOption { name, kind: OptionKind::Check { default, set } }
}

/// Sets how a player of limited strength plays.
fn choose_style(
    engine: &mut Engine,
    _: &mut SessionOptions,
    name: &'static str,
) -> Result<(), OptionError> {
    let style = name.parse().unwrap_or_default();
    Ok(engine.change(|options| options.limit_style = style)?)
}

/// Selects a built-in profile. While `ProfileFile` is set, the file takes precedence.
fn choose_profile(
    engine: &mut Engine,
    settings: &mut SessionOptions,
    name: &'static str,
) -> Result<(), OptionError> {
    if !settings.plays_file {
        engine.set_profile(Profile::builtin(name)?);
    }
    settings.profile = name;
    Ok(())
}

/// Loads the profile from a file, or returns to the built-in profile if `path` is empty.
fn read_profile(
    engine: &mut Engine,
    settings: &mut SessionOptions,
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

/// Loads the endgame tables in the folders of `path`, or unloads all tables if `path` is empty.
/// Returns a message about the tables found.
fn read_tables(
    engine: &mut Engine,
    _: &mut SessionOptions,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let path = given(path);
    let tables = Syzygy::open(path.unwrap_or_default())?;
    let faults = tables.take_faults().map(|faults| format!("; {faults}")).unwrap_or_default();
    let found = format!("SyzygyPath: {tables}{faults}");
    engine.set_tablebase(tables);
    Ok(path.map(|_| found))
}

/// Reads the known positions in the file at `path`, or forgets them if `path` is empty. Returns a
/// message about what was found.
fn read_known(
    engine: &mut Engine,
    _: &mut SessionOptions,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let known = given(path).map(|path| KnownGames::read(Path::new(path))).transpose()?;
    let found = known.as_ref().map(|known| format!("KnownGames: {known}"));
    engine.set_known_games(known.map(Arc::new));
    Ok(found)
}

/// Starts recording feelings to the file at `path`, or stops if `path` is empty.
fn open_feelings(
    _: &mut Engine,
    settings: &mut SessionOptions,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let opened = settings.feelings.open(given(path).map(Path::new));
    opened.map(|()| None).map_err(|e| OptionError::Feelings(path.into(), e.to_string()))
}

/// Starts logging the session to the file at `path`, or stops if `path` is empty.
fn open_log(
    _: &mut Engine,
    settings: &mut SessionOptions,
    path: &str,
) -> Result<Option<String>, OptionError> {
    let opened = settings.log.open(given(path));
    opened.map(|()| None).map_err(|e| OptionError::Log(path.into(), e.to_string()))
}

/// Returns `text` unless it is empty or `<empty>`.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty() && *text != EMPTY)
}

impl fmt::Display for UciOption {
    /// Formats the `option` line of the `uci` output.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            OptionKind::Check { default, .. } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices, .. } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Text { default, .. } => write!(f, "string default {default}"),
            OptionKind::Button { .. } => write!(f, "button"),
        }
    }
}

/// The option values that are not part of the engine.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    chess960: bool,
    /// Whether to print win, draw and loss probabilities.
    wdl: bool,
    /// The selected built-in profile.
    profile: &'static str,
    /// Whether the engine uses the profile from `ProfileFile` instead.
    plays_file: bool,
    feelings: FeelingsFile,
    log: Log,
}

/// The reason why an option was not set.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OptionError {
    #[error("{0}")]
    Unknown(String),
    #[error(transparent)]
    Refused(#[from] InvalidArgument),
    #[error(transparent)]
    Engine(#[from] OptionsError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error("FeelingsFile `{0}` cannot be opened: {1}")]
    Feelings(String, String),
    #[error("Debug Log File `{0}` cannot be opened: {1}")]
    Log(String, String),
    #[error("KnownGames: {0}")]
    Known(#[from] NoKnownGames),
    #[error("SyzygyPath: {0}")]
    Tables(#[from] NoTables),
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            chess960: false,
            wdl: false,
            profile: DEFAULT_PROFILE,
            plays_file: false,
            feelings: FeelingsFile::default(),
            log: Log::default(),
        }
    }
}

impl SessionOptions {
    /// Returns the castling mode. It determines the notation and the castling rights allowed.
    #[must_use]
    pub fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    /// Returns the log controlled by `Debug Log File`.
    pub(super) fn log(&self) -> Log {
        self.log.clone()
    }

    /// Returns the file controlled by `FeelingsFile`.
    pub(super) fn feelings(&self) -> FeelingsFile {
        self.feelings.clone()
    }

    /// Returns the format of search output.
    #[must_use]
    pub fn style(&self) -> InfoFormat {
        InfoFormat { mode: self.mode(), wdl: self.wdl }
    }

    /// Sets the option called `name`, ignoring case. `value` is empty if none was given. Returns a
    /// message for the user, if there is one.
    ///
    /// # Errors
    /// If the option does not exist or the value is invalid. The option then keeps its value.
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
        let refusal = |allowed| InvalidArgument::new(row.name, value, allowed);
        match row.kind {
            OptionKind::Check { set, .. } => {
                let on = value.to_ascii_lowercase().parse();
                let on = on.map_err(|_| refusal("true, false".into()))?;
                engine.change(|options| set(options, self, on))?;
            }
            OptionKind::Spin { min, max, set, .. } => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                let allowed = || format!("a whole number from {min} to {max}");
                set(engine, number.ok_or_else(|| refusal(allowed()))?)?;
            }
            OptionKind::Combo { default, choices, set } => {
                // GUIs may have stored the former name of the profile `standard`
                let is_default = value.eq_ignore_ascii_case(Profile::SYNONYM);
                let named = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
                let choice = named.or(is_default.then_some(&default));
                set(engine, self, choice.ok_or_else(|| refusal(choices.join(", ")))?)?;
            }
            OptionKind::Text { set, .. } => return set(engine, self, value),
            OptionKind::Button { press } => press(engine),
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> (Engine, SessionOptions) {
        let profile = Profile::builtin(DEFAULT_PROFILE).unwrap();
        (Engine::new(profile, Options::default()).unwrap(), SessionOptions::default())
    }

    #[test]
    fn the_engine_starts_with_the_announced_defaults() {
        let (mut engine, mut settings) = start();
        assert!(settings.mode().is_standard() && !settings.style().wdl);
        for row in &ROWS {
            let (least, default) = match row.kind {
                OptionKind::Check { default, .. } => ((!default).to_string(), default.to_string()),
                OptionKind::Spin { default, min, .. } => (min.to_string(), default.to_string()),
                OptionKind::Combo { .. } | OptionKind::Text { .. } | OptionKind::Button { .. } => {
                    continue;
                }
            };
            settings.set(&mut engine, row.name, &least).unwrap();
            settings.set(&mut engine, row.name, &default).unwrap();
        }
        // `HumanSeed` 0 stands for a new seed after every start
        let human_seed = engine.options().human_seed;
        assert_ne!(human_seed, 0);
        assert_eq!(*engine.options(), Options { human_seed, ..Options::default() });
        assert!(settings.mode().is_standard() && !settings.style().wdl);
        assert_eq!(engine.profile().name, Profile::builtin(DEFAULT_PROFILE).unwrap().name);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let (mut engine, mut settings) = start();
        for row in &ROWS {
            let OptionKind::Spin { min, max, .. } = row.kind else { continue };
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
        assert_eq!(*engine.options(), Options::default());
    }

    #[test]
    fn names_and_values_ignore_case() {
        let (mut engine, mut settings) = start();
        settings.set(&mut engine, "uci_CHESS960", "TRUE").unwrap();
        settings.set(&mut engine, "move overhead", "0").unwrap();
        assert!(settings.mode().is_chess960() && engine.options().overhead.is_zero());
        assert!(settings.set(&mut engine, "Emotion", "yes").is_err());
        assert!(settings.set(&mut engine, "Profile", "nobody").is_err());
    }

    #[test]
    fn no_combo_value_is_a_keyword_of_the_protocol() {
        let words = ["name", "type", "default", "min", "max", "var", "value"];
        for row in &ROWS {
            let OptionKind::Combo { default, choices, .. } = row.kind else { continue };
            assert!(choices.contains(&default), "{}", row.name);
            for choice in choices {
                let is_word = words.iter().any(|word| word.eq_ignore_ascii_case(choice));
                assert!(!is_word && !choice.contains(' '), "{} {choice}", row.name);
            }
        }
    }

    #[test]
    fn the_former_name_of_the_default_profile_still_works() {
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
    fn an_unknown_option_suggests_the_closest_name() {
        let (mut engine, mut settings) = start();
        let error = settings.set(&mut engine, "multi pv", "2").unwrap_err().to_string();
        assert!(error.starts_with("unknown option `multi pv` (options: Hash, "), "{error}");
        assert!(error.ends_with("; did you mean `MultiPV`?"), "{error}");
    }

    #[test]
    fn a_profile_file_takes_precedence_until_it_is_cleared() {
        let (mut engine, mut settings) = start();
        let last = *Profile::BUILTIN.last().unwrap();
        let chosen = Profile::builtin(last).unwrap().name;
        assert!(settings.set(&mut engine, "ProfileFile", "/no/such file.toml").is_err());
        settings.set(&mut engine, "Profile", last).unwrap();
        assert_eq!(engine.profile().name, chosen, "an unreadable file has no effect");
        for empty in ["", EMPTY] {
            settings.set(&mut engine, "ProfileFile", empty).unwrap();
            assert_eq!(engine.profile().name, chosen);
        }
    }
}
