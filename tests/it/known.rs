//! Tests of positions known from games: `remember`, `known`, the UCI options, `why` and `duel`.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::dialogue::{Dialogue, count};
use assert_cmd::{Command, assert::Assert};
use deepfeeling::{
    chess::{
        game::Game,
        known::{KnownGames, KnownGamesBuilder, position_key},
    },
    player::{Engine, Listener, Options},
    profile::Profile,
    search::{
        SearchResult, Signals,
        root::{
            limits::Limits,
            report::{Iteration, SearchListener},
        },
    },
};
use serde_json::Value;
use shakmaty::{Color, KnownOutcome, Position};
use std::{fs, num::NonZeroU64, path::Path, sync::Arc};

const NODES: NonZeroU64 = NonZeroU64::new(3000).unwrap();

fn run(arguments: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling")).args(arguments).assert()
}

fn output(arguments: &[&str]) -> String {
    String::from_utf8(run(arguments).success().get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap()
}

/// Panics unless the run fails with one error line that contains all of `parts`.
fn assert_refused(arguments: &[&str], parts: &[&str]) {
    let assert = run(arguments).code(2).stdout("");
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

/// Returns games in which the position after `moves` was always won by `winner`.
fn won_by(winner: Color, moves: &str, games: usize) -> KnownGames {
    let game = Game::parse(&format!("startpos moves {moves}"), None).unwrap();
    let mut builder = KnownGamesBuilder::default();
    for _ in 0..games {
        builder.add(vec![position_key(&game.chess)], KnownOutcome::Decisive { winner });
    }
    builder.build()
}

fn engine(options: Options) -> Engine {
    Engine::new(Profile::builtin("standard").unwrap(), options).unwrap()
}

fn searched(engine: &mut Engine, known: Option<&KnownGames>) -> SearchResult {
    engine.set_known_games(known.cloned().map(Arc::new));
    engine.new_game();
    engine.best_at(&Game::default(), NODES).unwrap()
}

fn alike(one: &SearchResult, other: &SearchResult) -> bool {
    (one.best, one.score, one.nodes, &one.pv) == (other.best, other.score, other.nodes, &other.pv)
}

#[test]
fn a_move_after_which_all_games_were_lost_is_avoided() {
    let mut engine = engine(Options::default());
    let free = searched(&mut engine, None);
    let name = free.best.to_uci(shakmaty::CastlingMode::Standard).to_string();
    let lost = won_by(Color::Black, &name, 60);
    let wary = searched(&mut engine, Some(&lost));
    assert_ne!(wary.best, free.best);
    assert!(alike(&searched(&mut engine, None), &free), "the file is away again");
    // without confidence or with the other result, the move is played
    let few = won_by(Color::Black, &name, 1);
    assert!(alike(&searched(&mut engine, Some(&few)), &free));
    let won = searched(&mut engine, Some(&won_by(Color::White, &name, 60)));
    assert_eq!(won.best, free.best);
    let apart = won.score.centipawns() - free.score.centipawns();
    assert!(apart.abs() < 20, "the score is without the bonus: {apart}");
}

/// The last reported score of each line.
#[derive(Default)]
struct Scores([i32; 3]);

impl SearchListener for Scores {
    fn iteration(&mut self, iteration: &Iteration<'_>) {
        self.0[iteration.multi_pv - 1] = iteration.score.centipawns();
    }
}

impl Listener for Scores {}

#[test]
fn several_lines_are_sorted_by_their_scores() {
    let mut engine = engine(Options { multi_pv: 3, ..Options::default() });
    // the bonus lifts a modest move among the best
    engine.set_known_games(Some(Arc::new(won_by(Color::White, "c3", 60))));
    let mut scores = Scores::default();
    let limits = Limits { depth: Some(7), ..Limits::default() };
    engine.go(&Game::default(), &limits, &Signals::default(), &mut scores).unwrap();
    assert!(scores.0.is_sorted_by(|a, b| a >= b), "{:?}", scores.0);
}

#[test]
fn a_mate_is_played_whatever_is_known() {
    let moves = "e4 e5 Qh5 Nc6 Bc4 Nf6";
    let known = won_by(Color::Black, &format!("{moves} Qxf7#"), 60);
    let mut engine = engine(Options::default());
    engine.set_known_games(Some(Arc::new(known)));
    let game = Game::parse(&format!("startpos moves {moves}"), None).unwrap();
    let found = engine.best_at(&game, NODES).unwrap();
    assert_eq!(found.score.mate_moves(), Some(1));
}

#[test]
fn weight_0_and_unknown_positions_change_nothing() {
    let plain = searched(&mut engine(Options::default()), None);
    let name = plain.best.to_uci(shakmaty::CastlingMode::Standard).to_string();
    let known = won_by(Color::Black, &name, 60);
    let unknown = won_by(Color::Black, "a3 a6 h3 h6 b3", 60);
    for (options, games) in [
        (Options { known_weight: 0, known_leaves: true, ..Options::default() }, Some(&known)),
        (Options { known_leaves: true, ..Options::default() }, None),
        (Options::default(), Some(&unknown)),
    ] {
        assert!(alike(&searched(&mut engine(options.clone()), games), &plain), "{options:?}");
    }
}

#[test]
fn leaves_near_the_root_count_by_option() {
    // the reply e5 to every move has been lost
    let mut builder = KnownGamesBuilder::default();
    let root = Game::default();
    for m in root.chess.legal_moves() {
        let mut game = root.clone();
        game.push(m);
        game.play("e7e5").unwrap();
        let winner = Color::White;
        (0..60).for_each(|_| {
            builder.add(vec![position_key(&game.chess)], KnownOutcome::Decisive { winner });
        });
    }
    let known = builder.build();
    let plain = searched(&mut engine(Options::default()), Some(&known));
    assert!(alike(&searched(&mut engine(Options::default()), None), &plain));
    let leaves = Options { known_leaves: true, ..Options::default() };
    assert!(!alike(&searched(&mut engine(leaves), Some(&known)), &plain));
}

#[test]
fn a_player_with_memory_fears_what_went_badly() {
    let text = "[known]\nmemory = 1\n[feeling]\nsteps = 0";
    let profile = Profile::from_text(text, "wary.toml").unwrap();
    let mut engine = Engine::new(profile, Options::default()).unwrap();
    let game = Game::parse("startpos moves e4 e5", None).unwrap();
    let mut felt = |known: Option<KnownGames>| {
        engine.set_known_games(known.map(Arc::new));
        engine.appraise(&game).unwrap().intensity
    };
    let usual = felt(None);
    let badly = felt(Some(won_by(Color::Black, "e4 e5", 60)));
    let well = felt(Some(won_by(Color::White, "e4 e5", 60)));
    assert!(badly < usual && usual < well, "{badly} {usual} {well}");
    let unsure = felt(Some(won_by(Color::Black, "e4 e5", 1)));
    assert!((unsure - usual).abs() < f64::EPSILON);
    // other profiles do not feel it
    engine.set_profile(Profile::builtin("standard").unwrap());
    let calm = engine.appraise(&game).unwrap();
    engine.set_known_games(Some(Arc::new(won_by(Color::Black, "e4 e5", 60))));
    assert_eq!(engine.appraise(&game).unwrap(), calm);
}

#[test]
fn games_are_remembered_added_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [pgn, packed, one, two] = ["a.pgn", "b.pgn.zst", "one.bin", "two.bin"].map(path);
    fs::write(&pgn, "1. e4 e5 2. Nf3 1-0\n\n1. d4 0-1\n\n1. c4 *\n").unwrap();
    let more = zstd::encode_all(&b"1. Nf3 e5 2. e4 0-1\n"[..], 3).unwrap();
    fs::write(&packed, more).unwrap();
    let text = output(&["remember", &pgn, "--out", &one]);
    assert!(text.contains(": 5 positions from 2 games, 136 bytes\n"), "{text}");
    assert!(text.contains("1 game without a result"), "{text}");
    let record = json(&["remember", &one, &packed, "-o", &two, "--json"]);
    assert_eq!((&record["games"], &record["positions"]), (&3.into(), &7.into()));
    // Nf3 and e4 in either order give one position
    let shown =
        json(&["known", "startpos", "moves", "e4", "e5", "Nf3", "--known-games", &two, "--json"]);
    assert_eq!((&shown["games"], &shown["won"], &shown["lost"]), (&2.into(), &1.into(), &1.into()));
    let shown = output(&["known", "startpos", "--known-games", &two]);
    assert!(shown.contains("3 games: White won 1, drew 0, lost 2; scores 33.3 %"), "{shown}");
    for m in ["e4", "d4", "Nf3"] {
        assert!(shown.lines().any(|line| line.trim_start().starts_with(m)), "{shown}");
    }
    let unknown = output(&["known", "startpos", "moves", "a3", "--known-games", &two]);
    assert!(unknown.contains("no known game has reached this position"), "{unknown}");
    assert!(unknown.contains("no move leads to a known position"), "{unknown}");
    let none = json(&["known", "startpos", "moves", "a3", "--known-games", &two, "--json"]);
    assert_eq!((&none["games"], &none["score"]), (&0.into(), &Value::Null));
}

#[test]
fn the_rules_of_chess960_may_differ_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [pgn, out] = ["games.pgn", "known.bin"].map(path);
    let fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1";
    let other = format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O 1-0\n\n");
    fs::write(&pgn, other + "1. e4 1-0\n").unwrap();
    let record = json(&["remember", &pgn, "--out", &out, "--json"]);
    assert_eq!((&record["games"], &record["positions"]), (&2.into(), &4.into()));
    let shown = json(&["known", fen, "--known-games", &out, "--json"]);
    assert_eq!((&shown["games"], &shown["moves"][0]["san"]), (&1.into(), &"O-O".into()));
}

