//! Tests of the UCI protocol in scripted dialogues with the binary. No assertion depends on time.

use crate::dialogue::{Dialogue, assert_scored, best_move, count, spawn, without_time};
use std::{
    io::Write,
    process::{Command, Stdio},
};

const MATED: &str = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[test]
fn uci_prints_the_recorded_introduction() {
    let golden = include_str!("../data/uci.txt").replace("{version}", env!("CARGO_PKG_VERSION"));
    let mut gui = Dialogue::start();
    gui.send("uci");
    assert_eq!(gui.until("uciok").join("\n"), golden.trim_end());
    gui.send("quit");
    let (rest, status) = gui.end();
    assert!(rest.is_empty() && status.success());
}

#[test]
fn it_answers_during_a_search_and_stops_on_command() {
    let mut gui = Dialogue::start();
    gui.send("position startpos moves e2e4\ngo infinite");
    gui.until("info depth");
    for _ in 0..3 {
        gui.send("isready");
        assert_eq!(count(&gui.until("readyok"), "bestmove"), 0);
    }
    gui.send("uci");
    assert_eq!(count(&gui.until("uciok"), "bestmove"), 0);
    gui.send("stop");
    best_move(&gui.until("bestmove"), "startpos moves e2e4");
}

#[test]
fn a_stop_without_a_search_does_nothing() {
    let mut gui = Dialogue::start();
    assert!(gui.ask("stop\nponderhit\nstop").is_empty());
    let lines = gui.search("go depth 3");
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:?}");
    best_move(&lines, "startpos");
}

#[test]
fn an_immediately_stopped_search_has_a_move_and_a_score() {
    let mut gui = Dialogue::start();
    for go in ["go infinite", "go wtime 60000 btime 60000", "go nodes 1\nisready", "go ponder"] {
        best_move(&gui.search(&format!("{go}\nstop")), "startpos");
    }
}

#[test]
fn commands_sent_during_a_search_run_after_it_in_order() {
    let mut gui = Dialogue::start();
    gui.send("go infinite\nposition startpos moves e2e4\nd\ngo depth 2\nucinewgame\nd\nstop");
    assert_eq!(count(&gui.until("bestmove"), "info string fen"), 0);
    let lines = gui.until("bestmove");
    assert!(lines[0].starts_with("info string fen rnbqkbnr/pppppppp/8/8/4P3/"), "{lines:?}");
    best_move(&lines, "startpos moves e2e4");
    gui.until("info string fen");
}

#[test]
fn the_next_search_may_be_sent_before_bestmove() {
    let mut gui = Dialogue::start();
    gui.send("go infinite\nstop\nposition startpos moves e2e4\ngo infinite\nstop");
    best_move(&gui.until("bestmove"), "startpos");
    best_move(&gui.until("bestmove"), "startpos moves e2e4");
    gui.send("go infinite\nstop\ngo ponder depth 1\nponderhit");
    gui.until("bestmove");
    gui.until("bestmove");
}

#[test]
fn readyok_comes_after_all_earlier_commands() {
    let mut gui = Dialogue::start();
    gui.send("setoption name Threads value 8");
    for _ in 0..20 {
        gui.search("position startpos\ngo nodes 4000");
        gui.send("position startpos moves e2e4\nd\nisready");
        let lines = gui.until("readyok");
        assert_eq!(lines.len(), 2, "{lines:?}");
        gui.send("go infinite\nisready");
        gui.until("readyok");
        gui.send("stop");
        gui.until("bestmove");
        gui.send("go infinite\nsetoption name Hash value 1\nisready\nstop");
        let lines = gui.until("bestmove");
        assert_eq!(count(&lines, "readyok"), 1, "{lines:?}");
    }
}

#[test]
fn an_infinite_search_prints_its_move_only_after_stop() {
    let mut gui = Dialogue::start();
    for position in ["startpos".to_owned(), format!("fen {MATED}")] {
        gui.send(&format!("position {position}\ngo infinite depth 1"));
        gui.until("info depth");
        gui.send("ponderhit\nisready");
        assert_eq!(count(&gui.until("readyok"), "bestmove"), 0);
        gui.send("stop");
        gui.until("bestmove");
    }
}

