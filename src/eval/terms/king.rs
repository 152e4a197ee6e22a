//! The safety of a king from pieces, told to its owner: tropism, attacks on its ring, checks, and
//! the danger that all of them together make.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, fill_files, flank, level_or_ahead, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Role, attacks};

/// Counts the terms about the king of `view.side`.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let mut danger = 0;
    tropism(view, tally);
    danger += ring(view, tally);
    danger += checks(view, tally);
    danger += flanks(view, tally);
    danger += draught(view);
    let (board, attacks, side) = view.parts();
    let pinned = attacks.get(side).pinned.count() as i32;
    if pinned > 0 {
        tally.add(side, Feature::PinnedMan, 0, pinned);
    }
    danger += pinned;
    if (board.queens() & board.by_color(!side)).is_empty() {
        danger -= NO_QUEEN;
    }
    let last = Feature::KingDanger.spec().len - 1;
    tally.add(side, Feature::KingDanger, (danger.max(0) as usize).min(last), 1);
}

/// Danger units: the more of them together, the more each is worth, so a table turns their sum into
/// a score. These are ours, in the proportions that safety terms commonly have:
/// <https://www.chessprogramming.org/King_Safety#Attack_Units>.
const NO_QUEEN: i32 = 12;
/// By attacking piece: knight, bishop, rook, queen.
const ATTACKER: [i32; 4] = [3, 2, 2, 1];
const SAFE_CHECK: [i32; 4] = [9, 7, 11, 8];
const UNSAFE_CHECK: i32 = 1;
/// A file about the king without an own pawn before it; a knight that guards the ring.
const BARE_FILE: i32 = 1;
const GUARD: i32 = 1;

/// The order of tables of four.
const OFFICERS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Enemy pieces by their distance to the king, attacking it or not.
fn tropism(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let king = view.attacks.get(view.side()).king;
    for (role, feature) in [
        (Role::Knight, Feature::KnightTropism),
        (Role::Bishop, Feature::BishopTropism),
        (Role::Rook, Feature::RookTropism),
        (Role::Queen, Feature::QueenTropism),
    ] {
        for piece in view.attacks.get(!view.side()).attackers(role) {
            tally.add(view.side(), feature, distance(king, piece.square), 1);
        }
    }
}

/// Attacks on the squares around the king, and which of those only king or queen defend.
fn ring(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let (_, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    // squares that two own pawns guard are no way in
    let ring = own.king_ring & !own.by_two_pawns;
    let mut danger = 0;
    let mut attackers = 0;
    for (index, role) in OFFICERS.into_iter().enumerate() {
        for piece in enemy.attackers(role) {
            let squares = (piece.attacks & ring).count() as i32;
            // no branch: the processor would often guess wrong
            let attacks = i32::from(squares > 0);
            tally.add(side, Feature::RingAttack, index, squares);
            attackers += attacks;
            danger += ATTACKER[index] * attacks + squares;
        }
    }
    let weak = weak_squares(view) & own.king_ring & enemy.all;
    let weak = weak.count() as i32;
    if weak > 0 {
        tally.add(side, Feature::WeakRing, 0, weak);
    }
    // one attacker alone does little
    if attackers >= 2 { danger + attackers + 2 * weak } else { danger / 2 + weak }
}

/// Squares that the enemy attacks and only the own king or queen defends, if anyone does.
fn weak_squares(view: View<'_, impl Side>) -> Bitboard {
    let (own, enemy) = (view.attacks.get(view.side()), view.attacks.get(!view.side()));
    enemy.all & !own.twice & (!own.all | own.by.king | own.by.queen)
}

/// Squares from which the enemy could give check, and where nothing would take the piece.
fn checks(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let (board, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    // the queen that guards the king does not stop what comes from behind it
    let occupied = board.occupied() ^ (board.queens() & board.by_color(side));
    let straight = attacks::rook_attacks(own.king, occupied);
    let diagonal = attacks::bishop_attacks(own.king, occupied);
    let safe = !board.by_color(!side) & (!own.all | (weak_squares(view) & enemy.twice));
    let from = [
        (attacks::knight_attacks(own.king), enemy.by.knight),
        (diagonal, enemy.by.bishop),
        (straight, enemy.by.rook),
        (straight | diagonal, enemy.by.queen & !own.by.queen),
    ];
    let mut danger = 0;
    for (index, (squares, reached)) in from.into_iter().enumerate() {
        let checks = squares & reached & !board.by_color(!side);
        if checks.is_empty() {
            continue;
        }
        let safe_checks = (checks & safe).count() as i32;
        if safe_checks > 0 {
            tally.add(side, Feature::SafeCheck, index, safe_checks.min(2));
            danger += SAFE_CHECK[index] + 2 * (safe_checks.min(2) - 1);
        } else {
            tally.add(side, Feature::UnsafeCheck, index, 1);
            danger += UNSAFE_CHECK;
        }
    }
    danger
}

/// How open the king stands: attacks are the worse where no pawn shields it and no knight helps.
fn draught(view: View<'_, impl Side>) -> i32 {
    let (board, attacks, side) = view.parts();
    let own = attacks.get(side);
    let about = fill_files(own.king_ring) & ranks(side, [7]);
    let pawns = board.pawns() & board.by_color(side) & level_or_ahead(own.king, side);
    let bare = (about & !fill_files(pawns)).count() as i32;
    let guards = (own.by.knight & own.king_ring).any();
    BARE_FILE * bare - GUARD * i32::from(guards)
}

/// Attack and defence of the king's side of the board.
fn flanks(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let (_, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let camp = flank(own.king.file()) & ranks(side, [0, 1, 2, 3, 4]);
    let attack = (camp & enemy.all).count() + (camp & enemy.all & enemy.twice).count();
    let defence = (camp & own.all).count();
    tally.add(side, Feature::FlankAttack, 0, attack as i32);
    tally.add(side, Feature::FlankDefence, 0, defence as i32);
    (attack as i32 - 6).max(0) / 3
}
