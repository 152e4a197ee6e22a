//! Tests of `LimitStyle` = `human`: repeatable, legal, and no blunder without a reason.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::{
    dialogue::{Dialogue, best_move, count},
    play::{engine, game, outcome},
};
use deepfeeling::{
    chess::{game::Game, score::Score, win_chance::win_chance},
    lab::bench::POSITIONS,
    player::{Engine, LimitStyle, Listener, human::choice::Choice},
    profile::Profile,
    search::{
        Signals,
        root::{
            limits::{Clock, Limits},
            report::SearchListener,
        },
    },
};
use shakmaty::{ByColor, Move, Position, Role, san::San};
use std::{num::NonZeroU64, time::Duration};

fn person(elo: u16, seed: u64) -> Engine {
    let mut engine = engine("standard");
    engine
        .change(|options| {
            (options.limit_strength, options.limit_style) = (true, LimitStyle::Human);
            (options.elo, options.human_seed) = (elo, seed);
        })
        .unwrap();
    engine
}

/// Remembers what came to mind, and think times.
#[derive(Default)]
struct Recorder(Vec<Choice>, Vec<Duration>);

impl SearchListener for Recorder {}

impl Listener for Recorder {
    fn came_to_mind(&mut self, _: &Game, _: u16, choice: &Choice) {
        self.0.push(choice.clone());
    }

    fn thinks_for(&mut self, time: Duration) {
        self.1.push(time);
    }
}

fn limits() -> Limits {
    Limits { depth: Some(1), ..Limits::default() }
}

/// Plays `plies` moves of a person against itself.
fn moves(elo: u16, seed: u64, plies: usize) -> Vec<Move> {
    moves_of(person(elo, seed), plies)
}

/// Plays `plies` moves of a person with this `[human]` table against itself, without opening moves.
fn moves_with(taste: &str, plies: usize) -> Vec<Move> {
    let mut engine = person(1500, 3);
    engine.change(|options| options.human_book = false).unwrap();
    engine.set_profile(Profile::from_text(taste, "test.toml").unwrap());
    moves_of(engine, plies)
}

fn moves_of(mut engine: Engine, plies: usize) -> Vec<Move> {
    let mut game = Game::default();
    (0..plies)
        .map(|_| {
            let m = outcome(&mut engine, &game, &limits()).0;
            assert!(game.chess.is_legal(m));
            game.push(m);
            m
        })
        .collect()
}

#[test]
fn equal_seeds_play_equal_games_and_other_seeds_differ() {
    let first = moves(1400, 7, 24);
    assert_eq!(moves(1400, 7, 24), first);
    assert!((0..3).any(|seed| moves(1400, seed, 24) != first));
}

#[test]
fn only_a_taste_of_its_own_changes_the_moves() {
    let plain = moves_with("", 8);
    let default = "[human]\nsharpness = 1\nin_mind = 0.99\n[human.clock]\npace = 3";
    assert_eq!(moves_with(default, 8), plain);
    let knights = moves_with("[human.cues]\nknight = 10", 8);
    assert!(knights.iter().all(|m| m.role() == Role::Knight), "{knights:?}");
    assert_ne!(moves_with("[human]\nsharpness = 4\nin_mind = 0.5", 8), plain);
}

#[test]
fn people_feel_fully_also_with_taste() {
    let wild = "fear = { both = { material = 25 } }\nrelief = { both = { material = 400 } }\n";
    let feeling = |keys: &str| moves_with(&format!("[feeling]\n{wild}{keys}\n"), 24);
    let calm = feeling("floor = 1\nceiling = 1");
    assert_ne!(feeling("taste = 40"), calm);
    assert_eq!(feeling("taste = 40"), feeling("taste = 0"));
}

#[test]
fn ratings_above_the_strongest_people_play_like_these() {
    assert_eq!(moves(3000, 5, 12), moves(2200, 5, 12));
    let mut gui = Dialogue::start();
    gui.send(&format!("{HUMAN}\nsetoption name UCI_Elo value 3000\nposition startpos\ngo nodes 1"));
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string rated 2200: ")), "{lines:?}");
}

