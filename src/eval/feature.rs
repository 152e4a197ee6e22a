//! The list of all features that the evaluation counts, with their names, groups and table sizes.

use super::group::Group;

/// A feature of a position that the evaluation counts, with one weight or a table of weights.
///
/// The functions in [`super::terms`] do the counting. Features of king safety are counted for the
/// owner of the king, so an attack on it is a penalty: a negative weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Feature {
    /// The value of each piece, from pawn to queen.
    PieceValue,
    /// Owning two or more bishops.
    BishopPair,
    /// The change in a knight's value with the number of own pawns.
    KnightByPawns,
    /// The change in a bishop's value with the number of own pawns.
    BishopByPawns,
    /// The change in a rook's value with the number of own pawns.
    RookByPawns,
    /// The change in a queen's value with the number of own pawns.
    QueenByPawns,
    /// Owning two or more rooks, which partly duplicate each other's work.
    SecondRook,
    /// Owning two or more knights, which partly duplicate each other's work.
    SecondKnight,
    /// The square of each pawn.
    PawnPlacement,
    /// The square of each knight.
    KnightPlacement,
    /// The square of each bishop.
    BishopPlacement,
    /// The square of each rook.
    RookPlacement,
    /// The square of each queen.
    QueenPlacement,
    /// The square of the king.
    KingPlacement,
    /// The right to move.
    Tempo,
    /// The number of useful squares a knight reaches, without those attacked by enemy pawns.
    KnightMobility,
    /// The number of useful squares a bishop reaches.
    BishopMobility,
    /// The number of useful squares a rook reaches.
    RookMobility,
    /// The number of useful squares a queen reaches.
    QueenMobility,
    /// A pawn with no own pawn on an adjacent file (penalty).
    IsolatedPawn,
    /// A pawn with an own pawn ahead of it on its file (penalty).
    DoubledPawn,
    /// A pawn behind all its neighbours that cannot advance safely (penalty).
    BackwardPawn,
    /// An isolated or backward pawn with no enemy pawn ahead of it on its file (penalty).
    WeakUnopposed,
    /// A pawn with an own pawn next to it on the same rank.
    PhalanxPawn,
    /// A pawn defended by an own pawn.
    SupportedPawn,
    /// A phalanx or supported pawn with no enemy pawn ahead of it on its file.
    FreeChain,
    /// A pawn that attacks an enemy pawn.
    LeverPawn,
    /// A pawn with an enemy pawn directly in front of it (penalty on advanced ranks).
    BlockedPawn,
    /// A candidate passed pawn: its file ahead is free, and it has enough helpers.
    CandidatePawn,
    /// A passed pawn: no enemy pawn can block or capture it on its way.
    PassedPawn,
    /// A passed pawn with a piece directly in front of it.
    PassedBlocked,
    /// A passed pawn defended by an own pawn.
    PassedSupported,
    /// A passed pawn whose whole path is free of enemy pieces and enemy attacks.
    PassedFreePath,
    /// A passed pawn whose next square is empty and not attacked.
    PassedSafeStep,
    /// A passed pawn whose next square is empty and attacked, but defended.
    PassedGuardedStep,
    /// The distance of the pawn's own king to the square in front of a passed pawn.
    PassedOwnKing,
    /// The distance of the enemy king to the square in front of a passed pawn.
    PassedEnemyKing,
    /// A passed pawn with an own rook behind it.
    RookBehindPassed,
    /// A passed pawn with an enemy rook behind it (penalty).
    EnemyRookBehindPassed,
    /// A passed pawn that the enemy, left with king and pawns, cannot catch.
    UnstoppablePawn,
    /// A knight on an outpost: pawn-protected, in the enemy half, safe from enemy pawns.
    KnightOutpost,
    /// A bishop on an outpost.
    BishopOutpost,
    /// A knight that can move to an outpost.
    ReachableOutpost,
    /// The number of own pawns on the bishop's square colour (penalty when many).
    BadBishop,
    /// Enemy pawns on a bishop's diagonals, seen through other pieces (penalty).
    BishopXrayPawns,
    /// A bishop that sees at least two centre squares past all but pawns.
    LongDiagonal,
    /// A knight or bishop directly behind a pawn of either side.
    MinorBehindPawn,
    /// The distance of a knight to its own king.
    KnightKingDistance,
    /// The distance of a bishop to its own king.
    BishopKingDistance,
    /// The change in a knight's value as the position becomes more closed.
    KnightByClosure,
    /// The change in a rook's value as the position becomes more closed.
    RookByClosure,
    /// A rook on a file without pawns.
    RookOpenFile,
    /// A rook on a file without own pawns.
    RookHalfOpenFile,
    /// A rook on its seventh rank.
    RookSeventh,
    /// A rook with at most three squares, shut in by its own king (penalty).
    RookTrapped,
    /// A rook on a file with a queen of either side.
    RookOnQueenFile,
    /// A rook on or next to the enemy king's file, with no own pawn on the rook's file.
    RookOnKingFile,
    /// A queen that a move of one piece would expose to an enemy rook or bishop (penalty).
    QueenWeak,
    /// A queen in the enemy half that no enemy pawn can chase away.
    QueenInfiltration,
    /// The right to castle, on either wing.
    CastlingRight,
    /// The rearmost pawn of the king's side on the king's file and each adjacent file.
    PawnShield,
    /// The nearest enemy pawn on the king's file and each adjacent one, if not blocked (penalty).
    FreeStorm,
    /// The nearest enemy pawn on these files, if an own pawn blocks it.
    BlockedStorm,
    /// The distance of an enemy knight to the king (penalty when near).
    KnightTropism,
    /// The distance of an enemy bishop to the king (penalty when near).
    BishopTropism,
    /// The distance of an enemy rook to the king (penalty when near).
    RookTropism,
    /// The distance of an enemy queen to the king (penalty when near).
    QueenTropism,
    /// Squares of the king ring attacked by an enemy piece (penalty).
    RingAttack,
    /// Squares from which an enemy piece could safely give check, at most two (penalty).
    SafeCheck,
    /// An enemy piece that could give check, but only where it can be captured (penalty).
    UnsafeCheck,
    /// Attacked squares of the king ring, defended by king or queen at most (penalty).
    WeakRing,
    /// Enemy attacks on the king's wing, where doubly attacked squares count twice (penalty).
    FlankAttack,
    /// Squares of the king's wing that its own side attacks.
    FlankDefence,
    /// A king's wing without any pawns (penalty in the ending).
    PawnlessFlank,
    /// A piece or pawn pinned to its king.
    PinnedMan,
    /// The sum of all danger units around the king (penalty that grows with the sum).
    KingDanger,
    /// An enemy piece attacked by a pawn that cannot be captured for free.
    ThreatByPawn,
    /// An enemy piece, or a weakly defended pawn, attacked by a knight or bishop.
    ThreatByMinor,
    /// A weakly defended enemy piece or pawn attacked by a rook.
    ThreatByRook,
    /// A weakly defended enemy piece or pawn attacked by the king.
    ThreatByKing,
    /// An attacked enemy piece or pawn that is undefended, or a weak piece attacked twice.
    Hanging,
    /// An enemy piece that a safe pawn push would attack.
    PushThreat,
    /// A contested square: attacked by both sides, but not firmly controlled by the enemy.
    Restricted,
    /// A safe square from which a knight could attack the enemy queen.
    KnightOnQueen,
    /// A safe, doubly attacked square from which a bishop or rook could attack the enemy queen.
    SliderOnQueen,
    /// Safe squares on the four middle files of one's own half; those behind a pawn count twice.
    Space,
    /// When ahead: the number of pawns left, of both sides.
    InitiativePawns,
    /// When ahead: pawns on both wings.
    InitiativeFlanks,
    /// When ahead: files with an own pawn and no enemy pawn.
    InitiativePassed,
    /// When ahead: a king in the enemy half.
    InitiativeInfiltration,
    /// When ahead: nothing but kings and pawns left.
    InitiativePawnEnding,
    /// The distance of the king to the nearest pawn of either side.
    KingPawnDistance,
    /// Against a bare king, or with a queen against a rook: the distances of the king to the edges,
    /// of file and rank together.
    BareKingEdge,
    /// Against a bare king, or with a queen against a rook: the distance between the kings.
    BareKingDistance,
    /// With bishop and knight against a bare king: its distance to the right corner, in diagonals.
    BareKingCorner,
}

