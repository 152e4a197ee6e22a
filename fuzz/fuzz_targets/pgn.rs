//! PGN files: tags, moves, comments and variations, and the style of both players.
#![no_main]

use deepfeeling::{lab::style::Style, pgn::Games};
use libfuzzer_sys::fuzz_target;
use shakmaty::Color;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    for game in Games::of(Box::new(Cursor::new(bytes.to_vec()))).flatten() {
        assert_eq!(game.walk().count(), game.moves.len());
        for side in Color::ALL {
            let _ = Style::of(&game, side);
        }
    }
});
