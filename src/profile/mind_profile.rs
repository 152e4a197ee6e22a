//! Profiles of other games: a name and a mind, read from a TOML file.
//!
//! A file has the form of a chess profile without evaluator, weights and human style. The game gives
//! the names of measures, facts, goals and groups.

use super::{
    MeasuredFigure, Profile,
    about::{self, About},
    error::{ProfileError, one_line, unknown},
    mind,
    reader::{self, TomlTable},
    too_large,
};
use crate::mind::{Mind, game::FeltGame};
use std::path::Path;

/// The top-level keys of a file.
const SECTIONS: [&str; 6] = ["about", "map", "perception", "facts", "goals", "feeling"];

/// A built-in profile of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinMind {
    /// The name by which other profiles extend it.
    pub name: &'static str,
    /// The TOML text.
    pub text: &'static str,
}

/// A complete and validated mind of a game, with what its file says about it.
///
/// The functions that read one take the game's built-in profiles. The first of them is the default
/// base of all others, which may instead extend another earlier one.
///
/// The first itself starts from [`Mind::standard`]. It must set perception, thresholds of facts and
/// goals. Map and feeling are optional. With `extends = "none"`, a profile must set every key.
#[derive(Clone, Debug, PartialEq)]
pub struct MindProfile<G: FeltGame> {
    /// The display name.
    pub name: String,
    /// One sentence about the temperament; may be empty.
    pub summary: String,
    /// Figures measured in its games, for display only.
    pub measured: Vec<MeasuredFigure>,
    /// The name of a built-in profile, or the path of the file.
    pub source: String,
    /// The emotional model.
    pub mind: Mind<G>,
}

impl<G: FeltGame> MindProfile<G> {
    /// Returns the built-in profile with this name.
    ///
    /// # Errors
    /// If no built-in profile has this name, or its text is invalid.
    pub fn builtin(name: &str, builtin: &[BuiltinMind]) -> Result<Self, ProfileError> {
        let mut bases = builtin;
        // look from the end, so that what remains are the earlier ones
        while let Some((last, earlier)) = bases.split_last() {
            if last.name == name {
                return read(last.text, last.name, earlier);
            }
            bases = earlier;
        }
        let names: Vec<&str> = builtin.iter().map(|builtin| builtin.name).collect();
        Err(ProfileError::Unknown(unknown("profile", name, &names)))
    }

    /// Reads the profile in the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or its content is invalid.
    pub fn from_file(path: &Path, builtin: &[BuiltinMind]) -> Result<Self, ProfileError> {
        Self::from_text(&Profile::file_text(path)?, &path.display().to_string(), builtin)
    }

    /// Reads the profile in `text`. Messages call it `source`.
    ///
    /// # Errors
    /// If the text is larger than 1 MiB or invalid.
    pub fn from_text(
        text: &str,
        source: &str,
        builtin: &[BuiltinMind],
    ) -> Result<Self, ProfileError> {
        if text.len() > super::LARGEST {
            return Err(too_large(source));
        }
        read(text, &one_line(source), builtin)
    }
}

/// Reads the profile in `text`, which may extend one of `bases`.
fn read<G: FeltGame>(
    text: &str,
    source: &str,
    bases: &[BuiltinMind],
) -> Result<MindProfile<G>, ProfileError> {
    let parsed = reader::parse(source, text)?;
    let top = TomlTable::top(source, text, &parsed).only("key", &SECTIONS)?;
    let about = about::read(&top)?;
    let extended = base(&about, bases)?;
    let mut mind = match extended {
        Some(base) => MindProfile::builtin(base, bases)?.mind,
        None => Mind::standard(),
    };
    let complete = |is_needed| if is_needed { top.clone().completed() } else { top.clone() };
    let (outer, inner) = (extended.is_none(), extended.is_none() && about.extends.is_some());
    mind::read(&complete(inner), &complete(outer), &mut mind)?;
    Ok(MindProfile {
        name: about.name_or(source),
        summary: about.summary.unwrap_or_default().into(),
        measured: about.measured,
        source: source.into(),
        mind,
    })
}

/// Returns the name of the extended profile, if any.
fn base<'b>(about: &About<'_>, bases: &'b [BuiltinMind]) -> Result<Option<&'b str>, ProfileError> {
    let Some(extends) = &about.extends else { return Ok(bases.first().map(|base| base.name)) };
    let mut names = vec![("none", None)];
    names.extend(bases.iter().map(|base| (base.name, Some(base.name))));
    extends.choice("profile", &names)
}
