//! Families of weights, each scaled by one factor per phase, for tuning by games (cargo feature
//! `tuning`).
//!
//! Games can measure a few dozen factors, but not each of the weights.

use super::{feature::Feature, weights::Weights};
use crate::chess::score::Tapered;

/// Weights that are scaled together.
#[derive(Debug, PartialEq)]
pub struct Family {
    /// The name. The names of its two factors start with it.
    pub name: &'static str,
    features: &'static [Feature],
    /// The only index of each feature that is scaled.
    index: Option<usize>,
}

/// The phase of the game whose weights are scaled.
#[derive(Clone, Copy, Debug, PartialEq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Phase {
    /// All pieces on the board.
    Opening,
    /// Only kings and pawns.
    Ending,
}

const fn family(name: &'static str, features: &'static [Feature]) -> Family {
    Family { name, features, index: None }
}

/// A family of one piece value, with its index in [`Feature::PieceValue`].
const fn value(name: &'static str, index: usize) -> Family {
    Family { name, features: &[Feature::PieceValue], index: Some(index) }
}

/// Every family.
pub const FAMILIES: &[Family] = &[
    value("pawn_value", 0),
    value("knight_value", 1),
    value("bishop_value", 2),
    value("rook_value", 3),
    value("queen_value", 4),
    family("pawn_placement", &[Feature::PawnPlacement]),
    family("knight_placement", &[Feature::KnightPlacement]),
    family("bishop_placement", &[Feature::BishopPlacement]),
    family("rook_placement", &[Feature::RookPlacement]),
    family("queen_placement", &[Feature::QueenPlacement]),
    family("king_placement", &[Feature::KingPlacement]),
    family("tempo", &[Feature::Tempo]),
    family("bishop_pair", &[Feature::BishopPair]),
    family(
        "imbalance",
        &[
            Feature::KnightByPawns,
            Feature::BishopByPawns,
            Feature::RookByPawns,
            Feature::QueenByPawns,
            Feature::SecondRook,
            Feature::SecondKnight,
        ],
    ),
    family("knight_mobility", &[Feature::KnightMobility]),
    family("bishop_mobility", &[Feature::BishopMobility]),
    family("rook_mobility", &[Feature::RookMobility]),
    family("queen_mobility", &[Feature::QueenMobility]),
    family(
        "weak_pawns",
        &[
            Feature::IsolatedPawn,
            Feature::DoubledPawn,
            Feature::BackwardPawn,
            Feature::WeakUnopposed,
        ],
    ),
    family("pawn_chains", &[Feature::PhalanxPawn, Feature::SupportedPawn, Feature::FreeChain]),
    family("pawn_contacts", &[Feature::LeverPawn, Feature::BlockedPawn, Feature::CandidatePawn]),
    family("passed_pawns", &[Feature::PassedPawn]),
    family(
        "passed_path",
        &[
            Feature::PassedBlocked,
            Feature::PassedSupported,
            Feature::PassedFreePath,
            Feature::PassedSafeStep,
            Feature::PassedGuardedStep,
            Feature::RookBehindPassed,
            Feature::EnemyRookBehindPassed,
            Feature::UnstoppablePawn,
        ],
    ),
    family("passed_kings", &[Feature::PassedOwnKing, Feature::PassedEnemyKing]),
    family(
        "outposts",
        &[Feature::KnightOutpost, Feature::BishopOutpost, Feature::ReachableOutpost],
    ),
    family("bishop_pawns", &[Feature::BadBishop, Feature::BishopXrayPawns, Feature::LongDiagonal]),
    family(
        "minor_posts",
        &[Feature::MinorBehindPawn, Feature::KnightKingDistance, Feature::BishopKingDistance],
    ),
    family("closure", &[Feature::KnightByClosure, Feature::RookByClosure]),
    family(
        "rook_posts",
        &[
            Feature::RookOpenFile,
            Feature::RookHalfOpenFile,
            Feature::RookSeventh,
            Feature::RookTrapped,
            Feature::RookOnQueenFile,
            Feature::RookOnKingFile,
        ],
    ),
    family("queen_posts", &[Feature::QueenWeak, Feature::QueenInfiltration]),
    family(
        "king_shelter",
        &[
            Feature::CastlingRight,
            Feature::PawnShield,
            Feature::FreeStorm,
            Feature::BlockedStorm,
            Feature::PawnlessFlank,
        ],
    ),
    family(
        "king_tropism",
        &[
            Feature::KnightTropism,
            Feature::BishopTropism,
            Feature::RookTropism,
            Feature::QueenTropism,
        ],
    ),
    family(
        "king_attacks",
        &[
            Feature::RingAttack,
            Feature::SafeCheck,
            Feature::UnsafeCheck,
            Feature::WeakRing,
            Feature::PinnedMan,
        ],
    ),
    family("king_flank", &[Feature::FlankAttack, Feature::FlankDefence]),
    family("king_danger", &[Feature::KingDanger]),
    family(
        "threats",
        &[
            Feature::ThreatByPawn,
            Feature::ThreatByMinor,
            Feature::ThreatByRook,
            Feature::ThreatByKing,
        ],
    ),
    family("hanging", &[Feature::Hanging, Feature::PushThreat]),
    family("restricted", &[Feature::Restricted]),
    family("queen_threats", &[Feature::KnightOnQueen, Feature::SliderOnQueen]),
    family("space", &[Feature::Space]),
    family(
        "initiative",
        &[
            Feature::InitiativePawns,
            Feature::InitiativeFlanks,
            Feature::InitiativePassed,
            Feature::InitiativeInfiltration,
            Feature::InitiativePawnEnding,
        ],
    ),
    family("king_pawns", &[Feature::KingPawnDistance]),
];

