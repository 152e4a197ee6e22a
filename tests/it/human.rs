//! Tests of `LimitStyle` = `human`: repeatable, legal, and no blunder without a reason.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::play::{engine, game, outcome};
use deepfeeling::{
    chess::game::Game,
    lab::bench::POSITIONS,
    player::{
        Engine, LimitStyle, Listener,
        human::{choice::Choice, cue::winning_chance},
    },
    search::{
        Signals,
        root::{limits::Limits, report::SearchListener},
    },
};
use shakmaty::{Move, Position, san::San};
use std::{sync::atomic::Ordering::Relaxed, thread, time::Duration};

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

/// Remembers what came to mind.
#[derive(Default)]
struct Recorder(Vec<Choice>);

impl SearchListener for Recorder {}

impl Listener for Recorder {
    fn came_to_mind(&mut self, _: &Game, _: u16, choice: &Choice) {
        self.0.push(choice.clone());
    }
}

fn limits() -> Limits {
    Limits { depth: Some(1), ..Limits::default() }
}

/// Plays `plies` moves of a person against itself.
fn moves(elo: u16, seed: u64, plies: usize) -> Vec<Move> {
    let (mut engine, mut game) = (person(elo, seed), Game::default());
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
            let loss = winning_chance(best) - winning_chance(choice.score);
            if let Some(reply) = choice.overlooked {
                blunders += 1;
                let mut after = game.chess.clone();
                after.play_unchecked(choice.m);
                assert!(after.is_legal(reply), "{fen}");
            } else {
                assert!(loss < 0.5, "{fen}: a loss of {loss} without a reason");
            }
        }
    }
    assert!(blunders > 0, "a weak person blunders now and then");
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let signals = Signals::default();
    let mut engine = person(1500, 0);
    thread::scope(|scope| {
        let search = scope.spawn(|| {
            engine.go(&Game::default(), &Limits::default(), &signals, &mut Recorder::default())
        });
        thread::sleep(Duration::from_millis(200));
        assert!(!search.is_finished());
        signals.stop.store(true, Relaxed);
        assert!(search.join().unwrap().is_some());
    });
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
