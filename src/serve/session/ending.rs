//! How a game ends: by the rules, on time, by resignation or by agreement.

use super::state::{GameState, OVER};
use crate::{
    lab::self_play::{
        adjudication::{is_drawn, natural_result},
        written::RESULTS,
    },
    serve::refusal::Refusal,
};
use hyper::StatusCode;
use serde::Serialize;
use shakmaty::{Color, KnownOutcome, Position};

/// Number of plies before which the engine declines every draw.
const EARLY: usize = 40;
/// The engine accepts a draw if its score is at most this much better than a draw, in centipawns.
const CONTENT: i32 = 15;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameEnd {
    /// Checkmate, or a draw according to the rules.
    Rules,
    Time(Color),
    Resigned(Color),
    /// A draw by agreement.
    Agreed,
    /// The end of a pasted game, with the result that its PGN gives.
    Pasted,
    /// Aborted, because the game became too long or the engine failed.
    Broken(&'static str),
}

/// The end of a game as the page shows it.
#[derive(Debug, Serialize)]
pub(super) struct EndRecord {
    result: &'static str,
    reason: String,
}

impl GameState {
    pub(super) fn resign(&mut self) -> Result<(), Refusal> {
        if self.end.is_some() {
            return Err(Refusal::plain(StatusCode::CONFLICT, OVER));
        }
        self.end_by_hand(GameEnd::Resigned(self.order.human));
        Ok(())
    }

    /// Offers a draw to the engine. It accepts if it does not think that it stands better. What it
    /// expects of a draw depends on its emotion.
    pub(super) fn offer_draw(&mut self) -> Result<(), Refusal> {
        self.check_turn("Offer a draw when it is your turn.")?;
        if self.is_declined() {
            let why = "It has declined. Make a move before you offer again.";
            return Err(Refusal::plain(StatusCode::CONFLICT, why));
        }
        let last = self.plies.iter().rev().find_map(|ply| ply.insight.as_ref());
        let is_content = last.is_some_and(|insight| {
            let draw = insight.felt.as_ref().map_or(0, |felt| felt.effects.draw);
            insight.score.centipawns() <= draw.saturating_add(CONTENT)
        });
        if is_content && self.plies.len() >= EARLY {
            self.end_by_hand(GameEnd::Agreed);
        } else {
            self.declined_at = Some(self.plies.len());
        }
        Ok(())
    }

    /// Whether the engine has declined a draw in this position.
    pub(super) fn is_declined(&self) -> bool {
        self.declined_at == Some(self.plies.len())
    }

    fn end_by_hand(&mut self, end: GameEnd) {
        self.clocks = self.left();
        self.drop_search();
        self.end = Some(end);
    }

    /// Returns the result in half points for White, or `None` without a result.
    pub(super) fn result(&self) -> Option<u8> {
        match self.end? {
            GameEnd::Rules if is_drawn(&self.game) => Some(1),
            GameEnd::Rules => Some(natural_result(&self.game.chess)),
            GameEnd::Time(side) if !self.can_mate(!side) => Some(1),
            GameEnd::Time(side) | GameEnd::Resigned(side) => Some(side.fold_wb(0, 2)),
            GameEnd::Agreed => Some(1),
            GameEnd::Pasted => self.order.tags.as_ref()?.result.map(half_points),
            GameEnd::Broken(_) => None,
        }
    }

    fn can_mate(&self, side: Color) -> bool {
        !self.game.chess.has_insufficient_material(side)
    }

    pub(super) fn result_text(&self) -> &'static str {
        self.result().and_then(|result| RESULTS.get(usize::from(result))).map_or("*", |text| text)
    }

    pub(super) fn ending(&self) -> Option<EndRecord> {
        let wins = |side: Color| side.fold_wb("White wins", "Black wins");
        let name = |side: Color| side.fold_wb("White", "Black");
        let reason = match self.end? {
            GameEnd::Rules => self.rule(),
            GameEnd::Time(side) if !self.can_mate(!side) => {
                format!("Draw: {} is out of time, but {} cannot mate", name(side), name(!side))
            }
            GameEnd::Time(side) => format!("{} on time", wins(!side)),
            GameEnd::Resigned(side) => format!("{} by resignation", wins(!side)),
            GameEnd::Agreed => "Draw by agreement".to_owned(),
            GameEnd::Pasted => "End of the pasted game".to_owned(),
            GameEnd::Broken(why) => why.to_owned(),
        };
        Some(EndRecord { result: self.result_text(), reason })
    }

    /// Names the rule that ended the game.
    fn rule(&self) -> String {
        let chess = &self.game.chess;
        if chess.is_checkmate() {
            let winner = (!chess.turn()).fold_wb("White wins", "Black wins");
            return format!("{winner} by checkmate");
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
}

/// Returns a result in half points for White.
fn half_points(result: KnownOutcome) -> u8 {
    match result {
        KnownOutcome::Draw => 1,
        KnownOutcome::Decisive { winner } => winner.fold_wb(2, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{options::GameOptions, state::Insight};
    use super::*;
    use crate::{
        chess::score::Score,
        serve::{request::Request, temperaments::Temperament},
    };
    use serde_json::{Value, json};

    fn table(order: &Value, all: &[Temperament]) -> GameState {
        let request = Request::parse(order.to_string().as_bytes(), &GameOptions::KEYS).unwrap();
        let mut table = GameState::new(GameOptions::first());
        table.begin(&request, all).unwrap();
        table
    }

    #[test]
    fn a_draw_is_accepted_late_and_unless_the_engine_stands_better() {
        let all = Temperament::all(None).unwrap();
        let quiet = "Nf3 Nf6 Ng1 Ng8 e4 e5 d3 d6 c3 c6 b3 b6 a3 a6 ".to_owned();
        let more = "Ra2 Ra7 Rc2 Rc7 Ra2 Ra7 f3 f6 g3 g6 h3 h6 Rd2 Rd7 Re2 Re7 Rf2 Rf7 \
                     Nd2 Nd7 Be2 Be7 Rg2 Rg7 Qc2 Qc7 Bd1";
        let mut table = table(&json!({"side": "black", "moves": quiet + more}), &all);
        assert!(table.plies.len() > 40 && table.end.is_none() && !table.is_engines_turn());
        let record = table.felt_after(0, &all).unwrap();
        let think = |cp: i32| Insight {
            score: Score::cp(cp),
            depth: 1,
            nodes: 1,
            felt: None,
            choice: 0,
            comparison: None,
            mind: None,
            record: record.clone(),
        };
        table.plies.last_mut().unwrap().insight = Some(think(60));
        table.offer_draw().unwrap();
        assert!(table.is_declined() && table.end.is_none() && table.offer_draw().is_err());
        table.declined_at = None;
        table.plies.last_mut().unwrap().insight = Some(think(-20));
        table.offer_draw().unwrap();
        assert_eq!((table.end, table.result()), (Some(GameEnd::Agreed), Some(1)));
    }

    #[test]
    fn time_runs_out_without_loss_if_the_opponent_cannot_mate() {
        let all = Temperament::all(None).unwrap();
        for (position, result) in
            [("4k3/8/8/8/8/8/8/R3K1n1 w - - 0 1", 0), ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1)]
        {
            let mut table = table(&json!({"seconds": 600, "position": position}), &all);
            table.end = Some(GameEnd::Time(Color::White));
            assert_eq!(table.result(), Some(result), "{position}");
        }
    }
}
