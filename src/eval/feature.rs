//! The one list of what the evaluation can count.

use super::group::Group;

/// Something the evaluation can count, with one weight or a table of weights. What each is, its
/// term in [`super::terms`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Feature {
    PieceValue,
    BishopPair,
    KnightByPawns,
    BishopByPawns,
    RookByPawns,
    QueenByPawns,
    SecondRook,
    SecondKnight,
    PawnPlacement,
    KnightPlacement,
    BishopPlacement,
    RookPlacement,
    QueenPlacement,
    KingPlacement,
    Tempo,
    KnightMobility,
    BishopMobility,
    RookMobility,
    QueenMobility,
    IsolatedPawn,
    DoubledPawn,
    BackwardPawn,
    WeakUnopposed,
    PhalanxPawn,
    SupportedPawn,
    FreeChain,
    LeverPawn,
    BlockedPawn,
    CandidatePawn,
    PassedPawn,
    PassedBlocked,
    PassedSupported,
    PassedFreePath,
    PassedSafeStep,
    PassedGuardedStep,
    PassedOwnKing,
    PassedEnemyKing,
    RookBehindPassed,
    EnemyRookBehindPassed,
    UnstoppablePawn,
    KnightOutpost,
    BishopOutpost,
    ReachableOutpost,
    BadBishop,
    BishopXrayPawns,
    LongDiagonal,
    MinorBehindPawn,
    KnightKingDistance,
    BishopKingDistance,
    KnightByClosure,
    RookByClosure,
    RookOpenFile,
    RookHalfOpenFile,
    RookSeventh,
    RookTrapped,
    RookOnQueenFile,
    RookOnKingFile,
    QueenWeak,
    QueenInfiltration,
    CastlingRight,
    PawnShield,
    FreeStorm,
    BlockedStorm,
    KnightTropism,
    BishopTropism,
    RookTropism,
    QueenTropism,
    RingAttack,
    SafeCheck,
    UnsafeCheck,
    WeakRing,
    FlankAttack,
    FlankDefence,
    PawnlessFlank,
    PinnedMan,
    KingDanger,
    ThreatByPawn,
    ThreatByMinor,
    ThreatByRook,
    ThreatByKing,
    Hanging,
    PushThreat,
    Restricted,
    KnightOnQueen,
    SliderOnQueen,
    Space,
    InitiativePawns,
    InitiativeFlanks,
    InitiativePassed,
    InitiativeInfiltration,
    InitiativePawnEnding,
    KingPawnDistance,
    BareKingEdge,
    BareKingDistance,
    BareKingCorner,
}

/// What is known of a feature: its name in profiles, its group, how many weights it has.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub name: &'static str,
    pub group: Group,
    pub len: usize,
    feature: Feature,
}

const fn spec(feature: Feature, name: &'static str, group: Group, len: usize) -> Spec {
    Spec { name, group, len, feature }
}