#[test]
fn a_mate_in_one_is_always_played() {
    for (fen, mate) in [
        ("3k3B/7p/p1Q1p3/2n5/6P1/K3b3/PP5q/R7 w - - 0 1", "Bf6"),
        ("6n1/5P1k/7p/np4b1/3B4/1pP4P/5PP1/1b4K1 w - - 0 1", "f8=N"),
    ] {
        let game = game(fen);
        let mate = mate.parse::<San>().unwrap().to_move(&game.chess).unwrap();
        for seed in 0..5 {
            assert_eq!(outcome(&mut person(1000, seed), &game, &limits()).0, mate, "{fen}");
        }
    }
}

#[test]
fn every_blunder_has_a_reply_that_was_overlooked() {
    let mut blunders = 0;
    for fen in POSITIONS {
        let game = game(fen);
        for seed in 0..6 {
            let mut heard = Recorder::default();
            let mut engine = person(1000, seed);
            engine.go(&game, &limits(), &Signals::default(), &mut heard).unwrap();
            let choice = &heard.0[0];
            let sum: f64 = choice.in_mind.iter().map(|candidate| candidate.chance).sum();
            assert!(sum > 0.0 && sum < 1.0 + 1e-9);
            assert!(choice.in_mind.iter().any(|candidate| candidate.m == choice.m));
            let best = choice.in_mind.iter().map(|candidate| candidate.score).max().unwrap();
            let loss = win_chance(Score::cp(best)) - win_chance(Score::cp(choice.score));
            if let Some(reply) = choice.overlooked {
                blunders += 1;
                let mut after = game.chess.clone();
                after.play_unchecked(choice.m);
                assert!(after.is_legal(reply), "{fen}");
            } else {
                assert!(loss < 50.0, "{fen}: a loss of {loss} points without a reason");
            }
        }
    }
    assert!(blunders > 0, "a weak person blunders now and then");
}

#[test]
fn seed_0_is_a_new_one_at_every_start() {
    let opening = |seed: u64| {
        let mut gui = Dialogue::start();
        gui.send(&format!("{HUMAN}\nsetoption name HumanSeed value {seed}"));
        let mut line = "startpos moves e2e4".to_owned();
        for _ in 0..10 {
            gui.send(&format!("position {line}\ngo nodes 1"));
            let m = best_move(&gui.until("bestmove"), &line);
            line = format!("{line} {m}");
        }
        line
    };
    assert_eq!(opening(5), opening(5));
    // ten moves drawn from a book and a policy are hardly ever the same
    assert!((0..4).any(|_| opening(0) != opening(0)));
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let mut gui = Dialogue::start();
    gui.send("setoption name UCI_LimitStrength value true\nsetoption name LimitStyle value human");
    for go in ["go infinite", "go ponder wtime 500 btime 500"] {
        gui.send(&format!("position startpos\n{go}"));
        gui.until("info depth");
        gui.send("isready");
        assert_eq!(count(&gui.until("readyok"), "bestmove"), 0, "{go}");
        gui.send("stop");
        best_move(&gui.until("bestmove"), "startpos");
    }
}

