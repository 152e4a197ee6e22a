//! Tests of how the search uses endgame tables, with fake tables.
//!
//! The root keeps only moves that hold the result. The tree probes only positions that tables
//! cover.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::play;
use crate::play::{Record, depth, game, nodes, uci};
use deepfeeling::{
    chess::{
        game::Game,
        score::Score,
        tablebase::{Dtz, Tablebase, Wdl},
    },
    eval::paper::MeasureEvaluator,
    search::{
        self, Endgames, Probing, SearchResult, SharedState, Signals,
        memory::{history::History, pages::Memory, tt::CompatibleEvaluations},
        root::{limits::Limits, time::Timer},
    },
};
use shakmaty::{CastlingMode, Chess, Position};
use std::{
    fmt,
    sync::{Mutex, atomic::Ordering::Relaxed},
};

/// Fake tables with entries given by functions. They panic if probed for a position no table
/// covers.
struct Fake {
    men: usize,
    wdl: fn(&Chess) -> Option<Wdl>,
    dtz: fn(&Chess) -> Option<Dtz>,
    /// Number of pieces in each probed position.
    asked: Mutex<Vec<usize>>,
}

impl fmt::Debug for Fake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fake").field("men", &self.men).finish_non_exhaustive()
    }
}

impl Fake {
    fn new(men: usize, wdl: fn(&Chess) -> Option<Wdl>, dtz: fn(&Chess) -> Option<Dtz>) -> Self {
        Self { men, wdl, dtz, asked: Mutex::default() }
    }

    fn record_probe(&self, position: &Chess) {
        let men = position.board().occupied().count();
        assert!(men <= self.men && !position.castles().any(), "{}", play::fen(position));
        self.asked.lock().unwrap().push(men);
    }
}

impl Tablebase for Fake {
    fn most_men(&self) -> usize {
        self.men
    }

    fn wdl(&self, position: &Chess) -> Option<Wdl> {
        self.record_probe(position);
        (self.wdl)(position)
    }

    fn dtz(&self, position: &Chess) -> Option<Dtz> {
        self.record_probe(position);
        (self.dtz)(position)
    }
}

/// A fake table that stops the search at the first probe.
#[derive(Debug)]
struct Stopping<'s>(&'s Signals);

impl Tablebase for Stopping<'_> {
    fn most_men(&self) -> usize {
        3
    }

    fn wdl(&self, _: &Chess) -> Option<Wdl> {
        self.0.stop.store(true, Relaxed);
        Some(Wdl::Draw)
    }

    fn dtz(&self, _: &Chess) -> Option<Dtz> {
        None
    }
}

/// Score of a draw for the searching side in [`search_with_signals`].
const DRAW: Score = Score::cp(-17);

/// Searches on `threads` threads with `tables`. Returns the outcome, the reports and the table
/// hits.
fn search_on(
    threads: usize,
    tables: &Fake,
    probing: Probing,
    game: &Game,
    limits: &Limits,
    lines: usize,
) -> (SearchResult, Record, u64) {
    search_with_signals(&Signals::default(), threads, tables, probing, game, limits, lines)
}

/// Like [`search_on`], with any tables and the caller's signals.
fn search_with_signals(
    signals: &Signals,
    threads: usize,
    tables: &dyn Tablebase,
    probing: Probing,
    game: &Game,
    limits: &Limits,
    lines: usize,
) -> (SearchResult, Record, u64) {
    let mut memory = Memory::new(1).unwrap();
    memory.new_search(0, CompatibleEvaluations::default());
    let timer = Timer::stopwatch();
    let shared = SharedState {
        multi_pv: lines,
        endgames: Some(Endgames::new(tables, probing, &game.chess, &game.keys, DRAW)),
        draw: DRAW,
        ..SharedState::new(signals, limits, timer, memory.table())
    };
    let mut histories: Vec<_> = (0..threads).map(|_| History::default()).collect();
    let mut record = Record::default();
    let evaluator = MeasureEvaluator::new(game.chess.turn(), [1.0; 4]);
    let (chess, keys) = (&game.chess, &game.keys);
    let outcome = search::search(chess, keys, &evaluator, &shared, &mut histories, &mut record);
    let hits = shared.endgames.as_ref().unwrap().hits();
    (outcome.unwrap(), record, hits)
}

