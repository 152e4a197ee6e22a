//! Tilt: two sides cross a balance board, and the heavier half decides who moves.
//!
//! The game is *Yali2* of J. Montoya, R. Falcón, V. Vera and D. Mauricio ("Juego Humano - Máquina
//! YALI2", Universidad Nacional Mayor de San Marcos, about 2006). The board has 5 rows and 16
//! columns. Silver's ten men start on columns 1 and 2 and move right, Gold's ten on columns 15 and
//! 16 and move left. A man moves one column forward, straight or diagonally, onto an empty cell.
//! There are no captures. After each move the board tips to its heavier half. If that is the left
//! half, Silver moves next, and if not, Gold. A man weighs 8 at the edge of the board, and 1 at its
//! middle.
//!
//! Each side has four extra men. One is set into its own half whenever a man reaches the opponent's
//! home, the two columns at the far end.
//!
//! The report contradicts itself in places. [`TiltRules`] lists the readings, and its defaults are
//! ours.

pub mod evaluation;
pub mod feeling;
mod level;
mod notation;
pub mod person;
pub mod rules;
pub mod shapes;
mod view;

use crate::{
    game::{Game, Outcome, Side},
    notation::NotationError,
};
use arrayvec::ArrayVec;
use deepfeeling::support::random::mixed;
use rules::{Balance, Extras, Goal, TiltRules};
use std::fmt;

/// The number of rows.
pub const ROWS: u8 = 5;
/// The number of columns.
pub const COLUMNS: u8 = 16;
/// The number of men of a side, and the steps or men in the opponent's home that win.
pub const MEN: u8 = 10;
/// The number of extra men of a side.
pub const EXTRAS: u8 = 4;
/// The weight of the first, second, third and fourth extra man.
const EXTRA_WEIGHTS: [i16; 4] = [8, 7, 6, 5];

/// A cell, row by row from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(u8);

impl Cell {
    /// Returns the cell in a column (1 to 16) and a row (1 to 5), or `None` outside the board.
    #[must_use]
    pub fn at(column: u8, row: u8) -> Option<Self> {
        let is_inside = (1..=COLUMNS).contains(&column) && (1..=ROWS).contains(&row);
        is_inside.then(|| Self((row - 1) * COLUMNS + column - 1))
    }

    /// Returns the column, 1 to 16.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % COLUMNS + 1
    }

    /// Returns the row, 1 to 5.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / COLUMNS + 1
    }

    const fn bit(self) -> u128 {
        1 << self.0
    }

    /// Returns the cell `columns` and `rows` away, if there is one.
    fn shifted(self, columns: i8, rows: i8) -> Option<Self> {
        let column = self.column().checked_add_signed(columns)?;
        Self::at(column, self.row().checked_add_signed(rows)?)
    }

    /// Returns what a man here adds to the left half, or takes from it if he is in the right half.
    fn weight(self) -> i16 {
        let column = i16::from(self.column());
        if column <= 8 { 9 - column } else { 8 - column }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() - 1), self.row())
    }
}

/// A move of one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiltMove {
    /// The cell that the man leaves.
    pub from: Cell,
    /// The cell that he reaches.
    pub to: Cell,
}

impl fmt::Display for TiltMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// The legal moves of a position: at most six for each of ten men.
pub type TiltMoves = ArrayVec<TiltMove, 60>;

/// A position of Tilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tilt {
    rules: TiltRules,
    men: [u128; 2],
    /// The extra men that are not yet set.
    extras: [u8; 2],
    /// The steps that landed in the opponent's home.
    steps: [u8; 2],
    turn: Side,
    /// The weight of the men in the left half minus that in the right half.
    lean: i16,
}

/// Iterates over the cells of a set.
fn cells(mut set: u128) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| Cell(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(first)
    })
}

/// The direction in which a side moves: 1 to the right, -1 to the left.
const fn forward(side: Side) -> i8 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

