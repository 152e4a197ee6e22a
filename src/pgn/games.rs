//! Iterates over the games of a PGN source.

use super::{
    BrokenGame, PlayedGame,
    raw::{RawGame, RawGames},
    replay::{Replay, Unreadable},
};
use crate::{profile::error::one_line, support::compressed};
use pgn_reader::Reader;
use std::{
    collections::VecDeque,
    fmt,
    io::{self, Read},
    path::Path,
    sync::atomic::AtomicBool,
};

/// Maximum length of a tag line, and length of the pieces in which comments are read, in bytes.
const LINE: usize = 1 << 12;
/// Maximum length of an error message, in characters.
const REASON: usize = 200;

/// An iterator over the games of a PGN source.
pub struct Games<'s> {
    raws: RawGames<'s>,
    /// Games that are read but not yet returned, in order.
    ahead: VecDeque<Result<PlayedGame, String>>,
    /// The number of the last raw game. Further pieces of it are skipped.
    last: usize,
    /// Number of games returned so far.
    count: usize,
    /// Whether the source is exhausted or has failed.
    over: bool,
}

impl fmt::Debug for Games<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("count", &self.count).finish_non_exhaustive()
    }
}

/// Opens the PGN file at `path`, plain or compressed. Reading ends when `stop` is set.
///
/// # Errors
/// If the file cannot be opened or is not text.
pub fn read<'s>(path: &Path, stop: &'s AtomicBool) -> io::Result<Games<'s>> {
    compressed::stream(path, stop).map(Games::of)
}

impl<'s> Games<'s> {
    /// Reads the games of a text.
    pub fn of(text: Box<dyn Read + Send + 's>) -> Self {
        Self { raws: RawGames::of(text), ahead: VecDeque::new(), last: 0, count: 0, over: false }
    }

    /// Stops reading because of an error of the source.
    fn end(&mut self, error: &io::Error) -> BrokenGame {
        self.over = true;
        self.count += 1;
        let reason = brief(&format!("the file cannot be read further: {error}"));
        BrokenGame { number: self.count, reason, is_end: true }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<PlayedGame, BrokenGame>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            if let Some(game) = self.ahead.pop_front() {
                self.count += 1;
                let number = self.count;
                let broken = |reason| BrokenGame { number, reason, is_end: false };
                return Some(game.map(|game| PlayedGame { number, ..game }).map_err(broken));
            }
            match self.raws.next() {
                Some(Ok(raw)) if raw.number == self.last => {}
                Some(Ok(raw)) => {
                    self.last = raw.number;
                    self.ahead.extend(games_in(&raw));
                }
                Some(Err(error)) => return Some(Err(self.end(&error))),
                None => self.over = true,
            }
        }
        None
    }
}

/// Parses the games in the bytes of `raw`, in order. There is usually one game, and none if the
/// bytes contain other text.
///
/// # Errors
/// Each broken game is an error message.
pub fn games_in(raw: &RawGame) -> Vec<Result<PlayedGame, String>> {
    if !raw.is_whole {
        return vec![Err("longer than 16 MiB".into())];
    }
    let mut games = Vec::new();
    let mut replay = Replay::new(Unreadable::first_in(raw));
    let mut reader = Reader::build(&*raw.bytes)
        .set_supported_tag_line_length(LINE)
        .set_supported_comment_length(LINE)
        .finish();
    loop {
        match reader.read_game(&mut replay) {
            Ok(Some(Some(Ok(game)))) => games.push(Ok(PlayedGame { number: raw.number, ..game })),
            Ok(Some(Some(Err(reason)))) => games.push(Err(brief(&reason))),
            // text without a game
            Ok(Some(None)) => {}
            Ok(None) => return games,
            Err(error) => {
                games.push(Err(brief(&error.to_string())));
                // otherwise the rest of this game would be read as another one
                if reader.skip_game().is_err() {
                    return games;
                }
            }
        }
    }
}

