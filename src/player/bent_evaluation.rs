//! By what a search evaluates, and which of the known so far that is.

use crate::{
    eval::{TermEvaluator, paper::MeasureEvaluator, weights::Relevance},
    mind::{appraisal::Appraisal, relevance::Ratios},
    profile::{EvaluatorKind, Profile},
    search::{Probing, memory::tt::Compatible},
};
use shakmaty::{ByColor, Color};

/// An evaluation as a feeling has bent it.
#[derive(Debug)]
pub(super) enum BentEvaluation {
    Terms(TermEvaluator),
    Measures(MeasureEvaluator),
}

/// How a feeling bends an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bending {
    factors: ByColor<Relevance>,
    /// Whose measures, and their ratios, where these are what plays.
    measures: Option<(Color, [f64; 4])>,
    /// What a draw is worth to White, in centipawns.
    draw: i32,
}

/// KnownEvaluations are compatible if no factor differs by more: what a search has found out under the one holds
/// under the other. Half of all moves change the feeling, a little mostly; to forget all scores each
/// time cost a player who feels some 50 Elo at 8,000 nodes a move, and even to keep the deep ones
/// only cost 26. That known farther apart share nothing is what keeps strong feelings honest.
const COMPATIBLE: f64 = 0.25;

/// The same of what a draw is worth, in centipawns: scores that rest on a draw are off by no more, and
/// all others not at all, so to forget every score would cost more than so small an error.
const COMPATIBLE_DRAW: u32 = 10;

impl Bending {
    /// How `side` judges under `profile`, as it feels, or neutrally.
    pub(super) fn of(profile: &Profile, side: Color, appraisal: Option<&Appraisal>) -> Self {
        let neutral = || ByColor { white: Relevance::NEUTRAL, black: Relevance::NEUTRAL };
        let ratios = appraisal.map(|appraisal| &appraisal.ratios);
        let draw = appraisal.map_or(0, |appraisal| appraisal.leaning.draw);
        let measures = || (side, ratios.map_or([1.0; 4], Ratios::measures));
        Self {
            factors: ratios.map_or_else(neutral, |ratios| ratios.relevance(side)),
            measures: (profile.evaluator == EvaluatorKind::Measures).then(measures),
            draw: side.fold_wb(draw, -draw),
        }
    }

    /// The evaluation of `profile` bent so.
    pub(super) fn evaluation(&self, profile: &Profile) -> BentEvaluation {
        match self.measures {
            None => BentEvaluation::Terms(TermEvaluator::new(ByColor::new_with(|color| {
                profile.weights.under(self.factors.get(color))
            }))),
            Some((side, ratios)) => BentEvaluation::Measures(MeasureEvaluator::new(side, ratios)),
        }
    }

    /// Whether what a search has found out under this one holds under the other.
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

/// What makes a player, but for the profile: as long as it stays, known differ by feeling alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlayerOptions {
    pub emotion: bool,
    pub emotion_strength: u16,
    pub probing: Probing,
}

/// The known of a game, by number: a feeling that returns has its number again, and so the
/// scores in the table that were found under it.
#[derive(Debug, Default)]
pub(super) struct KnownEvaluations(Vec<Option<(Bending, PlayerOptions)>>);

impl KnownEvaluations {
    /// The number of this evaluation, a new one if it is none, and those compatible to it. What a limited
    /// player thinks of a position, `None`, holds for one search. No number is left after 256.
    pub(super) fn number(
        &mut self,
        own: Option<(&Bending, PlayerOptions)>,
    ) -> Option<(u8, Compatible)> {
        let known = own.and_then(|(bend, player)| {
            let is_it = |(known, of): &(Bending, PlayerOptions)| known == bend && *of == player;
            self.0.iter().rposition(|known| known.as_ref().is_some_and(is_it))
        });
        let number = known.unwrap_or_else(|| {
            self.0.push(own.map(|(bend, player)| (bend.clone(), player)));
            self.0.len() - 1
        });
        let mut compatible = Compatible::default();
        if let Some((bend, player)) = own {
            for (number, other) in (0_u8..=u8::MAX).zip(&self.0) {
                let is_compatible = |(other, of): &(Bending, PlayerOptions)| {
                    *of == player && bend.is_compatible(other)
                };
                if other.as_ref().is_some_and(is_compatible) {
                    compatible.add(number);
                }
            }
        }
        Some((u8::try_from(number).ok()?, compatible))
    }

