//! Reads `[[goals]]` of a profile file: the rules of the ladder and the relevance of each goal.

use super::{
    error::ProfileError,
    reader::{TomlTable, TomlValue},
};
use crate::mind::{
    Mind,
    concept::Concept,
    game::FeltGame,
    goal::{Condition, GoalRule},
    listed::{Each, Listed, Row},
    relevance::{GoalRelevance, Ratios},
    side_group::RelativeSide,
};

/// Optional percentages, one per group.
type Percents<L> = Each<L, Option<f64>>;

/// Merges the list into the ladder of `mind`.
///
/// A goal that is already on the ladder keeps its place and all keys that are not given. Other
/// goals are appended.
pub(super) fn read<G: FeltGame>(
    list: &TomlValue<'_>,
    mind: &mut Mind<G>,
) -> Result<(), ProfileError> {
    let mut seen = Vec::new();
    for entry in list.list("an array of tables")? {
        let (goal, table) = named::<G::Goal>(&entry.table()?)?;
        if seen.contains(&goal) {
            return Err(table.refuse(format!("found goal `{}` twice, allowed: once", goal.name())));
        }
        seen.push(goal);
        rule(goal, &table, &mut mind.ladder)?;
        if let Some(relevance) = mind.relevance.goals.as_mut().get_mut(goal.index()) {
            *relevance = self::relevance(&table, relevance)?;
        }
    }
    Ok(())
}

/// Returns the goal of an entry, and the entry with the goal's name in its path.
fn named<'t, L: Listed>(entry: &TomlTable<'t>) -> Result<(L, TomlTable<'t>), ProfileError> {
    let name = entry.need("name")?;
    let name = name.clone().called(&format!("goals.{}", name.text().unwrap_or("name")));
    let goal = name.choice("goal", &choices::<L>())?;
    let keys = ["name", "when", "fear", "relief", "share", "at"];
    let table = entry.clone().called(format!("goals.{}", goal.name())).only("key", &keys)?;
    Ok((goal, table))
}

/// Sets the conditions of `goal` on the ladder.
fn rule<G: FeltGame>(
    goal: G::Goal,
    table: &TomlTable<'_>,
    ladder: &mut Vec<GoalRule<G>>,
) -> Result<(), ProfileError> {
    let old = ladder.iter_mut().find(|rule| rule.goal == goal);
    match (table.get("when"), old) {
        (Some(when), Some(rule)) => rule.when = conditions(&when)?,
        (Some(when), None) => ladder.push(GoalRule { goal, when: conditions(&when)? }),
        (None, Some(_)) => {}
        (None, None) => {
            return Err(table.missing("when", "is missing (`{}` always holds)"));
        }
    }
    Ok(())
}

/// Reads `when`: facts with true or false, and perceived concepts with a label. All must hold.
fn conditions<G: FeltGame>(when: &TomlValue<'_>) -> Result<Vec<Condition<G>>, ProfileError> {
    let mut names = names::<G::Fact>();
    names.extend(Concept::PERCEIVED.map(G::concept_name));
    let table = when.table()?.only("condition", &names)?;
    let mut conditions = Vec::new();
    for fact in G::Fact::ALL {
        if let Some(value) = table.get(fact.name()) {
            conditions.push(Condition::Fact(fact, value.truth()?));
        }
    }
    for concept in Concept::PERCEIVED {
        if let Some(value) = table.get(G::concept_name(concept)) {
            let labels: Vec<(&str, usize)> =
                concept.labels().iter().enumerate().map(|(i, &label)| (label, i)).collect();
            conditions.push(Condition::Label(concept, value.choice("label", &labels)?));
        }
    }
    Ok(conditions)
}

/// Reads the relevance of a goal. Keys that are not given keep their value in `old`.
fn relevance<G: FeltGame>(
    table: &TomlTable<'_>,
    old: &GoalRelevance<G>,
) -> Result<GoalRelevance<G>, ProfileError> {
    let (fear, relief) = (table.get("fear"), table.get("relief"));
    let (share, at) = (table.get("share"), table.get("at"));
    let sides = fear.is_some() || relief.is_some();
    let (old_fear, old_relief, old_shares) = match old {
        GoalRelevance::Sides { fear, relief } => (**fear, **relief, None),
        GoalRelevance::Shares { share, at } => {
            (Ratios::NEUTRAL, Ratios::NEUTRAL, Some((*share, *at)))
        }
    };
    if let Some(shares) = share.as_ref().or(at.as_ref()) {
        if sides {
            return Err(shares.refuse("shares exclude `fear` and `relief`: give one or the other"));
        }
        let share = match (share, old_shares) {
            (Some(given), _) => self::share::<G>(&given)?,
            (None, Some((share, _))) => share,
            (None, None) => return Err(table.missing("share", "is missing, but `at` needs it")),
        };
        let at = match (at, old_shares) {
            (Some(given), _) => self::at(&given)?,
            (None, Some((_, at))) => at,
            (None, None) => return Err(table.missing("at", "is missing, but `share` needs it")),
        };
        return Ok(GoalRelevance::Shares { share, at });
    }
    if !sides {
        return Ok(old.clone());
    }
    let given = |value: Option<TomlValue<'_>>, old| value.map_or(Ok(old), |value| ratios(&value));
    Ok(GoalRelevance::sides(given(fear, old_fear)?, given(relief, old_relief)?))
}

