//! Tests of `why` and `whatif`: their figures add up, agree with new evaluations and are
//! repeatable.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use deepfeeling::{
    chess::game::Game,
    chess_mind::SideGroup,
    lab::bench::POSITIONS,
    player::{Engine, Options},
    profile::Profile,
    search::{
        Signals,
        root::{limits::Limits, report::Silent},
    },
};
use serde_json::Value;
use shakmaty::{CastlingMode, Position, fen::Fen, uci::UciMove};
use std::{fs, num::NonZeroU64};

const MIDDLEGAME: &str = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
const NODES: [&str; 2] = ["--nodes", "5000"];
/// The number of [`NODES`].
const FIXED: NonZeroU64 = NonZeroU64::new(5000).unwrap();

fn run(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling")).args(arguments).output().unwrap()
}

fn output(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn why(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(&[&["why", "--json"], &NODES, arguments].concat())).unwrap()
}

/// Returns a file with a built-in profile that bends the search instead of acting by taste.
fn bent(name: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    fs::write(&file, format!("[about]\nextends = \"{name}\"\n[feeling]\ntaste = 0\n")).unwrap();
    file
}

/// Panics unless the run fails with one error line that contains all of `parts`.
fn assert_refused(arguments: &[&str], parts: &[&str]) {
    let output = run(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {text}");
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn sum(values: &Value) -> f64 {
    values.as_object().unwrap().values().map(number).sum()
}

fn chess(fen: &str) -> shakmaty::Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// Plays a line and returns the FEN at its end.
fn end_of(start: &str, line: &Value) -> String {
    let mut chess = chess(start);
    let moves = ["moves", "captures"].map(|part| line[part].as_array().unwrap());
    for m in moves.into_iter().flatten() {
        let m = m.as_str().unwrap().parse::<UciMove>().unwrap().to_move(&chess).unwrap();
        chess.play_unchecked(m);
    }
    Fen::from_position(&chess, shakmaty::EnPassantMode::Legal).to_string()
}

#[test]
fn a_player_with_taste_compares_the_positions_right_after_the_moves() {
    let attacker = ["--profile", "attacker"];
    let page = output(&[&["why", MIDDLEGAME], &attacker[..], &NODES[..]].concat());
    for part in [
        "  a move that the player likes may cost up to ",
        "  10 % of each factor's distance from 1 bends the search\n",
        "Effect of the feeling right after both moves (cp for Black)",
    ] {
        assert!(page.contains(part), "no `{part}` in:\n{page}");
    }
    let json = output(&[&["why", MIDDLEGAME, "--json"], &attacker[..], &NODES[..]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json["feeling"]["effects"]["taste"].as_i64().is_some_and(|taste| taste > 0), "{json}");
}

#[test]
fn the_page_explains_the_steps_from_the_board_to_the_lines() {
    let page = output(&[&["why", MIDDLEGAME, "Bd7"], &NODES[..]].concat());
    for part in [
        "Facts\n  can_seek_mate        the material can force mate, and is at most 100 centipawns behind",
        "\nGoal: dominate_centre. Take command of d4, e4, d5 and e5.\n",
        "  not give_mate         can_mate is false; king_exposure is neutral (+0.30), not defenceless",
        "\nFeeling: relief, ε = +0.75",
        "relief +0.66 relief",
        "  factors    own placement 1.068, own mobility 1.068, own space 1.225",
        "Lines (5000 nodes each, scores for Black)\n  with feeling ",
        "  without feeling ",
        "Effect of the feeling right after both moves (cp for Black)",
        "(and the move that a full search with that change plays)",
    ] {
        assert!(page.contains(part), "no `{part}` in:\n{page}");
    }
    assert!(page.lines().count() < 75 && !page.contains("-0.0 "), "{page}");
    assert_eq!(page, output(&[&["why", MIDDLEGAME, "Bd7"], &NODES[..]].concat()));
    // quotes, move notation and `--move` do not change the answer
    let words: Vec<&str> = MIDDLEGAME.split(' ').collect();
    assert_eq!(page, output(&[&["why"], &words[..], &["c8d7"], &NODES].concat()));
    assert_eq!(page, output(&[&["why", MIDDLEGAME, "--move", "Bd7"], &NODES[..]].concat()));
}

#[test]
fn why_searches_like_the_engine() {
    for (name, emotion) in [("with_feeling", "on"), ("without_feeling", "off")] {
        let line = &why(&[MIDDLEGAME])[name];
        let mut suite = tempfile::NamedTempFile::with_suffix(".epd").unwrap();
        let entry = format!("{} bm f5;\n", MIDDLEGAME.trim_end_matches(" 0 1"));
        std::io::Write::write_all(&mut suite, entry.as_bytes()).unwrap();
        let path = suite.path().to_str().unwrap();
        let epd = output(&[&["epd", path, "--json", "--emotion", emotion], &NODES[..]].concat());
        let first: Value = serde_json::from_str(epd.lines().next().unwrap()).unwrap();
        let answer = &first["positions"][0]["answers"][0];
        assert_eq!(answer["uci"], line["move"], "{epd}");
        assert_eq!(answer["nodes"], line["nodes"], "{epd}");
    }
}

#[test]
fn a_choice_hangs_by_a_hair_if_a_tiny_change_turns_it() {
    let hunter = Profile::builtin("hunter").unwrap();
    let mut looked_into = 0;
    for fen in &POSITIONS[..12] {
        let answer = why(&[fen, "--profile", "hunter"]);
        let plays = |profile: &Profile| {
            let options = Options { emotion: false, ..Options::default() };
            let mut engine = Engine::new(profile.clone(), options).unwrap();
            let outcome = engine.best_at(&Game::from_fen(fen, None).unwrap(), FIXED);
            UciMove::from_standard(outcome.unwrap().best).to_string()
        };
        let neutral = plays(&hunter);
        assert_eq!(answer["without_feeling"]["move"], neutral, "{fen}");
        let hangs = [1, -1].iter().any(|parts| plays(&hunter.barely_changed(*parts)) != neutral);
        let is_changed = answer["with_feeling"]["move"] != answer["without_feeling"]["move"];
        assert_eq!(answer["hangs_by_a_hair"].as_bool(), is_changed.then_some(hangs), "{fen}");
        looked_into += u32::from(is_changed);
    }
    assert!(looked_into > 0);
}

#[test]
fn factors_add_up_to_the_evaluation_at_the_end_of_a_line() {
    let bent = [bent("standard"), bent("guardian")];
    for profile in [bent[0].path().to_str().unwrap(), bent[1].path().to_str().unwrap(), "paper2012"]
    {
        let answer = why(&[MIDDLEGAME, "a5", "--profile", profile]);
        for name in ["with_feeling", "without_feeling"] {
            assert_eq!(end_of(MIDDLEGAME, &answer[name]), answer[name]["end"]["fen"]);
            let end = &answer["ends"][name];
            for way in ["felt", "plain"] {
                let score = number(&end["evaluation"][way]);
                // the sum may differ by the rounding to whole centipawns
                assert!((sum(&end[way]) - score).abs() < 1.1, "{profile} {name} {way}: {end}");
            }
        }
        for (side_group, terms) in answer["ends"]["shift_by_term"].as_object().unwrap() {
            let shift = number(&answer["ends"]["shift"][side_group]);
            if profile == "paper2012" {
                assert_eq!(terms.as_object().unwrap().len(), 0, "its measures have no terms");
            } else {
                assert!((sum(terms) - shift).abs() < 1e-9, "{side_group}: {terms} is not {shift}");
            }
        }
        let ends = &answer["asked"]["rival"]["ends"];
        for end in ["choice", "rival"] {
            let end = &ends[end];
            assert!((sum(&end["values"]) - number(&end["evaluation"])).abs() < 1.1, "{end}");
            for (side_group, terms) in end["terms"].as_object().unwrap() {
                let value = number(&end["values"][side_group]);
                let terms = if profile == "paper2012" { value } else { sum(terms) };
                assert!((terms - value).abs() < 1e-9, "{side_group}: {terms} is not {value}");
            }
        }
    }
}

#[test]
fn contempt_is_part_of_the_comparison() {
    // neither side can mate
    let drawn = "8/8/8/8/8/1k6/8/K1n5 w - - 0 1";
    let answer = why(&[drawn, "--profile", "anxious"]);
    let draw = number(&answer["feeling"]["effects"]["draw"]);
    assert!(draw > 0.0, "{answer}");
    let felt = &answer["ends"]["with_feeling"];
    for worth in [&felt["evaluation"]["felt"], &felt["felt"]["a draw"]].map(number) {
        assert!((worth - draw).abs() < 1e-9, "{felt}");
    }
    let nothing_else = [sum(&felt["felt"]) - draw, sum(&felt["plain"])];
    assert!(nothing_else.iter().all(|rest| rest.abs() < 1e-9), "{felt}");
    let page = output(&[&["why", drawn, "--profile", "anxious"], &NODES[..]].concat());
    for part in [format!("a draw is worth {draw:+} centipawns"), format!("a draw  {draw:+.1}")] {
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(&part), "no `{part}` in: {page}");
    }
}

#[test]
fn imagined_perceptions_change_the_channels() {
    let imagined = ["whatif", MIDDLEGAME, "material=-1", "king_safety=-1", "--profile", "anxious"];
    let answer: Value =
        serde_json::from_str(&output(&[&imagined[..], &["--json"]].concat())).unwrap();
    let draw = |when: &str| number(&answer[when]["effects"]["draw"]);
    assert!(draw("would_be") > draw("is"), "{answer}");
    let page = output(&imagined);
    assert!(
        page.contains("\nOther effects ") && page.contains(&format!("draw {:+}", draw("would_be")))
    );
}

#[test]
fn evaluations_at_the_end_agree_with_eval() {
    let answer = why(&[MIDDLEGAME]);
    for name in ["with_feeling", "without_feeling"] {
        let fen = answer[name]["end"]["fen"].as_str().unwrap();
        let eval: Value = serde_json::from_str(&output(&["eval", fen, "--json"])).unwrap();
        // `eval` prints the score for White
        let plain = answer["ends"][name]["evaluation"]["plain"].as_i64().unwrap();
        assert_eq!(eval["score_without_feeling"].as_i64(), Some(-plain), "{fen}");
    }
}

#[test]
fn a_flip_is_the_smallest_change_that_turns_the_preference() {
    let mut flips = 0;
    for asked in ["f5", "a5", "e5", "Qb6", "Bd7", "b6", "Rb8", "e6"] {
        let answer = output(&["why", "--json", "--nodes", "1000", MIDDLEGAME, asked]);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let ends = &answer["asked"]["rival"]["ends"];
        let lead = |pair: [&Value; 2]| number(pair[0]) - number(pair[1]);
        let before = lead([&ends["choice"]["evaluation"], &ends["rival"]["evaluation"]]);
        let Some(factors) = ends["flips"]["factors"].as_object() else {
            assert!(before < 0.0, "{asked}: the ends speak for the choice");
            continue;
        };
        for (side_group, flip) in factors {
            flips += 1;
            let evaluations = &flip["evaluations"];
            let after = lead([&evaluations["choice"], &evaluations["rival"]]);
            assert!(before >= 0.0 && after < 0.0, "{asked} {side_group}: {before} to {after}");
            let (from, to) = (number(&flip["from"]), number(&flip["to"]));
            assert!((0.25..=4.0).contains(&to) && (from - to).abs() >= 1.0 / 256.0, "{flip}");
            // the preference turns within three centipawns' worth of the factor beyond the tipping
            // point
            let unit = |end: &str| number(&ends[end]["values"][side_group]) / from;
            let leverage = (unit("choice") - unit("rival")).abs();
            let beyond = (to - number(&flip["even_at"])).abs();
            assert!(beyond <= 3.0 / leverage + 1.0 / 256.0, "{asked} {side_group}: {flip}");
        }
        // the flips that the page prints include a move found by search
        let all = factors.values().chain([&ends["flips"]["intensity"]]);
        let searched = all.filter_map(|flip| flip["plays"].as_str()).inspect(|m| {
            assert!(m.parse::<UciMove>().unwrap().to_move(&chess(MIDDLEGAME)).is_ok(), "{m}");
        });
        let printed = factors.len().min(3) + usize::from(!ends["flips"]["intensity"].is_null());
        assert_eq!(searched.count(), printed, "{asked}");
    }
    assert!(flips >= 4, "{flips}");
}

#[test]
fn the_nearest_intensity_that_changes_the_move_is_found_by_search() {
    // relief changes the weights of pawns and threats, and a little less relief gives the same move
    let profile = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    let relief =
        "relief = { own = { threats = 25, space = 25, pawns = 300 }, other = { threats = 400 } }";
    fs::write(&profile, format!("[feeling]\ntaste = 0\nsteps = 4\nfear = {{}}\n{relief}\n"))
        .unwrap();
    let path = profile.path().to_str().unwrap();
    let plain = why(&[MIDDLEGAME])["without_feeling"]["move"].clone();
    let asked = ["--move", plain.as_str().unwrap(), "--profile", path];
    let answer = why(&[&[MIDDLEGAME], &asked[..]].concat());
    assert_ne!(answer["with_feeling"]["move"], plain);
    let by_search = &answer["asked"]["rival"]["by_search"];
    assert_eq!((&by_search["steps"], &by_search["found"]["plays"]), (&4.into(), &plain));
    let to = number(&by_search["found"]["intensity"]);
    assert!((0.0..0.75).contains(&to), "without relief he is neutral: {by_search}");
    let page = output(&[&["why", MIDDLEGAME], &asked[..], &NODES].concat());
    assert!(page.contains("\nSearches with another ε (now +0.750, steps of 1/4): ε = "), "{page}");
}

/// Returns the move that `standard` plays with one factor set to `to`.
fn plays_with(fen: &str, knob: SideGroup, to: f64) -> String {
    let mut engine =
        Engine::new(Profile::builtin("standard").unwrap(), Options::default()).unwrap();
    let game = Game::from_fen(fen, None).unwrap();
    let mut felt = engine.profile().mind.appraise(&game.chess, game.chess.turn(), 100, None);
    knob.turn(&mut felt.ratios, to);
    let limits = Limits::of_nodes(FIXED);
    let outcome = engine.go_as(&felt, &game, &limits, &Signals::default(), &mut Silent);
    UciMove::from_standard(outcome.unwrap().best).to_string()
}

#[test]
fn the_smallest_change_of_a_factor_is_found_by_search() {
    const CHANGES: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.8];
    let mut found = Vec::new();
    for fen in &POSITIONS[4..18] {
        let answer = why(&[fen]);
        let choice = answer["with_feeling"]["move"].as_str().unwrap();
        let factor = &why(&[fen, "--move", choice])["asked"]["rival"]["factor_by_search"]["found"];
        let Some(name) = factor["factor"].as_str() else { continue };
        let [from, to] = ["from", "to"].map(|end| number(&factor[end]));
        let side_group = SideGroup::all().find(|side_group| side_group.name() == name).unwrap();
        assert_eq!(factor["plays"], plays_with(fen, side_group, to), "{fen} {name}");
        assert_ne!(factor["plays"], choice, "{fen}");
        let place = CHANGES.iter().position(|by| (by - (to - from).abs()).abs() < 1e-9);
        let place = place.unwrap_or_else(|| panic!("{fen} {name}: from {from} to {to}"));
        found.push(place);
        // no smaller change of any factor changes the move
        let feel: Value = serde_json::from_str(&output(&["feel", fen, "--json"])).unwrap();
        for (side_group, by) in SideGroup::all()
            .flat_map(|side_group| CHANGES[..place].iter().map(move |by| (side_group, by)))
        {
            let name = side_group.name();
            let (side, group) = name.split_once(' ').unwrap_or(("own", &name));
            let now = number(&feel["factors"][side][group]);
            for to in [now - by, now + by] {
                assert_eq!(
                    plays_with(fen, side_group, to),
                    choice,
                    "{fen}: {name} from {now} to {to}"
                );
            }
        }
    }
    assert!(found.len() >= 4 && found.iter().any(|place| *place > 0), "{found:?}");
    let page = output(&[&["why", MIDDLEGAME, "f5", "--profile", "neutral"], &NODES[..]].concat());
    assert!(page.contains("by 0.05 up to 0.8: the profile's bounds allow none.\n"), "{page}");
}

#[test]
fn lines_continue_after_their_first_move() {
    let mut apart = Vec::new();
    let hunter = bent("hunter");
    for fen in &POSITIONS[..30] {
        let answer = why(&[fen, "--profile", hunter.path().to_str().unwrap()]);
        for name in ["with_feeling", "without_feeling"] {
            let line = &answer[name];
            let is_stub = line["moves"].as_array().unwrap().len() == 1;
            assert!(!is_stub || line["end"]["over"].is_string(), "{fen}: {line}");
            let way = if name == "with_feeling" { "felt" } else { "plain" };
            let end = &answer["ends"][name]["evaluation"][way];
            if let (Some(end), Some(score)) = (end.as_i64(), line["score"]["cp"].as_i64()) {
                apart.push((end - score).abs());
            }
        }
    }
    apart.sort_unstable();
    assert!(apart.len() >= 45, "{}", apart.len());
    assert!(apart[apart.len() * 85 / 100] <= 60, "{apart:?}");
}

#[test]
fn the_chosen_move_is_compared_with_the_best_other_move() {
    let choice = why(&[MIDDLEGAME])["with_feeling"]["move"].clone();
    let answer = why(&[MIDDLEGAME, "--move", choice.as_str().unwrap()]);
    assert_eq!(answer["asked"]["is_choice"], true);
    assert_ne!(answer["asked"]["rival"]["line"]["move"], choice);
    let only = why(&["k7/8/8/8/8/8/7q/K7 w - - 0 1", "Kb1"]);
    assert_eq!(only["asked"]["rival"], Value::Null);
    let page = output(&["why", "k7/8/8/8/8/8/7q/K7 w - - 0 1", "Kb1", "--nodes", "100"]);
    assert!(page.ends_with("Kb1 is the only legal move.\n"), "{page}");
}

#[test]
fn a_mate_has_no_evaluation_and_a_draw_is_even() {
    let answer = why(&[BACK_RANK, "h3"]);
    assert_eq!(answer["with_feeling"]["score"]["mate"], 1);
    assert_eq!(answer["with_feeling"]["end"]["over"], "mate");
    assert_eq!((&answer["ends"], &answer["asked"]["rival"]["ends"]), (&Value::Null, &Value::Null));
    let bare = why(&["8/8/4k3/8/8/3K4/8/6N1 w - - 0 1"]);
    assert_eq!(bare["with_feeling"]["end"]["over"], "insufficient material");
    assert_eq!(bare["ends"]["with_feeling"]["evaluation"]["felt"], 0);
}

#[test]
fn nothing_changes_without_emotion() {
    let answer = why(&["startpos", "--profile", "neutral", "d4"]);
    assert_eq!(answer["with_feeling"], answer["without_feeling"]);
    assert!(answer["ends"]["shift"].as_object().unwrap().values().all(|shift| *shift == 0.0));
    assert_eq!(answer["asked"]["rival"]["ends"]["flips"]["intensity"], Value::Null);
}

#[test]
fn invalid_questions_are_rejected() {
    let refused = |arguments: &[&str], parts: &[&str]| {
        assert_refused(&[&["why"], arguments].concat(), parts);
    };
    refused(&["startpos", "e2e5"], &["`e2e5` is illegal", "rnbqkbnr/pppppppp"]);
    refused(&["startpos", "Nd2"], &["`Nd2` is illegal in"]);
    refused(&["startpos", "hello"], &["`hello` is not a move, expected e.g. Nf3"]);
    refused(&["startpos", "e4", "d4"], &["`e4 d4`", "allowed: one move"]);
    refused(&["startpos", "e4", "--move", "d4"], &["found two moves, `e4` and `d4`"]);
    refused(&["startpos", "moves", "e2e4", "Nf3"], &["ply 2 (move 1, Black): `Nf3` is illegal"]);
    refused(&["8/8/8", "w"], &["`8/8/8 w` cannot be read"]);
    refused(&["startpos moves f2f3 e7e5 g2g4 d8h4"], &["no legal move", "checkmate"]);
    refused(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], &["no legal move", "stalemate"]);
    refused(&["startpos", "--profile", "standrad"], &["did you mean `standard`?"]);
}

