//! Splits the movetext of a PGN game into tokens with their byte ranges, so that text can be
//! inserted between them.
//!
//! Tokens are recognised as by the reader behind [`super::Games`]. Text that the reader does not
//! understand becomes a token of kind [`TokenKind::Other`].

use super::raw::BYTE_ORDER_MARK;
use shakmaty::san::SanPlus;
use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A move in SAN, legal or not.
    Move,
    /// A move number: `12.` or `12...`.
    Number,
    /// An annotation glyph: `$6` or `?!`.
    Glyph,
    /// A comment in braces.
    Comment,
    /// A comment from `;` to the end of the line.
    LineComment,
    /// The start of a variation: `(`.
    Open,
    /// The end of a variation: `)`.
    Close,
    /// A result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result,
    /// Any other text.
    Other,
}

/// A token of the movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovetextToken {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The bytes of the token in the game.
    pub range: Range<usize>,
}

/// Separates variations from the main line while the tokens of a game are read in order.
#[derive(Debug, Default)]
pub struct Variations {
    /// The number of open variations.
    depth: usize,
}

impl Variations {
    /// Returns whether the next token, of this kind, is part of a variation. Its parentheses are.
    pub const fn contain(&mut self, kind: TokenKind) -> bool {
        let is_inside = self.depth > 0;
        match kind {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => self.depth = self.depth.saturating_sub(1),
            TokenKind::Move
            | TokenKind::Number
            | TokenKind::Glyph
            | TokenKind::Comment
            | TokenKind::LineComment
            | TokenKind::Result
            | TokenKind::Other => {}
        }
        is_inside || self.depth > 0
    }
}

/// Returns the tokens of one game's movetext, without its tags.
pub fn words(game: &[u8]) -> Vec<MovetextToken> {
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
            b'{' => (Some(TokenKind::Comment), (until(rest, b'}') + 1).min(rest.len())),
            b';' => (Some(TokenKind::LineComment), until(rest, b'\n')),
            b'(' => (Some(TokenKind::Open), 1),
            b')' => (Some(TokenKind::Close), 1),
            b'*' => (Some(TokenKind::Result), 1),
            b'$' => (Some(TokenKind::Glyph), 1 + token(&rest[1..])),
            b'!' | b'?' => {
                let is_pair = matches!(rest.get(1), Some(b'!' | b'?'));
                (Some(TokenKind::Glyph), 1 + usize::from(is_pair))
            }
            b'0'..=b'9' => digits(rest),
            _ => match SanPlus::from_ascii_prefix(rest) {
                Ok((_, length)) if token(&rest[length..]) == 0 => (Some(TokenKind::Move), length),
                _ => (Some(TokenKind::Other), token(rest).max(1)),
            },
        };
        if let Some(kind) = kind {
            words.push(MovetextToken { kind, range: at..at + length });
        }
        at += length;
    }
    words
}

/// Parses a token that begins with a digit: a result, castling with zeros, or a move number.
/// Returns its kind and length.
fn digits(rest: &[u8]) -> (Option<TokenKind>, usize) {
    for (text, kind) in [
        ("1/2-1/2", TokenKind::Result),
        ("0-0-0", TokenKind::Move),
        ("0-0", TokenKind::Move),
        ("1-0", TokenKind::Result),
        ("0-1", TokenKind::Result),
    ] {
        if let Some(behind) = rest.strip_prefix(text.as_bytes()) {
            let suffix =
                usize::from(kind == TokenKind::Move && matches!(behind, [b'+' | b'#', ..]));
            return (Some(kind), text.len() + suffix);
        }
    }
    let count = |is: fn(&u8) -> bool, from: usize| {
        from + rest[from..].iter().take_while(|byte| is(byte)).count()
    };
    (Some(TokenKind::Number), count(|byte| *byte == b'.', count(u8::is_ascii_digit, 0)))
}

/// Returns the length of the tags with the blank and escaped lines around them.
fn tags_end(game: &[u8]) -> usize {
    let is_moves = |line: &&[u8]| {
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_start();
        !matches!(text.first(), None | Some(b'%' | b'['))
    };
    let lines = game.split_inclusive(|byte| *byte == b'\n');
    lines.take_while(|line| !is_moves(line)).map(<[u8]>::len).sum()
}

/// Returns the distance to the byte `end`, or to the end of the text.
fn until(text: &[u8], end: u8) -> usize {
    text.iter().position(|byte| *byte == end).unwrap_or(text.len())
}

/// Returns the length of the token at the start of `text`.
fn token(text: &[u8]) -> usize {
    text.iter().position(|byte| b" \t\n\r{}()!?$;.*".contains(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(game: &str) -> String {
        let text = |word: &MovetextToken| format!("{:?}:{} ", word.kind, &game[word.range.clone()]);
        words(game.as_bytes()).iter().map(text).collect::<Vec<_>>().concat()
    }

    #[test]
    fn movetext_is_split_into_tokens() {
        assert_eq!(
            shown(
                "\u{feff}% x\n[White \"1. e4\"]\n\n%y\n1.e4 {a (b} e5!? $14 (1... c5+ ; 2. Nf3\n) 2. O-O 0-0-0+ *\n\n3. d4"
            ),
            "Number:1. Move:e4 Comment:{a (b} Move:e5 Glyph:!? Glyph:$14 Open:( Number:1... Move:c5+ \
             LineComment:; 2. Nf3 Close:) Number:2. Move:O-O Move:0-0-0+ Result:* "
        );
        assert_eq!(
            shown("12. exd6 e.p. e8=Q# 1/2-1/2\n% no\n{open"),
            "Number:12. Move:exd6 Other:e Other:p Move:e8=Q# Result:1/2-1/2 Comment:{open "
        );
        assert_eq!(shown("") + &shown("[White \"a\"]\n") + &shown("\n\n"), "");
    }
}
