//! The quantities that a model holds fixed or tests, computed from an observation.

use super::{
    fit::table::{INTERCEPT, Row, Table},
    observation::Observation,
    units::Units,
};

/// Fewer seconds than this on the clock count as time trouble.
pub(super) const HURRY: f32 = 30.0;

/// A column of a model. The units are chosen so that coefficients have similar sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covariate {
    Intercept,
    /// ε⁺: the emotion if it is relief, or else 0.
    Relief,
    /// ε⁻: the emotion, as a positive number, if it is fear, or else 0.
    Fear,
    /// The mood of the earlier turns, split like the emotion.
    EarlierRelief,
    EarlierFear,
    /// ε⁺ with less than 30 seconds left.
    ReliefInHurry,
    /// ε⁻ with less than 30 seconds left.
    FearInHurry,
    /// Winning chance before the move, -1 to 1, and its powers.
    Chance,
    ChanceSquared,
    ChanceCubed,
    /// Score before the move, in units of ten pawns.
    Score,
    /// In units of 400 points.
    Rating,
    /// In units of 40 plies.
    Ply,
    PlySquared,
    /// Logarithm of the number of legal moves.
    LegalMoves,
    /// All pieces and pawns, in units of ten pawns.
    Pieces,
    /// Loss by the opponent's last move, in units of ten percentage points.
    Slip,
    /// Loss by the player's own last move, in units of ten percentage points.
    OwnSlip,
    /// Share of legal moves that are blunders.
    Difficulty,
    /// One of the four inputs of the map.
    Material,
    Mobility,
    KingSafety,
    KingExposure,
    /// Logarithm of the seconds left plus 1.
    ClockLeft,
    /// Whether less than 30 seconds are left.
    Hurry,
    /// Logarithm of the player's last time plus 1.
    OwnLast,
    /// Logarithm of the opponent's last time plus 1.
    TheirLast,
    /// Logarithm of the base time.
    Base,
    /// In units of ten seconds.
    Increment,
}

use Covariate::{
    Base, Chance, ChanceCubed, ChanceSquared, ClockLeft, Difficulty, EarlierFear, EarlierRelief,
    Fear, FearInHurry, Hurry, Increment, Intercept, KingExposure, KingSafety, LegalMoves, Material,
    Mobility, OwnLast, OwnSlip, Pieces, Ply, PlySquared, Rating, Relief, ReliefInHurry, Score,
    Slip, TheirLast,
};

/// The emotion, split by its sign.
pub(super) const EMOTION: &[Covariate] = &[Relief, Fear];
/// What may carry over from the player's earlier turns.
pub(super) const EARLIER: &[Covariate] = &[EarlierRelief, EarlierFear, OwnSlip];
/// The four measures that the map perceives.
pub(super) const MEASURES: &[Covariate] = &[Material, Mobility, KingSafety, KingExposure];
/// The situation of a quiet move.
pub(super) const SITUATION: &[Covariate] = &[
    Chance,
    ChanceSquared,
    ChanceCubed,
    Rating,
    Ply,
    PlySquared,
    LegalMoves,
    Pieces,
    Slip,
    Difficulty,
];
/// The clock.
pub(super) const CLOCK: &[Covariate] = &[ClockLeft, Hurry, Base, Increment];
/// The times of the last two moves.
pub(super) const LAST_TIMES: &[Covariate] = &[OwnLast, TheirLast];
/// The interaction of emotion and time trouble.
pub(super) const IN_HURRY: &[Covariate] = &[ReliefInHurry, FearInHurry];
/// The situation of any move, for the hazard of resignation.
pub(super) const STANDING: &[Covariate] =
    &[Chance, ChanceSquared, ChanceCubed, Score, Rating, Ply, PlySquared, LegalMoves, Pieces];

