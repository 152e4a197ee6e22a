//! Reads the sections of a chess profile on top of the profile that it extends.
//!
//! Every key is optional, except in a profile that extends none. Unknown keys are rejected.

use super::{
    EvaluatorKind, HumanTaste, KnownTaste, Profile, about,
    error::ProfileError,
    human, known, mind,
    reader::{self, TomlTable, TomlValue},
};
use crate::{
    chess::score::Tapered,
    chess_mind::Mind,
    eval::{
        feature::{Feature, LEN},
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
};
use std::fmt::Write;

/// The top-level keys of a profile file.
const SECTIONS: [&str; 10] = [
    "evaluator",
    "about",
    "map",
    "perception",
    "facts",
    "goals",
    "feeling",
    "human",
    "known",
    "weights",
];
/// The largest absolute value of a weight, in centipawns.
pub const HEAVIEST: f64 = 4000.0;
/// The number of pairs that [`weights_toml`] writes per line.
const PAIRS_PER_LINE: usize = 8;

/// Reads the profile in `text`, which may extend one of the built-in profiles `bases`. Messages
/// call it `source`.
pub(super) fn read(text: &str, source: &str, bases: &[&str]) -> Result<Profile, ProfileError> {
    let parsed = reader::parse(source, text)?;
    let top = TomlTable::top(source, text, &parsed).only("key", &SECTIONS)?;
    let about = about::read(&top)?;
    let (mut profile, top) = match base(about.extends.as_ref(), bases)? {
        Some(base) => (base, top),
        None => (blank(), top.completed()),
    };
    profile.name = about.name_or(source);
    profile.summary = about.summary.unwrap_or_default().into();
    profile.measured = about.measured;
    profile.signature = about.signature;
    profile.source = source.into();
    if let Some(evaluator) = top.wanted("evaluator")? {
        let kinds = [("terms", EvaluatorKind::Terms), ("measures", EvaluatorKind::Measures)];
        profile.evaluator = evaluator.choice("evaluator", &kinds)?;
    }
    mind::read(&top, &top, &mut profile.mind)?;
    top.section("human", |table| human::read(table, &mut profile.human))?;
    top.section("known", |table| known::read(table, &mut profile.known))?;
    top.section("weights", |table| weights(table, &mut profile.weights))?;
    Ok(profile)
}

/// Returns the extended profile, or `None` for `extends = "none"`.
fn base(extends: Option<&TomlValue<'_>>, bases: &[&str]) -> Result<Option<Profile>, ProfileError> {
    let Some(extends) = extends else { return Profile::builtin(Profile::BUILTIN[0]).map(Some) };
    if extends.text() == Some(Profile::SYNONYM) && !bases.is_empty() {
        return Profile::builtin(Profile::SYNONYM).map(Some);
    }
    let mut names = vec![("none", None)];
    names.extend(bases.iter().map(|&name| (name, Some(name))));
    extends.choice("profile", &names)?.map(Profile::builtin).transpose()
}

/// Returns the base of a profile that extends none, whose file replaces every value except goals.
fn blank() -> Profile {
    Profile {
        name: String::new(),
        summary: String::new(),
        measured: Vec::new(),
        signature: Vec::new(),
        source: String::new(),
        evaluator: EvaluatorKind::Terms,
        weights: Weights([Tapered::default(); LEN]),
        mind: Mind::standard(),
        human: HumanTaste::default(),
        known: KnownTaste::default(),
    }
}

/// Reads `[weights]`: a pair of centipawns for each index of each feature.
fn weights(table: TomlTable<'_>, weights: &mut Weights) -> Result<(), ProfileError> {
    let table = table.only("feature", &Feature::ALL.map(|feature| feature.spec().name))?;
    for feature in Feature::ALL {
        let spec = feature.spec();
        let Some(value) = table.wanted(spec.name)? else { continue };
        let allowed = format!("an array of {} pairs [opening, ending]", spec.len);
        let given = if spec.len == 1 { vec![value.clone()] } else { value.list(&allowed)? };
        if given.len() != spec.len {
            return Err(value.expect(&allowed));
        }
        let slots = weights.0.iter_mut().skip(feature.start());
        for (slot, pair) in slots.zip(given) {
            *slot = tapered(&pair)?;
        }
    }
    Ok(())
}

/// Converts a pair of centipawns, for opening and ending, to the unit of weights.
fn tapered(pair: &TomlValue<'_>) -> Result<Tapered, ProfileError> {
    let allowed = "a pair [opening, ending]";
    let ends = pair.list(allowed)?;
    let [mg, eg] = ends.as_slice() else { return Err(pair.expect(allowed)) };
    let units = |end: &TomlValue<'_>| {
        let centipawns = end.number(-HEAVIEST..=HEAVIEST)?;
        Ok((centipawns * f64::from(UNITS_PER_CENTIPAWN)).round() as i32)
    };
    Ok(Tapered::new(units(mg)?, units(eg)?))
}

