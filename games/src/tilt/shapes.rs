//! A search over shapes of the evaluation f, for one under which expert, normal and novice are as
//! strong as their names.
//!
//! The report names the criteria of f without numbers, and with our reading the expert loses to the
//! normal level. The shapes vary what is open: the exponent of progress, κ, the weight of the
//! reply, and whether the opponent replies only when the board has tipped.

use super::{Tilt, TiltMove, advance, evaluation::COLUMNS_TO_GO, level::result, rules::TiltRules};
use crate::{
    game::{Game, Side},
    matches::statistics::SampleMean,
    search::best_by,
};
use deepfeeling::support::random::{Random, mixed};

/// A shape of f: `Σ sᵉ/14 + κ·[the next turn is mine]`, and how the expert uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The exponent e of progress, 1 to 3.
    pub exponent: f64,
    /// The worth κ of the next turn, 0 to 10.
    pub kappa: f64,
    /// The weight of the best reply, 0 to 1.
    pub reply: f64,
    /// Whether the opponent replies only when the board has tipped.
    pub only_passed: bool,
}

impl Shape {
    /// Iterates over the grid of shapes, without those in which the expert is the normal level.
    pub fn grid() -> impl Iterator<Item = Self> {
        const EXPONENTS: [f64; 5] = [1.0, 1.5, 2.0, 2.5, 3.0];
        const KAPPAS: [f64; 4] = [0.0, 1.0, 3.0, 10.0];
        const REPLIES: [f64; 5] = [0.05, 0.1, 0.25, 0.5, 1.0];
        let pairs = EXPONENTS.into_iter().flat_map(|e| KAPPAS.map(|kappa| (e, kappa)));
        let uses =
            REPLIES.into_iter().flat_map(|reply| [false, true].map(|passed| (reply, passed)));
        let uses: Vec<_> = uses.collect();
        pairs.flat_map(move |(exponent, kappa)| {
            uses.clone().into_iter().map(move |(reply, only_passed)| Self {
                exponent,
                kappa,
                reply,
                only_passed,
            })
        })
    }

    fn f(&self, position: &Tilt, side: Side) -> f64 {
        let progress =
            position.men(side).map(|cell| f64::from(advance(side, cell)).powf(self.exponent));
        let turn = if position.turn() == side { self.kappa } else { 0.0 };
        progress.sum::<f64>() / COLUMNS_TO_GO + turn
    }

    /// Returns the value of a move for the normal level.
    fn normal(&self, position: &Tilt, m: TiltMove) -> f64 {
        let side = position.turn();
        let after = position.after(m);
        result(&after, side).unwrap_or_else(|| self.f(&after, side))
    }

    /// Returns the value of a move for the expert.
    fn expert(&self, position: &Tilt, m: TiltMove) -> f64 {
        let (side, rival) = (position.turn(), position.turn().other());
        let after = position.after(m);
        if let Some(value) = result(&after, side) {
            return value;
        }
        let replies = if self.only_passed && after.turn() == side {
            super::TiltMoves::new()
        } else {
            after.moves_of(rival)
        };
        let value = |reply| {
            let next = after.after_move_of(rival, reply);
            result(&next, rival).unwrap_or_else(|| self.f(&next, rival))
        };
        let best = replies.into_iter().map(value).reduce(f64::max);
        self.f(&after, side) - self.reply * best.unwrap_or_else(|| self.f(&after, rival))
    }
}

/// A level under a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapedLevel {
    /// Any legal move.
    Novice,
    /// The move with the best f.
    Normal,
    /// The move that is best compared with the best reply.
    Expert,
}

/// Returns the share of the points of `levels[0]` against `levels[1]`, in `pairs` pairs of games.
/// Each pair exchanges sides, and the first move goes from pair to pair.
pub fn share(shape: &Shape, levels: [ShapedLevel; 2], pairs: u64, seed: u64) -> SampleMean {
    let mut points_won = SampleMean::default();
    for number in seed..seed + pairs {
        let mut random = Random::new(mixed(number));
        let start = Tilt::start(TiltRules::default(), number);
        let points: u8 = Side::ALL
            .into_iter()
            .map(|side| {
                let last = played(shape, start, levels, side, &mut random);
                last.outcome().map_or(1, |outcome| outcome.half_points(side))
            })
            .sum();
        points_won.add(f64::from(points) / 4.0);
    }
    points_won
}

/// Plays a game in which the first of `levels` has `side`, and returns its last position.
fn played(
    shape: &Shape,
    mut position: Tilt,
    levels: [ShapedLevel; 2],
    side: Side,
    random: &mut Random,
) -> Tilt {
    while position.outcome().is_none() {
        let moves = match levels[usize::from(position.turn() != side)] {
            ShapedLevel::Novice => best_by(&position, |_| 0.0),
            ShapedLevel::Normal => best_by(&position, |m| shape.normal(&position, m)),
            ShapedLevel::Expert => best_by(&position, |m| shape.expert(&position, m)),
        };
        position.play(moves[random.below(moves.len())].m);
    }
    position
}
