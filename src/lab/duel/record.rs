//! The PGN file of a duel, which a later run can resume.
//!
//! Each game has its scores and emotions as comments, and a tag that identifies the duel.

use super::{
    Match,
    game::{DuelGame, Termination},
    statistics::MatchScore,
};
use crate::{
    lab::self_play::written::{self, CommentedMove, RESULTS},
    support::record_file::{RecordError, RecordFile, for_each_line},
};
use shakmaty::{CastlingMode, Color, EnPassantMode, Position, fen::Fen};
use std::{fmt::Write as _, fs::File, path::Path};

/// The value of the tag `Event`, the first of each game.
const EVENT: &str = "Duel of temperaments";

/// A PGN file to which games are appended.
#[derive(Debug)]
pub(super) struct DuelRecord(RecordFile);

impl DuelRecord {
    /// Opens or creates the file at `path` and returns the games in it.
    ///
    /// An incomplete last game is removed.
    ///
    /// # Errors
    /// If the file cannot be opened, or holds anything but games of this duel.
    pub(super) fn open(path: &Path, duel: &Match) -> Result<(Self, Vec<Finished>), RecordError> {
        let mut scan = Scan { games: Vec::new(), end: 0, has_blank_line: true };
        let mut file = RecordFile::resume(path, |file| scan.read(file, duel))?;
        file.cut()?;
        if !scan.games.is_empty() && !scan.has_blank_line {
            file.append(b"\n")?;
        }
        Ok((Self(file), scan.games))
    }

    /// Appends game `number`, counted from 0.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add(
        &mut self,
        duel: &Match,
        number: u64,
        bout: &DuelGame,
    ) -> Result<(), RecordError> {
        self.0.append(pgn(duel, number, bout).as_bytes())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(self) -> Result<(), RecordError> {
        self.0.finish()
    }
}

/// The content of a file that is resumed.
struct Scan {
    games: Vec<Finished>,
    /// The offset after the last finished game.
    end: u64,
    /// Whether a blank line follows the last finished game.
    has_blank_line: bool,
}

impl Scan {
    /// Reads the finished games and returns the offset after the last one.
    fn read(&mut self, file: &File, duel: &Match) -> Result<u64, String> {
        let mut now = DuelTags::default();
        let mut is_begun = true;
        let mut lines = 0;
        let rest = for_each_line(file, |line| {
            lines = line.number;
            if let Some((name, value)) = tag(line.text) {
                is_begun &= line.number > 1 || (name, value) == ("Event", EVENT);
                now.note(name, value);
            } else if let Some(finished) = now.finished_by(line.text) {
                self.check(&now, line.number, duel)?;
                self.games.push(finished);
                (now, self.end, self.has_blank_line) = (DuelTags::default(), line.end, false);
            } else if line.text.is_empty() && line.start == self.end && !self.has_blank_line {
                (self.end, self.has_blank_line) = (line.end, true);
            } else {
                // in a file of ours, only tags come before the tag of the duel
                is_begun &= now.duel.is_some();
            }
            Ok(())
        })?;
        is_begun &= lines > 0 || written::tag("Event", EVENT).starts_with(&rest);
        let is_ours = now.duel.as_ref().map_or(is_begun, |found| *found == duel.fingerprint);
        if self.games.is_empty() && !is_ours {
            return Err("is not a duel file; choose another file".into());
        }
        Ok(self.end)
    }

    /// Checks that a finished game with the tags `now` is the next one of `duel`.
    fn check(&self, now: &DuelTags, line: usize, duel: &Match) -> Result<(), String> {
        let wanted = round(self.games.len() as u64);
        let found = now.duel.as_deref();
        if found == Some(duel.fingerprint.as_str()) && now.round == wanted {
            return Ok(());
        }
        Err(format!(
            "line {line}: found game {} of the duel `{}`, expected game {wanted} of `{}`; choose \
             another file, or repeat that duel",
            now.round,
            found.unwrap_or("none"),
            duel.fingerprint
        ))
    }
}

