//! Tests of `tune`: it recovers known weights, is repeatable, and reports errors in the data.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
#![allow(clippy::cast_precision_loss, reason = "scores are far within what floats hold")]

use assert_cmd::Command;
use deepfeeling::{
    chess::score::Tapered,
    eval::{
        feature::{Feature, LEN},
        finish,
        sums::Sums,
        trace,
        weights::Weights,
    },
    lab::tune::{
        FitData, Loaded, PositionFilter, Progress, Quiet, Source, TuneError, TuneOptions,
        TunedWeights,
        dataset::{Dataset, Label, Split},
        descent::{Descent, DescentEnd},
        model::{ResultModel, fitted_slope, logistic},
        tune,
    },
    player::human::clock::ClockModel,
    profile::Profile,
    support::random::Random,
};
use predicates::{prelude::PredicateBooleanExt, str::contains};
use shakmaty::{ByColor, Chess, EnPassantMode, Position, fen::Fen};
use std::{
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::AtomicBool,
};

/// Slope of the win probability per centipawn. It is so flat that a queen up does not always win.
/// Otherwise the results would not reveal the queen's value.
const SLOPE: f32 = 0.0025;

fn start() -> Profile {
    Profile::builtin("standard").unwrap()
}

fn both(weights: &Weights) -> ByColor<Weights> {
    ByColor { white: weights.clone(), black: weights.clone() }
}

fn score(weights: &Weights, chess: &Chess) -> i32 {
    let weights = both(weights);
    finish(trace(chess).under(&weights), Sums::of(chess.board(), &weights).phase, chess)
}

/// Returns positions of random games, none in check. Captures are preferred, so that all phases
/// occur.
fn walks(count: usize, seed: u64) -> Vec<Chess> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut chess = Chess::default();
        for ply in 0..160 {
            let moves = chess.legal_moves();
            if moves.is_empty() || chess.is_insufficient_material() {
                break;
            }
            let captures: Vec<_> = moves.iter().filter(|m| m.is_capture()).collect();
            let m = match captures.as_slice() {
                [] => moves[random.below(moves.len())],
                captures if random.below(3) == 0 => *captures[random.below(captures.len())],
                _ => moves[random.below(moves.len())],
            };
            chess.play_unchecked(m);
            let alive = !chess.is_check() && !chess.legal_moves().is_empty();
            if ply > 8 && random.below(8) == 0 && alive {
                positions.push(chess.clone());
            }
        }
    }
    positions.truncate(count);
    positions
}

/// Returns the default weights with all pieces except pawns worth a quarter more in both phases.
fn known() -> Weights {
    let mut weights = start().weights;
    let first = Feature::PieceValue.start();
    for value in &mut weights.0[first + 1..first + 5] {
        *value = Tapered::new(value.mg() * 5 / 4, value.eg() * 5 / 4);
    }
    weights
}

/// Returns CSV rows with scores computed and results drawn by `weights`.
fn csv(positions: &[Chess], weights: &Weights, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("fen,result,cp\n");
    for chess in positions {
        let cp = score(weights, chess);
        let chance = f64::from(logistic(SLOPE * cp as f32));
        let result = u8::from(random.unit() < chance);
        let fen = Fen::from_position(chess, EnPassantMode::Legal);
        writeln!(text, "{fen},{result},{cp}").unwrap();
    }
    text
}

fn settings(path: &Path) -> TuneOptions {
    TuneOptions {
        data: FitData {
            sources: vec![Source { path: path.into(), weight: 1.0, validation: false }],
            filter: PositionFilter {
                quiet: Quiet::Trust,
                nodes: None,
                limit: None,
                holdout: 0.1,
                seed: 5,
            },
            mix: 1.0,
            compare: 0.0,
            slope: Some(SLOPE),
        },
        descent: Descent {
            epochs: 60,
            rate: 4.0,
            batch: 1024,
            pull: 0.0,
            smooth: 0.0,
            patience: 8,
            seed: 5,
        },
        only: Vec::new(),
        freeze: Vec::new(),
    }
}

struct Quietly;
impl Progress for Quietly {}

fn fit(settings: &TuneOptions) -> Result<TunedWeights, TuneError> {
    tune(&start(), settings, &AtomicBool::new(false), &mut Quietly)
}

struct Data {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

fn file(name: &str, content: impl AsRef<[u8]>) -> Data {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, content).unwrap();
    Data { _dir: dir, path }
}

