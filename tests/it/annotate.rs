//! Tests of `annotate`, which adds scores and feelings to PGN games and must keep everything else.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use deepfeeling::{
    pgn::{Games, PlayedGame, raw::RawGames},
    profile::Profile,
    review::{Reviewer, annotate::Annotator},
    search::{Signals, root::limits::Limits},
};
use predicates::str::{contains, ends_with};
use proptest::prelude::*;
use shakmaty::{Chess, Position, san::SanPlus};
use std::{fs, io::Cursor, path::Path};

/// Légal's mate with every kind of PGN element, a broken game, a Chess960 game and the fool's mate.
const GAMES: &str = "[Event \"a {game}\"]\n[White \"Kermur\"]\n[Result \"1-0\"]\n\n\
    {before} 1.e4 e5 2. Nf3 $1 {[%eval 0.3,5] [%clk 0:01:00] words} d6 3. Bc4 (3. d4 {x} (3. c3 Nf6) exd4) {y}\n\
    Bg4 ; 4. d4\n4. Nc3 g6? 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n\n\
    [White \"broken\"]\n\n1. e4 {a} e5 2. Ke3 *\n\n\n\
    [Variant \"Chess960\"]\n[FEN \"nrknbbqr/pppppppp/8/8/8/8/PPPPPPPP/NRKNBBQR w KQkq - 0 1\"]\n\n\
    1. d4 d5 2. e4 dxe4 *\n\n\
    [White \"fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

fn annotate(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.arg("annotate").args(args);
    command
}

/// Returns the annotated games of a file, searched with few nodes.
fn annotated(path: &Path, args: &[&str]) -> Vec<u8> {
    let path = path.to_str().unwrap();
    let mut command = annotate(&[path, "--nodes", "500"]);
    command.args(args).assert().success().get_output().stdout.clone()
}

fn written(dir: &Path, bytes: &[u8]) -> std::path::PathBuf {
    let path = dir.join("games.pgn");
    fs::write(&path, bytes).unwrap();
    path
}

fn played(bytes: &[u8]) -> Vec<Option<PlayedGame>> {
    Games::of(Box::new(Cursor::new(bytes.to_vec()))).map(Result::ok).collect()
}

fn same_moves(before: &[u8], after: &[u8]) -> bool {
    let shown = |bytes| {
        let moves = |game: &PlayedGame| {
            let moves: Vec<_> = game.moves.iter().map(|played| played.m).collect();
            format!("{:?} {} {moves:?}", game.tags, game.start.fen())
        };
        played(bytes).iter().map(|game| game.as_ref().map(moves)).collect::<Vec<_>>()
    };
    shown(before) == shown(after)
}

#[test]
fn games_keep_their_content_and_gain_scores_and_feelings() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), GAMES.as_bytes());
    let out = annotated(&path, &[]);
    let text = String::from_utf8(out.clone()).unwrap();
    assert!(same_moves(GAMES.as_bytes(), &out), "{text}");
    for kept in [
        "[Event \"a {game}\"]",
        "{before} 1.e4 {[%eval ",
        " [%clk 0:01:00] words}",
        "(3. d4 {x} (3. c3 Nf6) exd4) {y}",
        "; 4. d4\n4. Nc3",
        "2. Nf3 $1 {[%eval ",
        "[White \"broken\"]\n\n1. e4 {a} e5 2. Ke3 *\n\n\n[Variant",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert!(!text.contains("[%eval 0.3,5]") && text.contains("2. g4 $4 {[%eval #-1,"), "{text}");
    assert!(text.contains("%): allows mate in 1, "), "{text}");
    assert!(
        text.contains("2... d6 $6 {")
            && text.contains("{y}\n3... Bg4 {")
            && text.contains("Qh4# {[%emo "),
        "{text}"
    );
    assert!(text.contains("Deep Feeling: better.}"), "{text}");
    // a mark by an earlier annotator is kept
    assert!(text.contains("g6? {"), "{text}");
    let games = played(&out);
    for played in &games[0].as_ref().unwrap().moves {
        assert!(played.felt.is_some());
    }
    assert!(games[1].is_none() && games[2].as_ref().unwrap().moves[3].eval.is_some());
    // annotating again replaces the comments of the first run
    assert_eq!(String::from_utf8(annotated(&written(dir.path(), &out), &[])).unwrap(), text);
}

#[test]
fn broken_games_are_reported_by_number() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), GAMES.as_bytes());
    annotate(&[path.to_str().unwrap(), "--depth", "1"])
        .assert()
        .success()
        .stderr(contains("games.pgn: game 2: 2. Ke3 is illegal in"))
        .stderr(contains("standard output: 4 games written, 1 of 4 copied unchanged\n"));
}

#[test]
fn the_last_line_reports_the_file_and_the_number_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), b"1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 *\n");
    let file = dir.path().join("out.pgn");
    let args = [path.to_str().unwrap(), "--depth", "1", "--out", file.to_str().unwrap()];
    annotate(&args).assert().success().stderr(ends_with("out.pgn: 3 games written\n"));
    let again = "out.pgn: 1 game written, 2 already written by an earlier run\n";
    annotate(&args).assert().success().stderr(ends_with(again));
}

