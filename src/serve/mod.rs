//! A page to play against the engine and to see what it feels, served to this machine.
//!
//! One thread answers all requests, others search. Whatever comes from outside is limited, in total and
//! for each client: connections, games, searches, sizes, and times. Each connection carries one request,
//! so that none is held for nothing.
//! Nothing that is sent is executed, and no file is read for a request: the page is in the program.
//!
//! hyper reads and writes HTTP (RFC 9112), because it is maintained, small without its extras, and has
//! the limits that a server needs: on headers, in size and in time.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod client;
mod events;
mod files;
mod follow;
mod guard;
mod guesses;
mod line;
mod lobby;
mod patience;
mod places;
mod queue;
mod refusal;
mod request;
mod routes;
mod session;
mod temperaments;
mod workers;

use crate::profile::ProfileError;
use client::Client;
use follow::Follower;
use guard::{Guard, SHORTEST_TOKEN};
use guesses::Guesses;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use lobby::Lobby;
use patience::Patient;
use places::{Place, Places};
use routes::Site;
use std::{
    convert::Infallible,
    io::{self, Write},
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use temperaments::Temperament;
use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::Notify,
    time::timeout,
};
use workers::Workers;

/// How long the head of a request may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The largest head of a request, in bytes, and in lines.
const LARGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// What is served, where and to whom.
#[derive(Clone, Debug)]
pub struct Settings {
    pub bind: IpAddr,
    /// 0: any that is free.
    pub port: u16,
    pub token: Option<String>,
    /// Name and text of a profile beside the built-in ones.
    pub profile: Option<(String, String)>,
    /// A file of feelings to show.
    pub follow: Option<PathBuf>,
    /// Searches at once, at least 1.
    pub threads: usize,
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("--bind {0} is not loopback, so it needs --token: found none (allowed: {1})")]
    Open(IpAddr, String),
    #[error("--token: found {0} characters (allowed: {1})")]
    Token(usize, String),
    #[error("{0} cannot be served: {1}")]
    Address(SocketAddr, io::Error),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves until `stop` is notified; `tell` hears the address once it is open.
///
/// # Errors
/// If the settings do not go together, the address cannot be had, or threads cannot.
pub fn run(
    settings: &Settings,
    stop: &Arc<Notify>,
    tell: impl FnOnce(SocketAddr) -> io::Result<()>,
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
        let site = Arc::new(Site {
            guard: Guard::new(address, settings.token.clone()),
            guesses: Arc::new(Guesses::default()),
            lobby: Lobby::new(Arc::clone(&temperaments)),
            workers: Workers::spawn(settings.threads.max(1))?,
            follower,
            temperaments,
        });
        tell(address)?;
        select! {
            () = stop.notified() => {}
            () = accept(listener, &site) => {}
        }
        site.lobby.close();
        Ok(())
    })
}

/// Whoever opens the server to others has to lock it.
fn check(settings: &Settings) -> Result<(), ServeError> {
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

/// Takes connections for ever; those beyond the limit are told to come later.
async fn accept(listener: TcpListener, site: &Arc<Site>) {
    let places = Arc::new(Places::default());
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // no file descriptors are left: let some be closed
            let _ = timeout(Duration::from_millis(100), std::future::pending::<()>()).await;
            continue;
        };
        let Some((place, closed)) = places.take(Client::of(from.ip())) else {
            turn_away(stream);
            continue;
        };
        let site = Arc::clone(site);
        tokio::spawn(async move {
            select! {
                () = converse(stream, site, place) => {}
                _ = closed => {}
            }
        });
    }
}

/// Says that there is no room, as far as that can be said at once.
fn turn_away(stream: TcpStream) {
    let Ok(mut stream) = stream.into_std() else { return };
    let head = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    // who does not listen need not know
    let _ = stream.write_all(head.as_bytes());
}

/// Answers one request.
async fn converse(stream: TcpStream, site: Arc<Site>, place: Place) {
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
    // a connection that breaks is the other end's affair
    let _ = builder.serve_connection(TokioIo::new(Patient::new(stream)), service).await;
}
