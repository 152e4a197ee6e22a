//! Routes each request to its answer.

use super::{
    events::{self, Events},
    files,
    follow::Follower,
    guard::{self, Guard, Token},
    lobby::Lobby,
    places::Place,
    refusal::Refusal,
    request::Request as JsonRequest,
    session::GameSession,
    temperaments::{About, Temperament},
    token_history::TokenHistory,
    workers::Workers,
};
use crate::explain::schema;
use http_body_util::{BodyExt, Either, Full};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode,
    body::{Body as _, Bytes, Incoming},
    header::{self, HeaderName, HeaderValue},
};
use serde::Serialize;
use std::{future::pending, sync::Arc, time::Duration};
use tokio::time::timeout;

/// The largest request body accepted, in bytes.
const LARGEST_BODY: usize = 16 << 10;
/// How much of a body that is too large is still read, in bytes, so that the client receives the
/// error.
const DRAINED: usize = 1 << 20;
/// The time allowed for a body to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The answer to the request for a new game.
#[derive(Debug, Serialize)]
struct Opened {
    id: String,
}

/// The state shared by all requests.
#[derive(Debug)]
pub(super) struct ServerState {
    pub guard: Guard,
    pub tokens: Arc<TokenHistory>,
    pub lobby: Lobby,
    pub workers: Workers,
    pub follower: Option<Arc<Follower>>,
    pub temperaments: Arc<[Temperament]>,
}

type Body = Either<Full<Bytes>, Events>;

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

impl ServerState {
    /// Answers the request that arrived at `place`.
    pub(super) async fn answer(&self, request: Request<Incoming>, place: &Place) -> Response<Body> {
        let mut response = self.find(request, place).await.unwrap_or_else(|refusal| {
            let mut response = json_body(&refusal);
            *response.status_mut() = refusal.status;
            response
        });
        for (name, value) in HEADERS {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }

    async fn find(
        &self,
        request: Request<Incoming>,
        place: &Place,
    ) -> Result<Response<Body>, Refusal> {
        let (head, body) = request.into_parts();
        self.guard.check_host(&head.headers)?;
        let path = head.uri.path().to_owned();
        if let Some(file) = files::find(&path) {
            only(&head.method, &[Method::GET, Method::HEAD])?;
            place.arrived();
            return Ok(whole(file.kind, file.bytes));
        }
        let words: Vec<_> = path.split('/').skip(1).collect();
        let ["api", rest @ ..] = words.as_slice() else { return Err(not_found(&path)) };
        guard::check_caller(&head.headers)?;
        self.check_token(&head.headers, place).await?;
        match rest {
            ["about"] => {
                only(&head.method, &[Method::GET])?;
                let about = About::new(&self.temperaments, self.follower.is_some());
                Ok(json_body(&about))
            }
            ["follow"] => {
                only(&head.method, &[Method::GET])?;
                let follower = self.follower.as_ref().ok_or_else(|| not_found(&path))?;
                place.stream()?;
                Ok(stream(events::of_file(Arc::clone(follower))))
            }
            ["games"] => {
                only(&head.method, &[Method::POST])?;
                JsonRequest::parse(&read(&head.headers, body, place).await?, &[])?;
                Ok(json_body(&Opened { id: self.lobby.open(place.client)? }))
            }
            ["games", id, what @ ("events" | "pgn" | "profile" | "review" | "report")]
                if head.method == Method::GET || *what != "review" =>
            {
                only(&head.method, &[Method::GET])?;
                show(&*self.lobby.find(id)?, what, place)
            }
            ["games", id, "felt", plies] => {
                only(&head.method, &[Method::GET])?;
                let found = self.lobby.find(id)?.felt_after(plies);
                Ok(json_body(&found.ok_or_else(|| not_found(&path))?))
            }
            ["games", id, action] => {
                let session = self.lobby.find(id)?;
                only(&head.method, &[Method::POST])?;
                let body = read(&head.headers, body, place).await?;
                let (answer, needs_worker) = session.act(action, &body)?;
                if needs_worker {
                    self.workers.call(&session);
                }
                Ok(json_body(&answer))
            }
            _ => Err(not_found(&path)),
        }
    }

    /// Checks the token of a request, if one is needed. The answer to a wrong token is delayed.
    /// During the delay, the connection may be closed for a newer one of the same client.
    async fn check_token(&self, headers: &HeaderMap, place: &Place) -> Result<(), Refusal> {
        let client = place.client;
        let token = self.guard.token(headers);
        if matches!(token, Token::Right | Token::Wrong) && !self.tokens.may_show(client) {
            let why = "Authorization: found too many wrong tokens from your address at the same time \
                       (allowed: one at a time)";
            return Err(Refusal::plain(StatusCode::TOO_MANY_REQUESTS, why));
        }
        match token {
            Token::NotNeeded => return Ok(()),
            Token::Right => {
                self.tokens.right(client);
                return Ok(());
            }
            Token::Missing => {}
            Token::Wrong => {
                let delay = self.tokens.wrong(client);
                let tokens = Arc::clone(&self.tokens);
                // a separate task, because closing the connection must not shorten the wait
                let wait = tokio::spawn(async move {
                    let _ = timeout(delay, pending::<()>()).await;
                    tokens.answered(client);
                });
                let _ = wait.await;
            }
        }
        // the answer does not repeat the token, which may be almost right
        Err(Refusal::plain(StatusCode::UNAUTHORIZED, "Authorization: allowed: Bearer <token>"))
    }
}

/// Answers a request to read from a game.
fn show(session: &GameSession, what: &str, place: &Place) -> Result<Response<Body>, Refusal> {
    Ok(match what {
        "events" => {
            place.stream()?;
            stream(events::of_game(session.listen()?))
        }
        "pgn" => whole("application/x-chess-pgn", session.pgn().into()),
        "review" => whole("application/json", session.report()?.json().into()),
        "report" => whole(files::PAGE, session.report()?.page().into()),
        _ => whole("application/toml", session.profile_text().into()),
    })
}

fn not_found(path: &str) -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "path", path, "/ and the paths its page uses")
}

fn only(method: &Method, allowed: &[Method]) -> Result<(), Refusal> {
    if allowed.contains(method) {
        return Ok(());
    }
    let names: Vec<_> = allowed.iter().map(Method::as_str).collect();
    let status = StatusCode::METHOD_NOT_ALLOWED;
    Err(Refusal::new(status, "method", method.as_str(), &names.join(", ")))
}

/// Reads a request body, which must be JSON, be declared as JSON, and not exceed the size limit.
async fn read(headers: &HeaderMap, body: Incoming, place: &Place) -> Result<Vec<u8>, Refusal> {
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

fn whole(kind: &'static str, bytes: Bytes) -> Response<Body> {
    response(kind, Either::Left(Full::new(bytes)))
}

fn json_body(record: &impl Serialize) -> Response<Body> {
    whole("application/json", schema::text(record).into())
}

fn stream(events: Events) -> Response<Body> {
    response("text/event-stream", Either::Right(events))
}
