//! The trait of the games in this package: two players, full information, no chance.
//!
//! A side may move several times in a row, so the search asks whose turn it is and never assumes
//! that turns alternate. Games with more players or with dice need a trait of their own. They can
//! share notation, commands and statistics.

use crate::notation::{NotationError, shown};
use deepfeeling::support::spelling::nearest;
use std::fmt::{Debug, Display};

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Side {
    /// The first side of [`Game::SIDES`]: White in Horses, Silver in Tilt.
    First,
    /// The second side: Black in Horses, Gold in Tilt.
    Second,
}

impl Side {
    /// Both sides, in the order of [`Game::SIDES`].
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither side has won.
    Draw,
}

impl Outcome {
    /// Returns the half points of `side`: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        match self {
            Self::Win(winner) if winner == side => 2,
            Self::Win(_) => 0,
            Self::Draw => 1,
        }
    }
}

/// A position of a two-player game of perfect information, with the rules it is played by.
///
/// `Display` writes the position on one line, and [`Game::parse`] reads it back. The rules are not
/// part of that line.
pub trait Game: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// The options of the rules.
    type Rules: Copy + Default + Eq + Debug + Display + Send + Sync;
    /// A move. `Display` writes it as [`Game::parse_move`] reads it.
    type Move: Copy + Eq + Debug + Display + Send + Sync;
    /// The legal moves of a position.
    type Moves: IntoIterator<Item = Self::Move> + AsRef<[Self::Move]> + AsMut<[Self::Move]>;

    /// The name of the game, as in commands and records.
    const NAME: &'static str;
    /// The names of the sides.
    const SIDES: [&'static str; 2];
    /// What [`Game::lead`] counts, in the plural.
    const UNIT: &'static str;

    /// Returns the start of the game for `seed`.
    fn start(rules: Self::Rules, seed: u64) -> Self;

    /// Reads a position from one line.
    ///
    /// # Errors
    /// If the line is not a position of this game. The error names the place and what is
    /// allowed there.
    fn parse(text: &str, rules: Self::Rules) -> Result<Self, NotationError>;

    /// Reads the options of the rules, as their `Display` writes them.
    ///
    /// # Errors
    /// If an option or its value is unknown.
    fn parse_rules(text: &str) -> Result<Self::Rules, NotationError>;

    /// Returns the rules.
    fn rules(&self) -> Self::Rules;

    /// Returns the side to move. After the end of the game, this is the side that moved last.
    fn turn(&self) -> Side;

    /// Returns the legal moves of the side to move. There are none exactly if the game is over.
    fn moves(&self) -> Self::Moves;

    /// Plays a legal move and passes the turn to the player who moves next.
    fn play(&mut self, m: Self::Move);

    /// Returns the result, or `None` if the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns by how much `side` is ahead in what the game is scored by, in [`Game::UNIT`].
    fn lead(&self, side: Side) -> i32;

    /// Returns a hash of everything that affects the rest of the game, except the rules.
    fn key(&self) -> u64;

    /// Returns an estimate of how good a move looks without a search. Better moves are searched
    /// first.
    fn promise(&self, m: Self::Move) -> i32;

    /// Returns something worth counting about a finished game, with the side it happened to.
    fn remark(&self) -> Option<(&'static str, Option<Side>)>;

    /// Draws the board with letters and signs, one line per row.
    fn draw(&self) -> String;

    /// Reads a legal move. Case does not matter.
    ///
    /// # Errors
    /// If `text` is not a legal move here. The error lists the legal moves.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        let moves = self.moves();
        let moves = moves.as_ref();
        let wanted = text.trim().to_lowercase();
        if let Some(&m) = moves.iter().find(|m| m.to_string() == wanted) {
            return Ok(m);
        }
        let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let allowed =
            if names.is_empty() { "none, the game is over".to_owned() } else { names.join(", ") };
        let near = nearest(&wanted, names.iter().map(String::as_str));
        Err(NotationError::new("move", shown(text), allowed).with_nearest(near))
    }

    /// Returns the position after a legal move.
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut after = *self;
        after.play(m);
        after
    }

    /// Reads the name of a side. Case does not matter.
    ///
    /// # Errors
    /// If there is no such side.
    fn parse_side(name: &str) -> Result<Side, NotationError> {
        let named =
            Side::ALL.into_iter().find(|&side| Self::side_name(side).eq_ignore_ascii_case(name));
        named.ok_or_else(|| {
            let names = Self::SIDES.map(str::to_lowercase);
            let near = nearest(name, names.iter().map(String::as_str));
            NotationError::new("side", shown(name), names.join(", ")).with_nearest(near)
        })
    }

    /// Returns the name of `side`.
    #[must_use]
    fn side_name(side: Side) -> &'static str {
        Self::SIDES[side as usize]
    }
}
