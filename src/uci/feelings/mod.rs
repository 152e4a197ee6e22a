//! What was felt and found in each search, as lines of JSON in a file.
//!
//! One object on one line for each search, complete when it is appended, by one write at the end of
//! the file: engines may share a file, and a reader never meets half a line but at the very end.
//! Version 1 has these keys; later ones may add keys, and what is renamed or removed makes another
//! version.
//!
//! | key | value |
//! |---|---|
//! | `v` | version of this schema: 1 |
//! | `engine` | 16 hexadecimal digits, another for each run of the engine |
//! | `game`, `search` | numbers from 1; `ucinewgame` begins another game if anything was searched in this one |
//! | `fen`, `side` | the position that was searched; `white` or `black`: who moves, and feels |
//! | `program` | name and version of the engine |
//! | `profile`, `digest` | name of the profile; eight hexadecimal digits, others where it plays otherwise |
//! | `temperament` | percent, 0 to 200 |
//! | `goal` | e.g. `castle`; null if no rung of the ladder holds |
//! | `intensity` | from fear, -1, to relief, 1 |
//! | `felt` | the same before it is rounded to steps: with inertia, where the next one starts from |
//! | `perceived`, `concepts` | values by concept, -1 to 1: as the board raises them, as the map settles |
//! | `settling` | how the map ended, in words |
//! | `factors` | `own` and `other`: by group, what the evaluation's terms are multiplied with |
//! | `leaning` | `draw` (centipawns), `time` (percent), `attention` (1024ths of a ply) |
//! | `move` | the move chosen, as UCI writes it; null if there is no legal one |
//! | `score` | `{"cp": 35}` or `{"mate": -3}`, from the point of view of `side` |
//! | `depth`, `nodes`, `time` | plies, nodes, milliseconds |
//! | `pv` | the best line, as UCI writes moves |
//! | `missed` | true if the engine pondered on this position, and was not told that it came |
//!
//! With the option `Emotion` off, `goal` to `leaning` are null.

mod file;
mod notes;
mod record;

pub use file::FeelingsFile;
pub use notes::Notes;
pub use record::{Record, RecordError};

/// `json`, with those line breaks escaped that JSON allows in strings. Some readers of lines, such as
/// `.` and `$` in JavaScript's regular expressions, would break the text there.
#[must_use]
pub fn json_line(json: &str) -> String {
    json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029").replace('\u{85}', "\\u0085")
}

/// The version of the schema.
const VERSION: u64 = 1;