impl Covariate {
    /// Returns the name of the column.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Intercept => INTERCEPT,
            Relief => "relief",
            Fear => "fear",
            EarlierRelief => "earlier relief",
            EarlierFear => "earlier fear",
            OwnSlip => "own last slip",
            ReliefInHurry => "relief × under 30 s",
            FearInHurry => "fear × under 30 s",
            Chance => "winning chance",
            ChanceSquared => "winning chance²",
            ChanceCubed => "winning chance³",
            Score => "score",
            Rating => "rating",
            Ply => "ply",
            PlySquared => "ply²",
            LegalMoves => "legal moves",
            Pieces => "pieces",
            Slip => "opponent's last slip",
            Difficulty => "difficulty",
            Material => "material",
            Mobility => "mobility",
            KingSafety => "king safety",
            KingExposure => "king exposure",
            ClockLeft => "clock",
            Hurry => "under 30 s",
            OwnLast => "own last time",
            TheirLast => "opponent's last time",
            Base => "base time",
            Increment => "increment",
        }
    }

    /// Returns the value. Missing quantities count as 0; models select observations that have them.
    pub(super) fn of(self, one: &Observation) -> f64 {
        let (relief, fear) = (one.felt.max(0.0), (-one.felt).max(0.0));
        let clock = one.clock;
        let hurry = clock.map_or(0.0, |clock| f32::from(u8::from(clock.left < HURRY)));
        let chance = one.chance / 50.0 - 1.0;
        let ply = f32::from(one.ply) / 40.0 - 1.0;
        let log = |seconds: Option<f32>| seconds.map_or(0.0, f32::ln_1p);
        let value = match self {
            Intercept => 1.0,
            Relief => relief,
            Fear => fear,
            EarlierRelief => one.mood.max(0.0),
            EarlierFear => (-one.mood).max(0.0),
            OwnSlip => one.own_slip.unwrap_or(0.0) / 10.0,
            ReliefInHurry => hurry * relief,
            FearInHurry => hurry * fear,
            Chance => chance,
            ChanceSquared => chance.powi(2),
            ChanceCubed => chance.powi(3),
            Score => f32::from(one.centipawns) / 1000.0,
            Rating => f32::from(one.elo) / 400.0 - 4.0,
            Ply => ply,
            PlySquared => ply.powi(2),
            LegalMoves => f32::from(one.moves).ln() - 3.5,
            Pieces => f32::from(one.material) / 1000.0 - 5.0,
            Slip => one.slip.unwrap_or(0.0) / 10.0,
            Difficulty => one.difficulty.unwrap_or(0.0),
            Material => one.perceived[0],
            Mobility => one.perceived[1],
            KingSafety => one.perceived[2],
            KingExposure => one.perceived[3],
            ClockLeft => log(clock.map(|clock| clock.left)) - 4.0,
            Hurry => hurry,
            OwnLast => log(clock.and_then(|clock| clock.own_last)),
            TheirLast => log(clock.and_then(|clock| clock.their_last)),
            Base => clock.map_or(0.0, |clock| clock.base.ln() - 5.0),
            Increment => clock.map_or(0.0, |clock| clock.increment / 10.0),
        };
        f64::from(value)
    }
}

/// Builds the table of a model from selected observations and their outcomes.
pub(super) fn table(
    sample: &[&Observation],
    groups: &[&[Covariate]],
    units: &Units,
    outcome: impl Fn(&Observation) -> f64,
) -> Table {
    let columns = groups.concat();
    let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
    let row = |one: &&Observation| Row {
        cells: columns.iter().map(|column| column.of(one)).collect(),
        outcome: outcome(one),
        unit: units.unit(one),
        cluster: units.cluster(one),
    };
    Table::new(&names, sample.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;
    use crate::lab::study::{observation::ClockState, tests::observation};

    #[test]
    fn relief_and_fear_are_the_two_sides_of_the_emotion() {
        let mut one = observation();
        let mut values = |felt: f32| {
            one.felt = felt;
            [Relief, Fear, ReliefInHurry, FearInHurry].map(|column| column.of(&one))
        };
        assert_eq!(values(0.5), [0.5, 0.0, 0.0, 0.0]);
        assert_eq!(values(-0.25), [0.0, 0.25, 0.0, 0.0]);
        let clock = |left| ClockState {
            left,
            used: None,
            own_last: None,
            their_last: None,
            base: 60.0,
            increment: 0.0,
        };
        one.clock = Some(clock(29.0));
        assert_eq!([Fear, FearInHurry, Hurry].map(|column| column.of(&one)), [0.25, 0.25, 1.0]);
        one.clock = Some(clock(30.0));
        assert_eq!([FearInHurry, Hurry].map(|column| column.of(&one)), [0.0, 0.0]);
    }
}
