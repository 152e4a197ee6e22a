//! Serves a page of embedded files with JSON answers on this machine, for other programs that use this library.
//!
//! It shares guard, limits, headers and refusals with the chess page.

use super::{
    ServeError,
    files::File,
    guard::{self, Guard},
    listen::{self, Site},
    message::{self, Body, not_found, read, whole},
    places::Place,
    refusal::Refusal,
};
use hyper::{Method, Request, Response, StatusCode, body::Incoming};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};
use tokio::{sync::Notify, task};

/// A page with JSON answers.
pub trait JsonSite: Send + Sync + 'static {
    /// Returns the file at exactly this path.
    fn file(&self, path: &str) -> Option<File>;

    /// Returns a JSON text that needs no computation. `path` is what follows `/api/`.
    ///
    /// `None` if there is nothing at this path.
    fn get(&self, path: &str) -> Option<String>;

    /// Answers a request with a JSON body by a JSON text. It may take a while.
    ///
    /// `None` if there is nothing at this path.
    ///
    /// # Errors
    /// If the request is rejected.
    fn post(&self, path: &str, body: &[u8]) -> Option<Result<String, Refusal>>;
}

/// Serves `site` on this machine until `stop` is notified. Port 0 selects any free port. Calls
/// `on_ready` with the address once the server accepts connections.
///
/// # Errors
/// If the address is unavailable, or the system denies a resource.
pub fn run(
    site: impl JsonSite,
    port: u16,
    stop: &Arc<Notify>,
    on_ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    let asked = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
    let site = Arc::new(site);
    listen::serve(asked, stop, on_ready, |address| {
        Ok(LocalSite { guard: Guard::new(address, None), site })
    })
}

/// A site behind its guard.
struct LocalSite<S> {
    guard: Guard,
    site: Arc<S>,
}

impl<S: JsonSite> Site for LocalSite<S> {
    async fn answer(&self, request: Request<Incoming>, place: &Place) -> Response<Body> {
        message::completed(self.find(request, place).await)
    }
}

impl<S: JsonSite> LocalSite<S> {
    async fn find(
        &self,
        request: Request<Incoming>,
        place: &Place,
    ) -> Result<Response<Body>, Refusal> {
        let (head, body) = request.into_parts();
        self.guard.check_host(&head.headers)?;
        let path = head.uri.path().to_owned();
        if let Some(file) = self.site.file(&path) {
            return message::embedded(file, &head.method, place);
        }
        let Some(call) = path.strip_prefix("/api/") else { return Err(not_found(&path)) };
        guard::check_caller(&head.headers)?;
        message::only(&head.method, &[Method::GET, Method::POST])?;
        let answer = if head.method == Method::GET {
            self.site.get(call).map(Ok)
        } else {
            let bytes = read(&head.headers, body, place).await?;
            let (site, call) = (Arc::clone(&self.site), call.to_owned());
            // a thread of its own, so that a search does not delay the requests of others
            let work = task::spawn_blocking(move || site.post(&call, &bytes));
            let failed = |_| {
                let why = "the server failed on this request";
                Refusal::plain(StatusCode::INTERNAL_SERVER_ERROR, why)
            };
            work.await.map_err(failed)?
        };
        let json = answer.ok_or_else(|| not_found(&path))??;
        Ok(whole("application/json", json.into()))
    }
}
