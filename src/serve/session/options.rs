//! The settings of a new game: who plays which side, how fast, and from which position.

use super::{blind::BlindGame, pasted};
use crate::{
    chess::game::{Game, GameError},
    pgn::Tags,
    player::Options,
    search::root::limits::{Clock, Limits},
    serve::{refusal::Refusal, request::Request, temperaments::Temperament},
    support::random::unforeseen,
};
use serde::Serialize;
use shakmaty::{ByColor, CastlingMode, Color, Move};
use std::{num::NonZeroU64, ops::RangeInclusive, time::Duration};

/// The time limit of searches with a node limit.
const LONGEST_SEARCH: Duration = Duration::from_secs(30);
/// The largest clock time given to a search. With it, even a long search ends within a minute.
const AMPLE: Clock = Clock { left: Duration::from_mins(3), increment: Duration::from_secs(10) };
/// The largest length of a position with moves, in bytes.
pub(super) const LONGEST_POSITION: usize = 12 << 10;
/// The ratings of an engine that plays like a person.
const LEVELS: RangeInclusive<u64> = 1_000..=2_400;
/// The largest length of a game, in plies.
pub(super) const LONGEST_GAME: usize = 1_200;

/// How long the engine thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// A number of nodes per move for the engine. The player has unlimited time.
    Nodes(NonZeroU64),
    /// A clock with increment for both sides.
    Clock(Clock),
}

impl Pace {
    /// Returns the initial clock times.
    pub(super) fn clocks(self) -> Option<ByColor<Duration>> {
        match self {
            Self::Nodes(_) => None,
            Self::Clock(clock) => Some(ByColor { white: clock.left, black: clock.left }),
        }
    }

    /// Returns the limits of a search with this much time left on the clocks.
    pub(super) fn limits(self, left: Option<ByColor<Duration>>) -> Limits {
        match self {
            Self::Nodes(nodes) => {
                Limits { nodes: Some(nodes), move_time: Some(LONGEST_SEARCH), ..Limits::default() }
            }
            Self::Clock(clock) => {
                let left = left.unwrap_or(ByColor { white: clock.left, black: clock.left });
                let increment = clock.increment.min(AMPLE.increment);
                let clock = left.map(|left| Clock { left: left.min(AMPLE.left), increment });
                Limits { clock: Some(clock), ..Limits::default() }
            }
        }
    }
}

/// The JSON form of a [`Pace`].
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum PaceRecord {
    Nodes { nodes: NonZeroU64 },
    Clock { seconds: u64, increment: u64 },
}

impl From<Pace> for PaceRecord {
    fn from(pace: Pace) -> Self {
        match pace {
            Pace::Nodes(nodes) => Self::Nodes { nodes },
            Pace::Clock(Clock { left, increment }) => {
                Self::Clock { seconds: left.as_secs(), increment: increment.as_secs() }
            }
        }
    }
}

/// The settings of a game.
#[derive(Clone, Debug)]
pub(super) struct GameOptions {
    /// The side that the person plays.
    pub human: Color,
    pub pace: Pace,
    /// The rating of an engine that plays like a person. `None` is full strength.
    pub level: Option<u16>,
    /// Seed of the moves of a person.
    pub seed: u64,
    /// Index of the engine's profile.
    pub choice: usize,
    /// Set if the player guesses the profile.
    pub blind: Option<BlindGame>,
    /// The emotion strength in percent, 0 to 200.
    pub strength: u16,
    pub start: Game,
    /// Moves from the start position that have already been played.
    pub moves: Vec<String>,
    /// Who played a pasted game, and its result. `None` for a game against the engine.
    pub tags: Option<Tags>,
}

impl GameOptions {
    /// The keys allowed in a request for a new game.
    pub(super) const KEYS: [&str; 11] = [
        "side",
        "nodes",
        "seconds",
        "increment",
        "level",
        "profile",
        "temperament",
        "blind",
        "position",
        "moves",
        "pgn",
    ];

    /// Returns the settings of the first game.
    pub(super) fn first() -> Self {
        let nodes = NonZeroU64::MIN.saturating_add(49_999);
        Self {
            human: Color::White,
            pace: Pace::Nodes(nodes),
            level: None,
            seed: 0,
            choice: 0,
            blind: None,
            strength: 100,
            start: Game::default(),
            moves: Vec::new(),
            tags: None,
        }
    }

