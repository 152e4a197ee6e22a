//! Progress bars on standard error, and formatting of counts.

use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle, style::TemplateError,
};
use std::fmt::Write;

/// Creates a progress bar of `length` steps. Besides the keys of indicatif, `template` may contain
/// `{left}`: the estimated time left and a comma, or nothing if there is no estimate yet.
pub(super) fn bar(length: u64, template: &str) -> Result<ProgressBar, TemplateError> {
    Ok(ProgressBar::new(length).with_style(style(template)?))
}

/// Creates only the style of [`bar`], for bars of unknown length.
pub(super) fn style(template: &str) -> Result<ProgressStyle, TemplateError> {
    Ok(ProgressStyle::with_template(template)?.with_key("left", left))
}

fn left(state: &ProgressState, out: &mut dyn Write) {
    let eta = state.eta();
    // indicatif reports an unknown time as zero
    if !eta.is_zero() {
        // writing to the terminal's buffer cannot fail
        let _ = write!(out, "{:#} left, ", HumanDuration(eta));
    }
}

/// Formats a count with its noun: `1 game`, `2 games`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Formats progress with a noun: `3 of 1,200 games`.
pub(super) fn count_of(number: u64, all: u64, noun: &str) -> String {
    let plural = if all == 1 { "" } else { "s" };
    format!("{} of {} {noun}{plural}", HumanCount(number), HumanCount(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::{ProgressDrawTarget, TermLike};
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    /// A terminal that keeps the last line drawn.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            200
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_unknown_time_is_not_shown() {
        let screen = Screen::default();
        let bar = bar(10, "{left}{msg}").unwrap().with_message("none yet");
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        bar.tick();
        assert_eq!(screen.0.lock().unwrap().trim(), "none yet");
    }

    #[test]
    fn a_count_of_one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| count(n, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!(count_of(1, 1200, "position"), "1 of 1,200 positions");
        assert_eq!(count_of(0, 1, "game"), "0 of 1 game");
    }
}
