//! The static evaluation of a position in detail, as printed by `deepfeeling eval`.
//!
//! Depending on the profile, it lists the terms with their factors or the article's four measures
//! with their multipliers.

use crate::{
    chess::{game::Game, score::Tapered},
    eval::{
        explain::{Explanation, explain},
        group::Group,
        measures::Measures,
        paper::{MeasureEvaluator, UNITS_PER_POINT},
        weights::UNITS_PER_CENTIPAWN,
    },
    mind::{appraisal::Appraisal, relevance::Ratios},
    profile::{EvaluatorKind, Profile},
};
use serde_json::{Value, json};
use shakmaty::{Color, Position};
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
#[derive(Clone, Debug)]
struct MeasureRow {
    name: &'static str,
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
            EvaluatorKind::Measures => measures(&Measures::of(&game.chess, side), side, ratios),
        };
        Self { game, profile, appraisal, detail }
    }

    /// Returns the evaluation as JSON.
    pub fn as_json(&self) -> Value {
        let mut json = match &self.detail {
            Detail::Terms(explanation) => terms_json(explanation),
            Detail::Measures { rows, total } => {
                let rows: Vec<_> = rows
                    .iter()
                    .map(|row| {
                        json!({
                            "measure": row.name, "points": row.points,
                            "multiplier": row.multiplier, "part": row.part,
                        })
                    })
                    .collect();
                json!({"measures": rows, "score": total})
            }
        };
        json["fen"] = self.game.fen().into();
        json["profile"] = self.profile.name.as_str().into();
        json["feeling"] = self.feeling().into();
        json
    }

    /// Describes the feeling in one line.
    fn feeling(&self) -> String {
        let off = || "Emotion is off, so nothing is felt".to_owned();
        self.appraisal.as_ref().map_or_else(off, Appraisal::summary)
    }
}

/// Computes the article's evaluation for `side`: each measure times its multiplier (eq. 7).
fn measures(measures: &Measures, side: Color, ratios: &Ratios) -> Detail {
    let multipliers = ratios.measures();
    let evaluator = MeasureEvaluator::new(side, multipliers);
    let parts = evaluator.parts(measures);
    let names = ["material", "mobility", "king_safety", "king_exposure"];
    let rows = measures.in_order().into_iter().enumerate();
    let rows = rows.map(|(i, quarters)| MeasureRow {
        name: names[i],
        points: f64::from(quarters) / 4.0,
        multiplier: multipliers[i],
        part: points(parts[i]),
    });
    Detail::Measures { rows: rows.collect(), total: points(evaluator.total(measures)) }
}

#[expect(clippy::cast_precision_loss, reason = "printed with two decimals")]
fn points(units: i64) -> f64 {
    units as f64 / UNITS_PER_POINT as f64
}

fn terms_json(explanation: &Explanation) -> Value {
    let centipawns = |units: i32| f64::from(units) / f64::from(UNITS_PER_CENTIPAWN);
    let pair = |value: Tapered| [centipawns(value.mg()), centipawns(value.eg())];
    let terms: Vec<_> = explanation
        .rows
        .iter()
        .map(|row| {
            let spec = row.feature.spec();
            json!({
                "term": spec.name, "group": spec.group.name(),
                "white": {"count": row.counts.white, "value": pair(row.values.white)},
                "black": {"count": row.counts.black, "value": pair(row.values.black)},
            })
        })
        .collect();
    let groups: Vec<_> = Group::ALL
        .into_iter()
        .map(|group| {
            let side = |side: Color| {
                let factor = explanation.relevance.get(side).0[group as usize].ratio();
                json!({"value": pair(explanation.of_group(group, side)), "factor": factor})
            };
            json!({
                "group": group.name(), "white": side(Color::White), "black": side(Color::Black),
            })
        })
        .collect();
    json!({
        "unit": "centipawns, [opening, ending], from each side's point of view; scores from White's",
        "terms": terms, "groups": groups, "total": pair(explanation.total),
        "phase": explanation.phase, "scale": explanation.scale,
        "score_without_feeling": explanation.neutral_score, "score": explanation.score,
    })
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
                for MeasureRow { name, points, multiplier, part } in rows {
                    writeln!(f, "{name:<15} {points:>9.2} {multiplier:>12.6} {part:>12.2}")?;
                }
                write!(f, "{:<15} {total:>35.2} (side to move)", "total")
            }
        }
    }
}