/// The outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Finished {
    /// The result in half points for White.
    result: u8,
    /// The side that lost on time.
    late: Option<Color>,
}

impl Finished {
    /// Returns the outcome of `played`.
    pub(super) fn of(played: &DuelGame) -> Self {
        let late = if let Termination::Time(color) = played.end { Some(color) } else { None };
        Self { result: played.result, late }
    }

    /// Adds the outcome of game `number`, counted from 0, to `tally`.
    pub(super) fn count(self, number: u64, tally: &mut MatchScore) {
        let white_is_first = first_is(number) == Color::White;
        tally.add(if white_is_first { self.result } else { 2 - self.result });
        if let Some(late) = self.late {
            tally.forfeits[usize::from(late != first_is(number))] += 1;
        }
    }
}

/// Returns the colour of the first player in game `number`, counted from 0.
pub(super) fn first_is(number: u64) -> Color {
    Color::from_white(number.is_multiple_of(2))
}

/// Formats the round as pair and game within the pair, both counted from 1.
fn round(number: u64) -> String {
    format!("{}.{}", number / 2 + 1, number % 2 + 1)
}

/// The tags of a game read so far.
#[derive(Default)]
struct DuelTags {
    duel: Option<String>,
    round: String,
    termination: String,
}

impl DuelTags {
    fn note(&mut self, name: &str, value: &str) {
        match name {
            "Duel" => self.duel = Some(value.into()),
            "Round" => self.round = value.into(),
            "Termination" => self.termination = value.into(),
            _ => {}
        }
    }

    /// Returns the outcome if `line` is the last line of a game.
    fn finished_by(&self, line: &str) -> Option<Finished> {
        let last = line.split_whitespace().next_back()?;
        let result = RESULTS.iter().position(|result| *result == last)? as u8;
        let is_late = self.termination == "time forfeit";
        let late = is_late.then(|| Color::from_white(result == 0));
        Some(Finished { result, late })
    }
}

/// Parses a tag line into name and value. The value stays escaped.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, value) =
        line.trim_end().strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    Some((name, value))
}

