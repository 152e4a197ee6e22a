//! What any program needs: random numbers, files, threads, statistics. Knows nothing of chess.

pub mod compressed;
pub mod digest;
pub mod input;
pub mod noise;
pub mod random;
pub mod record_file;
pub mod spelling;
pub mod threads;
pub mod whole_file;
