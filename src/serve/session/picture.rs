//! Formats a game as JSON for the page, and as PGN.

use super::{
    blind::BlindRecord,
    ending::EndRecord,
    mind::MindRecord,
    options::PaceRecord,
    question::{ChoiceRecord, ComparisonRecord},
    state::{GameState, Insight},
};
use crate::{
    chess::{opening::Opening, score::Score},
    chess_mind::Goal,
    explain::schema,
    lab::self_play::written,
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
    /// Whether the engine has declined a draw in this position.
    declined: bool,
    /// The players of a pasted game, White first.
    players: Option<[&'a str; 2]>,
    /// The move suggested to the person.
    hint: Option<&'a ChoiceRecord>,
    /// The question that waits for its answer: `hint` or `comparison`.
    asked: Option<&'static str>,
    thinking: bool,
    clocks: Option<ClocksRecord>,
    pace: PaceRecord,
    /// The rating of an engine in human style. `None` at full strength.
    level: Option<u16>,
    /// `None` while the player is to guess it.
    profile: Option<&'a str>,
    /// Set if the player guesses the profile.
    blind: Option<BlindRecord<'a>>,
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
    /// The pieces after the move, as the first field of a FEN.
    board: String,
    /// The time that the move took, in milliseconds.
    spent: u64,
    /// The score of the engine's search from White's point of view.
    score: Option<Score>,
    /// The mover's intensity. For the person, what the engine would have felt instead.
    intensity: Option<f64>,
    goal: Option<&'static str>,
    /// The opening that this move leads to.
    opening: Option<OpeningRecord>,
    /// The choices with and without feeling, if the person asked for them.
    comparison: Option<&'a ComparisonRecord>,
    /// What came to the engine's mind, in human style.
    mind: Option<&'a MindRecord>,
}

/// The name of an opening and its code in the Encyclopaedia of Chess Openings.
#[derive(Debug, Serialize)]
struct OpeningRecord {
    eco: &'static str,
    name: &'static str,
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
        let is_blind = self.is_blind();
        let profile = all.get(self.order.choice).filter(|_| !is_blind);
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
            last: self.plies.last().map(|ply| squares(ply.m, self.mode())),
            dests: self.destinations(),
            moves: self.moves(),
            end: self.ending(),
            declined: self.is_declined(),
            players: self
                .order
                .tags
                .as_ref()
                .map(|tags| [tags.players.white.as_str(), tags.players.black.as_str()]),
            hint: self.hint.as_ref(),
            asked: self.asked(),
            thinking: self.is_engines_turn(),
            clocks,
            pace: self.order.pace.into(),
            level: self.order.level,
            profile: profile.map(|temperament| temperament.id.as_str()),
            blind: self.blind_record(all),
            temperament: self.order.strength,
            feeling: self.feeling.as_ref().filter(|_| !is_blind),
        }
    }

    /// Returns the notation of castling: in Chess960, the king takes its rook.
    fn mode(&self) -> CastlingMode {
        self.order.start.chess.castles().mode()
    }

    /// Returns the target squares of each piece if the person is to move. Castling has the squares
    /// of both notations.
    fn destinations(&self) -> BTreeMap<String, Vec<String>> {
        let mut all = BTreeMap::<_, Vec<_>>::new();
        if self.end.is_some() || self.is_engines_turn() {
            return all;
        }
        for m in self.game.chess.legal_moves() {
            for mode in [self.mode(), CastlingMode::Chess960] {
                let [from, to] = squares(m, mode);
                let known = all.entry(from).or_default();
                if !known.contains(&to) {
                    known.push(to);
                }
            }
        }
        all
    }

    fn moves(&self) -> Vec<MoveRecord<'_>> {
        let is_blind = self.is_blind();
        let mut chess = self.order.start.chess.clone();
        let moves = self.plies.iter().map(|ply| {
            let mover = chess.turn();
            chess.play_unchecked(ply.m);
            let insight = ply.insight.as_ref();
            let feeling = insight.and_then(Insight::feeling).filter(|_| !is_blind);
            let imagined = ply.imagined.filter(|_| !is_blind);
            let opening = ply.opening.map(|Opening { eco, name }| OpeningRecord { eco, name });
            MoveRecord {
                san: &ply.san,
                uci: UciMove::from_move(ply.m, self.mode()).to_string(),
                board: chess.board().to_string(),
                spent: ply.spent.as_millis() as u64,
                score: insight.map(|insight| mover.fold_wb(insight.score, -insight.score)),
                intensity: feeling.map(|(intensity, _)| intensity).or(imagined),
                goal: feeling.and_then(|(_, goal)| goal).map(Goal::name),
                opening,
                comparison: insight.and_then(|insight| insight.comparison.as_ref()),
                mind: insight.and_then(|insight| insight.mind.as_ref()).filter(|_| !is_blind),
            }
        });
        moves.collect()
    }

    /// Returns the names of the players, White first.
    fn names(&self, all: &[Temperament]) -> [String; 2] {
        if let Some(tags) = &self.order.tags {
            return [tags.players.white.clone(), tags.players.black.clone()];
        }
        let profile = all.get(self.order.choice).filter(|_| !self.is_blind());
        let profile = profile.map_or("hidden", |t| t.profile.name.as_str());
        let level = self.order.level.map_or_else(String::new, |level| format!(", level {level}"));
        let strength = match self.order.strength {
            100 => String::new(),
            strength => format!(", {strength}%"),
        };
        let engine = format!("Deep Feeling ({profile}{level}{strength})");
        let person = "Human".to_owned();
        match self.order.human {
            Color::White => [person, engine],
            Color::Black => [engine, person],
        }
    }

    pub(super) fn pgn(&self, all: &[Temperament]) -> String {
        let [white, black] = self.names(all);
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
        if let Some(opening) = self.plies.iter().rev().find_map(|ply| ply.opening) {
            text += &written::tag("ECO", &opening.eco);
            text += &written::tag("Opening", &opening.name);
        }
        let start = &self.order.start.chess;
        if *start != shakmaty::Chess::default() {
            let fen = Fen::from_position(start, EnPassantMode::Legal);
            if self.mode().is_chess960() {
                text += &written::tag("Variant", "Chess960");
            }
            text += &written::tag("SetUp", "1");
            text += &written::tag("FEN", &fen.to_string());
        }
        format!("{text}\n{}\n", written::movetext(start, self.noted(), result))
    }
}

/// Returns the squares where a move begins and ends, as in UCI notation.
pub(super) fn squares(m: Move, mode: CastlingMode) -> [String; 2] {
    let uci = UciMove::from_move(m, mode).to_string();
    [uci.chars().take(2).collect(), uci.chars().skip(2).take(2).collect()]
}