impl Family {
    /// The factor that leaves the weights unchanged, in thousandths.
    pub const UNCHANGED: i32 = 1000;

    /// The minimum and the maximum of the factor, inclusive, in thousandths. The range of piece values
    /// is narrow, because small changes of these matter.
    #[must_use]
    pub const fn range(&self) -> (i32, i32) {
        if self.index.is_some() { (500, 1500) } else { (-1500, 3500) }
    }

    /// Multiplies the weights of this family in `phase` by `factor`, in thousandths.
    pub fn scale(&self, phase: Phase, weights: &mut Weights, factor: i32) {
        let scaled = |weight: i32| {
            (i64::from(weight) * i64::from(factor) / i64::from(Self::UNCHANGED)) as i32
        };
        for feature in self.features {
            let all = &mut weights.0[feature.start()..][..feature.spec().len];
            let chosen = self.index.map_or(0..all.len(), |index| index..index + 1);
            for weight in &mut all[chosen] {
                *weight = match phase {
                    Phase::Opening => Tapered::new(scaled(weight.mg()), weight.eg()),
                    Phase::Ending => Tapered::new(weight.mg(), scaled(weight.eg())),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::feature::LEN;

    #[test]
    fn every_weight_belongs_to_one_family_except_mates_of_a_bare_king() {
        let mut doubled = Weights([Tapered::new(10, 100); LEN]);
        for family in FAMILIES {
            family.scale(Phase::Opening, &mut doubled, 2000);
            family.scale(Phase::Ending, &mut doubled, 2000);
        }
        for feature in Feature::ALL {
            let is_left =
                [Feature::BareKingEdge, Feature::BareKingDistance, Feature::BareKingCorner]
                    .contains(&feature);
            let expected = if is_left { Tapered::new(10, 100) } else { Tapered::new(20, 200) };
            for weight in &doubled.0[feature.start()..][..feature.spec().len] {
                assert_eq!(*weight, expected, "{feature:?}");
            }
        }
    }

    #[test]
    fn the_factor_of_a_piece_value_changes_that_value_alone() {
        let family = FAMILIES.iter().find(|family| family.name == "rook_value").unwrap();
        let weights = Weights([Tapered::new(10, 100); LEN]);
        let mut changed = weights.clone();
        family.scale(Phase::Ending, &mut changed, 1500);
        let index = Feature::PieceValue.start() + 3;
        assert_eq!(changed.0[index], Tapered::new(10, 150));
        changed.0[index] = weights.0[index];
        assert_eq!(changed, weights);
        assert_eq!(family.range(), (500, 1500));
    }
}
