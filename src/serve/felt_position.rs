//! What a feeling does in one position: the squares its goal highlights, what the opponent would
//! feel, and the static evaluation with and without it.

use crate::{
    chess::game::Game,
    chess_mind::{Appraisal, Ratios, salience::Focus},
    eval::group::Group,
    explain::{
        schema::{AppraisalRecord, ByName},
        split::Split,
    },
    profile::Profile,
};
use serde::Serialize;
use shakmaty::Color;

/// The part of a page record that depends on the board.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FeltPosition {
    /// The squares that the goal highlights.
    squares: Vec<String>,
    /// What the opponent would feel with the same temperament.
    opponent: AppraisalRecord,
    /// What each group contributes without and with emotion, in pawns from White's point of view.
    terms: ByName<[f64; 2]>,
}

impl FeltPosition {
    /// Describes what `felt`, an appraisal of `game` by `profile` at `strength` percent, does.
    pub(super) fn of(felt: &Appraisal, game: &Game, profile: &Profile, strength: u16) -> Self {
        let (chess, side) = (&game.chess, felt.side);
        let lit = Focus::of(chess, Some(felt), strength).lit();
        let opponent = profile.mind.appraise(chess, !side, strength, None);
        let parts = |ratios| Split::of(profile, chess, side, ratios).by_group();
        let (without, with) = (parts(&Ratios::NEUTRAL), parts(&felt.ratios));
        let terms = Group::ALL.into_iter().zip(without).zip(with);
        Self {
            squares: lit.into_iter().map(|square| square.to_string()).collect(),
            opponent: AppraisalRecord::from(&opponent),
            terms: terms
                .map(|((group, without), with)| {
                    (group.name(), [without, with].map(|part| pawns(side, part)))
                })
                .collect(),
        }
    }
}

/// Converts centipawns of `side` to pawns from White's point of view, with two decimals.
fn pawns(side: Color, centipawns: f64) -> f64 {
    (side.fold_wb(1.0, -1.0) * centipawns).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

    #[test]
    fn terms_change_with_their_factors_and_the_goal_has_squares() {
        let profile = Profile::builtin("anxious").unwrap();
        let game = Game::from_fen(FEN, None).unwrap();
        let felt = profile.mind.appraise(&game.chess, Color::Black, 100, None);
        let position = FeltPosition::of(&felt, &game, &profile, 100);
        assert!(position.squares.contains(&"g8".to_owned()), "{:?}", position.squares);
        let [without, with] = position.terms["king"];
        assert!((with - without).abs() > 0.005, "{without} {with}");
        let [without, with] = position.terms["material"];
        assert!((with - without).abs() < 0.005, "{without} {with}");
        assert!(position.opponent.intensity.is_some());
    }
}
