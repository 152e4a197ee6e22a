//! Splits a PGN source into games without parsing them or changing a byte.
//!
//! Callers can thus copy text that they do not understand.

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read},
    mem,
};

/// Size of the read buffer in bytes, about the length of one annotated game.
const PIECE: usize = 1 << 13;
/// Maximum length of a game in bytes.
const LONGEST: usize = 1 << 24;
/// The byte order mark that UTF-8 files may begin with.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes of one game, with the blank lines that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawGame {
    /// The number of the game in its source, from 1.
    pub number: usize,
    /// The line of the source where the game begins, from 1.
    pub line: usize,
    pub bytes: Vec<u8>,
    /// Whether `bytes` holds the whole game. A game longer than 16 MiB is split into pieces.
    pub is_whole: bool,
}

/// An iterator over the games of a source. Concatenated, the games equal the source.
pub struct RawGames<'s> {
    source: BufReader<Box<dyn Read + Send + 's>>,
    /// The first line of the next game.
    ahead: Vec<u8>,
    /// Number of games so far.
    count: usize,
    /// Number of line breaks in all games so far.
    line_breaks: usize,
    /// The part of the game in which the last piece of an overlong game ended.
    rest: Option<GamePart>,
}

impl fmt::Debug for RawGames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawGames").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'s> RawGames<'s> {
    /// Splits `source` into games.
    pub fn of(source: Box<dyn Read + Send + 's>) -> Self {
        let source = BufReader::with_capacity(PIECE, source);
        Self { source, ahead: Vec::new(), count: 0, line_breaks: 0, rest: None }
    }

    /// Returns the next line, or a piece of an overlong line. It is empty at the end of the source.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = mem::take(&mut self.ahead);
        if line.is_empty() {
            self.source.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line)?;
        }
        Ok(line)
    }

    /// Returns the lines up to the start of the next game.
    fn read(&mut self) -> io::Result<Option<RawGame>> {
        let rest = self.rest.take();
        let mut part = rest.unwrap_or(GamePart::Tags);
        let mut bytes = Vec::new();
        let line_number = self.line_breaks + 1;
        let mut is_after_blank = false;
        loop {
            let mut line = self.line()?;
            if line.is_empty() || part.ends_before(&line, is_after_blank) {
                self.ahead = line;
                break;
            }
            is_after_blank = is_blank(&line);
            part = part.after(&line);
            self.line_breaks += usize::from(line.ends_with(b"\n"));
            bytes.append(&mut line);
            if bytes.len() >= LONGEST {
                self.rest = Some(part);
                break;
            }
        }
        if bytes.is_empty() {
            // the overlong game ended exactly at the end of its last piece
            return if self.ahead.is_empty() { Ok(None) } else { self.read() };
        }
        self.count += usize::from(rest.is_none());
        let is_whole = rest.is_none() && self.rest.is_none();
        Ok(Some(RawGame { number: self.count, line: line_number, bytes, is_whole }))
    }
}

impl Iterator for RawGames<'_> {
    type Item = io::Result<RawGame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// The part of a game in which a line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GamePart {
    Tags,
    Moves,
    /// Inside a comment in braces.
    Comment,
    /// After the blank line that ends the moves.
    Over,
}

impl GamePart {
    /// Returns whether `line` begins another game. An `[Event` tag after a blank line ends an
    /// unclosed comment, so that it does not swallow the following games.
    fn ends_before(self, line: &[u8], is_after_blank: bool) -> bool {
        match self {
            Self::Tags => false,
            Self::Moves => line.starts_with(b"["),
            Self::Comment => is_after_blank && line.starts_with(b"[Event \""),
            Self::Over => !is_blank(line) && !line.starts_with(b"%"),
        }
    }

    /// Returns the part in which `line` ends, if it begins in `self`.
    fn after(self, line: &[u8]) -> Self {
        match self {
            Self::Tags => {
                let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_start();
                let is_tag = line.is_empty() || line.starts_with(b"%") || line.starts_with(b"[");
                if is_tag { self } else { Self::within(line, false) }
            }
            Self::Moves if is_blank(line) => Self::Over,
            Self::Moves if line.starts_with(b"%") => self,
            Self::Moves => Self::within(line, false),
            Self::Comment => Self::within(line, true),
            Self::Over => self,
        }
    }

    /// Returns the part in which a line of movetext ends.
    fn within(line: &[u8], is_comment: bool) -> Self {
        let mut part = if is_comment { Self::Comment } else { Self::Moves };
        for byte in line {
            part = match (part, byte) {
                (Self::Comment, b'}') => Self::Moves,
                (Self::Moves, b'{') => Self::Comment,
                (Self::Moves, b';') => break,
                _ => part,
            };
        }
        part
    }
}

fn is_blank(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn cut(text: &[u8]) -> Vec<RawGame> {
        RawGames::of(Box::new(Cursor::new(text.to_vec()))).map(Result::unwrap).collect()
    }

    #[test]
    fn games_are_split_where_the_reader_splits_them() {
        let parts = [
            "\u{feff}% made by hand\r\n[White \"a\"]\r\n\r\n1. e4 {a\r\n\r\n[b]} e5 ; {\r\n1-0\r\n\r\n\r\n",
            "[White \"b\"]\n[Black \"{\"]\n\n1. e4\n",
            "[White \"c\"]\n\n0-1\n\n% aside\n\n",
            "1. c4 (1. d4 {x) [} d5)\n%{ an escape\n1... e5 *\n\n",
            "[Event \"d\"]\n\n1. e4 {never closed\n\n",
            "[Event \"e\"]\n\n1. d4 *",
        ];
        let games = cut(parts.concat().as_bytes());
        let texts: Vec<_> = games.iter().map(|game| str::from_utf8(&game.bytes).unwrap()).collect();
        assert_eq!(texts, parts);
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 10, 14, 20, 24, 28]);
        assert!(games.iter().all(|game| game.is_whole) && cut(b"").is_empty());
    }

    #[test]
    fn an_overlong_game_comes_in_pieces() {
        let line = b"1. e4 e5 ".repeat(1 << 10);
        let long = [&line[..], b"\n"].concat().repeat(LONGEST / line.len());
        let game = b"[White \"b\"]\n\n1. d4 *\n";
        let games = cut(&[&long, &long[..], game].concat());
        let pieces: Vec<_> = games.iter().map(|game| (game.number, game.is_whole)).collect();
        assert_eq!((pieces[0], pieces[1]), ((1, false), (1, false)));
        assert_eq!(pieces.last(), Some(&(2, true)));
        assert_eq!(games.last().unwrap().bytes, game);
        let bytes: usize = games.iter().map(|game| game.bytes.len()).sum();
        assert_eq!(bytes, 2 * long.len() + game.len());
    }

    proptest! {
        #[test]
        fn no_byte_is_lost(text in "[\\[\\]{}();%\" a1\r\n]{0,60}") {
            let games = cut(text.as_bytes());
            prop_assert_eq!(games.into_iter().flat_map(|game| game.bytes).collect::<Vec<_>>(), text.into_bytes());
        }
    }
}
