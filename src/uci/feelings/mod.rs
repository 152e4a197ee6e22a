//! Records the feelings and the result of each search as JSON lines in a file.
//!
//! Each search appends one object on one line with a single write. Engines may therefore share a
//! file, and only the last line can be incomplete for a reader.
//! Version 1 has the following keys. New keys may be added without changing the version. Renaming
//! or removing a key changes it.
//!
//! | key | value |
//! |---|---|
//! | `v` | version of this schema: 1 |
//! | `engine` | 16 hexadecimal digits, different for each run of the engine |
//! | `game`, `search` | numbers from 1; `ucinewgame` starts the next game if this one has had a search |
//! | `fen`, `side` | the position searched; the side to move (`white` or `black`), whose feelings these are |
//! | `program` | name and version of the engine |
//! | `profile`, `digest` | the name of the profile; eight hexadecimal digits that change when its play changes |
//! | `temperament` | the emotion strength in percent, 0 to 200 |
//! | `goal` | the active goal, e.g. `castle`; null if no goal applies |
//! | `intensity` | from -1 (fear) to 1 (relief) |
//! | `felt` | the intensity before rounding to steps; with inertia, the start of the next one |
//! | `perceived`, `concepts` | activations by concept, -1 to 1: from the board, and after the map has settled |
//! | `settling` | the behaviour of the map, in words |
//! | `factors` | `own` and `other`: the factor of each evaluation group |
//! | `effects` | `draw` (centipawns), `time` (percent), `attention` (1024ths of a ply) |
//! | `move` | the chosen move in UCI notation; null if there is no legal move |
//! | `score` | `{"cp": 35}` or `{"mate": -3}`, from the point of view of `side` |
//! | `depth`, `nodes`, `time` | plies, nodes, milliseconds |
//! | `pv` | the best line in UCI notation |
//! | `missed` | true if the engine pondered on this position without a `ponderhit` |
//!
//! If the option `Emotion` is off, the keys from `goal` to `effects` are null.

mod file;
mod notes;
mod record;

pub use file::{FeelingsFile, json_line};
pub use notes::Notes;
pub use record::{FeelingsRecord, FeelingsRecordError};
