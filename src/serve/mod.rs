//! A local web server for playing against the engine and watching its emotions.
//!
//! One thread answers all requests, and worker threads search. Everything that comes from outside
//! is limited, in total and per client: connections, games, searches, sizes and times. Each
//! connection carries one request, so none stays open without use.
//!
//! Nothing sent by a client is executed. No file is read for a request, because the page is
//! embedded in the program.
//!
//! hyper reads and writes HTTP (RFC 9112). It is well maintained, small without its optional
//! features, and can limit the headers in size, number and time.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod client;
mod events;
mod felt_position;
pub mod files;
mod follow;
mod guard;
pub mod json_site;
mod line;
mod listen;
mod lobby;
mod message;
mod places;
mod queue;
pub mod refusal;
pub mod request;
mod routes;
mod session;
mod temperaments;
mod timeout_stream;
mod token_history;
mod workers;

use crate::profile::ProfileError;
use follow::Follower;
use guard::{Guard, SHORTEST_TOKEN};
use lobby::Lobby;
use routes::ServerState;
use std::{
    io,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};
use temperaments::Temperament;
use token_history::TokenHistory;
use tokio::sync::Notify;
use workers::Workers;

/// The settings of the server: what to serve, where and to whom.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    pub bind: IpAddr,
    /// The TCP port. 0 selects any free port.
    pub port: u16,
    pub token: Option<String>,
    /// Name and text of a profile to offer besides the built-in ones.
    pub profile: Option<(String, String)>,
    /// A feelings file to show.
    pub follow: Option<PathBuf>,
    /// Number of search threads, at least 1.
    pub threads: usize,
}

/// The reason why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("--bind {0} is not a loopback address, so --token is required (allowed: {1})")]
    Open(IpAddr, String),
    #[error("--token: found {0} characters (allowed: {1})")]
    Token(usize, String),
    #[error("cannot listen on {0}: {1}")]
    Address(SocketAddr, io::Error),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves until `stop` is notified. Calls `on_ready` with the address once the server accepts
/// connections.
///
/// # Errors
/// If the settings are inconsistent, the address is unavailable, or a thread cannot be started.
pub fn run(
    settings: &ServeOptions,
    stop: &Arc<Notify>,
    on_ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    check(settings)?;
    let own = settings.profile.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let temperaments: Arc<[Temperament]> = Temperament::all(own)?.into();
    listen::serve(SocketAddr::new(settings.bind, settings.port), stop, on_ready, |address| {
        let follower = settings.follow.clone().map(|path| Arc::new(Follower::new(path)));
        if let Some(follower) = &follower {
            tokio::spawn(Arc::clone(follower).follow());
        }
        Ok(ServerState {
            guard: Guard::new(address, settings.token.clone()),
            tokens: Arc::new(TokenHistory::default()),
            lobby: Lobby::new(Arc::clone(&temperaments)),
            workers: Workers::spawn(settings.threads.max(1))?,
            follower,
            temperaments,
        })
    })
}

/// Checks the token, which is required unless the server is only reachable from this machine.
fn check(settings: &ServeOptions) -> Result<(), ServeError> {
    let allowed = || format!("{SHORTEST_TOKEN} to 256 visible ASCII characters");
    match &settings.token {
        None if settings.bind.is_loopback() => Ok(()),
        None => Err(ServeError::Open(settings.bind, allowed())),
        Some(token) => {
            let is_visible = token.bytes().all(|byte| byte.is_ascii_graphic());
            if is_visible && (SHORTEST_TOKEN..=256).contains(&token.len()) {
                return Ok(());
            }
            Err(ServeError::Token(token.chars().count(), allowed()))
        }
    }
}
