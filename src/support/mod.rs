//! General building blocks without any chess: files, threads, memory, random numbers and statistics.

pub mod compressed;
pub mod digest;
pub mod inline_hash;
pub mod input;
pub mod lines;
pub mod noise;
pub mod prefetch;
pub mod random;
pub mod record_file;
pub mod spelling;
pub mod state_file;
pub mod threads;
pub mod variants;
pub mod whole_file;
