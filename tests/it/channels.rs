//! Tests of the effects of emotion besides the weights: contempt, thinking time, attention and taste.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::play::{self, engine, game, nodes, outcome, recorded, uci};
use deepfeeling::{
    chess::score::Score,
    lab::knobs::table,
    mind::channels::Channels,
    player::{Engine, Options},
    profile::Profile,
};
use shakmaty::Move;
use std::collections::BTreeSet;

/// Creates an engine that feels full fear or full relief in every position. Only `channels` lets
/// the emotion change its play.
fn player(afraid: bool, channels: &str) -> Engine {
    let scale =
        if afraid { "{ from = 99999, to = 100000 }" } else { "{ from = -100000, to = -99999 }" };
    let perception = ["material", "mobility", "king_safety", "king_exposure"]
        .map(|measure| format!("{measure} = {scale}\n"))
        .concat();
    let text = format!("[perception]\n{perception}[feeling]\nfloor = 1\nceiling = 1\n{channels}\n");
    play::with(Profile::from_text(&text, "channels.toml").unwrap(), Options::default())
}

/// White is a little better and may repeat for the third time by f3g1.
const BETTER: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 2 2 \
                      moves f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6";
/// Black is two moves behind and may repeat for the third time by f6g8.
const WORSE: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/2NP1N2/PPP2PPP/R1BQKB1R w KQkq - 2 3 \
                     moves f3g1 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3";

#[test]
fn contempt_makes_fear_take_a_repetition_and_relief_avoid_it() {
    let play = |mut player: Engine, text: &str| {
        let game = game(text);
        let (best, _, score, _) = outcome(&mut player, &game, &nodes(20_000));
        (uci(best, &game.chess), score)
    };
    let (shut, open) = ("contempt = 0", "contempt = 100");
    assert_ne!(play(player(true, shut), BETTER).0, "f3g1");
    let (m, score) = play(player(true, open), BETTER);
    assert_eq!(m, "f3g1");
    assert!((90..=100).contains(&score.centipawns()), "{score}");
    assert_ne!(play(player(false, open), BETTER).0, "f3g1");

    assert_eq!(play(player(false, shut), WORSE), ("f6g8".into(), Score::DRAW));
    assert_ne!(play(player(false, open), WORSE).0, "f6g8");
    assert_eq!(play(player(true, open), WORSE).0, "f6g8");
    assert_ne!(play(player(true, "contempt = -100"), WORSE).0, "f6g8");
}

#[test]
fn a_draw_has_the_same_score_whichever_side_makes_it() {
    // with too little material to mate, every line is a draw
    let drawn = game("8/8/8/8/8/1k6/8/K1n5 w - - 0 1");
    for (afraid, sign) in [(true, 1), (false, -1)] {
        let mut player = player(afraid, "contempt = 50");
        player.change(|options| options.multi_pv = 3).unwrap();
        let (_, record) = recorded(&mut player, &drawn, &nodes(300));
        let draw = Score::cp(record.felt[0].effects.draw);
        assert!((45..=50).contains(&(draw.centipawns() * sign)), "{draw}");
        assert!(
            !record.reports.is_empty() && record.reports.iter().all(|report| report.score == draw)
        );
    }
}

#[test]
fn a_draw_scores_zero_in_analysis() {
    let drawn = game("8/8/8/8/8/1k6/8/K1n5 w - - 0 1");
    let mut player = player(true, "contempt = 50\nattention = 512");
    let score_and_feeling = |player: &mut Engine| {
        let (_, record) = recorded(player, &drawn, &nodes(300));
        (record.reports.last().unwrap().score, record.felt[0].summary())
    };
    let (playing, felt) = score_and_feeling(&mut player);
    assert!(playing > Score::DRAW && felt.contains(" draw +"), "{felt}");
    player.change(|options| options.analysis = true).unwrap();
    let (analysing, felt) = score_and_feeling(&mut player);
    assert_eq!(analysing, Score::DRAW, "the table of the first search is kept");
    assert!(!felt.contains(" draw ") && felt.contains(" attention "), "{felt}");
}

#[test]
fn mates_are_found_at_every_contempt() {
    // Légal's mate, and a ladder mate
    for (fen, moves) in [
        ("r2qkbnr/ppp2ppp/2np4/4N3/2B1P3/2N5/PPPP1PPP/R1BbK2R w KQkq - 0 6", 2),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
    ] {
        for afraid in [true, false] {
            let mut player = player(afraid, "contempt = 100\nattention = 1024");
            let (.., score, _) = outcome(&mut player, &game(fen), &nodes(20_000));
            assert_eq!(score.mate_moves(), Some(moves), "{fen}");
        }
    }
}