/// Returns how many columns a man of `side` on `cell` is from its own edge, 0 to 15.
#[must_use]
pub fn advance(side: Side, cell: Cell) -> u8 {
    match side {
        Side::First => cell.column() - 1,
        Side::Second => COLUMNS - cell.column(),
    }
}

/// Returns whether `cell` is in the home of the opponent of `side`.
#[must_use]
pub fn is_home(side: Side, cell: Cell) -> bool {
    advance(side, cell) >= COLUMNS - 2
}

impl Tilt {
    /// Iterates over the cells of a side's men.
    pub fn men(&self, side: Side) -> impl Iterator<Item = Cell> {
        cells(self.men[side as usize])
    }

    /// Returns the number of extra men of a side that are not yet set.
    #[must_use]
    pub fn extras_left(&self, side: Side) -> u8 {
        self.extras[side as usize]
    }

    /// Returns how far a side is towards its goal: steps into the opponent's home, or men in it.
    #[must_use]
    pub fn home(&self, side: Side) -> u8 {
        match self.rules.goal {
            Goal::Steps => self.steps[side as usize],
            Goal::Cells => self.men(side).filter(|&cell| is_home(side, cell)).count() as u8,
        }
    }

    /// Returns the weight of the left half minus the weight of the right half. Silver moves next if it is
    /// above 0.
    #[must_use]
    pub fn lean(&self) -> i16 {
        let [silver, gold] = Side::ALL.map(|side| self.extra_weights(side));
        self.lean + (silver[0] + gold[1]) - (gold[0] + silver[1])
    }

    /// Returns by how much the board leans to the half of `side`: ordinary moves until the turn
    /// passes, negative if it leans to the other half.
    #[must_use]
    pub fn lean_to(&self, side: Side) -> i16 {
        match side {
            Side::First => self.lean(),
            Side::Second => -self.lean(),
        }
    }

    /// Returns the weights of the left and the right half.
    #[must_use]
    pub fn weights(&self) -> [i16; 2] {
        let [silver, gold] = Side::ALL.map(|side| self.extra_weights(side));
        let mut weights = [silver[0] + gold[1], gold[0] + silver[1]];
        for cell in cells(self.men[0] | self.men[1]) {
            weights[usize::from(cell.weight() < 0)] += cell.weight().abs();
        }
        weights
    }

    /// Returns the weights of a side's extra men in its own half and in the other half.
    fn extra_weights(&self, side: Side) -> [i16; 2] {
        let used = usize::from(EXTRAS - self.extras_left(side));
        let (set, unset) = EXTRA_WEIGHTS.split_at(used);
        match self.rules.extras {
            Extras::Moved => [set.iter().sum(), 0],
            Extras::Edge => [set.iter().sum(), unset.iter().sum()],
            Extras::Printed => {
                // the printed sums count the opponent's extras, and from b = 0
                let counted = 0..=i16::from(EXTRAS - self.extras_left(side.other()));
                match side {
                    Side::First => [counted.map(|b| 9 - b).sum(), 0],
                    Side::Second => [counted.map(|b| b - 8).sum(), 0],
                }
            }
        }
    }

    /// Returns the moves that `side` has, or would have if it were its turn.
    #[must_use]
    pub fn moves_of(&self, side: Side) -> TiltMoves {
        self.steps_of(side).collect()
    }

    /// Returns whether `side` has a move, or would have one if it were its turn.
    #[must_use]
    pub fn can_move(&self, side: Side) -> bool {
        self.steps_of(side).next().is_some()
    }

    fn steps_of(&self, side: Side) -> impl Iterator<Item = TiltMove> {
        let steps = [-1, 0, 1].into_iter();
        let men = self.men(side).flat_map(move |from| steps.clone().map(move |rows| (from, rows)));
        men.filter_map(move |(from, rows)| {
            let ahead = forward(side);
            let near = from.shifted(ahead, rows)?;
            if self.is_empty(near) {
                return Some(TiltMove { from, to: near });
            }
            let behind = from.shifted(2 * ahead, 2 * rows).filter(|_| self.rules.jumps)?;
            self.is_empty(behind).then_some(TiltMove { from, to: behind })
        })
    }

