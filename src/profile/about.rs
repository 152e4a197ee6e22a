//! The section `[about]` of a profile file: what people are told of a player, and what it extends.

use super::{
    error::ProfileError,
    reader::{Table, Value},
};

/// Something that was measured of a player in its games, e.g. its Elo against `neutral`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// `elo`, or a measure of style by its name in [`crate::lab::style`]'s tables, and in its unit.
    pub name: String,
    pub mean: f64,
    /// Half the width of its interval: of 95 % for Elo, of 99 % for style.
    pub error: f64,
}

/// What `[about]` says; nothing if it is not there.
#[derive(Default)]
pub(super) struct About<'t> {
    pub(super) name: Option<&'t str>,
    pub(super) summary: Option<&'t str>,
    pub(super) extends: Option<Value<'t>>,
    pub(super) measured: Vec<Measured>,
}

/// Reads `[about]` of the file whose outermost table is `top`.
pub(super) fn read<'t>(top: &Table<'t>) -> Result<About<'t>, ProfileError> {
    let Some(about) = top.get("about") else { return Ok(About::default()) };
    let about = about.table()?.only("key", &["name", "summary", "extends", "measured"])?;
    let line = |key, longest| about.get(key).map(|text| text.line(longest)).transpose();
    Ok(About {
        name: line("name", 40)?,
        summary: line("summary", 200)?,
        extends: about.get("extends"),
        measured: about.get("measured").map_or(Ok(Vec::new()), |measured| figures(&measured))?,
    })
}

/// Means and errors by name, in the order of the file.
fn figures(measured: &Value<'_>) -> Result<Vec<Measured>, ProfileError> {
    let allowed = "a pair [mean, error]";
    let figure = |(name, pair): (String, Value<'_>)| {
        let ends = pair.list(allowed)?;
        let [mean, error] = ends.as_slice() else { return Err(pair.expect(allowed)) };
        Ok(Measured { name, mean: mean.number(-1e4..=1e4)?, error: error.number(0.0..=1e4)? })
    };
    measured.table()?.entries().into_iter().map(figure).collect()
}
