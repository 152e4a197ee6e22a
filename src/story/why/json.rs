//! The answer for programs.

use super::{
    Contrast, Effect, Why,
    flip::Flip,
    judge::{Judge, Weighed},
    line::Line,
};
use serde_json::{Map, Value, json};
use shakmaty::{Move, Position, uci::UciMove};

impl Why {
    /// Everything the page tells, and what it leaves out for brevity: every factor and term. Scores
    /// and values are in centipawns for the side to move.
    pub fn as_json(&self) -> Value {
        let asked = self.asked.as_ref().map(|asked| {
            let rival = asked.rival.as_ref().map(|rival| {
                let contrast = rival.contrast.as_ref();
                json!({
                    "line": line(&rival.line),
                    "ends": contrast.map(|contrast| contrast_json(self.judge(), contrast)),
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
            "ends": self.effect.as_ref().map(|effect| effect_json(self.judge(), effect)),
            "asked": asked,
        })
    }

    fn uci(&self, m: Move) -> String {
        UciMove::from_move(m, self.feeling.game.chess.castles().mode()).to_string()
    }
}

fn line(line: &Line) -> Value {
    let [moves, captures] = [&line.moves, &line.captures].map(|moves| line.uci(moves));
    json!({
        "move": moves.first(), "moves": moves, "captures": captures, "san": line.san(),
        "score": Value::from(line.score), "depth": line.depth, "nodes": line.nodes,
        "end": {"fen": line.end.game.fen(), "over": line.end.over.map(super::line::Over::name)},
    })
}

/// Each factor's name with what `of` says of its place in the list.
fn by_knob(judge: Judge<'_>, of: impl Fn(usize) -> Value) -> Value {
    let knobs = judge.knobs().into_iter().enumerate();
    Value::Object(knobs.map(|(i, knob)| (knob.name(), of(i))).collect())
}

fn values(judge: Judge<'_>, weighed: &Weighed) -> Value {
    by_knob(judge, |i| weighed.parts[i].value.into())
}

fn effect_json(judge: Judge<'_>, effect: &Effect) -> Value {
    let rows = effect.rows();
    let end = |[felt, plain]: &[Weighed; 2]| {
        json!({
            "evaluation": {"felt": felt.score, "plain": plain.score},
            "felt": values(judge, felt), "plain": values(judge, plain),
        })
    };
    json!({
        "with_feeling": end(&effect.felt), "without_feeling": end(&effect.neutral),
        "shift": by_knob(judge, |i| rows[i][4].into()),
    })
}

fn contrast_json(judge: Judge<'_>, contrast: &Contrast) -> Value {
    let end = |weighed: &Weighed| {
        let terms = by_knob(judge, |i| {
            let terms = weighed.parts[i].terms.iter().filter(|(_, value)| *value != 0.0);
            Value::Object(terms.map(|(name, value)| ((*name).into(), (*value).into())).collect())
        });
        json!({"evaluation": weighed.score, "values": values(judge, weighed), "terms": terms})
    };
    let flips = &contrast.flips;
    let factors: Map<_, _> =
        flips.factors.iter().map(|(knob, change)| (knob.name(), flip(change))).collect();
    json!({
        "choice": end(&contrast.chosen), "rival": end(&contrast.rival),
        "flips": {"intensity": flips.intensity.as_ref().map(flip), "factors": factors},
    })
}

fn flip(flip: &Flip) -> Value {
    json!({
        "from": flip.from, "even_at": flip.tip, "to": flip.to,
        "evaluations": {"choice": flip.scores[0], "rival": flip.scores[1]},
    })
}
