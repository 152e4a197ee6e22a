//! Tests of matches, their statistics, and records of games.

use deepfeeling_games::{
    agent::AgentOptions,
    game::{Game, Side},
    horses::{Fine, Horses, HorsesRules},
    level::{Playable, PlayerSpec},
    matches::{MatchOptions, run, statistics::SampleMean},
    record::{GameRecord, read},
    search::deepening::Limit,
    tilt::{Tilt, rules::TiltRules},
};
use std::sync::atomic::AtomicBool;

fn options<G: Playable>(a: &str, b: &str, rules: G::Rules, pairs: u64) -> MatchOptions<G> {
    MatchOptions {
        players: [a, b].map(|name| PlayerSpec::parse(name).unwrap()),
        rules,
        pairs,
        seed: 1,
        threads: 2,
        agents: AgentOptions { limit: Limit::Nodes(500), ..AgentOptions::default() },
        sprt: None,
    }
}

/// Plays a match and returns its records and the share of the first player.
fn played<G: Playable>(options: &MatchOptions<G>) -> (Vec<GameRecord<G>>, f64) {
    let mut records = Vec::new();
    let stop = AtomicBool::new(false);
    let tally = run(options, &stop, |_, pair| records.extend(pair.0.clone())).unwrap();
    (records, tally.share.mean())
}

#[test]
fn matches_are_pairs_and_do_not_depend_on_threads() {
    let options = options::<Horses>("beginner", "random", HorsesRules::default(), 20);
    let (records, share) = played(&options);
    assert_eq!(records.len(), 40);
    assert!(share > 0.9, "{share}");
    for pair in records.chunks(2) {
        assert_eq!(pair[0].start, pair[1].start);
        assert_eq!(pair[0].players, ["beginner", "random"]);
        assert_eq!(pair[1].players, ["random", "beginner"]);
        assert!(pair.iter().all(|record| record.last().outcome().is_some()));
    }
    assert!(records[0].start != records[2].start);
    let single = MatchOptions { threads: 1, ..options };
    assert_eq!(played(&single), (records, share));
}

#[test]
fn in_tilt_the_first_move_goes_from_pair_to_pair() {
    let (records, _) =
        played(&options::<Tilt>("normal", "expert+standard", TiltRules::default(), 2));
    let turns: Vec<Side> = records.iter().map(|record| record.start.turn()).collect();
    assert_eq!(turns, [Side::Second, Side::Second, Side::First, Side::First]);
}

#[test]
fn records_read_back_as_written() {
    let rules = HorsesRules { fine: Fine::EachTurn };
    let (records, _) = played(&options::<Horses>("master", "2~0.3,room=1+neutral", rules, 3));
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    assert_eq!(read::<Horses>(&text).unwrap(), records);
    let cut = GameRecord { moves: records[0].moves[..3].to_vec(), ..records[0].clone() };
    assert!(cut.to_string().ends_with("\nresult *\n"));
    assert_eq!(read::<Horses>(&cut.to_string()).unwrap(), [cut]);
    let jumps = "goal=cells,extras=edge,balance=stay,jumps=true".parse().unwrap();
    let (records, _) = played(&options::<Tilt>("novice", "normal", jumps, 1));
    assert_eq!(read::<Tilt>(&records[1].to_string()).unwrap()[0], records[1]);
    assert_eq!(read::<Tilt>("\n \n").unwrap(), []);
}

#[test]
fn wrong_records_are_refused_with_their_line() {
    let start = Horses::start(HorsesRules::default(), 1);
    let m = start.moves()[0];
    let record = GameRecord { moves: vec![m], ..GameRecord::new(["a", "b"], start) };
    let text = record.to_string();
    let with = |from: &str, to: &str| text.replacen(from, to, 1);
    for (text, error) in [
        (with("horses", "tilt"), "line 1: game: found `tilt`, allowed: horses"),
        (with("once", "twice"), "line 1: rules: found `fine=twice`, allowed: fine=once"),
        (with("Black", "Blue"), "line 3: record: found `Blue b`, allowed: a line with `Black`"),
        (with("start ", "start x "), "line 4: position: found 8 fields"),
        (with(&format!("moves {m}"), "moves a1"), "line 5: move 1: move: found `a1`"),
        (with("result *", "result draw"), "line 6: result: found `draw`, allowed: *"),
        (with("result *", ""), "record: found the end of the text, allowed: a line with `result`"),
    ] {
        let found = read::<Horses>(&text).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}\nexpected {error}");
    }
}

#[test]
fn wrong_players_are_refused() {
    let error = |name: &str| PlayerSpec::<Horses>::parse(name).unwrap_err().to_string();
    for (name, text) in [
        (
            "exprt",
            "level: found `exprt`, allowed: random, beginner, amateur, expert, master, or a depth",
        ),
        ("0", "level: found `0`"),
        ("expert~2", "share of random moves: found `2`, allowed: a number from 0 to 1"),
        ("expert,mobilty=2", "term: found `mobilty`, allowed: score, mobility, potential"),
        ("expert,mobility", "weight: found `mobility`, allowed: TERM=WEIGHT"),
        ("expert,mobility=NaN", "weight: found `mobility=NaN`"),
        ("expert+brave", "unknown profile `brave` (profiles: standard, "),
        ("expert+no/such.toml", "no/such.toml: cannot be read: "),
    ] {
        assert!(error(name).starts_with(text), "{}\nexpected {text}", error(name));
    }
    assert!(error("exprt").ends_with("did you mean `expert`?"));
}

#[test]
fn errors_of_means_are_those_of_the_t_distribution() {
    let mut sample = SampleMean::default();
    assert_eq!((sample.mean(), sample.error()), (0.0, None));
    for value in [0.0, 0.25, 0.5, 0.75, 1.0, 0.5, 0.5, 0.5] {
        sample.add(value);
    }
    // the variance is 0.625 / 7, and the quantile for 8 units is 2.365
    let expected = 2.365 * (0.625_f64 / 7.0 / 8.0).sqrt();
    assert!((sample.mean() - 0.5).abs() < 1e-12);
    assert!((sample.error().unwrap() - expected).abs() < 1e-4);
}
