//! The facts of chess: yes-or-no conditions of the board, such as being in check, that decide the goal.
//!
//! The article names these conditions (figure 3) without defining them, so all definitions except
//! check are ours. Profiles can change the thresholds. Pins are ignored.

use super::Facts;
use crate::{
    eval::{
        geometry::passed_span,
        measures::{material, piece_value},
    },
    mind::{game::FactThresholds, listed::Listed},
    support::variants::variants,
};
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Position, Role, Square, attacks};
use std::ops::RangeInclusive;

/// A condition of the board that is true or false for the side that feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[repr(usize)]
pub enum Fact {
    /// True if the side's king is in check.
    InCheck,
    /// True if enough pieces attack the squares around the enemy king, a queen or rook among them.
    CanMate,
    /// True if the side can castle now, or once a few own pieces have moved out of the way.
    CanCastle,
    /// True if the side has enough material to force mate and is not clearly behind.
    CanSeekMate,
    /// True if the side has a passed pawn.
    PassedPawn,
    /// True if the opponent has a passed pawn.
    OpposingPassedPawn,
    /// True if both sides have little material besides king and pawns.
    Endgame,
    /// True if the side controls enough of the four central squares.
    CentreDominated,
    /// True if the enemy attacks an undefended piece or pawn, or attacks a piece with a lesser one.
    EnemyThreat,
}

impl Fact {
    /// Every fact, in the order of declaration.
    pub const ALL: [Self; 9] = variants();
    /// The number of facts.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the name used in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the fact with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| fact.name() == name)
    }

    /// Describes the fact in one line, with these thresholds.
    #[must_use]
    pub fn meaning(self, thresholds: &Thresholds) -> String {
        let Thresholds {
            mating_pieces,
            castling_blockers,
            deficit,
            endgame_pieces,
            centre_squares,
        } = thresholds;
        match self {
            Self::InCheck => "the king is in check".into(),
            Self::CanMate => format!(
                "at least {mating_pieces} own pieces, including a queen or rook, attack the enemy \
                 king or a square next to it"
            ),
            Self::CanCastle => format!(
                "a castling right is left, the king's path is not attacked, and at most \
                 {castling_blockers} own pieces are in the way"
            ),
            Self::CanSeekMate => {
                format!("the material can force mate, and is at most {deficit} centipawns behind")
            }
            Self::PassedPawn => "the side has a passed pawn".into(),
            Self::OpposingPassedPawn => "the opponent has a passed pawn".into(),
            Self::Endgame => {
                format!("neither side has more than {endgame_pieces} centipawns in pieces")
            }
            Self::CentreDominated => format!(
                "the side outnumbers the opponent on at least {centre_squares} of d4, e4, d5, e5"
            ),
            Self::EnemyThreat => {
                "an own piece is attacked and undefended, or attacked by a lesser piece".into()
            }
        }
    }
}

impl Listed for Fact {
    type Each<T> = [T; Self::COUNT];

    const ALL: [Self; Self::COUNT] = Self::ALL;

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The thresholds of facts: the section `[facts]` of a profile.
///
/// Piece values are the article's, in centipawns: pawn 100, minor piece 325, rook 500, queen 975.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thresholds {
    /// `can_mate`: the least number of own pieces that attack the enemy king's surroundings, 1 to
    /// 8.
    pub mating_pieces: u16,
    /// `can_castle`: the largest number of own pieces in the way, 0 to 3.
    pub castling_blockers: u16,
    /// `can_seek_mate`: the largest material deficit, 0 to 4000 centipawns.
    pub deficit: u16,
    /// `endgame`: the largest value of either side's pieces without pawns, 0 to 4000 centipawns.
    pub endgame_pieces: u16,
    /// `centre_dominated`: the least number of d4, e4, d5 and e5 to control, 1 to 4.
    pub centre_squares: u16,
}

