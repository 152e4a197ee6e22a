//! Facts: what is true of the board for the side that feels, in chess terms.
//!
//! The article names these conditions (figure 3) and defines none of them, so all definitions but
//! check are ours, and where they draw a line a profile may draw it elsewhere; pins are not looked at.

use crate::eval::{
    geometry::passed_span,
    measures::{material, piece_value},
};
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Position, Role, Square, attacks};

/// Something about the board that is true or false for the side that feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Fact {
    /// The own king is in check.
    InCheck,
    /// The pieces for a mate are there and near the opponent's king.
    CanMate,
    /// The own king may castle, at once or after few own pieces have left the way.
    CanCastle,
    /// Enough is left to mate with, and the side is not clearly behind.
    CanSeekMate,
    /// An own pawn is passed.
    PassedPawn,
    /// The opponent has a passed pawn.
    OpposingPassedPawn,
    /// Few pieces are left.
    Endgame,
    /// The own side commands enough of the four central squares.
    CentreDominated,
    /// An enemy piece threatens one of ours.
    EnemyThreat,
}

impl Fact {
    /// Every fact, in the order of declaration.
    pub const ALL: [Self; 9] = [
        Self::InCheck,
        Self::CanMate,
        Self::CanCastle,
        Self::CanSeekMate,
        Self::PassedPawn,
        Self::OpposingPassedPawn,
        Self::Endgame,
        Self::CentreDominated,
        Self::EnemyThreat,
    ];
    /// How many facts there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The name in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InCheck => "in_check",
            Self::CanMate => "can_mate",
            Self::CanCastle => "can_castle",
            Self::CanSeekMate => "can_seek_mate",
            Self::PassedPawn => "passed_pawn",
            Self::OpposingPassedPawn => "opposing_passed_pawn",
            Self::Endgame => "endgame",
            Self::CentreDominated => "centre_dominated",
            Self::EnemyThreat => "enemy_threat",
        }
    }

    /// The fact of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| fact.name() == name)
    }

    /// What it says, in a line, with these thresholds.
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
            Self::InCheck => "the own king is in check".into(),
            Self::CanMate => format!(
                "at least {mating_pieces} own pieces, a queen or rook among them, attack the squares \
                 around the enemy king"
            ),
            Self::CanCastle => format!(
                "a castling right is left, its way is not attacked, and of own pieces there are in it at \
                 most {castling_blockers}"
            ),
            Self::CanSeekMate => {
                format!("enough is left to mate with, and at most {deficit} centipawns are missing")
            }
            Self::PassedPawn => "no enemy pawn can stop or take one of the own pawns".into(),
            Self::OpposingPassedPawn => "the opponent has a passed pawn".into(),
            Self::Endgame => {
                format!("neither side's pieces are worth more than {endgame_pieces} centipawns")
            }
            Self::CentreDominated => format!(
                "the own side outnumbers the other on at least {centre_squares} of d4, e4, d5, e5"
            ),
            Self::EnemyThreat => {
                "an own piece is attacked by a lesser one, or attacked and undefended".into()
            }
        }
    }
}

/// Where facts begin: the section `[facts]` of a profile. Worths are in centipawns of the article's
/// balance of material: pawn 100, minor piece 325, rook 500, queen 975.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Can mate: at least so many own pieces attack the squares around the enemy king, 1 to 8.
    pub mating_pieces: u16,
    /// Can castle: at most so many own pieces are in the way, 0 to 3.
    pub castling_blockers: u16,
    /// Can seek mate: at most so much is missing, 0 to 4000.
    pub deficit: u16,
    /// Endgame: neither side's pieces, kings and pawns aside, are worth more, 0 to 4000.
    pub endgame_pieces: u16,
    /// Centre dominated: on at least so many of d4, e4, d5 and e5, 1 to 4.
    pub centre_squares: u16,
}

/// All facts of one position, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts(pub [bool; Fact::COUNT]);

