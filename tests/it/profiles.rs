//! Tests of profiles: files in config/ load with the intended content, broken files are rejected.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use deepfeeling::{
    chess_mind::{Fact, Goal, GoalRelevance, Ratios, relevance::RANGES},
    lab::{measure, paper::article::LINKS, style::Measure},
    mind::{
        channels::Channels,
        concept::Concept,
        fcm::{Rule, Squash},
        goal::Condition,
        relevance::factor_of_share,
    },
    profile::{EvaluatorKind, MeasuredFigure, Profile, error::ProfileError},
};
use nalgebra::SMatrix;
use proptest::{prelude::*, sample::Index, test_runner::RngSeed};
use std::{fs, path::Path};

fn builtin(name: &str) -> Profile {
    Profile::builtin(name).unwrap()
}

#[test]
fn every_file_in_config_is_built_in_and_loads_from_disk() {
    let mut names: Vec<String> = fs::read_dir("config")
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    names.sort_unstable();
    let mut embedded = Profile::BUILTIN;
    embedded.sort_unstable();
    assert_eq!(names, embedded);
    for name in embedded {
        let profile = builtin(name);
        assert_eq!(profile.source, name);
        assert!(!profile.name.is_empty() && !profile.summary.is_empty(), "{name}");
        assert_in_range(&profile);
        assert_eq!(profile.mind.first_unsettled(), None, "{name}");
        let path = format!("config/{name}.toml");
        let from_file = Profile::from_file(Path::new(&path)).unwrap();
        assert_eq!(from_file, Profile { source: path, ..profile });
    }
}

#[test]
fn default_has_every_goal_and_factors_for_what_it_is_about() {
    let mind = builtin("standard").mind;
    let goals: Vec<Goal> = mind.ladder.iter().map(|rule| rule.goal).collect();
    assert_eq!(goals, Goal::ALL);
    for (goal, relevance) in Goal::ALL.into_iter().zip(mind.relevance.goals) {
        assert_ne!(relevance, GoalRelevance::neutral(), "{goal:?}");
        for intensity in [-1.0, 1.0] {
            let ratios = relevance.ratios(intensity);
            for ratio in ratios.own.into_iter().chain(ratios.other) {
                assert!((1.0..=2.0).contains(&ratio), "{goal:?} at {intensity}: {ratio}");
            }
        }
    }
}

#[test]
fn neutral_has_factors_of_one_and_the_weights_of_default() {
    let neutral = builtin("neutral");
    assert_eq!(neutral.mind.channels, Channels::default());
    assert_eq!(neutral.weights, builtin("standard").weights);
    assert_eq!(neutral.evaluator, EvaluatorKind::Terms);
    for goal in Goal::ALL {
        for intensity in [-1.0, -0.4, 0.0, 0.7, 1.0] {
            for temperament in [0, 100, 200] {
                let ratios = neutral.mind.relevance.ratios(Some(goal), intensity, temperament);
                assert_eq!(ratios, Ratios::NEUTRAL, "{goal:?} at {intensity}");
            }
        }
    }
}

#[test]
fn default_and_paper2012_have_the_map_of_the_article() {
    for name in ["standard", "paper2012"] {
        let expected = SMatrix::<f64, 7, 7>::from_fn(|to, from| LINKS[from][to]);
        assert_eq!(builtin(name).mind.map.influence, expected, "{name}");
    }
}

#[test]
fn paper2012_settles_at_the_articles_fixed_point() {
    let mind = builtin("paper2012").mind;
    assert_eq!(mind.map.squash, Squash::BipolarLogistic { slope: 5.0 });
    assert_eq!(mind.map.rule, Rule::Kosko);
    assert_eq!(mind.held, [false; Concept::COUNT]);
    assert_eq!((mind.steps, mind.inertia), (None, 0.0));
    assert_eq!(mind.channels, Channels::default());
    // table 5; the perceived exposure of the opponent's king does not matter
    let (settled, _) = mind.settle(&[0.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.9].into());
    assert!((settled[Concept::Relief as usize] + 0.986_541).abs() < 5e-7);
}

#[test]
fn paper2012_has_only_the_factors_of_the_article() {
    let profile = builtin("paper2012");
    assert_eq!(profile.evaluator, EvaluatorKind::Measures);
    let table = profile.mind.relevance;
    assert_eq!((table.floor, table.ceiling), (None, None));
    for (goal, relevance) in Goal::ALL.into_iter().zip(table.goals) {
        match relevance {
            GoalRelevance::Shares { share, at } => {
                assert_eq!(goal, Goal::EscapeCheck);
                let printed = [1.352_796, -25.618_352, -39.857_541, -2.011_938];
                for (r, printed) in factor_of_share(&share, &RANGES, at).iter().zip(printed) {
                    assert!((r - printed).abs() < 5e-7, "{r} for {printed}");
                }
            }
            GoalRelevance::Sides { .. } => {
                assert_ne!(goal, Goal::EscapeCheck);
                assert_eq!(relevance, GoalRelevance::neutral(), "{goal:?}");
            }
        }
    }
}

