//! Formats a game as JSON for the page, and as PGN.

use super::state::{GameEnd, GameState};
use crate::{
    chess::score::Score,
    lab::self_play::written::{self, RESULTS},
    mind::goal::Goal,
    serve::temperaments::Temperament,
};
use serde_json::{Map, Value, json};
use shakmaty::{CastlingMode, Color, EnPassantMode, Position, fen::Fen, uci::UciMove};

fn name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

impl GameState {
    /// Returns everything that the page shows.
    pub(super) fn picture(&self, all: &[Temperament]) -> Value {
        let chess = &self.game.chess;
        let profile = all.get(self.order.choice);
        let last = self.plies.last().map(|ply| {
            let text = UciMove::from_move(ply.m, CastlingMode::Standard).to_string();
            // a UCI move has at least four characters, all ASCII
            json!([text.get(..2), text.get(2..4)])
        });
        let clocks = self.left().map(|left| {
            json!({
                "white": left.white.as_millis() as u64, "black": left.black.as_millis() as u64,
                "running": self.is_timed().then(|| name(chess.turn())),
            })
        });
        let start = Fen::from_position(&self.order.start.chess, EnPassantMode::Legal).to_string();
        json!({
            "fen": self.game.fen(), "start": start, "human": name(self.order.human),
            "turn": name(chess.turn()), "check": chess.is_check(), "last": last,
            "dests": self.destinations(), "moves": self.moves(), "end": self.ending(),
            "thinking": self.is_engines_turn(), "clocks": clocks, "pace": self.order.pace.as_json(),
            "profile": profile.map(|t| t.id.as_str()), "temperament": self.order.strength,
            "feeling": self.feeling,
        })
    }

    /// Returns the target squares of each piece if the person is to move.
    fn destinations(&self) -> Value {
        let mut all = Map::new();
        if self.end.is_some() || self.is_engines_turn() {
            return Value::Object(all);
        }
        for m in self.game.chess.legal_moves() {
            let text = UciMove::from_move(m, CastlingMode::Standard).to_string();
            let (Some(from), Some(to)) = (text.get(..2), text.get(2..4)) else { continue };
            let squares = all.entry(from).or_insert_with(|| json!([]));
            if let Some(squares) = squares.as_array_mut()
                && !squares.iter().any(|known| known == to)
            {
                squares.push(to.into());
            }
        }
        Value::Object(all)
    }

    fn moves(&self) -> Vec<Value> {
        let mut side = self.order.start.chess.turn();
        let moves = self.plies.iter().map(|ply| {
            let uci = UciMove::from_move(ply.m, CastlingMode::Standard).to_string();
            let thought = ply.thought.map(|(score, _)| white_score(side, score));
            side = !side;
            json!({
                "san": ply.san, "uci": uci, "score": thought,
                "intensity": ply.feeling.map(|(intensity, _)| intensity),
                "goal": ply.feeling.and_then(|(_, goal)| goal).map(Goal::name),
            })
        });
        moves.collect()
    }

    fn ending(&self) -> Value {
        let Some(end) = self.end else { return Value::Null };
        let other = |side: Color| side.other().fold_wb("White wins", "Black wins");
        let reason = match end {
            GameEnd::Rules => self.rule(),
            GameEnd::Time(side) => format!("{} on time", other(side)),
            GameEnd::Resigned(side) => format!("{} by resignation", other(side)),
            GameEnd::Broken(why) => why.to_owned(),
        };
        json!({"result": self.result_text(), "reason": reason})
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

/// Converts the score from the point of view of `mover` to White's.
fn white_score(mover: Color, score: Score) -> Value {
    mover.fold_wb(score, -score).into()
}
