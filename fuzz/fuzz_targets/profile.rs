//! Profile files: a file is refused in one line, or its mind can appraise a position.
#![no_main]

use deepfeeling::{
    chess::game::Game,
    player::{Engine, Options},
    profile::Profile,
};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new({
        let profile = Profile::builtin("standard").expect("it is built in");
        Engine::new(profile, Options { hash: 1, ..Options::default() }).expect("a MiB is available")
    });
}

fuzz_target!(|text: &str| {
    match Profile::from_text(text, "fuzzed.toml") {
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(profile) => ENGINE.with_borrow_mut(|engine| {
            engine.set_profile(profile);
            let _ =
                engine.appraise(&Game::parse("startpos moves e4 e5", None).expect("it is valid"));
        }),
    }
});