#[test]
fn a_pondering_search_waits_for_the_opponent() {
    let mut gui = Dialogue::start();
    gui.send("setoption name Ponder value true\nposition startpos moves e2e4 e7e5");
    for go in ["go ponder depth 1", "go ponder wtime 500 btime 500"] {
        for answer in ["ponderhit", "stop"] {
            gui.send(go);
            gui.until("info depth");
            gui.send("isready");
            assert_eq!(count(&gui.until("readyok"), "bestmove"), 0);
            gui.send(answer);
            best_move(&gui.until("bestmove"), "startpos moves e2e4 e7e5");
        }
    }
    gui.send("go ponder infinite depth 1\nponderhit\nisready");
    assert_eq!(count(&gui.until("readyok"), "bestmove"), 0);
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn a_failed_ponder_search_leaves_no_emotion() {
    let moods = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(&moods, "[feeling]\ninertia = 0.9\nsteps = 0\n").unwrap();
    let expected = "position startpos moves e2e4 e7e5 d1h5 e8e7";
    let felt_after = |pondering: &str| {
        let mut gui = Dialogue::start();
        gui.send(&format!("setoption name ProfileFile value {}", moods.path().display()));
        gui.search("position startpos moves e2e4 e7e5\ngo depth 1");
        if !pondering.is_empty() {
            gui.search(&format!("{expected}\n{pondering}"));
        }
        gui.search("position startpos moves e2e4 e7e5 d1h5 b8c6\ngo depth 1")
            .into_iter()
            .find(|line| line.starts_with("info string feeling "))
            .unwrap()
    };
    let unexpected = felt_after("");
    assert_eq!(felt_after("go ponder depth 1\nstop"), unexpected);
    assert_ne!(felt_after("go ponder depth 1\nponderhit"), unexpected);
}

#[test]
fn the_end_of_input_ends_the_program_in_every_state() {
    for (input, moves) in [
        ("", 0),
        ("uci\nisready", 0),
        ("go depth 3", 1),
        ("go depth 2\nposition startpos moves e2e4\ngo depth 2\nd", 2),
        ("go infinite", 1),
        ("go ponder wtime 1000", 1),
        ("go infinite depth 1", 1),
        ("go depth 2\ngo infinite\ngo ponder\ngo depth 1", 4),
        ("go infinite\nstop", 1),
        ("position fen 4k3/", 0),
        // the search must not run for an hour after the GUI has gone
        ("go movetime 3600000", 1),
        ("go wtime 360000000 btime 360000000", 1),
        ("go depth 2\ngo movetime 3600000\ngo infinite", 3),
    ] {
        let mut gui = Dialogue::start();
        gui.send_bytes(input.as_bytes());
        let (lines, status) = gui.end();
        assert!(status.success(), "{input}: {status}");
        assert_eq!(count(&lines, "bestmove"), moves, "{input}: {lines:?}");
    }
}

#[test]
fn the_end_of_input_ends_a_long_perft_but_not_a_short_one() {
    for (depth, last) in [(3, "Nodes searched: 8902"), (20, "info string perft was stopped")] {
        let mut gui = Dialogue::start();
        gui.send(&format!("go perft {depth}"));
        let (lines, status) = gui.end();
        assert!(status.success());
        assert_eq!(lines.last().unwrap(), last);
    }
}

#[test]
fn too_many_queued_commands_are_rejected_during_a_search() {
    let mut gui = Dialogue::start();
    gui.send("position startpos moves e2e4\ngo infinite");
    gui.until("info depth");
    let long = format!("position startpos moves {}", "e2e4 ".repeat(200_000));
    for _ in 0..10 {
        gui.send(&long);
    }
    let output = gui.ask("");
    let refusal = "info string error: commands during a search: found `too many`";
    assert_eq!(count(&output, refusal), 1, "{output:?}");
    gui.send("stop");
    gui.until("bestmove");
    let go = "ucinewgame\nposition startpos moves d2d4\ngo depth 1";
    let moves = [gui, Dialogue::start()].map(|mut gui| gui.search(go).pop());
    assert_eq!(moves[0], moves[1], "later commands are carried out");
}

#[test]
fn quit_stops_a_search_and_drops_queued_commands() {
    let mut gui = Dialogue::start();
    gui.send("go infinite\ngo depth 1\nquit\nisready");
    let (lines, status) = gui.end();
    assert!(status.success());
    assert_scored(&lines);
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:?}");
    assert_eq!(count(&lines, "bestmove"), 1);
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    for input in ["", "go infinite\n", "go depth 3\n"] {
        let mut child = spawn(Stdio::piped());
        drop(child.stdout.take());
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(input.as_bytes()).unwrap();
        // Write until the pipe breaks: a process that is just starting may also hold it open.
        while pipe.write_all(b"isready\n").is_ok() {}
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success() && ended.stderr.is_empty(), "{input}: {ended:?}");
    }
}

