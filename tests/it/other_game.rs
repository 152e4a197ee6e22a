//! Tests of the mind under a game that is not chess: its names, its profiles and their errors.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::float_cmp, reason = "these are exact")]

use deepfeeling::{
    mind::{
        Mind,
        appraisal::Appraisal,
        channels::Channels,
        concept::Concept,
        fact::Facts,
        fcm::Settling,
        game::{FactThresholds, FeltGame, MeasureSpec},
        listed::Listed,
        relevance::{Ratios, bent_weight},
        side_group::RelativeSide,
    },
    profile::{BuiltinMind, MindProfile, Profile},
};
use std::ops::RangeInclusive;

/// A game whose position is the four measures of the first side. The second side has their negatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scales;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Ahead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Flee,
    Gather,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Gold,
    Paths,
    Room,
}

impl Listed for Fact {
    type Each<T> = [T; 1];
    const ALL: [Self; 1] = [Self::Ahead];

    fn name(self) -> &'static str {
        "ahead"
    }
}

impl Listed for Goal {
    type Each<T> = [T; 2];
    const ALL: [Self; 2] = [Self::Flee, Self::Gather];

    fn name(self) -> &'static str {
        match self {
            Self::Flee => "flee",
            Self::Gather => "gather",
        }
    }
}

impl Listed for Group {
    type Each<T> = [T; 3];
    const ALL: [Self; 3] = [Self::Gold, Self::Paths, Self::Room];

    fn name(self) -> &'static str {
        match self {
            Self::Gold => "gold",
            Self::Paths => "paths",
            Self::Room => "room",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Thresholds {
    lead: u16,
}

impl FactThresholds for Thresholds {
    fn keys(&mut self) -> Vec<(&'static str, RangeInclusive<u16>, &mut u16)> {
        vec![("lead", 1..=50, &mut self.lead)]
    }
}

impl FeltGame for Scales {
    type Position = [f64; 4];
    type Side = bool;
    type Measures = [f64; 4];
    type Thresholds = Thresholds;
    type Fact = Fact;
    type Goal = Goal;
    type Group = Group;

    const MEASURES: [MeasureSpec<Self>; 4] = [
        MeasureSpec::new("gold", "points", 20.0, Group::Gold, RelativeSide::Both),
        MeasureSpec::new("paths", "points", 10.0, Group::Paths, RelativeSide::Own),
        MeasureSpec::new("room", "points", 10.0, Group::Room, RelativeSide::Own),
        MeasureSpec::new("rival_room", "points", 10.0, Group::Room, RelativeSide::Other),
    ];

    fn measures(position: &[f64; 4], is_first: bool) -> [f64; 4] {
        position.map(|measure| if is_first { measure } else { -measure })
    }

    fn facts(position: &[f64; 4], is_first: bool, thresholds: &Thresholds) -> Facts<Self> {
        let [gold, ..] = Self::measures(position, is_first);
        Facts::from_fn(|fact| match fact {
            Fact::Ahead => gold >= thresholds.lead.into(),
        })
    }

    fn meaning(fact: Fact, thresholds: &Thresholds) -> String {
        match fact {
            Fact::Ahead => format!("at least {} more gold", thresholds.lead),
        }
    }

    fn description(goal: Goal) -> &'static str {
        match goal {
            Goal::Flee => "Get away.",
            Goal::Gather => "Take what there is.",
        }
    }

    fn sides(group: Group) -> &'static [RelativeSide] {
        match group {
            Group::Gold => &[RelativeSide::Both],
            Group::Paths | Group::Room => &[RelativeSide::Own, RelativeSide::Other],
        }
    }
}

const PLAIN: BuiltinMind = BuiltinMind {
    name: "plain",
    text: r#"
[perception]
gold = { from = -10, to = 10 }
paths = { from = 0, to = 8 }
room = { from = 0, to = 8 }
rival_room = { from = -8, to = 8 }
[facts]
lead = 5
[[goals]]
name = "flee"
when = { room = "defenceless", ahead = false }
fear = { own = { room = 180, paths = 140 }, other = { room = 60 } }
[[goals]]
name = "gather"
when = {}
relief = { both = { gold = 150 } }
"#,
};
const BOLD: BuiltinMind = BuiltinMind {
    name: "bold",
    text: "[about]\nname = \"Bold\"\n[feeling]\nfear = { own = { room = 90 } }\n[facts]\nlead = 1",
};
const BUILTIN: [BuiltinMind; 2] = [PLAIN, BOLD];

fn read(text: &str) -> MindProfile<Scales> {
    MindProfile::from_text(text, "own.toml", &BUILTIN).unwrap()
}

fn error(text: &str) -> String {
    MindProfile::<Scales>::from_text(text, "own.toml", &BUILTIN).unwrap_err().to_string()
}

fn appraise(mind: &Mind<Scales>, position: [f64; 4]) -> Appraisal<Scales> {
    mind.appraise(&position, true, 100, None)
}

#[test]
fn the_first_profile_starts_from_the_map_of_chess() {
    let mind = MindProfile::<Scales>::builtin("plain", &BUILTIN).unwrap().mind;
    let chess = Profile::builtin("standard").unwrap().mind;
    assert_eq!((&mind.map, mind.held, mind.fixed), (&chess.map, chess.held, chess.fixed));
    assert_eq!((mind.steps, mind.inertia), (chess.steps, chess.inertia));
    // channels are the engine's; another game has none
    assert_eq!(mind.channels, Channels::default());
    assert_eq!(
        (mind.relevance.floor, mind.relevance.ceiling),
        (chess.relevance.floor, chess.relevance.ceiling)
    );
    assert_eq!(mind.first_unsettled(), None);
}

