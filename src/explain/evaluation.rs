//! The static evaluation of a position in detail, as printed by `deepfeeling eval`.
//!
//! Depending on the profile, it lists the terms with their factors or the article's four measures
//! with their multipliers.

use super::split::{Contribution, Split};
use crate::{
    chess::{game::Game, score::Tapered},
    chess_mind::{Appraisal, Ratios, SideGroup},
    eval::{
        danger::Danger,
        explain::{DangerRow, Explanation, FeatureRow, explain},
        group::Group,
        measures::Measures,
        weights::UNITS_PER_CENTIPAWN,
    },
    profile::{EvaluatorKind, Profile},
};
use serde::Serialize;
use shakmaty::{Chess, Color, Position};
use std::fmt;

/// A static evaluation in detail, with the feeling that bends it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    game: Game,
    profile: Profile,
    /// The appraisal, or `None` if emotion is off.
    appraisal: Option<Appraisal>,
    detail: Detail,
}

#[derive(Clone, Debug)]
enum Detail {
    Terms(Explanation),
    Measures { rows: Vec<MeasureRow>, total: f64 },
}

/// One of the four measures in eq. 7 of the article.
#[derive(Clone, Debug, Serialize)]
struct MeasureRow {
    measure: &'static str,
    /// The measured value.
    points: f64,
    multiplier: f64,
    /// The measured value times the multiplier.
    part: f64,
}

impl Evaluation {
    /// Evaluates the position of `game` as the side to move feels it, at 100 % emotion strength.
    pub fn of(game: Game, profile: Profile) -> Self {
        let appraisal = profile.mind.appraise(&game.chess, game.chess.turn(), 100, None);
        Self::new(game, profile, Some(appraisal))
    }

    /// Evaluates the position of `game` under `appraisal`. Without an appraisal, all factors are 1.
    pub fn new(game: Game, profile: Profile, appraisal: Option<Appraisal>) -> Self {
        let side = game.chess.turn();
        let ratios = appraisal.as_ref().map_or(&Ratios::NEUTRAL, |appraisal| &appraisal.ratios);
        let detail = match profile.evaluator {
            EvaluatorKind::Terms => {
                Detail::Terms(explain(&game.chess, &profile.weights, ratios.relevance(side)))
            }
            EvaluatorKind::Measures => measures(&profile, &game.chess, side, ratios),
        };
        Self { game, profile, appraisal, detail }
    }

    /// Returns the evaluation for JSON.
    pub fn record(&self) -> EvaluationRecord<'_> {
        EvaluationRecord {
            fen: self.game.fen(),
            profile: &self.profile.name,
            feeling: self.feeling(),
            detail: match &self.detail {
                Detail::Terms(explanation) => DetailRecord::Terms(TermsRecord::of(explanation)),
                Detail::Measures { rows, total } => {
                    DetailRecord::Measures { measures: rows, score: *total }
                }
            },
        }
    }

    /// Describes the feeling in one line.
    fn feeling(&self) -> String {
        let off = || "Emotion is off, so nothing is felt".to_owned();
        self.appraisal.as_ref().map_or_else(off, Appraisal::summary)
    }
}

/// Computes the article's evaluation for `side`: each measure times its multiplier (eq. 7).
fn measures(profile: &Profile, chess: &Chess, side: Color, ratios: &Ratios) -> Detail {
    let parts = Split::of(profile, chess, side, ratios).parts;
    let row = |((measure, _), (knob, part)): (_, (SideGroup, Contribution))| MeasureRow {
        measure,
        points: part.unit,
        multiplier: knob.of(ratios),
        part: part.value,
    };
    let rows: Vec<_> = Measures::NAMES.into_iter().zip(parts).map(row).collect();
    let total = rows.iter().map(|row| row.part).sum();
    Detail::Measures { rows, total }
}

