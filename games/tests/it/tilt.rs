//! Tests of Tilt against numbers computed with an independent program, and random games.

use deepfeeling::support::random::Random;
use deepfeeling_games::{
    game::{Game, Outcome, Side},
    perft::lines,
    tilt::{
        MEN, Tilt,
        rules::{Balance, Extras, Goal, TiltRules},
    },
};

const START: &str = "SS12GG/SS12GG/SS12GG/SS12GG/SS12GG S 4:4 0:0";

fn rules() -> TiltRules {
    TiltRules::default()
}

fn position(text: &str) -> Tilt {
    Tilt::parse(text, rules()).unwrap()
}

fn played(mut position: Tilt, m: &str) -> Tilt {
    position.play(position.parse_move(m).unwrap());
    position
}

#[test]
fn the_number_of_lines_is_right() {
    for balance in [Balance::Gold, Balance::Stay] {
        for seed in [0, 1] {
            let start = Tilt::start(TiltRules { balance, ..rules() }, seed);
            let found: Vec<u64> = (1..=5).map(|plies| lines(&start, plies)).collect();
            assert_eq!(found, [13, 169, 2366, 33124, 502_502], "{start}");
        }
    }
}

#[test]
fn the_board_decides_whose_turn_it_is() {
    let start = position(START);
    assert_eq!(Tilt::start(rules(), 0), start);
    assert_eq!(start.weights(), [75, 75]);
    for (balance, expected) in [(Balance::Gold, "GGSG"), (Balance::Stay, "GGSS")] {
        let mut position = Tilt::start(TiltRules { balance, ..rules() }, 0);
        let mut turns = String::new();
        for _ in 0..4 {
            let m = position.moves()[0];
            position.play(m);
            turns.push(if position.turn() == Side::First { 'S' } else { 'G' });
        }
        assert_eq!(turns, expected);
    }
}

#[test]
fn every_move_tips_the_board_away_from_the_mover() {
    let mut random = Random::new(3);
    for seed in 0..50 {
        let mut position = Tilt::start(rules(), seed);
        while position.outcome().is_none() {
            let (before, mover) = (position, position.turn());
            let moves = position.moves();
            let m = moves[random.below(moves.len())];
            position.play(m);
            let crossed = [m.from.column(), m.to.column()];
            let men = if crossed == [8, 9] || crossed == [9, 8] { 2 } else { 1 };
            let used = before.extras_left(mover) - position.extras_left(mover);
            // the k-th extra weighs 8, 7, 6, 5 towards its owner
            let extra = i16::from(used) * (4 + i16::from(before.extras_left(mover)));
            let change = position.lean_to(mover) - before.lean_to(mover);
            assert_eq!(change, extra - men, "{before}, {m}");
        }
    }
}

#[test]
fn extras_weigh_as_their_option_says() {
    for (extras, start, before, after) in [
        (Extras::Moved, [75, 75], -6, 1),
        (Extras::Edge, [101, 101], -6, 9),
        (Extras::Printed, [84, 67], 11, 17),
    ] {
        let rules = TiltRules { extras, ..rules() };
        assert_eq!(Tilt::start(rules, 0).weights(), start);
        let position = Tilt::parse("16/16/S12S1G/16/16 S 4:4 0:0", rules).unwrap();
        assert_eq!(position.lean(), before);
        let position = played(position, "n3o3");
        assert_eq!(position.lean(), after);
        let [left, right] = position.weights();
        assert_eq!(left - right, after);
        assert_eq!(position.turn(), Side::First);
        assert_eq!(position.to_string(), "16/16/S13SG/16/16 S 3:4 1:0");
    }
}

#[test]
fn steps_and_men_in_the_home_win() {
    let steps = position("16/16/13S2/16/G15 S 0:0 9:0");
    assert_eq!((steps.outcome(), steps.home(Side::First)), (None, 9));
    let won = played(steps, "n3o3");
    assert_eq!((won.outcome(), won.remark()), (Some(Outcome::Win(Side::First)), None));
    assert!(won.moves().is_empty());
    let text = "14SS/14SS/14SS/14SS/13S1S/ S 0:0 19:0".replace("S/ ", "S ");
    let cells = Tilt::parse(&text, TiltRules { goal: Goal::Cells, ..rules() }).unwrap();
    assert_eq!((cells.outcome(), cells.home(Side::First)), (None, 9));
    let won = played(cells, "n5o5");
    assert_eq!((won.outcome(), won.home(Side::First)), (Some(Outcome::Win(Side::First)), MEN));
}

