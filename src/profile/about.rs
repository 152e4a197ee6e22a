//! Reads `[about]` of a profile file: name, summary, base profile and measured figures.

use super::{
    error::{ProfileError, shown},
    reader::{TomlTable, TomlValue},
};
use std::{fmt, path::Path};

/// A figure measured in games of the profile, such as its Elo against `neutral`.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredFigure {
    /// `elo`, or a measure of style from the tables of [`crate::lab::style`], in its unit.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// Half the width of the confidence interval: 95 % for Elo, 99 % for style.
    pub error: f64,
}

/// A measure of style that distinguishes games of a profile from games of `neutral`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureMeasure {
    /// A name from the tables of [`crate::lab::style`].
    pub name: String,
    /// Whether the profile has more of it than `neutral`, rather than less.
    pub is_higher: bool,
}

impl fmt::Display for SignatureMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, if self.is_higher { '+' } else { '-' })
    }
}

/// The content of `[about]`, empty if the section is missing.
#[derive(Default)]
pub(super) struct About<'t> {
    pub(super) name: Option<&'t str>,
    pub(super) summary: Option<&'t str>,
    pub(super) extends: Option<TomlValue<'t>>,
    pub(super) measured: Vec<MeasuredFigure>,
    pub(super) signature: Vec<SignatureMeasure>,
}

impl About<'_> {
    /// Returns the name, by default the file name of `source` without its extension.
    pub(super) fn name_or(&self, source: &str) -> String {
        match (self.name, Path::new(source).file_stem()) {
            (Some(name), _) => name.into(),
            (None, Some(stem)) => shown(&stem.to_string_lossy()),
            (None, None) => "Unnamed".into(),
        }
    }
}

/// Reads `[about]` of the file with the root table `top`.
pub(super) fn read<'t>(top: &TomlTable<'t>) -> Result<About<'t>, ProfileError> {
    let Some(about) = top.get("about") else { return Ok(About::default()) };
    let keys = ["name", "summary", "extends", "measured", "signature"];
    let about = about.table()?.only("key", &keys)?;
    let measured = about.get("measured").map_or(Ok(Vec::new()), |measured| figures(&measured))?;
    let line = |key, longest| about.get(key).map(|text| text.line(longest)).transpose();
    Ok(About {
        name: line("name", 40)?,
        summary: line("summary", 200)?,
        extends: about.get("extends"),
        signature: about
            .get("signature")
            .map_or(Ok(Vec::new()), |list| signature(&list, &measured))?,
        measured,
    })
}

/// Reads the names of measured figures, each followed by a sign.
fn signature(
    list: &TomlValue<'_>,
    measured: &[MeasuredFigure],
) -> Result<Vec<SignatureMeasure>, ProfileError> {
    let names: Vec<&str> = measured.iter().map(|figure| figure.name.as_str()).collect();
    let allowed = || match names.as_slice() {
        [] => "measures that have a figure in [about.measured], such as checks = [9, 1]".into(),
        names => format!("+ or - after one of measured: {}", names.join(", ")),
    };
    let measure = |value: TomlValue<'_>| {
        let text = value.line(40)?;
        let name = text.strip_suffix(['+', '-']).unwrap_or_default();
        if names.contains(&name) {
            return Ok(SignatureMeasure { name: name.into(), is_higher: text.ends_with('+') });
        }
        Err(value.expect(&allowed()))
    };
    list.list("a list such as [\"checks+\", \"draws-\"]")?.into_iter().map(measure).collect()
}

/// Reads means and errors by name, in the order of the file.
fn figures(measured: &TomlValue<'_>) -> Result<Vec<MeasuredFigure>, ProfileError> {
    let allowed = "a pair [mean, error]";
    let figure = |(name, pair): (String, TomlValue<'_>)| {
        let ends = pair.list(allowed)?;
        let [mean, error] = ends.as_slice() else { return Err(pair.expect(allowed)) };
        Ok(MeasuredFigure { name, mean: mean.number(-1e4..=1e4)?, error: error.number(0.0..=1e4)? })
    };
    measured.table()?.entries().into_iter().map(figure).collect()
}
