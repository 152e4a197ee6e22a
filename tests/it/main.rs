//! All integration tests in one binary, because linking each of them apart takes minutes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod annotate;
mod appraisal;
mod architecture;
mod census;
mod channels;
mod chess960;
mod cli;
mod datagen;
mod dialogue;
mod duel;
mod epd;
mod evaluation;
mod feelings;
mod files;
mod humans;
mod knobs;
mod limited;
mod map;
mod mates;
mod minds;
mod paper;
mod perft;
mod play;
mod profiles;
mod relevance;
mod report;
mod search;
mod serve;
mod style;
mod syzygy;
mod tablebase;
mod tune;
mod uci;
mod uci_search;
mod why;
