//! King safety against pieces: tropism, attacks on the king ring, checks, and their combined
//! danger.
//!
//! All features here are counted for the owner of the king, so most of their weights are negative.

use super::{Attacker, Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, files_of, flank, level_or_ahead, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, attacks};

/// Counts the king safety of `view.side` against `assault`.
pub(super) fn count(view: View<'_, impl Side>, assault: &Assault, tally: &mut impl Tally) {
    let mut danger = 0;
    danger += ring(view, assault, tally);
    danger += checks(view, tally);
    danger += flanks(view, tally);
    danger += open_king(view);
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

// Danger units. Danger grows faster than the sum of its causes, so a table turns the sum of units
// into a score. The numbers are ours, in the usual proportions:
// <https://www.chessprogramming.org/King_Safety#Attack_Units>.

/// Reduction of danger if the enemy has no queen.
const NO_QUEEN: i32 = 12;
/// Danger of a knight, bishop, rook or queen that attacks the king ring.
const ATTACKER: [i32; 4] = [3, 2, 2, 1];
/// Danger of a safe check by a knight, bishop, rook or queen.
const SAFE_CHECK: [i32; 4] = [9, 7, 11, 8];
/// Danger of a check by a piece that can be captured.
const UNSAFE_CHECK: i32 = 1;
/// Danger of each file around the king without an own pawn ahead.
const BARE_FILE: i32 = 1;
/// Reduction of danger if an own knight guards the king ring.
const GUARD: i32 = 1;

/// The attack of one side's pieces on the enemy king.
pub(super) struct Assault {
    /// The king ring, without squares guarded by two pawns.
    ring: Bitboard,
    /// The number of pieces that attack the ring.
    attackers: i32,
    /// The danger units of these attacks.
    danger: i32,
}

impl Assault {
    const TROPISM: [Feature; 4] = [
        Feature::KnightTropism,
        Feature::BishopTropism,
        Feature::RookTropism,
        Feature::QueenTropism,
    ];

    /// Creates the attack of `view.side`, before any piece is added.
    pub(super) fn by(view: View<'_, impl Side>) -> Self {
        let attacked = view.attacks.get(!view.side());
        let ring = attacked.king_ring & !attacked.by_two_pawns;
        Self { ring, attackers: 0, danger: 0 }
    }

    /// Adds a piece of `view.side`, with its distance to the king and its attacks on the king ring.
    ///
    /// `index` is the piece's index in tables of four: knight, bishop, rook, queen.
    pub(super) fn add(
        &mut self,
        view: View<'_, impl Side>,
        index: usize,
        piece: Attacker,
        tally: &mut impl Tally,
    ) {
        let attacked = !view.side();
        let king = view.attacks.get(attacked).king;
        tally.add(attacked, Self::TROPISM[index], distance(king, piece.square), 1);
        let squares = (piece.attacks & self.ring).count() as i32;
        tally.add(attacked, Feature::RingAttack, index, squares);
        // no branch: it would often be mispredicted
        let attacks = i32::from(squares > 0);
        self.attackers += attacks;
        self.danger += ATTACKER[index] * attacks + squares;
    }
}

/// Returns the danger of attacks on the king ring and of its weakly defended squares.
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

/// Returns the squares that the enemy attacks and that are undefended, or defended by king or queen
/// alone.
fn weak_squares(view: View<'_, impl Side>) -> Bitboard {
    let (own, enemy) = (view.attacks.get(view.side()), view.attacks.get(!view.side()));
    enemy.all & !own.twice & (!own.all | own.by.king | own.by.queen)
}

/// Counts squares from which an enemy piece could give check, and returns their danger. A check is
/// safe if the piece cannot be captured for free.
fn checks(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let (board, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    // the king's own queen does not count as a blocker
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

/// Returns the danger of an open king: files without pawn cover add to it, a guarding knight
/// reduces it.
fn open_king(view: View<'_, impl Side>) -> i32 {
    let (board, attacks, side) = view.parts();
    let own = attacks.get(side);
    let pawns = board.pawns() & board.by_color(side) & level_or_ahead(own.king, side);
    let bare = (files_of(own.king_ring) & !files_of(pawns)).count() as i32;
    let guards = (own.by.knight & own.king_ring).any();
    BARE_FILE * bare - GUARD * i32::from(guards)
}

/// Counts attack and defence of the king's wing, and returns the danger of a strong attack.
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
