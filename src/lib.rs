//! Deep Feeling: a chess engine that speaks UCI and feels.
//!
//! Before each search the [`mind`] looks at the board and feels something between fear and relief;
//! under the goal of the moment that feeling makes groups of the [`eval`]uation's terms weigh more or
//! less. The [`search`] knows nothing of it: it asks an [`evaluator::Evaluator`], and of endings with
//! few men a [`tablebase::Tablebase`], which [`syzygy`] reads from files. [`engine`] is the one place
//! where they all meet; a [`profile`] says all that can be said about a player.
//!
//! For a reader who comes from the article (Laureano-Cruces et al. 2012,
//! doi 10.15517/rmta.v19i2.1335):
//!
//! | in the article | here |
//! |---|---|
//! | the four evaluation parameters, eqs. 1-5 | [`eval::measures`] |
//! | eq. 7: what an emotion does to them | [`eval::paper`]; for the terms that play, [`eval::weights`] |
//! | concepts and linguistic labels, table 1 | [`mind::concept`] |
//! | how the board raises them | [`mind::perception`] |
//! | the map and its inference, tables 2 and 5 | [`mind::fcm`] |
//! | goals and their decision list, figure 3 | [`mind::goal`], with the board's [`mind::fact`]s |
//! | relevance factors, eqs. 8-11 | [`mind::relevance`] |
//! | emotional appraisal as a whole | [`mind::Mind::appraise`], recorded in [`mind::appraisal`] |
//! | its tables, recomputed beside its own | [`paper`] |
//! | numbers of map, goals and factors | `config/paper2012.toml`; those that play, `config/standard.toml` |
//! | numbers of the measures, table 3 | [`eval::measures`], [`mind::relevance::RANGES`] |

pub mod chess;
pub mod cli;
pub mod doctor;
pub mod eval;
pub mod explain;
pub mod lab;
pub mod mind;
pub mod pgn;
pub mod player;
pub mod profile;
pub mod review;
pub mod search;
pub mod serve;
pub mod support;
pub mod uci;