#[test]
fn commands_after_a_rejected_position_do_not_use_the_previous_one() {
    let mut gui = Dialogue::start();
    gui.send("position startpos moves e2e4 e7e5");
    for broken in [
        "position",
        "position fen",
        "position here",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 0000",
        "position startpos moves ü7 e2e4",
        "position startpos e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - x 1",
        "position fen 4k3/8/8/8/8/8/8/4K3/8/8/8 w",
        "position fen rnbqkbnr/ppp",
        "position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1 moves e7e8",
    ] {
        let lines = gui.ask(broken);
        assert_eq!(count(&lines, "info string error: "), 1, "{broken}: {lines:?}");
        assert_eq!(lines.len(), 1, "{broken}: {lines:?}");
        // an answer would be about the previous game
        for word in ["d", "eval", "feel", "flip", "perft 1"] {
            let command = if word == "perft 1" { "go" } else { word };
            let why = "there is no position, because the last one was refused";
            assert_eq!(gui.ask(word), [format!("info string error: {command}: {why}")], "{broken}");
        }
        // a GUI that waits for a move gets an answer
        gui.send("go depth 3");
        let lines = gui.until("bestmove");
        assert_eq!(lines.last().unwrap(), "bestmove 0000", "{broken}");
        assert_eq!(count(&lines, "info depth "), 0, "{broken}: {lines:?}");
    }
    gui.send("ucinewgame\ngo depth 3");
    assert_eq!(gui.until("bestmove").last().unwrap(), "bestmove 0000");
    assert!(gui.ask("go infinite").iter().all(|line| !line.starts_with("bestmove")));
    gui.send("stop");
    assert_eq!(gui.until("bestmove").last().unwrap(), "bestmove 0000");
    gui.send("position startpos moves e2e4 e7e5");
    best_move(&gui.search("go depth 3"), "startpos moves e2e4 e7e5");
    gui.send("position\t fen 4k3/8/8/8/8/8/8/4K3   b ");
    assert_eq!(gui.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
}

#[test]
fn invalid_go_parameters_are_reported_and_a_move_is_still_played() {
    let mut gui = Dialogue::start();
    for broken in [
        "go depth",
        "go depth x",
        "go depth -3",
        "go depth 99999999999999999999",
        "go nodes 1e6",
        "go wtime 99999999999999999999",
        "go movetime soon",
        "go depth 1 searchmoves e2e5",
        "go depth 1 searchmoves e2e4 never",
    ] {
        let lines = gui.search(broken);
        assert_eq!(count(&lines, "info string error: "), 1, "{broken}: {lines:?}");
        best_move(&lines, "startpos");
    }
    let lines = gui.search("go depth 2 searchmoves never a2a3 e2e5");
    assert_eq!(best_move(&lines, "startpos"), "a2a3");
    for broken in ["go perft", "go perft x", "perft -1"] {
        let lines = gui.ask(broken);
        assert_eq!(lines.len(), 1, "{broken}: {lines:?}");
        assert!(lines[0].starts_with("info string error: go perft: found"), "{lines:?}");
    }
}

#[test]
fn impossible_castling_rights_are_dropped() {
    let mut gui = Dialogue::start();
    gui.send("position fen rnbq1rk1/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQ1RK1 w HQkq - 0 1");
    assert_eq!(gui.fen(), "rnbq1rk1/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQ1RK1 w - - 0 1");
    gui.send("position fen r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1");
    assert_eq!(gui.fen(), "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
}

#[test]
fn a_search_with_many_queens_ends_in_time() {
    let mut gui = Dialogue::start();
    let fen = "1QqQqQq1/r6Q/Q6q/q6Q/B2q4/q6Q/k6K/1qQ1QqRb w - - 0 1";
    gui.send(&format!("position fen {fen}"));
    for go in ["go movetime 50", "go nodes 1000", "go infinite\nstop"] {
        best_move(&gui.search(go), fen);
    }
}

#[test]
fn limits_may_be_huge_tiny_or_partial() {
    let mut gui = Dialogue::start();
    for go in [
        "go depth 1 nodes 18446744073709551615 wtime 9223372036854775807 movestogo 4294967296",
        "go nodes 1 depth 18446744073709551615 mate 18446744073709551615",
        "go depth 0",
        "go nodes 0",
        "go movetime 0",
        "go movetime -9223372036854775808",
        "go wtime -100 btime -100",
        "go wtime 100",
        "go btime 100",
        "go winc 10",
        "go wtime 200 btime 200 movestogo 1",
        "go wtime 100 btime 100 winc 9223372036854775807 binc 10000 movestogo 100",
        "go movestogo 0 winc 0 binc 0 wtime 1 btime 1",
        "go joho depth 1",
    ] {
        best_move(&gui.search(go), "startpos");
    }
}

#[test]
fn searchmoves_restricts_the_root_moves() {
    let mut gui = Dialogue::start();
    let lines = gui.search("go depth 3 searchmoves a2a3");
    assert_eq!(best_move(&lines, "startpos"), "a2a3");
    assert!(lines.iter().filter(|l| l.contains(" pv ")).all(|l| l.contains(" pv a2a3")));
    let lines = gui.search("go searchmoves h2h4 g1h3 depth 3");
    assert!(["h2h4", "g1h3"].contains(&best_move(&lines, "startpos").as_str()));
}

#[test]
fn a_position_without_legal_moves_gives_bestmove_0000() {
    let mut gui = Dialogue::start();
    for (fen, why, score) in
        [(MATED, "checkmate", " score mate 0 "), (STALEMATED, "stalemate", " score cp 0 ")]
    {
        let lines = gui.search(&format!("position fen {fen}\ngo depth 3"));
        assert_eq!(lines.last().unwrap(), "bestmove 0000");
        assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains(why)));
        assert!(lines.iter().any(|line| line.contains(score)), "{lines:?}");
    }
}

