//! The one list of what the evaluation can count.

/// The groups of terms that a goal can make more or less important.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Group {
    /// What the pieces are worth: the article's material balance.
    Material,
    /// Where they stand.
    Placement,
    /// Where they can go: the article's mobility.
    Mobility,
    /// How the pawns hold together.
    Pawns,
    /// Pawns that nothing stops any more.
    Passed,
    /// The safety of a king, told to its owner: the article's king safety.
    King,
}

impl Group {
    /// Every group, in the order of declaration.
    pub const ALL: [Self; 6] =
        [Self::Material, Self::Placement, Self::Mobility, Self::Pawns, Self::Passed, Self::King];
    /// How many groups there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The name in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Placement => "placement",
            Self::Mobility => "mobility",
            Self::Pawns => "pawns",
            Self::Passed => "passed",
            Self::King => "king",
        }
    }
}

/// Something the evaluation can count, with one weight or a table of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Feature {
    PieceValue,
    BishopPair,
    PawnPlacement,
    KnightPlacement,
    BishopPlacement,
    RookPlacement,
    QueenPlacement,
    KingPlacement,
    RookOpenFile,
    RookHalfOpenFile,
    RookSeventh,
    Tempo,
    KnightMobility,
    BishopMobility,
    RookMobility,
    QueenMobility,
    DoubledPawn,
    IsolatedPawn,
    BackwardPawn,
    ConnectedPawn,
    PassedPawn,
    PawnShield,
    PawnStorm,
    KnightTropism,
    BishopTropism,
    RookTropism,
    QueenTropism,
    KingAttack,
}

/// What is known of a feature: its name in profiles, its group, how many weights it has.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub name: &'static str,
    pub group: Group,
    pub len: usize,
}

const fn spec(name: &'static str, group: Group, len: usize) -> Spec {
    Spec { name, group, len }
}

impl Feature {
    /// Every feature, in the order of declaration.
    pub const ALL: [Self; 28] = [
        Self::PieceValue,
        Self::BishopPair,
        Self::PawnPlacement,
        Self::KnightPlacement,
        Self::BishopPlacement,
        Self::RookPlacement,
        Self::QueenPlacement,
        Self::KingPlacement,
        Self::RookOpenFile,
        Self::RookHalfOpenFile,
        Self::RookSeventh,
        Self::Tempo,
        Self::KnightMobility,
        Self::BishopMobility,
        Self::RookMobility,
        Self::QueenMobility,
        Self::DoubledPawn,
        Self::IsolatedPawn,
        Self::BackwardPawn,
        Self::ConnectedPawn,
        Self::PassedPawn,
        Self::PawnShield,
        Self::PawnStorm,
        Self::KnightTropism,
        Self::BishopTropism,
        Self::RookTropism,
        Self::QueenTropism,
        Self::KingAttack,
    ];

    /// Name, group and table length.
    #[must_use]
    pub const fn spec(self) -> Spec {
        match self {
            // pawn, knight, bishop, rook, queen
            Self::PieceValue => spec("piece_value", Group::Material, 5),
            Self::BishopPair => spec("bishop_pair", Group::Material, 1),
            // squares as a player of that side sees the board: a8 to h8 first, a1 to h1 last
            Self::PawnPlacement => spec("pawn_placement", Group::Placement, 64),
            Self::KnightPlacement => spec("knight_placement", Group::Placement, 64),
            Self::BishopPlacement => spec("bishop_placement", Group::Placement, 64),
            Self::RookPlacement => spec("rook_placement", Group::Placement, 64),
            Self::QueenPlacement => spec("queen_placement", Group::Placement, 64),
            Self::KingPlacement => spec("king_placement", Group::Placement, 64),
            Self::RookOpenFile => spec("rook_open_file", Group::Placement, 1),
            Self::RookHalfOpenFile => spec("rook_half_open_file", Group::Placement, 1),
            Self::RookSeventh => spec("rook_seventh", Group::Placement, 1),
            Self::Tempo => spec("tempo", Group::Placement, 1),
            // by number of squares reached
            Self::KnightMobility => spec("knight_mobility", Group::Mobility, 9),
            Self::BishopMobility => spec("bishop_mobility", Group::Mobility, 14),
            Self::RookMobility => spec("rook_mobility", Group::Mobility, 15),
            Self::QueenMobility => spec("queen_mobility", Group::Mobility, 28),
            Self::DoubledPawn => spec("doubled_pawn", Group::Pawns, 1),
            Self::IsolatedPawn => spec("isolated_pawn", Group::Pawns, 1),
            Self::BackwardPawn => spec("backward_pawn", Group::Pawns, 1),
            // by rank, first to eighth, from the pawn's own side
            Self::ConnectedPawn => spec("connected_pawn", Group::Pawns, 8),
            Self::PassedPawn => spec("passed_pawn", Group::Passed, 8),
            // by rank of the nearest pawn on a file beside the king, from the king's own side;
            // 0 where there is none
            Self::PawnShield => spec("pawn_shield", Group::King, 8),
            Self::PawnStorm => spec("pawn_storm", Group::King, 8),
            // by distance of an enemy piece to the king, in king's moves
            Self::KnightTropism => spec("knight_tropism", Group::King, 8),
            Self::BishopTropism => spec("bishop_tropism", Group::King, 8),
            Self::RookTropism => spec("rook_tropism", Group::King, 8),
            Self::QueenTropism => spec("queen_tropism", Group::King, 8),
            // by attack units on the king's zone
            Self::KingAttack => spec("king_attack", Group::King, 50),
        }
    }

    /// Where this feature's weights start in the flat table.
    #[must_use]
    pub const fn start(self) -> usize {
        STARTS[self as usize]
    }
}

const STARTS: [usize; Feature::ALL.len()] = {
    let mut starts = [0; Feature::ALL.len()];
    let mut f = 1;
    while f < starts.len() {
        starts[f] = starts[f - 1] + Feature::ALL[f - 1].spec().len;
        f += 1;
    }
    starts
};

/// How many weights there are in all.
pub const LEN: usize = {
    let last = Feature::ALL[Feature::ALL.len() - 1];
    last.start() + last.spec().len
};

/// The group to which each weight belongs.
pub const GROUP_OF: [Group; LEN] = {
    let mut of = [Group::Material; LEN];
    let mut f = 0;
    while f < Feature::ALL.len() {
        let spec = Feature::ALL[f].spec();
        let mut i = 0;
        while i < spec.len {
            of[Feature::ALL[f].start() + i] = spec.group;
            i += 1;
        }
        f += 1;
    }
    of
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_declaration_order_and_names_are_unique() {
        for (i, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, i, "{feature:?}");
        }
        for (i, group) in Group::ALL.into_iter().enumerate() {
            assert_eq!(group as usize, i, "{group:?}");
        }
        let mut names: Vec<_> = Feature::ALL.iter().map(|f| f.spec().name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Feature::ALL.len());
    }
}
