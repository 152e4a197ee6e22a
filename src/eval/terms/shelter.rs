//! Pawns around a king: its pawn shield and the enemy pawn storm, counted for the king's owner.

use super::{Side, View};
use crate::eval::{
    danger::Cause,
    feature::Feature,
    geometry::{edge_distance, flank, level_or_ahead, relative_rank, step},
    tally::Tally,
};
use shakmaty::{Bitboard, Castles, CastlingSide, Color, File};

/// Rewards a pawn shield and penalises a pawn storm on the king's file and the adjacent files.
///
/// The shield is the rank of the nearest own pawn on each file. The storm is the rank of the
/// nearest enemy pawn, which an own pawn may block. Pawns behind the king do not count. A
/// king's wing without any pawns is a feature of its own. Returns the danger of the king from its
/// shelter.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let (board, attacks, side) = view.parts();
    let king = attacks.get(side).king;
    let before_king = level_or_ahead(king, side);
    let own = board.pawns() & board.by_color(side) & before_king;
    let theirs = board.pawns() & board.by_color(!side) & before_king;
    let centre = king.file().to_u32().clamp(1, 6);
    let mut exposure = tally.danger(side, Cause::King, 0, 1);
    for file in centre - 1..=centre + 1 {
        let file = File::new(file);
        let edge = 8 * edge_distance(file);
        let (shield_cause, storm_cause) = if file == king.file() {
            (Cause::KingShield, Cause::KingStorm)
        } else {
            (Cause::SideShield, Cause::SideStorm)
        };
        let file = Bitboard::from_file(file);
        let shield = nearest(own & file, side).map_or(0, |pawn| relative_rank(pawn, side));
        tally.add(side, Feature::PawnShield, edge + shield, 1);
        exposure += tally.danger(side, shield_cause, shield, 1);
        let Some(stormer) = nearest(theirs & file, side) else {
            tally.add(side, Feature::FreeStorm, edge, 1);
            exposure += tally.danger(side, storm_cause, 0, 1);
            continue;
        };
        let storm = relative_rank(stormer, side);
        if own.contains(step(stormer, !side)) {
            tally.add(side, Feature::BlockedStorm, storm, 1);
        } else {
            tally.add(side, Feature::FreeStorm, edge + storm, 1);
            exposure += tally.danger(side, storm_cause, storm, 1);
        }
    }
    if (board.pawns() & flank(king.file())).is_empty() {
        tally.add(side, Feature::PawnlessFlank, 0, 1);
    }
    exposure
}

/// Rewards castling rights, which promise a better shelter.
pub(super) fn castling(castles: &Castles, tally: &mut impl Tally) {
    for side in Color::ALL {
        for (index, wing) in CastlingSide::ALL.into_iter().enumerate() {
            if castles.has(side, wing) {
                tally.add(side, Feature::CastlingRight, index, 1);
            }
        }
    }
}

/// Returns the pawn nearest to the first rank of `side`.
fn nearest(pawns: Bitboard, side: Color) -> Option<shakmaty::Square> {
    side.fold_wb(pawns.first(), pawns.last())
}
