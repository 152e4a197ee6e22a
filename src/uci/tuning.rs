//! Exposes search parameters as UCI options in builds with the feature `tuning`.

use super::InvalidArgument;
use crate::{
    player::Engine,
    search::tunables::{TUNABLES, Tunable},
};

/// Returns the `option` lines of all tunable parameters.
pub(super) fn rows() -> impl Iterator<Item = String> {
    TUNABLES.iter().map(|tunable| {
        let (name, (least, greatest)) = (tunable.name, tunable.range);
        format!(
            "option name {name} type spin default {} min {least} max {greatest}",
            tunable.default()
        )
    })
}

/// Sets the parameter called `name`. Returns `None` if there is no such parameter.
pub(super) fn set(
    engine: &mut Engine,
    name: &str,
    value: &str,
) -> Option<Result<(), InvalidArgument>> {
    let tunable = Tunable::named(name)?;
    let (least, greatest) = tunable.range;
    let refusal = || {
        InvalidArgument::new(
            tunable.name,
            value,
            format!("a whole number from {least} to {greatest}"),
        )
    };
    Some(tunable.set(&mut engine.params, value).ok_or_else(refusal))
}
