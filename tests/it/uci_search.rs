//! Tests of the UCI output of searches: lines, limits, WDL, perft, bench and `feel`.
//!
//! No assertion depends on time.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::dialogue::{
    Dialogue, assert_playable, best_move, count, number, variations, without_time,
};
use std::{collections::BTreeSet, process::Command};

const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// White mates in two with Ra6.
const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// Returns the score of a line in centipawns. Mates are beyond all centipawn scores.
fn score(line: &str) -> i64 {
    number(line, "cp").unwrap_or_else(|| {
        let moves = number(line, "mate").unwrap();
        if moves > 0 { 1_000_000 - moves } else { -1_000_000 - moves }
    })
}

#[test]
fn multi_pv_lines_are_sorted_distinct_and_at_most_one_per_move() {
    // only two legal moves, both by the king
    let few = "7k/8/8/8/8/8/8/K6R b - - 0 1";
    for (fen, asked, expected) in [(SHARP, 5, 5), (few, 5, 2), (MATE_IN_TWO, 218, 16)] {
        let mut gui = Dialogue::start();
        gui.send(&format!("setoption name MultiPV value {asked}\nposition fen {fen}"));
        let lines = gui.search("go depth 5");
        assert_playable(&lines, fen);
        for depth in 1..=5 {
            let lines: Vec<&String> =
                lines.iter().filter(|line| number(line, "depth") == Some(depth)).collect();
            let places: Vec<_> = lines.iter().filter_map(|line| number(line, "multipv")).collect();
            assert_eq!(places, (1..=expected).collect::<Vec<_>>(), "{lines:?}");
            assert!(lines.is_sorted_by(|a, b| score(a) >= score(b)), "{lines:?}");
        }
        let expected = usize::try_from(expected).unwrap();
        let last: Vec<_> = variations(&lines).into_iter().rev().take(expected).collect();
        let first_moves: BTreeSet<_> = last.iter().map(|(_, pv)| &pv[0]).collect();
        assert_eq!(first_moves.len(), expected, "{last:?}");
        assert_eq!(best_move(&lines, fen), last.last().unwrap().1[0]);
    }
}

#[test]
fn multi_pv_1_equals_the_default_search() {
    let search = format!("position fen {SHARP}\ngo nodes 20000");
    let plain = Dialogue::start().search(&search);
    let mut gui = Dialogue::start();
    gui.send("setoption name MultiPV value 3\nsetoption name MultiPV value 1");
    assert_eq!(without_time(&gui.search(&search)), without_time(&plain));
}

#[test]
fn analysis_and_several_lines_are_without_taste() {
    let search = format!("position fen {SHARP}\ngo nodes 2000");
    let felt = |option: &str| {
        let mut gui = Dialogue::start();
        gui.send("setoption name Profile value attacker");
        gui.send(option);
        let lines = gui.search(&search);
        lines.into_iter().find(|line| line.starts_with("info string feeling")).unwrap()
    };
    assert!(felt("setoption name MultiPV value 1").contains(" taste "));
    assert!(!felt("setoption name MultiPV value 2").contains(" taste "));
    assert!(!felt("setoption name UCI_AnalyseMode value true").contains(" taste "));
}

