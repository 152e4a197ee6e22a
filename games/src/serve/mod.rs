//! The page of `serve`: an HTTP server with JSON answers, on which people play the games.
//!
//! The server keeps no games. A request says all about its game: level, temperament, seed and moves.
//! Equal requests therefore get equal answers, and any move can be taken back.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod feeling;
mod order;
mod review;
mod state;

use crate::{
    game::{Game, Side},
    horses::Horses,
    tilt::Tilt,
    view::Shown,
};
use deepfeeling::{
    explain::schema,
    serve::{
        ServeError,
        files::{self, File, PAGE, SCRIPT, STYLE},
        json_site::{self, JsonSite},
        refusal::Refusal,
    },
};
use order::Order;
use serde::Serialize;
use std::{io, net::SocketAddr, sync::Arc};
use tokio::sync::Notify;

/// Path, type and contents of the files of the page.
const FILES: &[(&str, &str, &str)] = &[
    ("/", PAGE, include_str!("../../../web/games/page.html")),
    ("/games.css", STYLE, include_str!("../../../web/games/games.css")),
    ("/games.js", SCRIPT, include_str!("../../../web/games/games.js")),
    ("/chooser.js", SCRIPT, include_str!("../../../web/games/chooser.js")),
    ("/play.js", SCRIPT, include_str!("../../../web/games/play.js")),
    ("/cells.js", SCRIPT, include_str!("../../../web/games/cells.js")),
    ("/horses.js", SCRIPT, include_str!("../../../web/games/horses.js")),
    ("/tilt.js", SCRIPT, include_str!("../../../web/games/tilt.js")),
    ("/feelings.js", SCRIPT, include_str!("../../../web/games/feelings.js")),
    ("/server.js", SCRIPT, include_str!("../../../web/games/server.js")),
    ("/course.js", SCRIPT, include_str!("../../../web/games/course.js")),
    ("/mind.js", SCRIPT, include_str!("../../../web/games/mind.js")),
];
/// Files that the page shares with the chess page.
const SHARED: [&str; 11] = [
    "/base.css",
    "/live.css",
    "/felt.css",
    "/start.css",
    "/pieces.css",
    "/make.js",
    "/factors.js",
    "/map.js",
    "/theme.js",
    "/ribbon.js",
    "/icon.svg",
];

/// Serves the page on this machine until `stop` is notified. Port 0 selects any free port. Calls
/// `on_ready` with the address once the server accepts connections.
///
/// # Errors
/// If the address is unavailable, or the system denies a resource.
pub fn run(
    port: u16,
    stop: &Arc<Notify>,
    on_ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    json_site::run(GamesSite, port, stop, on_ready)
}

/// The page and its answers.
struct GamesSite;

impl JsonSite for GamesSite {
    fn file(&self, path: &str) -> Option<File> {
        let own = FILES.iter().find(|(own, ..)| *own == path);
        let own = own.map(|&(path, kind, text)| File::new(path, kind, text));
        own.or_else(|| SHARED.contains(&path).then(|| files::find(path)).flatten())
    }

    fn get(&self, path: &str) -> Option<String> {
        (path == "games").then(|| schema::text(&[about::<Horses>(), about::<Tilt>()]))
    }

    fn post(&self, path: &str, body: &[u8]) -> Option<Result<String, Refusal>> {
        let (game, action) = path.split_once('/')?;
        let action = action.parse().ok()?;
        match game {
            Horses::NAME => Some(answer::<Horses>(action, body)),
            Tilt::NAME => Some(answer::<Tilt>(action, body)),
            _ => None,
        }
    }
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
enum Action {
    /// The state of the game.
    State,
    /// A move of the person.
    Move,
    /// Takes back the person's last move.
    Undo,
    /// One move of the machine.
    Reply,
    /// What the machine plays with its feeling and without.
    Choice,
    /// What the machine would have played with emotions of another strength.
    Imagine,
    /// Feelings over the game, and the moves that turned it.
    Review,
}

impl Action {
    /// Returns the key that only requests for this action have.
    const fn key(self) -> Option<&'static str> {
        match self {
            Self::Move => Some("move"),
            Self::Imagine => Some("strength"),
            Self::State | Self::Undo | Self::Reply | Self::Choice | Self::Review => None,
        }
    }
}

fn answer<G: Shown>(action: Action, body: &[u8]) -> Result<String, Refusal> {
    let mut order = Order::<G>::parse(body, action)?;
    let mut thought = None;
    match action {
        Action::State | Action::Move => {}
        Action::Undo => order.undo()?,
        Action::Reply => thought = Some(order.reply()?),
        Action::Choice => return Ok(schema::text(&order.choice())),
        Action::Imagine => return Ok(schema::text(&order.imagined())),
        Action::Review => return Ok(schema::text(&review::of(&order))),
    }
    Ok(schema::text(&state::of(&order, thought.as_ref())))
}

/// A choice on the page, with a description.
#[derive(Serialize)]
struct Choice {
    name: &'static str,
    summary: String,
}

/// What the page says of a game before it starts.
#[derive(Serialize)]
struct About {
    game: &'static str,
    summary: &'static str,
    how: &'static [&'static str],
    sides: [&'static str; 2],
    /// The side that people play by default: 0 or 1.
    person: usize,
    levels: Vec<Choice>,
    /// The level to offer first.
    level: &'static str,
    temperaments: Vec<Choice>,
    rules: Vec<Choice>,
}

fn about<G: Shown>() -> About {
    let choices = |rows: &[(&'static str, &'static str)]| {
        rows.iter().map(|&(name, words)| Choice { name, summary: words.into() }).collect()
    };
    let mut temperaments: Vec<Choice> = G::TEMPERAMENTS
        .iter()
        .filter_map(|builtin| {
            let summary = order::mind::<G>(builtin.name).ok()?.summary;
            Some(Choice { name: builtin.name, summary })
        })
        .collect();
    temperaments.push(Choice { name: order::CALM, summary: "Does not feel.".into() });
    About {
        game: G::NAME,
        summary: G::SUMMARY,
        how: G::RULES,
        sides: G::SIDES,
        person: G::PERSON as usize,
        levels: choices(G::STRENGTHS),
        level: G::STRENGTHS.get(2).map_or(G::EXPLAINED, |(name, _)| name),
        temperaments,
        rules: choices(G::VARIANTS),
    }
}

/// Returns the index of a side in JSON.
const fn index(side: Side) -> usize {
    side as usize
}
