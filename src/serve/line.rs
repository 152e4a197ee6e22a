//! Adds to a feelings record what only the page shows: the best line in SAN, and what the feeling
//! does in its position.

use super::felt_position::FeltPosition;
use crate::{
    chess::game::Game,
    profile::Profile,
    uci::feelings::{Notes, SearchRecord},
};
use serde::Serialize;
use shakmaty::san::SanPlus;

/// The record of a search as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PageRecord {
    #[serde(flatten)]
    record: SearchRecord,
    /// The best line in SAN.
    line: Vec<String>,
    #[serde(flatten)]
    position: Option<FeltPosition>,
}

impl PageRecord {
    /// Describes the search of `game` by `profile` with these notes.
    pub(super) fn of(notes: &Notes, game: &Game, profile: &Profile) -> Self {
        let record = notes.record();
        let line = san_line(&record.fen, record.pv.iter().map(String::as_str));
        let strength = record.temperament;
        let felt = notes.felt();
        let position = felt.map(|felt| FeltPosition::of(felt, game, profile, strength));
        Self { record, line, position }
    }
}

/// Converts a line of moves from `fen` to SAN, up to the first illegal move.
pub(super) fn san_line<'a>(fen: &str, pv: impl Iterator<Item = &'a str>) -> Vec<String> {
    let Ok(mut game) = Game::from_fen(fen, None) else { return Vec::new() };
    let mut line = Vec::new();
    for text in pv {
        let Ok(m) = game.read_move(text) else { break };
        line.push(SanPlus::from_move(game.chess.clone(), m).to_string());
        game.push(m);
    }
    line
}
