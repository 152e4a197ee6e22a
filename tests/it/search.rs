//! Tests of the search: repeatable by nodes, independent of emotion, and close to a full-width
//! search.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::play;
use crate::play::{
    Record, assert_legal_line, depth, engine, game, nodes, outcome, recorded, uci, without_clock,
};
use deepfeeling::{
    chess::{
        evaluator::Evaluator,
        game::Game,
        score::{Score, Tapered},
    },
    eval::TermEvaluator,
    lab::bench::POSITIONS,
    player::Options,
    profile::Profile,
    search::{
        self, SearchResult, SharedState, Signals,
        memory::{history::History, pages::Memory, tt::CompatibleEvaluations},
        params::Params,
        root::{
            limits::Limits,
            report::{Bound, Silent},
            time::Timer,
        },
    },
};
use shakmaty::{ByColor, CastlingMode, Chess, Color, Move, Position, Role};
use std::{cmp::Reverse, sync::atomic::Ordering::Relaxed};

/// An opening, a sharp middlegame, an ending, and a position in check.
const FOUR: [&str; 4] = [
    "startpos moves e2e4 c7c5 g1f3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55",
    "rnb1kbnr/pppp1ppp/8/4p3/4PP1q/8/PPPP2PP/RNBQKBNR w KQkq - 1 3",
];

#[test]
fn a_search_by_nodes_is_repeatable() {
    for text in FOUR {
        let (game, limits) = (game(text), nodes(20_000));
        let first = recorded(&mut engine("standard"), &game, &limits);
        let mut again = engine("standard");
        assert_eq!(recorded(&mut again, &game, &limits), first, "another engine: {text}");

        let other = Game::from_fen(POSITIONS[1], None).unwrap();
        outcome(&mut again, &other, &nodes(5000));
        again.new_game();
        assert_eq!(recorded(&mut again, &game, &limits), first, "a new game: {text}");
    }
}

#[test]
fn listeners_do_not_change_the_search() {
    for text in FOUR {
        let (game, limits) = (game(text), nodes(10_000));
        let signals = Signals::default();
        let silent = engine("standard").go(&game, &limits, &signals, &mut Silent).unwrap();
        let heard = outcome(&mut engine("standard"), &game, &limits);
        assert_eq!(without_clock(&silent), heard, "{text}");
    }
}

#[test]
fn every_search_of_a_game_is_repeatable() {
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "f3g5", "d7d5"];
    let play = || {
        let (mut engine, mut game) = (engine("standard"), Game::default());
        moves.map(|m| {
            let found = recorded(&mut engine, &game, &nodes(3000));
            game.play(m).unwrap();
            found
        })
    };
    assert_eq!(play(), play());
}

#[test]
fn node_limits_are_exact_on_one_thread() {
    for text in FOUR {
        let game = game(text);
        for limit in [1, 2, 3, 100, 511, 512, 513, 1024, 20_000] {
            for lines in [1, 3] {
                let mut engine = engine("standard");
                engine.change(|options| options.multi_pv = lines).unwrap();
                let (best, .., spent) = outcome(&mut engine, &game, &nodes(limit));
                assert_eq!(spent, limit, "{lines} lines of {text}");
                assert!(game.chess.is_legal(best));
            }
        }
    }
}

#[test]
fn a_depth_limit_ends_the_search_before_the_nodes_run_out() {
    let limits = Limits { depth: Some(4), ..nodes(1_000_000) };
    let (found, record) = recorded(&mut engine("standard"), &game(FOUR[0]), &limits);
    assert!(found.unwrap().3 < 1_000_000);
    let depths: Vec<_> = record.reports.iter().map(|report| report.depth).collect();
    assert_eq!(depths, [1, 2, 3, 4]);
}

#[test]
fn a_search_stopped_between_iterations_keeps_its_result() {
    for lines in [1, 3] {
        for text in FOUR {
            for plies in 1..=6 {
                let game = game(text);
                let mut whole = engine("standard");
                whole.change(|options| options.multi_pv = lines).unwrap();
                let found = outcome(&mut whole, &game, &depth(plies));
                let mut stopped = engine("standard");
                stopped.change(|options| options.multi_pv = lines).unwrap();
                let kept = outcome(&mut stopped, &game, &nodes(found.3));
                assert_eq!(kept, found, "depth {plies}, {lines} lines of {text}");
            }
        }
    }
}

