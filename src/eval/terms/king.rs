//! The safety of a king from pieces, told to its owner: tropism, attacks on its ring, checks, and
//! the danger that all of them together make.

use super::{Officer, Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, files_of, flank, level_or_ahead, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, attacks};

/// Counts the terms about the king of `view.side`, under `assault`.
pub(super) fn count(view: View<'_, impl Side>, assault: &Assault, tally: &mut impl Tally) {
    let mut danger = 0;
    danger += ring(view, assault, tally);
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

/// What the pieces of one side do to the king of the other.
pub(super) struct Assault {
    /// The squares about the king; those that two of its pawns guard are no way in.
    ring: Bitboard,
    /// How many pieces attack it, and what danger that makes.
    attackers: i32,
    danger: i32,
}

impl Assault {
    const TROPISM: [Feature; 4] = [
        Feature::KnightTropism,
        Feature::BishopTropism,
        Feature::RookTropism,
        Feature::QueenTropism,
    ];

    /// By the side of `view`, none of whose pieces has been looked at yet.
    pub(super) fn by(view: View<'_, impl Side>) -> Self {
        let attacked = view.attacks.get(!view.side());
        let ring = attacked.king_ring & !attacked.by_two_pawns;
        Self { ring, attackers: 0, danger: 0 }
    }

    /// Adds an piece of the side of `view`, of the kind with this `index` of tables of four: by its
    /// distance to the king, whether it attacks its ring or not, and by its attacks on the ring.
    pub(super) fn add(
        &mut self,
        view: View<'_, impl Side>,
        index: usize,
        piece: Officer,
        tally: &mut impl Tally,
    ) {
        let attacked = !view.side();
        let king = view.attacks.get(attacked).king;
        tally.add(attacked, Self::TROPISM[index], distance(king, piece.square), 1);
        let squares = (piece.attacks & self.ring).count() as i32;
        tally.add(attacked, Feature::RingAttack, index, squares);
        // no branch: the processor would often guess wrong
        let attacks = i32::from(squares > 0);
        self.attackers += attacks;
        self.danger += ATTACKER[index] * attacks + squares;
    }
}

/// The danger of attacks on the squares around the king, and of those that only king or queen defend.
fn ring(view: View<'_, impl Side>, assault: &Assault, tally: &mut impl Tally) -> i32 {
    let (_, attacks, side) = view.parts();
    let weak = weak_squares(view) & attacks.get(side).king_ring;
    let weak = weak.count() as i32;
    if weak > 0 {
        tally.add(side, Feature::WeakRing, 0, weak);
    }
    let Assault { attackers, danger, .. } = *assault;
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
    let pawns = board.pawns() & board.by_color(side) & level_or_ahead(own.king, side);
    let bare = (files_of(own.king_ring) & !files_of(pawns)).count() as i32;
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