#[test]
fn the_last_pv_begins_with_bestmove() {
    for fen in [SHARP, "8/8/4pR2/3pP2p/6P1/2p4k/P1Kb4/8 b - - 0 1"] {
        let mut gui = Dialogue::start();
        for nodes in (1..30).map(|n| 37 * n * n) {
            let lines = gui.search(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"));
            let best = best_move(&lines, fen);
            let last = variations(&lines).into_iter().rfind(|(place, _)| *place == 1).unwrap();
            assert_eq!(last.1[0], best, "{nodes} nodes: {lines:?}");
            let scores = lines.iter().filter_map(|line| number(line, "cp"));
            assert!(scores.into_iter().all(|cp| cp.abs() < 31_000), "{lines:?}");
        }
    }
}

#[test]
fn searchmoves_works_with_multi_pv() {
    let mut gui = Dialogue::start();
    gui.send("setoption name MultiPV value 4");
    let lines = gui.search("go depth 4 searchmoves a2a3 h2h4 g1h3");
    let moves: BTreeSet<_> = variations(&lines).into_iter().map(|(_, pv)| pv[0].clone()).collect();
    assert_eq!(moves.into_iter().collect::<Vec<_>>(), ["a2a3", "g1h3", "h2h4"]);
    assert_eq!(variations(&lines).len(), 3 * 4);
}

#[test]
fn go_mate_ends_when_the_mate_is_found() {
    let mut gui = Dialogue::start();
    gui.send(&format!("position fen {MATE_IN_TWO}"));
    for mate in [2, 3, 40] {
        let lines = gui.search(&format!("go mate {mate}"));
        assert_eq!(best_move(&lines, MATE_IN_TWO), "a1a6");
        assert!(lines[lines.len() - 2].contains(" score mate 2 "), "{lines:?}");
    }
    let lines = gui.search("ucinewgame\ngo mate 1 depth 6");
    assert!(lines.iter().all(|line| !line.contains(" score mate 1 ")), "{lines:?}");
    assert!(lines.iter().any(|line| number(line, "depth") == Some(6)), "{lines:?}");
}

#[test]
fn the_ponder_move_comes_from_the_table_if_the_pv_is_short() {
    let mut gui = Dialogue::start();
    let long = gui.search(&format!("position fen {SHARP}\ngo depth 6"));
    let best = best_move(&long, SHARP);
    let short = gui.search(&format!("go depth 1 searchmoves {best}"));
    assert!(variations(&short).iter().all(|(_, pv)| pv.len() == 1), "{short:?}");
    best_move(&short, SHARP);
    assert!(short.last().unwrap().contains(" ponder "), "{short:?}");
    // after mate there is no ponder move
    let lines = gui.search("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 4");
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
}

#[test]
fn reported_values_are_within_their_bounds() {
    let mut gui = Dialogue::start();
    gui.send("setoption name Hash value 1");
    let lines = gui.search(&format!("position fen {SHARP}\ngo nodes 300000"));
    let mut depth_before = 0;
    // a slow machine also reports the current root move
    let iterations: Vec<_> = lines.iter().filter(|line| line.contains(" seldepth ")).collect();
    for line in &iterations {
        let depth = number(line, "depth").unwrap();
        assert!(depth >= depth_before && depth <= depth_before + 1, "{lines:?}");
        assert!((1..=255).contains(&number(line, "seldepth").unwrap()), "{line}");
        assert!((0..=1000).contains(&number(line, "hashfull").unwrap()), "{line}");
        depth_before = depth;
    }
    assert!(number(iterations.last().unwrap(), "hashfull") > Some(500), "{lines:?}");
    assert!(lines.iter().filter(|line| line.contains("bound")).count() < 3, "{lines:?}");
    assert_playable(&lines, SHARP);
}

#[test]
fn more_threads_than_cores_are_allowed() {
    let mut gui = Dialogue::start();
    assert!(gui.ask("setoption name Threads value 256").is_empty());
    best_move(&gui.search("go depth 4"), "startpos");
    best_move(&gui.search("go nodes 1000"), "startpos");
    assert!(gui.ask("setoption name Threads value 1").is_empty());
    best_move(&gui.search("go depth 4"), "startpos");
}

#[test]
fn options_set_during_a_search_apply_to_the_next() {
    let mut gui = Dialogue::start();
    gui.send("go infinite");
    gui.until("info depth 3 ");
    gui.send("setoption name MultiPV value 2\nsetoption name Hash value 1\nucinewgame\nisready");
    assert_eq!(count(&gui.until("readyok"), "bestmove"), 0);
    gui.send("stop");
    let lines = gui.until("bestmove");
    assert!(variations(&lines).iter().all(|(place, _)| *place == 1), "{lines:?}");
    let lines = gui.search("go depth 3");
    assert_eq!(variations(&lines).len(), 6, "{lines:?}");
    assert!(gui.ask("setoption name Hash value 7\nsetoption name Hash value 1").is_empty());
}

#[test]
fn wdl_adds_up_to_1000_and_mates_are_certain() {
    let mut gui = Dialogue::start();
    let lines = gui.search("go depth 3");
    assert!(lines.iter().all(|line| !line.contains(" wdl ")), "no WDL by default");
    gui.send("setoption name UCI_ShowWDL value true");
    let chances = |line: &str| -> Option<Vec<u16>> {
        let (score, rest) = line.split_once(" wdl ")?;
        assert!(score.contains(" score "));
        Some(rest.split(' ').take(3).map(|word| word.parse().unwrap()).collect())
    };
    let lines = gui.search("go depth 6");
    let wdls: Vec<_> = lines.iter().filter_map(|line| chances(line)).collect();
    assert_eq!(wdls.len(), 6, "{lines:?}");
    assert!(wdls.iter().all(|wdl| wdl.iter().sum::<u16>() == 1000), "{lines:?}");
    let mated = "8/8/8/8/8/5k2/4q3/7K w - - 0 1";
    for (fen, expected) in [(MATE_IN_TWO, [1000, 0, 0]), (mated, [0, 0, 1000])] {
        let lines = gui.search(&format!("position fen {fen}\ngo depth 5"));
        assert_eq!(chances(&lines[lines.len() - 2]), Some(expected.to_vec()), "{lines:?}");
    }
}

#[test]
fn go_perft_counts_moves() {
    let mut gui = Dialogue::start();
    for perft in ["perft 3", "go perft 3"] {
        gui.send(perft);
        let lines = gui.until("Nodes searched");
        assert_eq!(lines.len(), 20 + 2, "{lines:?}");
        assert!(lines.contains(&"e2e4: 600".into()), "{lines:?}");
        assert_eq!(lines[20..], ["", "Nodes searched: 8902"]);
    }
    // castling notation follows the option
    gui.send("setoption name UCI_Chess960 value true\nposition fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    gui.send("go perft 1");
    assert!(gui.until("Nodes searched").contains(&"e1h1: 1".into()));
    for broken in ["perft", "perft 0", "perft 21", "go perft x"] {
        let lines = gui.ask(broken);
        assert_eq!(count(&lines, "info string error: go perft: found "), 1, "{broken}: {lines:?}");
        assert_eq!(lines.len(), 1, "{broken}: {lines:?}");
    }
}

#[test]
fn after_stop_the_move_comes_before_readyok() {
    let mut gui = Dialogue::start();
    for go in ["go infinite", "go ponder wtime 60000 btime 60000"] {
        gui.send(&format!("position startpos\n{go}"));
        gui.until("info depth");
        gui.send("stop\nisready");
        assert_eq!(count(&gui.until("readyok"), "bestmove"), 1, "{go}");
    }
}

#[test]
fn a_long_perft_can_be_stopped() {
    let mut gui = Dialogue::start();
    gui.send("go perft 20\nisready\nposition startpos moves e2e4\ngo depth 1");
    gui.until("readyok");
    gui.send("stop");
    gui.until("info string perft was stopped");
    best_move(&gui.until("bestmove"), "startpos moves e2e4");
    gui.send("go perft 20\nquit");
    let (lines, status) = gui.end();
    assert!(status.success());
    assert_eq!(count(&lines, "bestmove"), 0);
}

#[test]
fn the_uci_bench_equals_the_command_line_bench() {
    let options = ["bench", "--depth", "3", "--profile", "anxious", "--emotion", "true"];
    let bench = Command::new(env!("CARGO_BIN_EXE_deepfeeling")).args(options).output().unwrap();
    let expected: Vec<String> =
        String::from_utf8(bench.stdout).unwrap().lines().map(str::to_owned).collect();
    let mut gui = Dialogue::start();
    // the bench ignores the position and the options of the session
    gui.send("setoption name Profile value anxious\nsetoption name MultiPV value 3");
    gui.search("go depth 5");
    gui.send("position here\nbench 3\nposition startpos\nd");
    let mut lines = gui.until("info string fen");
    assert!(lines.remove(0).starts_with("info string error: position: "));
    lines.pop();
    let untimed =
        |line: &String| line.split(" nps").next().unwrap().rsplit_once(' ').unwrap().0.to_owned();
    let (timed, rest) = lines.split_at(lines.len() - 3);
    assert_eq!(lines.len(), expected.len());
    let rows = timed.iter().map(|line| untimed(line).trim_end().to_owned());
    let known = expected.iter().map(|line| untimed(line).trim_end().to_owned());
    assert!(rows.eq(known.take(timed.len())), "{lines:?} {expected:?}");
    assert_eq!(rest[..2], expected[expected.len() - 3..expected.len() - 1]);
    assert!(rest[0].starts_with("Bench: ") && rest[1].starts_with("Bench-neutral: "), "{rest:?}");
    assert_eq!(untimed(&rest[2]), untimed(expected.last().unwrap()));
    // an invalid depth is rejected in one line
    assert_eq!(gui.ask("bench 0").len(), 1);
    assert_eq!(
        gui.ask("bench deep"),
        ["info string error: bench: found `deep` (allowed: a depth from 1 to 100)"]
    );
}

#[test]
fn a_bench_can_be_stopped() {
    let mut gui = Dialogue::start();
    gui.send("bench 100\nisready\nposition startpos moves e2e4\ngo depth 1");
    gui.until("readyok");
    gui.send("stop");
    gui.until("info string bench was stopped");
    best_move(&gui.until("bestmove"), "startpos moves e2e4");
    gui.send("bench 100\nquit");
    let (lines, status) = gui.end();
    assert!(status.success());
    assert_eq!(count(&lines, "bestmove"), 0);
}

/// A profile with unrounded emotions, half of which carry over, and with contempt.
const MOODY: &str = "[feeling]\ninertia = 0.5\nsteps = 0\ncontempt = 40\n";

#[test]
fn eval_and_feel_use_the_appraisal_of_a_search() {
    let moods = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(&moods, MOODY).unwrap();
    let file = format!("setoption name ProfileFile value {}", moods.path().display());
    let [before, after] = ["e2e4 e7e5 d1h5 b8c6", "e2e4 e7e5 d1h5 b8c6 h5f7 e8f7"]
        .map(|moves| format!("position startpos moves {moves}"));
    let mut answers = BTreeSet::new();
    for options in [
        "setoption name Emotion value true",
        "setoption name Temperament value 200",
        "setoption name Temperament value 0",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Profile value paper2012\nsetoption name ProfileFile value <empty>",
    ] {
        // with and without an earlier emotion
        for earlier in [String::new(), format!("{before}\ngo depth 1")] {
            let mut gui = Dialogue::start();
            gui.send(&format!("{file}\n{options}"));
            if !earlier.is_empty() {
                gui.search(&earlier);
            }
            let evaluated = gui.ask(&format!("{after}\neval")).swap_remove(1);
            let feeling = gui.ask("feel");
            let felt = gui.search("go depth 1");
            let felt = felt.iter().find_map(|l| l.strip_prefix("info string feeling ")).unwrap();
            let (_, evaluated) = evaluated.split_once(": feeling ").unwrap();
            assert_eq!(evaluated, felt, "{options}, {earlier}");
            let intensity = feeling.iter().find_map(|line| line.split("felt as intensity ").nth(1));
            let intensity: f64 = intensity.unwrap().parse().unwrap();
            let words: Vec<&str> = felt.split(' ').collect();
            let goal = words.iter().position(|word| *word == "goal").unwrap();
            assert_eq!(format!("{intensity:.2}").replace("-0.00", "0.00"), words[goal - 1]);
            answers.insert(feeling);
        }
    }
    // emotion strength, analysis mode, profile and earlier emotion all change the answer
    assert!(answers.len() >= 8, "{}", answers.len());
}

#[test]
fn eval_and_feel_are_neutral_when_emotion_is_off() {
    let mut gui = Dialogue::start();
    for profile in ["anxious", "paper2012"] {
        gui.send(&format!("setoption name Profile value {profile}"));
        gui.send("setoption name Emotion value true\nposition startpos moves e2e4 e7e5 d1h5 e8e7");
        let felt = gui.ask("eval");
        gui.send("setoption name Emotion value false");
        let evaluated = gui.ask("eval");
        assert!(evaluated[1].ends_with(": Emotion is off, so nothing is felt"), "{evaluated:?}");
        assert_eq!(gui.ask("feel"), evaluated);
        let score = |word: &str| {
            let line = evaluated.iter().find(|line| line.starts_with(word)).unwrap();
            line.split_whitespace().find_map(|word| word.parse::<f64>().ok()).unwrap()
        };
        if profile == "anxious" {
            assert_ne!(evaluated.last(), felt.last());
            assert!((score("score ") - score("without feeling ")).abs() < f64::EPSILON);
        } else {
            assert!(evaluated[4..8].iter().all(|row| row.contains(" 1.000000 ")), "{evaluated:?}");
        }
    }
}

#[test]
fn the_dialogue_can_be_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("the log.txt");
    let mut gui = Dialogue::start();
    let lines = gui.ask("setoption name Debug Log File value /no/such/folder/log.txt");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("info string error: Debug Log File `/no/such/folder/log.txt`"));
    assert!(gui.ask(&format!("setoption name Debug Log File value {}", path.display())).is_empty());
    let output = gui.search("position startpos\ngo depth 2");
    // options wait until all threads of the search have ended
    gui.ask("");
    gui.ask("setoption name Debug Log File value <empty>");
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.contains(">> isready\n<< readyok\n>> position startpos\n>> go depth 2\n"), "{log}");
    assert!(output.iter().all(|line| log.contains(&format!("<< {line}\n"))), "{log}");
    assert!(log.ends_with(">> setoption name Debug Log File value <empty>\n"), "{log}");
}

#[test]
fn uci_engine_about_cannot_be_changed() {
    let mut gui = Dialogue::start();
    assert!(gui.ask("setoption name UCI_EngineAbout value another").is_empty());
    gui.send("uci");
    let lines = gui.until("uciok");
    let about = lines.iter().find(|line| line.starts_with("option name UCI_EngineAbout")).unwrap();
    assert!(about.contains("default Deep Feeling ") && !about.contains("another"), "{about}");
}