    /// None of them will return, but their numbers stay taken.
    pub(super) fn outlive(&mut self) {
        self.0.fill(None);
    }

    /// All numbers are free.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn player() -> PlayerOptions {
        PlayerOptions { emotion: true, emotion_strength: 100, probing: Probing::default() }
    }

    /// White's evaluation with its own terms so much bent.
    fn bent(ratio: f64) -> Bending {
        let profile = Profile::builtin("default").unwrap();
        let chess = Game::default().chess;
        let mut appraisal = profile.mind.appraise(&chess, Color::White, 100, None);
        appraisal.ratios = Ratios::NEUTRAL;
        appraisal.ratios.own = appraisal.ratios.own.map(|_| ratio);
        Bending::of(&profile, Color::White, Some(&appraisal))
    }

    fn compatible(numbers: &[u8]) -> Compatible {
        let mut compatible = Compatible::default();
        for &number in numbers {
            compatible.add(number);
        }
        compatible
    }

    #[test]
    fn a_judgement_that_returns_has_its_number_again() {
        let mut known = KnownEvaluations::default();
        let [calm, wild] = [1.0, 1.5].map(bent);
        assert_eq!(known.number(Some((&calm, player()))), Some((0, compatible(&[0]))));
        assert_eq!(known.number(Some((&wild, player()))), Some((1, compatible(&[1]))));
        assert_eq!(known.number(Some((&calm, player()))), Some((0, compatible(&[0]))));
        known.outlive();
        assert_eq!(known.number(Some((&calm, player()))), Some((2, compatible(&[2]))));
    }

    #[test]
    fn near_feelings_of_one_player_are_akin() {
        let mut known = KnownEvaluations::default();
        let [calm, warm, hot] = [1.0, 1.2, 1.4].map(bent);
        assert_eq!(known.number(Some((&calm, player()))), Some((0, compatible(&[0]))));
        assert_eq!(known.number(Some((&hot, player()))), Some((1, compatible(&[1]))));
        assert_eq!(known.number(Some((&warm, player()))), Some((2, compatible(&[0, 1, 2]))));
        let cold = PlayerOptions { emotion_strength: 0, ..player() };
        assert_eq!(known.number(Some((&calm, cold))), Some((3, compatible(&[3]))));
        assert_eq!(known.number(None), Some((4, compatible(&[]))));
        assert_eq!(known.number(None), Some((5, compatible(&[]))));
    }

    #[test]
    fn another_worth_of_a_draw_is_another_judgement() {
        let mut known = KnownEvaluations::default();
        let [even, near, far] = [0, 10, -20].map(|draw| Bending { draw, ..bent(1.0) });
        assert_eq!(known.number(Some((&even, player()))), Some((0, compatible(&[0]))));
        assert_eq!(known.number(Some((&near, player()))), Some((1, compatible(&[0, 1]))));
        assert_eq!(known.number(Some((&far, player()))), Some((2, compatible(&[2]))));
    }

    #[test]
    fn what_a_draw_is_worth_is_told_as_white_sees_it() {
        let profile = Profile::builtin("default").unwrap();
        let bend = |side| {
            let chess = Game::default().chess;
            let mut appraisal = profile.mind.appraise(&chess, side, 100, None);
            appraisal.leaning.draw = 15;
            Bending::of(&profile, side, Some(&appraisal)).draw
        };
        assert_eq!((bend(Color::White), bend(Color::Black)), (15, -15));
    }

    #[test]
    fn numbers_run_out_and_can_be_freed() {
        let mut known = KnownEvaluations::default();
        assert!((0..256).all(|_| known.number(None).is_some()));
        assert_eq!(known.number(None), None);
        known.clear();
        assert_eq!(known.number(None), Some((0, compatible(&[]))));
    }
}