#[test]
fn a_blocked_side_passes_its_turn_and_a_blocked_game_is_decided() {
    // Silver is at the far edge, so Gold keeps moving although the board tips to the left
    let position = position("15S/16/G15/1G14/16 G 4:4 0:0");
    let position = played(position, "b4a4");
    assert!(position.lean() > 0);
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)), "more steps");
    assert_eq!(position.remark(), Some(("blocked", None)));
    let level = self::position("15S/16/16/G15/16 S 4:4 0:0");
    assert_eq!(level.outcome(), Some(Outcome::Draw));
    let columns = self::position("15S/15S/16/G15/16 S 4:4 0:0");
    assert_eq!(columns.outcome(), Some(Outcome::Win(Side::First)), "more columns");
}

#[test]
fn men_hop_over_adjacent_men_only_with_jumps() {
    let text = "16/SG14/1S14/16/16 S 4:4 0:0";
    let moves = |jumps| {
        let position = Tilt::parse(text, TiltRules { jumps, ..rules() }).unwrap();
        let moves = position.moves_of(Side::First);
        moves.into_iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(moves(false), "a2b1 b3c2 b3c3 b3c4");
    assert_eq!(moves(true), "a2b1 a2c2 a2c4 b3c2 b3c3 b3c4");
}

#[test]
fn random_games_keep_the_rules() {
    for (seeds, goal, jumps) in
        [(0..7000, Goal::Steps, false), (0..1500, Goal::Cells, false), (0..1500, Goal::Steps, true)]
    {
        let rules = TiltRules { goal, jumps, ..rules() };
        let mut random = Random::new(1);
        for seed in seeds {
            let mut position = Tilt::start(rules, seed);
            let mut plies = 0;
            while position.outcome().is_none() {
                let moves = position.moves();
                let m = moves[random.below(moves.len())];
                let mover = position.turn();
                position.play(m);
                let [from, to] = [m.from, m.to].map(|cell| i16::from(cell.column()));
                let columns = if mover == Side::First { to - from } else { from - to };
                assert!(columns == 1 || jumps && columns == 2, "{m}");
                plies += 1;
            }
            assert!(plies <= 280 && position.moves().is_empty());
            for side in Side::ALL {
                assert_eq!(position.men(side).count(), 10);
            }
            if seed % 100 == 0 {
                assert_eq!(Tilt::parse(&position.to_string(), rules), Ok(position));
            }
        }
    }
}

#[test]
fn wrong_notation_is_refused() {
    let with = |from: &str, to: &str| START.replacen(from, to, 1);
    for (text, error) in [
        (String::new(), "position: found 0 fields, allowed: 4: rows"),
        (with(" S ", " s "), "side to move: found `s`, allowed: S or G"),
        (with("SS12GG/", ""), "rows: found 4 rows, allowed: 5"),
        (with("12", "11"), "row 1: found 15 cells in `SS11GG`, allowed: 16 cells"),
        (with("12", "99999999999"), "row 1: found 259 cells"),
        (with("SS12GG", "SX12GG"), "row 1: found `X`, allowed: S, G and numbers"),
        (with("SS12GG", "SSé11GG"), "row 1: found `é`, allowed: S, G and numbers"),
        (with("SS12GG", "SSS11GG"), "rows: found 11 men of Silver, allowed: at most 10"),
        (with("4:4", "4:5"), "extras left: found `4:5`, allowed: two numbers from 0 to 4"),
        (with("0:0", "0"), "steps home: found `0`, allowed: two numbers from 0 to 20"),
        ("15S/16/16/16/1G14 S 4:4 0:0".into(), "side to move: found Silver, who has no move"),
    ] {
        let found = Tilt::parse(&text, rules()).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}\nexpected {error}");
    }
    let found = position(START).parse_move("b1c4").unwrap_err().to_string();
    assert!(found.starts_with("move: found `b1c4`, allowed: b1c1, b1c2, "), "{found}");
}
