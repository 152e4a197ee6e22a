//! Reads the bodies of requests and writes responses, with the headers that all of them have.

use super::{events::Events, files::File, places::Place, refusal::Refusal};
use crate::explain::schema;
use http_body_util::{BodyExt, Either, Full};
use hyper::{
    HeaderMap, Method, Response, StatusCode,
    body::{Body as _, Bytes, Incoming},
    header::{self, HeaderName, HeaderValue},
};
use serde::Serialize;
use std::time::Duration;
use tokio::time::timeout;

/// The largest request body accepted, in bytes.
const LARGEST_BODY: usize = 16 << 10;
/// How much of a body that is too large is still read, in bytes, so that the client receives the
/// error.
const DRAINED: usize = 1 << 20;
/// The time allowed for a body to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The body of a response.
pub(super) type Body = Either<Full<Bytes>, Events>;

/// The headers of every response. They forbid caching, framing and content sniffing. The page may
/// only run scripts and load files from this server.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Completes an answer: a refusal becomes a response, and each response gets [`HEADERS`].
pub(super) fn completed(answer: Result<Response<Body>, Refusal>) -> Response<Body> {
    let mut response = answer.unwrap_or_else(|refusal| {
        let mut response = json_body(&refusal);
        *response.status_mut() = refusal.status;
        response
    });
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Creates the refusal of a path that does not exist.
pub(super) fn not_found(path: &str) -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "path", path, "/ and the paths its page uses")
}

/// Rejects other methods than these.
pub(super) fn only(method: &Method, allowed: &[Method]) -> Result<(), Refusal> {
    if allowed.contains(method) {
        return Ok(());
    }
    let names: Vec<_> = allowed.iter().map(Method::as_str).collect();
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Err(Refusal::new(status, "method", method.as_str(), &names.join(", ")))
}

/// Reads a request body, which must be JSON, be declared as JSON, and not exceed the size limit.
pub(super) async fn read(
    headers: &HeaderMap,
    body: Incoming,
    place: &Place,
) -> Result<Vec<u8>, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let bytes = timeout(BODY_TIME, collect(body)).await.map_err(|_| {
        let seconds = BODY_TIME.as_secs();
        let why = format!("body: incomplete after {seconds} seconds (allowed: {seconds})");
        Refusal::plain(StatusCode::REQUEST_TIMEOUT, why)
    })??;
    place.arrived();
    let plain = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if !plain.eq_ignore_ascii_case("application/json") {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Refusal::new(status, "Content-Type", plain, "application/json"));
    }
    Ok(bytes)
}

async fn collect(mut body: Incoming) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let broken =
            |_| Refusal::plain(StatusCode::BAD_REQUEST, "body: connection closed before its end");
        let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
        length += data.len();
        if length <= LARGEST_BODY {
            bytes.extend_from_slice(&data);
        } else if length > DRAINED {
            break;
        }
    }
    if length > LARGEST_BODY || body.size_hint().lower() > LARGEST_BODY as u64 {
        let why = format!("body: found more than {LARGEST_BODY} bytes (allowed: {LARGEST_BODY})");
        return Err(Refusal::plain(StatusCode::PAYLOAD_TOO_LARGE, why));
    }
    Ok(bytes)
}

fn response(kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Creates a response with this content type.
pub(super) fn whole(kind: &'static str, bytes: Bytes) -> Response<Body> {
    response(kind, Either::Left(Full::new(bytes)))
}

/// Answers a request for an embedded file.
pub(super) fn embedded(
    file: File,
    method: &Method,
    place: &Place,
) -> Result<Response<Body>, Refusal> {
    only(method, &[Method::GET, Method::HEAD])?;
    place.arrived();
    Ok(whole(file.kind, file.bytes))
}

/// Creates a response with a record as JSON.
pub(super) fn json_body(record: &impl Serialize) -> Response<Body> {
    whole("application/json", schema::text(record).into())
}

/// Creates a response that streams events.
pub(super) fn stream(events: Events) -> Response<Body> {
    response("text/event-stream", Either::Right(events))
}