    fn is_empty(&self, cell: Cell) -> bool {
        (self.men[0] | self.men[1]) & cell.bit() == 0
    }

    /// Moves a man of `side`, without a change of turn.
    fn step(&mut self, side: Side, m: TiltMove) {
        self.men[side as usize] ^= m.from.bit() | m.to.bit();
        self.lean += m.to.weight() - m.from.weight();
        if is_home(side, m.to) {
            self.steps[side as usize] += 1;
            let extras = &mut self.extras[side as usize];
            if !is_home(side, m.from) {
                *extras = extras.saturating_sub(1);
            }
        }
    }

    /// Returns the position after `side` has moved a man, and lets the board decide whose turn it
    /// is.
    #[must_use]
    pub fn after_move_of(&self, side: Side, m: TiltMove) -> Self {
        let mut after = *self;
        after.step(side, m);
        let heavier = match (after.lean(), self.rules.balance) {
            (0, Balance::Stay) => side,
            (lean, _) if lean > 0 => Side::First,
            _ => Side::Second,
        };
        after.turn = if after.can_move(heavier) { heavier } else { heavier.other() };
        after
    }

    fn has_won(&self, side: Side) -> bool {
        self.home(side) >= MEN
    }

    /// Returns the sum of the columns that the men of a side are from their edge.
    fn columns(&self, side: Side) -> u32 {
        self.men(side).map(|cell| u32::from(advance(side, cell))).sum()
    }
}

impl Game for Tilt {
    type Rules = TiltRules;
    type Move = TiltMove;
    type Moves = TiltMoves;

    const NAME: &'static str = "tilt";
    const SIDES: [&'static str; 2] = ["Silver", "Gold"];
    const UNIT: &'static str = "steps home";

    /// Returns the initial position. Silver begins if `seed` is even, Gold if it is odd.
    fn start(rules: TiltRules, seed: u64) -> Self {
        notation::initial(rules, if seed.is_multiple_of(2) { Side::First } else { Side::Second })
    }

    fn parse(text: &str, rules: TiltRules) -> Result<Self, NotationError> {
        notation::parse(text, rules)
    }

    fn parse_rules(text: &str) -> Result<TiltRules, NotationError> {
        text.parse()
    }

    fn rules(&self) -> TiltRules {
        self.rules
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self) -> TiltMoves {
        if Side::ALL.into_iter().any(|side| self.has_won(side)) {
            return TiltMoves::new();
        }
        self.moves_of(self.turn)
    }

    fn play(&mut self, m: TiltMove) {
        *self = self.after_move_of(self.turn, m);
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = Side::ALL.into_iter().find(|&side| self.has_won(side)) {
            return Some(Outcome::Win(winner));
        }
        if self.can_move(self.turn) {
            return None;
        }
        let standing = |side| (self.home(side), self.columns(side));
        Some(match standing(Side::First).cmp(&standing(Side::Second)) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn lead(&self, side: Side) -> i32 {
        i32::from(self.home(side)) - i32::from(self.home(side.other()))
    }

    fn key(&self) -> u64 {
        let [silver, gold] = self.men;
        // 80 cells of each side; turn, extras and steps fit into the bits above
        let small = [self.extras[0], self.extras[1], self.steps[0], self.steps[1]];
        let above = small.iter().fold(self.turn as u64, |bits, &n| bits << 8 | u64::from(n));
        let halves =
            [silver as u64, (silver >> 64) as u64, gold as u64, (gold >> 64) as u64, above];
        halves.into_iter().fold(0, |key, half| mixed(key ^ half))
    }

    fn promise(&self, m: TiltMove) -> i32 {
        advance(self.turn, m.to).into()
    }

    fn remark(&self) -> Option<(&'static str, Option<Side>)> {
        let is_won = Side::ALL.into_iter().any(|side| self.has_won(side));
        (!is_won && self.outcome().is_some()).then_some(("blocked", None))
    }

    fn draw(&self) -> String {
        notation::draw(self)
    }
}

impl fmt::Display for Tilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write(self, f)
    }
}