impl FactThresholds for Thresholds {
    fn keys(&mut self) -> Vec<(&'static str, RangeInclusive<u16>, &mut u16)> {
        let Self { mating_pieces, castling_blockers, deficit, endgame_pieces, centre_squares } =
            self;
        vec![
            ("mating_pieces", 1..=8, mating_pieces),
            ("castling_blockers", 0..=3, castling_blockers),
            ("deficit", 0..=4000, deficit),
            ("endgame_pieces", 0..=4000, endgame_pieces),
            ("centre_squares", 1..=4, centre_squares),
        ]
    }
}

impl Facts {
    /// Determines the facts for `side`, regardless of the side to move.
    #[must_use]
    pub fn of(chess: &Chess, side: Color, thresholds: &Thresholds) -> Self {
        let board = chess.board();
        let (own, other) = (Reach::of(board, side), Reach::of(board, side.other()));
        Self::from_fn(|fact| match fact {
            Fact::InCheck => in_check(board, side, &other),
            Fact::CanMate => can_mate(board, side, thresholds.mating_pieces),
            Fact::CanCastle => can_castle(chess, side, &other, thresholds.castling_blockers),
            Fact::CanSeekMate => can_seek_mate(board, side, thresholds.deficit),
            Fact::PassedPawn => passed_pawns(board, side).any(),
            Fact::OpposingPassedPawn => passed_pawns(board, side.other()).any(),
            Fact::Endgame => endgame(board, thresholds.endgame_pieces),
            Fact::CentreDominated => centre_dominated(board, side, thresholds.centre_squares),
            Fact::EnemyThreat => enemy_threat(board, side, &own, &other),
        })
    }
}

/// The squares that one side attacks, by value of the attacker.
struct Reach {
    pawns: Bitboard,
    minors: Bitboard,
    rooks: Bitboard,
    all: Bitboard,
}

impl Reach {
    fn of(board: &Board, side: Color) -> Self {
        let by = |roles: Bitboard| attacked_by(board, roles & board.by_color(side));
        let pawns = by(board.pawns());
        let minors = by(board.knights() | board.bishops());
        let rooks = by(board.rooks());
        let all = pawns | minors | rooks | by(board.queens() | board.kings());
        Self { pawns, minors, rooks, all }
    }
}

fn attacked_by(board: &Board, pieces: Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |all, from| all | board.attacks_from(from))
}

fn in_check(board: &Board, side: Color, other: &Reach) -> bool {
    (board.kings() & board.by_color(side)).intersects(other.all)
}

/// At least `pieces` own pieces attack the enemy king or a square next to it, including a queen or
/// rook. The side's king counts as a piece, pawns do not.
fn can_mate(board: &Board, side: Color, pieces: u16) -> bool {
    let Some(king) = board.king_of(side.other()) else { return false };
    let zone = attacks::king_attacks(king).with(king);
    let attackers: Bitboard = (board.by_color(side) & !board.pawns())
        .into_iter()
        .filter(|&from| board.attacks_from(from).intersects(zone))
        .collect();
    attackers.count() >= pieces.into() && attackers.intersects(board.rooks_and_queens())
}

/// The side has a castling right, is not in check, and the king crosses no attacked square. Only
/// own pieces are in the way, at most `blockers` of them.
fn can_castle(chess: &Chess, side: Color, other: &Reach, blockers: u16) -> bool {
    let board = chess.board();
    let Some(king) = board.king_of(side) else { return false };
    CastlingSide::ALL.into_iter().any(|wing| {
        let target = wing.king_to(side);
        let walk = attacks::between(king, target).with(king).with(target);
        let in_the_way = chess.castles().path(side, wing) & board.occupied();
        chess.castles().has(side, wing)
            && walk.is_disjoint(other.all)
            && in_the_way.count() <= blockers.into()
            && in_the_way.is_subset(board.by_color(side))
    })
}

/// The side has a pawn, rook, queen, or a bishop and another minor piece, and is at most `deficit`
/// centipawns behind. A pawn suffices because it may promote.
fn can_seek_mate(board: &Board, side: Color, deficit: u16) -> bool {
    let own = board.by_color(side);
    let minors = own & (board.bishops() | board.knights());
    let can_force = own.intersects(board.pawns() | board.rooks_and_queens())
        || (minors.more_than_one() && minors.intersects(board.bishops()));
    can_force && material(board, side) >= -i32::from(deficit)
}