/// Formats game `number` as PGN.
fn pgn(duel: &Match, number: u64, played: &DuelGame) -> String {
    let mut names = duel.names.clone();
    if first_is(number) == Color::Black {
        names.reverse();
    }
    let termination = match played.end {
        Termination::Rules => "normal",
        Termination::Agreed => "adjudication",
        Termination::Time(_) => "time forfeit",
    };
    let result = RESULTS[usize::from(played.result)];
    let fen = Fen::from_position(&played.start.chess, EnPassantMode::Legal).to_string();
    let mut text = String::new();
    let is_960 = played.start.chess.castles().mode() == CastlingMode::Chess960;
    let variant = is_960.then_some(("Variant", "Chess960"));
    let tags = [
        ("Event", EVENT),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round(number)),
        ("White", &names[0]),
        ("Black", &names[1]),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", &fen),
        ("Termination", termination),
    ];
    for (name, value) in tags.into_iter().chain(variant) {
        text += &written::tag(name, value);
    }
    // the fingerprint is already escaped, because it is compared with the raw text in files
    let _ = writeln!(text, "[Duel \"{}\"]", duel.fingerprint);
    let moves = played.plies.iter().map(|ply| CommentedMove {
        m: ply.m,
        thought: Some((ply.score, ply.depth)),
        feeling: ply.feeling,
    });
    text + "\n" + &written::movetext(&played.start.chess, moves, result) + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{game::Game, score::Score},
        chess_mind::Goal,
        lab::{duel::game::DuelPly, self_play::written::LINE},
    };

    fn duel() -> Match {
        Match { names: ["Calm".into(), "Wild".into()], fingerprint: "a against b".into() }
    }

    fn played(result: u8, end: Termination) -> DuelGame {
        let start = Game::parse("startpos", None).unwrap();
        let mut game = start.clone();
        let mut plies = Vec::new();
        for (text, cp) in [("e2e4", 35), ("e7e5", -20)] {
            let before = game.chess.clone();
            game.play(text).unwrap();
            let m = *before
                .legal_moves()
                .iter()
                .find(|m| before.clone().play(**m).unwrap() == game.chess)
                .unwrap();
            plies.push(DuelPly {
                m,
                score: Score::cp(cp),
                depth: 9,
                feeling: (cp < 0).then_some((-0.25, Some(Goal::Castle))),
            });
        }
        DuelGame { start, plies, result, end }
    }

    #[test]
    fn the_pgn_matches_the_game() {
        let text = pgn(&duel(), 1, &played(1, Termination::Agreed));
        assert!(text.contains("[White \"Wild\"]\n[Black \"Calm\"]"), "{text}");
        assert!(text.contains("[Round \"1.2\"]"), "{text}");
        let moves = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert_eq!(
            moves,
            "1. e4 {[%eval 0.35,9]} 1... e5 {[%eval 0.20,9] [%emo -0.25,castle]} 1/2-1/2"
        );
        assert!(text.lines().all(|line| line.len() <= LINE || line.starts_with('[')), "{text}");
    }

    #[test]
    fn chess960_games_have_a_variant_tag() {
        let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
        let start = Game::from_fen(fen, None).unwrap();
        let usual = played(1, Termination::Rules);
        assert!(!pgn(&duel(), 0, &usual).contains("[Variant"));
        let shuffled = DuelGame { start, plies: Vec::new(), ..usual };
        assert!(pgn(&duel(), 0, &shuffled).contains("[Variant \"Chess960\"]"));
    }

    #[test]
    fn a_later_run_finds_finished_games_and_drops_an_incomplete_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("duel.pgn");
        let (mut record, none) = DuelRecord::open(&path, &duel()).unwrap();
        assert!(none.is_empty());
        record.add(&duel(), 0, &played(2, Termination::Rules)).unwrap();
        record.add(&duel(), 1, &played(0, Termination::Time(Color::White))).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let third = pgn(&duel(), 2, &played(1, Termination::Agreed));
        std::fs::write(&path, [&whole[..], &third.as_bytes()[..third.len() - 8]].concat()).unwrap();
        let (_, games) = DuelRecord::open(&path, &duel()).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole);
        let mut tally = MatchScore::default();
        for (number, game) in games.iter().enumerate() {
            game.count(number as u64, &mut tally);
        }
        // the second player, White in the second game, lost on time
        assert_eq!((tally.wins, tally.pairs, tally.forfeits), (2, [0, 0, 0, 0, 1], [0, 1]));
    }

    #[test]
    fn a_file_cut_anywhere_is_resumed_to_the_same_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("duel.pgn");
        let ends = [Termination::Rules, Termination::Agreed, Termination::Time(Color::White)];
        let play = || {
            let (mut record, games) = DuelRecord::open(&path, &duel()).unwrap();
            for (number, end) in ends.into_iter().enumerate().skip(games.len()) {
                record.add(&duel(), number as u64, &played(number as u8, end)).unwrap();
            }
            record.finish().unwrap();
            std::fs::read(&path).unwrap()
        };
        let whole = play();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(play() == whole, "cut to {length} bytes");
        }
    }

    #[test]
    fn other_files_are_rejected_and_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("other.pgn");
        let other = Match { fingerprint: "c against d".into(), ..duel() };
        for text in [
            "1. e4 e5 1-0\n".to_string(),
            "notes\n".into(),
            pgn(&other, 0, &played(1, Termination::Rules)),
        ] {
            std::fs::write(&path, &text).unwrap();
            assert!(DuelRecord::open(&path, &duel()).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
