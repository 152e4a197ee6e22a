//! The one-line notation of positions of Tilt, and the drawn board. Both are ours.
//!
//! A position has four fields: the rows from first to last, side to move, extra men left, and steps
//! into the opponent's home. For example: `SS12GG/SS12GG/SS12GG/SS12GG/SS12GG S 4:4 0:0`.

use super::{Balance, COLUMNS, Cell, EXTRAS, MEN, ROWS, Tilt, TiltRules, cells};
use crate::{
    game::{Game, Side},
    notation::{NotationError, fields, pair, shown},
};
use std::fmt::{self, Write};

const FIELDS: &str = "rows, side to move, extras left, steps home";
const ROW: &str = "S, G and numbers of empty cells";

/// Writes `position` on one line.
pub(super) fn write(position: &Tilt, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for row in 1..=ROWS {
        let mut empty = 0;
        for column in 1..=COLUMNS {
            match Cell::at(column, row).and_then(|cell| man(position, cell)) {
                None => empty += 1,
                Some(side) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                    }
                    empty = 0;
                    f.write_char(letter(side))?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        f.write_char(if row < ROWS { '/' } else { ' ' })?;
    }
    let Tilt { extras, steps, turn, .. } = position;
    write!(f, "{} {}:{} {}:{}", letter(*turn), extras[0], extras[1], steps[0], steps[1])
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'S',
        Side::Second => 'G',
    }
}

fn man(position: &Tilt, cell: Cell) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| position.men[side as usize] & cell.bit() != 0)
}

/// Returns the initial position with `turn` to move.
pub(super) fn initial(rules: TiltRules, turn: Side) -> Tilt {
    let mut position = empty(rules, turn);
    for row in 1..=ROWS {
        for (column, side) in [(1, 0), (2, 0), (COLUMNS - 1, 1), (COLUMNS, 1)] {
            position.men[side] |= Cell::at(column, row).map_or(0, Cell::bit);
        }
    }
    position
}

fn empty(rules: TiltRules, turn: Side) -> Tilt {
    Tilt { rules, men: [0; 2], extras: [EXTRAS; 2], steps: [0; 2], turn, lean: 0 }
}

/// Reads a position.
pub(super) fn parse(text: &str, rules: TiltRules) -> Result<Tilt, NotationError> {
    let [rows, turn, extras, steps] = fields(text, FIELDS)?;
    let turn = Side::ALL.into_iter().find(|&side| turn == letter(side).to_string());
    let turn = turn.ok_or_else(|| {
        let found = text.split_whitespace().nth(1).unwrap_or_default();
        NotationError::new("side to move", shown(found), "S or G")
    })?;
    let mut position = empty(rules, turn);
    let lines: Vec<&str> = rows.split('/').collect();
    if lines.len() != usize::from(ROWS) {
        let found = format!("{} rows", lines.len());
        return Err(NotationError::new("rows", found, format!("{ROWS}, with / between them")));
    }
    for (row, line) in (1..).zip(lines) {
        read_row(&mut position, row, line)?;
    }
    for side in Side::ALL {
        let men = position.men(side).count();
        if men > MEN.into() {
            let found = format!("{men} men of {}", Tilt::side_name(side));
            return Err(NotationError::new("rows", found, format!("at most {MEN}")));
        }
    }
    position.extras = pair(extras, "extras left", 0, EXTRAS.into())?.map(|n| n as u8);
    position.steps = pair(steps, "steps home", 0, i16::from(2 * MEN))?.map(|n| n as u8);
    position.lean = cells(position.men[0] | position.men[1]).map(Cell::weight).sum();
    check_turn(&position)?;
    Ok(position)
}

/// Reads one row into `position`.
fn read_row(position: &mut Tilt, row: u8, line: &str) -> Result<(), NotationError> {
    let place = || format!("row {row}");
    let refuse = |found: String, allowed: &str| NotationError::new(place(), found, allowed);
    let mut column: usize = 1;
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        if digits > 0 {
            let number: usize = rest[..digits].parse().unwrap_or(usize::from(u8::MAX));
            column += number.min(u8::MAX.into());
            rest = &rest[digits..];
            continue;
        }
        let side = Side::ALL.into_iter().find(|&side| letter(side) == next);
        let side = side.ok_or_else(|| refuse(shown(&next.to_string()), ROW))?;
        let cell = u8::try_from(column).ok().and_then(|column| Cell::at(column, row));
        position.men[side as usize] |= cell.map_or(0, Cell::bit);
        column += 1;
        rest = &rest[next.len_utf8()..];
    }
    if column == usize::from(COLUMNS) + 1 {
        return Ok(());
    }
    Err(refuse(
        format!("{} cells in {}", column - 1, shown(line)),
        &format!("{COLUMNS} cells: {ROW}"),
    ))
}

/// Rejects a side to move that has no move although its opponent has one.
fn check_turn(position: &Tilt) -> Result<(), NotationError> {
    let turn = position.turn;
    if position.can_move(turn) || !position.can_move(turn.other()) {
        return Ok(());
    }
    let found = format!("{}, who has no move", Tilt::side_name(turn));
    let allowed = format!("{}, who has one", Tilt::side_name(turn.other()));
    Err(NotationError::new("side to move", found, allowed))
}

/// Draws the board: men as `S` and `G`, empty cells as `.`, with the middle and the balance.
pub(super) fn draw(position: &Tilt) -> String {
    let mut text = String::new();
    for row in 1..=ROWS {
        // writing to a String cannot fail
        let _ = write!(text, "{row} ");
        for column in 1..=COLUMNS {
            let man = Cell::at(column, row).and_then(|cell| man(position, cell));
            let sign = man.map_or('.', letter);
            let _ = write!(text, " {}{sign}", if column == COLUMNS / 2 + 1 { "| " } else { "" });
        }
        text.push('\n');
    }
    text += "   a b c d e f g h   i j k l m n o p\n";
    let [left, right] = position.weights();
    let heavier = match left - right {
        0 if position.rules.balance == Balance::Stay => "in balance",
        lean if lean > 0 => "tips to Silver",
        _ => "tips to Gold",
    };
    let _ = writeln!(text, "weights {left} : {right}, {heavier}");
    let [silver, gold] = Side::ALL.map(|side| (position.home(side), position.extras_left(side)));
    let _ = writeln!(text, "home {} : {}, extras left {} : {}", silver.0, gold.0, silver.1, gold.1);
    text
}