#[test]
fn an_appraisal_uses_the_names_of_the_game() {
    let mind = read("").mind;
    let felt = appraise(&mind, [-8.0, 2.0, 1.0, -6.0]);
    assert_eq!((felt.goal, felt.intensity), (Some(Goal::Flee), -1.0));
    let Settling::FixedPoint { steps } = felt.settling else { panic!("{:?}", felt.settling) };
    let summary =
        "feeling fear -1.00 goal flee own paths 1.40 room 1.80 other room 0.60 map settled in";
    assert_eq!(felt.summary(), format!("{summary} {steps} steps"));
    // the other side sees the same position with opposite measures
    let other = mind.appraise(&[-8.0, 2.0, 1.0, -6.0], false, 100, None);
    assert_eq!(other.goal, Some(Goal::Gather));
    assert!(other.intensity > 0.0 && other.facts.holds(Fact::Ahead));
    assert_eq!(other.ratios.own, other.ratios.other);
    assert_eq!(
        other.rules[0].failed.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["ahead = false"]
    );
    assert_eq!(Scales::concept_named("rival_room"), Some(Concept::Exposure));
    assert_eq!(Scales::concept_named("king_safety"), None);
}

#[test]
fn without_emotion_strength_every_weight_stays() {
    let mind = read("").mind;
    let position = [-8.0, 2.0, 1.0, -6.0];
    let off = mind.appraise(&position, true, 0, None).ratios;
    assert_eq!(off, Ratios::NEUTRAL);
    let bent = |ratios: &Ratios<Scales>| bent_weight(0.0, 4.0, ratios.own[Group::Room as usize]);
    assert_eq!(bent(&off), 0.0);
    assert!((bent(&appraise(&mind, position).ratios) - 3.2).abs() < 1e-12);
}

#[test]
fn shares_follow_the_ranges_of_the_game() {
    let share = "share = { gold = 0.1, paths = 0.2, room = 0.3, rival_room = 0.4 }";
    let mind = read(&format!("[[goals]]\nname = \"flee\"\n{share}\nat = -0.5")).mind;
    let [flee, _] = mind.relevance.goals;
    let weighted = flee.ratios(-0.5).measures();
    let parts = [20.0, 10.0, 10.0, 10.0].map(|range| range / 50.0);
    for ((ratio, part), share) in weighted.into_iter().zip(parts).zip([0.1, 0.2, 0.3, 0.4]) {
        assert!((ratio * part - share).abs() < 1e-12, "{weighted:?}");
    }
}

#[test]
fn profiles_extend_the_first_or_an_earlier_one() {
    let bold = MindProfile::<Scales>::builtin("bold", &BUILTIN).unwrap();
    assert_eq!((bold.name.as_str(), bold.source.as_str()), ("Bold", "bold"));
    assert_eq!(bold.mind.ladder, read("").mind.ladder);
    let again = read("[about]\nextends = \"bold\"\nsummary = \"Dares.\"");
    assert_eq!((again.name.as_str(), again.summary.as_str()), ("own", "Dares."));
    assert_eq!(again.mind, bold.mind);
    assert_eq!(read("").mind.thresholds, Thresholds { lead: 5 });
    assert_eq!(again.mind.thresholds, Thresholds { lead: 1 });
}

#[test]
fn errors_name_the_place_and_what_the_game_allows() {
    for (text, message) in [
        (
            "[perception]\nking_safety = {}",
            "own.toml:2: perception.king_safety: unknown measure `king_safety` (measures: gold, \
             paths, room, rival_room)",
        ),
        (
            "[[goals]]\nname = \"gathr\"",
            "own.toml:2: goals.gathr: unknown goal `gathr` (goals: flee, gather); did you mean \
             `gather`?",
        ),
        (
            "[[goals]]\nname = \"flee\"\nwhen = { rom = \"safe\" }",
            "own.toml:3: goals.flee.when.rom: unknown condition `rom` (conditions: ahead, gold, \
             paths, room, rival_room); did you mean `room`?",
        ),
        (
            "[[goals]]\nname = \"flee\"\nfear = { own = { gold = 90 } }",
            "own.toml:3: goals.flee.fear: found `gold` under `own`, but it is one balance of both \
             sides (eq. 7), allowed: `gold` under `both`",
        ),
        (
            "[facts]\nlead = 0",
            "own.toml:2: facts.lead: found `0`, allowed: a whole number from 1 to 50",
        ),
        (
            "[weights]\n",
            "own.toml:1: weights: unknown key `weights` (keys: about, map, perception, facts, goals, \
             feeling)",
        ),
        (
            "[about]\nextends = \"brave\"",
            "own.toml:2: about.extends: unknown profile `brave` (profiles: none, plain, bold)",
        ),
        (
            "[about]\nextends = \"none\"",
            "own.toml:1: map: is missing, but a profile that extends none needs every key",
        ),
    ] {
        assert_eq!(error(text), message);
    }
    let unknown = MindProfile::<Scales>::builtin("brave", &BUILTIN).unwrap_err().to_string();
    assert_eq!(unknown, "unknown profile `brave` (profiles: plain, bold)");
}

#[test]
fn a_first_profile_must_describe_perception_facts_and_goals() {
    let first = |text: &str| MindProfile::<Scales>::from_text(text, "first.toml", &[]);
    assert!(first(PLAIN.text).is_ok());
    for section in ["perception", "facts", "goals"] {
        let head = format!("{section}]");
        let others = PLAIN.text.split("\n[").filter(|part| !part.contains(&head));
        let missing = first(&others.collect::<Vec<_>>().join("\n[")).unwrap_err().to_string();
        let reason = "is missing, but a profile that extends none needs every key";
        assert_eq!(missing, format!("first.toml:1: {section}: {reason}"));
    }
}
