//! Accuracy for parts of a game: by stage and by goal.

use super::short;
use crate::{
    mind::goal::Goal,
    pgn::GameStage,
    review::{Review, Reviewed},
};
use serde_json::{Value, json};
use shakmaty::{Color, Position};

/// Returns the rows of the accuracy table: the whole game, its stages, and every goal that was
/// pursued. Each side has its accuracy in percent and its number of moves, or null without moves.
pub(super) fn accuracy(review: &Review) -> Vec<Value> {
    let moves = |side| review.plies.iter().filter(|ply| ply.mover() == side).count();
    let all = |side| review.accuracy.get(side).map(|all| (short(all, 1), moves(side)));
    let mut rows = vec![row("all", "game", all)];
    for stage in GameStage::ALL {
        let is_there = |ply: &Reviewed| GameStage::of(ply.before.board()) == stage;
        rows.push(row("phase", stage.name(), |side| mean(review, side, is_there)));
    }
    for goal in Goal::ALL {
        let pursues = |ply: &Reviewed| ply.appraisal.goal == Some(goal);
        if review.plies.iter().any(pursues) {
            rows.push(row("goal", goal.name(), |side| mean(review, side, pursues)));
        }
    }
    rows
}

fn row(kind: &str, name: &str, of: impl Fn(Color) -> Option<(f64, usize)>) -> Value {
    json!({"kind": kind, "name": name, "white": of(Color::White), "black": of(Color::Black)})
}

/// Returns the mean accuracy and the number of a side's moves that satisfy `counts`.
#[expect(clippy::cast_precision_loss, reason = "a game has fewer moves")]
fn mean(review: &Review, side: Color, counts: impl Fn(&Reviewed) -> bool) -> Option<(f64, usize)> {
    let moves = review.plies.iter().filter(|ply| ply.mover() == side && counts(ply));
    let found: Vec<_> = moves.map(|ply| ply.accuracy).collect();
    let sum: f64 = found.iter().sum();
    (!found.is_empty()).then(|| (short(sum / found.len() as f64, 1), found.len()))
}
