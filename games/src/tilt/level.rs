//! The levels and temperaments of Tilt. The strategies of novice, normal and expert are the
//! report's; `master` is ours.

use super::{
    Tilt, TiltMove,
    evaluation::{MASTER, ONE_SIDED, TWO_SIDED},
};
use crate::{
    evaluation::{Ends, Evaluation},
    game::{Game, Outcome, Side},
    level::{Level, Playable, Strategy},
};
use deepfeeling::profile::BuiltinMind;

/// Returns the value of a move for greedy play: the evaluation of the position after it. A win is
/// worth infinity.
fn greedy(position: &Tilt, m: TiltMove, evaluation: &Evaluation<Tilt>) -> f64 {
    let side = evaluation.side;
    let after = position.after(m);
    let weights = &evaluation.weights;
    result(&after, side)
        .unwrap_or_else(|| weights.own_sum(&after, side) - weights.other_sum(&after, side.other()))
}

/// Returns the value of a move for the expert: its evaluation minus the evaluation of the opponent's
/// best reply.
///
/// The opponent replies even if the board has not tipped. That is our reading of the report.
fn difference(position: &Tilt, m: TiltMove, evaluation: &Evaluation<Tilt>) -> f64 {
    let (side, rival) = (evaluation.side, evaluation.side.other());
    let after = position.after(m);
    if let Some(result) = result(&after, side) {
        return result;
    }
    let weights = &evaluation.weights;
    let replies = after.moves_of(rival).into_iter().map(|reply| {
        let replied = after.after_move_of(rival, reply);
        result(&replied, rival).unwrap_or_else(|| weights.other_sum(&replied, rival))
    });
    let best = replies.reduce(f64::max).unwrap_or_else(|| weights.other_sum(&after, rival));
    weights.own_sum(&after, side) - best
}

/// Returns infinity if `side` has won, minus infinity if it has lost, 0 for a draw, and `None`
/// before the end.
pub(super) fn result(position: &Tilt, side: Side) -> Option<f64> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Win(winner) if winner == side => f64::INFINITY,
        Outcome::Win(_) => f64::NEG_INFINITY,
        Outcome::Draw => 0.0,
    })
}

impl Playable for Tilt {
    const LEVELS: &'static [Level<Self>] = &[
        Level {
            name: "novice",
            summary: "any legal move",
            strategy: Strategy::Random,
            weights: ONE_SIDED,
            ends: Ends::Ranked,
        },
        Level {
            name: "normal",
            summary: "the move with the best evaluation",
            strategy: Strategy::OnePly(greedy),
            weights: ONE_SIDED,
            ends: Ends::Ranked,
        },
        Level {
            name: "expert",
            summary: "the move that is best compared with the best reply",
            strategy: Strategy::OnePly(difference),
            weights: TWO_SIDED,
            ends: Ends::Ranked,
        },
        Level {
            name: "master",
            summary: "looks ahead as far as time allows",
            strategy: Strategy::Deepening,
            weights: MASTER,
            ends: Ends::Ranked,
        },
    ];

    const BY_DEPTH: Level<Self> = Level {
        name: "depth",
        summary: "looks a number of moves ahead",
        strategy: Strategy::Minimax(1),
        weights: TWO_SIDED,
        ends: Ends::Ranked,
    };

    const EXPLAINED: &'static str = "expert";
    const PERSON: Side = Side::First;

    const TEMPERAMENTS: &'static [BuiltinMind] = &[
        BuiltinMind { name: "standard", text: include_str!("../../config/tilt/standard.toml") },
        BuiltinMind { name: "neutral", text: include_str!("../../config/tilt/neutral.toml") },
    ];
}
