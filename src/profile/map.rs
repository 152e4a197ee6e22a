//! Reads `[map]` of a profile file: activation function, update rule and links of the map.

use super::{
    error::ProfileError,
    reader::{TomlTable, TomlValue},
};
use crate::mind::{
    Mind,
    concept::Concept,
    fcm::{Rule, Squash},
    game::FeltGame,
};

/// The named strengths of links, from weak to strong. They cover the article's strengths, which are
/// .13, .25, .5 and 1 (table 2).
const STRENGTHS: [(&str, f64); 5] =
    [("very-low", 0.125), ("low", 0.25), ("medium", 0.5), ("high", 0.75), ("very-high", 1.0)];

/// Merges the section into the map of `mind`.
pub(super) fn read<G: FeltGame>(
    table: TomlTable<'_>,
    mind: &mut Mind<G>,
) -> Result<(), ProfileError> {
    let keys = ["activation", "rule", "held", "fixed", "tolerance", "step_limit", "link"];
    let table = table.only("key", &keys)?;
    if let Some(activation) = table.wanted("activation")? {
        mind.map.squash = squash(&activation)?;
    }
    if let Some(rule) = table.wanted("rule")? {
        let rules = [Rule::Kosko, Rule::ModifiedKosko, Rule::Rescaled].map(|r| (r.name(), r));
        mind.map.rule = rule.choice("rule", &rules)?;
    }
    if let Some(held) = table.wanted("held")? {
        mind.held = self::held::<G>(&held)?;
    }
    if let Some(fixed) = table.wanted("fixed")? {
        mind.fixed = self::fixed::<G>(&fixed)?;
    }
    if let Some(tolerance) = table.wanted("tolerance")? {
        mind.map.tolerance = tolerance.number(1e-12..=0.1)?;
    }
    if let Some(limit) = table.wanted("step_limit")? {
        mind.map.step_limit = limit.whole(1..=10_000)?;
    }
    if let Some(list) = table.wanted("link")? {
        links(&list, mind)?;
    }
    Ok(())
}

/// Reads `{ function = "…", slope = … }`. The slope is required exactly if the function has one.
fn squash(value: &TomlValue<'_>) -> Result<Squash, ProfileError> {
    let table = value.table()?.only("key", &["function", "slope"])?;
    let given = table.get("slope").map(|slope| slope.number(0.01..=100.0)).transpose()?;
    let slope = given.unwrap_or(1.0);
    let functions = [
        Squash::BipolarLogistic { slope },
        Squash::Tanh { slope },
        Squash::Logistic { slope },
        Squash::Saturation,
        Squash::Bivalent,
        Squash::Trivalent,
    ];
    let functions = functions.map(|function| (function.name(), function));
    let squash = table.need("function")?.choice("function", &functions)?;
    match (squash.slope(), given) {
        (Some(_), None) => Err(table.missing("slope", "is missing, but this function needs it")),
        (None, Some(_)) => Err(table.refuse("found `slope`, but this function has none")),
        (Some(_), Some(_)) | (None, None) => Ok(squash),
    }
}

/// Reads the concepts that keep their perceived activation while the map settles.
fn held<G: FeltGame>(value: &TomlValue<'_>) -> Result<[bool; Concept::COUNT], ProfileError> {
    let names = Concept::PERCEIVED.map(|concept| (G::concept_name(concept), concept));
    let mut held = Vec::new();
    for entry in value.list("an array of concepts")? {
        let concept = entry.choice("perceived concept", &names)?;
        if held.contains(&concept) {
            return Err(
                entry.refuse(format!("found `{}` twice, allowed: once", G::concept_name(concept)))
            );
        }
        held.push(concept);
    }
    Ok(Concept::ALL.map(|concept| held.contains(&concept)))
}

/// Reads the concepts with a constant activation.
fn fixed<G: FeltGame>(
    value: &TomlValue<'_>,
) -> Result<[Option<f64>; Concept::COUNT], ProfileError> {
    let table = value.table()?.only("concept", &Concept::ALL.map(G::concept_name))?;
    let mut fixed = [None; Concept::COUNT];
    for (concept, slot) in Concept::ALL.into_iter().zip(&mut fixed) {
        *slot = table
            .get(G::concept_name(concept))
            .map(|value| value.number(-1.0..=1.0))
            .transpose()?;
    }
    Ok(fixed)
}

/// Reads `link`: replaces the given links and keeps all others.
fn links<G: FeltGame>(list: &TomlValue<'_>, mind: &mut Mind<G>) -> Result<(), ProfileError> {
    let names = Concept::ALL.map(|concept| (G::concept_name(concept), concept));
    let mut seen = Vec::new();
    for entry in list.list("an array of tables")? {
        let table = entry.table()?.only("key", &["from", "to", "weight"])?;
        let from = table.need("from")?.choice("concept", &names)?;
        let to = table.need("to")?.choice("concept", &names)?;
        let weight = strength(&table.need("weight")?)?;
        if seen.contains(&(from, to)) {
            let names = (G::concept_name(from), G::concept_name(to));
            return Err(
                entry.refuse(format!("found `{}` to `{}` twice, allowed: once", names.0, names.1))
            );
        }
        seen.push((from, to));
        if let Some(link) = mind.map.influence.get_mut((to as usize, from as usize)) {
            *link = weight;
        }
    }
    Ok(())
}

/// Reads a strength: a number from -1 to 1, or a name with an optional minus.
fn strength(value: &TomlValue<'_>) -> Result<f64, ProfileError> {
    if value.text().is_none() {
        return value.number(-1.0..=1.0);
    }
    let negative = STRENGTHS.map(|(word, strength)| (format!("-{word}"), -strength));
    let negative = negative.iter().map(|(word, strength)| (word.as_str(), *strength));
    value.choice("strength", &STRENGTHS.into_iter().chain(negative).collect::<Vec<_>>())
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use crate::{mind::fcm::FuzzyCognitiveMap, profile::Profile};

    fn map(link: &str) -> FuzzyCognitiveMap<{ Concept::COUNT }> {
        let text = format!("[map]\nlink = [{{ {link} }}]");
        Profile::from_text(&text, "test").unwrap().mind.map
    }

    #[test]
    fn a_link_has_a_number_or_a_name_and_leaves_other_links_unchanged() {
        for (weight, strength) in [
            ("-0.3", -0.3),
            ("1", 1.0),
            ("0", 0.0),
            ("\"very-low\"", 0.125),
            ("\"low\"", 0.25),
            ("\"medium\"", 0.5),
            ("\"high\"", 0.75),
            ("\"very-high\"", 1.0),
            ("\"-very-low\"", -0.125),
            ("\"-low\"", -0.25),
            ("\"-medium\"", -0.5),
            ("\"-high\"", -0.75),
            ("\"-very-high\"", -1.0),
        ] {
            let mut expected = Profile::builtin("standard").unwrap().mind.map;
            expected.influence[(Concept::Relief as usize, Concept::Material as usize)] = strength;
            let link = format!("from = \"material\", to = \"relief\", weight = {weight}");
            assert_eq!(map(&link), expected, "{weight}");
        }
    }

    #[test]
    fn held_and_fixed_are_replaced_as_a_whole() {
        let text = "[map]\nheld = [\"mobility\"]\nfixed = { relief = -0.5 }";
        let mind = Profile::from_text(text, "test").unwrap().mind;
        assert_eq!(mind.held, Concept::ALL.map(|concept| concept == Concept::Mobility));
        let relief = |concept| (concept == Concept::Relief).then_some(-0.5);
        assert_eq!(mind.fixed, Concept::ALL.map(relief));
    }
}