#[test]
fn the_moves_asked_for_are_respected_and_no_move_gives_no_choice() {
    let start = Game::default();
    let only: Vec<Move> = start.chess.legal_moves().into_iter().take(2).collect();
    for seed in 0..4 {
        let asked = Limits { moves: only.clone(), ..limits() };
        assert!(only.contains(&outcome(&mut person(1200, seed), &start, &asked).0));
    }
    let mated = game("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    let found =
        person(1200, 0).go(&mated, &limits(), &Signals::default(), &mut Recorder::default());
    assert_eq!(found, None);
}

fn on_clock(left: Duration, increment: Duration) -> Limits {
    let clock = Clock { left, increment };
    Limits { clock: Some(ByColor { white: clock, black: clock }), ..Limits::default() }
}

/// Returns the think time of a person with `HumanClock`.
fn think_time(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<Duration> {
    engine.change(|options| options.human_clock = true).unwrap();
    let mut heard = Recorder::default();
    engine.go(game, limits, &Signals::default(), &mut heard).unwrap();
    assert!(heard.1.len() < 2);
    heard.1.first().copied()
}

#[test]
fn with_little_time_a_person_only_glances() {
    let nodes = |limits: &Limits| {
        let mut recorder = Recorder::default();
        let game = game(POSITIONS[3]);
        let found = person(1500, 1).go(&game, limits, &Signals::default(), &mut recorder).unwrap();
        assert!(game.chess.is_legal(found.best));
        found.nodes
    };
    let second = Duration::from_secs(1);
    let full = nodes(&on_clock(second, second));
    let hurried = nodes(&on_clock(Duration::from_millis(999), second));
    let short = Limits { move_time: Some(Duration::from_millis(49)), ..Limits::default() };
    assert!(full > 5 * hurried && hurried == nodes(&short), "{full} {hurried}");
}

#[test]
fn equal_seeds_take_equal_times() {
    let (minutes, seconds) = (Duration::from_mins(5), Duration::from_secs(3));
    let times = |seed| -> Vec<Duration> {
        let (mut engine, mut game) = (person(1500, seed), Game::default());
        let mut time = |left: u64| {
            let limits = on_clock(Duration::from_secs(left), seconds);
            let time = think_time(&mut engine, &game, &limits).unwrap();
            let m = game.chess.legal_moves()[0];
            game.push(m);
            time
        };
        [300, 300, 297, 288].map(&mut time).into()
    };
    let first = times(3);
    assert_eq!(times(3), first);
    assert!((4..7).all(|seed| times(seed) != first), "{first:?}");
    assert!(first.iter().all(|time| *time < minutes / 3), "{first:?}");
}

#[test]
fn no_think_time_exceeds_its_share_of_the_clock() {
    let (mut engine, game) = (person(1100, 8), Game::default());
    for left in [1, 100, 20_000] {
        for increment in [0, 10_000] {
            let left = Duration::from_millis(left);
            let mut limits = on_clock(left, Duration::from_millis(increment));
            for moves_to_go in [None, Some(1)] {
                limits.moves_to_go = moves_to_go;
                engine.new_game();
                let time = think_time(&mut engine, &game, &limits).unwrap();
                assert!(time <= left * 3 / 10, "{time:?} of {left:?}");
            }
        }
    }
}

#[test]
fn people_take_time_only_if_a_clock_is_the_only_limit() {
    let hour = on_clock(Duration::from_hours(1), Duration::ZERO);
    let mut engine = person(1500, 1);
    let game = Game::default();
    assert!(think_time(&mut engine, &game, &hour).is_some());
    for limits in [
        Limits { nodes: NonZeroU64::new(5), ..hour.clone() },
        Limits { depth: Some(1), ..hour.clone() },
        Limits { mate: Some(1), ..hour.clone() },
        Limits { move_time: Some(Duration::from_millis(5)), ..hour.clone() },
        Limits::of_nodes(NonZeroU64::MIN),
    ] {
        assert_eq!(think_time(&mut engine, &game, &limits), None, "{limits:?}");
    }
    engine.change(|options| options.limit_style = LimitStyle::Narrow).unwrap();
    let depth = Limits { depth: Some(1), ..hour };
    assert_eq!(think_time(&mut engine, &game, &depth), None);
}

const HUMAN: &str = "setoption name UCI_LimitStrength value true\n\
    setoption name LimitStyle value human\nsetoption name HumanClock value true";

#[test]
fn stop_ends_the_wait_of_a_person() {
    let mut gui = Dialogue::start();
    gui.send(HUMAN);
    // a person would think for minutes
    let clock = "wtime 36000000 btime 36000000 winc 900000 binc 900000";
    for go in [format!("go {clock}"), format!("go ponder {clock}")] {
        gui.send(&format!("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3\n{go}"));
        gui.until("info depth");
        gui.send("isready");
        assert_eq!(count(&gui.until("readyok"), "bestmove"), 0, "{go}");
        if go.contains("ponder") {
            gui.send("ponderhit\nisready");
            assert_eq!(count(&gui.until("readyok"), "bestmove"), 0, "still waiting");
        }
        gui.send("stop");
        best_move(&gui.until("bestmove"), "startpos moves e2e4 e7e5 g1f3");
    }
}

#[test]
fn other_limits_and_the_end_of_the_input_let_a_person_play_at_once() {
    let mut gui = Dialogue::start();
    gui.send(HUMAN);
    for limit in ["nodes 10", "depth 2", "movetime 20", "mate 1"] {
        let go = format!("position startpos\ngo {limit} wtime 36000000 btime 36000000");
        best_move(&gui.search(&go), "startpos");
    }
    // `quit` drops a search that still waits for the last one to end
    gui.send("isready");
    gui.until("readyok");
    gui.send("go wtime 36000000 btime 36000000\nquit");
    let (lines, status) = gui.end();
    assert_eq!(count(&lines, "bestmove"), 1);
    assert!(status.success());
}