#[test]
fn a_search_stopped_within_an_iteration_reports_no_wrong_mate() {
    // the side to move is mated in three against the best defence, and sooner by other moves
    for fen in [
        "1R1R4/6pk/4p2p/2P1P2P/5P2/3p2r1/4p2K/8 b - - 0 1",
        "1q2b2k/1p2bB2/1pn1N2r/3RP2p/1P3P2/P5Q1/2P4P/6K1 b - - 0 1",
        "2q1rk2/6bQ/p2pPBpR/np6/8/2Pb1P2/P1P5/2KR4 b - - 0 1",
    ] {
        for limit in (50..=3000).step_by(50) {
            let (_, _, score, _) = outcome(&mut engine("standard"), &game(fen), &nodes(limit));
            let plies = score.mate_distance();
            assert!(plies.is_none_or(|plies| plies <= -6), "{limit} nodes: {plies:?} in {fen}");
        }
    }
}

#[test]
fn all_ways_to_disable_emotion_give_the_same_search() {
    let without = |prepare: fn(&mut Options), profile: &str, game: &Game| {
        let mut engine = engine(profile);
        engine.change(prepare).unwrap();
        let (found, record) = recorded(&mut engine, game, &depth(7));
        (found.unwrap(), record.reports)
    };
    for fen in POSITIONS.iter().step_by(3) {
        let game = Game::from_fen(fen, None).unwrap();
        let off = without(|options| options.emotion = false, "standard", &game);
        let neutral = without(|_| (), "neutral", &game);
        let cold = without(|options| options.emotion_strength = 0, "standard", &game);
        let twice = without(|options| options.emotion_strength = 200, "neutral", &game);
        assert_eq!(off, neutral, "the neutral profile: {fen}");
        assert_eq!(off, cold, "temperament 0: {fen}");
        assert_eq!(off, twice, "the neutral profile at temperament 200: {fen}");
    }
}

#[test]
fn emotion_changes_some_moves_and_is_reported_once_per_search() {
    let mut changed = 0;
    for fen in POSITIONS.iter().step_by(3) {
        let game = Game::from_fen(fen, None).unwrap();
        let (felt, record) = recorded(&mut engine("standard"), &game, &depth(6));
        assert_eq!(record.felt.len(), 1, "{fen}");
        let mut off = engine("standard");
        off.change(|options| options.emotion = false).unwrap();
        let (neutral, record) = recorded(&mut off, &game, &depth(6));
        assert!(record.felt.is_empty(), "{fen}");
        changed += u32::from(felt != neutral);
    }
    assert!(changed > 7, "only {changed} positions");
}

/// Returns the default profile with all weights 0. Its scores are draws or mates.
fn indifferent() -> Profile {
    let mut profile = Profile::builtin("standard").unwrap();
    profile.weights.0.fill(Tapered::default());
    profile
}

#[test]
fn a_change_of_weights_discards_table_scores() {
    for fen in POSITIONS {
        let game = Game::from_fen(fen, None).unwrap();
        let mut engine = engine("standard");
        outcome(&mut engine, &game, &depth(5));
        engine.set_profile(indifferent());
        for plies in 1..=3 {
            let (.., score, _) = outcome(&mut engine, &game, &depth(plies));
            assert!(score.is_mate() || score == Score::DRAW, "{score} at {plies} plies: {fen}");
        }
    }
}

#[test]
fn a_change_from_zero_weights_discards_table_scores() {
    for queen_up in [
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "6k1/5ppp/4p3/3p4/3P4/4P3/3Q1PPP/6K1 w - - 0 1",
    ] {
        let game = game(queen_up);
        let mut engine = play::with(indifferent(), Options::default());
        assert_eq!(outcome(&mut engine, &game, &depth(5)).2, Score::DRAW);
        engine.set_profile(Profile::builtin("standard").unwrap());
        let (.., score, _) = outcome(&mut engine, &game, &depth(1));
        assert!(score > Score::cp(700), "{score}: {queen_up}");
    }
}

