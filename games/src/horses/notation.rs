//! The one-line notation of positions of Horses, and the drawn board. Both are ours.
//!
//! A position has seven fields: White's square, Black's square, side to move, score, who was fined,
//! the other destroyed squares, and the points that are left. For example: `b1 g8 w 0:0 - -
//! d6+10,f3+5,c3+4,e2+3,h6+1,f6-1,e7-3`.

use super::{Horses, HorsesRules, PRIZES, board::Square, board::squares};
use crate::{
    game::{Game, Side},
    notation::{NotationError, fields, pair, shown},
};
use std::{
    cmp::Reverse,
    fmt::{self, Write},
};

const FIELDS: &str = "White's square, Black's square, side to move, score, fined, destroyed squares, \
                      points left";
/// The largest score that can be written. No game comes near it.
const LARGEST_SCORE: i16 = 999;

/// Writes `position` on one line.
pub(super) fn write(position: &Horses, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [white, black] = position.knights;
    let destroyed = squares(position.destroyed & !white.bit() & !black.bit());
    let mut left: Vec<Square> =
        squares(!position.destroyed).filter(|&square| position.prize(square) != 0).collect();
    left.sort_by_key(|&square| Reverse(position.prize(square)));
    let left = left.into_iter().map(|square| format!("{square}{:+}", position.prize(square)));
    write!(
        f,
        "{white} {black} {} {}:{} {} {} {}",
        letter(position.turn),
        position.scores[0],
        position.scores[1],
        position.fined.map_or("-", letter),
        list(destroyed.map(|square| square.to_string())),
        list(left)
    )
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "w",
        Side::Second => "b",
    }
}

/// Joins items with commas, or writes `-` if there are none.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "-".into() } else { items.join(",") }
}

/// Reads a position.
pub(super) fn parse(text: &str, rules: HorsesRules) -> Result<Horses, NotationError> {
    let [white, black, turn, score, fined, destroyed, prizes] = fields(text, FIELDS)?;
    let white = Square::parse(white, "White's square")?;
    let black = Square::parse(black, "Black's square")?;
    if white == black {
        let found = format!("both knights on {white}");
        return Err(NotationError::new("position", found, "two different squares"));
    }
    let mut position = Horses::empty(rules, [white, black]);
    position.turn = side(turn, "side to move", "w or b")?;
    position.scores = pair(score, "score", -LARGEST_SCORE, LARGEST_SCORE)?;
    position.fined = if fined == "-" { None } else { Some(side(fined, "fined", "-, w or b")?) };
    for name in items(destroyed) {
        let square = free(&position, name, "destroyed squares")?;
        position.destroyed |= square.bit();
    }
    for item in items(prizes) {
        let (square, prize) = self::prize(&position, item)?;
        position.put(square, prize);
    }
    let turn = position.turn;
    if position.targets(turn) == 0 && position.targets(turn.other()) != 0 {
        let found = format!("{}, who has no move", Horses::side_name(turn));
        let allowed = format!("{}, who has one", Horses::side_name(turn.other()));
        return Err(NotationError::new("side to move", found, allowed));
    }
    Ok(position)
}

/// Splits a list at its commas. `-` is the empty list.
fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(move |_| list != "-")
}

fn side(text: &str, place: &str, allowed: &str) -> Result<Side, NotationError> {
    let found = Side::ALL.into_iter().find(|&side| letter(side) == text);
    found.ok_or_else(|| NotationError::new(place, shown(text), allowed))
}

/// Reads a square that is neither destroyed nor carries points.
fn free(position: &Horses, name: &str, place: &str) -> Result<Square, NotationError> {
    let square = Square::parse(name, place)?;
    if position.destroyed & square.bit() != 0 || position.prize(square) != 0 {
        let found = format!("{square}, which is already taken");
        return Err(NotationError::new(place, found, "each square once"));
    }
    Ok(square)
}

/// Reads a square with its points, such as `c3+4`.
fn prize(position: &Horses, item: &str) -> Result<(Square, i8), NotationError> {
    const PLACE: &str = "points left";
    let Some((name, points)) = item.find(['+', '-']).and_then(|sign| item.split_at_checked(sign))
    else {
        return Err(NotationError::new(PLACE, shown(item), "square and points, such as c3+4"));
    };
    let square = free(position, name, PLACE)?;
    let prize = points.parse().ok().filter(|points| PRIZES.contains(points)).ok_or_else(|| {
        NotationError::new(
            PLACE,
            shown(points),
            PRIZES.map(|prize| format!("{prize:+}")).join(", "),
        )
    })?;
    if position.prizes.contains(&prize) {
        let found = format!("{prize:+} twice");
        return Err(NotationError::new(PLACE, found, "each number of points once"));
    }
    Ok((square, prize))
}

/// Draws the board: knights as `W` and `B`, free squares as `.` or their points, destroyed squares
/// as `#`.
pub(super) fn draw(position: &Horses) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        // writing to a String cannot fail
        let _ = write!(text, "{} ", rank + 1);
        for file in 0..8 {
            let _ = write!(text, "{:>4}", sign(position, Square::new(rank * 8 + file)));
        }
        text.push('\n');
    }
    text + "     a   b   c   d   e   f   g   h\n"
}

fn sign(position: &Horses, square: Square) -> String {
    match position.prize(square) {
        _ if square == position.knight(Side::First) => "W".into(),
        _ if square == position.knight(Side::Second) => "B".into(),
        0 if position.destroyed & square.bit() != 0 => "#".into(),
        0 => ".".into(),
        prize => format!("{prize:+}"),
    }
}
