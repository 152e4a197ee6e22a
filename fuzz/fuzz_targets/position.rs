//! Positions as FEN or with moves, EPD records, and the evaluation of valid positions.
#![no_main]

use deepfeeling::{chess::game::Game, eval, lab::epd::record::EpdRecord};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let _ = EpdRecord::parse(first, 1);
    let Ok(mut game) = Game::parse(first, None) else { return };
    let again = Game::from_fen(&game.fen(), None).expect("a printed FEN is valid");
    assert_eq!(again.fen(), game.fen());
    for line in lines.take(100) {
        let _ = eval::trace(&game.chess);
        let Ok(m) = game.read_move(line) else { continue };
        game.push(m);
        let _ = (game.repetitions(), game.flipped());
    }
});
