//! By what a search evaluates, and which of the judgements so far that is.

use crate::{
    eval::{TermEvaluator, paper::MeasureEvaluator},
    mind::appraisal::Appraisal,
    profile::{EvaluatorKind, Profile},
    search::Probing,
};
use shakmaty::{ByColor, Color};

/// An evaluation as a feeling has bent it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judgement {
    Terms(TermEvaluator),
    Measures(MeasureEvaluator),
}

impl Judgement {
    /// How `side` judges under `profile`, as it feels, or neutrally.
    pub(super) fn of(profile: &Profile, side: Color, appraisal: Option<&Appraisal>) -> Self {
        match profile.evaluator {
            EvaluatorKind::Terms => {
                let relevance = appraisal.map(|appraisal| appraisal.ratios.relevance(side));
                Self::Terms(TermEvaluator::new(ByColor::new_with(|color| match &relevance {
                    Some(relevance) => profile.weights.under(relevance.get(color)),
                    None => profile.weights.clone(),
                })))
            }
            EvaluatorKind::Measures => {
                let ratios = appraisal.map_or([1.0; 4], |appraisal| appraisal.ratios.measures());
                Self::Measures(MeasureEvaluator::new(side, ratios))
            }
        }
    }
}

/// The judgements of a game, by number: a feeling that returns has its number again, and so the
/// scores in the table that were found under it.
#[derive(Debug, Default)]
pub(super) struct Judgements(Vec<Option<(Judgement, Probing)>>);

impl Judgements {
    /// The number of this judgement, a new one if it is none: what a limited player thinks of a
    /// position holds for one search. No number is left after 256.
    pub(super) fn number(&mut self, judgement: Option<(&Judgement, Probing)>) -> Option<u8> {
        let known = judgement.and_then(|(judgement, probing)| {
            let is_it =
                |(known, with): &(Judgement, Probing)| known == judgement && *with == probing;
            self.0.iter().rposition(|known| known.as_ref().is_some_and(is_it))
        });
        let number = known.unwrap_or_else(|| {
            self.0.push(judgement.map(|(judgement, probing)| (judgement.clone(), probing)));
            self.0.len() - 1
        });
        u8::try_from(number).ok()
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

    fn measures(side: Color) -> Judgement {
        Judgement::Measures(MeasureEvaluator::new(side, [1.0; 4]))
    }

    #[test]
    fn a_judgement_that_returns_has_its_number_again() {
        let (white, black) = (measures(Color::White), measures(Color::Black));
        let mut judgements = Judgements::default();
        let mut number = |judgement: Option<&Judgement>| {
            judgements.number(judgement.map(|j| (j, Probing::default())))
        };
        assert_eq!(number(Some(&white)), Some(0));
        assert_eq!(number(Some(&black)), Some(1));
        assert_eq!(number(None), Some(2));
        assert_eq!(number(None), Some(3));
        assert_eq!(number(Some(&white)), Some(0));
        judgements.outlive();
        assert_eq!(judgements.number(Some((&white, Probing::default()))), Some(4));
    }

    #[test]
    fn numbers_run_out_and_can_be_freed() {
        let mut judgements = Judgements::default();
        assert!((0..256).all(|_| judgements.number(None).is_some()));
        assert_eq!(judgements.number(None), None);
        judgements.clear();
        assert_eq!(judgements.number(None), Some(0));
    }
}
