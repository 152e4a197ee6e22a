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

/// What makes a player, but for the profile: as long as it stays, judgements differ by feeling alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Player {
    pub emotion: bool,
    pub temperament: u16,
    pub probing: Probing,
}

/// A judgement's number, and the first number of those akin to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Number {
    pub own: u8,
    pub kin_from: u8,
}

/// The judgements of a game, by number: a feeling that returns has its number again, and so the
/// scores in the table that were found under it.
#[derive(Debug, Default)]
pub(super) struct Judgements {
    all: Vec<Option<(Judgement, Player)>>,
    /// Where the judgements of the present player begin.
    kin_from: usize,
    player: Option<Player>,
}

impl Judgements {
    /// The number of this judgement, a new one if it is none: what a limited player thinks of a
    /// position holds for one search. No number is left after 256.
    pub(super) fn number(&mut self, own: Option<(&Judgement, Player)>) -> Option<Number> {
        let player = own.map(|(_, player)| player);
        if player.is_none() || self.player != player {
            self.kin_from = self.all.len();
            self.player = player;
        }
        let known = own.and_then(|(judgement, player)| {
            let is_it = |(known, of): &(Judgement, Player)| known == judgement && *of == player;
            self.all.iter().rposition(|known| known.as_ref().is_some_and(is_it))
        });
        let own = known.unwrap_or_else(|| {
            self.all.push(own.map(|(judgement, player)| (judgement.clone(), player)));
            self.all.len() - 1
        });
        let byte = |number| u8::try_from(number).ok();
        Some(Number { own: byte(own)?, kin_from: byte(self.kin_from)? })
    }

    /// None of them will return, but their numbers stay taken.
    pub(super) fn outlive(&mut self) {
        self.all.fill(None);
        self.player = None;
    }

    /// All numbers are free.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TABLES: Probing = Probing { depth: 1, men: 0, fifty_move_rule: true };
    const PLAYER: Player = Player { emotion: true, temperament: 100, probing: NO_TABLES };

    fn measures(side: Color) -> Judgement {
        Judgement::Measures(MeasureEvaluator::new(side, [1.0; 4]))
    }

    fn numbered(own: u8, kin_from: u8) -> Option<Number> {
        Some(Number { own, kin_from })
    }

    #[test]
    fn a_judgement_that_returns_has_its_number_again() {
        let (white, black) = (measures(Color::White), measures(Color::Black));
        let mut judgements = Judgements::default();
        assert_eq!(judgements.number(Some((&white, PLAYER))), numbered(0, 0));
        assert_eq!(judgements.number(Some((&black, PLAYER))), numbered(1, 0));
        assert_eq!(judgements.number(Some((&white, PLAYER))), numbered(0, 0));
        judgements.outlive();
        assert_eq!(judgements.number(Some((&white, PLAYER))), numbered(2, 2));
    }

    #[test]
    fn another_player_and_a_limited_one_have_no_kin() {
        let (white, black) = (measures(Color::White), measures(Color::Black));
        let mut judgements = Judgements::default();
        assert_eq!(judgements.number(Some((&white, PLAYER))), numbered(0, 0));
        let cold = Player { temperament: 0, ..PLAYER };
        assert_eq!(judgements.number(Some((&white, cold))), numbered(1, 1));
        assert_eq!(judgements.number(Some((&black, cold))), numbered(2, 1));
        assert_eq!(judgements.number(None), numbered(3, 3));
        assert_eq!(judgements.number(None), numbered(4, 4));
        assert_eq!(judgements.number(Some((&black, cold))), numbered(2, 5));
    }

    #[test]
    fn numbers_run_out_and_can_be_freed() {
        let mut judgements = Judgements::default();
        assert!((0..256).all(|_| judgements.number(None).is_some()));
        assert_eq!(judgements.number(None), None);
        judgements.clear();
        assert_eq!(judgements.number(None), numbered(0, 0));
    }
}