#[test]
fn the_model_scores_as_the_evaluation_does() {
    let weights = start().weights;
    let mut data = Dataset::default();
    let positions = walks(2000, 1);
    let label = Label { result: 1, cp: None, file: 0, part: Split::Training, game: None };
    for chess in &positions {
        data.push(chess, label, &both(&weights));
    }
    let model = ResultModel::new(&weights, SLOPE);
    for (i, chess) in positions.iter().enumerate() {
        let (ours, theirs) = (model.score(&data, i), score(&weights, chess) as f32);
        assert!((ours - theirs).abs() <= 1.51, "{ours} {theirs} {chess:?}");
    }
    assert_eq!(model.rounded(), weights);
}

#[test]
fn known_piece_values_are_recovered() {
    let data = file("walks.csv", csv(&walks(8000, 2), &known(), 2));
    let only = vec!["piece_value".to_string()];
    let settings = TuneOptions { only, ..settings(&data.path) };
    // the initial weights decide which side's endgame score is scaled; the weights of the first fit
    // are close enough to decide it correctly
    let weights = fit(&settings).unwrap().weights;
    let nearer = Profile { weights, ..start() };
    let tuned = tune(&nearer, &settings, &AtomicBool::new(false), &mut Quietly).unwrap();
    let first = Feature::PieceValue.start();
    for i in 0..LEN {
        let (found, truth) = (tuned.weights.0[i], known().0[i]);
        if (first..first + 5).contains(&i) {
            let near = |a: i32, b: i32| (a - b).abs() < 3 * 256;
            assert!(
                near(found.mg(), truth.mg()) && near(found.eg(), truth.eg()),
                "{found:?} {truth:?}"
            );
        } else {
            assert_eq!(found, start().weights.0[i], "{i}");
        }
    }
}

#[test]
fn a_fit_of_all_weights_learns_the_known_scores() {
    let data = file("walks.csv", csv(&walks(20_000, 3), &known(), 3));
    let tuned = fit(&settings(&data.path)).unwrap();
    let error = |weights: &Weights| {
        let positions = walks(500, 4);
        let off = |chess: &Chess| f64::from((score(weights, chess) - score(&known(), chess)).abs());
        positions.iter().map(off).sum::<f64>() / 500.0
    };
    let (before, after) = (error(&start().weights), error(&tuned.weights));
    assert!(after < 12.0 && after < before / 5.0, "{before} → {after}");
    // weights of features that never occur do not change
    let unseen = tuned.report.unseen;
    let same = (0..LEN).filter(|&i| tuned.weights.0[i] == start().weights.0[i]).count();
    assert!(same >= unseen, "{same} {unseen}");
}

#[test]
fn the_slope_is_fitted_to_the_results() {
    let weights = start().weights;
    let mut data = Dataset::default();
    let mut random = Random::new(6);
    for chess in walks(20_000, 5) {
        let chance = logistic(SLOPE * score(&weights, &chess) as f32);
        let result = 2 * u8::from(random.unit() < f64::from(chance));
        let label = Label { result, cp: None, file: 0, part: Split::Training, game: None };
        data.push(&chess, label, &both(&weights));
    }
    let all = data.of(Split::Training);
    let slope = fitted_slope(&data, &ResultModel::new(&weights, 0.0), &all).unwrap();
    assert!((slope / SLOPE - 1.0).abs() < 0.06, "{slope}");
}

#[test]
fn the_same_seed_gives_the_same_weights_on_any_number_of_threads() {
    let data = file("walks.csv", csv(&walks(6000, 7), &known(), 7));
    let mut settings = settings(&data.path);
    settings.descent.epochs = 4;
    let on = |threads: usize, settings: &TuneOptions| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(settings)).unwrap().weights
    };
    let one = on(1, &settings);
    assert_eq!(one, on(3, &settings));
    settings.descent.seed = 6;
    assert_ne!(one, on(3, &settings));
}

#[test]
fn plain_and_compressed_files_give_equal_weights() {
    let text = csv(&walks(3000, 8), &known(), 8);
    let plain = file("walks.csv", &text);
    let packed = file("walks.csv.zst", zstd::encode_all(text.as_bytes(), 3).unwrap());
    let epd: String = text.lines().skip(1).fold(String::new(), |mut epd, row| {
        let (fen, rest) = row.split_once(',').unwrap();
        let result = if rest.starts_with('1') { "1-0" } else { "0-1" };
        writeln!(epd, "{fen} c9 \"{result}\";").unwrap();
        epd
    });
    let epd = file("walks.epd.zst", zstd::encode_all(epd.as_bytes(), 3).unwrap());
    let weights = |data: &Data| {
        let mut settings = settings(&data.path);
        (settings.data.mix, settings.data.filter.holdout, settings.descent.epochs) = (0.0, 0.0, 2);
        fit(&settings).unwrap().weights
    };
    assert_eq!(weights(&plain), weights(&packed));
    assert_eq!(weights(&plain), weights(&epd));
}

