//! The contribution of each group of terms to a static evaluation, with or without feeling.

use crate::{
    eval::{
        explain::explain,
        group::Group,
        measures::Measures,
        paper::{MeasureEvaluator, UNITS_PER_POINT},
    },
    mind::relevance::Ratios,
    profile::{EvaluatorKind, Profile},
};
use shakmaty::{Chess, Color};

/// The contributions of all groups in centipawns, in the order of [`Group::ALL`], each from the
/// point of view of its own side.
///
/// Under the article's evaluation, the four measures are assigned to groups: material and mobility
/// of the side that feels, and the king group of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contributions {
    /// The groups of the side that feels.
    pub own: [f64; Group::COUNT],
    /// The groups of the other side.
    pub other: [f64; Group::COUNT],
}

impl Contributions {
    /// Evaluates `chess` for `side`, which feels `ratios`.
    pub fn of(profile: &Profile, chess: &Chess, side: Color, ratios: &Ratios) -> Self {
        match profile.evaluator {
            EvaluatorKind::Terms => {
                let explanation = explain(chess, &profile.weights, ratios.relevance(side));
                let part = |group, of| explanation.centipawns(explanation.of_group(group, of));
                Self {
                    own: Group::ALL.map(|group| part(group, side)),
                    other: Group::ALL.map(|group| part(group, !side)),
                }
            }
            EvaluatorKind::Measures => measures(chess, side, ratios),
        }
    }

    /// Returns the balance of the group, own minus other, from the point of view of the side that
    /// feels.
    #[must_use]
    pub fn balance(&self, group: Group) -> f64 {
        self.own[group as usize] - self.other[group as usize]
    }
}

#[expect(clippy::cast_precision_loss, reason = "printed only")]
fn measures(chess: &Chess, side: Color, ratios: &Ratios) -> Contributions {
    let evaluator = MeasureEvaluator::new(side, ratios.measures());
    let [material, mobility, king, exposure] = evaluator
        .parts(&Measures::of(chess, side))
        .map(|units| units as f64 / UNITS_PER_POINT as f64);
    let mut parts = Contributions::default();
    parts.own[Group::Material as usize] = material;
    parts.own[Group::Mobility as usize] = mobility;
    parts.own[Group::King as usize] = king;
    parts.other[Group::King as usize] = -exposure;
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::Position;

    const FEN: &str = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

    #[test]
    fn groups_add_up_to_the_score() {
        let chess = Game::from_fen(FEN, None).unwrap().chess;
        for name in ["default", "paper2012"] {
            let profile = Profile::builtin(name).unwrap();
            let side = chess.turn();
            let felt = profile.mind.appraise(&chess, side, 100, None).ratios;
            for ratios in [Ratios::NEUTRAL, felt] {
                let parts = Contributions::of(&profile, &chess, side, &ratios);
                let total: f64 = Group::ALL.map(|group| parts.balance(group)).iter().sum();
                let expected = match profile.evaluator {
                    EvaluatorKind::Terms => {
                        let white = explain(&chess, &profile.weights, ratios.relevance(side)).score;
                        f64::from(-white)
                    }
                    EvaluatorKind::Measures => {
                        let evaluator = MeasureEvaluator::new(side, ratios.measures());
                        let units = evaluator.total(&Measures::of(&chess, side));
                        f64::from(i32::try_from(units / UNITS_PER_POINT).unwrap())
                    }
                };
                assert!((total - expected).abs() < 1.1, "{name}: {total} {expected}");
            }
        }
    }
}
