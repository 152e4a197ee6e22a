//! Adds the principal variation in SAN to a feelings record.

use crate::chess::game::Game;
use serde_json::Value;
use shakmaty::san::SanPlus;

/// Adds `line` to a record: its `pv` in SAN, up to the first illegal move.
pub(super) fn add_line(record: &mut Value) {
    let fen = record.get("fen").and_then(Value::as_str).unwrap_or_default();
    let Ok(mut game) = Game::from_fen(fen, None) else { return };
    let pv = record.get("pv").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut line = Vec::new();
    for text in pv.iter().filter_map(Value::as_str) {
        let Ok(m) = game.read_move(text) else { break };
        line.push(SanPlus::from_move(game.chess.clone(), m).to_string());
        game.push(m);
    }
    if let Some(record) = record.as_object_mut() {
        record.insert("line".into(), line.into());
    }
}
