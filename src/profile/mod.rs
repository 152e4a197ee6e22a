//! Profiles: the weights and the temperament of a player, read from a TOML file and validated.
//!
//! A profile is always complete. Missing keys come from the profile that it extends: `standard`, or
//! another built-in profile that it names. Only a profile that extends `none` must set every key,
//! as `config/standard.toml` does. A file with an error is rejected as a whole.
//!
//! What describes a mind is read by the same code for all games. [`Profile`] is a profile for chess,
//! [`MindProfile`] one for another game.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod about;
pub mod error;
pub mod file;
mod goals;
mod human;
mod known;
mod map;
mod mind;
mod mind_profile;
mod reader;
pub mod refit;

use crate::{
    chess::score::Tapered,
    chess_mind::Mind,
    eval::{feature::Feature, weights::Weights},
    support::digest::digest,
};
pub use about::{MeasuredFigure, SignatureMeasure};
pub use error::ProfileError;
use error::{one_line, unknown};
pub use human::HumanTaste;
pub use known::KnownTaste;
pub use mind_profile::{BuiltinMind, MindProfile};
use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

/// The largest size of a profile file, in bytes.
const LARGEST: usize = 1 << 20;

/// The evaluation that a profile uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// The tuned, tapered terms.
    Terms,
    /// The article's four measures and nothing else (eq. 7).
    Measures,
}

/// A complete and validated profile: evaluation, weights and temperament.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The display name.
    pub name: String,
    /// One sentence about the temperament; may be empty.
    pub summary: String,
    /// Figures measured in its games, for display only.
    pub measured: Vec<MeasuredFigure>,
    /// The measures of style that distinguish its games from games of `neutral`, clearest first.
    pub signature: Vec<SignatureMeasure>,
    /// The name of a built-in profile, or the path of the file.
    pub source: String,
    /// The evaluation.
    pub evaluator: EvaluatorKind,
    /// The weights of the terms, before any emotion.
    pub weights: Weights,
    /// The emotional model.
    pub mind: Mind,
    /// How it departs from people of its rating in the human style.
    pub human: HumanTaste,
    /// How it judges positions known from games.
    pub known: KnownTaste,
}

impl Profile {
    /// The names of the built-in profiles. Each may extend only earlier ones.
    pub const BUILTIN: [&str; 14] = [
        "standard",
        "neutral",
        "paper2012",
        "guardian",
        "berserker",
        "anxious",
        "optimist",
        "miser",
        "gambler",
        "hunter",
        "pioneer",
        "attacker",
        "grinder",
        "human",
    ];

    /// The former name of the first built-in profile, accepted wherever a profile is named.
    ///
    /// It is never printed, because Cute Chess and python-chess cannot handle a UCI choice named
    /// `default`.
    pub const SYNONYM: &str = "default";

    /// Returns the built-in profile with this name.
    ///
    /// # Errors
    /// If `name` is neither in [`Self::BUILTIN`] nor [`Self::SYNONYM`].
    pub fn builtin(name: &str) -> Result<Self, ProfileError> {
        let name = canonical(name);
        let text = Self::builtin_text(name)?;
        let before = Self::BUILTIN.split(|&other| other == name).next().unwrap_or_default();
        file::read(text, name, before)
    }

