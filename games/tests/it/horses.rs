//! Tests of Horses against numbers computed with an independent program: lines, evaluations and
//! searches of three set-ups, and random games.

use deepfeeling::{
    explain::minimax::{self, plain},
    support::random::Random,
};
use deepfeeling_games::{
    evaluation::{Ends, Evaluation},
    game::{Game, Outcome, Side},
    horses::{
        Fine, Horses, HorsesRules,
        evaluation::{HorsesTerm, REPORT},
    },
    lesson::EvaluatedTree,
    perft::lines,
    search::{self, alpha_beta, best_moves, root_moves},
};

const SET_UP_A: &str = "b1 g8 w 0:0 - - d6+10,f3+5,c3+4,e2+3,h6+1,f6-1,e7-3,a3-4,d2-5,c6-10";
const SET_UP_B: &str = "b4 g6 w 0:0 - - h1-3,b3+3,f3-10,g4+4,d5-1,f5+1,a7-4,c8-5,e8+10,h8+5";
/// The numbers have six decimals.
const TOLERANCE: f64 = 1e-6;

fn position(text: &str) -> Horses {
    Horses::parse(text, HorsesRules::default()).unwrap()
}

/// Set-up C: everything is destroyed but c2, with a point, and g6, f4 and d3.
fn set_up_c(fine: Fine) -> Horses {
    let open = ["a1", "h8", "c2", "g6", "f4", "d3"];
    let all = ('1'..='8').flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")));
    let destroyed: Vec<String> = all.filter(|square| !open.contains(&square.as_str())).collect();
    let text = format!("a1 h8 w 0:0 - {} c2+1", destroyed.join(","));
    Horses::parse(&text, HorsesRules { fine }).unwrap()
}

fn evaluation(side: Side) -> Evaluation<Horses> {
    Evaluation::new(side, REPORT, Ends::Weighed)
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < TOLERANCE, "{found}, expected {expected}");
}

/// Returns H for White.
fn h(position: &Horses) -> f64 {
    evaluation(Side::First).leaf(position)
}

fn played(mut position: Horses, moves: &[&str]) -> Horses {
    for m in moves {
        position.play(position.parse_move(m).unwrap());
    }
    position
}