/// Reads `fear` and `relief` of `[feeling]`, and applies those that are given to all goals.
pub(super) fn read_every<G: FeltGame>(
    feeling: &TomlTable<'_>,
    mind: &mut Mind<G>,
) -> Result<(), ProfileError> {
    let given = |key| feeling.get(key).map(|value| ratios(&value)).transpose();
    let (fear, relief) = (given("fear")?, given("relief")?);
    for goal in mind.relevance.goals.as_mut() {
        let (old_fear, old_relief) = match goal {
            GoalRelevance::Sides { fear, relief } => (**fear, **relief),
            GoalRelevance::Shares { .. } if fear.is_none() && relief.is_none() => continue,
            GoalRelevance::Shares { .. } => (Ratios::NEUTRAL, Ratios::NEUTRAL),
        };
        *goal = GoalRelevance::sides(fear.unwrap_or(old_fear), relief.unwrap_or(old_relief));
    }
    Ok(())
}

/// Reads `share`: four numbers with sum 1.
fn share<G: FeltGame>(value: &TomlValue<'_>) -> Result<[f64; 4], ProfileError> {
    let names = G::MEASURES.map(|measure| measure.name);
    let table = value.table()?.only("measure", &names)?;
    let mut share = [0.0; 4];
    for (name, part) in names.into_iter().zip(&mut share) {
        *part = table.need(name)?.number(0.0..=1.0)?;
    }
    let sum: f64 = share.iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        return Err(value.refuse(format!("found shares that sum to {sum}, allowed: a sum of 1")));
    }
    Ok(share)
}

/// Reads `at`: an intensity other than 0.
fn at(value: &TomlValue<'_>) -> Result<f64, ProfileError> {
    let at = value.number(-1.0..=1.0)?;
    // eq. 11 divides by `at`
    if at.abs() < 0.01 {
        return Err(value.expect("an intensity from -1 to 1, at least 0.01 from 0"));
    }
    Ok(at)
}

/// Reads `fear` or `relief`: percentages for the groups of both sides, 100 by default.
fn ratios<G: FeltGame>(value: &TomlValue<'_>) -> Result<Ratios<G>, ProfileError> {
    let table = value.table()?.only("key", &["both", "own", "other"])?;
    let both = percents::<G::Group>(table.get("both"))?;
    let [own, other] = ["own", "other"].map(|side| one_side::<G>(&table, side, &both));
    Ok(Ratios { own: own?, other: other? })
}

/// Returns the ratios of one side's groups, from the percentages under `side` and under `both`.
fn one_side<G: FeltGame>(
    table: &TomlTable<'_>,
    side: &str,
    both: &Percents<G::Group>,
) -> Result<Each<G::Group, f64>, ProfileError> {
    let own = percents::<G::Group>(table.get(side))?;
    let mut ratios = Ratios::<G>::NEUTRAL.own;
    let percents = own.into_iter().zip(both.as_ref());
    for ((group, ratio), (own, both)) in
        G::Group::ALL.into_iter().zip(ratios.as_mut()).zip(percents)
    {
        let name = group.name();
        *ratio = match (own, both) {
            (Some(_), _) if G::sides(group) == [RelativeSide::Both] => {
                return Err(table.refuse(format!(
                    "found `{name}` under `{side}`, but it is one balance of both sides (eq. 7), \
                     allowed: `{name}` under `both`"
                )));
            }
            (Some(_), Some(_)) => {
                return Err(table.refuse(format!(
                    "found `{name}` under `both` and `{side}`, allowed: under one of them"
                )));
            }
            (Some(percent), None) | (None, &Some(percent)) => percent / 100.0,
            (None, None) => 1.0,
        };
    }
    Ok(ratios)
}