fn search(tables: &Fake, probing: Probing, game: &Game, limits: &Limits) -> (SearchResult, u64) {
    let (outcome, _, hits) = search_on(1, tables, probing, game, limits, 1);
    (outcome, hits)
}

fn best(tables: &Fake, probing: Probing, game: &Game) -> (String, Score) {
    let (outcome, _) = search(tables, probing, game, &nodes(2_000));
    (uci(outcome.best, &game.chess), outcome.score)
}

fn unknown<T>(_: &Chess) -> Option<T> {
    None
}

#[test]
fn signals_are_checked_after_each_probe() {
    let game = game("4k3/8/8/8/8/8/p7/R3K3 w - - 0 1");
    let signals = Signals::default();
    let (tables, probing) = (Stopping(&signals), Probing::default());
    let (outcome, ..) =
        search_with_signals(&signals, 1, &tables, probing, &game, &nodes(100_000), 1);
    // the regular check every 512 nodes would stop later
    assert!(signals.stop.load(Relaxed) && outcome.nodes < 500, "{}", outcome.nodes);
}

/// Returns 8 times the rank of the rook plus its file, which the tests use as DTZ.
fn rook(position: &Chess) -> i32 {
    position.board().rooks().first().unwrap().to_u32() as i32
}

const NO_FIFTY: Probing = Probing { depth: 1, men: 7, fifty_move_rule: false };

/// White to move, no captures possible.
const ROOK: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";

fn rook_ending(halfmoves: u32) -> Game {
    game(&format!("8/8/8/8/3k4/8/8/R3K3 w - - {halfmoves} 90"))
}

#[test]
fn the_root_keeps_only_the_moves_that_win() {
    // only a rook on the seventh rank wins
    let dtz = |position: &Chess| {
        let wins = position.turn().is_black() && rook(position) / 8 == 6;
        Some(Dtz::exact(if wins { -20 } else { 0 }))
    };
    let tables = Fake::new(3, unknown, dtz);
    for threads in [1, 2] {
        let limits = nodes(3_000);
        let (outcome, record, hits) =
            search_on(threads, &tables, Probing::default(), &game(ROOK), &limits, 1);
        assert_eq!(uci(outcome.best, &game(ROOK).chess), "a1a7");
        assert_eq!(outcome.score, Score::win_in(21));
        let moves = game(ROOK).chess.legal_moves().len() as u64;
        assert_eq!(hits, moves, "each root move is probed once, tree nodes never");
        assert!(record.reports.iter().all(|report| report.score == Score::win_in(21)));
    }
}

