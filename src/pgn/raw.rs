//! Games as bytes: a PGN source cut into its games, and nothing lost. What is not understood can so
//! be handed on as it was.

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read},
    mem,
};

/// Read at once, in bytes: about as much as one annotated game.
const PIECE: usize = 1 << 13;
/// A longer game is no game, in bytes.
const LONGEST: usize = 1 << 24;
/// What UTF-8 files may begin with.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A game as it stands in its source, with the blank lines that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawGame {
    /// From 1: its place in the source.
    pub number: usize,
    /// The line of the source where it begins, from 1.
    pub line: usize,
    pub bytes: Vec<u8>,
    /// False for the pieces of one that is longer than 16 MiB.
    pub is_whole: bool,
}

/// The games of a source, one after another; put together again they are the source.
pub struct RawGames<'s> {
    source: BufReader<Box<dyn Read + Send + 's>>,
    /// The first line of the next game.
    ahead: Vec<u8>,
    /// Games met so far.
    count: usize,
    /// Line breaks in all games so far.
    line_breaks: usize,
    /// In what the last piece of a game that is too long broke off.
    rest: Option<Part>,
}

impl fmt::Debug for RawGames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawGames").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'s> RawGames<'s> {
    /// The games of a text.
    pub fn of(source: Box<dyn Read + Send + 's>) -> Self {
        let source = BufReader::with_capacity(PIECE, source);
        Self { source, ahead: Vec::new(), count: 0, line_breaks: 0, rest: None }
    }

    /// The next line, or what there is of one that is too long; empty at the end of the source.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = mem::take(&mut self.ahead);
        if line.is_empty() {
            self.source.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line)?;
        }
        Ok(line)
    }

    /// The lines up to where the next game begins.
    fn read(&mut self) -> io::Result<Option<RawGame>> {
        let rest = self.rest.take();
        let mut part = rest.unwrap_or(Part::Tags);
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
            // what was too long was over after all
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

/// Where in a game a line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Tags,
    Moves,
    Comment,
    /// A blank line has ended the moves.
    Over,
}

impl Part {
    /// Whether `line` belongs to another game. A comment that is never closed does not swallow the
    /// games after it.
    fn ends_before(self, line: &[u8], is_after_blank: bool) -> bool {
        match self {
            Self::Tags => false,
            Self::Moves => line.starts_with(b"["),
            Self::Comment => is_after_blank && line.starts_with(b"[Event \""),
            Self::Over => !is_blank(line) && !line.starts_with(b"%"),
        }
    }

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
    fn games_end_where_their_reader_ends_them() {
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
    fn what_is_too_long_comes_in_pieces() {
        let line = b"1. e4 e5 ".repeat(1 << 10);
        let long = [&line[..], b"\n"].concat().repeat(LONGEST / line.len());
        let game = b"[White \"b\"]\n\n1. d4 *\n";
        let games = cut(&[&long, &long[..], game].concat());
        let told: Vec<_> = games.iter().map(|game| (game.number, game.is_whole)).collect();
        assert_eq!((told[0], told[1]), ((1, false), (1, false)));
        assert_eq!(told.last(), Some(&(2, true)));
        assert_eq!(games.last().unwrap().bytes, game);
        let bytes: usize = games.iter().map(|game| game.bytes.len()).sum();
        assert_eq!(bytes, 2 * long.len() + game.len());
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[\\[\\]{}();%\" a1\r\n]{0,60}") {
            let games = cut(text.as_bytes());
            prop_assert_eq!(games.into_iter().flat_map(|game| game.bytes).collect::<Vec<_>>(), text.into_bytes());
        }
    }
}
