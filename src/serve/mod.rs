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
mod files;
mod follow;
mod guard;
mod line;
mod lobby;
mod places;
mod queue;
mod refusal;
mod request;
mod routes;
mod session;
mod temperaments;
mod timeout_stream;
mod token_history;
mod workers;

use crate::profile::ProfileError;
use client::Client;
use follow::Follower;
use guard::{Guard, SHORTEST_TOKEN};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use lobby::Lobby;
use places::{Place, Places};
use routes::ServerState;
use std::{
    convert::Infallible,
    io::{self, Write},
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use temperaments::Temperament;
use timeout_stream::TimeoutStream;
use token_history::TokenHistory;
use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::Notify,
    time::timeout,
};
use workers::Workers;

/// The time allowed for the head of a request to arrive.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The largest size of a request head, in bytes.
const LARGEST_HEAD: usize = 16 << 10;
/// The largest number of header lines of a request.
const MOST_HEADERS: usize = 64;

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
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_io().enable_time().build()?;
    runtime.block_on(async {
        let asked = SocketAddr::new(settings.bind, settings.port);
        let refused = |error| ServeError::Address(asked, error);
        let listener = TcpListener::bind(asked).await.map_err(refused)?;
        let address = listener.local_addr()?;
        let follower = settings.follow.clone().map(|path| Arc::new(Follower::new(path)));
        if let Some(follower) = &follower {
            tokio::spawn(Arc::clone(follower).follow());
        }
        let site = Arc::new(ServerState {
            guard: Guard::new(address, settings.token.clone()),
            tokens: Arc::new(TokenHistory::default()),
            lobby: Lobby::new(Arc::clone(&temperaments)),
            workers: Workers::spawn(settings.threads.max(1))?,
            follower,
            temperaments,
        });
        on_ready(address)?;
        select! {
            () = stop.notified() => {}
            () = accept(listener, &site) => {}
        }
        site.lobby.close();
        Ok(())
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

/// Accepts connections forever. Connections beyond the limit are rejected with status 503.
async fn accept(listener: TcpListener, site: &Arc<ServerState>) {
    let places = Arc::new(Places::default());
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // out of file descriptors: wait for some to be closed
            let _ = timeout(Duration::from_millis(100), std::future::pending::<()>()).await;
            continue;
        };
        let Some((place, closed)) = places.take(Client::of(from.ip())) else {
            reject(stream);
            continue;
        };
        let site = Arc::clone(site);
        tokio::spawn(async move {
            select! {
                () = answer_one(stream, site, place) => {}
                _ = closed => {}
            }
        });
    }
}

/// Rejects a connection with status 503, without waiting for the client.
fn reject(stream: TcpStream) {
    let Ok(mut stream) = stream.into_std() else { return };
    let head = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    // the result does not matter: the connection is closed anyway
    let _ = stream.write_all(head.as_bytes());
}

/// Answers the request of one connection.
async fn answer_one(stream: TcpStream, site: Arc<ServerState>, place: Place) {
    let place = Arc::new(place);
    let service = service_fn(move |request| {
        let (site, place) = (Arc::clone(&site), Arc::clone(&place));
        async move { Ok::<_, Infallible>(site.answer(request, &place).await) }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LARGEST_HEAD)
        .keep_alive(false);
    // nothing to do if the client breaks the connection
    let _ = builder.serve_connection(TokioIo::new(TimeoutStream::new(stream)), service).await;
}
