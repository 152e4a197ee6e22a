//! Exposes search parameters as UCI options in builds with the feature `tuning`.

use super::{options::OptionError, refusal::InvalidArgument};
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
pub(super) fn set(engine: &mut Engine, name: &str, value: &str) -> Option<Result<(), OptionError>> {
    let tunable = Tunable::named(name)?;
    let (least, greatest) = tunable.range;
    let refusal = || {
        InvalidArgument::new(
            tunable.name,
            value,
            format!("a whole number from {least} to {greatest}"),
        )
    };
    let mut params = engine.options().params.clone();
    let read = tunable.set(&mut params, value).ok_or_else(refusal);
    Some(
        read.map_err(OptionError::from)
            .and_then(|()| Ok(engine.change(|options| options.params = params)?)),
    )
}