#[test]
fn very_different_emotions_do_not_share_table_scores() {
    // White feels in the first search, Black in the second: relief becomes fear
    let text = "[feeling]\ntaste = 0\nfear = { both = { material = 30 } }\nrelief = { both = { material = 300 } }";
    let moody = || play::with(Profile::from_text(text, "moody").unwrap(), Options::default());
    let mut compared = 0;
    for text in [
        "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4",
        "8/5pk1/6p1/8/1r6/4R1P1/5P1K/8 w - - 0 1 moves e3e7",
        "8/5k2/3p4/3P4/8/5K2/8/8 w - - 0 1 moves f3e4",
        "6k1/5ppp/8/8/8/8/Q4PPP/6K1 w - - 0 1 moves a2a7",
        "6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1 moves h2h3",
    ] {
        let after = game(text);
        let before = game(text.rsplit_once(' ').unwrap().0.trim_end_matches(" moves"));
        let mut filled = moody();
        let apart = filled.appraise(&before).unwrap().intensity
            - filled.appraise(&after).unwrap().intensity;
        if apart.abs() < 0.4 {
            continue;
        }
        compared += 1;
        outcome(&mut filled, &before, &depth(6));
        let (.., with, _) = outcome(&mut filled, &after, &depth(1));
        let (.., without, _) = outcome(&mut moody(), &after, &depth(1));
        assert_eq!(with, without, "{text}");
    }
    assert!(compared >= 2, "only {compared} pairs");
}

#[test]
fn an_engine_with_cleared_hash_searches_like_a_new_one() {
    let game = game(POSITIONS[3]);
    let mut engine = engine("standard");
    let (fresh, first) = recorded(&mut engine, &game, &nodes(20_000));
    let (again, other) = recorded(&mut engine, &game, &nodes(20_000));
    assert!(
        (again, other.reports) != (fresh, first.reports.clone()),
        "the second search uses the table"
    );
    engine.clear_hash();
    let (cleared, same) = recorded(&mut engine, &game, &nodes(20_000));
    assert_eq!((cleared, same.reports), (fresh, first.reports));
}

#[test]
fn a_filled_table_and_an_empty_one_agree_at_depth_one() {
    // quiet positions: the table changes the move order, and here the leaves do not depend on it
    for text in [
        "startpos",
        "startpos moves e2e4 e7e5 g1f3 b8c6",
        "8/5pk1/6p1/8/1r6/4R1P1/5P1K/8 w - - 0 1",
        "8/5k2/3p4/3P4/8/5K2/8/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/Q4PPP/6K1 b - - 0 1",
    ] {
        let game = game(text);
        let mut calm = engine("standard");
        calm.change(|options| options.emotion_strength = 0).unwrap();
        let mut filled = engine("standard");
        filled.change(|options| options.emotion_strength = 200).unwrap();
        outcome(&mut filled, &game, &depth(7));
        filled.change(|options| options.emotion_strength = 0).unwrap();
        let score = |engine| outcome(engine, &game, &depth(1)).2;
        assert_eq!(score(&mut filled), score(&mut calm), "{text}");
    }
}

/// Evaluates only material, with the piece values of the static exchange evaluation.
#[derive(Clone)]
struct MaterialOnly;

impl Evaluator for MaterialOnly {
    type Sums = ();

    fn sums(&self, _: &Chess) {}

    fn after(&self, (): (), _: &Chess, _: Move) {}

    fn evaluate(&mut self, position: &Chess, (): ()) -> Score {
        let count = |color: Color| -> i32 {
            [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500)]
                .into_iter()
                .chain([(Role::Queen, 900)])
                .map(|(role, value)| {
                    value * position.board().by_piece(role.of(color)).count() as i32
                })
                .sum()
        };
        let turn = position.turn();
        Score::cp(count(turn) - count(turn.other()))
    }
}

/// Searches with the search module alone, without engine and mind.
fn search_with<E: Evaluator + Clone + Send>(
    evaluator: &E,
    game: &Game,
    limits: &Limits,
) -> Option<SearchResult> {
    search_from(Params::default().full_width_depth, evaluator, game, limits)
}

/// Like [`search_with`], with pruning and reductions enabled above `full_width_depth`.
fn search_from<E: Evaluator + Clone + Send>(
    full_width_depth: i32,
    evaluator: &E,
    game: &Game,
    limits: &Limits,
) -> Option<SearchResult> {
    let mut memory = Memory::new(1).unwrap();
    memory.new_search(0, CompatibleEvaluations::default());
    let signals = Signals::default();
    let timer = Timer::stopwatch();
    let params = Params { full_width_depth, ..Params::default() };
    let shared =
        SharedState { params, ..SharedState::new(&signals, limits, timer, memory.table()) };
    let mut histories = [History::default()];
    search::search(&game.chess, &game.keys, evaluator, &shared, &mut histories, &mut Silent)
}

