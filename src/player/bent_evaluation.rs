//! Bent evaluations: how an appraisal changes the weights, and which searches may share table
//! scores.

use super::options::Options;
use crate::{
    chess_mind::{Appraisal, Ratios},
    eval::{
        TermEvaluator,
        paper::MeasureEvaluator,
        weights::{Relevance, Weights},
    },
    profile::{EvaluatorKind, Profile},
    search::{Probing, memory::tt::CompatibleEvaluations},
};
use shakmaty::{ByColor, Color};

/// An evaluation whose weights an appraisal has bent.
#[derive(Debug)]
pub(super) enum BentEvaluation {
    Terms(TermEvaluator),
    Measures(MeasureEvaluator),
}

/// The factors by which an appraisal bends an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BendFactors {
    factors: ByColor<Relevance>,
    /// The side and the factors of the article's measures. `None` unless the profile plays with
    /// these measures.
    measures: Option<(Color, [f64; 4])>,
    /// The score of a draw for White, in centipawns.
    draw: i32,
}

/// The largest difference of any factor between two compatible evaluations. Compatible evaluations
/// share table scores.
///
/// About half of all moves change the appraisal, usually a little. Discarding all scores each time
/// cost some 50 Elo at 8,000 nodes per move. Keeping only the deep scores cost 26 Elo. Evaluations
/// that differ more share nothing, so that strong emotions keep their effect on the search.
const COMPATIBLE: f64 = 0.25;

/// The largest difference of the draw score between two compatible evaluations, in centipawns. It
/// affects only scores that rest on a draw, which costs less than discarding all scores.
const COMPATIBLE_DRAW: u32 = 10;

impl BendFactors {
    /// Returns the bending of the search by `profile` for `side`. Without an `appraisal`, all factors
    /// are neutral. A player with taste bends the search by [`Profile::bend`] only.
    pub(super) fn of(profile: &Profile, side: Color, appraisal: Option<&Appraisal>) -> Self {
        Self::by(profile.bend(), profile, side, appraisal)
    }

    /// Returns the bending by all that `side` feels, also if it has taste.
    pub(super) fn felt(profile: &Profile, side: Color, appraisal: Option<&Appraisal>) -> Self {
        Self::by(1.0, profile, side, appraisal)
    }

    fn by(share: f64, profile: &Profile, side: Color, appraisal: Option<&Appraisal>) -> Self {
        let neutral = || ByColor { white: Relevance::NEUTRAL, black: Relevance::NEUTRAL };
        let ratios = appraisal.map(|appraisal| appraisal.ratios.toned_down(share));
        let measures = || (side, ratios.as_ref().map_or([1.0; 4], Ratios::measures));
        let draw = appraisal.map_or(0, |appraisal| appraisal.effects.draw);
        Self {
            factors: ratios.map_or_else(neutral, |ratios| ratios.relevance(side)),
            measures: (profile.evaluator == EvaluatorKind::Measures).then(measures),
            draw: side.fold_wb(draw, -draw),
        }
    }

    /// Returns the evaluation of `profile` under these factors.
    pub(super) fn evaluation(&self, profile: &Profile) -> BentEvaluation {
        match self.measures {
            None => BentEvaluation::Terms(TermEvaluator::new(self.weights(profile))),
            Some((side, ratios)) => BentEvaluation::Measures(MeasureEvaluator::new(side, ratios)),
        }
    }

    /// Returns the weights of the terms of `profile` under these factors.
    pub(super) fn weights(&self, profile: &Profile) -> ByColor<Weights> {
        ByColor::new_with(|color| profile.weights.under(self.factors.get(color)))
    }

    /// Whether scores searched under one of the two evaluations are valid under the other.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        let ratios = |factors: &ByColor<Relevance>| {
            let [white, black] = [&factors.white.0, &factors.black.0];
            white.iter().chain(black).map(|factor| factor.ratio()).collect::<Vec<_>>()
        };
        let pairs = ratios(&self.factors).into_iter().zip(ratios(&other.factors));
        let is_near = |(one, other): (f64, f64)| (one - other).abs() <= COMPATIBLE;
        self.measures == other.measures
            && self.draw.abs_diff(other.draw) <= COMPATIBLE_DRAW
            && pairs.into_iter().all(is_near)
    }
}

/// The options that define a player besides its profile. While these stay the same, evaluations
/// differ only by the appraisal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Identity {
    emotion: bool,
    emotion_strength: u16,
    probing: Probing,
    /// The weight of known positions at leaves, in percent.
    leaf_weight: u8,
}

impl Identity {
    pub(super) fn of(options: &Options, leaf_weight: u8) -> Self {
        let Options { emotion, emotion_strength, probing, .. } = *options;
        Self { emotion, emotion_strength, probing, leaf_weight }
    }
}

/// Numbers the evaluations of a game. A recurring evaluation keeps its number, so its table scores
/// can be used again.
#[derive(Debug, Default)]
pub(super) struct KnownEvaluations(Vec<Option<(BendFactors, Identity)>>);