    /// Returns these settings with the changes given by `request`.
    pub(super) fn changed(&self, request: &Request, all: &[Temperament]) -> Result<Self, Refusal> {
        let mut order = self.clone();
        order.human = match request.text("side", 8)? {
            None => self.human,
            Some("white") => Color::White,
            Some("black") => Color::Black,
            Some(found) => return Err(Refusal::bad("side", found, "white, black")),
        };
        let seconds = request.count("seconds", 10..=10_800)?;
        let increment = request.count("increment", 0..=60)?;
        let nodes = request.count("nodes", 1..=5_000_000)?.and_then(NonZeroU64::new);
        order.pace = match (seconds, nodes) {
            (Some(_), Some(_)) => {
                return Err(Refusal::bad("nodes", "seconds as well", "one of the two"));
            }
            (Some(seconds), None) => Pace::Clock(Clock {
                left: Duration::from_secs(seconds),
                increment: Duration::from_secs(increment.unwrap_or_default()),
            }),
            (None, Some(nodes)) => Pace::Nodes(nodes),
            (None, None) => self.pace,
        };
        order.level = match request.count("level", 0..=*LEVELS.end())? {
            None => self.level,
            Some(0) => None,
            Some(level) if level < *LEVELS.start() => {
                let (least, most) = LEVELS.into_inner();
                let allowed = format!("0 for full strength, or {least} to {most}");
                return Err(Refusal::bad("level", &level.to_string(), &allowed));
            }
            Some(level) => Some(level as u16),
        };
        // without a seed, the same moves are answered in the same way
        order.seed = unforeseen().unwrap_or_default();
        order.feel(request, all)?;
        order.hide_profile(request, all)?;
        order.begin_from(request)?;
        if order.moves.len() > LONGEST_GAME {
            let found = order.moves.len().to_string();
            return Err(Refusal::bad("moves", &found, &format!("at most {LONGEST_GAME}")));
        }
        Ok(order)
    }

    /// Sets the start position and the moves that have been played, as given by `request`.
    fn begin_from(&mut self, request: &Request) -> Result<(), Refusal> {
        if let Some(text) = request.text("pgn", LONGEST_POSITION)? {
            (self.start, self.moves, self.tags) = pasted::read(text)?;
            return Ok(());
        }
        self.tags = None;
        let text = request.text("position", LONGEST_POSITION)?.unwrap_or_default();
        let (position, played) = text.split_once("moves").unwrap_or((text, ""));
        self.start = match position.trim() {
            "" | "startpos" => Game::default(),
            fen => {
                let refused = |e: GameError| Refusal::bad("position", fen, &e.to_string());
                // impossible castling rights of a standard position are dropped
                let dropped = |e| Game::from_fen(fen, Some(CastlingMode::Standard)).map_err(|_| e);
                Game::from_fen(fen, None).or_else(dropped).map_err(refused)?
            }
        };
        let moves = request.text("moves", LONGEST_POSITION)?.unwrap_or_default();
        let words = played.split_whitespace().chain(moves.split_whitespace());
        self.moves = words.map(str::to_owned).collect();
        Ok(())
    }

    /// Draws the profile of a blind game, if `request` asks for one.
    fn hide_profile(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        self.blind = None;
        if request.flag("blind")? != Some(true) {
            return Ok(());
        }
        for key in ["profile", "temperament", "pgn"] {
            if request.has(key) {
                return Err(Refusal::bad("blind", &format!("{key} as well"), "one of the two"));
            }
        }
        let (blind, plays) = BlindGame::draw(self.seed, all);
        (self.blind, self.choice, self.strength) = (Some(blind), plays, 100);
        Ok(())
    }

    /// Changes profile and emotion strength as given by `request`.
    pub(super) fn feel(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        if let Some(id) = request.text("profile", 64)? {
            let names = || all.iter().map(|t| t.id.as_str()).collect::<Vec<_>>().join(", ");
            let found = all.iter().position(|temperament| temperament.id == id);
            self.choice = found.ok_or_else(|| Refusal::bad("profile", id, &names()))?;
        }
        if let Some(percent) =
            request.count("temperament", 0..=*Options::EMOTION_STRENGTH.end() as u64)?
        {
            self.strength = percent as u16;
        }
        Ok(())
    }
}

/// Parses `text` as a legal move in `game`. Besides the usual notations, it may have a move number
/// and a small letter for the piece.
pub(super) fn legal(game: &Game, text: &str) -> Result<Move, Refusal> {
    let allowed = "a legal move such as Nf3 or e2e4";
    let word = text.split(['.', '…']).next_back().unwrap_or_default().trim();
    let capital = |word: &str| {
        let first = word.chars().next().filter(|first| "nbrqk".contains(*first))?;
        Some(word.replacen(first, &first.to_ascii_uppercase().to_string(), 1))
    };
    let found = game.read_move(word).ok();
    found
        .or_else(|| game.read_move(&capital(word)?).ok())
        .ok_or_else(|| Refusal::bad("move", text, allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_type_them() {
        let game =
            Game::from_fen("r3k2r/pppq1ppp/2n5/1B6/4P3/5N2/PPPP1PPP/R3K2R w KQkq - 0 1", None);
        let game = game.unwrap();
        for (typed, uci) in [
            ("o-o", "e1g1"),
            ("0-0", "e1g1"),
            ("nd4", "f3d4"),
            ("e4-e5", "e4e5"),
            ("e4e5", "e4e5"),
            ("12. e5", "e4e5"),
            ("1.d3", "d2d3"),
            ("b3", "b2b3"),
            ("bc4", "b5c4"),
            ("bxc6", "b5c6"),
            ("1… Ke2", "e1e2"),
        ] {
            let m = legal(&game, typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
            assert_eq!(m, game.read_uci(uci).unwrap(), "{typed}");
        }
        for wrong in ["", "1.", "nf9", "e4 e5", "Qh8"] {
            assert!(legal(&game, wrong).is_err(), "{wrong}");
        }
    }
}
