//! Accuracy for parts of a game: by stage and by goal.

use super::short;
use crate::{
    chess_mind::Goal,
    pgn::GameStage,
    review::{Review, Reviewed},
};
use serde::Serialize;
use shakmaty::{Color, Position};

/// A row of the accuracy table.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// `all`, `phase` or `goal`.
    kind: &'static str,
    name: &'static str,
    white: Option<Accuracy>,
    black: Option<Accuracy>,
}

/// The mean accuracy of some moves of one side.
#[derive(Clone, Copy, Debug, Serialize)]
struct Accuracy {
    /// In percent.
    mean: f64,
    /// The number of moves.
    moves: usize,
}

impl Row {
    fn of(
        review: &Review,
        kind: &'static str,
        name: &'static str,
        counts: impl Fn(&Reviewed) -> bool,
    ) -> Self {
        let side = |side| {
            let (mean, moves) = review.accuracy(side, &counts)?;
            Some(Accuracy { mean: short(mean, 1), moves })
        };
        Self { kind, name, white: side(Color::White), black: side(Color::Black) }
    }
}

/// Returns the rows of the accuracy table: the whole game, its stages, and every goal that was
/// pursued.
pub(super) fn accuracy(review: &Review) -> Vec<Row> {
    let mut rows = vec![Row::of(review, "all", "game", |_| true)];
    for stage in GameStage::ALL {
        let is_there = |ply: &Reviewed| GameStage::of(ply.before.board()) == stage;
        rows.push(Row::of(review, "phase", stage.name(), is_there));
    }
    for goal in Goal::ALL {
        let pursues = |ply: &Reviewed| ply.appraisal.goal == Some(goal);
        if review.plies.iter().any(pursues) {
            rows.push(Row::of(review, "goal", goal.name(), pursues));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pgn::Games,
        profile::Profile,
        review::Reviewer,
        search::{Signals, root::limits::Limits},
    };
    use std::{io::Cursor, num::NonZeroU64};

    #[test]
    fn the_accuracy_of_a_game_lies_between_those_of_its_parts() {
        let text = include_str!("../../../tests/data/immortal.pgn");
        let game = Games::of(Box::new(Cursor::new(text))).next().unwrap().unwrap();
        let limits = Limits { nodes: NonZeroU64::new(100), ..Limits::default() };
        let mut reviewer = Reviewer::new(Profile::builtin("standard").unwrap(), limits).unwrap();
        let rows = accuracy(&reviewer.review(&game, &Signals::default()).unwrap());
        for side in [|row: &Row| row.white, |row: &Row| row.black] {
            let all = side(&rows[0]).unwrap();
            for kind in ["phase", "goal"] {
                let of_kind = rows.iter().filter(|row| row.kind == kind);
                let parts: Vec<_> = of_kind.filter_map(side).collect();
                let (low, high) = parts.iter().fold((100.0_f64, 0.0_f64), |(low, high), part| {
                    (low.min(part.mean), high.max(part.mean))
                });
                assert!(low <= all.mean && all.mean <= high, "{low} {all:?} {high}");
                assert_eq!(parts.iter().map(|part| part.moves).sum::<usize>(), all.moves);
            }
        }
    }
}