impl KnownEvaluations {
    /// Returns the number of this evaluation and the numbers compatible with it. An unknown
    /// evaluation gets the next number. Returns `None` once all 256 numbers are taken.
    ///
    /// `own` is `None` for a player of limited strength, whose scores are valid for one search
    /// only.
    pub(super) fn number(
        &mut self,
        own: Option<(&BendFactors, Identity)>,
    ) -> Option<(u8, CompatibleEvaluations)> {
        let known = own.and_then(|(bend, player)| {
            let is_it = |(known, of): &(BendFactors, Identity)| known == bend && *of == player;
            self.0.iter().rposition(|known| known.as_ref().is_some_and(is_it))
        });
        let number = known.unwrap_or_else(|| {
            self.0.push(own.map(|(bend, player)| (bend.clone(), player)));
            self.0.len() - 1
        });
        let mut compatible = CompatibleEvaluations::default();
        if let Some((bend, player)) = own {
            for (number, other) in (0_u8..=u8::MAX).zip(&self.0) {
                let is_compatible = |(other, of): &(BendFactors, Identity)| {
                    *of == player && bend.is_compatible(other)
                };
                if other.as_ref().is_some_and(is_compatible) {
                    compatible.add(number);
                }
            }
        }
        Some((u8::try_from(number).ok()?, compatible))
    }

    /// Retires all evaluations. They are never matched again, but their numbers stay taken.
    pub(super) fn retire_all(&mut self) {
        self.0.fill(None);
    }

    /// Frees all numbers.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn player() -> Identity {
        Identity::of(&Options::default(), 0)
    }

    /// Returns White's bending with all factors of its own groups set to `ratio`.
    fn bent(ratio: f64) -> BendFactors {
        let mut profile = Profile::builtin("standard").unwrap();
        profile.mind.channels.taste = 0.0;
        let chess = Game::default().chess;
        let mut appraisal = profile.mind.appraise(&chess, Color::White, 100, None);
        appraisal.ratios = Ratios::NEUTRAL;
        appraisal.ratios.own = appraisal.ratios.own.map(|_| ratio);
        BendFactors::of(&profile, Color::White, Some(&appraisal))
    }

    #[test]
    fn a_recurring_evaluation_keeps_its_number() {
        let mut known = KnownEvaluations::default();
        let [calm, wild] = [1.0, 1.5].map(bent);
        assert_eq!(known.number(Some((&calm, player()))), Some((0, [0].into_iter().collect())));
        assert_eq!(known.number(Some((&wild, player()))), Some((1, [1].into_iter().collect())));
        assert_eq!(known.number(Some((&calm, player()))), Some((0, [0].into_iter().collect())));
        known.retire_all();
        assert_eq!(known.number(Some((&calm, player()))), Some((2, [2].into_iter().collect())));
    }

    #[test]
    fn similar_appraisals_of_one_player_are_compatible() {
        let mut known = KnownEvaluations::default();
        let [calm, warm, hot] = [1.0, 1.2, 1.4].map(bent);
        assert_eq!(known.number(Some((&calm, player()))), Some((0, [0].into_iter().collect())));
        assert_eq!(known.number(Some((&hot, player()))), Some((1, [1].into_iter().collect())));
        assert_eq!(
            known.number(Some((&warm, player()))),
            Some((2, [0, 1, 2].into_iter().collect()))
        );
        let cold = Identity { emotion_strength: 0, ..player() };
        assert_eq!(known.number(Some((&calm, cold))), Some((3, [3].into_iter().collect())));
        assert_eq!(known.number(None), Some((4, [].into_iter().collect())));
        assert_eq!(known.number(None), Some((5, [].into_iter().collect())));
    }

    #[test]
    fn a_different_draw_score_is_a_different_evaluation() {
        let mut known = KnownEvaluations::default();
        let [even, near, far] = [0, 10, -20].map(|draw| BendFactors { draw, ..bent(1.0) });
        assert_eq!(known.number(Some((&even, player()))), Some((0, [0].into_iter().collect())));
        assert_eq!(known.number(Some((&near, player()))), Some((1, [0, 1].into_iter().collect())));
        assert_eq!(known.number(Some((&far, player()))), Some((2, [2].into_iter().collect())));
    }

    #[test]
    fn the_draw_score_is_from_whites_point_of_view() {
        let profile = Profile::builtin("standard").unwrap();
        let bend = |side| {
            let chess = Game::default().chess;
            let mut appraisal = profile.mind.appraise(&chess, side, 100, None);
            appraisal.effects.draw = 15;
            BendFactors::of(&profile, side, Some(&appraisal)).draw
        };
        assert_eq!((bend(Color::White), bend(Color::Black)), (15, -15));
    }

    #[test]
    fn numbers_run_out_and_can_be_freed() {
        let mut known = KnownEvaluations::default();
        assert!((0..256).all(|_| known.number(None).is_some()));
        assert_eq!(known.number(None), None);
        known.clear();
        assert_eq!(known.number(None), Some((0, [].into_iter().collect())));
    }
}
