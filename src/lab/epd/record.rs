//! A test position with its expected answer, and the check of the engine's answer.

use super::entry::Entry;
use crate::{
    chess::{game::Game, score::Score},
    profile::error::one_line,
};
use shakmaty::{Move, Position, san::SanPlus};

/// A test position with at least one criterion for scoring.
#[derive(Clone, Debug)]
pub struct EpdRecord {
    /// The line number in the file, counted from 1.
    pub line: usize,
    /// The position's name in the suite (`id`).
    pub id: Option<String>,
    pub game: Game,
    /// `bm`: best moves, any of which solves the position.
    best: Vec<Move>,
    /// `am`: moves to avoid.
    avoid: Vec<Move>,
    /// `dm`: moves to mate, negative if the side to move is mated.
    mate: Option<i32>,
    /// Points per move. All other moves score 0.
    points: Vec<(Move, u32)>,
}

/// The score of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerScore {
    pub solved: bool,
    /// The points scored, or `None` if the suite gives no points for this position.
    pub points: Option<u32>,
}

impl EpdRecord {
    /// Parses `text`, which is line number `line` of its file.
    ///
    /// Returns `None` if the line has no criterion for scoring.
    ///
    /// # Errors
    /// If the line is malformed, or the position or one of its moves is illegal.
    pub fn parse(text: &str, line: usize) -> Result<Option<Self>, String> {
        let entry = Entry::parse(text)?;
        let game = Game::from_fen(&entry.fen(), None).map_err(|error| error.to_string())?;
        let moves = |opcode| entry.operands(opcode).map(|text| moves(opcode, text, &game));
        let best = moves("bm").transpose()?.unwrap_or_default();
        let avoid = moves("am").transpose()?.unwrap_or_default();
        let mate = entry.operands("dm").map(mate_distance).transpose()?;
        let points = points(&entry, &game)?;
        if best.is_empty() && avoid.is_empty() && mate.is_none() && points.is_empty() {
            return Ok(None);
        }
        if game.chess.legal_moves().is_empty() {
            return Err("the game is over here: no legal moves".into());
        }
        let id = entry.text("id").filter(|id| !id.is_empty()).map(one_line);
        Ok(Some(Self { line, id, game, best, avoid, mate, points }))
    }

    /// Returns the required moves to mate, negative if the side to move is mated.
    pub fn mate(&self) -> Option<i32> {
        self.mate
    }

    /// Returns the points of the best move, or `None` if the suite gives no points for this
    /// position.
    pub fn max_points(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    /// Judges the answer `m` with `score`.
    ///
    /// If a mate is required, `score` must show it and any move is accepted, because other moves
    /// may mate as fast. Without `bm` and `am`, only a move with the most points solves the
    /// position.
    pub fn judge(&self, m: Move, score: Score) -> AnswerScore {
        let of_move = self.points.iter().filter(|(other, _)| *other == m);
        let found = of_move.map(|(_, points)| *points).max().unwrap_or(0);
        let solved = if let Some(mate) = self.mate {
            is_mate_within(score, mate)
        } else if self.best.is_empty() && self.avoid.is_empty() {
            Some(found) == self.max_points()
        } else {
            (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m)
        };
        AnswerScore { solved, points: self.max_points().map(|_| found) }
    }

    /// Returns the legal move `m` in SAN.
    pub fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.game.chess.clone(), m).to_string()
    }

    /// Returns the expected answer as text: `mate 3`, `Nf3 Nc3` or `not Qxb7`.
    pub fn expected(&self) -> String {
        if let Some(mate) = self.mate {
            return format!("mate {mate}");
        }
        let full = self.points.iter().filter(|(_, points)| Some(*points) == self.max_points());
        let most: Vec<Move> = full.map(|(m, _)| *m).collect();
        let asked = !self.best.is_empty() || !self.avoid.is_empty();
        let best = if asked { &self.best } else { &most };
        let mut words: Vec<String> = best.iter().map(|m| self.san(*m)).collect();
        words.extend(self.avoid.iter().map(|m| format!("not {}", self.san(*m))));
        words.join(" ")
    }
}

/// Returns whether `score` is a mate in at most `moves`, negative if the side to move is mated.
fn is_mate_within(score: Score, moves: i32) -> bool {
    score.mate_distance().is_some_and(|plies| {
        if moves > 0 { plies > 0 && plies < 2 * moves } else { plies <= 0 && plies >= 2 * moves }
    })
}

fn mate_distance(text: &str) -> Result<i32, String> {
    // longer than any chess problem, and twice the value does not overflow
    let distance = text.parse().ok().filter(|moves| (-10_000..=10_000).contains(moves));
    distance
        .filter(|moves| *moves != 0)
        .ok_or_else(|| format!("dm: found `{text}`, expected the number of moves, e.g. 3 or -2"))
}

/// Parses the moves of `opcode`. At least one is required.
fn moves(opcode: &str, text: &str, game: &Game) -> Result<Vec<Move>, String> {
    let read = |word| game.read_move(word).map_err(|error| format!("{opcode}: {error}"));
    let moves: Vec<Move> = words(text).map(read).collect::<Result<_, _>>()?;
    if moves.is_empty() {
        return Err(format!("{opcode}: found no move, expected e.g. `{opcode} Nf3;`"));
    }
    Ok(moves)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ', '\t']).filter(|word| !word.is_empty())
}

/// Reads the points per move, in either of two styles.
///
/// One style is `c0 "f5=10, Be5+=2"`. The other has the moves in `c7` (or `c9` in UCI notation) and
/// their points in `c8`. Other text in these operations is a comment, as defined by the standard.
fn points(entry: &Entry<'_>, game: &Game) -> Result<Vec<(Move, u32)>, String> {
    let pairs = match entry.text("c0").and_then(pairs) {
        Some(pairs) => pairs,
        None => columns(entry)?,
    };
    if !pairs.is_empty() && pairs.iter().all(|(_, points)| *points == 0) {
        return Err("points: every move has 0 points".into());
    }
    let read = |(word, points)| {
        game.read_move(word).map(|m| (m, points)).map_err(|error| format!("points: {error}"))
    };
    pairs.into_iter().map(read).collect()
}

/// Splits `f5=10, Be5+=2` into moves and points. Returns `None` if `text` is a comment.
fn pairs(text: &str) -> Option<Vec<(&str, u32)>> {
    let pairs = words(text)
        .map(|word| {
            let (m, points) = word.rsplit_once('=')?;
            Some((m, points.parse().ok()?))
        })
        .collect::<Option<Vec<_>>>()?;
    pairs.iter().any(|(word, _)| word.parse::<SanPlus>().is_ok()).then_some(pairs)
}

/// Pairs the moves of `c7` or `c9` with the points of `c8`. Returns no pairs if these are comments.
fn columns<'a>(entry: &Entry<'a>) -> Result<Vec<(&'a str, u32)>, String> {
    let (Some(moves), Some(points)) = (entry.text("c7").or(entry.text("c9")), entry.text("c8"))
    else {
        return Ok(Vec::new());
    };
    let Ok(points) = words(points).map(str::parse).collect::<Result<Vec<u32>, _>>() else {
        return Ok(Vec::new());
    };
    let moves: Vec<&str> = words(moves).collect();
    if moves.len() != points.len() {
        return Err(format!("c8: found {} points for {} moves", points.len(), moves.len()));
    }
    Ok(moves.into_iter().zip(points).collect())
}
