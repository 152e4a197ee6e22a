//! Empathy: moves that frighten the opponent are worth more. It is ours, a first step towards a theory
//! of mind.
//!
//! The player reads the opponent with its own profile: after each legal move, the same map gives the
//! emotion of the other side. As with taste, the search itself is neutral.

use crate::{chess_mind::Appraisal, profile::Profile, search::root::bonus::RootBonuses};
use shakmaty::{Chess, Move, Position};

/// Returns the bonuses of the legal moves for the side to move, which feels `felt`. There are none
/// unless the profile has empathy. A move that leaves the opponent without emotion has none.
pub(super) fn bonuses(chess: &Chess, profile: &Profile, felt: &Appraisal) -> RootBonuses {
    let worth = f64::from(felt.effects.empathy);
    if worth == 0.0 {
        return RootBonuses::default();
    }
    let bonus = |m: Move| (m, (-worth * intensity_after(chess, profile, m)).round() as i32);
    RootBonuses::steady(chess.legal_moves().into_iter().map(bonus))
}

/// Returns the intensity of the opponent's emotion after a move, as `profile` feels it.
pub fn intensity_after(chess: &Chess, profile: &Profile, m: Move) -> f64 {
    let mut after = chess.clone();
    after.play_unchecked(m);
    profile.mind.appraise(&after, after.turn(), 100, None).intensity
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, player::POSITIONS};

    fn reading(empathy: f64) -> Profile {
        let mut profile = Profile::builtin("neutral").unwrap();
        profile.mind.channels.empathy = empathy;
        profile
    }

    #[test]
    fn the_more_afraid_the_opponent_the_higher_the_bonus() {
        let profile = reading(40.0);
        let mut others = 0;
        for fen in POSITIONS {
            let chess = Game::from_fen(fen, None).unwrap().chess;
            let felt = profile.mind.appraise(&chess, chess.turn(), 100, None);
            let bonuses = bonuses(&chess, &profile, &felt);
            for m in chess.legal_moves() {
                let intensity = intensity_after(&chess, &profile, m);
                assert!((f64::from(bonuses.of(m).steady) + 40.0 * intensity).abs() <= 0.5, "{fen}");
                others += u32::from(bonuses.of(m).steady != 0);
            }
        }
        assert!(others > 30, "{others}");
    }

    #[test]
    fn without_empathy_no_move_has_a_bonus() {
        let profile = reading(0.0);
        let chess = Chess::default();
        let felt = profile.mind.appraise(&chess, chess.turn(), 100, None);
        assert!(bonuses(&chess, &profile, &felt).is_empty());
    }
}
