//! Horses: two knights collect points on a board that crumbles behind them.
//!
//! The game is *Smart Horses* of K. A. Ramírez Amaya and J. J. Ramos Gaviria (report on its
//! heuristic, Universidad del Valle, November 2025). The board has 8 × 8 squares. Each side has one
//! knight, and White moves first. Ten squares carry -10, -5, -4, -3, -1, 1, 3, 4, 5 and 10 points
//! for the knight that steps on them. A visited square is destroyed. A side that cannot move while
//! its opponent can is fined 4 points. More points win.
//!
//! The report leaves open when a side is fined, whether the starting squares are destroyed, and
//! what a side without moves does. These answers follow the authors' program, except that the fine
//! is paid once, as the text says.

pub mod board;
pub mod evaluation;
pub mod feeling;
mod level;
mod notation;
mod view;

use crate::game::{Game, Outcome, Side};
use crate::notation::{NotationError, shown};
use arrayvec::ArrayVec;
use board::{Square, squares};
use deepfeeling::support::{
    random::{Random, mixed},
    spelling::nearest,
};
use std::fmt;

/// The points on the board at the start, one square each.
pub const PRIZES: [i8; 10] = [10, 5, 4, 3, 1, -1, -3, -4, -5, -10];
/// The fine for a side that cannot move while its opponent can, in points.
pub const FINE: i16 = 4;

/// How often a side without moves is fined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fine {
    /// Only once: the report's text.
    #[default]
    Once,
    /// At each turn that it cannot use: the authors' program.
    EachTurn,
}

impl Fine {
    const NAMED: [(&'static str, Self); 2] = [("once", Self::Once), ("each_turn", Self::EachTurn)];
}

impl fmt::Display for Fine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Once => "once",
            Self::EachTurn => "each_turn",
        })
    }
}

/// The options of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HorsesRules {
    /// How often a side without moves is fined.
    pub fine: Fine,
}

impl fmt::Display for HorsesRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fine={}", self.fine)
    }
}

/// A position of Horses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horses {
    rules: HorsesRules,
    knights: [Square; 2],
    /// Squares that nobody may step on, including the squares of the knights.
    destroyed: u64,
    /// The points on each square that is not destroyed.
    prizes: [i8; Square::COUNT],
    scores: [i16; 2],
    turn: Side,
    fined: Option<Side>,
    /// The sum of the points that are left.
    rest: i16,
    /// A hash of the points that are left.
    layout: u64,
}

impl Horses {
    /// Returns the square of a side's knight.
    #[must_use]
    pub fn knight(&self, side: Side) -> Square {
        self.knights[side as usize]
    }

    /// Returns the score of a side, in points.
    #[must_use]
    pub fn score(&self, side: Side) -> i16 {
        self.scores[side as usize]
    }

    /// Returns the destroyed squares, including the squares of the knights.
    #[must_use]
    pub fn destroyed(&self) -> u64 {
        self.destroyed
    }

    /// Returns the points on `square`; 0 if there are none.
    #[must_use]
    pub fn prize(&self, square: Square) -> i8 {
        self.prizes[square.index()]
    }

    /// Returns the sum of the points that are left.
    #[must_use]
    pub fn rest(&self) -> i16 {
        self.rest
    }

    /// Returns the side that was fined last.
    #[must_use]
    pub fn fined(&self) -> Option<Side> {
        self.fined
    }

    /// Returns the squares that a side's knight may step on, whether or not it is its turn.
    #[must_use]
    pub fn targets(&self, side: Side) -> u64 {
        self.knight(side).steps() & !self.destroyed
    }

    /// Returns the squares within two moves of a side's knight while its opponent stands still.
    #[must_use]
    pub fn room(&self, side: Side) -> u64 {
        let near = self.targets(side);
        squares(near).fold(near, |room, square| room | square.steps() & !self.destroyed)
    }

    /// Takes the points from `square` and returns them.
    fn take(&mut self, square: Square) -> i16 {
        let prize = std::mem::take(&mut self.prizes[square.index()]);
        if prize != 0 {
            self.layout ^= layout_key(square, prize);
            self.rest -= i16::from(prize);
        }
        prize.into()
    }