/// Returns the pawns of `side` with no enemy pawn ahead on their own or an adjacent file.
pub(super) fn passed_pawns(board: &Board, side: Color) -> Bitboard {
    let enemy = board.pawns() & board.by_color(side.other());
    (board.pawns() & board.by_color(side))
        .into_iter()
        .filter(|&pawn| enemy.is_disjoint(passed_span(pawn, side)))
        .collect()
}

/// Neither side's pieces, without king and pawns, are worth more than `most` centipawns.
fn endgame(board: &Board, most: u16) -> bool {
    Color::ALL.into_iter().all(|side| {
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let worth = pieces
            .into_iter()
            .map(|role| piece_value(role) * board.by_piece(role.of(side)).count() as i32);
        worth.sum::<i32>() <= most.into()
    })
}

/// On at least `squares` of d4, e4, d5 and e5, the side has more attackers and occupiers than the
/// opponent.
fn centre_dominated(board: &Board, side: Color, squares: u16) -> bool {
    let presence = |square: Square, color: Color| {
        let attackers = board.attacks_to(square, color, board.occupied()).count();
        attackers + usize::from(board.by_color(color).contains(square))
    };
    let commanded = [Square::D4, Square::E4, Square::D5, Square::E5]
        .into_iter()
        .filter(|&square| presence(square, side) > presence(square, side.other()));
    commanded.count() >= squares.into()
}

