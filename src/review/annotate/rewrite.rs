//! Inserts annotations into the text of a PGN game and leaves all other bytes unchanged.

use super::notes::{Note, SIGNATURE};
use crate::pgn::{
    PlayedGame,
    movetext::{MovetextToken, TokenKind, Variations, words},
};
use shakmaty::{Color, Position, san::SanPlus};
use std::ops::Range;

/// Comment commands that are replaced.
const COMMANDS: [&[u8]; 2] = [b"[%eval", b"[%emo"];
/// Numbers of the glyphs that grade a move: from `!` to `?!`.
const JUDGING: Range<u16> = 1..7;

/// Returns the game with all notes inserted after their moves, or `None` if the moves cannot be
/// located.
pub(super) fn rewrite(raw: &[u8], game: &PlayedGame, notes: &[Option<Note>]) -> Option<Vec<u8>> {
    let words = words(raw);
    let moves = main_line(raw, &words, game)?;
    let mut edits = Edits { raw, done: 0, out: Vec::with_capacity(2 * raw.len()) };
    for (i, note) in notes.iter().enumerate() {
        let from = moves[i] + 1;
        let to = moves.get(i + 1).copied().unwrap_or(words.len());
        if let Some(note) = note {
            write(&mut edits, &words, moves[i], &words[from..to], note);
            let has_number =
                words[from..to].last().is_some_and(|word| word.kind == TokenKind::Number);
            if let (Color::White, false, Some(next)) = (note.mover, has_number, moves.get(i + 1)) {
                edits.insert(words[*next].range.start, &format!("{}... ", note.number));
            }
        }
    }
    Some(edits.finish())
}

/// Returns the indices of the tokens that are moves of the main line.
fn main_line(raw: &[u8], words: &[MovetextToken], game: &PlayedGame) -> Option<Vec<usize>> {
    let mut chess = game.start.chess.clone();
    let mut moves = Vec::with_capacity(game.moves.len());
    let mut variations = Variations::default();
    for (at, word) in words.iter().enumerate() {
        if variations.contain(word.kind) || word.kind != TokenKind::Move {
            continue;
        }
        let played = game.moves.get(moves.len())?.m;
        let san = SanPlus::from_ascii(&raw[word.range.clone()]).ok()?;
        if san.san.to_move(&chess) != Ok(played) {
            return None;
        }
        chess.play_unchecked(played);
        moves.push(at);
    }
    (moves.len() == game.moves.len()).then_some(moves)
}

/// Writes the note of the move at index `at`. `rest` holds the tokens up to the next move.
fn write(
    edits: &mut Edits<'_>,
    words: &[MovetextToken],
    at: usize,
    rest: &[MovetextToken],
    note: &Note,
) {
    let glyphs = rest.iter().take_while(|word| word.kind == TokenKind::Glyph).count();
    let end = if glyphs > 0 { &rest[glyphs - 1] } else { &words[at] }.range.end;
    let mut glyphs_of_move = rest.iter().take_while(|word| word.kind != TokenKind::Open);
    let is_judged =
        glyphs_of_move.any(|word| word.kind == TokenKind::Glyph && judges(edits.of(word)));
    if let Some(glyph) = note.glyph.filter(|_| !is_judged) {
        edits.insert(end, &format!(" ${glyph}"));
    }
    let own = rest.get(glyphs).filter(|word| word.kind == TokenKind::Comment);
    match own {
        None => edits.insert(end, &format!(" {{{}}}", note.comment)),
        Some(word) => {
            let inside = without_ours(inside(edits.of(word)));
            let lead = if inside.is_empty() { "" } else { " " };
            let comment = [b"{", note.comment.as_bytes(), lead.as_bytes(), &inside, b"}"].concat();
            edits.replace(&word.range, &comment);
        }
    }
    if let Some(variation) = &note.variation {
        edits.insert(own.map_or(end, |word| word.range.end), &format!(" {variation}"));
    }
    edits.separate();
    let handled = glyphs + usize::from(own.is_some());
    remove_ours(edits, &rest[handled.min(rest.len())..]);
}

