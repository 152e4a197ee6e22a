//! The safety of a king, told to its owner: shield, storm, tropism, attack.

use crate::eval::{attacks::Attacks, feature::Feature, tally::Tally};
use shakmaty::{Bitboard, Chess, Color, File, Position, Role, Square};

/// Counts the terms about the king of `side`.
pub(super) fn count(position: &Chess, attacks: &Attacks, side: Color, tally: &mut impl Tally) {
    let king = attacks.get(side).king;
    shelter(position, king, side, tally);
    tropism(attacks, king, side, tally);
    attack(attacks, side, tally);
}

/// On the king's file and those beside it: how far the nearest own pawn has gone (shield), and how
/// near the foremost enemy pawn has come (storm). Pawns behind the king shield and storm nothing.
fn shelter(position: &Chess, king: Square, side: Color, tally: &mut impl Tally) {
    let board = position.board();
    let rank = king.rank().to_u32();
    let before_king = match side {
        Color::White => Bitboard(u64::MAX << (8 * rank)),
        Color::Black => Bitboard(u64::MAX >> (8 * (7 - rank))),
    };
    let own = board.by_piece(side.pawn()) & before_king;
    let theirs = board.by_piece((!side).pawn()) & before_king;
    let centre = king.file().to_u32().clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let file = Bitboard::from_file(File::new(file));
        tally.add(side, Feature::PawnShield, nearest(own & file, side), 1);
        tally.add(side, Feature::PawnStorm, nearest(theirs & file, side), 1);
    }
}

/// The rank, from `side`, of the pawn nearest to its first rank; 0 if there is none.
fn nearest(pawns: Bitboard, side: Color) -> usize {
    side.fold_wb(pawns.first(), pawns.last())
        .map_or(0, |pawn| side.relative_rank(pawn.rank()).to_usize())
}

/// Enemy pieces by their distance to the king, attacking it or not.
fn tropism(attacks: &Attacks, king: Square, side: Color, tally: &mut impl Tally) {
    for piece in attacks.get(!side).attackers() {
        let feature = match piece.role {
            Role::Knight => Feature::KnightTropism,
            Role::Bishop => Feature::BishopTropism,
            Role::Rook => Feature::RookTropism,
            Role::Queen => Feature::QueenTropism,
            Role::Pawn | Role::King => continue,
        };
        tally.add(side, feature, king.distance(piece.square) as usize, 1);
    }
}

/// Attack units on the king's zone: for each square of it that a piece attacks, by the piece. A
/// table turns them into a score, so that two attackers are worth more than twice one.
/// <https://www.chessprogramming.org/King_Safety#Attack_Units>
fn attack(attacks: &Attacks, side: Color, tally: &mut impl Tally) {
    let zone = attacks.get(side).king_zone;
    let units: usize = attacks
        .get(!side)
        .attackers()
        .iter()
        .map(|piece| {
            let squares = (piece.attacks & zone).count();
            match piece.role {
                Role::Knight | Role::Bishop => 2 * squares,
                Role::Rook => 3 * squares,
                Role::Queen => 5 * squares,
                Role::Pawn | Role::King => 0,
            }
        })
        .sum();
    let last = Feature::KingAttack.spec().len - 1;
    tally.add(side, Feature::KingAttack, units.min(last), 1);
}
