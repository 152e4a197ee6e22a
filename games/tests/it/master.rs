//! Tests of iterative deepening: it solves the ends of games exactly, and says so.

use crate::after_random_moves;
use deepfeeling_games::{
    agent::{Agent, AgentOptions},
    evaluation::{Ends, Evaluation, WIN},
    game::{Game, Side},
    horses::{Horses, HorsesRules},
    level::{Playable, PlayerSpec, level},
    search::{
        deepening::{Limit, deepen},
        minimax,
        table::Table,
    },
    tilt::{Tilt, rules::TiltRules},
};

/// A depth that no game in these tests reaches.
const TO_THE_END: u8 = 100;

fn evaluation<G: Playable>(side: Side) -> Evaluation<G> {
    Evaluation::new(side, level::<G>("master").unwrap().weights, Ends::Ranked)
}

/// Panics unless the search solves `position` with the value of a complete minimax.
fn assert_solved<G: Playable>(position: &G) {
    let evaluation = evaluation::<G>(position.turn());
    let limit = Limit::Nodes(1_000_000);
    let found = deepen(position, &evaluation, limit, &mut Table::new(14)).unwrap();
    assert!(found.is_solved, "{position}");
    let value = minimax(position, TO_THE_END, &evaluation);
    assert!(found.best.value == value, "{position}: {}, expected {value}", found.best.value);
    let after = minimax(&position.after(found.best.m), TO_THE_END, &evaluation);
    assert!(after == value, "{position}: {} has another value", found.best.m);
}

/// Returns whether every game from `position` ends within `plies` moves, and the complete tree is
/// small.
fn is_near_end<G: Game>(position: &G, plies: u32) -> bool {
    deepfeeling_games::perft::lines(position, plies) == 0
}

#[test]
fn ends_of_horses_are_solved_exactly() {
    let mut solved = 0;
    for seed in 0..400 {
        let position = after_random_moves::<Horses>(HorsesRules::default(), seed, 45);
        if position.destroyed().count_ones() >= 34 && is_near_end(&position, 12) {
            assert_solved(&position);
            solved += 1;
        }
    }
    assert!(solved > 25, "{solved}");
}

#[test]
fn ends_of_tilt_are_solved_exactly() {
    for text in [
        "16/16/3G6S5/3G8S3/16 G 2:3 8:8",
        "16/9S6/16/6G9/16 S 2:2 9:9",
        "12S3/16/16/3G12/16 S 4:3 8:8",
    ] {
        let position = Tilt::parse(text, TiltRules::default()).unwrap();
        assert_solved(&position);
    }
}

#[test]
fn a_search_says_that_it_has_not_solved_the_start() {
    let position = Horses::start(HorsesRules::default(), 1);
    let evaluation = evaluation(Side::First);
    let found = deepen(&position, &evaluation, Limit::Nodes(5000), &mut Table::new(12)).unwrap();
    assert!(!found.is_solved && found.best.value.abs() < WIN / 2.0);
    assert!(found.depth >= 4 && found.nodes >= 5000, "{found:?}");
    // with as many nodes as a complete iteration needs, it finds the same value as minimax
    let value = minimax(&position, 3, &evaluation);
    let found = (1..5000).find_map(|nodes| {
        let found =
            deepen(&position, &evaluation, Limit::Nodes(nodes), &mut Table::new(12)).unwrap();
        (found.depth == 3).then_some(found)
    });
    assert!(found.is_some_and(|found| found.best.value >= value));
}

#[test]
fn a_finished_game_has_no_best_move() {
    let position = Horses::parse("a1 h8 w 1:0 - b3,c2,g6,f7 -", HorsesRules::default()).unwrap();
    let limit = Limit::Nodes(100);
    assert_eq!(deepen(&position, &evaluation(Side::First), limit, &mut Table::new(4)), None);
}

#[test]
fn a_solved_game_is_announced_with_winner_and_lead() {
    let verdict = |text: &str| {
        let position = Horses::parse(text, HorsesRules::default()).unwrap();
        let player = PlayerSpec::<Horses>::parse("master").unwrap();
        let thought = Agent::new(&player, AgentOptions::default(), 1).choose(&position).unwrap();
        thought.verdict(position.turn())
    };
    // White steps to c2 and Black to g6, and then both are stuck
    let stuck = "b3,a3,b4,d4,e1,e3,f7,h4,f8,e5,e7,f4";
    let with = |score: &str| format!("a1 h8 w {score} - {stuck} c2+4,g6+1");
    assert_eq!(verdict(&with("1:0")).unwrap(), "solved: White by 4");
    assert_eq!(verdict(&with("0:5")).unwrap(), "solved: Black by 2");
    assert_eq!(verdict(&with("0:3")).unwrap(), "solved: a draw");
    let start = Horses::start(HorsesRules::default(), 1).to_string();
    assert_eq!(verdict(&start), None);
}
