//! Reads the sections of a profile that describe a mind, for any game: map, perception, facts, feeling
//! and goals.

use super::{
    error::ProfileError,
    goals, map,
    reader::{TomlTable, TomlValue},
};
use crate::mind::{
    Mind,
    channels::Channels,
    game::{FactThresholds, FeltGame},
    perception::{Perception, Ramp},
};

/// The largest absolute value of a ramp's end, in the unit of its measure.
const FARTHEST: f64 = 100_000.0;

/// Reads the sections of a mind and replaces what they set in `mind`.
///
/// `inner` is the table with map and feeling. `outer` is the table with the sections that depend on the
/// game. They may differ in which keys they require.
pub(super) fn read<G: FeltGame>(
    inner: &TomlTable<'_>,
    outer: &TomlTable<'_>,
    mind: &mut Mind<G>,
) -> Result<(), ProfileError> {
    inner.section("map", |table| map::read(table, mind))?;
    outer.section("perception", |table| perception::<G>(table, &mut mind.perception))?;
    facts(outer, &mut mind.thresholds)?;
    inner.section("feeling", |table| feeling(table, mind))?;
    // after [feeling], which sets the defaults of all goals
    match outer.wanted("goals")? {
        Some(list) => goals::read(&list, mind),
        None => Ok(()),
    }
}

/// Reads `[perception]`: the scale from each measure to its concept.
fn perception<G: FeltGame>(
    table: TomlTable<'_>,
    perception: &mut Perception,
) -> Result<(), ProfileError> {
    let Perception { material, mobility, safety, exposure } = perception;
    let keys = G::MEASURES.map(|measure| measure.name);
    let table = table.only("measure", &keys)?;
    for (key, ramp) in keys.into_iter().zip([material, mobility, safety, exposure]) {
        if let Some(value) = table.wanted(key)? {
            *ramp = self::ramp(&value)?;
        }
    }
    Ok(())
}

/// Reads `{ from = …, to = … }`.
fn ramp(value: &TomlValue<'_>) -> Result<Ramp, ProfileError> {
    let ends = value.table()?.only("key", &["from", "to"])?;
    let [from, to] = ["from", "to"].map(|end| ends.need(end)?.number(-FARTHEST..=FARTHEST));
    let ramp = Ramp { from: from?, to: to? };
    if (ramp.to - ramp.from).abs() < 1e-3 {
        return Err(value.refuse(format!(
            "found from {} to {}, allowed: two ends at least 0.001 apart",
            ramp.from, ramp.to
        )));
    }
    Ok(ramp)
}

/// Reads `[facts]`: the thresholds of facts. Games without thresholds may omit it.
fn facts<T: FactThresholds>(top: &TomlTable<'_>, thresholds: &mut T) -> Result<(), ProfileError> {
    let keys = thresholds.keys();
    let section = if keys.is_empty() { top.get("facts") } else { top.wanted("facts")? };
    let Some(section) = section else { return Ok(()) };
    let names: Vec<&str> = keys.iter().map(|&(key, ..)| key).collect();
    let table = section.table()?.only("key", &names)?;
    for (key, range, threshold) in keys {
        if let Some(value) = table.wanted(key)? {
            *threshold = value.whole(range)?;
        }
    }
    Ok(())
}

/// Reads `[feeling]`: bounds of factors, rounding and inertia of the intensity, channels, and the
/// default `fear` and `relief` of all goals.
fn feeling<G: FeltGame>(table: TomlTable<'_>, mind: &mut Mind<G>) -> Result<(), ProfileError> {
    let channels = ["contempt", "time", "attention", "taste", "empathy"];
    let keys = ["floor", "ceiling", "steps", "inertia", "bend", "fear", "relief"];
    let table = table.only("key", &[&keys[..], &channels].concat())?;
    goals::read_every(&table, mind)?;
    if let Some(floor) = table.wanted("floor")? {
        mind.relevance.floor = floor.number_or_none(0.0..=1.0)?;
    }
    if let Some(ceiling) = table.wanted("ceiling")? {
        mind.relevance.ceiling = ceiling.number_or_none(1.0..=64.0)?;
    }
    if let Some(steps) = table.wanted("steps")? {
        // 0 means no rounding
        mind.steps = Some(steps.whole(0..=1000)?).filter(|&steps| steps > 0);
    }
    if let Some(inertia) = table.wanted("inertia")? {
        mind.inertia = inertia.number(0.0..=0.95)?;
    }
    if let Some(bend) = table.wanted("bend")? {
        mind.bend = bend.number(0.0..=100.0)? / 100.0;
    }
    let Channels { contempt, time, attention, taste, empathy } = &mut mind.channels;
    let most = Channels::MOST;
    let positive = [most.time, most.attention, most.taste, most.empathy].map(|most| 0.0..=most);
    let ranges = [-most.contempt..=most.contempt].into_iter().chain(positive);
    let all = [contempt, time, attention, taste, empathy];
    for ((key, range), channel) in channels.iter().zip(ranges).zip(all) {
        if let Some(value) = table.wanted(key)? {
            *channel = value.number(range)?;
        }
    }
    Ok(())
}