#[test]
fn castling_notation_follows_the_option() {
    let mut gui = Dialogue::start();
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (mode, written) in [("false", "e1g1"), ("true", "e1h1")] {
        gui.send(&format!("setoption name UCI_Chess960 value {mode}\nposition fen {fen}"));
        for read in ["e1g1", "e1h1"] {
            let lines = gui.search(&format!("go depth 2 searchmoves {read}"));
            assert_eq!(best_move(&lines, fen), written);
            assert!(lines.iter().any(|line| line.contains(&format!(" pv {written}"))));
        }
    }
}

#[test]
fn chess960_positions_need_the_option() {
    let position = "position fen 1r2k1r1/8/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1 moves e1b1 e8g8";
    let mut gui = Dialogue::start();
    let lines = gui.ask(position);
    assert!(lines[0].starts_with("info string error: ") && lines[0].contains("UCI_Chess960"));
    gui.send(&format!("setoption name UCI_Chess960 value true\n{position}"));
    assert!(gui.fen().starts_with("1r3rk1/8/8/8/8/8/6P1/2KR2R1 w - - 2 2"), "{}", gui.fen());
}

#[test]
fn options_out_of_range_are_rejected_in_one_line() {
    let mut gui = Dialogue::start();
    gui.send("uci");
    let mut broken = vec![
        "setoption".into(),
        "setoption Hash 3".into(),
        "setoption name".into(),
        "setoption name Hsh value 3".into(),
        "setoption name ProfileFile value /no/such file.toml".into(),
    ];
    for line in gui.until("uciok") {
        let Some((name, rest)) =
            line.strip_prefix("option name ").and_then(|l| l.split_once(" type "))
        else {
            continue;
        };
        let values = match rest.split(' ').collect::<Vec<_>>().as_slice() {
            ["spin", _, _, _, min, _, max] => {
                let beyond = [min.parse::<i64>().unwrap() - 1, max.parse::<i64>().unwrap() + 1];
                let mut values = beyond.map(|n| n.to_string()).to_vec();
                values.extend(["", "x", "1.5", "99999999999999999999"].map(String::from));
                values
            }
            ["check" | "combo", ..] => vec![String::new(), "7".into(), "perhaps so".into()],
            _ => Vec::new(),
        };
        broken.extend(values.iter().map(|value| format!("setoption name {name} value {value}")));
    }
    for line in broken {
        let lines = gui.ask(&line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{line}: {lines:?}");
    }
}

#[test]
fn every_announced_choice_is_accepted_and_is_no_uci_keyword() {
    let mut gui = Dialogue::start();
    gui.send("uci");
    let lines = gui.until("uciok");
    let combos = lines.iter().filter_map(|line| line.split_once(" type combo default "));
    let mut names = Vec::new();
    for (option, choices) in combos {
        let mut choices = choices.split(" var ");
        let default = choices.next().unwrap();
        let choices: Vec<_> = choices.collect();
        assert!(choices.contains(&default), "{choices:?}");
        for choice in choices {
            assert!(!["default", "var", "min", "max"].contains(&choice), "{option}: {choice}");
            let set = format!("set{option} value {choice}");
            assert_eq!(gui.ask(&set), Vec::<String>::new(), "{set}");
            if option == "option name Profile" {
                names.push(choice);
            }
        }
    }
    assert!(names.contains(&"standard"), "{names:?}");
    let refused = gui.ask("setoption name Profile value nobody");
    assert!(refused[0].ends_with(&format!("(allowed: {})", names.join(", "))), "{refused:?}");
    // settings stored under the former name still work
    assert_eq!(gui.ask("setoption name Profile value default"), Vec::<String>::new());
}

#[test]
fn the_order_of_options_does_not_matter() {
    let file = tempfile::Builder::new().prefix("a profile ").suffix(".toml").tempfile().unwrap();
    std::fs::write(&file, "[about]\nname = \"Test\"\nsummary = \"Test.\"\nextends = \"neutral\"\n")
        .unwrap();
    let file = format!("setoption name ProfileFile value {}", file.path().display());
    let search = "ucinewgame\nposition startpos moves e2e4 e7e5 f1c4\ngo depth 4";
    let under = |options: &[&str]| {
        let mut gui = Dialogue::start();
        assert_eq!(gui.ask(&options.join("\n")), Vec::<String>::new());
        without_time(&gui.search(search))
    };
    let mut options = vec![
        "setoption name Profile value Berserker",
        file.as_str(),
        "setoption name hash value 4",
        "setoption name Temperament value 150",
        "setoption name Emotion value true",
        "setoption name MultiPV value 2",
        "setoption name Clear Hash",
        "setoption name Move Overhead value 0",
        "setoption name UCI_Chess960 value true",
    ];
    let expected = under(&options);
    options.reverse();
    assert_eq!(under(&options), expected);
    options.rotate_left(4);
    assert_eq!(under(&options), expected);
    // The file overrides the built-in profile, so the result does not change without it.
    options.retain(|option| !option.contains("Berserker"));
    assert_eq!(under(&options), expected);

    let built_in = under(&["setoption name Profile value berserker"]);
    let back = "setoption name ProfileFile value <empty>";
    assert_eq!(under(&["setoption name Profile value berserker", &file, back]), built_in);
    assert_eq!(under(&[&file, "setoption name Profile value berserker", back]), built_in);
}

#[test]
fn any_line_ending_and_invalid_utf8_are_accepted() {
    let mut gui = Dialogue::start();
    gui.send_bytes(b"\xef\xbb\xbfisready\r\n");
    gui.until("readyok");
    gui.send_bytes(
        b"\tposition   startpos\tmoves e2e4\r\n\r\n\xff\xfe\x00\x80\r\n go\tdepth 1 \r\n",
    );
    best_move(&gui.until("bestmove"), "startpos moves e2e4");
    gui.send_bytes(b"position startpos moves \xc3\x28\n");
    assert_eq!(count(&gui.until("info string error: "), "bestmove"), 0);
    let endless = format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(100_000));
    let lines = gui.ask(&endless);
    assert!(lines.len() == 1 && lines[0].starts_with("info string error: "), "{lines:?}");
}

