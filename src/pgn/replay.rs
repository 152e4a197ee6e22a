//! Replays one PGN game move by move while it is being read.

use super::{
    PlayedGame, PlayedMove, Tags, annotation,
    movetext::{TokenKind, Variations, words},
    raw::RawGame,
};
use crate::chess::game::Game;
use pgn_reader::{Outcome, RawComment, RawTag, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::SanError};
use std::{
    mem,
    ops::ControlFlow::{self, Break, Continue},
};

/// Maximum number of plies. The 75-move rule ends every game earlier.
const MOST_PLIES: usize = 20_000;
/// Maximum number of characters of an invalid token in an error message.
const LONGEST_TOKEN: usize = 20;
/// Maximum length of the comments after a move, in bytes.
const LONGEST_COMMENT: usize = 1 << 16;

/// A game or an error message, or `None` if the text has neither tags, moves nor a result.
type Read = Option<Result<PlayedGame, String>>;

/// A visitor that builds a [`PlayedGame`] or an error message.
pub(super) struct Replay {
    /// The unreadable token of the first game.
    unreadable: Option<Unreadable>,
}

/// An invalid token in place of a move. The PGN reader would skip it, and the wrong side would play
/// the next move.
pub(super) struct Unreadable {
    /// Number of moves before the token.
    ply: usize,
    /// Line of the token in the source, from 1.
    line: usize,
    token: String,
}

impl Replay {
    pub(super) fn new(unreadable: Option<Unreadable>) -> Self {
        Self { unreadable }
    }
}

impl Unreadable {
    /// Returns the first unreadable token of a game. Variations are ignored.
    pub(super) fn first_in(raw: &RawGame) -> Option<Self> {
        let (mut variations, mut ply) = (Variations::default(), 0);
        for word in words(&raw.bytes) {
            if variations.contain(word.kind) {
                continue;
            }
            let text = &raw.bytes[word.range.clone()];
            match word.kind {
                TokenKind::Move => ply += 1,
                TokenKind::Result => return None,
                TokenKind::Other if stands_for_move(text) => {
                    let before = &raw.bytes[..word.range.start];
                    let line = raw.line + before.split(|byte| *byte == b'\n').count() - 1;
                    let token = self::text(text).chars().take(LONGEST_TOKEN).collect();
                    return Some(Self { ply, line, token });
                }
                TokenKind::Number
                | TokenKind::Glyph
                | TokenKind::Comment
                | TokenKind::LineComment
                | TokenKind::Open
                | TokenKind::Close
                | TokenKind::Other => {}
            }
        }
        None
    }
}

/// Returns whether an unknown token replaces a move: it begins with a letter and contains a digit.
/// Other tokens, such as `e.p.` and `+=`, follow a move.
fn stands_for_move(token: &[u8]) -> bool {
    token.first().is_some_and(u8::is_ascii_alphabetic) && token.iter().any(u8::is_ascii_digit)
}

/// The tags read so far.
#[derive(Default)]
pub(super) struct Heading {
    tags: Tags,
    fen: Option<String>,
    variant: String,
    /// Whether there was any tag.
    any: bool,
    unreadable: Option<Unreadable>,
}

/// A game that is being read.
pub(super) struct Unfinished {
    game: PlayedGame,
    /// The position after the moves so far.
    chess: Chess,
    /// Whether the result has been read.
    over: bool,
    /// Whether there was any tag, move or result.
    any: bool,
    /// Whether the last piece of a comment was not its end.
    within_comment: bool,
    unreadable: Option<Unreadable>,
}

impl Heading {
    /// Returns the initial position from the tags.
    fn start(&self) -> Result<Game, String> {
        let variant: String =
            self.variant.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        let mode = match variant.as_str() {
            "" | "standard" | "normal" | "chess" | "fromposition" => None,
            "chess960" | "fischerandom" | "fischerrandom" | "frc" => Some(CastlingMode::Chess960),
            _ => {
                return Err(format!(
                    "unknown variant `{}` (allowed: Standard, Chess960, From Position)",
                    self.variant
                ));
            }
        };
        let Some(fen) = &self.fen else { return Ok(Game::default()) };
        Game::from_fen(fen, mode).map_err(|e| e.to_string())
    }
}

impl Unfinished {
    /// Returns the number of the next move: `12.` or `12...`.
    fn next(&self) -> String {
        format!("{}{}", self.chess.fullmoves(), self.chess.turn().fold_wb(".", "..."))
    }

    /// Returns an error if the next move is an unreadable token.
    fn check_token(&self) -> Result<(), String> {
        match &self.unreadable {
            Some(Unreadable { ply, line, token }) if *ply == self.game.moves.len() => {
                Err(format!("line {line}: {} `{token}` is not a move", self.next()))
            }
            _ => Ok(()),
        }
    }

