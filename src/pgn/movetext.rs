//! The words of a game as they stand in its bytes, so that something can be put between them.
//!
//! They are told apart as the reader of [`super::Games`] does; what it would not understand is a
//! word too, of no meaning.

use super::raw::BYTE_ORDER_MARK;
use shakmaty::san::SanPlus;
use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In the notation of people; whether it is legal is not asked.
    Move,
    /// `12.`, `12...`.
    Number,
    /// `$6`, `?!`.
    Glyph,
    /// In braces.
    Comment,
    /// To the end of the line.
    Aside,
    /// `(`
    Open,
    /// `)`
    Close,
    Result,
    Other,
}

/// A word of the text of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub kind: Kind,
    /// Its bytes in the game.
    pub range: Range<usize>,
}

/// The words of one game's moves; its tags are left out.
pub fn words(game: &[u8]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = tags_end(game);
    while let Some(&byte) = game.get(at) {
        let rest = &game[at..];
        let (kind, length) = match byte {
            b' ' | b'\t' | b'\r' | b'.' => (None, 1),
            b'\n' => match rest.get(1..).unwrap_or_default() {
                [b'%', ..] => (None, 1 + until(&rest[1..], b'\n')),
                [b'\n' | b'[', ..] | [b'\r', b'\n', ..] => break,
                _ => (None, 1),
            },
            b'{' => (Some(Kind::Comment), (until(rest, b'}') + 1).min(rest.len())),
            b';' => (Some(Kind::Aside), until(rest, b'\n')),
            b'(' => (Some(Kind::Open), 1),
            b')' => (Some(Kind::Close), 1),
            b'*' => (Some(Kind::Result), 1),
            b'$' => (Some(Kind::Glyph), 1 + token(&rest[1..])),
            b'!' | b'?' => {
                let is_pair = matches!(rest.get(1), Some(b'!' | b'?'));
                (Some(Kind::Glyph), 1 + usize::from(is_pair))
            }
            b'0'..=b'9' => digits(rest),
            _ => match SanPlus::from_ascii_prefix(rest) {
                Ok((_, length)) if token(&rest[length..]) == 0 => (Some(Kind::Move), length),
                _ => (Some(Kind::Other), token(rest).max(1)),
            },
        };
        if let Some(kind) = kind {
            words.push(Word { kind, range: at..at + length });
        }
        at += length;
    }
    words
}

/// A word that begins with a digit: a result, castling with zeros, or the number of a move.
fn digits(rest: &[u8]) -> (Option<Kind>, usize) {
    for (text, kind) in [
        ("1/2-1/2", Kind::Result),
        ("0-0-0", Kind::Move),
        ("0-0", Kind::Move),
        ("1-0", Kind::Result),
        ("0-1", Kind::Result),
    ] {
        if let Some(behind) = rest.strip_prefix(text.as_bytes()) {
            let suffix = usize::from(kind == Kind::Move && matches!(behind, [b'+' | b'#', ..]));
            return (Some(kind), text.len() + suffix);
        }
    }
    let count = |is: fn(&u8) -> bool, from: usize| {
        from + rest[from..].iter().take_while(|byte| is(byte)).count()
    };
    (Some(Kind::Number), count(|byte| *byte == b'.', count(u8::is_ascii_digit, 0)))
}

/// Where the tags end, and the blank and escaped lines around them.
fn tags_end(game: &[u8]) -> usize {
    let is_moves = |line: &&[u8]| {
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_start();
        !matches!(text.first(), None | Some(b'%' | b'['))
    };
    let lines = game.split_inclusive(|byte| *byte == b'\n');
    lines.take_while(|line| !is_moves(line)).map(<[u8]>::len).sum()
}

/// How far it is to `end`, or to the end of the text.
fn until(text: &[u8], end: u8) -> usize {
    text.iter().position(|byte| *byte == end).unwrap_or(text.len())
}

/// The length of the token that `text` begins with.
fn token(text: &[u8]) -> usize {
    text.iter().position(|byte| b" \t\n\r{}()!?$;.*".contains(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(game: &str) -> String {
        let told = |word: &Word| format!("{:?}:{} ", word.kind, &game[word.range.clone()]);
        words(game.as_bytes()).iter().map(told).collect::<Vec<_>>().concat()
    }

    #[test]
    fn words_are_told_apart() {
        assert_eq!(
            told(
                "\u{feff}% x\n[White \"1. e4\"]\n\n%y\n1.e4 {a (b} e5!? $14 (1... c5+ ; 2. Nf3\n) 2. O-O 0-0-0+ *\n\n3. d4"
            ),
            "Number:1. Move:e4 Comment:{a (b} Move:e5 Glyph:!? Glyph:$14 Open:( Number:1... Move:c5+ \
             Aside:; 2. Nf3 Close:) Number:2. Move:O-O Move:0-0-0+ Result:* "
        );
        assert_eq!(
            told("12. exd6 e.p. e8=Q# 1/2-1/2\n% no\n{open"),
            "Number:12. Move:exd6 Other:e Other:p Move:e8=Q# Result:1/2-1/2 Comment:{open "
        );
        assert_eq!(told("") + &told("[White \"a\"]\n") + &told("\n\n"), "");
    }
}