#[test]
fn broken_files_and_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [pgn, broken, out] = ["games.pgn", "broken.bin", "new.bin"].map(path);
    fs::write(&pgn, "1. e4 *\n").unwrap();
    assert_refused(
        &["remember", &pgn, "--out", &out],
        &["found no game that counts: skipped: 1 game"],
    );
    assert!(!Path::new(&out).exists());
    assert_refused(
        &["remember", &pgn, "--out", &pgn],
        &["is not a file of known positions: choose"],
    );
    let whole = won_by(Color::White, "e4", 3).bytes().to_vec();
    fs::write(&broken, &whole[..whole.len() - 1]).unwrap();
    for arguments in [
        &["known", "startpos", "--known-games", &broken][..],
        &["why", "startpos", "--known-games", &broken],
        &["remember", &broken, "--out", &out],
        &["duel", "standard", "neutral", "--option-a", &format!("KnownGames={broken}")],
    ] {
        assert_refused(arguments, &["broken.bin: is truncated"]);
    }
    assert_refused(&["known", "startpos", "--known-games", &pgn], &["deepfeeling remember"]);
    assert_refused(
        &["known", "startpos", "--known-games", "/no/such"],
        &["/no/such: cannot be read"],
    );
    let weight = ["duel", "standard", "neutral", "--option-a", "KnownWeight=101"];
    assert_refused(&weight, &["KnownWeight=101", "KnownWeight=0..100"]);
}

