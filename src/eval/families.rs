//! Families of weights that one factor scales, for tuning by games (cargo feature `tuning`).
//!
//! Games can measure a few dozen factors, but not each of the weights.

use super::{feature::Feature, weights::Weights};
use crate::chess::score::Tapered;

/// Weights of one phase of the game that a factor scales.
#[derive(Debug, PartialEq)]
pub struct Family {
    /// The name of the factor.
    pub name: &'static str,
    features: &'static [Feature],
    /// The only index of each feature that is scaled.
    index: Option<usize>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Opening,
    Ending,
}

/// Defines two families per row, one for each phase of the game. A row has the name, the features,
/// and the only index that is scaled.
macro_rules! families {
    ($($name:literal: [$($feature:ident),+ $(,)?] $(at $index:literal)?;)+) => {
        /// Every family.
        pub const FAMILIES: &[Family] = &[$(
            Family {
                name: concat!($name, "_opening"),
                features: &[$(Feature::$feature),+],
                index: families!(@index $($index)?),
                phase: Phase::Opening,
            },
            Family {
                name: concat!($name, "_ending"),
                features: &[$(Feature::$feature),+],
                index: families!(@index $($index)?),
                phase: Phase::Ending,
            },
        )+];
    };
    (@index) => { None };
    (@index $index:literal) => { Some($index) };
}

families! {
    "pawn_value": [PieceValue] at 0;
    "knight_value": [PieceValue] at 1;
    "bishop_value": [PieceValue] at 2;
    "rook_value": [PieceValue] at 3;
    "queen_value": [PieceValue] at 4;
    "pawn_placement": [PawnPlacement];
    "knight_placement": [KnightPlacement];
    "bishop_placement": [BishopPlacement];
    "rook_placement": [RookPlacement];
    "queen_placement": [QueenPlacement];
    "king_placement": [KingPlacement];
    "tempo": [Tempo];
    "bishop_pair": [BishopPair];
    "imbalance": [
        KnightByPawns, BishopByPawns, RookByPawns, QueenByPawns, SecondRook, SecondKnight,
    ];
    "knight_mobility": [KnightMobility];
    "bishop_mobility": [BishopMobility];
    "rook_mobility": [RookMobility];
    "queen_mobility": [QueenMobility];
    "weak_pawns": [IsolatedPawn, DoubledPawn, BackwardPawn, WeakUnopposed];
    "pawn_chains": [PhalanxPawn, SupportedPawn, FreeChain];
    "pawn_contacts": [LeverPawn, BlockedPawn, CandidatePawn];
    "passed_pawns": [PassedPawn];
    "passed_path": [
        PassedBlocked, PassedSupported, PassedFreePath, PassedSafeStep, PassedGuardedStep,
        RookBehindPassed, EnemyRookBehindPassed, UnstoppablePawn,
    ];
    "passed_kings": [PassedOwnKing, PassedEnemyKing];
    "outposts": [KnightOutpost, BishopOutpost, ReachableOutpost];
    "bishop_pawns": [BadBishop, BishopXrayPawns, LongDiagonal];
    "minor_posts": [MinorBehindPawn, KnightKingDistance, BishopKingDistance];
    "closure": [KnightByClosure, RookByClosure];
    "rook_posts": [
        RookOpenFile, RookHalfOpenFile, RookSeventh, RookTrapped, RookOnQueenFile, RookOnKingFile,
    ];
    "queen_posts": [QueenWeak, QueenInfiltration];
    "king_shelter": [CastlingRight, PawnShield, FreeStorm, BlockedStorm, PawnlessFlank];
    "king_tropism": [KnightTropism, BishopTropism, RookTropism, QueenTropism];
    "king_attacks": [RingAttack, SafeCheck, UnsafeCheck, WeakRing, PinnedMan];
    "king_flank": [FlankAttack, FlankDefence];
    "king_danger": [KingDanger];
    "threats": [ThreatByPawn, ThreatByMinor, ThreatByRook, ThreatByKing];
    "hanging": [Hanging, PushThreat];
    "restricted": [Restricted];
    "queen_threats": [KnightOnQueen, SliderOnQueen];
    "space": [Space];
    "initiative": [
        InitiativePawns, InitiativeFlanks, InitiativePassed, InitiativeInfiltration,
        InitiativePawnEnding,
    ];
    "king_pawns": [KingPawnDistance];
}

impl Family {
    /// The factor that leaves the weights unchanged, in thousandths.
    pub const UNCHANGED: i32 = 1000;

    /// The minimum and the maximum of the factor, inclusive, in thousandths. Piece values are close to
    /// their best values, so their range is narrow.
    #[must_use]
    pub const fn range(&self) -> (i32, i32) {
        if self.index.is_some() { (500, 1500) } else { (-1500, 3500) }
    }

    /// Multiplies the weights of this family by `factor`, in thousandths.
    pub fn scale(&self, weights: &mut Weights, factor: i32) {
        let scaled = |weight: i32| {
            (i64::from(weight) * i64::from(factor) / i64::from(Self::UNCHANGED)) as i32
        };
        for feature in self.features {
            let all = &mut weights.0[feature.start()..][..feature.spec().len];
            let chosen = self.index.map_or(0..all.len(), |index| index..index + 1);
            for weight in &mut all[chosen] {
                *weight = match self.phase {
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
    fn every_weight_belongs_to_one_family_per_phase_except_mates_of_a_bare_king() {
        let mut doubled = Weights([Tapered::new(10, 100); LEN]);
        for family in FAMILIES {
            family.scale(&mut doubled, 2000);
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
        let family = FAMILIES.iter().find(|family| family.name == "rook_value_ending").unwrap();
        let weights = Weights([Tapered::new(10, 100); LEN]);
        let mut changed = weights.clone();
        family.scale(&mut changed, 1500);
        let index = Feature::PieceValue.start() + 3;
        assert_eq!(changed.0[index], Tapered::new(10, 150));
        changed.0[index] = weights.0[index];
        assert_eq!(changed, weights);
        assert_eq!(family.range(), (500, 1500));
    }
}
