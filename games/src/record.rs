//! Text records of games, which can be read back. The format is ours.
//!
//! A record has one line for each of game, rules, players, start, moves and result. Records are
//! separated by empty lines:
//!
//! ```text
//! game horses fine=once
//! White expert
//! Black amateur+standard
//! start b1 g8 w 0:0 - - d6+10,f3+5,c3+4,e2+3,h6+1,f6-1,e7-3,a3-4,d2-5,c6-10
//! moves c3 f6
//! result *
//! ```

use crate::{
    game::{Game, Outcome, Side},
    notation::{NotationError, shown},
};
use std::fmt;

/// A game with its players, from a start to its end or to the last move so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Game> {
    /// The players, in the order of [`Game::SIDES`].
    pub players: [String; 2],
    /// The start.
    pub start: G,
    /// The moves.
    pub moves: Vec<G::Move>,
}

impl<G: Game> GameRecord<G> {
    /// Creates the record of a game without moves. Line breaks in the names of players become
    /// spaces.
    pub fn new(players: [&str; 2], start: G) -> Self {
        let players = players.map(|name| name.replace(char::is_control, " "));
        Self { players, start, moves: Vec::new() }
    }

    /// Returns the last position.
    pub fn last(&self) -> G {
        self.moves.iter().fold(self.start, |position, &m| position.after(m))
    }

    /// Plays moves, which have spaces between them.
    ///
    /// # Errors
    /// If one of them is not legal. The error has its number, and the moves before it are played.
    pub fn play(&mut self, moves: &str) -> Result<(), NotationError> {
        let mut position = self.last();
        for (number, name) in (self.moves.len() + 1..).zip(moves.split_whitespace()) {
            let m = position.parse_move(name);
            let m = m.map_err(|error| error.within(format!("move {number}")))?;
            position.play(m);
            self.moves.push(m);
        }
        Ok(())
    }

    /// Takes back the last move of `side` and what came after it. Returns whether there was one.
    pub fn take_back(&mut self, side: Side) -> bool {
        let turns: Vec<Side> = self.positions().map(|position| position.turn()).collect();
        let last = turns.iter().zip(&self.moves).rposition(|(&turn, _)| turn == side);
        if let Some(last) = last {
            self.moves.truncate(last);
        }
        last.is_some()
    }

    /// Iterates over all positions, from the start to the last.
    pub fn positions(&self) -> impl Iterator<Item = G> + '_ {
        let after = self.moves.iter().scan(self.start, |position, &m| {
            position.play(m);
            Some(*position)
        });
        std::iter::once(self.start).chain(after)
    }
}

impl<G: Game> fmt::Display for GameRecord<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game {} {}", G::NAME, self.start.rules())?;
        for (side, player) in G::SIDES.iter().zip(&self.players) {
            writeln!(f, "{side} {player}")?;
        }
        writeln!(f, "start {}", self.start)?;
        write!(f, "moves")?;
        for m in &self.moves {
            write!(f, " {m}")?;
        }
        writeln!(f, "\nresult {}", result(&self.last()))
    }
}

/// Writes the result: the winner, `draw`, or `*` for a game that is not over.
fn result<G: Game>(position: &G) -> &'static str {
    match position.outcome() {
        Some(Outcome::Win(side)) => G::side_name(side),
        Some(Outcome::Draw) => "draw",
        None => "*",
    }
}

/// Reads all records in `text`.
///
/// # Errors
/// If a record is incomplete or belongs to another game, a move is not legal, or the
/// result is wrong.
pub fn read<G: Game>(text: &str) -> Result<Vec<GameRecord<G>>, NotationError> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).peekable();
    let mut records = Vec::new();
    while lines.peek().is_some() {
        records.push(read_one(&mut lines)?);
    }
    Ok(records)
}

fn read_one<'t, G: Game>(
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
) -> Result<GameRecord<G>, NotationError> {
    let mut line = |key: &str| field(lines.next(), key);
    let (number, game) = line("game")?;
    let (name, rules) = game.split_once(' ').unwrap_or((game, ""));
    if name != G::NAME {
        return Err(NotationError::new("game", shown(name), G::NAME).within(at(number)));
    }
    let rules = G::parse_rules(rules).map_err(|error| error.within(at(number)))?;
    let players = [line(G::SIDES[0])?.1, line(G::SIDES[1])?.1];
    let (number, start) = line("start")?;
    let start = G::parse(start, rules).map_err(|error| error.within(at(number)))?;
    let mut record = GameRecord::new(players, start);
    let (number, moves) = line("moves")?;
    record.play(moves).map_err(|error| error.within(at(number)))?;
    let (number, found) = line("result")?;
    let allowed = result(&record.last());
    if found != allowed {
        return Err(NotationError::new("result", shown(found), allowed).within(at(number)));
    }
    Ok(record)
}

fn at(number: usize) -> String {
    format!("line {number}")
}

/// Returns the number of a line and what follows `key` on it.
fn field<'t>(line: Option<(usize, &'t str)>, key: &str) -> Result<(usize, &'t str), NotationError> {
    let Some((number, text)) = line else {
        return Err(NotationError::new(
            "record",
            "the end of the text",
            format!("a line with `{key}`"),
        ));
    };
    let rest = text.strip_prefix(key).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    let refuse = || NotationError::new("record", shown(text), format!("a line with `{key}`"));
    rest.map(|rest| (number, rest.trim())).ok_or_else(|| refuse().within(at(number)))
}