/// The properties of a feature.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The key in profiles.
    pub name: &'static str,
    /// The group that a goal can weigh.
    pub group: Group,
    /// The number of weights.
    pub len: usize,
    feature: Feature,
}

const fn spec(feature: Feature, name: &'static str, group: Group, len: usize) -> Spec {
    Spec { name, group, len, feature }
}

/// In the order of declaration. Each comment names the index of the tables below it.
#[rustfmt::skip]
const SPECS: [Spec; COUNT] = [
    // pawn, knight, bishop, rook, queen
    spec(Feature::PieceValue, "piece_value", Group::Material, 5),
    spec(Feature::BishopPair, "bishop_pair", Group::Material, 1),
    // by number of own pawns
    spec(Feature::KnightByPawns, "knight_by_pawns", Group::Material, 9),
    spec(Feature::BishopByPawns, "bishop_by_pawns", Group::Material, 9),
    spec(Feature::RookByPawns, "rook_by_pawns", Group::Material, 9),
    spec(Feature::QueenByPawns, "queen_by_pawns", Group::Material, 9),
    spec(Feature::SecondRook, "second_rook", Group::Material, 1),
    spec(Feature::SecondKnight, "second_knight", Group::Material, 1),
    // by square as that side sees the board: a8 to h8 first, a1 to h1 last
    spec(Feature::PawnPlacement, "pawn_placement", Group::Placement, 64),
    spec(Feature::KnightPlacement, "knight_placement", Group::Placement, 64),
    spec(Feature::BishopPlacement, "bishop_placement", Group::Placement, 64),
    spec(Feature::RookPlacement, "rook_placement", Group::Placement, 64),
    spec(Feature::QueenPlacement, "queen_placement", Group::Placement, 64),
    spec(Feature::KingPlacement, "king_placement", Group::Placement, 64),
    spec(Feature::Tempo, "tempo", Group::Placement, 1),
    // by number of squares reached
    spec(Feature::KnightMobility, "knight_mobility", Group::Mobility, 9),
    spec(Feature::BishopMobility, "bishop_mobility", Group::Mobility, 14),
    spec(Feature::RookMobility, "rook_mobility", Group::Mobility, 15),
    spec(Feature::QueenMobility, "queen_mobility", Group::Mobility, 28),
    // by distance of the file to the edge of the board
    spec(Feature::IsolatedPawn, "isolated_pawn", Group::Pawns, 4),
    spec(Feature::DoubledPawn, "doubled_pawn", Group::Pawns, 4),
    spec(Feature::BackwardPawn, "backward_pawn", Group::Pawns, 4),
    spec(Feature::WeakUnopposed, "weak_unopposed", Group::Pawns, 1),
    // by relative rank, first to eighth
    spec(Feature::PhalanxPawn, "phalanx_pawn", Group::Pawns, 8),
    spec(Feature::SupportedPawn, "supported_pawn", Group::Pawns, 8),
    spec(Feature::FreeChain, "free_chain", Group::Pawns, 8),
    spec(Feature::LeverPawn, "lever_pawn", Group::Pawns, 8),
    spec(Feature::BlockedPawn, "blocked_pawn", Group::Pawns, 8),
    spec(Feature::CandidatePawn, "candidate_pawn", Group::Pawns, 8),
    spec(Feature::PassedPawn, "passed_pawn", Group::Passed, 8),
    spec(Feature::PassedBlocked, "passed_blocked", Group::Passed, 8),
    spec(Feature::PassedSupported, "passed_supported", Group::Passed, 8),
    spec(Feature::PassedFreePath, "passed_free_path", Group::Passed, 8),
    spec(Feature::PassedSafeStep, "passed_safe_step", Group::Passed, 8),
    spec(Feature::PassedGuardedStep, "passed_guarded_step", Group::Passed, 8),
    // by distance of the king to the square in front of the pawn, in king moves
    spec(Feature::PassedOwnKing, "passed_own_king", Group::Passed, 8),
    spec(Feature::PassedEnemyKing, "passed_enemy_king", Group::Passed, 8),
    spec(Feature::RookBehindPassed, "rook_behind_passed", Group::Passed, 1),
    spec(Feature::EnemyRookBehindPassed, "enemy_rook_behind_passed", Group::Passed, 1),
    spec(Feature::UnstoppablePawn, "unstoppable_pawn", Group::Passed, 1),
    spec(Feature::KnightOutpost, "knight_outpost", Group::Pieces, 1),
    spec(Feature::BishopOutpost, "bishop_outpost", Group::Pieces, 1),
    spec(Feature::ReachableOutpost, "reachable_outpost", Group::Pieces, 1),
    // by number of own pawns on the bishop's colour
    spec(Feature::BadBishop, "bad_bishop", Group::Pieces, 9),
    spec(Feature::BishopXrayPawns, "bishop_xray_pawns", Group::Pieces, 1),
    spec(Feature::LongDiagonal, "long_diagonal", Group::Pieces, 1),
    spec(Feature::MinorBehindPawn, "minor_behind_pawn", Group::Pieces, 1),
    // by distance to the king, in king moves
    spec(Feature::KnightKingDistance, "knight_king_distance", Group::Pieces, 8),
    spec(Feature::BishopKingDistance, "bishop_king_distance", Group::Pieces, 8),
    // by how closed the position is, from 0 (open) to 8
    spec(Feature::KnightByClosure, "knight_by_closure", Group::Pieces, 9),
    spec(Feature::RookByClosure, "rook_by_closure", Group::Pieces, 9),
    spec(Feature::RookOpenFile, "rook_open_file", Group::Pieces, 1),
    spec(Feature::RookHalfOpenFile, "rook_half_open_file", Group::Pieces, 1),
    spec(Feature::RookSeventh, "rook_seventh", Group::Pieces, 1),
    spec(Feature::RookTrapped, "rook_trapped", Group::Pieces, 1),
    spec(Feature::RookOnQueenFile, "rook_on_queen_file", Group::Pieces, 1),
    spec(Feature::RookOnKingFile, "rook_on_king_file", Group::Pieces, 1),
    spec(Feature::QueenWeak, "queen_weak", Group::Pieces, 1),
    spec(Feature::QueenInfiltration, "queen_infiltration", Group::Pieces, 1),
    // kingside, queenside
    spec(Feature::CastlingRight, "castling_right", Group::King, 2),
    // by distance of the file to the edge, then by relative rank of the nearest pawn (0 without
    // one)
    spec(Feature::PawnShield, "pawn_shield", Group::King, 32),
    spec(Feature::FreeStorm, "free_storm", Group::King, 32),
    // by rank of the enemy pawn, relative to the king's side
    spec(Feature::BlockedStorm, "blocked_storm", Group::King, 8),
    // by distance of the enemy piece to the king, in king moves
    spec(Feature::KnightTropism, "knight_tropism", Group::King, 8),
    spec(Feature::BishopTropism, "bishop_tropism", Group::King, 8),
    spec(Feature::RookTropism, "rook_tropism", Group::King, 8),
    spec(Feature::QueenTropism, "queen_tropism", Group::King, 8),
    // by attacking piece: knight, bishop, rook, queen
    spec(Feature::RingAttack, "ring_attack", Group::King, 4),
    spec(Feature::SafeCheck, "safe_check", Group::King, 4),
    spec(Feature::UnsafeCheck, "unsafe_check", Group::King, 4),
    spec(Feature::WeakRing, "weak_ring", Group::King, 1),
    spec(Feature::FlankAttack, "flank_attack", Group::King, 1),
    spec(Feature::FlankDefence, "flank_defence", Group::King, 1),
    spec(Feature::PawnlessFlank, "pawnless_flank", Group::King, 1),
    spec(Feature::PinnedMan, "pinned_man", Group::King, 1),
    // by danger units
    spec(Feature::KingDanger, "king_danger", Group::King, 64),
    // by threatened piece: pawn, knight, bishop, rook, queen
    spec(Feature::ThreatByPawn, "threat_by_pawn", Group::Threats, 5),
    spec(Feature::ThreatByMinor, "threat_by_minor", Group::Threats, 5),
    spec(Feature::ThreatByRook, "threat_by_rook", Group::Threats, 5),
    spec(Feature::ThreatByKing, "threat_by_king", Group::Threats, 1),
    spec(Feature::Hanging, "hanging", Group::Threats, 1),
    spec(Feature::PushThreat, "push_threat", Group::Threats, 1),
    spec(Feature::Restricted, "restricted", Group::Threats, 1),
    spec(Feature::KnightOnQueen, "knight_on_queen", Group::Threats, 1),
    spec(Feature::SliderOnQueen, "slider_on_queen", Group::Threats, 1),
    // by number of own pieces, without king and pawns
    spec(Feature::Space, "space", Group::Space, 17),
    spec(Feature::InitiativePawns, "initiative_pawns", Group::Ending, 1),
    spec(Feature::InitiativeFlanks, "initiative_flanks", Group::Ending, 1),
    spec(Feature::InitiativePassed, "initiative_passed", Group::Ending, 1),
    spec(Feature::InitiativeInfiltration, "initiative_infiltration", Group::Ending, 1),
    spec(Feature::InitiativePawnEnding, "initiative_pawn_ending", Group::Ending, 1),
    // by distance of the king to the nearest pawn, in king moves
    spec(Feature::KingPawnDistance, "king_pawn_distance", Group::Ending, 8),
    // by the sum of the distances of the bare king to the edges
    spec(Feature::BareKingEdge, "bare_king_edge", Group::Ending, 7),
    // by distance between the kings, in king moves
    spec(Feature::BareKingDistance, "bare_king_distance", Group::Ending, 8),
    // by number of diagonals between the bare king and the nearest corner of the bishop's colour
    spec(Feature::BareKingCorner, "bare_king_corner", Group::Ending, 8),
];

