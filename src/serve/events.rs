//! Streams changes of a game or of a feelings file to the page as server-sent events.
//!
//! At most one event is queued per listener. A slow listener receives the latest state next and
//! misses those in between. <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use super::follow::Follower;
use crate::uci::feelings::json_line;
use hyper::body::{Body, Bytes, Frame};
use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    select,
    sync::{
        mpsc::{self, Receiver, Sender},
        watch,
    },
    time::interval,
};

/// Interval between heartbeats, which detect listeners that have disconnected.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The body of a streaming response.
#[derive(Debug)]
pub(super) struct Events(Receiver<Bytes>);

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Receivers of the events of a game: its state and the current thoughts of the engine. Both are
/// JSON texts. An empty text is not sent.
#[derive(Debug)]
pub(super) struct GameReceivers {
    pub state: watch::Receiver<Arc<str>>,
    pub thought: watch::Receiver<Arc<str>>,
}

/// Streams a game from its current state until the game is dropped.
pub(super) fn of_game(channels: GameReceivers) -> Events {
    start(|out| send_game(channels, out))
}

/// Streams the records of a file, starting with the remembered ones.
pub(super) fn of_file(follower: Arc<Follower>) -> Events {
    start(|out| send_file(follower, out))
}

fn start<T: Future<Output = Option<()>> + Send + 'static>(
    send: impl FnOnce(Sender<Bytes>) -> T,
) -> Events {
    let (out, events) = mpsc::channel(1);
    tokio::spawn(send(out));
    Events(events)
}

/// Formats an event with JSON data.
fn event(name: &str, data: &str) -> Bytes {
    format!("event: {name}\ndata: {}\n\n", json_line(data)).into()
}

fn heartbeat() -> Bytes {
    Bytes::from_static(b":\n\n")
}

/// Sends the events of a game. Returns `None` when the listener has disconnected or the game is
/// dropped.
async fn send_game(channels: GameReceivers, out: Sender<Bytes>) -> Option<()> {
    let GameReceivers { mut state, mut thought } = channels;
    state.mark_changed();
    thought.mark_changed();
    let mut beat = interval(HEARTBEAT);
    loop {
        let bytes = select! {
            biased;
            () = out.closed() => return None,
            changed = state.changed() => {
                changed.ok()?;
                event("state", &state.borrow_and_update())
            }
            changed = thought.changed() => {
                changed.ok()?;
                let now = Arc::clone(&thought.borrow_and_update());
                if now.is_empty() {
                    continue;
                }
                event("thought", &now)
            }
            _ = beat.tick() => heartbeat(),
        };
        out.send(bytes).await.ok()?;
    }
}

/// Sends the records of a file. Returns `None` like [`send_game`].
async fn send_file(follower: Arc<Follower>, out: Sender<Bytes>) -> Option<()> {
    let mut news = follower.news();
    let mut next = 0;
    let mut beat = interval(HEARTBEAT);
    loop {
        while let Some((number, line)) = follower.line(next) {
            out.send(event("record", &line)).await.ok()?;
            next = number + 1;
        }
        select! {
            biased;
            () = out.closed() => return None,
            changed = news.changed() => changed.ok()?,
            _ = beat.tick() => out.send(heartbeat()).await.ok()?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn line_breaks_within_strings_do_not_break_an_event() {
        let record = json!({"profile": "a\u{2028}b\u{2029}c\u{85}d\n", "game": 1});
        let bytes = event("record", &record.to_string());
        let text = str::from_utf8(&bytes).unwrap();
        assert!(text.is_ascii(), "{text}");
        let data =
            text.strip_prefix("event: record\ndata: ").unwrap().strip_suffix("\n\n").unwrap();
        assert_eq!(data.lines().count(), 1);
        assert_eq!(serde_json::from_str::<Value>(data).unwrap(), record);
    }
}