/// Shortens an error message to one line of at most [`REASON`] characters.
fn brief(reason: &str) -> String {
    one_line(&reason.chars().take(REASON).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess_mind::Goal,
        pgn::{EmotionTag, Eval},
    };
    use shakmaty::{ByColor, Color, KnownOutcome, Position};

    fn games(text: &[u8]) -> Vec<Result<PlayedGame, BrokenGame>> {
        // reads one byte at a time, since buffer boundaries must not matter
        struct Drip(io::Cursor<Vec<u8>>);
        impl Read for Drip {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let end = buffer.len().min(1);
                self.0.read(&mut buffer[..end])
            }
        }
        let drip: Vec<_> = Games::of(Box::new(Drip(io::Cursor::new(text.to_vec())))).collect();
        let whole: Vec<_> = Games::of(Box::new(io::Cursor::new(text.to_vec()))).collect();
        let shown = |games: &[Result<PlayedGame, BrokenGame>]| format!("{games:?}");
        assert_eq!(shown(&drip), shown(&whole));
        whole
    }

    fn only(text: &str) -> PlayedGame {
        let [Ok(game)] = &games(text.as_bytes())[..] else { panic!("{text}") };
        game.clone()
    }

    fn reasons(text: &str) -> Vec<String> {
        games(text.as_bytes())
            .into_iter()
            .map(|game| game.map_or_else(|broken| broken.to_string(), |_| "ok".into()))
            .collect()
    }

    #[test]
    fn a_game_is_read_with_tags_moves_and_annotations() {
        let game = only(
            "[Event \"Cup\"]\n[Site \"Rom\"]\n[Date \"1851.06.??\"]\n\
             [White \"A \\\"Ace\\\" B\"]\n[Black \"Café\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n\
             [Round \"3.1\"]\n[Result \"0-1\"]\n\n{before} 1. e4 {[%eval 0.35,12]\n\
             [%emo -0.25,castle] good} e5 $1 {[%eval #-3]} (1... c5 2. Nf3 (2. c3 {x})) {more} \
             2. Nf3!? Nc6 0-1\n",
        );
        assert_eq!((game.number, game.tags.round.as_str()), (1, "3.1"));
        let crate::pgn::Tags { event, site, date, .. } = &game.tags;
        assert_eq!((&**event, &**site, &**date), ("Cup", "Rom", "1851.06.??"));
        assert_eq!((&*game.tags.players.white, &*game.tags.players.black), ("A \"Ace\" B", "Café"));
        assert_eq!(game.tags.elos, ByColor { white: Some(2100), black: None });
        assert_eq!(game.tags.result, Some(KnownOutcome::Decisive { winner: Color::Black }));
        assert_eq!(game.moves.len(), 4);
        let [first, second] = [&game.moves[0], &game.moves[1]];
        assert_eq!(first.comment, "[%eval 0.35,12]\n[%emo -0.25,castle] good");
        assert_eq!(first.eval, Some(Eval::Centipawns(35)));
        assert_eq!(first.felt, Some(EmotionTag { intensity: -0.25, goal: Some(Goal::Castle) }));
        assert_eq!((second.eval, second.felt), (Some(Eval::Mate(-3)), None));
        assert_eq!(second.comment, "[%eval #-3] more");
        let sides: Vec<_> = game.walk().map(|(before, _)| before.turn()).collect();
        assert_eq!(sides, [Color::White, Color::Black, Color::White, Color::Black]);
        assert_eq!(game.end().fullmoves().get(), 3);
    }

    #[test]
    fn unusual_text_is_accepted() {
        // a byte order mark, CRLF, escaped lines, comments to the end of the line, castling with
        // zeros
        let text = "\u{feff}% made by hand\r\n[White \"a\"]\r\n\r\n1.e4 e5 ; 2. Qh5 {\r\n% no\r\n\
                    2.Nf3 Nc6 3.Bc4 Bc5\r\n4.0-0 Nf6 1/2-1/2\r\n\r\n[White \"b\"]\r\n\r\n1. d4 *\r\n";
        let [Ok(first), Ok(second)] = &games(text.as_bytes())[..] else { panic!() };
        assert_eq!((first.moves.len(), first.tags.result), (8, Some(KnownOutcome::Draw)));
        assert_eq!((&*second.tags.players.white, second.tags.result), ("b", None));
        let latin = b"[White \"M\xfcller\"]\n[Black \"\x1bx\ty\"]\n\n1. e4 {sch\xf6n} e5\n";
        let [Ok(game)] = &games(latin)[..] else { panic!() };
        assert_eq!((&*game.tags.players.white, &*game.tags.players.black), ("Müller", "xy"));
        assert_eq!(game.moves[0].comment, "schön");
    }

    #[test]
    fn a_result_may_be_missing_or_only_in_the_movetext() {
        let text = "[White \"a\"]\n\n1. e4 e5\n\n[White \"b\"]\n\n1. d4 1-0\n\n[White \"c\"]\n\n0-1\n\n1. c4\n";
        let games: Vec<_> = games(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        let winners = games.iter().map(|game| game.tags.result.and_then(KnownOutcome::winner));
        assert_eq!(
            winners.collect::<Vec<_>>(),
            [None, Some(Color::White), Some(Color::Black), None]
        );
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1, 0, 1]);
    }

    #[test]
    fn text_without_games_yields_no_games() {
        for text in ["", "\n\r\n  \n", "\u{feff}", "% nothing\n", "some words\n\nand more\n"] {
            assert!(games(text.as_bytes()).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_broken_game_is_reported_and_the_next_one_is_read() {
        let text = "1. e4 e5 2. Ke3 Nc6 (2... a6 3. Kd4) {x} 3. Nf3\n\n[White \"b\"]\n\n1. e4 e5 *\n\n\
                    [FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Ka2\n\n[Variant \"Atomic\"]\n\n1. e4\n\n\
                    1. e4 e5 1-0 2. Nf3\n\n1. Nf3 d5 2. Nc3 d4 3. Ne4 a6 4. Ng5 a5\n\n1. a3 a6\n";
        let found = reasons(text);
        assert_eq!(found.len(), 7, "{found:?}");
        for (number, expected) in [
            (
                0,
                "game 1: 2. Ke3 is illegal in `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq",
            ),
            (1, "ok"),
            (2, "game 3: position `8/8/8/8/8/8/8/K7 w - - 0 1` is illegal: missing king"),
            (3, "game 4: unknown variant `Atomic` (allowed: Standard, Chess960, From Position)"),
            (4, "game 5: 2. Nf3 follows the result"),
            (6, "ok"),
        ] {
            assert!(found[number].starts_with(expected), "{}", found[number]);
        }
        assert!(found[5].starts_with("game 6: 4. Ng5 is ambiguous"), "{}", found[5]);
    }

    #[test]
    fn an_invalid_move_token_is_reported_with_its_line() {
        let text = "[White \"a\"]\n\n1. e4 (1. Zz9) e5 {x}\n2. Qh9 Nc6 3. Nf3 *\n\n\
                    1. e4 e5\n2. Nf3 Nc6 3. Bx99\n\n1. e4 Qh9\n\n1. e4 e5 2. Ke4 Qh9 *\n\n\
                    1. e4 d5 2. e5 f5 3. exf6 e.p. N gxf6 += 1-0 R2D2\n";
        let found = reasons(text);
        assert_eq!(
            found[..3],
            [
                "game 1: line 4: 2. `Qh9` is not a move",
                "game 2: line 7: 3. `Bx99` is not a move",
                "game 3: line 9: 1... `Qh9` is not a move",
            ]
        );
        assert!(found[3].starts_with("game 4: 2. Ke4 is illegal in"), "{}", found[3]);
        assert_eq!(found[4..], ["ok"]);
    }

    #[test]
    fn an_overlong_game_counts_once() {
        let text = io::Cursor::new(b"1. e4 e5 ".repeat(4 << 20)).chain(&b"\n\n1. d4 *\n"[..]);
        let found: Vec<_> = Games::of(Box::new(text)).map(|game| game.map(|_| ())).collect();
        let broken = BrokenGame { number: 1, reason: "longer than 16 MiB".into(), is_end: false };
        assert_eq!(found, [Err(broken), Ok(())]);
    }

    #[test]
    fn unterminated_tags_and_comments_break_one_game_only() {
        // longer than any read buffer
        let tag = "x".repeat(1 << 17);
        let comment = "y".repeat(3 * LINE);
        let found = reasons(&format!(
            "[White \"{tag}\"]\n[Black \"b\"]\n\n1. e4 e5\n\n1. d4\n\n1. c4 {{{comment}"
        ));
        assert_eq!(
            found,
            ["game 1: unterminated tag", "ok", "game 3: unterminated comment"],
            "{found:?}"
        );
        let endless = format!("1. e4 {{{}}} e5\n\n1. d4\n", "y".repeat(1 << 17));
        let found = reasons(&endless);
        assert_eq!(found, ["game 1: the comments after ply 1 are longer than 65536 bytes", "ok"]);
    }

    #[test]
    fn games_may_start_from_any_position_and_in_chess960() {
        let game = only("[FEN \"4k3/8/8/8/8/8/8/R3K2R b KQ - 3 40\"]\n\n40... Ke7 41. O-O-O *");
        assert_eq!(game.start.chess.turn(), Color::Black);
        for variant in ["Chess960", "chess 960", "Fischerandom", ""] {
            let game = only(&format!(
                "[Variant \"{variant}\"]\n\
                 [FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n\
                 1. O-O O-O 2. g3 g6"
            ));
            assert_eq!(game.moves.len(), 4, "{variant}");
        }
    }

    #[test]
    fn a_file_may_be_compressed_and_a_truncated_one_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let text = "[White \"a\"]\n\n1. e4 e5 1-0\n\n".repeat(20_000);
        let whole = zstd::encode_all(text.as_bytes(), 3).unwrap();
        std::fs::write(&path, &whole).unwrap();
        let stop = AtomicBool::new(false);
        assert_eq!(read(&path, &stop).unwrap().filter_map(Result::ok).count(), 20_000);
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let last = read(&path, &stop).unwrap().last().unwrap().unwrap_err();
        assert!(last.reason.starts_with("the file cannot be read further: "), "{last}");
        assert!(read(&dir.path().join("nowhere"), &stop).is_err());
    }
}
