//! Formats a game as JSON for the page, and as PGN.

use super::{
    options::PaceRecord,
    state::{GameEnd, GameState},
};
use crate::{
    chess::score::Score,
    explain::schema,
    lab::self_play::written::{self, RESULTS},
    mind::goal::Goal,
    serve::{line::PageRecord, temperaments::Temperament},
};
use serde::Serialize;
use shakmaty::{CastlingMode, Color, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};
use std::collections::BTreeMap;

/// Everything that the page shows of a game.
#[derive(Debug, Serialize)]
pub(super) struct Picture<'a> {
    fen: String,
    start: String,
    human: &'static str,
    turn: &'static str,
    check: bool,
    /// The squares of the last move.
    last: Option<[String; 2]>,
    /// The target squares of each piece if the person is to move.
    dests: BTreeMap<String, Vec<String>>,
    moves: Vec<MoveRecord<'a>>,
    end: Option<EndRecord>,
    thinking: bool,
    clocks: Option<ClocksRecord>,
    pace: PaceRecord,
    profile: Option<&'a str>,
    /// The emotion strength in percent.
    temperament: u16,
    /// The last feelings record.
    feeling: Option<&'a PageRecord>,
}

/// A move that was played.
#[derive(Debug, Serialize)]
struct MoveRecord<'a> {
    san: &'a str,
    uci: String,
    /// The score of the engine's search from White's point of view.
    score: Option<Score>,
    intensity: Option<f64>,
    goal: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct EndRecord {
    result: &'static str,
    reason: String,
}

/// The times left in milliseconds.
#[derive(Debug, Serialize)]
struct ClocksRecord {
    white: u64,
    black: u64,
    /// The side whose clock is running.
    running: Option<&'static str>,
}

impl GameState {
    /// Returns everything that the page shows.
    pub(super) fn picture<'a>(&'a self, all: &'a [Temperament]) -> Picture<'a> {
        let chess = &self.game.chess;
        let turn = schema::side(chess.turn());
        let clocks = self.left().map(|left| ClocksRecord {
            white: left.white.as_millis() as u64,
            black: left.black.as_millis() as u64,
            running: self.is_timed().then_some(turn),
        });
        Picture {
            fen: self.game.fen(),
            start: Fen::from_position(&self.order.start.chess, EnPassantMode::Legal).to_string(),
            human: schema::side(self.order.human),
            turn,
            check: chess.is_check(),
            last: self.plies.last().and_then(|ply| squares(ply.m)),
            dests: self.destinations(),
            moves: self.moves(),
            end: self.ending(),
            thinking: self.is_engines_turn(),
            clocks,
            pace: self.order.pace.into(),
            profile: all.get(self.order.choice).map(|temperament| temperament.id.as_str()),
            temperament: self.order.strength,
            feeling: self.feeling.as_ref(),
        }
    }

    /// Returns the target squares of each piece if the person is to move.
    fn destinations(&self) -> BTreeMap<String, Vec<String>> {
        let mut all = BTreeMap::<_, Vec<_>>::new();
        if self.end.is_some() || self.is_engines_turn() {
            return all;
        }
        for [from, to] in self.game.chess.legal_moves().into_iter().filter_map(squares) {
            let known = all.entry(from).or_default();
            if !known.contains(&to) {
                known.push(to);
            }
        }
        all
    }

    fn moves(&self) -> Vec<MoveRecord<'_>> {
        let mut side = self.order.start.chess.turn();
        let moves = self.plies.iter().map(|ply| {
            let mover = side;
            side = !side;
            MoveRecord {
                san: &ply.san,
                uci: UciMove::from_move(ply.m, CastlingMode::Standard).to_string(),
                score: ply.thought.map(|(score, _)| mover.fold_wb(score, -score)),
                intensity: ply.feeling.map(|(intensity, _)| intensity),
                goal: ply.feeling.and_then(|(_, goal)| goal).map(Goal::name),
            }
        });
        moves.collect()
    }

    fn ending(&self) -> Option<EndRecord> {
        let other = |side: Color| side.other().fold_wb("White wins", "Black wins");
        let reason = match self.end? {
            GameEnd::Rules => self.rule(),
            GameEnd::Time(side) => format!("{} on time", other(side)),
            GameEnd::Resigned(side) => format!("{} by resignation", other(side)),
            GameEnd::Broken(why) => why.to_owned(),
        };
        Some(EndRecord { result: self.result_text(), reason })
    }

    /// Names the rule that ended the game.
    fn rule(&self) -> String {
        let chess = &self.game.chess;
        if chess.is_checkmate() {
            return format!(
                "{} by checkmate",
                chess.turn().other().fold_wb("White wins", "Black wins")
            );
        }
        let why = if chess.is_stalemate() {
            "stalemate"
        } else if chess.is_insufficient_material() {
            "insufficient material"
        } else if chess.halfmoves() >= 100 {
            "fifty moves without capture or pawn move"
        } else {
            "threefold repetition"
        };
        format!("Draw: {why}")
    }

    fn result_text(&self) -> &'static str {
        self.result().and_then(|result| RESULTS.get(usize::from(result))).map_or("*", |text| text)
    }

    pub(super) fn pgn(&self, all: &[Temperament]) -> String {
        let profile = all.get(self.order.choice).map_or("", |t| t.profile.name.as_str());
        let engine = match self.order.strength {
            100 => format!("Deep Feeling ({profile})"),
            strength => format!("Deep Feeling ({profile}, {strength}%)"),
        };
        let person = "Human".to_owned();
        let [white, black] = match self.order.human {
            Color::White => [person, engine],
            Color::Black => [engine, person],
        };
        let result = self.result_text();
        let mut text = String::new();
        for (name, value) in [
            ("Event", "A game with Deep Feeling"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "-"),
            ("White", &white),
            ("Black", &black),
            ("Result", result),
        ] {
            text += &written::tag(name, value);
        }
        let start = &self.order.start.chess;
        if *start != shakmaty::Chess::default() {
            let fen = Fen::from_position(start, EnPassantMode::Legal);
            text += &written::tag("SetUp", "1");
            text += &written::tag("FEN", &fen.to_string());
        }
        format!("{text}\n{}\n", written::movetext(start, self.noted(), result))
    }
}

/// Returns the squares where a move begins and ends, as in UCI notation.
fn squares(m: Move) -> Option<[String; 2]> {
    let text = UciMove::from_move(m, CastlingMode::Standard).to_string();
    Some([text.get(..2)?.to_owned(), text.get(2..4)?.to_owned()])
}