/// Reads the percentages in a table of groups.
fn percents<L: Listed>(value: Option<TomlValue<'_>>) -> Result<Percents<L>, ProfileError> {
    let mut percents: Percents<L> = Row::from_fn(|_| None);
    let Some(value) = value else { return Ok(percents) };
    let table = value.table()?.only("group", &names::<L>())?;
    for (group, percent) in L::ALL.into_iter().zip(percents.as_mut()) {
        *percent = table.get(group.name()).map(|value| value.number(0.0..=1000.0)).transpose()?;
    }
    Ok(percents)
}

/// Returns the names of all variants.
fn names<L: Listed>() -> Vec<&'static str> {
    L::ALL.into_iter().map(L::name).collect()
}

/// Returns all variants with their names.
fn choices<L: Listed>() -> Vec<(&'static str, L)> {
    L::ALL.into_iter().map(|variant| (variant.name(), variant)).collect()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use crate::{
        chess_mind::{Goal, GoalRelevance, Mind, Ratios},
        eval::group::Group,
        profile::Profile,
    };

    fn mind(text: &str) -> Mind {
        Profile::from_text(text, "test").unwrap().mind
    }

    fn base() -> Mind {
        Profile::builtin("standard").unwrap().mind
    }

    #[test]
    fn a_goal_keeps_its_place_and_its_other_keys() {
        let mind = mind("[[goals]]\nname = \"castle\"\nrelief = { other = { king = 150 } }");
        assert_eq!(mind.ladder, base().ladder);
        let castle = Goal::Castle as usize;
        let GoalRelevance::Sides { fear, .. } = base().relevance.goals[castle].clone() else {
            panic!("castle has sides");
        };
        let mut relief = Ratios::NEUTRAL;
        relief.other[Group::King as usize] = 1.5;
        assert_eq!(mind.relevance.goals[castle], GoalRelevance::sides(*fear, relief));
    }

    #[test]
    fn conditions_are_replaced_as_a_whole() {
        let mind = mind("[[goals]]\nname = \"castle\"\nwhen = { material = \"advantage\" }");
        let when = vec![Condition::Label(Concept::Material, 2)];
        assert_eq!(mind.ladder[3], GoalRule { goal: Goal::Castle, when });
        assert_eq!(mind.relevance, base().relevance);
    }

    #[test]
    fn both_sets_the_ratios_of_both_sides() {
        let text = "[[goals]]\nname = \"castle\"\n\
                    fear = { both = { material = 90, king = 110 }, own = { pawns = 105 } }";
        let mut fear = Ratios::NEUTRAL;
        for side in [&mut fear.own, &mut fear.other] {
            side[Group::Material as usize] = 0.9;
            side[Group::King as usize] = 1.1;
        }
        fear.own[Group::Pawns as usize] = 1.05;
        let GoalRelevance::Sides { fear: found, .. } =
            mind(text).relevance.goals[Goal::Castle as usize].clone()
        else {
            panic!("castle has sides");
        };
        assert_eq!(*found, fear);
    }

    #[test]
    fn fear_and_relief_of_feeling_apply_to_every_goal() {
        let text = "[feeling]\nfear = { own = { king = 150 } }\n\
                    [[goals]]\nname = \"castle\"\nfear = { own = { king = 120 } }";
        let king = |relevance: &GoalRelevance, intensity: f64| {
            relevance.ratios(intensity).own[Group::King as usize]
        };
        for (goal, (new, old)) in Goal::ALL
            .into_iter()
            .zip(mind(text).relevance.goals.iter().zip(base().relevance.goals.iter()))
        {
            let expected = if goal == Goal::Castle { 1.2 } else { 1.5 };
            assert!((king(new, -1.0) - expected).abs() < 1e-12, "{goal:?}");
            assert!((king(new, 1.0) - king(old, 1.0)).abs() < 1e-12, "{goal:?}");
        }
    }

    #[test]
    fn shares_and_sides_replace_each_other() {
        let escape = Goal::EscapeCheck as usize;
        let over_paper = |keys: &str| {
            mind(&format!(
                "[about]\nextends = \"paper2012\"\n[[goals]]\nname = \"escape_check\"\n{keys}"
            ))
            .relevance
            .goals[escape]
                .clone()
        };
        let share = [0.05, 0.30, 0.60, 0.05];
        assert_eq!(over_paper("at = -0.5"), GoalRelevance::Shares { share, at: -0.5 });
        assert_eq!(over_paper("fear = {}"), GoalRelevance::neutral());
        let even = "share = { material = 0.25, mobility = 0.25, \
                    king_safety = 0.25, king_exposure = 0.25 }";
        let expected = GoalRelevance::Shares { share: [0.25; 4], at: -0.7 };
        assert_eq!(over_paper(even), expected);
    }
}
