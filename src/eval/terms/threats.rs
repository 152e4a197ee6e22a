//! Threats: enemy pieces and pawns under attack, counted for the attacking side.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{forward, pawn_attacks, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Role, attacks};

/// Counts the threats of `view.side`.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let theirs = board.by_color(!side);
    let pieces = theirs & !board.pawns();
    // firmly defended: by a pawn, or twice while attacked at most once
    let solid = enemy.by.pawn | (enemy.twice & !own.twice);
    let weak = theirs & !solid & own.all;
    by_role(
        view,
        (pieces & solid) | weak,
        own.by.knight | own.by.bishop,
        Feature::ThreatByMinor,
        tally,
    );
    by_role(view, weak, own.by.rook, Feature::ThreatByRook, tally);
    let mut add = |feature, squares: Bitboard| {
        let count = squares.count() as i32;
        if count > 0 {
            tally.add(side, feature, 0, count);
        }
    };
    add(Feature::ThreatByKing, weak & own.by.king);
    add(Feature::Hanging, weak & (!enemy.all | (pieces & own.twice)));
    add(Feature::Restricted, enemy.all & !solid & own.all & !theirs);
    add(Feature::PushThreat, push_threats(view) & pieces);
    pawn_threats(view, tally);
    on_queen(view, tally);
}

/// Counts the `targets` on the squares in `attacks`, by kind of target.
fn by_role(
    view: View<'_, impl Side>,
    targets: Bitboard,
    attacks: Bitboard,
    feature: Feature,
    tally: &mut impl Tally,
) {
    let targets = targets & attacks;
    if targets.is_empty() {
        return;
    }
    for (index, role) in TARGETS.into_iter().enumerate() {
        let count = (targets & view.board.by_role(role)).count() as i32;
        if count > 0 {
            tally.add(view.side(), feature, index, count);
        }
    }
}

const TARGETS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Rewards attacks on enemy pieces by pawns that are defended or not attacked.
fn pawn_threats(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let safe = board.pawns() & board.by_color(side) & (own.all | !enemy.all);
    let pieces = board.by_color(!side) & !board.pawns();
    by_role(view, pieces, pawn_attacks(safe, side), Feature::ThreatByPawn, tally);
}

/// Returns the squares that pawns would newly attack after a safe push.
fn push_threats(view: View<'_, impl Side>) -> Bitboard {
    let (board, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let free = !board.occupied();
    let once = forward(board.pawns() & board.by_color(side), side) & free;
    let twice = forward(once & ranks(side, [2]), side) & free;
    let safe = (once | twice) & !enemy.by.pawn & (own.all | !enemy.all);
    pawn_attacks(safe, side) & !pawn_attacks(board.pawns() & board.by_color(side), side)
}

/// Rewards safe squares from which a knight, bishop or rook could attack the only enemy queen.
fn on_queen(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let Some(queen) = (board.queens() & board.by_color(!side)).single_square() else { return };
    let safe = !board.by_color(side) & !enemy.by.pawn & (!enemy.all | own.twice);
    let knight = own.by.knight & attacks::knight_attacks(queen) & safe;
    let slider = (own.by.bishop & attacks::bishop_attacks(queen, board.occupied()))
        | (own.by.rook & attacks::rook_attacks(queen, board.occupied()));
    let (knight, slider) = (knight.count() as i32, (slider & safe & own.twice).count() as i32);
    if knight > 0 {
        tally.add(side, Feature::KnightOnQueen, 0, knight);
    }
    if slider > 0 {
        tally.add(side, Feature::SliderOnQueen, 0, slider);
    }
}