#[test]
fn a_given_concept_value_changes_the_appraisal() {
    let answer = |arguments: &[&str]| -> Value {
        serde_json::from_str(&output(&[&["whatif", "--json"], arguments].concat())).unwrap()
    };
    let feel: Value = serde_json::from_str(&output(&["feel", MIDDLEGAME, "--json"])).unwrap();
    let words: Vec<&str> = MIDDLEGAME.split(' ').collect();
    let found = answer(&[&words[..], &["king_safety=-1", "material=0.5"]].concat());
    assert_eq!(found["given"], serde_json::json!({"king_safety": -1.0, "material": 0.5}));
    let is = found["is"].as_object().unwrap();
    for (key, value) in is {
        assert_eq!(value, &feel[key], "{key}");
    }
    let would = &found["would_be"];
    assert_eq!(would["perceived"]["king_safety"], -1.0);
    assert_eq!(would["perceived"]["mobility"], feel["perceived"]["mobility"]);
    assert_eq!(would["goal"], "secure_king", "a value of -1 is defenceless");
    assert_ne!(would["factors"], feel["factors"]);
    // setting a concept to its own value changes nothing
    let material = feel["perceived"]["material"].to_string();
    let same = answer(&[MIDDLEGAME, &format!("material={material}")]);
    assert_eq!(same["is"], same["would_be"]);

    let page = output(&["whatif", MIDDLEGAME, "king_safety=-1", "--profile", "paper2012"]);
    let note = "king_safety: the map normally changes it, here it keeps the given value";
    assert!(page.contains(note), "{page}");
    // given values also stay fixed in a free map, and felt concepts may be given
    let given = answer(&[MIDDLEGAME, "king_safety=-1", "desirability=1", "--profile", "paper2012"]);
    for (concept, value) in [("king_safety", -1.0), ("desirability", 1.0)] {
        assert_eq!(given["would_be"]["concepts"][concept], value, "{concept}");
    }
    let relieved = answer(&[MIDDLEGAME, "relief=-1"]);
    assert_eq!(relieved["would_be"]["intensity"], -1.0);
    assert_eq!(relieved["would_be"]["goal"], feel["goal"], "the board is as it was");
    // facts of the board can be given too, to reach lower rules of the goal ladder
    let behind = answer(&[MIDDLEGAME, "material=-1", "can_seek_mate=false", "enemy_threat=true"]);
    assert_eq!(behind["is"]["facts"], feel["facts"]);
    let facts = behind["would_be"]["facts"].as_object().unwrap();
    let holds: Vec<_> = facts.iter().filter(|(_, holds)| **holds == true).collect();
    assert_eq!((facts.len(), holds[0].0.as_str(), holds.len()), (9, "enemy_threat", 1));
    assert_eq!(behind["would_be"]["goal"], "capture_threat");
    let level = answer(&[MIDDLEGAME, "material=-1"]);
    assert_eq!(level["would_be"]["goal"], feel["goal"], "the board is as it was");
    let page = output(&["whatif", MIDDLEGAME, "can_seek_mate=false"]);
    assert!(
        page.contains("\n  can_seek_mate    true                       false                 *")
    );
    let line = "Goal               dominate_centre            secure_king           *";
    assert!(output(&["whatif", MIDDLEGAME, "king_safety=-1"]).contains(line));
}

#[test]
fn invalid_concepts_and_values_are_rejected() {
    let refused = |word: &str, parts: &[&str]| assert_refused(&["whatif", "startpos", word], parts);
    let concepts = "material, mobility, king_safety, king_exposure";
    let all = format!("desirability, relief, arousal, {concepts}, in_check, can_mate");
    let concepts = all.as_str();
    refused("king_safty=-1", &["unknown name `king_safty`", concepts, "`king_safety`?"]);
    for wrong in ["1.01", "-2", "NaN", "inf", "", "much"] {
        let word = format!("material={wrong}");
        refused(&word, &[&format!("found value `{wrong}`"), "a number from -1 to 1"]);
    }
    refused("endgame=1", &["`endgame=1`: found value `1`", "allowed: true or false"]);
    assert_refused(&["whatif", "startpos"], &["no change given", "king_safety=-1", concepts]);
    let twice = ["whatif", "startpos", "material=0", "material=1"];
    assert_refused(&twice, &["material=1", "is given twice"]);
    assert_refused(&["whatif", "8/8 w", "material=0"], &["`8/8 w` cannot be read"]);
}
