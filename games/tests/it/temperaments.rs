//! Pins of the built-in temperaments: how often each goal occurs, and that each percentage changes a
//! move.

use deepfeeling_games::{
    agent::AgentOptions,
    horses::Horses,
    lab::{self, census::census, knobs},
    level::{Playable, PlayerSpec},
    tilt::Tilt,
};

/// A position for each percentage, where it changes the move: game, goal, feeling, group, position.
/// Made by `horses knobs amateur+standard --games 12000` and `tilt knobs expert+standard --games 1000`.
const WITNESSES: &str = include_str!("../data/knobs.tsv");

/// Returns the share of each goal in games of a player against itself, in tenths of a percent.
fn shares<G: Playable>(player: &str, games: u64) -> Vec<(&'static str, u32)> {
    let player = PlayerSpec::<G>::parse(player).unwrap();
    let games: Vec<_> =
        lab::games(&player, G::Rules::default(), 1..=games, AgentOptions::default(), &|| false)
            .collect();
    let census = census(&player.temperament.as_ref().unwrap().mind, &games);
    census.goals.iter().map(|one| (one.goal, (10.0 * one.share).round() as u32)).collect()
}

#[test]
fn goals_of_horses_occur_as_often_as_before() {
    let expected = [
        ("break_out", 358),
        ("strand_rival", 36),
        ("make_room", 20),
        ("take_prize", 72),
        ("deny_prize", 47),
        ("sit_on_lead", 66),
        ("hunt", 224),
        ("hold_centre", 177),
    ];
    assert_eq!(shares::<Horses>("amateur+standard", 100), expected);
}

#[test]
fn goals_of_tilt_occur_as_often_as_before() {
    let expected = [
        ("unblock", 376),
        ("bring_home", 398),
        ("use_run", 14),
        ("stop_runner", 61),
        ("hem_in", 20),
        ("keep_balance", 123),
        ("advance", 8),
    ];
    assert_eq!(shares::<Tilt>("expert+standard", 30), expected);
}

#[test]
#[ignore = "plays thousands of games"]
fn every_goal_occurs_in_a_hundredth_of_all_positions() {
    let all = [shares::<Horses>("amateur+standard", 2000), shares::<Tilt>("expert+standard", 2000)];
    for (goal, share) in all.concat() {
        assert!(share >= 10, "{goal}: {share} of 1000");
    }
}

/// Panics unless each percentage of `player` changes the move in the position recorded for it.
fn assert_each_percentage_changes_a_move<G: Playable>(player: &str) {
    let player = PlayerSpec::<G>::parse(player).unwrap();
    let mind = &player.temperament.as_ref().unwrap().mind;
    let rows: Vec<Vec<&str>> = WITNESSES.lines().map(|row| row.split('\t').collect()).collect();
    let rows: Vec<_> = rows.iter().filter(|row| row[0] == G::NAME).collect();
    let percentages = knobs::find::<G>(mind, &player.level, &[], &|| false);
    assert_eq!(rows.len(), percentages.len(), "one position for each percentage of {}", G::NAME);
    for (row, knob) in rows.iter().zip(&percentages) {
        assert_eq!(row[1..4], [knob.goal, knob.feeling, &knob.group]);
        let position = G::parse(row[4], G::Rules::default()).unwrap();
        let found = knobs::find(mind, &player.level, &[position], &|| false);
        let found = found.iter().find(|one| one.witness.is_some() && one.group == knob.group);
        let found = found.unwrap_or_else(|| panic!("no change of the move: {row:?}"));
        assert_eq!((found.goal, found.feeling), (knob.goal, knob.feeling));
    }
}

#[test]
fn each_percentage_of_horses_changes_a_move() {
    assert_each_percentage_changes_a_move::<Horses>("amateur+standard");
}

#[test]
fn each_percentage_of_tilt_changes_a_move() {
    assert_each_percentage_changes_a_move::<Tilt>("expert+standard");
}
