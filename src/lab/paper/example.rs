//! Recomputes the article's worked example: eqs. 7 and 11, tables 4 and 6, and the chosen move.

use super::{article, report::PaperRow};
use crate::{
    chess_mind::{Goal, Mind},
    eval::{
        measures::{Measures, QUARTERS},
        paper::{MeasureEvaluator, UNITS_PER_POINT},
    },
};
use shakmaty::Color;

/// The search tree: our moves, for each the replies, and for each reply the leaves (from 1) we can
/// reach.
const TREE: [(&str, &[&[usize]]); 3] =
    [("Kh8", &[&[1, 2], &[3, 4]]), ("Kf8", &[&[5, 6], &[7, 8]]), ("Kh7", &[&[9, 10], &[11]])];

/// Compares the relevance factors of `escape_check` with `expected`.
pub(super) fn factors(mind: &Mind, expected: [f64; 4], decimals: u8) -> Vec<PaperRow> {
    (0..4)
        .map(|i| {
            let what = format!("r of {}", article::RANGES[i].0);
            PaperRow::number(what, factors_of(mind)[i], expected[i], decimals)
        })
        .collect()
}

/// Recomputes table 4: the leaves without emotion.
pub(super) fn plain_leaves(mind: &Mind) -> Vec<PaperRow> {
    let evaluator = evaluator(mind, 0.0);
    numbered_leaves()
        .map(|(number, leaf)| {
            let ours = points(evaluator.total(&measures(leaf)));
            PaperRow::number(format!("leaf {number}"), ours, leaf.plain, 2)
        })
        .collect()
}

/// Recomputes table 6: the parts of leaf 1 and the total of every leaf with emotion.
pub(super) fn felt_leaves(mind: &Mind) -> Vec<PaperRow> {
    let evaluator = evaluator(mind, article::INTENSITY);
    let first = evaluator.parts(&measures(&article::LEAVES[0]));
    let mut rows: Vec<_> = (0..4)
        .map(|i| {
            let what = format!("leaf 1, {}", article::RANGES[i].0);
            PaperRow::number(what, points(first[i]), article::FIRST_LEAF[i], 2)
        })
        .collect();
    rows.extend(numbered_leaves().map(|(number, leaf)| {
        let ours = points(evaluator.total(&measures(leaf)));
        PaperRow::number(format!("leaf {number}, total"), ours, leaf.felt, 2)
    }));
    rows
}

/// Recomputes eq. 7 in floating point and part by part, independent of the evaluator's integers.
pub(super) fn added_parts(mind: &Mind) -> Vec<PaperRow> {
    let r = factors_of(mind);
    numbered_leaves()
        .map(|(number, leaf)| {
            let part = |i: usize| (1.0 + r[i] * article::INTENSITY) * leaf.measures[i];
            let ours = (0..4).map(part).sum();
            PaperRow::number(format!("leaf {number}, four parts"), ours, leaf.felt, 2)
        })
        .collect()
}

/// Compares the moves chosen with and without emotion.
pub(super) fn choices(mind: &Mind) -> Vec<PaperRow> {
    let at = |intensity| choice(&evaluator(mind, intensity));
    vec![
        PaperRow::word("without emotion", at(0.0), article::WITHOUT_EMOTION),
        PaperRow::word("with emotion", at(article::INTENSITY), article::WITH_EMOTION),
    ]
}

/// Compares the intensities at which the chosen move and the sign of material change.
pub(super) fn turns(mind: &Mind) -> Vec<PaperRow> {
    let (mut calm, mut afraid) = (0.0, article::INTENSITY);
    for _ in 0..50 {
        let middle = f64::midpoint(calm, afraid);
        if choice(&evaluator(mind, middle)) == article::WITHOUT_EMOTION {
            calm = middle;
        } else {
            afraid = middle;
        }
    }
    let at = |intensity| choice(&evaluator(mind, intensity));
    vec![
        PaperRow::number("intensity below which Kh8 is played", calm, -0.351_544, 6),
        PaperRow::word("chosen at -0.3515", at(-0.3515), article::WITHOUT_EMOTION),
        PaperRow::word("chosen at -0.3516", at(-0.3516), article::WITH_EMOTION),
        PaperRow::number(
            "intensity where the sign of material changes",
            -1.0 / factors_of(mind)[0],
            -0.7392,
            4,
        ),
    ]
}

/// Returns the relevance factors of `escape_check` as used by the mind.
fn factors_of(mind: &Mind) -> [f64; 4] {
    ratios(mind, article::INTENSITY).map(|ratio| (ratio - 1.0) / article::INTENSITY)
}

fn evaluator(mind: &Mind, intensity: f64) -> MeasureEvaluator {
    MeasureEvaluator::new(Color::White, ratios(mind, intensity))
}

fn ratios(mind: &Mind, intensity: f64) -> [f64; 4] {
    mind.relevance.ratios(Some(Goal::EscapeCheck), intensity, 100).measures()
}

/// Returns our best move against the best replies (minimax).
fn choice(evaluator: &MeasureEvaluator) -> &'static str {
    let total = |leaf: &usize| evaluator.total(&measures(&article::LEAVES[leaf - 1]));
    let worst_reply =
        |replies: &&[&[usize]]| replies.iter().map(|leaves| leaves.iter().map(total).max()).min();
    TREE.iter().max_by_key(|(_, replies)| worst_reply(replies)).map_or("", |(name, _)| name)
}

fn numbered_leaves() -> impl Iterator<Item = (usize, &'static article::Leaf)> {
    (1..).zip(&article::LEAVES)
}

/// Converts a leaf's measures to the units of the evaluator.
fn measures(leaf: &article::Leaf) -> Measures {
    let [material, mobility, king_safety, king_exposure] =
        leaf.measures.map(|measure| (measure * f64::from(QUARTERS)) as i32);
    Measures { material, mobility, king_safety, king_exposure }
}

#[expect(clippy::cast_precision_loss, reason = "a total is far below 2^52")]
fn points(units: i64) -> f64 {
    units as f64 / UNITS_PER_POINT as f64
}
