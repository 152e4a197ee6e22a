//! Profile files: a file is refused in one line, or its mind can appraise a position.
#![no_main]

use deepfeeling::{
    chess::game::Game,
    player::{Engine, Options},
    profile::Profile,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Profile::from_text(text, "fuzzed.toml") {
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(profile) => {
            let options = Options { hash: 1, ..Options::default() };
            let engine = Engine::new(profile, options).expect("a MiB is available");
            let _ =
                engine.appraise(&Game::parse("startpos moves e4 e5", None).expect("it is valid"));
        }
    }
});
