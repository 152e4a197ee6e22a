//! A connection that is closed when the client accepts no data for too long.

use std::{
    future::{Future, Pending, pending},
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Timeout, timeout},
};

/// The time that a write may wait.
const LONGEST: Duration = Duration::from_secs(20);

/// A stream whose writes time out.
#[derive(Debug)]
pub(super) struct TimeoutStream {
    stream: TcpStream,
    /// The timeout of the current write, while it waits.
    clock: Option<Pin<Box<Timeout<Pending<()>>>>>,
}

impl TimeoutStream {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, clock: None }
    }
}

impl AsyncRead for TimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(context, bytes) {
            self.clock = None;
            return Poll::Ready(written);
        }
        let clock = self.clock.get_or_insert_with(|| Box::pin(timeout(LONGEST, pending())));
        let _ = ready!(clock.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