#[test]
fn validation_files_are_reported_but_not_fitted() {
    let data = file("walks.csv", csv(&walks(3000, 9), &known(), 9));
    let other = file("other.csv", csv(&walks(1000, 10), &start().weights, 10));
    let mut settings = settings(&data.path);
    settings.descent.epochs = 2;
    let alone = fit(&settings).unwrap();
    settings.data.sources.push(Source { path: other.path.clone(), weight: 1.0, validation: true });
    let watched = fit(&settings).unwrap();
    assert_eq!(alone.weights, watched.weights);
    let loss = watched.report.losses.iter().find(|loss| loss.part == Split::Validation).unwrap();
    assert_eq!((loss.file.as_str(), loss.positions), ("other.csv", 1000));
}

#[test]
fn an_interrupted_fit_returns_the_best_weights_so_far() {
    /// Stops in the second epoch.
    struct Impatient<'s>(&'s AtomicBool);
    impl Progress for Impatient<'_> {
        fn epoch(&mut self, _: &deepfeeling::lab::tune::descent::Epoch) {
            self.0.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
    let data = file("walks.csv", csv(&walks(3000, 11), &known(), 11));
    let stop = AtomicBool::new(false);
    let tuned = tune(&start(), &settings(&data.path), &stop, &mut Impatient(&stop)).unwrap();
    assert_eq!((tuned.report.end, tuned.report.epochs), (DescentEnd::Interrupted, 1));
    assert_ne!(tuned.weights, start().weights);
}

#[test]
fn bad_rows_are_counted_and_reported_by_line() {
    struct Listening(Vec<Loaded>);
    impl Progress for Listening {
        fn loaded(&mut self, loaded: &Loaded) {
            self.0.push(loaded.clone());
        }
    }
    let mut text = csv(&walks(200, 12), &known(), 12);
    text.push_str("not a position,1,0\n\n8/8/8/8/8/8/4K3/7k w - - 0 1,2,0\n");
    text.push_str("8/8/8/8/8/8/4R3/4K2k b - - 0 1,1,0\n4k3/8/8/8/8/8/4R3/4K3 b - - 0 1,1,0\n");
    text.push_str(&"x,1\n".repeat(20));
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"\xff\xfe,1,0\n");
    let data = file("walks.csv", bytes);
    let mut listening = Listening(Vec::new());
    let mut settings = settings(&data.path);
    settings.descent.epochs = 0;
    tune(&start(), &settings, &AtomicBool::new(false), &mut listening).unwrap();
    let [loaded] = listening.0.as_slice() else { panic!("one file") };
    assert_eq!((loaded.rows, loaded.used), (225, 201));
    assert_eq!((loaded.bad, loaded.in_check, loaded.complaints.len()), (23, 1, 10));
    assert_eq!(loaded.complaints[0].0, 202);
    assert_eq!(loaded.complaints[1].0, 204);
    assert!(loaded.complaints[1].1.contains("result `2`"), "{:?}", loaded.complaints);
}

fn deepfeeling() -> Command {
    Command::cargo_bin("deepfeeling").unwrap()
}

#[test]
fn unusable_data_is_rejected() {
    let rows = csv(&walks(300, 13), &known(), 13);
    let only_wins: String = rows
        .lines()
        .filter(|row| !row.contains(",0,"))
        .fold(String::new(), |text, row| text + row + "\n");
    let swapped: String = rows.lines().skip(1).fold(String::new(), |mut text, row| {
        let mut fields = row.split(',');
        let (fen, result) = (fields.next().unwrap(), fields.next().unwrap());
        writeln!(text, "{fen},{}", u8::from(result != "1")).unwrap();
        text
    });
    for (content, complaint) in [
        (only_wins.as_str(), "one-sided results"),
        ("fen,result\n8/8 w,1\n", "no position to train on"),
        ("", "is empty"),
        ("fen,outcome\n", "no column `result`"),
        (swapped.as_str(), "no K fits"),
    ] {
        let data = file("bad.csv", content);
        deepfeeling().arg("tune").arg(&data.path).assert().code(2).stderr(contains(complaint));
    }
    let data = file("good.csv", &rows);
    for (args, complaint) in [
        (vec!["--only", "piece_vale"], "did you mean `piece_value`"),
        (vec!["--freeze", "material", "--only", "material"], "no weight is left"),
        (vec!["--profile", "paper2012"], "measures"),
        (vec!["--out", "/no/such/folder/x.toml"], "no folder"),
        (vec!["--mix", "1.5"], "from 0 to 1"),
        (vec!["--weight", "other.csv=2"], "not one of the input files"),
        (vec!["/no/such/file.csv"], "cannot be read"),
    ] {
        let mut command = deepfeeling();
        command.arg("tune").arg(&data.path).args(args);
        command.assert().code(2).stderr(contains(complaint));
    }
}