/// An own piece or pawn is attacked and undefended, or attacked by a piece of less value. Attacks
/// on the king are [`Fact::InCheck`].
fn enemy_threat(board: &Board, side: Color, own: &Reach, other: &Reach) -> bool {
    let ours = board.by_color(side) & !board.kings();
    let by_less = (ours & !board.pawns() & other.pawns)
        | (ours & board.rooks_and_queens() & other.minors)
        | (ours & board.queens() & other.rooks);
    by_less.any() || ours.intersects(other.all & !own.all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    /// The thresholds of the default profile.
    const THRESHOLDS: Thresholds = Thresholds {
        mating_pieces: 2,
        castling_blockers: 1,
        deficit: 100,
        endgame_pieces: 1325,
        centre_squares: 3,
    };

    /// Returns the names of the facts that are true for `side`.
    fn facts(fen: &str, side: Color) -> Vec<&'static str> {
        within(THRESHOLDS, fen, side)
    }

    fn within(thresholds: Thresholds, fen: &str, side: Color) -> Vec<&'static str> {
        let facts = Facts::of(&Game::from_fen(fen, None).unwrap().chess, side, &thresholds);
        Fact::ALL.into_iter().filter(|&f| facts.holds(f)).map(Fact::name).collect()
    }

    #[test]
    fn names_round_trip_and_the_list_is_in_order() {
        for (i, fact) in Fact::ALL.into_iter().enumerate() {
            assert_eq!(fact as usize, i);
            assert_eq!(Fact::from_name(fact.name()), Some(fact));
        }
    }

    #[test]
    fn only_can_seek_mate_is_true_in_the_start_position() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(facts(start, Color::White), ["can_seek_mate"]);
        assert_eq!(facts(start, Color::Black), ["can_seek_mate"]);
    }

    #[test]
    fn castling_allows_one_own_blocker_and_no_attacked_path() {
        let castle = |fen: &str| facts(fen, Color::White).contains(&"can_castle");
        assert!(castle("4k3/8/8/8/8/8/PPPPPPPP/RNBQK1NR w KQ - 0 1"));
        assert!(!castle("4k3/8/8/8/8/8/PPPPPPPP/RNBQK1NR w Q - 0 1"));
        assert!(castle("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!castle("4kr2/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!castle("4k3/8/8/8/8/8/8/4K1nR w K - 0 1"));
        assert!(!castle("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
    }

    #[test]
    fn every_threshold_is_inclusive() {
        let mating_pieces = |mating_pieces| Thresholds { mating_pieces, ..THRESHOLDS };
        let castling_blockers = |castling_blockers| Thresholds { castling_blockers, ..THRESHOLDS };
        let deficit = |deficit| Thresholds { deficit, ..THRESHOLDS };
        let endgame_pieces = |endgame_pieces| Thresholds { endgame_pieces, ..THRESHOLDS };
        let centre_squares = |centre_squares| Thresholds { centre_squares, ..THRESHOLDS };
        // queen, rook and king attack the enemy king's surroundings
        let helpers = "7k/8/5K1Q/8/8/8/8/6R1 b - - 0 1";
        // two own pieces between king and rook
        let blocked = "4k3/8/8/8/8/8/8/4KBNR w K - 0 1";
        let rook_for_queen = "3qk3/8/8/8/8/8/8/3RK3 w - - 0 1";
        let pieces = "r2rkb2/pppp4/8/8/8/8/PPPP4/R2RKB2 w - - 0 1";
        // the pawn occupies one central square and attacks another
        let two = "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1";
        for (fact, fen, within_it, beyond_it) in [
            ("can_mate", helpers, mating_pieces(3), mating_pieces(4)),
            ("can_castle", blocked, castling_blockers(2), castling_blockers(1)),
            ("can_seek_mate", rook_for_queen, deficit(475), deficit(474)),
            ("endgame", pieces, endgame_pieces(1325), endgame_pieces(1324)),
            ("centre_dominated", two, centre_squares(2), centre_squares(3)),
        ] {
            assert!(within(within_it, fen, Color::White).contains(&fact), "{fact}");
            assert!(!within(beyond_it, fen, Color::White).contains(&fact), "{fact}");
        }
    }

    #[test]
    fn facts_are_defined_for_the_side_not_to_move() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/3qR1K1 b - - 0 1";
        assert_eq!(facts(fen, Color::White), ["endgame", "enemy_threat"]);
        assert_eq!(facts(fen, Color::Black), ["can_seek_mate", "endgame", "enemy_threat"]);
        assert_eq!(facts("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", Color::White), ["in_check", "endgame"]);
    }

    #[test]
    fn can_mate_needs_two_pieces_and_one_of_them_heavy() {
        let mate = |fen: &str| facts(fen, Color::White).contains(&"can_mate");
        assert!(mate("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"));
        assert!(!mate("7k/8/8/2K5/8/8/8/6R1 w - - 0 1"));
        assert!(!mate("7k/8/5K2/5N2/8/8/8/8 w - - 0 1"));
    }

    #[test]
    fn passed_pawns_are_reported_for_both_sides() {
        let fen = "4k3/1p6/8/P7/8/8/6p1/4K3 w - - 0 1";
        assert!(facts(fen, Color::Black).contains(&"passed_pawn"));
        assert!(!facts(fen, Color::White).contains(&"passed_pawn"));
        assert!(facts(fen, Color::White).contains(&"opposing_passed_pawn"));
    }

    #[test]
    fn threats_need_a_lesser_attacker_or_an_undefended_piece() {
        let threat = |fen: &str| facts(fen, Color::White).contains(&"enemy_threat");
        assert!(threat("4k3/8/8/3p4/4N3/3P4/8/4K3 w - - 0 1"));
        assert!(threat("4k3/8/4r3/8/4N3/8/8/4K3 w - - 0 1"));
        assert!(!threat("4k3/8/4r3/8/4N3/3P4/8/4K3 w - - 0 1"));
        assert!(threat("4k3/8/4r3/8/4Q3/3P4/8/3K4 w - - 0 1"));
    }

    #[test]
    fn the_side_with_more_attackers_dominates_the_centre() {
        let fen = "rnbqkbnr/ppp2ppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1";
        assert!(facts(fen, Color::White).contains(&"centre_dominated"));
        assert!(!facts(fen, Color::Black).contains(&"centre_dominated"));
    }
}