/// Returns the score of a plain alpha-beta search of all moves to `depth`, without a table.
///
/// It extends checks and ends with all captures and queen promotions. Alpha-beta does not change
/// the result, and there is no other pruning.
fn plain<E: Evaluator>(
    evaluator: &mut E,
    chess: &Chess,
    mut alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
) -> i32 {
    let mut moves: Vec<Move> = chess.legal_moves().into_iter().collect();
    let in_check = chess.is_check();
    if moves.is_empty() {
        return if in_check { Score::mated_in(ply).centipawns() } else { 0 };
    }
    if ply > 0 && (chess.halfmoves() >= 100 || chess.is_insufficient_material()) {
        return 0;
    }
    let depth = depth + i32::from(ply > 0 && in_check);
    let mut best = -INFINITE;
    if depth <= 0 && !in_check {
        let sums = evaluator.sums(chess);
        best = evaluator.evaluate(chess, sums).centipawns();
        // static scores fade towards the fifty-move rule
        best -= best * chess.halfmoves().min(100) as i32 / 200;
        alpha = alpha.max(best);
        moves.retain(|m| m.is_capture() || m.promotion() == Some(Role::Queen));
    }
    // larger victims first, for speed only
    moves.sort_by_key(|m| Reverse(m.capture()));
    for m in moves {
        if alpha >= beta {
            break;
        }
        let mut child = chess.clone();
        child.play_unchecked(m);
        best = best.max(-plain(evaluator, &child, -beta, -alpha, depth - 1, ply + 1));
        alpha = alpha.max(best);
    }
    best
}

const INFINITE: i32 = 40_000;

/// Endgames with few moves, so that deep full-width searches are fast.
const SMALL: [&str; 16] = [
    "8/5k2/3p4/3P4/8/5K2/8/8 w - - 0 1",
    "8/8/4kp2/8/3PP3/3K4/8/8 b - - 0 1",
    "8/5p2/4k3/7p/4N3/4K1P1/8/8 w - - 0 1",
    "8/5k2/1p4p1/3b4/3B4/1P4P1/5K2/8 b - - 0 1",
    "8/1p4k1/1P6/8/8/3n4/3B2K1/8 w - - 0 1",
    "6k1/5p2/6p1/8/r7/6P1/1R3PK1/8 w - - 0 1",
    "8/5k2/8/2p5/2K5/8/3R4/5b2 w - - 0 1",
    "8/2k5/p1p5/P7/3q4/8/1Q4K1/8 w - - 0 1",
    "8/8/1p1k4/p1p5/P1P5/1P1K4/8/8 w - - 0 1",
    "8/2k5/8/1p1B4/1P3n2/5P2/4K3/8 w - - 0 1",
    "8/6p1/5k2/8/2P5/4K3/6P1/8 w - - 0 1",
    "8/3k4/2p5/1bP5/8/3N4/4K3/8 b - - 0 1",
    "8/8/2k5/1p6/1P1K4/5N2/5p2/8 b - - 0 1",
    "5k2/R7/5K2/5P2/8/8/2r5/8 b - - 0 1",
    "6k1/8/6B1/4p3/2N4b/4B1n1/8/6K1 b - - 0 1",
    "7k/5b2/8/8/1b3P2/3B4/2PKN3/8 w - - 0 1",
];

/// Returns the differences of pruned and plain scores at depths 1 to `deepest`, in centipawns.
///
/// The search prunes nothing up to `full_width_depth`. Mates must be for the same side. They are
/// skipped.
fn differences<E, F>(
    positions: &[&str],
    evaluator: F,
    full_width_depth: i32,
    deepest: u8,
) -> Vec<i32>
where
    E: Evaluator + Clone + Send,
    F: Fn(&Game) -> E,
{
    let mut differences = Vec::new();
    for fen in positions {
        let game = Game::from_fen(fen, None).unwrap();
        let mut evaluator = evaluator(&game);
        for plies in 1..=deepest {
            let full = plain(&mut evaluator, &game.chess, -INFINITE, INFINITE, plies.into(), 0);
            let pruned = search_from(full_width_depth, &evaluator, &game, &depth(plies));
            let pruned = pruned.unwrap().score;
            if pruned.is_mate() {
                let same = full.signum() == pruned.centipawns().signum();
                assert!(same && Score::cp(full).is_mate(), "{pruned} is {full}: {fen}");
            } else if !Score::cp(full).is_mate() {
                differences.push(pruned.centipawns() - full);
            }
        }
    }
    differences
}