/// Removes the output of an earlier run from the tokens after the first comment.
fn remove_ours(edits: &mut Edits<'_>, rest: &[MovetextToken]) {
    let mut skipped = 0;
    let mut depth = 0_usize;
    for (i, word) in rest.iter().enumerate() {
        if i < skipped {
            continue;
        }
        match word.kind {
            TokenKind::Open if depth == 0 && is_ours(edits, &rest[i..]) => {
                let close = rest[i..].iter().position(|word| word.kind == TokenKind::Close);
                let Some(close) = close else { return };
                edits.remove(&(word.range.start..rest[i + close].range.end));
                skipped = i + close + 1;
            }
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comment if depth == 0 => {
                let old = inside(edits.of(word));
                let new = without_ours(old);
                if new.len() == old.trim_ascii().len() {
                    continue;
                }
                if new.is_empty() {
                    edits.remove(&word.range);
                } else {
                    edits.replace(&word.range, &[b"{", &new[..], b"}"].concat());
                }
            }
            TokenKind::Comment
            | TokenKind::Move
            | TokenKind::Number
            | TokenKind::Glyph
            | TokenKind::LineComment
            | TokenKind::Result
            | TokenKind::Other => {}
        }
    }
}

/// Returns whether we wrote a variation: its first move has our comment.
fn is_ours(edits: &Edits<'_>, variation: &[MovetextToken]) -> bool {
    let comment = variation.iter().take(4).find(|word| word.kind == TokenKind::Comment);
    comment.is_some_and(|word| find(edits.of(word), SIGNATURE.as_bytes()).is_some())
}

/// Returns whether a glyph grades a move.
fn judges(glyph: &[u8]) -> bool {
    let number = glyph.strip_prefix(b"$").map(|digits| str::from_utf8(digits).map(str::parse));
    number.is_none_or(|number| matches!(number, Ok(Ok(number)) if JUDGING.contains(&number)))
}

/// Returns the text of a comment without its braces.
fn inside(comment: &[u8]) -> &[u8] {
    let text = comment.strip_prefix(b"{").unwrap_or(comment);
    text.strip_suffix(b"}").unwrap_or(text)
}

/// Returns the text of a comment without scores, feelings and our own sentence.
fn without_ours(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for command in COMMANDS {
        let mut from = 0;
        while let Some(at) = find(&text[from..], command).map(|at| from + at) {
            from = at + command.len();
            let is_name = text.get(from).is_some_and(u8::is_ascii_whitespace);
            if let Some(end) = find(&text[from..], b"]").filter(|_| is_name) {
                cut(&mut text, at..from + end + 1);
                from = at;
            }
        }
    }
    if let Some(at) = find(&text, SIGNATURE.as_bytes()) {
        // a full stop before a digit is a decimal point
        let stops =
            text[at..].windows(2).position(|pair| pair[0] == b'.' && !pair[1].is_ascii_digit());
        let end = stops.map_or(text.len(), |stop| at + stop + 1);
        cut(&mut text, at..end);
    }
    text.trim_ascii().to_vec()
}

/// Removes a piece of text and the blanks after it.
fn cut(text: &mut Vec<u8>, piece: Range<usize>) {
    let blanks = text[piece.end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    text.drain(piece.start..piece.end + blanks);
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// A sequence of edits of a text, made from start to end.
struct Edits<'r> {
    /// The original text.
    raw: &'r [u8],
    /// Number of bytes of `raw` that are already copied, replaced or removed.
    done: usize,
    /// The edited text so far.
    out: Vec<u8>,
}

impl<'r> Edits<'r> {
    fn of(&self, word: &MovetextToken) -> &'r [u8] {
        &self.raw[word.range.clone()]
    }

    /// Copies the original text up to `to`.
    fn copy(&mut self, to: usize) {
        self.out.extend_from_slice(&self.raw[self.done..to]);
        self.done = to;
    }

    fn insert(&mut self, at: usize, text: &str) {
        self.copy(at);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn replace(&mut self, range: &Range<usize>, text: &[u8]) {
        self.copy(range.start);
        self.out.extend_from_slice(text);
        self.done = range.end;
    }

    /// Removes a piece of text and the blanks before it.
    fn remove(&mut self, range: &Range<usize>) {
        self.copy(range.start);
        while self.out.ends_with(b" ") {
            self.out.pop();
        }
        self.done = range.end;
    }

    /// Separates the inserted text from what follows. A line break replaces a blank, so that lines
    /// do not grow too long.
    fn separate(&mut self) {
        let rest = &self.raw[self.done..];
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        match rest.get(blanks) {
            Some(byte) if blanks > 0 && byte.is_ascii_alphanumeric() => {
                self.done += blanks;
                let is_dos = self.raw.windows(2).any(|pair| pair == b"\r\n");
                self.out.extend_from_slice(if is_dos { b"\r\n" } else { b"\n" });
            }
            Some(byte) if blanks == 0 && !byte.is_ascii_whitespace() => self.out.push(b' '),
            _ => {}
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.copy(self.raw.len());
        self.out
    }
}
