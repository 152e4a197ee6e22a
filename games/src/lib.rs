//! Two board games under the mind of the chess engine Deep Feeling: [`horses`] and [`tilt`].
//!
//! Both come from Spanish university reports. Each has the agent that its authors describe as a
//! faithful baseline, and the emotional mind of the engine over it. The mind, its levels called
//! `master`, the notation and the records are ours.
//!
//! | layer | modules |
//! |---|---|
//! | what every game must offer, and errors of notation | [`game`], [`notation`] |
//! | evaluation by terms, and the searches | [`evaluation`], [`search`], [`perft`] |
//! | levels, temperaments, players that feel and choose | [`level`], [`agent`] |
//! | the games: rules, notation, terms, levels, and what the mind perceives | [`horses`], [`tilt`] |
//! | games between players, records, a game with a person | [`mod@matches`], [`record`], [`session`] |
//! | explanations and measurements | [`explain`], [`lab`], [`lesson`] |
//! | the page, and what games show on it | [`serve`], [`view`] |
//! | the commands | [`cli`] |

#![expect(clippy::format_push_string, reason = "the texts are short, and `+=` is easy to read")]

pub mod agent;
pub mod cli;
pub mod evaluation;
pub mod explain;
pub mod game;
pub mod horses;
pub mod lab;
pub mod lesson;
pub mod level;
pub mod matches;
pub mod notation;
pub mod perft;
pub mod record;
pub mod search;
pub mod serve;
pub mod session;
pub mod tilt;
pub mod view;