#[test]
fn paper2012_has_the_ladder_of_figure_3() {
    use Concept::{Exposure, Material, Mobility, Safety};
    use Condition::{Fact as Is, Label};
    use Fact::{
        CanCastle, CanMate, CanSeekMate, CentreDominated, Endgame, EnemyThreat, InCheck,
        OpposingPassedPawn, PassedPawn,
    };
    let seek = Is(CanSeekMate, true);
    let avoid = Is(CanSeekMate, false);
    let expected = [
        (Goal::EscapeCheck, vec![Is(InCheck, true)]),
        (Goal::GiveMate, vec![Is(CanMate, true), Label(Exposure, 2)]),
        (Goal::SecureKing, vec![Label(Safety, 0)]),
        (Goal::Castle, vec![Is(CanCastle, true)]),
        (Goal::GainMobility, vec![Label(Mobility, 0)]),
        (Goal::PromotePawn, vec![seek, Is(PassedPawn, true), Is(Endgame, true)]),
        (Goal::ConfineKing, vec![seek, Label(Material, 2)]),
        (Goal::WinMaterial, vec![seek, Is(CentreDominated, true)]),
        (Goal::DominateCentre, vec![seek]),
        (Goal::BlockPassedPawns, vec![avoid, Is(OpposingPassedPawn, true)]),
        (Goal::CaptureThreat, vec![avoid, Is(EnemyThreat, true)]),
        (Goal::ReachSafety, vec![]),
    ];
    let ladder = builtin("paper2012").mind.ladder;
    let found: Vec<_> = ladder.into_iter().map(|rule| (rule.goal, rule.when)).collect();
    assert_eq!(found, expected);
}

/// The first line of each file is a comment with the expected message, from the line number on.
#[test]
fn broken_profiles_are_rejected_in_one_line() {
    let mut names: Vec<_> = fs::read_dir("tests/data/profiles")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert!(names.len() > 30);
    for name in names {
        let text = fs::read_to_string(format!("tests/data/profiles/{name}")).unwrap();
        let expected = text.lines().next().unwrap().strip_prefix("# ").unwrap();
        let error = Profile::from_text(&text, &name).expect_err(&name);
        assert_eq!(error.to_string(), format!("{name}:{expected}"));
    }
}

#[test]
fn profile_names_must_match_and_a_similar_one_is_suggested() {
    for (name, hint) in [
        ("Standard", "; did you mean `standard`?"),
        ("gaurdian", "; did you mean `guardian`?"),
        ("none", ""),
        ("", ""),
    ] {
        let profiles = "standard, neutral, paper2012, guardian, berserker, anxious, optimist, miser, gambler, hunter, pioneer, attacker, grinder, human";
        let expected = format!("unknown profile `{name}` (profiles: {profiles}){hint}");
        assert_eq!(Profile::builtin(name).unwrap_err().to_string(), expected);
    }
}

#[test]
fn files_that_are_not_profiles_are_rejected_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let message = Profile::from_file(&path).unwrap_err().to_string();
        message.strip_prefix(&format!("{}", path.display())).unwrap().to_string()
    };
    assert_eq!(refusal("latin.toml", b"# \xe9t\xe9"), ": is not UTF-8 text after byte 2");
    let large = vec![b'#'; (1 << 20) + 1];
    let too_large = ": is too large for a profile, allowed: 1048576 bytes";
    assert_eq!(refusal("large.toml", &large), too_large);
    assert_eq!(refusal("nul.toml", b"\0"), ":1: not TOML: key with no value, expected `=`");
    let error = Profile::from_file(folder.path()).unwrap_err();
    assert!(error.to_string().ends_with(": is not a file"), "{error}");
    let error = Profile::from_file(&folder.path().join("absent.toml")).unwrap_err();
    assert!(error.to_string().contains("absent.toml: cannot be read: "), "{error}");
    assert!(matches!(error, ProfileError::Unreadable { .. }));
}

#[test]
fn deep_nesting_and_long_names_are_rejected_in_one_line() {
    let long = "x".repeat(200_000);
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{ b = ".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("{long} = 1"),
        format!("[weights]\n\"{long}\" = [1, 2]"),
        format!("[about]\nname = \"{long}\""),
    ] {
        let message = Profile::from_text(&text, "odd\nname").unwrap_err().to_string();
        assert!(!message.contains('\n') && message.len() < 1000, "{message}");
    }
}