/// Formats the section `[weights]` of a profile file.
///
/// Reading it back gives exactly these weights if all are within ±4000 centipawns.
#[must_use]
pub fn weights_toml(weights: &Weights) -> String {
    let centipawns = |units: i32| f64::from(units) / f64::from(UNITS_PER_CENTIPAWN);
    let pair = |w: &Tapered| format!("[{}, {}]", centipawns(w.mg()), centipawns(w.eg()));
    let mut text = String::from("[weights]\n");
    for feature in Feature::ALL {
        let spec = feature.spec();
        let pairs: Vec<String> =
            weights.0.iter().skip(feature.start()).take(spec.len).map(pair).collect();
        let value = match pairs.as_slice() {
            [single] => single.clone(),
            few if few.len() <= PAIRS_PER_LINE => format!("[{}]", few.join(", ")),
            many => {
                many.chunks(PAIRS_PER_LINE).fold(String::from("[\n"), |mut rows, row| {
                    let _ = writeln!(rows, "    {},", row.join(", "));
                    rows
                }) + "]"
            }
        };
        let _ = writeln!(text, "{} = {value}", spec.name);
    }
    text
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use crate::mind::perception::Ramp;

    fn profile(text: &str) -> Profile {
        Profile::from_text(text, "test.toml").unwrap()
    }

    #[test]
    fn weights_read_back_as_written() {
        let heaviest = HEAVIEST as i32 * UNITS_PER_CENTIPAWN;
        let mut seed = 2012_i32;
        let mut next = || {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (seed >> 8) % (heaviest + 1)
        };
        let mut weights = Weights(std::array::from_fn(|_| Tapered::new(next(), next())));
        weights.0[0] = Tapered::new(heaviest, -heaviest);
        weights.0[1] = Tapered::new(1, -1);
        assert_eq!(profile(&weights_toml(&weights)).weights, weights);
    }

    #[test]
    fn weights_are_rounded_to_256ths_of_a_centipawn() {
        let weights = profile("[weights]\ntempo = [0.002, -10.25]").weights;
        assert_eq!(weights.0[Feature::Tempo.start()], Tapered::new(1, -10 * 256 - 64));
    }

    #[test]
    fn missing_keys_are_taken_from_the_base() {
        let base = Profile::builtin("standard").unwrap();
        let text = "[weights]\ntempo = [7, 3]\n[map]\nstep_limit = 77\n[feeling]\nsteps = 0\n\
                    [perception]\nmobility = { from = 60, to = 5 }\n[facts]\ndeficit = 250";
        let mut expected = base.clone();
        expected.name = "test".into();
        expected.summary = String::new();
        expected.measured = Vec::new();
        expected.signature = Vec::new();
        expected.source = "test.toml".into();
        expected.weights.0[Feature::Tempo.start()] = Tapered::new(7 * 256, 3 * 256);
        expected.mind.map.step_limit = 77;
        expected.mind.steps = None;
        expected.mind.thresholds.deficit = 250;
        expected.mind.perception.mobility = Ramp { from: 60.0, to: 5.0 };
        assert_eq!(profile(text), expected);
    }

    #[test]
    fn a_profile_without_a_name_is_named_after_its_file() {
        let name = |source| Profile::from_text("", source).unwrap().name;
        assert_eq!(name("players/brave.toml"), "brave");
        assert_eq!(name(""), "Unnamed");
    }
}