/// Returns the percentage of differences of at most `bound` centipawns.
fn percent_within(bound: i32, differences: &[i32]) -> usize {
    100 * differences.iter().filter(|d| d.abs() <= bound).count() / differences.len()
}

#[test]
fn static_scores_fade_as_the_fifty_move_rule_draws_near() {
    let score = |idle: u32| {
        let fen = format!("4k3/8/8/8/8/p7/P7/4K2R w - - {idle} 90");
        let game = Game::from_fen(&fen, None).unwrap();
        search_with(&MaterialOnly, &game, &depth(1)).unwrap().score.centipawns()
    };
    let [fresh, half, late] = [0, 49, 98].map(score);
    assert!(fresh > half && half > late && late > 0, "{fresh} {half} {late}");
    assert!((half - fresh * 3 / 4).abs() <= 2 && (late - fresh / 2).abs() <= 5);
    let bare = |idle: u32| {
        let game = Game::from_fen(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {idle} 90"), None).unwrap();
        search_with(&MaterialOnly, &game, &depth(1)).unwrap().score
    };
    assert_eq!(bare(0), bare(90), "against a bare king");
}

#[test]
fn pruning_loses_little_when_material_counts() {
    let differences = differences(POSITIONS, |_| MaterialOnly, 0, 4);
    assert!(percent_within(5, &differences) >= 85, "{differences:?}");
    assert!(percent_within(500, &differences) == 100, "{differences:?}");
}

#[test]
fn pruning_loses_little_in_deep_searches_of_small_positions() {
    let differences = differences(&SMALL, |_| MaterialOnly, 0, 8);
    assert!(percent_within(10, &differences) >= 85, "{differences:?}");
    assert!(percent_within(150, &differences) == 100, "{differences:?}");
}

#[test]
fn pruning_loses_little_under_neutral_and_bent_weights() {
    let profile = Profile::builtin("standard").unwrap();
    for temperament in [0, 200] {
        let evaluator = |game: &Game| {
            let side = game.chess.turn();
            let felt = profile.mind.appraise(&game.chess, side, temperament, None);
            let relevance = felt.ratios.relevance(side);
            TermEvaluator::new(ByColor::new_with(|color| {
                profile.weights.under(relevance.get(color))
            }))
        };
        let differences = differences(POSITIONS, evaluator, 0, 3);
        assert!(percent_within(50, &differences) >= 75, "{differences:?}");
        assert!(percent_within(200, &differences) >= 90, "{differences:?}");
        // an extended check can win the last piece and so much more than a plain search sees
        assert!(differences.iter().all(|more| *more >= -600), "{differences:?}");
    }
}

#[test]
fn mates_of_a_full_width_search_are_found() {
    let mut mates = 0;
    for fen in POSITIONS {
        let game = Game::from_fen(fen, None).unwrap();
        let full = Score::cp(plain(&mut MaterialOnly, &game.chess, -INFINITE, INFINITE, 3, 0));
        if let Some(plies) = full.mate_distance() {
            mates += 1;
            let moves = u8::try_from((plies + 1) / 2).unwrap();
            let limits = Limits { mate: Some(moves), ..nodes(1_000_000) };
            let pruned = search_with(&MaterialOnly, &game, &limits).unwrap().score;
            assert_eq!(pruned.mate_distance(), Some(plies), "{fen}");
        }
    }
    assert!(mates > 0);
}

#[test]
fn reported_lines_are_legal_and_the_outcome_is_the_last() {
    for fen in POSITIONS {
        let game = Game::from_fen(fen, None).unwrap();
        let (found, record) = recorded(&mut engine("standard"), &game, &nodes(5000));
        let (best, ponder, ..) = found.unwrap();
        assert!(!record.reports.is_empty(), "{fen}");
        for report in &record.reports {
            assert!(!report.pv.is_empty() && report.nodes <= 5000, "{report:?} of {fen}");
            assert_legal_line(&game.chess, &report.pv);
        }
        let line: Vec<Move> = [Some(best), ponder].into_iter().flatten().collect();
        assert_legal_line(&game.chess, &line);
    }
}

#[test]
fn a_new_best_move_does_not_report_an_old_pv() {
    let mut is_new = 0;
    let limits = [2_000, 3_000, 5_000, 8_000, 20_000];
    for (fen, limit) in POSITIONS.iter().flat_map(|fen| limits.map(|limit| (fen, limit))) {
        let (_, record) = recorded(&mut engine("standard"), &game(fen), &nodes(limit));
        for (i, report) in record.reports.iter().enumerate().skip(1) {
            let before = &record.reports[..i];
            if report.bound == Bound::Lower && report.pv[0] != before[i - 1].pv[0] {
                is_new += 1;
                let is_old = |old: &play::Reported| old.pv.len() > 1 && old.pv == report.pv;
                assert!(!before.iter().any(is_old), "{fen}: {report:?}");
            }
        }
    }
    assert!(is_new > 2, "{is_new}");
}

#[test]
fn several_lines_are_distinct_legal_and_in_order() {
    for fen in POSITIONS.iter().step_by(2) {
        let game = Game::from_fen(fen, None).unwrap();
        let mut engine = engine("standard");
        engine.change(|options| options.multi_pv = 4).unwrap();
        let (found, record) = recorded(&mut engine, &game, &depth(5));
        let lines = 4.min(game.chess.legal_moves().len());
        for plies in 1..=5 {
            let exact =
                |report: &&play::Reported| report.depth == plies && report.bound == Bound::Exact;
            let last: Vec<_> = record.reports.iter().filter(exact).collect();
            let numbers: Vec<_> = last.iter().map(|report| report.multi_pv).collect();
            assert_eq!(numbers, (1..=lines).collect::<Vec<_>>(), "depth {plies}: {fen}");
            assert!(last.is_sorted_by_key(|report| Reverse(report.score)), "depth {plies}: {fen}");
            for (i, line) in last.iter().enumerate() {
                assert_legal_line(&game.chess, &line.pv);
                assert!(last[..i].iter().all(|other| other.pv[0] != line.pv[0]), "{fen}");
            }
        }
        let best_line = record.reports.iter().rfind(|report| report.multi_pv == 1).unwrap();
        let (best, _, score, _) = found.unwrap();
        assert_eq!((best, score), (best_line.pv[0], best_line.score), "{fen}");
    }
}

#[test]
fn a_mate_on_the_first_line_does_not_end_a_multi_pv_search() {
    let mut engine = engine("standard");
    engine.change(|options| options.multi_pv = 2).unwrap();
    let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let (_, record) = recorded(&mut engine, &game, &depth(10));
    let deepest =
        |line| record.reports.iter().filter(|t| t.multi_pv == line).map(|t| t.depth).max();
    assert_eq!((deepest(1), deepest(2)), (Some(10), Some(10)));
    assert_eq!(record.reports.last().unwrap().multi_pv, 2);
}

#[test]
fn searchmoves_restricts_the_root_moves() {
    for fen in POSITIONS.iter().step_by(4) {
        let game = Game::from_fen(fen, None).unwrap();
        let legal = game.chess.legal_moves();
        let moves: Vec<Move> = legal.iter().rev().take(2).copied().collect();
        let limits = Limits { moves: moves.clone(), ..depth(5) };
        let mut engine = engine("standard");
        engine.change(|options| options.multi_pv = 5).unwrap();
        let (found, record) = recorded(&mut engine, &game, &limits);
        assert!(moves.contains(&found.unwrap().0), "{fen}");
        for report in &record.reports {
            assert!(moves.contains(&report.pv[0]) && report.multi_pv <= moves.len(), "{fen}");
        }
    }
}

#[test]
fn a_searchmoves_blunder_does_not_spoil_the_table() {
    // the move loses a queen; the table must not store its score for the root position
    let game = game("startpos moves e2e4 e7e5 d1h5 b8c6");
    let blunder = game.chess.legal_moves().into_iter().find(|m| uci(*m, &game.chess) == "h5h7");
    let limits = Limits { moves: blunder.into_iter().collect(), ..depth(6) };
    let mut engine = engine("standard");
    engine.change(|options| options.emotion_strength = 0).unwrap();
    let (best, _, score, _) = outcome(&mut engine, &game, &limits);
    assert_eq!(Some(best), blunder);
    assert!(score < Score::cp(-500), "{score}");
    assert!(outcome(&mut engine, &game, &depth(1)).2 > Score::cp(-200));
}

#[test]
fn positions_with_extra_pieces_are_searched() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1",
        "qrqqkqrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        "8/PPPPPPPP/8/7k/8/8/QQQ5/RBN3K1 w - - 0 1",
    ] {
        for profile in ["standard", "neutral", "paper2012"] {
            let game = Game::from_fen(fen, None).unwrap();
            let (found, record) = recorded(&mut engine(profile), &game, &nodes(5_000));
            assert!(found.is_some(), "{fen}");
            for report in &record.reports {
                assert_legal_line(&game.chess, &report.pv);
            }
        }
    }
}

