//! The evaluation of Tilt, term by term.
//!
//! The report names two criteria without numbers: nearness to the opponent's home, and the tilt of
//! the board, to keep moving. This reading of them is ours: `f = Σ s²/14 + κ·[the next turn is
//! mine]`, where s is how many columns a man is from its own edge, and κ is 1. A plain sum of s
//! would make all moves equal, because every move advances one column.

use super::{Tilt, advance};
use crate::{
    evaluation::{Terms, Weights},
    game::{Game, Side},
};
use deepfeeling::{mind::listed::Listed, support::variants::variants};

/// A term of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum TiltTerm {
    /// The sum over all men of s²/14, where s is how many columns a man is from its own edge.
    Progress,
    /// Steps into the opponent's home, or men in it. Ours.
    Home,
    /// Extra men that are set. Ours.
    Extras,
    /// 1 if the next turn is the side's own, 0 if not.
    Run,
    /// The moves that the side has, or would have if it were its turn. Ours.
    Mobility,
    /// How far the board leans to the side's half, negative if it leans to the other half. A man
    /// who crosses the middle costs more of it than others. Ours.
    Lean,
}

impl Listed for TiltTerm {
    type Each<T> = [T; 6];
    const ALL: [Self; 6] = variants();

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The divisor of squared progress: the columns that a man covers in a whole game.
pub(super) const COLUMNS_TO_GO: f64 = 14.0;

/// The weights of f, the reading of the report's criteria, in the order of [`TiltTerm`].
pub const F: [f64; 6] = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// What the terms without a weight are worth at 200 percent, in the unit of f: a man one column
/// further in mid-board is worth about 1. Ours.
const FELT: Weights<Tilt> = {
    let felt = [1.0, 1.0, 1.0, 1.0, 0.2, 1.0];
    Weights { own: felt, other: felt }
};

impl Terms for Tilt {
    const FELT: Weights<Self> = FELT;

    fn count(&self, side: Side, term: TiltTerm) -> f64 {
        match term {
            TiltTerm::Progress => {
                let squares = self.men(side).map(|cell| u32::from(advance(side, cell)).pow(2));
                f64::from(squares.sum::<u32>()) / COLUMNS_TO_GO
            }
            TiltTerm::Home => self.home(side).into(),
            TiltTerm::Extras => (super::EXTRAS - self.extras_left(side)).into(),
            TiltTerm::Run => f64::from(u8::from(self.turn() == side)),
            TiltTerm::Mobility => f64::from(self.moves_of(side).len() as u32),
            TiltTerm::Lean => self.lean_to(side).into(),
        }
    }
}

/// The weights of greedy play, which ignores the opponent.
pub const ONE_SIDED: Weights<Tilt> = Weights { own: F, other: [0.0; 6] };
/// The weights of play that looks at both sides.
pub const TWO_SIDED: Weights<Tilt> = Weights { own: F, other: F };
/// The weights of `master`.
pub const MASTER: Weights<Tilt> = TWO_SIDED;