#[test]
fn the_search_chooses_among_equal_moves() {
    // every move wins, and one of them mates
    let tables = Fake::new(3, unknown, |position| {
        Some(Dtz::exact(if position.turn().is_black() { -9 } else { 9 }))
    });
    let mate_in_two = game("7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    let (outcome, _) = search(&tables, Probing::default(), &mate_in_two, &depth(6));
    assert_eq!(outcome.score, Score::mate_in(3), "a mate score replaces the table win");
}

#[test]
fn a_late_win_is_a_draw_and_the_fastest_is_chosen() {
    // the higher the rook, the shorter the win
    let tables = Fake::new(3, unknown, |position| Some(Dtz::exact(rook(position) - 70)));
    let fifty = Probing::default();
    // Ra8 wins in 14 + 1 half-moves, all other rook moves take longer
    let (first, score) = best(&tables, fifty, &rook_ending(85));
    assert_eq!((first.as_str(), score), ("a1a8", Score::win_in(15)));
    let (first, score) = best(&tables, fifty, &rook_ending(90));
    assert_eq!((first.as_str(), score), ("a1a8", DRAW.plus(1)), "a cursed win, but the best try");
    let (first, score) = best(&tables, NO_FIFTY, &rook_ending(90));
    assert_eq!((first.as_str(), score), ("a1a8", Score::win_in(15)));
}

#[test]
fn a_rounded_distance_may_be_one_larger() {
    let dtz = |position: &Chess| match rook(position) {
        // Rb1 and Rc1 are one half-move apart, but the value of Rb1 is rounded
        1 => Some(Dtz { plies: -49, rounded: true }),
        2 => Some(Dtz::exact(-49)),
        _ => Some(Dtz::exact(0)),
    };
    let tables = Fake::new(3, unknown, dtz);
    assert_eq!(best(&tables, Probing::default(), &rook_ending(50)).0, "a1c1");
    assert_eq!(best(&tables, Probing::default(), &rook_ending(50)).1, Score::win_in(50));
}

#[test]
fn a_lost_position_is_delayed_until_the_fifty_move_rule() {
    // the side with the rook loses here, but later with a higher rook
    let tables = Fake::new(3, unknown, |position| Some(Dtz::exact(rook(position) + 1)));
    let (first, score) = best(&tables, Probing::default(), &rook_ending(30));
    assert_eq!((first.as_str(), score), ("a1a8", Score::loss_in(58)));
    let (first, score) = best(&tables, Probing::default(), &rook_ending(60));
    assert_eq!((first.as_str(), score), ("a1a8", DRAW.plus(-1)));
    let (.., score) = best(&tables, NO_FIFTY, &rook_ending(60));
    assert_eq!(score, Score::loss_in(58));
}

#[test]
fn the_shortest_win_is_taken_after_a_repetition() {
    let tables = Fake::new(3, unknown, |position| {
        Some(Dtz::exact(if position.turn().is_black() { rook(position) - 70 } else { 0 }))
    });
    let mut repeated = game(ROOK);
    for m in ["a1a2", "d4e4", "a2a1", "e4d4"] {
        repeated.play(m).unwrap();
    }
    let first = best(&tables, Probing::default(), &repeated).0;
    assert_eq!(first, "a1a8");
}

#[test]
fn a_third_repetition_is_a_draw_against_any_table_result() {
    let mut twice = game(ROOK);
    for m in ["a1a8", "d4e4", "a8a1", "e4d4", "a1a8", "d4e4", "a8a1", "e4d4"] {
        twice.play(m).unwrap();
    }
    // Ra8 would be best, but it repeats the position for the third time
    let tables = Fake::new(3, unknown, |position| Some(Dtz::exact(rook(position) - 70)));
    let (first, _) = best(&tables, Probing::default(), &twice);
    assert_eq!(first, "a1a7");
    // the repetition saves the losing side
    let tables = Fake::new(3, unknown, |position| Some(Dtz::exact(70 - rook(position))));
    assert_eq!(best(&tables, Probing::default(), &twice), ("a1a8".into(), DRAW));
}

#[test]
fn wdl_results_are_used_without_distances() {
    let wdl = |position: &Chess| {
        let wins = position.board().rooks().first().is_none_or(|rook| rook.rank().to_u32() == 6);
        match (position.turn().is_black(), wins) {
            (true, true) => Some(Wdl::Loss),
            (true, false) => Some(Wdl::BlessedLoss),
            (false, true) => Some(Wdl::Win),
            (false, false) => Some(Wdl::CursedWin),
        }
    };
    let tables = Fake::new(3, wdl, unknown);
    let (first, score) = best(&tables, Probing::default(), &game(ROOK));
    assert_eq!((first.as_str(), score), ("a1a7", Score::win_in(1)));
    let (first, score) = best(&tables, NO_FIFTY, &game(ROOK));
    assert_eq!((first.as_str(), score), ("a1a7", Score::win_in(1)));
    let tables = Fake::new(3, |_| Some(Wdl::BlessedLoss), unknown);
    assert_eq!(best(&tables, Probing::default(), &game(ROOK)).1, DRAW.plus(1));
}

#[test]
fn root_moves_are_not_ranked_unless_all_are_known() {
    let some = |position: &Chess| (rook(position) != 8).then(|| Dtz::exact(-9));
    let tables = Fake::new(3, unknown, some);
    let with = search(&tables, Probing::default(), &game(ROOK), &depth(5)).0;
    let without = Fake::new(0, unknown, unknown);
    let without = search(&without, Probing::default(), &game(ROOK), &depth(5)).0;
    assert_eq!((with.best, with.score, with.nodes), (without.best, without.score, without.nodes));
}

#[test]
fn worse_lines_come_after_those_that_hold_the_result() {
    let dtz = |position: &Chess| Some(Dtz::exact(if rook(position) == 24 { -20 } else { 0 }));
    let tables = Fake::new(3, unknown, dtz);
    let rook_ending = game(ROOK);
    let (_, record, _) = search_on(1, &tables, Probing::default(), &rook_ending, &depth(4), 3);
    let last: Vec<_> = record.reports.iter().filter(|report| report.depth == 4).collect();
    let scores: Vec<_> = last.iter().map(|report| report.score).collect();
    assert_eq!(scores, [Score::win_in(21), DRAW, DRAW]);
    assert_eq!(uci(last[0].pv[0], &rook_ending.chess), "a1a4");
}

#[test]
fn multi_pv_scores_are_in_order() {
    // all rook moves win in time; the distance is the number of the square
    let dtz = |position: &Chess| Some(Dtz::exact(-1 - rook(position)));
    let tables = Fake::new(3, unknown, dtz);
    let (_, record, _) = search_on(1, &tables, Probing::default(), &game(ROOK), &depth(6), 6);
    let last = record.reports.iter().filter(|report| report.depth == 6);
    let scores: Vec<_> = last.map(|report| report.score).collect();
    assert!(scores.len() == 6 && scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
}

#[test]
fn searchmoves_also_restricts_table_moves() {
    let dtz = |position: &Chess| Some(Dtz::exact(if rook(position) == 24 { -20 } else { 0 }));
    let tables = Fake::new(3, unknown, dtz);
    let rook_ending = game(ROOK);
    let wanted = |m: &shakmaty::Move| ["a1a5", "a1a6"].contains(&&*uci(*m, &rook_ending.chess));
    let moves: Vec<_> = rook_ending.chess.legal_moves().into_iter().filter(wanted).collect();
    let limits = Limits { moves: moves.clone(), ..nodes(500) };
    let (outcome, _) = search(&tables, Probing::default(), &rook_ending, &limits);
    assert!(moves.contains(&outcome.best) && outcome.score == DRAW);
}

/// White can take a rook with its rook, which leaves three pieces.
const CAPTURE: &str = "8/8/2k5/8/8/r7/8/R3K3 w - - 7 60";

/// Searches only that capture. Returns its score and the table hits.
fn after_the_capture(tables: &Fake, probing: Probing, plies: u8) -> (Score, u64) {
    let position = game(CAPTURE);
    let capture = position.chess.capture_moves()[0];
    let limits = Limits { moves: vec![capture], ..depth(plies) };
    let (outcome, hits) = search(tables, probing, &position, &limits);
    (outcome.score, hits)
}

#[test]
fn table_results_bound_scores_in_the_tree() {
    for (wdl, expected, without_rule) in [
        (Wdl::Loss, Score::win_in(1), Score::win_in(1)),
        (Wdl::BlessedLoss, DRAW.plus(1), Score::win_in(1)),
        (Wdl::Draw, DRAW, DRAW),
        (Wdl::CursedWin, DRAW.plus(-1), Score::loss_in(1)),
        (Wdl::Win, Score::loss_in(1), Score::loss_in(1)),
    ] {
        let answer: fn(&Chess) -> Option<Wdl> = match wdl {
            Wdl::Loss => |_| Some(Wdl::Loss),
            Wdl::BlessedLoss => |_| Some(Wdl::BlessedLoss),
            Wdl::Draw => |_| Some(Wdl::Draw),
            Wdl::CursedWin => |_| Some(Wdl::CursedWin),
            Wdl::Win => |_| Some(Wdl::Win),
        };
        let tables = Fake::new(3, answer, unknown);
        for plies in 2..9 {
            let (score, hits) = after_the_capture(&tables, Probing::default(), plies);
            assert_eq!(score, expected, "{wdl:?} at {plies} plies");
            assert!(hits > 0);
            assert_eq!(after_the_capture(&tables, NO_FIFTY, plies).0, without_rule);
        }
    }
}

#[test]
fn a_mate_is_preferred_to_a_table_win() {
    // taking the knight mates
    let position = game("7k/5Kn1/8/8/8/8/6Q1/8 w - - 0 1");
    let tables = Fake::new(3, |_| Some(Wdl::Loss), unknown);
    let (outcome, _) = search(&tables, Probing::default(), &position, &depth(6));
    assert_eq!(outcome.score, Score::mate_in(1));
    // here the mate takes one move longer than the table win
    let position = game("7k/8/5K2/8/7n/8/8/7R w - - 0 1");
    let (outcome, hits) = search(&tables, Probing::default(), &position, &depth(8));
    assert_eq!(outcome.score, Score::mate_in(3));
    assert!(hits > 0);
}

#[test]
fn shallow_nodes_with_the_most_pieces_are_not_probed() {
    let probing = Probing { depth: 4, ..Probing::default() };
    let tables = Fake::new(3, |_| Some(Wdl::Draw), unknown);
    assert_eq!(after_the_capture(&tables, probing, 4).1, 0);
    assert_ne!(after_the_capture(&tables, probing, 7).1, 0);
    // the root has four pieces and is unknown until a rook is captured
    let tables = Fake::new(
        4,
        |position| (position.board().rooks().count() < 2).then_some(Wdl::Draw),
        unknown,
    );
    let (_, hits) = after_the_capture(&tables, Probing { depth: 100, ..probing }, 4);
    assert_ne!(hits, 0, "nodes with fewer pieces are probed");
}

#[test]
fn the_probe_limit_is_obeyed() {
    for men in [0, 2] {
        let probing = Probing { men, ..Probing::default() };
        let tables = Fake::new(5, |_| Some(Wdl::Draw), |_| Some(Dtz::exact(0)));
        assert_eq!(after_the_capture(&tables, probing, 6).1, 0);
        assert_eq!(search(&tables, probing, &game(ROOK), &depth(4)).1, 0);
        assert!(tables.asked.lock().unwrap().is_empty());
    }
}

#[test]
fn positions_with_castling_rights_are_not_probed() {
    // the fake tables panic if probed with castling rights
    let tables = Fake::new(5, |_| Some(Wdl::Draw), |_| Some(Dtz::exact(0)));
    for (fen, mode) in [
        ("4k3/7p/8/8/8/8/7P/R3K3 w Q - 0 1", CastlingMode::Standard),
        ("4k3/7p/8/8/8/8/7P/1R2K3 w B - 0 1", CastlingMode::Chess960),
        ("4k2r/8/8/8/8/8/6P1/R3K3 w Qk - 0 1", CastlingMode::Standard),
    ] {
        let position = Game::from_fen(fen, Some(mode)).unwrap();
        let (outcome, hits) = search(&tables, Probing::default(), &position, &depth(7));
        assert!(position.chess.is_legal(outcome.best));
        assert!(hits > 0, "no probe after the loss of castling rights: {fen}");
    }
}

#[test]
fn a_search_with_tables_is_repeatable() {
    let tables = Fake::new(4, |_| Some(Wdl::Draw), unknown);
    let position = game("8/5k2/8/1p4p1/8/8/1P3K2/8 w - - 0 1");
    let again = || {
        let (outcome, hits) = search(&tables, Probing::default(), &position, &depth(12));
        (play::without_clock(&outcome), hits)
    };
    assert_eq!(again(), again());
}
