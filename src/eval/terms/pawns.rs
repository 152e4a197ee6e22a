//! Pawn structure: penalties for weak pawns and rewards for connected and advanced ones.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{
        ahead, beside, edge_distance, fill_files, forward, front_spans, passed_span, pawn_attacks,
        relative_rank, sideways, step,
    },
    tally::Tally,
};
use shakmaty::{Bitboard, Color, Square};

/// Counts the pawn terms of `view.side`.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let own = board.pawns() & board.by_color(side);
    let theirs = board.pawns() & board.by_color(!side);
    let (guarded, attacked) = (attacks.get(side).by.pawn, attacks.get(!side).by.pawn);
    weak(own, theirs, attacked, side, tally);
    strong(own, theirs, guarded, side, tally);
}

/// Penalises weak pawns.
///
/// A doubled pawn has an own pawn ahead on its file. An isolated pawn has no own pawn on an
/// adjacent file. A backward pawn is behind all its neighbours and cannot safely advance. Isolated
/// and backward pawns are easier to attack if no enemy pawn is ahead on their file.
fn weak(own: Bitboard, theirs: Bitboard, attacked: Bitboard, side: Color, tally: &mut impl Tally) {
    let mut by_edge = |pawns: Bitboard, feature: Feature| {
        for pawn in pawns {
            tally.add(side, feature, edge_distance(pawn.file()), 1);
        }
    };
    let isolated = own & !sideways(fill_files(own));
    let ahead_of_own = front_spans(own, side);
    let stopped = own & forward(attacked | theirs, !side);
    let backward = stopped & !sideways(own | ahead_of_own) & !isolated;
    by_edge(own & front_spans(own, !side), Feature::DoubledPawn);
    by_edge(isolated, Feature::IsolatedPawn);
    by_edge(backward, Feature::BackwardPawn);
    let unopposed = (isolated | backward) & !front_spans(theirs, !side);
    if unopposed.any() {
        tally.add(side, Feature::WeakUnopposed, 0, unopposed.count() as i32);
    }
}

/// Rewards strong pawns.
///
/// The function counts supported pawns, phalanxes, levers, candidates, and pawns blocked by an enemy
/// pawn. Connected pawns count again if no enemy pawn is ahead on their file.
fn strong(own: Bitboard, theirs: Bitboard, guarded: Bitboard, side: Color, tally: &mut impl Tally) {
    let by_rank = |pawns: Bitboard, feature: Feature, tally: &mut _| {
        add_by_rank(pawns, feature, side, tally);
    };
    by_rank(own & guarded, Feature::SupportedPawn, tally);
    let levers = pawn_attacks(theirs, !side);
    by_rank(own & levers, Feature::LeverPawn, tally);
    by_rank(own & forward(theirs, !side), Feature::BlockedPawn, tally);
    by_rank(own & sideways(own), Feature::PhalanxPawn, tally);
    let connected = own & (guarded | sideways(own));
    by_rank(connected & !front_spans(theirs, !side), Feature::FreeChain, tally);
    let open = own & !front_spans(own, !side) & !front_spans(theirs, !side);
    by_rank(
        open.into_iter().filter(|pawn| is_candidate(*pawn, own, theirs, side)).collect(),
        Feature::CandidatePawn,
        tally,
    );
}

fn add_by_rank(pawns: Bitboard, feature: Feature, side: Color, tally: &mut impl Tally) {
    for pawn in pawns {
        tally.add(side, feature, relative_rank(pawn, side), 1);
    }
}

/// Returns whether a pawn on an open file is a candidate passed pawn: it is not passed yet, and has
/// at least as many own pawns to help it on adjacent files as there are enemy pawns in its way.
fn is_candidate(pawn: Square, own: Bitboard, theirs: Bitboard, side: Color) -> bool {
    let stoppers = (theirs & passed_span(pawn, side)).count();
    let helpers = (own & beside(pawn.file()) & !ahead(step(pawn, side), side)).count();
    stoppers > 0 && helpers >= stoppers
}
