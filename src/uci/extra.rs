//! Words beyond the protocol, for a person at a terminal.

use crate::{
    game::Game,
    profile::Profile,
    story::{evaluation::Evaluation, feeling::Feeling},
};

/// A word that is no part of the protocol, with its argument where it takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// `bench`, with the depth if one was given.
    Bench(String),
    /// `d`: the position.
    Position,
    Eval,
    Feel,
}

impl Extra {
    /// The extra word that `word` is, if it is one.
    pub(super) fn parse(word: &str, arguments: &str) -> Option<Self> {
        match word {
            "bench" => Some(Self::Bench(arguments.trim().into())),
            "d" => Some(Self::Position),
            "eval" => Some(Self::Eval),
            "feel" => Some(Self::Feel),
            _ => None,
        }
    }

    /// What there is to say about `game` under `profile`, line by line.
    pub(super) fn reply(&self, game: &Game, profile: &Profile) -> String {
        match self {
            Self::Position => format!("info string fen {}", game.fen()),
            Self::Eval => Evaluation::of(game.clone(), profile.clone()).to_string(),
            Self::Feel => Feeling::of(game.clone(), profile.clone()).to_string(),
            // it wants an engine of its own, and nothing else meanwhile
            Self::Bench(depth) => {
                let depth = if depth.is_empty() { "" } else { &format!(" --depth {depth}") };
                format!("info string on the command line: deepfeeling bench{depth}")
            }
        }
    }
}
