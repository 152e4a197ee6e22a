//! Taste: between moves that are about equally good, the felt evaluation decides.
//!
//! A bent evaluation misleads every node of a search, which costs strength everywhere. Taste leaves
//! the search alone and gives each root move a bonus instead: the felt minus the neutral evaluation of
//! the position after the move, within bounds. The move played is worse than the best by at most the
//! distance between the bounds. This is ours.

use super::bent_evaluation::BendFactors;
use crate::{
    chess_mind::Appraisal,
    eval::{
        sums::{FULL_PHASE, phase},
        trace,
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
    profile::Profile,
    search::root::bonus::RootBonuses,
};
use shakmaty::{ByColor, Chess, Color, Move, Position};

/// Returns the bonuses of the legal moves for the side to move, which feels `felt`. There are none
/// unless the profile has taste, and none against a bare king, where only the way to mate counts.
#[must_use]
pub fn bonuses(chess: &Chess, profile: &Profile, felt: &Appraisal) -> RootBonuses {
    let most = felt.effects.taste;
    let is_bare = chess.them().count() == 1;
    if most == 0 || is_bare || !profile.acts_by_taste() {
        return RootBonuses::default();
    }
    let weights = |felt| BendFactors::felt(profile, chess.turn(), felt).weights(profile);
    let (felt, neutral) = (weights(Some(felt)), weights(None));
    let liking = |m: Move| {
        let mut after = chess.clone();
        after.play_unchecked(m);
        (m, liking(&after, chess.turn(), [&felt, &neutral]))
    };
    let likings: Vec<(Move, i32)> = chess.legal_moves().into_iter().map(liking).collect();
    let usual = median(&likings);
    let bonus = |liking: i32| (liking - usual).clamp(-most / 2, most / 2);
    RootBonuses::likings(likings.into_iter().map(|(m, liking)| (m, bonus(liking))))
}

/// Returns how many centipawns more `side` is ahead under the weights `felt` than under `neutral`.
/// Drawish endings are not scaled down.
fn liking(chess: &Chess, side: Color, [felt, neutral]: [&ByColor<Weights>; 2]) -> i32 {
    let trace = trace(chess);
    let change = trace.under(felt) - trace.under(neutral);
    let white = change.at(phase(chess.board()), FULL_PHASE) / UNITS_PER_CENTIPAWN;
    side.fold_wb(white, -white)
}

/// Returns the median liking, or 0 if there is no move. Most moves differ little from it, so the
/// bounds cut off the same on both sides.
fn median(likings: &[(Move, i32)]) -> i32 {
    let mut sorted: Vec<i32> = likings.iter().map(|(_, liking)| *liking).collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, player::POSITIONS};

    fn bonuses_of(profile: &Profile, chess: &Chess) -> (i32, Vec<i32>) {
        let felt = profile.mind.appraise(chess, chess.turn(), 100, None);
        let bonuses = bonuses(chess, profile, &felt);
        let all = chess.legal_moves().into_iter().map(|m| bonuses.of(m).liking).collect();
        (felt.effects.taste, all)
    }

    #[test]
    fn no_two_bonuses_differ_by_more_than_the_taste() {
        let mut profile = Profile::builtin("berserker").unwrap();
        let mut widest = 0;
        for taste in [1.0, 25.0, 200.0] {
            profile.mind.channels.taste = taste;
            for fen in POSITIONS {
                let chess = Game::from_fen(fen, None).unwrap().chess;
                let (most, all) = bonuses_of(&profile, &chess);
                let spread = all.iter().max().unwrap() - all.iter().min().unwrap();
                assert!(spread <= most && f64::from(most) <= taste, "{spread} {most} {fen}");
                widest = widest.max(spread);
            }
        }
        assert!(widest > 10, "{widest}");
    }

    #[test]
    fn without_taste_or_feeling_no_move_has_a_bonus() {
        let mut berserker = Profile::builtin("berserker").unwrap();
        berserker.mind.channels.taste = 0.0;
        let mut calm = Profile::builtin("neutral").unwrap();
        calm.mind.channels.taste = 200.0;
        for profile in [&berserker, &calm] {
            for fen in POSITIONS {
                let chess = Game::from_fen(fen, None).unwrap().chess;
                assert!(bonuses_of(profile, &chess).1.iter().all(|bonus| *bonus == 0), "{fen}");
            }
        }
    }

    #[test]
    fn against_a_bare_king_no_move_has_a_bonus() {
        let profile = Profile::builtin("attacker").unwrap();
        let [bare, rook] =
            ["8/8/8/3k4/8/8/4B3/2B1K3 w - - 0 1", "8/8/8/3k4/8/8/r3B3/2B1K3 w - - 0 1"]
                .map(|fen| bonuses_of(&profile, &Game::from_fen(fen, None).unwrap().chess).1);
        assert!(bare.iter().all(|bonus| *bonus == 0));
        assert!(rook.iter().any(|bonus| *bonus != 0));
    }

    #[test]
    fn a_player_with_taste_searches_with_a_part_of_its_feeling() {
        let mut profile = Profile::builtin("berserker").unwrap();
        profile.mind.channels.taste = 0.0;
        let chess = Game::from_fen(POSITIONS[2], None).unwrap().chess;
        let felt = profile.mind.appraise(&chess, chess.turn(), 100, None);
        let bend = |profile: &Profile, felt| BendFactors::of(profile, chess.turn(), felt);
        let (whole, none) = (bend(&profile, Some(&felt)), bend(&profile, None));
        assert_ne!(whole, none);
        profile.mind.channels.taste = 25.0;
        let by = |part: f64| {
            let mut profile = profile.clone();
            profile.mind.bend = part;
            bend(&profile, Some(&felt))
        };
        assert_eq!((by(1.0), by(0.0)), (whole, none));
        let mut half = felt.clone();
        half.ratios = felt.ratios.toned_down(0.5);
        assert_eq!(by(0.5), BendFactors::felt(&profile, chess.turn(), Some(&half)));
    }
}
