//! The explanation of a move as JSON, as printed by `deepfeeling why --json`.
//!
//! Scores and values are in centipawns from the point of view of the side to move.

use super::{
    Contrast, Effect, Rival, Why,
    end::NoEvaluation,
    evaluator::{FactorSplit, ProfileEvaluator},
    flip::{Flip, Flips},
    line::BestLine,
    names_of,
    turning::{FactorTurning, Turning},
};
use crate::{
    chess::score::Score,
    explain::{feeling::FeelingRecord, known::KnownView, schema::ByName, split::Contribution},
};
use serde::Serialize;
use shakmaty::{Move, Position, uci::UciMove};
use std::{collections::BTreeMap, num::NonZeroU64};

/// Values by the name of a factor, or `a draw`.
type ByFactor<T> = BTreeMap<String, T>;

/// The JSON form of [`Why`], including every factor and term that the text omits.
#[derive(Clone, Debug, Serialize)]
pub struct WhyRecord {
    feeling: FeelingRecord,
    known: Option<KnownView>,
    nodes: NonZeroU64,
    with_feeling: LineRecord,
    without_feeling: LineRecord,
    hangs_by_a_hair: Option<bool>,
    ends: Option<EffectRecord>,
    asked: Option<AskedRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct LineRecord {
    #[serde(rename = "move")]
    first: Option<String>,
    moves: Vec<String>,
    captures: Vec<String>,
    san: String,
    score: Score,
    depth: u8,
    nodes: u64,
    end: EndRecord,
}

#[derive(Clone, Debug, Serialize)]
struct EndRecord {
    fen: String,
    over: Option<&'static str>,
}

/// The ends of the lines with and without feeling.
#[derive(Clone, Debug, Serialize)]
struct EffectRecord {
    with_feeling: BothRecord,
    without_feeling: BothRecord,
    shift: ByFactor<f64>,
    shift_by_term: ByFactor<ByName<f64>>,
}

/// One end, evaluated with and without feeling.
#[derive(Clone, Debug, Serialize)]
struct BothRecord {
    evaluation: BothScores,
    felt: ByFactor<f64>,
    plain: ByFactor<f64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct BothScores {
    felt: i32,
    plain: i32,
}

#[derive(Clone, Debug, Serialize)]
struct AskedRecord {
    #[serde(rename = "move")]
    m: String,
    is_choice: bool,
    rival: Option<RivalRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct RivalRecord {
    line: LineRecord,
    ends: Option<ContrastRecord>,
    by_search: Option<TurningRecord>,
    factor_by_search: Option<FactorTurningRecord>,
}

/// The ends of the chosen line and of its rival, evaluated with feeling.
#[derive(Clone, Debug, Serialize)]
struct ContrastRecord {
    choice: WeighedRecord,
    rival: WeighedRecord,
    flips: Option<FlipsRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct WeighedRecord {
    evaluation: i32,
    values: ByFactor<f64>,
    terms: ByFactor<ByName<f64>>,
}

#[derive(Clone, Debug, Serialize)]
struct FlipsRecord {
    intensity: Option<FlipRecord>,
    factors: ByFactor<FlipRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct FlipRecord {
    from: f64,
    even_at: f64,
    to: f64,
    evaluations: PairRecord,
    plays: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct PairRecord {
    choice: i32,
    rival: i32,
}

/// The nearest intensity at which the search changes its answer.
#[derive(Clone, Debug, Serialize)]
struct TurningRecord {
    steps: u16,
    found: Option<TurnedRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct TurnedRecord {
    intensity: f64,
    plays: String,
}

/// The smallest change of one factor that changes the answer of the search.
#[derive(Clone, Debug, Serialize)]
struct FactorTurningRecord {
    tried: usize,
    found: Option<TurnedFactorRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct TurnedFactorRecord {
    factor: String,
    from: f64,
    to: f64,
    plays: String,
}

impl Why {
    /// Returns the explanation for JSON.
    pub fn record(&self) -> WhyRecord {
        WhyRecord {
            feeling: self.feeling.record(),
            known: self.known.clone(),
            nodes: self.nodes,
            with_feeling: LineRecord::from(&self.felt),
            without_feeling: LineRecord::from(&self.neutral),
            hangs_by_a_hair: self.is_steady.map(|is_steady| !is_steady),
            ends: self.effect.as_ref().map(|effect| EffectRecord::of(self.evaluator(), effect)),
            asked: self.asked.as_ref().map(|asked| AskedRecord {
                m: self.uci(asked.m),
                is_choice: self.felt.first() == Some(asked.m),
                rival: asked.rival.as_ref().map(|rival| self.rival_record(rival)),
            }),
        }
    }

    fn rival_record(&self, rival: &Rival) -> RivalRecord {
        let turning = |Turning { steps, found }| TurningRecord {
            steps,
            found: found.map(|(intensity, m)| TurnedRecord { intensity, plays: self.uci(m) }),
        };
        let factor = |FactorTurning { tried, found }| FactorTurningRecord {
            tried,
            found: found.map(|(knob, [from, to], m)| {
                let factor = knob.name();
                TurnedFactorRecord { factor, from, to, plays: self.uci(m) }
            }),
        };
        RivalRecord {
            line: LineRecord::from(&rival.line),
            ends: rival.contrast.as_ref().map(|contrast| self.contrast_record(contrast)),
            by_search: rival.turning.map(turning),
            factor_by_search: rival.factor.map(factor),
        }
    }

    fn contrast_record(&self, contrast: &Contrast) -> ContrastRecord {
        let end = |weighed| WeighedRecord::of(self.evaluator(), weighed);
        let flips = |flips: &Flips| {
            let factors = flips.factors.iter();
            FlipsRecord {
                intensity: flips.intensity.as_ref().map(|flip| self.flip_record(flip)),
                factors: factors
                    .map(|(knob, flip)| (knob.name(), self.flip_record(flip)))
                    .collect(),
            }
        };
        ContrastRecord {
            choice: end(&contrast.chosen),
            rival: end(&contrast.rival),
            flips: contrast.flips.as_ref().map(flips),
        }
    }

    fn flip_record(&self, flip: &Flip) -> FlipRecord {
        let [choice, rival] = flip.scores;
        FlipRecord {
            from: flip.from,
            even_at: flip.tip,
            to: flip.to,
            evaluations: PairRecord { choice, rival },
            plays: flip.choice.map(|m| self.uci(m)),
        }
    }

    fn uci(&self, m: Move) -> String {
        UciMove::from_move(m, self.feeling.game.chess.castles().mode()).to_string()
    }
}

impl From<&BestLine> for LineRecord {
    fn from(line: &BestLine) -> Self {
        let [moves, captures] = [&line.moves, &line.captures].map(|moves| line.uci(moves));
        Self {
            first: moves.first().cloned(),
            moves,
            captures,
            san: line.san(),
            score: line.score,
            depth: line.depth,
            nodes: line.nodes,
            end: EndRecord {
                fen: line.end.game.fen(),
                over: line.end.over.map(NoEvaluation::name),
            },
        }
    }
}

impl WeighedRecord {
    fn of(evaluator: ProfileEvaluator<'_>, weighed: &FactorSplit) -> Self {
        let terms = |part: &Contribution| {
            part.terms.iter().copied().filter(|(_, value)| *value != 0.0).collect()
        };
        Self {
            evaluation: weighed.score,
            values: values(evaluator, weighed),
            terms: by_factor(evaluator, weighed.parts.iter().map(terms)),
        }
    }
}

impl EffectRecord {
    fn of(evaluator: ProfileEvaluator<'_>, effect: &Effect) -> Self {
        let end = |[felt, plain]: &[FactorSplit; 2]| BothRecord {
            evaluation: BothScores { felt: felt.score, plain: plain.score },
            felt: values(evaluator, felt),
            plain: values(evaluator, plain),
        };
        let terms =
            |index| effect.terms(index).into_iter().filter(|(_, shift)| *shift != 0.0).collect();
        Self {
            with_feeling: end(&effect.felt),
            without_feeling: end(&effect.neutral),
            shift: by_factor(evaluator, effect.rows().into_iter().map(|row| row[4])),
            shift_by_term: by_factor(evaluator, (0..evaluator.factors().len()).map(terms)),
        }
    }
}

/// Pairs values with the names from [`names_of`].
fn by_factor<T>(
    evaluator: ProfileEvaluator<'_>,
    values: impl IntoIterator<Item = T>,
) -> ByFactor<T> {
    names_of(evaluator).into_iter().zip(values).collect()
}

fn values(evaluator: ProfileEvaluator<'_>, weighed: &FactorSplit) -> ByFactor<f64> {
    let parts = weighed.parts.iter().map(|part| part.value);
    by_factor(evaluator, parts.chain([weighed.draw.into()]))
}