/// In the order of declaration. A comment tells the index of tables, down to the next comment.
#[rustfmt::skip]
const SPECS: [Spec; COUNT] = [
    // pawn, knight, bishop, rook, queen
    spec(Feature::PieceValue, "piece_value", Group::Material, 5),
    spec(Feature::BishopPair, "bishop_pair", Group::Material, 1),
    // a piece by the number of own pawns
    spec(Feature::KnightByPawns, "knight_by_pawns", Group::Material, 9),
    spec(Feature::BishopByPawns, "bishop_by_pawns", Group::Material, 9),
    spec(Feature::RookByPawns, "rook_by_pawns", Group::Material, 9),
    spec(Feature::QueenByPawns, "queen_by_pawns", Group::Material, 9),
    spec(Feature::SecondRook, "second_rook", Group::Material, 1),
    spec(Feature::SecondKnight, "second_knight", Group::Material, 1),
    // squares as a player of that side sees the board: a8 to h8 first, a1 to h1 last
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
    // by rank, first to eighth, from the pawn's own side
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
    // by distance of the king to the square before the pawn, in king's moves
    spec(Feature::PassedOwnKing, "passed_own_king", Group::Passed, 8),
    spec(Feature::PassedEnemyKing, "passed_enemy_king", Group::Passed, 8),
    spec(Feature::RookBehindPassed, "rook_behind_passed", Group::Passed, 1),
    spec(Feature::EnemyRookBehindPassed, "enemy_rook_behind_passed", Group::Passed, 1),
    spec(Feature::UnstoppablePawn, "unstoppable_pawn", Group::Passed, 1),
    spec(Feature::KnightOutpost, "knight_outpost", Group::Pieces, 1),
    spec(Feature::BishopOutpost, "bishop_outpost", Group::Pieces, 1),
    spec(Feature::ReachableOutpost, "reachable_outpost", Group::Pieces, 1),
    // by number of own pawns on its colour
    spec(Feature::BadBishop, "bad_bishop", Group::Pieces, 9),
    spec(Feature::BishopXrayPawns, "bishop_xray_pawns", Group::Pieces, 1),
    spec(Feature::LongDiagonal, "long_diagonal", Group::Pieces, 1),
    spec(Feature::MinorBehindPawn, "minor_behind_pawn", Group::Pieces, 1),
    // by distance to the own king, in king's moves
    spec(Feature::KnightKingDistance, "knight_king_distance", Group::Pieces, 8),
    spec(Feature::BishopKingDistance, "bishop_king_distance", Group::Pieces, 8),
    // by how closed the position is, open first
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
    // king's wing, queen's wing
    spec(Feature::CastlingRight, "castling_right", Group::King, 2),
    // by distance of the file to the edge, then by rank of the nearest pawn from the king's side; 0 where there is none
    spec(Feature::PawnShield, "pawn_shield", Group::King, 32),
    spec(Feature::FreeStorm, "free_storm", Group::King, 32),
    // by rank of the enemy pawn, from the king's side
    spec(Feature::BlockedStorm, "blocked_storm", Group::King, 8),
    // by distance of an enemy piece to the king, in king's moves
    spec(Feature::KnightTropism, "knight_tropism", Group::King, 8),
    spec(Feature::BishopTropism, "bishop_tropism", Group::King, 8),
    spec(Feature::RookTropism, "rook_tropism", Group::King, 8),
    spec(Feature::QueenTropism, "queen_tropism", Group::King, 8),
    // squares by attacking piece: knight, bishop, rook, queen
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
    // on a pawn, knight, bishop, rook, queen
    spec(Feature::ThreatByPawn, "threat_by_pawn", Group::Threats, 5),
    spec(Feature::ThreatByMinor, "threat_by_minor", Group::Threats, 5),
    spec(Feature::ThreatByRook, "threat_by_rook", Group::Threats, 5),
    spec(Feature::ThreatByKing, "threat_by_king", Group::Threats, 1),
    spec(Feature::Hanging, "hanging", Group::Threats, 1),
    spec(Feature::PushThreat, "push_threat", Group::Threats, 1),
    spec(Feature::Restricted, "restricted", Group::Threats, 1),
    spec(Feature::KnightOnQueen, "knight_on_queen", Group::Threats, 1),
    spec(Feature::SliderOnQueen, "slider_on_queen", Group::Threats, 1),
    // safe middle squares of the own half, those behind a pawn twice, by number of own pieces
    spec(Feature::Space, "space", Group::Space, 17),
    spec(Feature::InitiativePawns, "initiative_pawns", Group::Ending, 1),
    spec(Feature::InitiativeFlanks, "initiative_flanks", Group::Ending, 1),
    spec(Feature::InitiativePassed, "initiative_passed", Group::Ending, 1),
    spec(Feature::InitiativeInfiltration, "initiative_infiltration", Group::Ending, 1),
    spec(Feature::InitiativePawnEnding, "initiative_pawn_ending", Group::Ending, 1),
    // by distance of the king to the nearest pawn, in king's moves
    spec(Feature::KingPawnDistance, "king_pawn_distance", Group::Ending, 8),
    // by distance of the bare king to the edge
    spec(Feature::BareKingEdge, "bare_king_edge", Group::Ending, 4),
    // by distance of the kings
    spec(Feature::BareKingDistance, "bare_king_distance", Group::Ending, 8),
    // by distance of the bare king to the nearest corner of the bishop's colour
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

    /// Name, group and table length.
    #[must_use]
    pub const fn spec(self) -> Spec {
        SPECS[self as usize]
    }

    /// Where this feature's weights start in the flat table.
    #[must_use]
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

/// How many weights there are in all.
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