#[test]
fn the_written_profile_loads_and_can_be_tuned_again() {
    let mut rows = csv(&walks(2000, 14), &known(), 14);
    rows.push_str("nonsense\n");
    let data = file("walks.csv", &rows);
    let out = data.path.with_file_name("tuned.toml");
    let run = |profile: &Path| {
        let mut command = deepfeeling();
        command.arg("tune").arg(&data.path).args(["--epochs", "2", "--quiet", "resolve"]);
        command.args(["--mix", "0.5", "--seed", "3", "--limit", "1500"]);
        command.arg("--profile").arg(profile).arg("--out").arg(&out);
        let message = contains("epoch 2:").and(contains("wrote "));
        command.assert().success().stderr(message).stdout(contains("K = "));
        Profile::from_file(&out).unwrap()
    };
    let first = run(Path::new("standard"));
    assert_eq!((first.name.as_str(), &first.mind), ("Standard tuned", &start().mind));
    assert_ne!(first.weights, start().weights);
    let pairs = first.weights.0.into_iter().zip(start().weights.0);
    for (fitted, _) in pairs.filter(|(fitted, start)| fitted != start) {
        assert_eq!([fitted.mg() % 128, fitted.eg() % 128], [0, 0], "weights are whole centipawns");
    }
    let second = run(&out);
    assert_eq!((second.name, second.mind), (first.name, first.mind));
}

#[test]
fn json_contains_losses_and_changes() {
    let data = file("walks.csv", csv(&walks(500, 15), &known(), 15));
    let mut command = deepfeeling();
    command.arg("tune").arg(&data.path).args(["--epochs", "1", "--json"]);
    let output = command.output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["losses"][0]["file"], "walks.csv");
    assert!(json["k"].as_f64().unwrap() > 0.0 && json["changes"].is_array());
}

#[cfg(unix)]
#[test]
fn an_interrupt_writes_the_best_weights_so_far() {
    let data = file("walks.csv", csv(&walks(4000, 16), &known(), 16));
    let out = data.path.with_file_name("tuned.toml");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .arg("tune")
        .arg(&data.path)
        .args(["--epochs", "1000000", "--patience", "1000000", "--mix", "1", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("epoch 3:")));
    let kill = ["-INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    assert!(lines.any(|line| line.contains("interrupted: these are the best weights so far")));
    assert!(child.wait().unwrap().success());
    assert_ne!(Profile::from_file(&out).unwrap().weights, start().weights);
}

#[test]
fn think_times_are_fitted_to_the_clocks_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let [out, figure] = ["clock.toml", "clock.svg"].map(|name| dir.path().join(name));
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/study/games.pgn");
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("deepfeeling").unwrap();
        command.args(["tune", games]).args(arguments).assert()
    };
    let all = ["--target", "human", "--clock", "--holdout", "0", "--threads", "1"];
    let files = ["--out", out.to_str().unwrap(), "--figure", figure.to_str().unwrap()];
    let text = run(&[&all[..], &files].concat()).success().get_output().stdout.clone();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("recapture") && text.contains("games.pgn"), "{text}");
    let model = std::fs::read_to_string(out).unwrap();
    assert!(ClockModel::parse(&model).is_ok());
    assert!(std::fs::read_to_string(figure).unwrap().starts_with("<svg "));
    run(&["--clock"]).failure().stderr(contains("--clock needs --target human"));
}

#[test]
fn danger_units_are_fitted_and_printed() {
    let data = file("walks.csv", csv(&walks(4000, 17), &known(), 17));
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("deepfeeling").unwrap();
        command.args(["tune", "--danger"]).arg(&data.path).args(arguments).assert()
    };
    let all = ["--mix", "1", "--k", "0.0025", "--epochs", "20", "--batch", "512", "--json"];
    let json = run(&all).success().get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(report["loss"][1].as_f64().unwrap() < report["loss"][0].as_f64().unwrap(), "{report}");
    let causes = report["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 16);
    // pieces are worth more here, so the attack of a piece counts differently
    assert!(causes.iter().any(|cause| cause["before"] != cause["after"]), "{report}");
    let text = run(&all[..8]).success().get_output().stdout.clone();
    assert!(String::from_utf8(text).unwrap().contains("attacker_moves"));
    run(&["--out", "x.toml"]).failure().code(2).stderr(contains("--out"));
}
