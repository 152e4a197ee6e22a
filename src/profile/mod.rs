//! Profiles: everything that makes one player of this engine, read from a file and in range.
//!
//! A profile is complete: what its file leaves out comes from the profile that it extends, which is
//! `standard` unless it names another built-in one. Only a profile that extends `none` must say
//! everything itself, as `config/standard.toml` does. A wrong file is refused whole.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod about;
pub mod error;
pub mod file;
mod goals;
mod map;
mod reader;
pub mod refit;

use crate::{
    chess::score::Tapered,
    eval::{feature::Feature, weights::Weights},
    mind::Mind,
    support::digest::digest,
};
pub use about::Measured;
pub use error::ProfileError;
use error::{one_line, unknown};
use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

/// The largest profile that is read, in bytes.
const LARGEST: usize = 1 << 20;

/// Which evaluation plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// The tuned, tapered terms.
    Terms,
    /// The article's four measures and nothing else (eq. 7).
    Measures,
}

/// A player: what counts on the board, and what it feels about it. Complete and in range.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The name that people read.
    pub name: String,
    /// One sentence about the temperament; may be empty.
    pub summary: String,
    /// What its file says of its games; nothing depends on it.
    pub measured: Vec<Measured>,
    /// Where this comes from: the name of a built-in profile, or a path.
    pub source: String,
    pub evaluator: EvaluatorKind,
    pub weights: Weights,
    pub mind: Mind,
}

impl Profile {
    /// The names of the built-in profiles. Each extends only such as stand before it.
    pub const BUILTIN: [&str; 12] = [
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
        "human",
    ];

    /// The former name of the first built-in profile. It is accepted wherever a profile is named, and
    /// never printed: Cute Chess and python-chess cannot offer a UCI choice called `default`.
    pub const SYNONYM: &str = "default";

    /// The built-in profile of this name, which is one of [`Self::BUILTIN`] or [`Self::SYNONYM`].
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn builtin(name: &str) -> Result<Self, ProfileError> {
        let name = canonical(name);
        let text = Self::builtin_text(name)?;
        let before = Self::BUILTIN.split(|&other| other == name).next().unwrap_or_default();
        file::read(text, name, before)
    }

    /// The file of the built-in profile of this name.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn builtin_text(name: &str) -> Result<&'static str, ProfileError> {
        let unknown = || ProfileError::Unknown(unknown("profile", name, &Self::BUILTIN));
        embedded(canonical(name)).ok_or_else(unknown)
    }

    /// The profile in the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, or its content is refused: with line, key, and what is allowed.
    pub fn from_file(path: &Path) -> Result<Self, ProfileError> {
        Self::from_text(&Self::file_text(path)?, &path.display().to_string())
    }

    /// The text of the file at `path`, no longer than a profile may be.
    ///
    /// # Errors
    /// If the file cannot be read, or is no text.
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

    /// The profile in `text`, which messages call `source`.
    ///
    /// # Errors
    /// If the text is refused: with line, key, and what is allowed.
    pub fn from_text(text: &str, source: &str) -> Result<Self, ProfileError> {
        if text.len() > LARGEST {
            return Err(too_large(source));
        }
        file::read(text, &one_line(source), &Self::BUILTIN)
    }

    /// The same with the right to move worth so many 256ths of a centipawn more: a change that means
    /// nothing, and may yet turn a search to another move. An evaluation by measures alone does not know
    /// it.
    #[must_use]
    pub fn barely_changed(&self, parts: i32) -> Self {
        let mut profile = self.clone();
        if let Some(tempo) = profile.weights.0.get_mut(Feature::Tempo.start()) {
            *tempo += Tapered::new(parts, parts);
        }
        profile
    }

    /// Eight hexadecimal digits that tell profiles apart which do not play alike, whatever they are
    /// called; the same in every run of one version.
    #[must_use]
    pub fn digest(&self) -> String {
        let Self { mind, weights, evaluator, .. } = self;
        digest(format!("{mind:?} {weights:?} {evaluator:?}").as_bytes())
    }
}

/// The name under which a built-in profile is listed.
fn canonical(name: &str) -> &str {
    if name == Profile::SYNONYM { Profile::BUILTIN[0] } else { name }
}

/// The text of a built-in profile.
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
        "human" => include_str!("../../config/human.toml"),
        _ => return None,
    })
}

/// The first bytes of a file, one more than allowed if it is too large; none if it is no file.
fn read_bytes(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    // ask first: to open a pipe would wait for a writer
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
    fn digests_tell_how_a_profile_plays_not_how_it_is_called() {
        let profile = Profile::builtin("default").unwrap();
        let renamed = Profile { name: "Other".into(), ..profile.clone() };
        assert_eq!(renamed.digest(), profile.digest());
        let mut heavier = profile.clone();
        heavier.weights.0[0] += Tapered::new(1, 0);
        assert_ne!(heavier.digest(), profile.digest());
        assert_ne!(Profile::builtin("miser").unwrap().digest(), profile.digest());
    }
}
