//! Deep Feeling is a UCI chess engine whose evaluation is reweighted by an emotion.
//!
//! Before each search the [`mind`] appraises the board: a fuzzy cognitive map computes an emotion between
//! fear and relief. Under the current goal, that emotion makes groups of terms of the [`eval`]uation
//! count more or less. The mind knows no game: [`chess_mind`] describes chess to it, and other games can
//! describe themselves. The [`search`] does not know the mind: it sees an
//! [`Evaluator`](chess::evaluator::Evaluator) and, for endings with few pieces, a
//! [`Tablebase`](chess::tablebase::Tablebase). The [`player`] is the lowest layer that joins mind,
//! evaluation and search.
//!
//! The folders are layers, the lowest first. A file may use its own folder and every folder listed before
//! it, with three exceptions: search and evaluation do not use each other, mind and profile do not use
//! the search, and the mind itself uses [`support`] only. Outside `src`, `config/` holds the profiles,
//! `web/live` the page of `serve`, `web/report` the page of `report`, and `web/games` the page of other
//! games.
//!
//! | layer | folders |
//! |---|---|
//! | what any program needs | [`support`] |
//! | the rules of chess, scores, positions, endgame tables | [`chess`] |
//! | the evaluation and the search, which do not know each other | [`eval`], [`search`] |
//! | perception, map, goals, relevance and other effects for any game; what chess brings to it | [`mind`], [`chess_mind`] |
//! | profiles in TOML, and the engine that plays one | [`profile`], [`player`] |
//! | explanations, games, measurements | [`explain`], [`pgn`], [`review`], [`lab`] |
//! | what users talk to | [`uci`], [`serve`], [`doctor`], [`cli`] |
//!
//! For readers of the article (Laureano-Cruces et al. 2012, doi 10.15517/rmta.v19i2.1335):
//!
//! | in the article | here |
//! |---|---|
//! | the four evaluation parameters, eqs. 1-5 | [`eval::measures`] |
//! | how an emotion changes them, eq. 7 | [`eval::paper`]; for the evaluation used in play, [`eval::weights`] |
//! | concepts and linguistic labels, table 1 | [`mind::concept`] |
//! | how the board activates concepts | [`mind::perception`] |
//! | the map and its inference, tables 2 and 5 | [`mind::fcm`] |
//! | goals and their decision list, figure 3 | [`chess_mind::goal`] and [`mind::goal`], with the board's [`chess_mind::fact`]s |
//! | relevance factors, eqs. 8-11 | [`mind::relevance`] |
//! | the emotional appraisal as a whole | [`mind::Mind::appraise`], recorded in [`mind::appraisal`] |
//! | its tables, recomputed next to the printed numbers | [`lab::paper`] |
//! | numbers of map, goals and factors | `config/paper2012.toml`; those that play, `config/standard.toml` |
//! | numbers of the measures, table 3 | [`eval::measures`], [`chess_mind::relevance::RANGES`] |

pub mod chess;
pub mod chess_mind;
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