#[test]
fn nothing_is_printed_at_start_without_a_terminal() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_deepfeeling")).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn help_lists_the_commands_even_during_a_search() {
    let mut gui = Dialogue::start();
    gui.send("go infinite\nhelp");
    let lines = gui.until("Run `deepfeeling --help`");
    assert_eq!(count(&lines, "bestmove"), 0);
    for word in ["uci ", "position ", "go ", "quit ", "d ", "eval ", "feel ", "flip ", "bench "] {
        assert_eq!(count(&lines, &format!("  {word}")), if word == "position " { 2 } else { 1 });
    }
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn flip_swaps_the_colours() {
    let mut gui = Dialogue::start();
    gui.send("position startpos moves e2e4");
    assert_eq!(gui.ask("flip"), Vec::<String>::new());
    let flipped = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(gui.fen(), flipped);
    best_move(&gui.search("go depth 3"), flipped);
    gui.send("flip");
    assert_eq!(gui.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn unknown_commands_are_reported_on_stderr_or_in_debug_mode() {
    let mut child = spawn(Stdio::piped());
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"hello there\njoho debug on\nxyzzy\ndebug off\nplugh\n").unwrap();
    drop(pipe);
    let ended = child.wait_with_output().unwrap();
    let (output, complained) = (String::from_utf8_lossy(&ended.stdout), ended.stderr);
    assert_eq!(output.lines().collect::<Vec<_>>(), ["info string unknown command `xyzzy`"]);
    let complained = String::from_utf8_lossy(&complained);
    assert!(complained.contains("hello there") && complained.contains("plugh"), "{complained}");
}

#[test]
fn random_input_does_not_crash_the_engine() {
    const WORDS: [&str; 51] = [
        "uci",
        "debug",
        "on",
        "off",
        "isready",
        "setoption",
        "name",
        "value",
        "Hash",
        "Threads",
        "MultiPV",
        "Profile",
        "ProfileFile",
        "UCI_Chess960",
        "Emotion",
        "true",
        "paper2012",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e1g1",
        "a7a8q",
        "8/8/8/8/8/8/8/8",
        "4k3/8/8/8/8/8/8/4K3",
        "w",
        "-",
        "go",
        "depth",
        "nodes",
        "mate",
        "searchmoves",
        "ponder",
        "infinite",
        "stop",
        "stop",
        "ponderhit",
        "d",
        "flip",
        "feel",
        "eval",
        "help",
        "perft",
        "-1",
        "0",
        "3",
        "18446744073709551616",
        "ü",
    ];
    let mut state = 2012_u64;
    // Steele, Lea and Flood's SplitMix64.
    let mut below = |n: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    };
    let mut gui = Dialogue::start();
    for line in 0..1_000 {
        let mut bytes = Vec::new();
        for _ in 0..below(9) {
            match below(12) {
                0 => bytes.extend((0..below(9)).map(|_| below(256) as u8)),
                _ => bytes.extend(WORDS[below(WORDS.len())].bytes()),
            }
            bytes.push(b' ');
        }
        bytes.push(b'\n');
        gui.send_bytes(&bytes);
        if line % 100 == 99 {
            gui.send("\nisready");
            gui.until("readyok");
        }
    }
    gui.send("\nquit");
    let (_, status) = gui.end();
    assert!(status.success(), "{status}");
}