#[test]
fn channels_do_not_change_play_without_emotion() {
    let open = "[feeling]\ncontempt = 100\ntime = 50\nattention = 1024\ntaste = 200";
    let open = Profile::from_text(open, "open.toml").unwrap();
    for text in
        ["startpos moves e2e4 e7e5", BETTER, "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55"]
    {
        let game = game(text);
        for (emotion, temperament) in [(false, 100), (true, 0)] {
            let search = |mut player: Engine| {
                player
                    .change(|options| {
                        (options.emotion, options.emotion_strength) = (emotion, temperament);
                    })
                    .unwrap();
                let (outcome, record) = recorded(&mut player, &game, &nodes(10_000));
                (outcome, record.reports)
            };
            let (usual, opened) =
                (search(engine("standard")), search(play::with(open.clone(), Options::default())));
            assert_eq!(usual, opened, "{text}");
        }
    }
}

#[test]
fn attention_changes_the_search_and_is_reported() {
    let game = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let search = |attention: &str| recorded(&mut player(true, attention), &game, &nodes(20_000));
    let (shut, open) = (search("attention = 0"), search("attention = 512"));
    assert_ne!(shut.1.reports, open.1.reports);
    assert!(!shut.1.felt[0].summary().contains("attention"));
    assert!(open.1.felt[0].summary().contains(" attention 5"), "{}", open.1.felt[0].summary());
}

/// Returns the move of a new attacker with this taste as its only channel and an unbent search, and the
/// score that it reports.
fn choice(taste: f64, fen: &str, change: impl Fn(&mut Options)) -> (Move, Score) {
    let mut profile = Profile::builtin("attacker").unwrap();
    profile.mind.channels = Channels { taste, ..Channels::default() };
    profile.mind.bend = 0.0;
    let mut player = play::with(profile, Options::default());
    player.change(&change).unwrap();
    let (best, _, score, _) = outcome(&mut player, &game(fen), &nodes(5_000));
    (best, score)
}

#[test]
fn more_taste_changes_more_moves() {
    let without = |fen: String| {
        let (m, _) = choice(0.0, &fen, |options| options.emotion = false);
        (fen, m)
    };
    let usual: Vec<_> = felt_positions().into_iter().step_by(4).map(without).collect();
    let changes =
        |taste| usual.iter().filter(|(fen, m)| choice(taste, fen, |_| ()).0 != *m).count();
    let [little, much] = [2.0, 200.0].map(changes);
    assert!(2 * much > 3 * little && much >= 10, "{little} {much}");
}

#[test]
fn taste_has_no_effect_in_analysis() {
    let fens = felt_positions();
    for fen in fens.iter().step_by(40) {
        let analysis = choice(200.0, fen, |options| options.analysis = true);
        let neutral = choice(200.0, fen, |options| options.emotion = false);
        assert_eq!(analysis, neutral, "{fen}");
    }
}

/// Returns the positions of `tests/data/knobs.tsv`, which cause all kinds of emotions.
fn felt_positions() -> BTreeSet<String> {
    let findings = table::read(include_str!("../data/knobs.tsv")).unwrap();
    findings.into_iter().filter_map(|finding| Some(finding.witness.ok()?.fen)).collect()
}

#[test]
fn contempt_attention_and_taste_of_shipped_profiles_change_a_move() {
    // the time channel has no effect on a search limited by nodes
    let channels: [fn(&mut Profile); 3] = [
        |profile| profile.mind.channels.contempt = 0.0,
        |profile| profile.mind.channels.attention = 0.0,
        |profile| profile.mind.channels.taste = 0.0,
    ];
    let mut opened = Vec::new();
    for name in Profile::BUILTIN {
        let profile = Profile::builtin(name).unwrap();
        for (channel, shut) in channels.iter().enumerate() {
            let mut without = profile.clone();
            shut(&mut without);
            if without == profile {
                continue;
            }
            opened.push((name, channel));
            let plays = |profile: &Profile, fen: &str| {
                let mut player = play::with(profile.clone(), Options::default());
                outcome(&mut player, &game(fen), &nodes(2_000)).0
            };
            let is_turned = |fen: &String| plays(&profile, fen) != plays(&without, fen);
            assert!(felt_positions().iter().any(is_turned), "{name}: {channel} changes no move");
        }
    }
    let expected = [("anxious", 0), ("gambler", 0), ("hunter", 1), ("grinder", 0)];
    let tastes =
        Profile::BUILTIN.into_iter().filter(|name| !["neutral", "paper2012"].contains(name));
    let mut expected: Vec<_> = expected.into_iter().chain(tastes.map(|name| (name, 2))).collect();
    expected.sort_by_key(|(name, channel)| {
        (Profile::BUILTIN.iter().position(|builtin| builtin == name), *channel)
    });
    assert_eq!(opened, expected);
}