/// The JSON form of an [`Evaluation`].
#[derive(Debug, Serialize)]
pub struct EvaluationRecord<'a> {
    fen: String,
    profile: &'a str,
    feeling: String,
    #[serde(flatten)]
    detail: DetailRecord<'a>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum DetailRecord<'a> {
    Terms(TermsRecord),
    Measures { measures: &'a [MeasureRow], score: f64 },
}

/// Terms and groups. Values are pairs of centipawns, opening and ending, positive if good
/// for the side they belong to. Scores are centipawns from White's point of view.
#[derive(Debug, Serialize)]
struct TermsRecord {
    unit: &'static str,
    terms: Vec<TermRecord>,
    groups: Vec<GroupRecord>,
    king_danger: Vec<CauseRecord>,
    total: [f64; 2],
    phase: i32,
    scale: i32,
    score_without_feeling: i32,
    score: i32,
}

#[derive(Debug, Serialize)]
struct TermRecord {
    term: &'static str,
    group: &'static str,
    white: CountRecord,
    black: CountRecord,
}

#[derive(Debug, Serialize)]
struct CountRecord {
    count: i32,
    value: [f64; 2],
}

/// A cause of danger to a king. Units of all causes together choose the entry of the table
/// `king_danger`.
#[derive(Debug, Serialize)]
struct CauseRecord {
    cause: &'static str,
    white: DangerRecord,
    black: DangerRecord,
}

#[derive(Debug, Serialize)]
struct DangerRecord {
    count: i32,
    units: i32,
}

impl From<Danger> for DangerRecord {
    fn from(Danger { count, units }: Danger) -> Self {
        Self { count, units }
    }
}

#[derive(Debug, Serialize)]
struct GroupRecord {
    group: &'static str,
    white: WeighedRecord,
    black: WeighedRecord,
}

#[derive(Debug, Serialize)]
struct WeighedRecord {
    value: [f64; 2],
    factor: f64,
}

impl TermsRecord {
    fn of(explanation: &Explanation) -> Self {
        let term = |row: &FeatureRow| {
            let spec = row.feature.spec();
            let side = |side| CountRecord {
                count: *row.counts.get(side),
                value: pair(*row.values.get(side)),
            };
            let (white, black) = (side(Color::White), side(Color::Black));
            TermRecord { term: spec.name, group: spec.group.name(), white, black }
        };
        let group = |group: Group| {
            let side = |side| WeighedRecord {
                value: pair(explanation.of_group(group, side)),
                factor: explanation.factor(group, side),
            };
            let (white, black) = (side(Color::White), side(Color::Black));
            GroupRecord { group: group.name(), white, black }
        };
        let cause = |row: &DangerRow| {
            let (white, black) = (row.danger.white.into(), row.danger.black.into());
            CauseRecord { cause: row.cause.name(), white, black }
        };
        Self {
            unit: "centipawns, [opening, ending], from each side's point of view; scores from White's",
            terms: explanation.rows.iter().map(term).collect(),
            groups: Group::ALL.into_iter().map(group).collect(),
            king_danger: explanation.dangers.iter().map(cause).collect(),
            total: pair(explanation.total),
            phase: explanation.frame.phase,
            scale: explanation.frame.scale,
            score_without_feeling: explanation.neutral_score,
            score: explanation.score,
        }
    }
}

/// Converts a value to centipawns, opening and ending.
fn pair(value: Tapered) -> [f64; 2] {
    [value.mg(), value.eg()].map(|units| f64::from(units) / f64::from(UNITS_PER_CENTIPAWN))
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.game.fen())?;
        writeln!(f, "profile {}: {}\n", self.profile.name, self.feeling())?;
        match &self.detail {
            Detail::Terms(explanation) => write!(f, "{explanation}"),
            Detail::Measures { rows, total } => {
                let (points, part) = ("points", "part");
                writeln!(f, "{:<15} {points:>9} {:>12} {part:>12}", "measure", "multiplier")?;
                for MeasureRow { measure, points, multiplier, part } in rows {
                    writeln!(f, "{measure:<15} {points:>9.2} {multiplier:>12.6} {part:>12.2}")?;
                }
                write!(f, "{:<15} {total:>35.2} (side to move)", "total")
            }
        }
    }
}
