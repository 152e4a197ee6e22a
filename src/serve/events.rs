//! Server-sent events: what has changed, told for as long as somebody listens.
//!
//! Nothing is queued for a listener but one event: who is slow hears the latest state next, and misses
//! those between. <https://html.spec.whatwg.org/multipage/server-sent-events.html>

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

/// How often something is sent, so that a listener who is gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The body of an answer that goes on.
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

/// What there is to hear of a game: its state, and what is thought meanwhile; JSON, and nothing
/// where it is empty.
#[derive(Debug)]
pub(super) struct Channels {
    pub state: watch::Receiver<Arc<str>>,
    pub thought: watch::Receiver<Arc<str>>,
}

/// Tells of a game, from its present state on, until it is dropped.
pub(super) fn of_game(channels: Channels) -> Events {
    start(|out| tell_game(channels, out))
}

/// Tells the records of a file, from those that are remembered on.
pub(super) fn of_file(follower: Arc<Follower>) -> Events {
    start(|out| tell_file(follower, out))
}

fn start<T: Future<Output = Option<()>> + Send + 'static>(
    tell: impl FnOnce(Sender<Bytes>) -> T,
) -> Events {
    let (out, events) = mpsc::channel(1);
    tokio::spawn(tell(out));
    Events(events)
}

/// An event with JSON as its data.
fn event(name: &str, data: &str) -> Bytes {
    format!("event: {name}\ndata: {}\n\n", json_line(data)).into()
}

fn heartbeat() -> Bytes {
    Bytes::from_static(b":\n\n")
}

/// None when nobody listens any more, or nothing more is to come.
async fn tell_game(channels: Channels, out: Sender<Bytes>) -> Option<()> {
    let Channels { mut state, mut thought } = channels;
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

/// As [`tell_game`].
async fn tell_file(follower: Arc<Follower>, out: Sender<Bytes>) -> Option<()> {
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