    /// Returns the TOML text of the built-in profile with this name.
    ///
    /// # Errors
    /// If `name` is neither in [`Self::BUILTIN`] nor [`Self::SYNONYM`].
    pub fn builtin_text(name: &str) -> Result<&'static str, ProfileError> {
        let unknown = || ProfileError::Unknown(unknown("profile", name, &Self::BUILTIN));
        embedded(canonical(name)).ok_or_else(unknown)
    }

    /// Reads the profile in the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or its content is invalid.
    pub fn from_file(path: &Path) -> Result<Self, ProfileError> {
        Self::from_text(&Self::file_text(path)?, &path.display().to_string())
    }

    /// Reads the text of the profile file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, is larger than 1 MiB, or is not UTF-8.
    pub fn file_text(path: &Path) -> Result<String, ProfileError> {
        let source = path.display().to_string();
        let refuse = |reason: String| unreadable(&source, reason);
        let bytes = read_bytes(path).map_err(|e| refuse(format!("cannot be read: {e}")))?;
        let Some(bytes) = bytes else { return Err(refuse("is not a file".into())) };
        if bytes.len() > LARGEST {
            return Err(too_large(&source));
        }
        String::from_utf8(bytes).map_err(|e| {
            let end = e.utf8_error().valid_up_to();
            refuse(format!("is not UTF-8 text after byte {end}"))
        })
    }

    /// Reads the profile in `text`. Messages call it `source`.
    ///
    /// # Errors
    /// If the text is larger than 1 MiB or invalid.
    pub fn from_text(text: &str, source: &str) -> Result<Self, ProfileError> {
        if text.len() > LARGEST {
            return Err(too_large(source));
        }
        file::read(text, &one_line(source), &Self::BUILTIN)
    }

    /// Returns a copy with a tempo weight that is higher by `parts` 256ths of a centipawn.
    ///
    /// The change is negligible for playing strength but may lead a search to another move. It has
    /// no effect on [`EvaluatorKind::Measures`].
    #[must_use]
    pub fn barely_changed(&self, parts: i32) -> Self {
        let mut profile = self.clone();
        if let Some(tempo) = profile.weights.0.get_mut(Feature::Tempo.start()) {
            *tempo += Tapered::new(parts, parts);
        }
        profile
    }

    /// Whether the emotion decides between moves of about the same score. Then it bends the search
    /// less or not at all, see [`Self::bend`]. The article's measures are always bent.
    #[must_use]
    pub fn acts_by_taste(&self) -> bool {
        self.mind.channels.taste > 0.0 && self.evaluator == EvaluatorKind::Terms
    }

    /// Returns the part of each factor's distance from 1 that bends the search, 0 to 1.
    #[must_use]
    pub fn bend(&self) -> f64 {
        if self.acts_by_taste() { self.mind.bend } else { 1.0 }
    }

    /// Returns a digest of everything that affects play, as eight hexadecimal digits.
    ///
    /// Name and summary do not affect it. It is stable within one version of the engine.
    #[must_use]
    pub fn digest(&self) -> String {
        let Self { mind, weights, evaluator, human, known, .. } = self;
        let taste = Some(human).filter(|human| **human != HumanTaste::default());
        let taste = taste.map_or_else(String::new, |taste| format!(" {taste:?}"));
        let known = Some(known).filter(|known| **known != KnownTaste::default());
        let known = known.map_or_else(String::new, |known| format!(" {known:?}"));
        digest(format!("{mind:?} {weights:?} {evaluator:?}{taste}{known}").as_bytes())
    }
}

/// Replaces the synonym of a built-in profile by its listed name.
fn canonical(name: &str) -> &str {
    if name == Profile::SYNONYM { Profile::BUILTIN[0] } else { name }
}

/// Returns the text of a built-in profile.
fn embedded(name: &str) -> Option<&'static str> {
    Some(match name {
        "standard" => include_str!("../../config/standard.toml"),
        "neutral" => include_str!("../../config/neutral.toml"),
        "paper2012" => include_str!("../../config/paper2012.toml"),
        "guardian" => include_str!("../../config/guardian.toml"),
        "berserker" => include_str!("../../config/berserker.toml"),
        "anxious" => include_str!("../../config/anxious.toml"),
        "optimist" => include_str!("../../config/optimist.toml"),
        "miser" => include_str!("../../config/miser.toml"),
        "gambler" => include_str!("../../config/gambler.toml"),
        "hunter" => include_str!("../../config/hunter.toml"),
        "pioneer" => include_str!("../../config/pioneer.toml"),
        "attacker" => include_str!("../../config/attacker.toml"),
        "grinder" => include_str!("../../config/grinder.toml"),
        "human" => include_str!("../../config/human.toml"),
        _ => return None,
    })
}

/// Reads a file up to one byte beyond the limit. Returns `None` if `path` is not a regular file.
fn read_bytes(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    // check first, because opening a pipe would wait for a writer
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn unreadable(source: &str, reason: String) -> ProfileError {
    ProfileError::Unreadable { file: one_line(source), reason }
}

fn too_large(source: &str) -> ProfileError {
    unreadable(source, format!("is too large for a profile, allowed: {LARGEST} bytes"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;

    #[test]
    fn digests_depend_on_play_but_not_on_the_name() {
        let profile = Profile::builtin("standard").unwrap();
        let renamed = Profile { name: "Other".into(), ..profile.clone() };
        assert_eq!(renamed.digest(), profile.digest());
        let mut heavier = profile.clone();
        heavier.weights.0[0] += Tapered::new(1, 0);
        assert_ne!(heavier.digest(), profile.digest());
        assert_ne!(Profile::builtin("miser").unwrap().digest(), profile.digest());
    }
}