    /// Plays a move, or returns an error if it is not legal.
    fn play(&mut self, san: SanPlus) -> Result<(), String> {
        self.check_token()?;
        let is = |what: &str| {
            let fen = Fen::from_position(&self.chess, EnPassantMode::Legal);
            format!("{} {san} is {what} in `{fen}`", self.next())
        };
        if self.over {
            return Err(format!("{} {san} follows the result", self.next()));
        }
        if self.game.moves.len() == MOST_PLIES {
            return Err(format!("more than {MOST_PLIES} plies"));
        }
        let m = san.san.to_move(&self.chess).map_err(|error| match error {
            SanError::IllegalSan => is("illegal"),
            SanError::AmbiguousSan => is("ambiguous"),
        })?;
        self.chess.play_unchecked(m);
        let comment = String::new();
        self.game.moves.push(PlayedMove { m, comment, eval: None, felt: None });
        Ok(())
    }

    /// Appends a piece of a comment to the last move. Comments before the first move are ignored.
    fn note(&mut self, bytes: &[u8]) -> Result<(), String> {
        let ply = self.game.moves.len();
        let Some(last) = self.game.moves.last_mut() else { return Ok(()) };
        if last.comment.len() + bytes.len() > LONGEST_COMMENT {
            return Err(format!(
                "the comments after ply {ply} are longer than {LONGEST_COMMENT} bytes"
            ));
        }
        if !self.within_comment && !last.comment.is_empty() {
            last.comment.push(' ');
        }
        last.comment += &text(bytes);
        Ok(())
    }
}

impl Visitor for Replay {
    type Tags = Heading;
    type Movetext = Unfinished;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Heading> {
        Continue(Heading { unreadable: self.unreadable.take(), ..Heading::default() })
    }

    fn tag(&mut self, heading: &mut Heading, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let value: String = text(&value.decode()).chars().filter(|c| !c.is_control()).collect();
        let value = value.trim();
        let Heading { tags, fen, variant, any, .. } = heading;
        *any = true;
        match name {
            b"White" => tags.players.white = value.into(),
            b"Black" => tags.players.black = value.into(),
            b"WhiteElo" => tags.elos.white = value.parse().ok(),
            b"BlackElo" => tags.elos.black = value.parse().ok(),
            b"Event" => tags.event = value.into(),
            b"Site" => tags.site = value.into(),
            b"Date" => tags.date = value.into(),
            b"Round" => tags.round = value.into(),
            b"Termination" => tags.termination = value.into(),
            b"TimeControl" => tags.time_control = value.into(),
            b"Result" => tags.result = value.parse().ok(),
            b"FEN" => *fen = Some(value.into()),
            b"Variant" => *variant = value.into(),
            _ => {}
        }
        Continue(())
    }

    fn begin_movetext(&mut self, mut heading: Heading) -> ControlFlow<Read, Unfinished> {
        let start = match heading.start() {
            Ok(start) => start,
            Err(reason) => return Break(Some(Err(reason))),
        };
        let chess = start.chess.clone();
        let tags = mem::take(&mut heading.tags);
        let game = PlayedGame { number: 0, tags, start, moves: Vec::new() };
        let Heading { any, unreadable, .. } = heading;
        let (over, within_comment) = (false, false);
        Continue(Unfinished { game, chess, over, any, within_comment, unreadable })
    }

    fn san(&mut self, unfinished: &mut Unfinished, san: SanPlus) -> ControlFlow<Read> {
        unfinished.any = true;
        flow(unfinished.play(san))
    }

    fn partial_comment(
        &mut self,
        unfinished: &mut Unfinished,
        comment: RawComment<'_>,
    ) -> ControlFlow<Read> {
        let noted = unfinished.note(comment.as_bytes());
        unfinished.within_comment = true;
        flow(noted)
    }

    fn comment(
        &mut self,
        unfinished: &mut Unfinished,
        comment: RawComment<'_>,
    ) -> ControlFlow<Read> {
        let noted = unfinished.note(comment.as_bytes());
        unfinished.within_comment = false;
        flow(noted)
    }

    fn outcome(&mut self, unfinished: &mut Unfinished, outcome: Outcome) -> ControlFlow<Read> {
        let result = &mut unfinished.game.tags.result;
        *result = result.or(outcome.known());
        unfinished.over = true;
        unfinished.any = true;
        Continue(())
    }

    fn end_game(&mut self, unfinished: Unfinished) -> Read {
        let checked = unfinished.check_token();
        let Unfinished { mut game, any, .. } = unfinished;
        for played in &mut game.moves {
            played.eval = annotation::eval(&played.comment);
            played.felt = annotation::felt(&played.comment);
        }
        any.then(|| checked.map(|()| game))
    }
}

/// Converts a result to a control flow: an error ends the reading of this game.
fn flow(result: Result<(), String>) -> ControlFlow<Read> {
    result.map_or_else(|reason| Break(Some(Err(reason))), Continue)
}

/// Decodes bytes as UTF-8, or as Latin-1 if they are not valid UTF-8.
fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}
