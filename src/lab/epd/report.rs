//! Formats one trial as text, CSV and JSON.

use super::{
    record::EpdRecord,
    run::{Answer, EpdTrial},
};
use crate::chess::{game::Game, score::Score};
use serde::Serialize;
use shakmaty::{CastlingMode, Position, uci::UciMove};

/// The column names of [`EpdRow::csv`]. There is no time column, so that equal runs give equal
/// files.
pub const CSV_HEADER: &str =
    "suite,line,id,emotion,solved,points,max_points,move,uci,expected,depth,cp,mate,nodes";

/// A trial with its record and suite.
#[derive(Clone, Copy, Debug)]
pub struct EpdRow<'a> {
    pub suite: &'a str,
    /// The position's number in its suite, counted from 1.
    pub number: usize,
    pub record: &'a EpdRecord,
    pub trial: &'a EpdTrial,
}

impl EpdRow<'_> {
    /// Returns whether every answer solves the position.
    pub fn solved(&self) -> bool {
        self.trial.answers.iter().all(|answer| answer.verdict.solved)
    }

    /// Returns one line of text per answer.
    pub fn text(&self) -> Vec<String> {
        let both = self.trial.answers.len() > 1;
        self.trial.answers.iter().map(|answer| self.line(answer, both)).collect()
    }

    fn line(&self, answer: &Answer, both: bool) -> String {
        let emotion = match (both, answer.emotion) {
            (true, true) => "with    ",
            (true, false) => "without ",
            (false, _) => "",
        };
        let points = match (answer.verdict.points, self.record.max_points()) {
            (Some(points), Some(max)) => format!("{points}/{max}"),
            _ => String::new(),
        };
        let solved = if answer.verdict.solved { "solved" } else { "failed" };
        let (m, score) = (self.record.san(answer.best), answer.score.to_string());
        let (number, depth, nodes) = (self.number, answer.depth, answer.nodes);
        let line = format!(
            "{number:>5} {emotion}{solved} {points:>7} {m:<7} expected {:<12} depth {depth:>2} \
             {score:<9} {nodes:>9} nodes  {}",
            self.record.expected(),
            self.record.id.as_deref().unwrap_or_default()
        );
        line.trim_end().to_owned()
    }

    /// Returns one CSV line per answer, with the columns of [`CSV_HEADER`].
    pub fn csv(&self) -> Vec<String> {
        self.trial.answers.iter().map(|answer| self.csv_line(answer)).collect()
    }

    fn csv_line(&self, answer: &Answer) -> String {
        let record = self.record;
        let number = |number: Option<i64>| number.map_or_else(String::new, |n| n.to_string());
        let mate = answer.score.mate_moves();
        let cp = if mate.is_none() { Some(answer.score.centipawns()) } else { None };
        [
            self.suite.to_owned(),
            record.line.to_string(),
            record.id.clone().unwrap_or_default(),
            if answer.emotion { "on" } else { "off" }.to_owned(),
            answer.verdict.solved.to_string(),
            number(answer.verdict.points.map(i64::from)),
            number(record.max_points().map(i64::from)),
            record.san(answer.best),
            uci(&record.game, answer),
            record.expected(),
            answer.depth.to_string(),
            number(cp.map(i64::from)),
            number(mate.map(i64::from)),
            answer.nodes.to_string(),
        ]
        .map(|field| quoted(&field))
        .join(",")
    }

    /// Returns the trial for JSON.
    pub fn record(&self) -> TrialRecord {
        let record = self.record;
        let answer = |answer: &Answer| AnswerRecord {
            emotion: answer.emotion,
            solved: answer.verdict.solved,
            points: answer.verdict.points,
            san: record.san(answer.best),
            uci: uci(&record.game, answer),
            depth: answer.depth,
            score: answer.score,
            nodes: answer.nodes,
        };
        TrialRecord {
            suite: self.suite.to_owned(),
            line: record.line,
            id: record.id.clone(),
            fen: record.game.fen(),
            expected: record.expected(),
            max_points: record.max_points(),
            answers: self.trial.answers.iter().map(answer).collect(),
        }
    }
}

/// The JSON form of a trial.
#[derive(Clone, Debug, Serialize)]
pub struct TrialRecord {
    suite: String,
    line: usize,
    id: Option<String>,
    fen: String,
    expected: String,
    max_points: Option<u32>,
    answers: Vec<AnswerRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct AnswerRecord {
    emotion: bool,
    solved: bool,
    points: Option<u32>,
    #[serde(rename = "move")]
    san: String,
    uci: String,
    depth: u8,
    score: Score,
    nodes: u64,
}

fn uci(game: &Game, answer: &Answer) -> String {
    let mode: CastlingMode = game.chess.castles().mode();
    UciMove::from_move(answer.best, mode).to_string()
}

/// Quotes a CSV field if necessary (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
