//! Routes each request to its answer.

use super::{
    events, files,
    follow::Follower,
    guard::{self, Guard, Token},
    listen::Site,
    lobby::Lobby,
    message::{self, Body, embedded, json_body, not_found, only, read, stream, whole},
    places::Place,
    refusal::Refusal,
    request::Request as JsonRequest,
    session::GameSession,
    temperaments::{About, Temperament},
    token_history::TokenHistory,
    workers::Workers,
};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, body::Incoming};
use serde::Serialize;
use std::{future::pending, sync::Arc};
use tokio::time::timeout;

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

impl Site for ServerState {
    async fn answer(&self, request: Request<Incoming>, place: &Place) -> Response<Body> {
        message::completed(self.find(request, place).await)
    }

    fn close(&self) {
        self.lobby.close();
    }
}

impl ServerState {
    async fn find(
        &self,
        request: Request<Incoming>,
        place: &Place,
    ) -> Result<Response<Body>, Refusal> {
        let (head, body) = request.into_parts();
        self.guard.check_host(&head.headers)?;
        let path = head.uri.path().to_owned();
        if let Some(file) = files::find(&path) {
            return embedded(file, &head.method, place);
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
        _ => whole("application/toml", session.profile_text()?.into()),
    })
}
