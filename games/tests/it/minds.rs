//! Tests of the mind over both games. Without emotion, players choose as the baseline does.

use crate::after_random_moves;
use deepfeeling::mind::{
    listed::{Listed, Row},
    relevance::Ratios,
};
use deepfeeling_games::{
    agent::{Agent, AgentOptions, Thought},
    evaluation::Evaluation,
    game::{Game, Side},
    horses::Horses,
    level::{Playable, PlayerSpec, temperament},
    search::deepening::Limit,
    tilt::Tilt,
};

fn options() -> AgentOptions {
    AgentOptions { limit: Limit::Nodes(300), ..AgentOptions::default() }
}

fn positions<G: Game>(count: u64, most: usize) -> Vec<G> {
    (0..count).map(|seed| after_random_moves(G::Rules::default(), seed, most)).collect()
}

fn thought<G: Playable>(name: &str, options: AgentOptions, position: &G) -> Thought<G> {
    let player = PlayerSpec::parse(name).unwrap();
    Agent::new(&player, options, 7).choose(position).unwrap()
}

/// Panics unless players that cannot feel choose the move and value of the player without a mind in
/// all positions.
fn assert_off_is_off<G: Playable>(levels: &[&str], positions: &[G]) {
    for level in levels {
        let [plain, neutral, standard] = ["", "+neutral", "+standard"]
            .map(|mind| PlayerSpec::parse(&format!("{level}{mind}")).unwrap());
        let numb = AgentOptions { strength: 0, ..options() };
        for position in positions {
            let choose = |player, options| {
                let thought = Agent::new(player, options, 7).choose(position).unwrap();
                Thought { appraisal: None, ..thought }
            };
            let expected = choose(&plain, options());
            assert_eq!(choose(&neutral, options()), expected, "{level} in {position}");
            assert_eq!(choose(&standard, numb), expected, "{level} in {position}");
        }
    }
}

#[test]
fn without_emotion_a_thousand_positions_of_horses_are_played_as_the_baseline_does() {
    let positions = positions::<Horses>(1000, 40);
    assert_off_is_off(&["beginner", "3"], &positions);
    assert_off_is_off(&["amateur", "expert", "master"], &positions[..60]);
}

#[test]
fn without_emotion_a_thousand_positions_of_tilt_are_played_as_the_baseline_does() {
    let positions = positions::<Tilt>(1000, 150);
    assert_off_is_off(&["normal"], &positions);
    assert_off_is_off(&["expert", "2", "master"], &positions[..150]);
}

#[test]
fn emotion_changes_some_moves() {
    let changed = |level: &str, count: u64| {
        let positions = positions::<Horses>(count, 40);
        let differs = |position: &&Horses| {
            let felt = thought(&format!("{level}+standard"), options(), *position);
            felt.m != thought(level, options(), *position).m
        };
        positions.iter().filter(differs).count()
    };
    assert!(changed("amateur", 200) > 2);
}

#[test]
fn built_in_temperaments_settle_and_their_goals_are_all_on_the_ladder() {
    fn assert_valid<G: Playable>() {
        for builtin in G::TEMPERAMENTS {
            let profile = temperament::<G>(builtin.name).unwrap();
            assert_eq!(profile.mind.first_unsettled(), None, "{}", builtin.name);
            let goals: Vec<G::Goal> = profile.mind.ladder.iter().map(|rule| rule.goal).collect();
            assert_eq!(goals, G::Goal::ALL.into_iter().collect::<Vec<_>>());
            assert!(!profile.summary.is_empty());
        }
    }
    assert_valid::<Horses>();
    assert_valid::<Tilt>();
}

/// Returns ratios that differ between groups and sides.
fn uneven<G: Playable>() -> Ratios<G> {
    Ratios {
        own: Row::from_fn(|i| 1.5 + i as f64 / 8.0),
        other: Row::from_fn(|i| 0.9 - i as f64 / 16.0),
    }
}

#[test]
fn finished_games_are_not_bent_and_terms_without_weight_count_only_in_a_feeling() {
    let player = PlayerSpec::<Horses>::parse("expert").unwrap();
    let agent = Agent::new(&player, options(), 1);
    for side in Side::ALL {
        let plain = agent.evaluation(side, &Ratios::NEUTRAL);
        let felt: Evaluation<Horses> = agent.evaluation(side, &uneven());
        assert_eq!(plain.weights, player.level.weights);
        assert!(plain.weights.own[5] == 0.0 && felt.weights.own[5] > 0.0);
        assert!(felt.weights.other[5] < 0.0, "below 100 percent the side shuns it");
        assert!(felt.weights.other[4] == 0.0, "the rest is no term of the opponent");
        for position in positions::<Horses>(20, 40) {
            assert!(plain.end(&position) == felt.end(&position));
            assert!(plain.leaf(&position) != felt.leaf(&position));
        }
    }
}

#[test]
fn the_table_is_cleared_between_feelings() {
    let player = PlayerSpec::<Horses>::parse("master+standard").unwrap();
    let mut agent = Agent::new(&player, options(), 7);
    let mut last = None;
    let mut changes = 0;
    for position in positions::<Horses>(60, 40) {
        let thought = agent.choose(&position).unwrap();
        let ratios = thought.appraisal.as_ref().map(|appraisal| (appraisal.side, appraisal.ratios));
        if ratios != last {
            let fresh = Agent::new(&player, options(), 7).choose(&position).unwrap();
            assert_eq!(thought, fresh, "{position}");
            changes += 1;
        }
        last = ratios;
    }
    assert!(changes > 20, "{changes}");
}
