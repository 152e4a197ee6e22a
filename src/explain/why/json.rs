//! The explanation of a move as JSON, as printed by `deepfeeling why --json`.

use super::{
    Contrast, Effect, Why,
    evaluator::{FactorSplit, ProfileEvaluator},
    flip::Flip,
    line::BestLine,
    names_of,
    turning::{FactorTurning, Turning},
};
use serde_json::{Map, Value, json};
use shakmaty::{Move, Position, uci::UciMove};

impl Why {
    /// Returns the explanation as JSON, including every factor and term that the text omits. Scores
    /// and values are in centipawns from the point of view of the side to move.
    pub fn as_json(&self) -> Value {
        let asked = self.asked.as_ref().map(|asked| {
            let rival = asked.rival.as_ref().map(|rival| {
                let contrast = rival.contrast.as_ref();
                json!({
                    "line": line(&rival.line),
                    "ends": contrast.map(|contrast| self.contrast_json(contrast)),
                    "by_search": rival.turning.map(|turning| self.turning_json(turning)),
                    "factor_by_search": rival.factor.map(|factor| self.factor_json(factor)),
                })
            });
            json!({
                "move": self.uci(asked.m), "is_choice": self.felt.first() == Some(asked.m),
                "rival": rival,
            })
        });
        json!({
            "feeling": self.feeling.as_json(), "nodes": self.nodes,
            "with_feeling": line(&self.felt), "without_feeling": line(&self.neutral),
            "hangs_by_a_hair": self.is_steady.map(|is_steady| !is_steady),
            "ends": self.effect.as_ref().map(|effect| effect_json(self.evaluator(), effect)),
            "asked": asked,
        })
    }

    fn contrast_json(&self, contrast: &Contrast) -> Value {
        let evaluator = self.evaluator();
        let end = |weighed: &FactorSplit| {
            let terms = weighed.parts.iter().map(|part| {
                let terms = part.terms.iter().filter(|(_, value)| *value != 0.0);
                terms.map(|(name, value)| ((*name).into(), (*value).into())).collect::<Map<_, _>>()
            });
            let terms = by_name(evaluator, terms);
            json!({"evaluation": weighed.score, "values": values(evaluator, weighed), "terms": terms})
        };
        let flip = |flip: &Flip| {
            json!({
                "from": flip.from, "even_at": flip.tip, "to": flip.to,
                "evaluations": {"choice": flip.scores[0], "rival": flip.scores[1]},
                "plays": flip.choice.map(|m| self.uci(m)),
            })
        };
        let flips = contrast.flips.as_ref().map(|flips| {
            let factors = flips.factors.iter();
            let factors: Map<_, _> =
                factors.map(|(side_group, change)| (side_group.name(), flip(change))).collect();
            json!({"intensity": flips.intensity.as_ref().map(&flip), "factors": factors})
        });
        json!({
            "choice": end(&contrast.chosen), "rival": end(&contrast.rival),
            "flips": flips,
        })
    }

    /// Returns the nearest intensity at which the search changes its answer, and the move it plays.
    fn turning_json(&self, Turning { steps, found }: Turning) -> Value {
        let found = found.map(|(to, m)| json!({"intensity": to, "plays": self.uci(m)}));
        json!({"steps": steps, "found": found})
    }

    /// Returns the smallest change of one factor that changes the answer of the search, and the
    /// move it plays.
    fn factor_json(&self, FactorTurning { tried, found }: FactorTurning) -> Value {
        let found = found.map(|(side_group, [from, to], m)| {
            json!({"factor": side_group.name(), "from": from, "to": to, "plays": self.uci(m)})
        });
        json!({"tried": tried, "found": found})
    }

    fn uci(&self, m: Move) -> String {
        UciMove::from_move(m, self.feeling.game.chess.castles().mode()).to_string()
    }
}

fn line(line: &BestLine) -> Value {
    let [moves, captures] = [&line.moves, &line.captures].map(|moves| line.uci(moves));
    json!({
        "move": moves.first(), "moves": moves, "captures": captures, "san": line.san(),
        "score": Value::from(line.score), "depth": line.depth, "nodes": line.nodes,
        "end": {"fen": line.end.game.fen(), "over": line.end.over.map(super::line::NoEvaluation::name)},
    })
}

/// Pairs values with the names from [`names_of`].
fn by_name(
    evaluator: ProfileEvaluator<'_>,
    values: impl IntoIterator<Item = impl Into<Value>>,
) -> Value {
    let values = values.into_iter().map(Into::into);
    Value::Object(names_of(evaluator).into_iter().zip(values).collect())
}

fn values(evaluator: ProfileEvaluator<'_>, weighed: &FactorSplit) -> Value {
    let parts = weighed.parts.iter().map(|part| part.value);
    by_name(evaluator, parts.chain([weighed.draw.into()]))
}

fn effect_json(evaluator: ProfileEvaluator<'_>, effect: &Effect) -> Value {
    let end = |[felt, plain]: &[FactorSplit; 2]| {
        json!({
            "evaluation": {"felt": felt.score, "plain": plain.score},
            "felt": values(evaluator, felt), "plain": values(evaluator, plain),
        })
    };
    let terms = |index| {
        let terms = effect.terms(index).into_iter().filter(|(_, shift)| *shift != 0.0);
        terms.map(|(name, shift)| (name.into(), shift.into())).collect::<Map<_, _>>()
    };
    json!({
        "with_feeling": end(&effect.felt), "without_feeling": end(&effect.neutral),
        "shift": by_name(evaluator, effect.rows().into_iter().map(|row| row[4])),
        "shift_by_term": by_name(evaluator, (0..evaluator.factors().len()).map(terms)),
    })
}
