//! Reads lines of input on a separate thread. Accepts any bytes.

use super::event::{Event, InputLine};
use crate::search::root::moment::now;
use std::{
    io::{self, BufRead, BufReader, Read},
    sync::mpsc::SyncSender,
    thread,
};

/// The maximum length of a line in bytes. The longest possible game needs about 35,000 bytes.
const LONGEST: usize = 1 << 20;

/// Sends every line of `input` to `events`, then [`Event::EndOfInput`].
pub(super) fn spawn(
    input: impl Read + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<()> {
    thread::Builder::new().name("reader".into()).spawn(move || {
        let mut input = BufReader::new(input);
        // A read error ends the input.
        while let Ok(Some(event)) = read(&mut input) {
            if events.send(event).is_err() {
                return;
            }
        }
        // The session may have ended already.
        let _ = events.send(Event::EndOfInput);
    })?;
    Ok(())
}

/// Reads the next line. Returns `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Event>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() > LONGEST && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Event::TooLong { allowed: LONGEST }));
    }
    let line = String::from_utf8_lossy(&bytes);
    // Windows shells may start piped text with a byte order mark.
    let text = line.trim_start_matches('\u{feff}').trim().into();
    Ok(Some(Event::Line(InputLine { text, read: now() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut lines = Vec::new();
        while let Some(event) = read(&mut input).unwrap() {
            lines.push(match event {
                Event::Line(line) => line.text,
                Event::TooLong { allowed } => format!("more than {allowed}"),
                _ => "no line".into(),
            });
        }
        lines
    }

    #[test]
    fn lines_may_end_with_lf_crlf_or_the_end_of_input() {
        assert_eq!(all(b"uci\r\n\n\tgo  \nstop"), ["uci", "", "go", "stop"]);
        assert_eq!(all("\u{feff}uci\n".as_bytes()), ["uci"]);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(all(b"\xff\xfe uci\nisready\n"), ["\u{fffd}\u{fffd} uci", "isready"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend(b"\nisready\n");
        let lines = all(&bytes);
        assert_eq!(lines, [format!("more than {LONGEST}"), "isready".into()]);
    }
}