#[test]
fn the_number_of_lines_is_right() {
    for (text, expected) in
        [(SET_UP_A, [3, 9, 45, 221, 1120, 5498]), (SET_UP_B, [6, 36, 180, 732, 3310, 16373])]
    {
        let found: Vec<u64> = (1..=6).map(|plies| lines(&position(text), plies)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn h_has_the_right_value_and_terms() {
    use deepfeeling_games::evaluation::Terms;
    close(h(&position(SET_UP_A)), -4.0);
    close(h(&position(SET_UP_B)), -11.634_034);
    let after = played(position(SET_UP_A), &["c3"]);
    let difference = |term| after.count(Side::First, term) - after.count(Side::Second, term);
    close(difference(HorsesTerm::Score), 4.0);
    close(difference(HorsesTerm::Mobility), 4.0);
    close(difference(HorsesTerm::Potential), 6.0);
    close(difference(HorsesTerm::Centre), 2.179_842);
    close(after.count(Side::First, HorsesTerm::Rest), -4.0);
    close(h(&after), 59.979_842);
    close(h(&played(after, &["f6"])), 55.85);
}

#[test]
fn searches_have_the_right_values_and_moves() {
    let white = evaluation(Side::First);
    for (text, depth, m, value) in [
        (SET_UP_A, 1, "c3", 59.979_842),
        (SET_UP_A, 2, "c3", 43.436_566),
        (SET_UP_A, 3, "c3", 63.858_377),
        (SET_UP_A, 4, "c3", 39.965_966),
        (SET_UP_A, 5, "c3", 133.584_337),
        (SET_UP_A, 6, "c3", 123.218_371),
        (SET_UP_B, 2, "d3", -37.881_391),
        (SET_UP_B, 4, "d5", -28.405_844),
        (SET_UP_B, 6, "a6", 39.522_353),
    ] {
        let best = best_moves(&position(text), depth, &white);
        assert_eq!(best.len(), 1);
        assert_eq!(best[0].m.to_string(), m, "{text} at depth {depth}");
        close(best[0].value, value);
    }
}

#[test]
fn the_lesson_in_minimax_finds_the_same_values_and_moves() {
    for (position, depth, line, value) in [
        (position(SET_UP_A), 4, "c3", 39.965_966),
        (position(SET_UP_A), 5, "c3", 133.584_337),
        (position(SET_UP_B), 2, "d3", -37.881_391),
        (position(SET_UP_B), 4, "d5", -28.405_844),
        // Black moves on when White is stuck
        (set_up_c(Fine::Once), 4, "c2 g6 f4 d3", -31.334_337),
    ] {
        let tree = EvaluatedTree::new(&position);
        let whole = plain(&tree, &position, depth, &mut |_| true).unwrap();
        close(whole.value, value);
        let text: Vec<String> = whole.line.iter().map(ToString::to_string).collect();
        assert!(text.join(" ").starts_with(line), "{text:?}, expected {line}");
        assert_eq!(whole.leaves, lines(&position, depth));
        let pruned = minimax::alpha_beta(&tree, &position, depth, &mut |_| true).unwrap();
        assert_eq!((pruned.value, &pruned.line), (whole.value, &whole.line));
        assert!(pruned.leaves <= whole.leaves);
    }
}

#[test]
fn all_root_moves_have_the_right_values() {
    let white = evaluation(Side::First);
    let assert_values = |text: &str, depth, expected: &[(&str, f64)]| {
        let moves = root_moves(&position(text), depth, &white);
        for (name, value) in expected {
            let found = moves.iter().find(|found| found.m.to_string() == *name).unwrap();
            close(found.value, *value);
        }
    };
    let names = ["a2", "c2", "d3", "d5", "a6", "c6"];
    for (depth, values) in [
        (2, [-48.101_415, -42.215_728, -37.881_391, -46.957_359, -46.108_139, -46.421_573]),
        (4, [-48.142_411, -37.915_663, -39.915_663, -28.405_844, -32.25, -47.870_058]),
        (6, [-36.734_337, -32.144_156, -32.144_156, 29.572_353, 39.522_353, -32.144_156]),
    ] {
        let expected: Vec<_> = names.into_iter().zip(values).collect();
        assert_values(SET_UP_B, depth, &expected);
    }
    assert_values(SET_UP_A, 6, &[("d2", 17.140_182), ("a3", 25.590_182)]);
}

#[test]
fn a_side_without_moves_is_fined_once_or_at_each_turn() {
    for (fine, scores, values) in [
        (Fine::Once, [1, -3, -3, -3], [10.534_272, -31.5, -32.834_337, -31.334_337]),
        (Fine::EachTurn, [1, -3, -7, -7], [10.534_272, -31.5, -72.834_337, -71.334_337]),
    ] {
        let mut position = set_up_c(fine);
        close(h(&position), 2.05);
        assert_eq!(lines(&position, 4), 1);
        for ((name, score), value) in ["c2", "g6", "f4", "d3"].into_iter().zip(scores).zip(values) {
            assert_eq!(position.outcome(), None);
            position = played(position, &[name]);
            assert_eq!([Side::First, Side::Second].map(|side| position.score(side)), [score, 0]);
            close(h(&position), value);
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
        assert_eq!(position.fined(), Some(Side::First));
        assert!(position.moves().is_empty());
    }
}

#[test]
fn pruning_does_not_change_the_value() {
    let mut random = Random::new(2025);
    for seed in 0..40 {
        let mut position = Horses::start(HorsesRules::default(), seed);
        for _ in 0..random.below(40) {
            if let Some(&m) = position.moves().get(random.below(position.moves().len())) {
                position.play(m);
            }
        }
        for side in Side::ALL {
            let evaluation = evaluation(side);
            for depth in 0..=4 {
                let plain = search::minimax(&position, depth, &evaluation);
                let open = (f64::NEG_INFINITY, f64::INFINITY);
                let pruned = alpha_beta(&position, depth, open, &evaluation);
                assert!(plain == pruned, "{position}, depth {depth}: {plain}, {pruned}");
            }
            let best = best_moves(&position, 4, &evaluation);
            if side == position.turn() && !best.is_empty() {
                let all = root_moves(&position, 4, &evaluation);
                let value = search::minimax(&position, 4, &evaluation);
                let expected: Vec<_> = all.into_iter().filter(|one| one.value == value).collect();
                assert_eq!(best, expected, "{position}");
            }
        }
    }
}

#[test]
fn random_games_keep_the_rules() {
    let mut random = Random::new(1);
    let mut longest = 0;
    let mut stranded = 0;
    let mut moves_played = 0;
    for seed in 0..10_000 {
        let mut position = Horses::start(HorsesRules::default(), seed);
        let mut plies = 0;
        while position.outcome().is_none() {
            let mover = position.turn();
            let before = position;
            let moves = position.moves();
            let m = moves[random.below(moves.len())];
            position.play(m);
            assert!(
                before.knight(mover).steps() & m.bit() != 0 && before.destroyed() & m.bit() == 0
            );
            assert_eq!(position.destroyed(), before.destroyed() | m.bit());
            assert_eq!(position.knight(mover), m);
            assert_eq!(position.knight(mover.other()), before.knight(mover.other()));
            assert_eq!(position.rest(), before.rest() - i16::from(before.prize(m)));
            plies += 1;
        }
        assert!(position.moves().is_empty());
        assert_eq!(
            position.outcome().unwrap(),
            match position.lead(Side::First) {
                0 => Outcome::Draw,
                1.. => Outcome::Win(Side::First),
                _ => Outcome::Win(Side::Second),
            }
        );
        if seed % 100 == 0 {
            assert_eq!(Horses::parse(&position.to_string(), position.rules()), Ok(position));
        }
        longest = longest.max(plies);
        moves_played += plies;
        stranded += u32::from(position.fined().is_some());
    }
    assert!(longest <= 62, "{longest}");
    // 41.2 ± 7.2 moves, and one side stranded in 90.6 % of games, in 20,000 other games
    let [mean, share] = [moves_played, stranded].map(|sum| f64::from(sum) / 10_000.0);
    assert!((mean - 41.2).abs() < 0.4 && (share - 0.906).abs() < 0.015, "{mean}, {share}");
}

#[test]
fn positions_read_back_as_written() {
    for text in [SET_UP_A, SET_UP_B] {
        let once = position(text);
        assert_eq!(position(&once.to_string()), once);
    }
    assert_eq!(position(SET_UP_A).to_string(), SET_UP_A);
    let later = played(position(SET_UP_A), &["c3", "f6", "d5", "g4"]);
    assert_eq!(
        later.to_string(),
        "d5 g4 w 4:-1 - b1,c3,f6,g8 d6+10,f3+5,e2+3,h6+1,e7-3,a3-4,d2-5,c6-10"
    );
    assert_eq!(position(&later.to_string()), later);
    assert_eq!(position(&later.to_string()).key(), later.key());
}

#[test]
fn wrong_notation_is_refused() {
    let with = |from: &str, to: &str| SET_UP_A.replacen(from, to, 1);
    for (text, error) in [
        ("b1 g8".into(), "position: found 2 fields, allowed: 7: White's square"),
        (with("b1", "b9"), "White's square: found `b9`, allowed: a square from a1 to h8"),
        (with("g8", "b1"), "position: found both knights on b1, allowed: two different squares"),
        (with(" w ", " white "), "side to move: found `white`, allowed: w or b"),
        (with("0:0", "0-0"), "score: found `0-0`, allowed: two numbers from -999 to 999"),
        (with(" - - ", " x - "), "fined: found `x`, allowed: -, w or b"),
        (with(" - - ", " - g8 "), "destroyed squares: found g8, which is already taken"),
        (with(" - - ", " - a8,,a7 "), "destroyed squares: found ``, allowed: a square"),
        (with("d6+10", "d6+7"), "points left: found `+7`, allowed: +10, +5, +4"),
        (with("d6+10", "d6"), "points left: found `d6`, allowed: square and points"),
        (with("d6+10", "d6+5"), "points left: found +5 twice, allowed: each"),
        (with("d6+10", "f3+10"), "points left: found f3, which is already taken"),
        (with("d6+10", "é+10"), "points left: found `é`, allowed: a square"),
    ] {
        let found = Horses::parse(&text, HorsesRules::default()).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}\nexpected {error}");
    }
    let stuck = "a1 h8 w 0:0 - b3,c2 -";
    let found = Horses::parse(stuck, HorsesRules::default()).unwrap_err().to_string();
    assert_eq!(found, "side to move: found White, who has no move, allowed: Black, who has one");
    let found = position(SET_UP_A).parse_move("c4").unwrap_err().to_string();
    assert_eq!(found, "move: found `c4`, allowed: d2, a3, c3; did you mean `c3`?");
}