const COUNT: usize = 95;

impl Feature {
    /// Every feature, in the order of declaration.
    pub const ALL: [Self; COUNT] = {
        let mut all = [Self::PieceValue; COUNT];
        let mut i = 0;
        while i < COUNT {
            all[i] = SPECS[i].feature;
            i += 1;
        }
        all
    };

    /// Returns the name, group and table length.
    #[must_use]
    #[inline]
    pub const fn spec(self) -> Spec {
        SPECS[self as usize]
    }

    /// Returns the index of this feature's first weight in the flat table.
    #[must_use]
    #[inline]
    pub const fn start(self) -> usize {
        STARTS[self as usize]
    }
}

const STARTS: [usize; COUNT] = {
    let mut starts = [0; COUNT];
    let mut f = 1;
    while f < starts.len() {
        starts[f] = starts[f - 1] + Feature::ALL[f - 1].spec().len;
        f += 1;
    }
    starts
};

/// The total number of weights.
pub const LEN: usize = {
    let last = Feature::ALL[COUNT - 1];
    last.start() + last.spec().len
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_declaration_order_and_names_are_unique() {
        for (i, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, i, "{feature:?}");
        }
        let mut names: Vec<_> = Feature::ALL.iter().map(|f| f.spec().name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COUNT);
    }
}
