//! From bytes to lines, on a thread of its own, whatever the bytes are.

use super::event::{Event, Line};
use crate::search::root::time;
use std::{
    io::{self, BufRead, BufReader, Read},
    sync::mpsc::SyncSender,
    thread,
};

/// Bytes of the longest line that is read; the longest possible game needs about 35 000.
const LONGEST: usize = 1 << 20;

/// Sends every line of `input` to `events`, then [`Event::EndOfInput`].
pub(super) fn spawn(
    input: impl Read + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<()> {
    thread::Builder::new().name("reader".into()).spawn(move || {
        let mut input = BufReader::new(input);
        // An input that cannot be read any further has ended.
        while let Ok(Some(event)) = read(&mut input) {
            if events.send(event).is_err() {
                return;
            }
        }
        // If the session is over already, nobody needs to know.
        let _ = events.send(Event::EndOfInput);
    })?;
    Ok(())
}

/// The next line, or none at the end of the input.
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
    // Windows shells put a byte order mark before what they pipe.
    let text = line.trim_start_matches('\u{feff}').trim().into();
    Ok(Some(Event::Line(Line { text, read: time::now() })))
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
    fn lines_end_as_on_any_system_and_at_the_end() {
        assert_eq!(all(b"uci\r\n\n\tgo  \nstop"), ["uci", "", "go", "stop"]);
        assert_eq!(all("\u{feff}uci\n".as_bytes()), ["uci"]);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(all(b"\xff\xfe uci\nisready\n"), ["\u{fffd}\u{fffd} uci", "isready"]);
    }

    #[test]
    fn a_line_without_end_is_skipped_and_the_next_is_read() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend(b"\nisready\n");
        let lines = all(&bytes);
        assert_eq!(lines, [format!("more than {LONGEST}"), "isready".into()]);
    }
}