/// Returns the means and errors in a row of a table of docs/measurements.
fn measured_row(table: &str, first: &str) -> Vec<(f64, f64)> {
    let figure = |cell: &str| {
        let cell = cell.replace('−', "-");
        let (mean, error) = cell.split_once(" ± ")?;
        Some((mean.parse().ok()?, error.parse().ok()?))
    };
    let table = measure::table(Path::new("docs/measurements"), table).unwrap();
    let row = table.rows.iter().find(|row| row[0] == format!("`{first}`")).unwrap();
    row.iter().filter_map(|cell| figure(cell)).collect()
}

#[test]
fn the_profile_files_have_the_measured_figures() {
    let profiles = Profile::BUILTIN.into_iter().filter(|&name| name != "paper2012");
    for name in profiles.clone() {
        let measured = builtin(name).measured;
        let (goals, others): (Vec<_>, Vec<_>) =
            measured.iter().partition(|m| Goal::ALL.iter().any(|goal| goal.name() == m.name));
        assert_eq!(goals.len(), Goal::COUNT, "{name}");
        for m in &others {
            let is_style = Measure::ALL.iter().any(|measure| measure.name() == m.name);
            assert!(is_style || m.name == "elo", "{name}: {}", m.name);
        }
        let figures: Vec<_> = others.iter().map(|m| (m.mean, m.error)).collect();
        assert_eq!(measured_row("style", name), figures, "{name}");
    }
    for goal in Goal::ALL {
        let figures = profiles.clone().map(|name| {
            let measured = builtin(name).measured;
            let share = measured.iter().find(|m| m.name == goal.name()).unwrap();
            (share.mean, share.error)
        });
        let figures: Vec<_> = figures.collect();
        assert_eq!(measured_row("goals", goal.name()), figures, "{goal:?}");
    }
}

#[test]
fn every_signature_is_larger_than_the_errors() {
    let neutral = builtin("neutral").measured;
    for name in Profile::BUILTIN.into_iter().filter(|name| !["paper2012", "neutral"].contains(name))
    {
        let Profile { measured, signature, .. } = builtin(name);
        assert!((1..=3).contains(&signature.len()), "{name}");
        for one in &signature {
            let figure =
                |of: &[MeasuredFigure]| of.iter().find(|m| m.name == one.name).unwrap().clone();
            let (own, reference) = (figure(&measured), figure(&neutral));
            let difference = own.mean - reference.mean;
            assert!(difference.abs() > own.error.hypot(reference.error), "{name}: {one}");
            assert_eq!(difference > 0.0, one.is_higher, "{name}: {one}");
        }
    }
}

#[test]
fn any_two_temperaments_differ_in_the_measured_figures() {
    let profiles =
        Profile::BUILTIN.into_iter().filter(|name| !["paper2012", "neutral"].contains(name));
    let profiles: Vec<_> = profiles.map(|name| (name, builtin(name).measured)).collect();
    assert!(profiles.len() >= 9);
    for (i, (first, of_first)) in profiles.iter().enumerate() {
        for (second, of_second) in &profiles[..i] {
            let pairs = of_first.iter().zip(of_second).filter(|(a, _)| a.name != "elo");
            let found = pairs.filter(|(a, b)| {
                assert_eq!(a.name, b.name);
                (a.mean - b.mean).abs() > a.error.hypot(b.error)
            });
            let found: Vec<_> = found.map(|(a, _)| a.name.as_str()).collect();
            let is_felt = |name: &str| {
                ["intensity", "volatility"].contains(&name)
                    || Goal::ALL.iter().any(|goal| goal.name() == name)
            };
            assert!(found.len() >= 5, "{first} and {second}: {found:?}");
            let differs_in_play = found.iter().any(|name| !is_felt(name));
            assert!(differs_in_play, "{first} and {second}: {found:?}");
        }
    }
}