    /// Puts points on `square`, which has none.
    fn put(&mut self, square: Square, prize: i8) {
        self.prizes[square.index()] = prize;
        self.layout ^= layout_key(square, prize);
        self.rest += i16::from(prize);
    }

    /// Creates a board without points.
    fn empty(rules: HorsesRules, knights: [Square; 2]) -> Self {
        Self {
            rules,
            knights,
            destroyed: knights[0].bit() | knights[1].bit(),
            prizes: [0; Square::COUNT],
            scores: [0; 2],
            turn: Side::First,
            fined: None,
            rest: 0,
            layout: 0,
        }
    }

    /// Fines `side` unless it has paid already.
    fn fine(&mut self, side: Side) {
        if self.rules.fine == Fine::EachTurn || self.fined.is_none() {
            self.scores[side as usize] -= FINE;
            self.fined = Some(side);
        }
    }
}

fn layout_key(square: Square, prize: i8) -> u64 {
    mixed(
        (square.index() as u64) << 8 | u64::from(prize.unsigned_abs()) << 1 | u64::from(prize < 0),
    )
}

impl Game for Horses {
    type Rules = HorsesRules;
    type Move = Square;
    type Moves = ArrayVec<Square, 8>;

    const NAME: &'static str = "horses";
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const UNIT: &'static str = "points";

    fn start(rules: HorsesRules, seed: u64) -> Self {
        let mut all: Vec<Square> = squares(u64::MAX).collect();
        Random::new(seed).shuffle(&mut all);
        let mut start = Self::empty(rules, [all[0], all[1]]);
        all[2..].iter().zip(PRIZES).for_each(|(&square, prize)| start.put(square, prize));
        start
    }

    fn parse(text: &str, rules: HorsesRules) -> Result<Self, NotationError> {
        notation::parse(text, rules)
    }

    fn parse_rules(text: &str) -> Result<HorsesRules, NotationError> {
        let name = text.strip_prefix("fine=").unwrap_or(text);
        let named = Fine::NAMED.into_iter().find(|(other, _)| *other == name);
        let error = || {
            let near = nearest(name, Fine::NAMED.map(|(name, _)| name));
            NotationError::new("rules", shown(text), "fine=once, fine=each_turn").with_nearest(near)
        };
        named.map(|(_, fine)| HorsesRules { fine }).ok_or_else(error)
    }

    fn rules(&self) -> HorsesRules {
        self.rules
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self) -> Self::Moves {
        squares(self.targets(self.turn)).collect()
    }

    fn play(&mut self, m: Square) {
        let mover = self.turn;
        self.knights[mover as usize] = m;
        self.destroyed |= m.bit();
        self.scores[mover as usize] += self.take(m);
        let next = mover.other();
        if self.targets(next) != 0 {
            self.turn = next;
        } else if self.targets(mover) != 0 {
            self.fine(next);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.targets(self.turn) != 0 {
            return None;
        }
        Some(match self.lead(Side::First) {
            0 => Outcome::Draw,
            lead if lead > 0 => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }

    fn lead(&self, side: Side) -> i32 {
        i32::from(self.score(side)) - i32::from(self.score(side.other()))
    }

    fn key(&self) -> u64 {
        let knights = self.knights[0].index() << 6 | self.knights[1].index();
        let fined = self.fined.map_or(0, |side| 1 + side as u64);
        let lead = u64::from(self.lead(Side::First) as u32);
        let small = knights as u64 | (self.turn as u64) << 12 | fined << 13 | lead << 32;
        mixed(self.destroyed ^ mixed(small ^ self.layout))
    }

    fn promise(&self, m: Square) -> i32 {
        self.prize(m).into()
    }

    fn remark(&self) -> Option<(&'static str, Option<Side>)> {
        self.fined.map(|side| ("fined", Some(side)))
    }

    fn draw(&self) -> String {
        notation::draw(self)
    }
}

impl fmt::Display for Horses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write(self, f)
    }
}
