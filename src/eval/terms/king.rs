//! King safety against pieces: tropism, attacks on the king ring, checks, and their combined
//! danger.
//!
//! All features here are counted for the owner of the king, so most of their weights are negative.

use super::{Attacker, Side, View};
use crate::eval::{
    danger::{self, Cause},
    feature::Feature,
    geometry::{distance, flank, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Color, attacks};

/// Counts the king safety of `view.side` against `assault`.
///
/// `exposure` is the danger from its shelter. `turn` is the side to move.
pub(super) fn count(
    view: View<'_, impl Side>,
    assault: &Assault,
    exposure: i32,
    turn: Color,
    tally: &mut impl Tally,
) {
    let (board, attacks, side) = view.parts();
    let mut danger = exposure + assault.danger;
    danger += ring(view, tally);
    danger += checks(view, tally);
    danger += guards(view, tally);
    danger += tally.danger(side, Cause::AttackerMoves, 0, i32::from(turn != side));
    let queens = board.queens() & board.by_color(!side);
    danger += tally.danger(side, Cause::NoQueen, 0, i32::from(queens.is_empty()));
    tally.add(side, Feature::KingDanger, danger::level(danger), 1);
    flanks(view, tally);
    let pinned = attacks.get(side).pinned.count() as i32;
    if pinned > 0 {
        tally.add(side, Feature::PinnedMan, 0, pinned);
    }
}

/// The attack of one side's pieces on the enemy king.
pub(super) struct Assault {
    /// The king ring, without squares guarded by two pawns.
    ring: Bitboard,
    /// The danger of the pieces that attack the ring.
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
        Self { ring, danger: 0 }
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
        self.danger += tally.danger(attacked, Cause::Attacker, index, attacks);
        self.danger += tally.danger(attacked, Cause::AttackedSquare, index, squares);
    }
}

/// Returns the danger of attacked and weakly defended squares around the king.
fn ring(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let (_, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let weak = (weak_squares(view) & own.king_ring).count() as i32;
    if weak > 0 {
        tally.add(side, Feature::WeakRing, 0, weak);
    }
    let ring = (own.king_ring & enemy.all & !own.by.pawn).count() as i32;
    let adjacent = (own.by.king & enemy.all).count() as i32;
    tally.danger(side, Cause::WeakSquare, 0, weak)
        + tally.danger(side, Cause::RingSquare, 0, ring)
        + tally.danger(side, Cause::AdjacentSquare, 0, adjacent)
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
            danger += tally.danger(side, Cause::SafeCheck, index, 1);
        } else {
            tally.add(side, Feature::UnsafeCheck, index, 1);
            danger += tally.danger(side, Cause::UnsafeCheck, index, 1);
        }
    }
    danger
}

/// Returns the reduction of danger by a knight and a bishop that guard the king ring.
fn guards(view: View<'_, impl Side>, tally: &mut impl Tally) -> i32 {
    let side = view.side();
    let own = view.attacks.get(side);
    let guards = [own.by.knight, own.by.bishop].map(|reached| (reached & own.king_ring).any());
    let [knight, bishop] = guards.map(i32::from);
    tally.danger(side, Cause::KnightGuard, 0, knight)
        + tally.danger(side, Cause::BishopGuard, 0, bishop)
}

/// Counts attack and defence of the king's wing.
fn flanks(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (_, attacks, side) = view.parts();
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let camp = flank(own.king.file()) & ranks(side, [0, 1, 2, 3, 4]);
    let attack = (camp & enemy.all).count() + (camp & enemy.all & enemy.twice).count();
    let defence = (camp & own.all).count();
    tally.add(side, Feature::FlankAttack, 0, attack as i32);
    tally.add(side, Feature::FlankDefence, 0, defence as i32);
}