#[test]
fn several_threads_give_a_legal_move() {
    for text in FOUR {
        let game = game(text);
        let mut engine = engine("standard");
        engine.change(|options| options.threads = 3).unwrap();
        for _ in 0..2 {
            let (best, ponder, _, spent) = outcome(&mut engine, &game, &nodes(30_000));
            let line: Vec<Move> = [Some(best), ponder].into_iter().flatten().collect();
            assert_legal_line(&game.chess, &line);
            assert!(spent <= 30_000, "{spent}");
        }
    }
}

#[test]
fn a_stop_before_the_search_still_finds_a_move() {
    for threads in [1, 2] {
        for text in FOUR {
            let game = game(text);
            let signals = Signals::default();
            signals.stop.store(true, Relaxed);
            let mut engine = engine("standard");
            engine.change(|options| options.threads = threads).unwrap();
            let mut record = Record::default();
            let found = engine.go(&game, &Limits::default(), &signals, &mut record).unwrap();
            assert!(game.chess.is_legal(found.best), "{text}");
            assert!(game.chess.is_legal(found.best), "{text}");
            assert!(record.reports.iter().any(|report| report.pv[0] == found.best), "{text}");
        }
    }
}

#[test]
fn without_a_legal_move_there_is_no_outcome() {
    for (text, what) in [
        ("startpos moves f2f3 e7e5 g2g4 d8h4", "mate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ] {
        for threads in [1, 2] {
            let mut engine = engine("standard");
            engine.change(|options| options.threads = threads).unwrap();
            let (found, record) = recorded(&mut engine, &game(text), &nodes(1000));
            assert_eq!((found, record.reports.len()), (None, 0), "{what}");
        }
    }
}

#[test]
fn the_only_legal_move_is_played() {
    let game = game("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    let (best, ..) = outcome(&mut engine("standard"), &game, &nodes(1000));
    assert_eq!(uci(best, &game.chess), "a1b2");
    let forced = Game::from_fen("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", None).unwrap();
    assert_eq!(forced.chess.legal_moves().len(), 0);
}

#[test]
fn chess960_castles_as_king_takes_rook() {
    // king b1, rooks a1 and g1: castling queenside moves the king to the right and the rook over it
    let fen = "1k6/8/8/8/8/8/P1P5/RK4R1 w GA - 0 1";
    let game = Game::from_fen(fen, Some(CastlingMode::Chess960)).unwrap();
    let castles: Vec<Move> =
        game.chess.legal_moves().into_iter().filter(|m| m.is_castle()).collect();
    let texts: Vec<_> = castles.iter().map(|m| uci(*m, &game.chess)).collect();
    assert!(texts.contains(&"b1a1".to_owned()) && texts.contains(&"b1g1".to_owned()), "{texts:?}");
    for castle in castles {
        let limits = Limits { moves: vec![castle], ..depth(6) };
        let (found, record) = recorded(&mut engine("standard"), &game, &limits);
        assert_eq!(found.unwrap().0, castle);
        assert_legal_line(&game.chess, &record.reports.last().unwrap().pv);
    }
}

#[test]
fn castling_can_mate() {
    for (fen, mode, castle) in [
        ("4R1R1/8/8/8/8/5k2/8/4K2R w K - 0 1", CastlingMode::Standard, "e1g1"),
        ("4R1R1/8/8/8/8/5k2/8/4K2R w H - 0 1", CastlingMode::Chess960, "e1h1"),
    ] {
        let game = Game::from_fen(fen, Some(mode)).unwrap();
        let m = game.chess.legal_moves().into_iter().find(|m| m.is_castle()).unwrap();
        assert_eq!(uci(m, &game.chess), castle);
        let limits = Limits { moves: vec![m], ..depth(2) };
        let (best, _, score, _) = outcome(&mut engine("standard"), &game, &limits);
        assert_eq!((best, score), (m, Score::mate_in(1)));
    }
}
