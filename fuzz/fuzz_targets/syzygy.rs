//! Endgame tables with changed bytes, cut off, or cut off after they were opened.
#![no_main]

use deepfeeling::{
    chess::{game::Game, syzygy::Syzygy, tablebase::Tablebase},
    player::{Engine, Options},
    profile::Profile,
};
use libfuzzer_sys::fuzz_target;
use std::{cell::RefCell, fs, num::NonZeroU64, path::Path};

const TABLES: [(&str, &[u8]); 4] = [
    ("KPvK.rtbw", include_bytes!("../tables/KPvK.rtbw")),
    ("KPvK.rtbz", include_bytes!("../tables/KPvK.rtbz")),
    ("KNvK.rtbw", include_bytes!("../tables/KNvK.rtbw")),
    ("KNvK.rtbz", include_bytes!("../tables/KNvK.rtbz")),
];
const POSITIONS: [&str; 3] = [
    "8/8/8/8/8/4k3/4P3/4K3 w - - 0 1",
    "8/1k2P3/8/8/8/8/8/4K3 b - - 7 9",
    "8/4P3/8/3k4/8/8/8/K7 w - - 0 1",
];

/// A position that is only probed, because there is nothing to search.
const DRAW: &str = "8/8/8/4k3/8/8/1N6/K7 w - - 0 1";
/// One of this many inputs is searched. The others are only probed, which is much faster.
const INPUTS_PER_SEARCH: u8 = 16;

/// A number that says whether to search and which position, whether a table is cut off before it is
/// opened, which table, at what length, and changes: each is a table, a place and a new byte.
type Input<'a> = (u8, bool, u8, u16, Vec<(u8, u16, u8)>);

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new({
        let profile = Profile::builtin("neutral").expect("it is built in");
        Engine::new(profile, Options { hash: 1, ..Options::default() }).expect("a MiB is available")
    });
}

/// Writes all tables to `folder`, with changes.
fn write(folder: &Path, changes: &[(u8, u16, u8)]) {
    for (number, (name, bytes)) in TABLES.iter().enumerate() {
        let mut bytes = bytes.to_vec();
        for &(table, place, byte) in changes {
            if usize::from(table) % TABLES.len() == number {
                let place = usize::from(place) % bytes.len();
                bytes[place] = byte;
            }
        }
        fs::write(folder.join(name), bytes).expect("the folder is writable");
    }
}

/// Cuts off a table at `length`.
fn cut(folder: &Path, table: u8, length: u16) {
    let (name, _) = TABLES[usize::from(table) % TABLES.len()];
    let file = fs::OpenOptions::new().write(true).open(folder.join(name)).expect("it was written");
    file.set_len(u64::from(length)).expect("the folder is writable");
}

fuzz_target!(|input: Input| {
    let (position, is_cut_before, table, length, changes) = input;
    let folder = tempfile::tempdir_in("/dev/shm").expect("it is a folder in memory");
    write(folder.path(), &changes);
    if is_cut_before {
        cut(folder.path(), table, length);
    }
    let Ok(tables) = Syzygy::open(folder.path().to_str().expect("it is ASCII")) else { return };
    if !is_cut_before {
        cut(folder.path(), table, length);
    }
    if position % INPUTS_PER_SEARCH == 0 {
        search(tables, POSITIONS[usize::from(position / INPUTS_PER_SEARCH) % POSITIONS.len()]);
    } else {
        for fen in POSITIONS.into_iter().chain([DRAW]) {
            let game = Game::from_fen(fen, None).expect("it is valid");
            let _ = (tables.wdl(&game.chess), tables.dtz(&game.chess));
        }
    }
});

/// Searches a position with the tables.
fn search(tables: Syzygy, fen: &str) {
    ENGINE.with_borrow_mut(|engine| {
        engine.set_tablebase(tables);
        engine.new_game();
        let game = Game::from_fen(fen, None).expect("it is valid");
        let found = engine.best_at(&game, NonZeroU64::new(30).expect("it is not zero"));
        assert!(found.is_some(), "{fen} has legal moves");
    });
}