#[test]
fn a_session_reports_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known games.bin");
    fs::write(&path, won_by(Color::White, "e4", 20).bytes()).unwrap();
    let path = path.to_str().unwrap();
    let mut gui = Dialogue::start();
    let set = |name: &str, value: &str| format!("setoption name {name} value {value}");
    let lines = gui.ask(&set("KnownGames", path));
    assert_eq!(lines, ["info string KnownGames: 1 position from 20 games"]);
    let known = "info string known ";
    let lines = gui.search("position startpos\ngo nodes 500");
    assert_eq!(count(&lines, known), 0, "{lines:?}");
    let lines = gui.search("position startpos moves e2e4\ngo nodes 500");
    assert_eq!(count(&lines, "info string known 20 games 0%"), 1, "{lines:?}");
    // a file that is refused leaves the old one
    for wrong in ["/no/such.bin", "/dev/null"] {
        let lines = gui.ask(&set("KnownGames", wrong));
        assert!(lines[0].starts_with("info string error: KnownGames: /"), "{lines:?}");
    }
    assert!(gui.ask(&set("KnownWeight", "101"))[0].contains("from 0 to 100"));
    assert_eq!(count(&gui.search("go nodes 500"), known), 1);
    for off in [set("KnownWeight", "0"), set("KnownGames", "<empty>")] {
        assert!(gui.ask(&off).is_empty());
        assert_eq!(count(&gui.search("go nodes 500"), known), 0);
    }
}

#[test]
fn why_has_a_row_of_known_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.bin");
    fs::write(&path, won_by(Color::Black, "e4", 60).bytes()).unwrap();
    let path = path.to_str().unwrap();
    let asked = ["why", "startpos", "--nodes", "3000"];
    let text = output(&[&asked[..], &["--known-games", path]].concat());
    assert!(text.contains("\nKnown: no known game has reached this position\n"), "{text}");
    assert!(text.contains("bonus of moves by the rule \"score\" (cp): e4 -40\n"), "{text}");
    let record = json(&[&asked[..], &["--known-games", path, "--json"]].concat());
    assert_eq!(record["known"]["moves"][0]["bonus"]["score"], -40);
    assert_eq!(json(&[&asked[..], &["--json"]].concat())["known"], Value::Null);
    assert!(!output(&asked).contains("Known:"));
}

#[test]
fn a_duel_with_known_games_depends_on_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let [known, pgn] = ["known.bin", "games.pgn"].map(|name| folder.path().join(name));
    fs::write(&known, won_by(Color::Black, "e4", 60).bytes()).unwrap();
    let option = format!("KnownGames={}", known.display());
    let play = |more: &[&str]| {
        let fixed = ["duel", "neutral", "neutral", "--nodes", "50", "--games", "2"];
        run(&[&fixed[..], &["--option-a", &option, "--pgn", pgn.to_str().unwrap()], more].concat())
    };
    play(&[]).success();
    play(&[]).success();
    play(&["--option-a", "KnownWeight=0"]).code(2).stderr(predicates::str::contains("play alike"));
    fs::write(&known, won_by(Color::Black, "d4", 60).bytes()).unwrap();
    play(&[]).code(2).stderr(predicates::str::contains("choose another file"));
}
