//! Accepts connections and answers one request on each, within limits of size, number and time.

use super::{
    ServeError,
    client::Client,
    message::Body,
    places::{Place, Places},
    timeout_stream::TimeoutStream,
};
use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    convert::Infallible,
    io::{self, Write},
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::Notify,
    time::timeout,
};

/// The time allowed for the head of a request to arrive.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The largest size of a request head, in bytes.
const LARGEST_HEAD: usize = 16 << 10;
/// The largest number of header lines of a request.
const MOST_HEADERS: usize = 64;

/// The largest number of threads that compute answers, of sites that use such threads.
const MOST_COMPUTING: usize = 4;

/// The answers to the requests of a server.
pub(super) trait Site: Send + Sync + 'static {
    /// Answers the request that arrived at `place`.
    fn answer(
        &self,
        request: Request<Incoming>,
        place: &Place,
    ) -> impl Future<Output = Response<Body>> + Send;

    /// Ends all work when the server stops.
    fn close(&self) {}
}

/// Serves the site that `site` creates for the address, until `stop` is notified. Calls `on_ready`
/// with the address once the server accepts connections.
pub(super) fn serve<S: Site>(
    asked: SocketAddr,
    stop: &Arc<Notify>,
    on_ready: impl FnOnce(SocketAddr) -> io::Result<()>,
    site: impl FnOnce(SocketAddr) -> Result<S, ServeError>,
) -> Result<(), ServeError> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_io().enable_time().max_blocking_threads(MOST_COMPUTING);
    let runtime = runtime.build()?;
    runtime.block_on(async {
        let refused = |error| ServeError::Address(asked, error);
        let listener = TcpListener::bind(asked).await.map_err(refused)?;
        let address = listener.local_addr()?;
        let site = Arc::new(site(address)?);
        on_ready(address)?;
        select! {
            () = stop.notified() => {}
            () = accept(listener, &site) => {}
        }
        site.close();
        Ok(())
    })
}

/// Accepts connections forever. Connections beyond the limit are rejected with status 503.
async fn accept(listener: TcpListener, site: &Arc<impl Site>) {
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
async fn answer_one(stream: TcpStream, site: Arc<impl Site>, place: Place) {
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