impl Facts {
    /// Looks at the board for `side`, whoever is to move.
    #[must_use]
    pub fn of(chess: &Chess, side: Color, thresholds: &Thresholds) -> Self {
        let board = chess.board();
        let (own, other) = (Reach::of(board, side), Reach::of(board, side.other()));
        Self(Fact::ALL.map(|fact| match fact {
            Fact::InCheck => in_check(board, side, &other),
            Fact::CanMate => can_mate(board, side, thresholds.mating_pieces),
            Fact::CanCastle => can_castle(chess, side, &other, thresholds.castling_blockers),
            Fact::CanSeekMate => can_seek_mate(board, side, thresholds.deficit),
            Fact::PassedPawn => passed_pawns(board, side).any(),
            Fact::OpposingPassedPawn => passed_pawns(board, side.other()).any(),
            Fact::Endgame => endgame(board, thresholds.endgame_pieces),
            Fact::CentreDominated => centre_dominated(board, side, thresholds.centre_squares),
            Fact::EnemyThreat => enemy_threat(board, side, &own, &other),
        }))
    }

    /// The same but for those that are given.
    #[must_use]
    pub fn given(self, given: &[Option<bool>; Fact::COUNT]) -> Self {
        Self(std::array::from_fn(|i| given[i].unwrap_or(self.0[i])))
    }

    /// Whether `fact` is true.
    #[must_use]
    pub const fn holds(&self, fact: Fact) -> bool {
        self.0[fact as usize]
    }
}

/// The squares one side attacks, by the worth of the attacker.
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

/// At least so many own pieces attack the enemy king's square or one beside it, one of them a queen or
/// a rook. The own king counts as a helper, pawns do not.
fn can_mate(board: &Board, side: Color, pieces: u16) -> bool {
    let Some(king) = board.king_of(side.other()) else { return false };
    let zone = attacks::king_attacks(king).with(king);
    let attackers: Bitboard = (board.by_color(side) & !board.pawns())
        .into_iter()
        .filter(|&from| board.attacks_from(from).intersects(zone))
        .collect();
    attackers.count() >= pieces.into() && attackers.intersects(board.rooks_and_queens())
}

/// The side has a right to castle, is not in check, the king passes no attacked square, and nothing
/// is in the way but at most so many own pieces, which may still leave it.
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

/// A pawn (it may become a queen), a queen, a rook, or a bishop with another minor piece is left,
/// and the side is not behind by more than `deficit` centipawns.
fn can_seek_mate(board: &Board, side: Color, deficit: u16) -> bool {
    let own = board.by_color(side);
    let minors = own & (board.bishops() | board.knights());
    let can_force = own.intersects(board.pawns() | board.rooks_and_queens())
        || (minors.more_than_one() && minors.intersects(board.bishops()));
    can_force && material(board, side) >= -i32::from(deficit)
}

/// Pawns of `side` with no enemy pawn ahead of them on their own file or one beside it.
pub(super) fn passed_pawns(board: &Board, side: Color) -> Bitboard {
    let enemy = board.pawns() & board.by_color(side.other());
    (board.pawns() & board.by_color(side))
        .into_iter()
        .filter(|&pawn| enemy.is_disjoint(passed_span(pawn, side)))
        .collect()
}

/// Neither side's pieces, kings and pawns aside, are worth more than `most` centipawns.
fn endgame(board: &Board, most: u16) -> bool {
    Color::ALL.into_iter().all(|side| {
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let worth = pieces
            .into_iter()
            .map(|role| piece_value(role) * board.by_piece(role.of(side)).count() as i32);
        worth.sum::<i32>() <= most.into()
    })
}

/// On at least so many of d4, e4, d5 and e5 the own side has more attackers and occupiers.
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