/// Panics unless every number of a profile is finite and within its allowed range.
fn assert_in_range(profile: &Profile) {
    let Profile { name, weights, mind, .. } = profile;
    assert!((1..=61).contains(&name.chars().count()) && !name.contains('\n'));
    for weight in weights.0 {
        assert!(weight.mg().abs() <= 4000 * 256 && weight.eg().abs() <= 4000 * 256);
    }
    let unit = -1.0..=1.0;
    assert!(mind.map.influence.iter().all(|weight| unit.contains(weight)));
    assert!(mind.fixed.iter().flatten().all(|value| unit.contains(value)));
    assert!(mind.map.tolerance > 0.0 && mind.map.step_limit > 0);
    let ramps = [
        mind.perception.material,
        mind.perception.mobility,
        mind.perception.safety,
        mind.perception.exposure,
    ];
    assert!(ramps.iter().all(|ramp| (ramp.to - ramp.from).abs() >= 1e-3 && ramp.to.is_finite()));
    assert!(mind.relevance.floor.is_none_or(|floor| (0.0..=1.0).contains(&floor)));
    assert!(mind.relevance.ceiling.is_none_or(|ceiling| (1.0..=64.0).contains(&ceiling)));
    assert!(mind.steps.is_none_or(|steps| steps > 0) && (0.0..=0.95).contains(&mind.inertia));
    assert!((0.0..=1.0).contains(&mind.bend));
    let (channels, most) = (mind.channels, Channels::MOST);
    assert!(channels.contempt.abs() <= most.contempt);
    assert!((0.0..=most.time).contains(&channels.time));
    assert!((0.0..=most.attention).contains(&channels.attention));
    for relevance in &mind.relevance.goals {
        for intensity in [-1.0, 0.0, 1.0] {
            let ratios = relevance.ratios(intensity);
            assert!(ratios.own.iter().chain(&ratios.other).all(|ratio| ratio.is_finite()));
        }
    }
}

/// One kind of damage to a profile file.
#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    DropLine(Index),
    RepeatLine(Index, Index),
    SwapTokens(Index, Index),
    Replace(Index, &'static str),
}

impl Damage {
    fn any() -> impl Strategy<Value = Self> {
        let index = any::<Index>;
        let odd = prop::sample::select(vec![
            "nan",
            "-inf",
            "1e999",
            "-1e-320",
            "99999999999999999999",
            "0x7f",
            "-1",
            "0",
            "\"\"",
            "\"none\"",
            "[]",
            "{}",
            "true",
            "1979-05-27",
            "'''",
            "\u{feff}",
            "=",
            "[[goals]]",
        ]);
        prop_oneof![
            (index(), 0..8u8).prop_map(|(at, bit)| Self::Flip(at, bit)),
            index().prop_map(Self::DropLine),
            (index(), index()).prop_map(|(from, to)| Self::RepeatLine(from, to)),
            (index(), index()).prop_map(|(a, b)| Self::SwapTokens(a, b)),
            (index(), odd).prop_map(|(at, odd)| Self::Replace(at, odd)),
        ]
    }

    fn apply(&self, text: &str) -> String {
        let mut lines: Vec<&str> = text.split('\n').collect();
        let mut tokens: Vec<&str> = text.split(' ').collect();
        match self {
            Self::Flip(at, bit) => {
                let mut bytes = text.as_bytes().to_vec();
                let at = at.index(bytes.len().max(1));
                bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << bit);
                return String::from_utf8_lossy(&bytes).into_owned();
            }
            Self::DropLine(at) => {
                lines.remove(at.index(lines.len()));
            }
            Self::RepeatLine(from, to) => {
                lines.insert(to.index(lines.len()), lines[from.index(lines.len())]);
            }
            Self::SwapTokens(a, b) => {
                let (a, b) = (a.index(tokens.len()), b.index(tokens.len()));
                tokens.swap(a, b);
                return tokens.join(" ");
            }
            Self::Replace(at, odd) => {
                let at = at.index(tokens.len());
                tokens[at] = odd;
                return tokens.join(" ");
            }
        }
        lines.join("\n")
    }
}

/// Returns a built-in file without comments and with few weights, so that damage hits its content.
fn bare(name: &str) -> String {
    let text = fs::read_to_string(format!("config/{name}.toml")).unwrap();
    let keys = text.split("\n[weights]").next().unwrap().replace("extends = \"none\"", "");
    let lines: Vec<&str> = keys.lines().filter(|line| !line.starts_with('#')).collect();
    let pawns =
        "connected_pawn = [[0, 0], [1, 2], [3, 4], [5, 6], [7, 8], [9.5, 1], [2, 3], [0, 0]]";
    format!("{}\n[weights]\ntempo = [10, -5]\n{pawns}\n", lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(2012),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn damaged_profiles_are_rejected_in_one_line_or_in_range(
        name in prop::sample::select(vec!["standard", "paper2012", "guardian"]),
        damage in prop::collection::vec(Damage::any(), 1..4),
    ) {
        let text = damage.iter().fold(bare(name), |text, damage| damage.apply(&text));
        match Profile::from_text(&text, "damaged.toml") {
            Ok(profile) => assert_in_range(&profile),
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.starts_with("damaged.toml:"), "{message}");
                prop_assert!(!message.chars().any(char::is_control), "{message}");
            }
        }
    }
}