#[test]
fn unusual_bytes_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let text = b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n\r\n1. e4 {sch\xf6n} e5\r\n2. Nf3 Nc6 *\r\n";
    let path = written(dir.path(), text);
    let out = annotated(&path, &[]);
    assert!(out.starts_with(b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n\r\n1. e4 {[%eval "));
    assert!(out.windows(7).any(|window| window == b" sch\xf6n}"));
    let lines = out.split_inclusive(|byte| *byte == b'\n');
    assert!(lines.into_iter().all(|line| line.ends_with(b"\r\n")));
    assert!(same_moves(text, &out));
    let file = dir.path().join("out.pgn");
    annotated(&path, &["-o", file.to_str().unwrap()]);
    let filed = fs::read(&file).unwrap();
    assert!(filed.starts_with(b"\xef\xbb\xbf% annotated by deepfeeling: games.pgn, 500 nodes"));
    assert!(same_moves(text, &filed));
}

#[test]
fn one_side_can_be_chosen_and_threads_do_not_change_the_output() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), GAMES.repeat(5).as_bytes());
    let whole = annotated(&path, &[]);
    assert_eq!(annotated(&path, &["--threads", "3"]), whole);
    let black = played(&annotated(&path, &["--side", "black"]));
    let felt: Vec<_> =
        black[0].as_ref().unwrap().moves.iter().map(|played| played.felt.is_some()).collect();
    assert_eq!(felt[..5], [false, true, false, true, false]);
    assert_eq!(black[0].as_ref().unwrap().moves[2].comment, "[%eval 0.3,5] [%clk 0:01:00] words");
    let packed = written(dir.path(), &zstd::encode_all(&*GAMES.repeat(5).into_bytes(), 3).unwrap());
    assert_eq!(annotated(&packed, &[]), whole);
}

#[test]
fn an_unfinished_file_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), GAMES.repeat(3).as_bytes());
    let file = dir.path().join("out.pgn");
    let args = ["-o", file.to_str().unwrap()];
    annotated(&path, &args);
    let whole = fs::read(&file).unwrap();
    for length in [5, whole.len() / 2, whole.len() - 3] {
        fs::write(&file, &whole[..length]).unwrap();
        annotated(&path, &args);
        assert_eq!(fs::read(&file).unwrap(), whole, "cut to {length} bytes");
    }
    let games = path.to_str().unwrap();
    let refuse = |args: &[&str], complaint: &str| {
        annotate(args).assert().code(2).stderr(contains(complaint));
        assert_eq!(fs::read(&file).unwrap(), whole);
    };
    let output = args[1];
    refuse(
        &[games, "--nodes", "501", "-o", output],
        "choose another file or repeat the earlier command",
    );
    refuse(&[games, "--nodes", "500", "--side", "white", "-o", output], "begins with `% annotated");
    fs::write(&path, GAMES).unwrap();
    refuse(&[games, "-o", games], "begins with `[Event");
}

#[test]
fn a_file_of_other_games_is_not_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), GAMES.as_bytes());
    let file = dir.path().join("out.pgn");
    annotated(&path, &["-o", file.to_str().unwrap()]);
    let whole = fs::read(&file).unwrap();
    let begun = "[White \"x\"]\n\n1. d4 *\n\n";
    let path = written(dir.path(), begun.repeat(4).as_bytes());
    annotate(&[path.to_str().unwrap(), "--nodes", "500", "-o", file.to_str().unwrap()])
        .assert()
        .code(2)
        .stderr(contains("out.pgn: game 3 differs from the game to annotate"));
    assert_eq!(fs::read(&file).unwrap(), whole);
}

#[test]
fn invalid_input_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), GAMES.as_bytes());
    let games = path.to_str().unwrap();
    for (args, complaint) in [
        (&["nowhere.pgn"][..], "nowhere.pgn: cannot be read"),
        (&[games, "--nodes", "0"], "invalid value '0'"),
        (&[games, "--nodes", "9", "--depth", "3"], "cannot be used with"),
        (&[games, "--side", "red"], "possible values: white, black, both"),
        (&[games, "--profile", "brave"], "unknown profile `brave`"),
        (&[games, "-o", "/nowhere/out.pgn"], "/nowhere/out.pgn: cannot be opened"),
    ] {
        annotate(args).assert().code(2).stderr(contains(complaint));
    }
    let out = dir.path().join("out.pgn");
    for text in [&b""[..], b"\n\nno game\n"] {
        let path = written(dir.path(), text);
        annotate(&[path.to_str().unwrap(), "-o", out.to_str().unwrap()])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("games.pgn: found no game, expected PGN"));
        assert!(!out.exists());
    }
}

/// Returns a game whose moves and PGN elements in between are chosen by `choices`.
fn game(choices: &[(usize, usize)]) -> String {
    let ends = [
        "",
        " $3",
        "!?",
        " {a [%eval 1.0] b}",
        "{}",
        " (1. e4 {z} (1. d4)) ",
        " ; aside\n",
        "\n% out\n",
    ];
    let mut chess = Chess::default();
    let mut text = "[White \"a\"]\n\n".to_owned();
    for (choice, end) in choices {
        let moves = chess.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[choice % moves.len()];
        text += &SanPlus::from_move_and_play_unchecked(&mut chess, m).to_string();
        text += ends[end % ends.len()];
        text.push(' ');
    }
    text + "*\n\n"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_game_keeps_its_moves(
        choices in prop::collection::vec(any::<(usize, usize)>(), 0..40),
    ) {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let reviewer = Reviewer::new(Profile::builtin("standard").unwrap(), limits).unwrap();
        let mut annotator = Annotator::new(reviewer, None);
        let text = game(&choices);
        for raw in RawGames::of(Box::new(Cursor::new(text.clone().into_bytes()))) {
            let after = annotator.annotate(raw.unwrap(), &Signals::default()).unwrap();
            prop_assert_eq!(after.broken, None);
            prop_assert!(same_moves(text.as_bytes(), &after.bytes), "{}", text);
            prop_assert!(choices.is_empty() || after.bytes.len() > text.len());
        }
    }
}