/// An own piece or pawn is attacked and undefended, or attacked by one of less value. The king is
/// left to [`Fact::InCheck`].
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

    /// Those of the default profile.
    const THRESHOLDS: Thresholds = Thresholds {
        mating_pieces: 2,
        castling_blockers: 1,
        deficit: 100,
        endgame_pieces: 1325,
        centre_squares: 3,
    };

    /// The names of what holds for `side`.
    fn facts(fen: &str, side: Color) -> Vec<&'static str> {
        within(THRESHOLDS, fen, side)
    }

    fn within(thresholds: Thresholds, fen: &str, side: Color) -> Vec<&'static str> {
        let facts = Facts::of(&Game::from_fen(fen, None).unwrap().chess, side, &thresholds);
        Fact::ALL.into_iter().filter(|&f| facts.holds(f)).map(Fact::name).collect()
    }

    #[test]
    fn lists_are_in_order_and_names_are_found_again() {
        for (i, fact) in Fact::ALL.into_iter().enumerate() {
            assert_eq!(fact as usize, i);
            assert_eq!(Fact::from_name(fact.name()), Some(fact));
        }
    }

    #[test]
    fn start_position_only_allows_to_seek_mate() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(facts(start, Color::White), ["can_seek_mate"]);
        assert_eq!(facts(start, Color::Black), ["can_seek_mate"]);
    }

    #[test]
    fn castling_is_near_with_one_own_piece_in_the_way_and_off_through_attacks() {
        let castle = |fen: &str| facts(fen, Color::White).contains(&"can_castle");
        assert!(castle("4k3/8/8/8/8/8/PPPPPPPP/RNBQK1NR w KQ - 0 1"));
        assert!(!castle("4k3/8/8/8/8/8/PPPPPPPP/RNBQK1NR w Q - 0 1"));
        assert!(castle("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!castle("4kr2/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(!castle("4k3/8/8/8/8/8/8/4K1nR w K - 0 1"));
        assert!(!castle("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
    }

    #[test]
    fn every_threshold_lets_in_what_it_names_and_nothing_beyond() {
        let mating_pieces = |mating_pieces| Thresholds { mating_pieces, ..THRESHOLDS };
        let castling_blockers = |castling_blockers| Thresholds { castling_blockers, ..THRESHOLDS };
        let deficit = |deficit| Thresholds { deficit, ..THRESHOLDS };
        let endgame_pieces = |endgame_pieces| Thresholds { endgame_pieces, ..THRESHOLDS };
        let centre_squares = |centre_squares| Thresholds { centre_squares, ..THRESHOLDS };
        // queen, rook and king around the enemy king
        let helpers = "7k/8/5K1Q/8/8/8/8/6R1 b - - 0 1";
        // two own pieces before the rook
        let blocked = "4k3/8/8/8/8/8/8/4KBNR w K - 0 1";
        let rook_for_queen = "3qk3/8/8/8/8/8/8/3RK3 w - - 0 1";
        let pieces = "r2rkb2/pppp4/8/8/8/8/PPPP4/R2RKB2 w - - 0 1";
        // a pawn stands on one square of the centre and attacks another
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
    fn facts_hold_for_the_side_that_is_not_to_move_too() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/3qR1K1 b - - 0 1";
        assert_eq!(facts(fen, Color::White), ["endgame", "enemy_threat"]);
        assert_eq!(facts(fen, Color::Black), ["can_seek_mate", "endgame", "enemy_threat"]);
        assert_eq!(facts("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", Color::White), ["in_check", "endgame"]);
    }

    #[test]
    fn mate_needs_two_helpers_and_a_heavy_piece() {
        let mate = |fen: &str| facts(fen, Color::White).contains(&"can_mate");
        assert!(mate("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"));
        assert!(!mate("7k/8/8/2K5/8/8/8/6R1 w - - 0 1"));
        assert!(!mate("7k/8/5K2/5N2/8/8/8/8 w - - 0 1"));
    }

    #[test]
    fn passed_pawns_of_both_sides() {
        let fen = "4k3/1p6/8/P7/8/8/6p1/4K3 w - - 0 1";
        assert!(facts(fen, Color::Black).contains(&"passed_pawn"));
        assert!(!facts(fen, Color::White).contains(&"passed_pawn"));
        assert!(facts(fen, Color::White).contains(&"opposing_passed_pawn"));
    }

    #[test]
    fn threats_are_by_less_value_or_on_the_undefended() {
        let threat = |fen: &str| facts(fen, Color::White).contains(&"enemy_threat");
        assert!(threat("4k3/8/8/3p4/4N3/3P4/8/4K3 w - - 0 1"));
        assert!(threat("4k3/8/4r3/8/4N3/8/8/4K3 w - - 0 1"));
        assert!(!threat("4k3/8/4r3/8/4N3/3P4/8/4K3 w - - 0 1"));
        assert!(threat("4k3/8/4r3/8/4Q3/3P4/8/3K4 w - - 0 1"));
    }

    #[test]
    fn the_centre_belongs_to_the_side_with_more_there() {
        let fen = "rnbqkbnr/ppp2ppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1";
        assert!(facts(fen, Color::White).contains(&"centre_dominated"));
        assert!(!facts(fen, Color::Black).contains(&"centre_dominated"));
    }
}
