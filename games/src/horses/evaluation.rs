//! The evaluation of the report on Smart Horses, term by term.
//!
//! `H = 10·Δscore + 1.5·Δmobility + 2·Δpotential + Δcentre + 0.05·rest`, seen from one side.
//!
//! The ten prizes sum to 0, so `rest` is 0 at the start. It belongs to nobody: taking a prize of v
//! points is worth 9.95·v to a side, and losing it to the opponent costs 10.05·v. H is therefore
//! not antisymmetric, and a search must see it from the side of its root throughout.

use super::{Horses, board::squares};
use crate::{
    evaluation::{Terms, Weights},
    game::Side,
};
use deepfeeling::{mind::listed::Listed, support::variants::variants};

/// A term of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HorsesTerm {
    /// The score, in points.
    Score,
    /// The number of legal moves, also when the opponent is to move.
    Mobility,
    /// The sum of the points on all squares one move away.
    Potential,
    /// The Euclidean distance to the centre of the board, negated. The report names no metric; this
    /// is the one of its authors' program.
    Centre,
    /// The sum of the points that are left. It belongs to nobody, and only the side that evaluates
    /// counts it.
    Rest,
    /// Ours: the number of squares within two moves while the opponent stands still. Its weight is
    /// 0, so that only feelings count it.
    Room,
}

impl Listed for HorsesTerm {
    type Each<T> = [T; 6];
    const ALL: [Self; 6] = variants();

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The weights of the report, in the order of [`HorsesTerm`].
pub const REPORT: Weights<Horses> =
    Weights { own: [10.0, 1.5, 2.0, 1.0, 0.05, 0.0], other: [10.0, 1.5, 2.0, 1.0, 0.0, 0.0] };

/// What room is worth at 200 percent: two thirds of a move for each square. Ours.
const FELT: Weights<Horses> = {
    let room = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    Weights { own: room, other: room }
};

impl Terms for Horses {
    const FELT: Weights<Self> = FELT;

    fn count(&self, side: Side, term: HorsesTerm) -> f64 {
        match term {
            HorsesTerm::Score => self.score(side).into(),
            HorsesTerm::Mobility => self.targets(side).count_ones().into(),
            HorsesTerm::Potential => {
                // a destroyed square has no points left
                let points =
                    squares(self.targets(side)).map(|square| i32::from(self.prize(square)));
                points.sum::<i32>().into()
            }
            HorsesTerm::Centre => -self.knight(side).distance_from_centre(),
            HorsesTerm::Rest => self.rest().into(),
            HorsesTerm::Room => self.room(side).count_ones().into(),
        }
    }
}
