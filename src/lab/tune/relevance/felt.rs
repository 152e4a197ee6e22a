//! Collects positions for the relevance fit: the active goal, its intensity, and the score of each
//! group of terms.

use crate::{
    chess_mind::{Goal, Mind, SideGroup},
    eval::{
        explain::{Frame, by_group},
        trace,
        weights::Weights,
    },
    lab::tune::{
        dataset::{Label, Split},
        load::Gather,
    },
};
use shakmaty::{ByColor, Chess, Color, Position};

/// A position from the point of view of the side to move, the feeling side.
#[derive(Clone, Debug)]
pub(super) struct FeltPosition {
    /// The active goal, if any.
    pub goal: Option<Goal>,
    /// Intensity of the emotion, from -1 (fear) to 1 (relief).
    pub intensity: f32,
    /// The part of the score that each ratio of [`SideGroup::all`] multiplies, in centipawns, from
    /// the feeling side's point of view.
    pub parts: [f32; SideGroup::COUNT],
    /// Points of the feeling side: 0, 0.5 or 1.
    pub result: f32,
    /// Score in centipawns, from the feeling side's point of view.
    pub cp: Option<f32>,
    /// Index of the file it is from, in reading order.
    pub file: u16,
    pub part: Split,
}

impl FeltPosition {
    /// Returns the score without emotion, in centipawns.
    pub(super) fn score(&self) -> f64 {
        self.parts.iter().map(|&part| f64::from(part)).sum()
    }
}

/// The positions collected for the relevance fit. The emotion is appraised in the position of the
/// row. The terms are counted in the quiet position reached from it, as in a search.
pub(super) struct FeltPositions<'p> {
    pub rows: Vec<FeltPosition>,
    mind: &'p Mind,
    weights: &'p ByColor<Weights>,
}

impl<'p> FeltPositions<'p> {
    /// Creates an empty collection.
    pub(super) fn empty(mind: &'p Mind, weights: &'p ByColor<Weights>) -> Self {
        Self { rows: Vec::new(), mind, weights }
    }
}

impl Gather for FeltPositions<'_> {
    const TAKES_CHECKS: bool = true;

    fn push(&mut self, root: &Chess, leaf: &Chess, label: Label) {
        let side = root.turn();
        let appraisal = self.mind.appraise(root, side, 100, None);
        let white = f32::from(label.result) / 2.0;
        let cp = label.cp.map(f32::from);
        self.rows.push(FeltPosition {
            goal: appraisal.goal,
            intensity: appraisal.intensity as f32,
            parts: parts(leaf, side, self.weights),
            result: side.fold_wb(white, 1.0 - white),
            cp: cp.map(|cp| side.fold_wb(cp, -cp)),
            file: label.file,
            part: label.part,
        });
    }

    fn append(&mut self, mut other: Self) {
        self.rows.append(&mut other.rows);
    }
}

/// Returns the part of the score of `chess` that each ratio multiplies, in centipawns, from the
/// point of view of `side`. The parts add up to the score.
pub(super) fn parts(
    chess: &Chess,
    side: Color,
    weights: &ByColor<Weights>,
) -> [f32; SideGroup::COUNT] {
    let trace = trace(chess);
    let frame = Frame::of(chess, trace.under(weights));
    let groups = by_group(&trace, weights).map(|group| group.map(|value| frame.centipawns(value)));
    let mut parts = [0.0; SideGroup::COUNT];
    for (knob, part) in SideGroup::all().zip(&mut parts) {
        let group = groups[knob.group as usize];
        *part = knob.part(*group.get(side), *group.get(!side)) as f32;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{evaluator::Evaluator, game::Game},
        eval::TermEvaluator,
        profile::Profile,
    };

    #[test]
    fn the_parts_add_up_to_the_score() {
        let weights = Profile::builtin("standard").unwrap().weights;
        let weights = ByColor { white: weights.clone(), black: weights };
        let mut evaluator = TermEvaluator::new(weights.clone());
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 b - - 0 1",
            "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55",
        ] {
            let chess = Game::from_fen(fen, None).unwrap().chess;
            let sums = evaluator.sums(&chess);
            let score = evaluator.evaluate(&chess, sums).centipawns();
            let total: f32 = parts(&chess, chess.turn(), &weights).iter().sum();
            assert!((total - score as f32).abs() <= 1.5, "{fen}: {total} {score}");
        }
    }
}
