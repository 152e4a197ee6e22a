//! Shows the progress of `tune` on standard error.

use super::bars;
use crate::lab::tune::{DescentStart, Loaded, Progress, descent::Epoch};
use indicatif::ProgressBar;
use std::{
    io::{self, Write},
    path::Path,
};

/// The progress of `tune`: a bar on a terminal, or lines in a log.
pub(super) struct Bars {
    bar: ProgressBar,
    /// The name of the watched loss.
    watched: &'static str,
}

impl Bars {
    pub(super) fn new() -> Self {
        Self { bar: ProgressBar::no_length(), watched: "held out" }
    }

    /// Removes the bar from the terminal.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| {
            // a closed stderr must not stop the work
            let _ = writeln!(io::stderr(), "{text}");
        });
    }

    fn style(&self, length: u64, template: &str) {
        self.bar.set_length(length);
        self.bar.set_position(0);
        self.bar.reset_eta();
        if let Ok(style) = bars::style(template) {
            self.bar.set_style(style);
        }
    }
}

impl Progress for Bars {
    fn rows(&mut self, file: &Path, done: usize, all: usize) {
        if self.bar.length() != Some(all as u64) {
            self.style(all as u64, "{bar:30} {left}{msg}");
        }
        let rows = bars::count_of(done as u64, all as u64, "row");
        self.bar.set_message(format!("{rows}, {}", file.display()));
        self.bar.set_position(done as u64);
    }

    fn loaded(&mut self, loaded: &Loaded) {
        let file = loaded.path.display();
        for (line, reason) in &loaded.complaints {
            self.note(&format!("{file}:{line}: {reason}"));
        }
        let skipped = [
            (loaded.bad, "bad"),
            (loaded.in_check, "in check"),
            (loaded.unquiet, "not quiet"),
            (loaded.over, "without a move"),
        ];
        let skipped: Vec<String> = skipped
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!(", {count} {what}"))
            .collect();
        let (used, rows) = (loaded.used, loaded.rows);
        let (used, rows) = (bars::count(used as u64, "position"), bars::count(rows as u64, "row"));
        self.note(&format!("{file}: {used} of {rows}{}", skipped.concat()));
    }

    fn begins(&mut self, beginning: &DescentStart) {
        let [training, held_out, validation] = beginning.positions;
        if held_out == 0 {
            self.watched = "after it";
        }
        let (mib, slope) = (beginning.bytes >> 20, beginning.slope);
        self.note(&format!(
            "{training} positions to train on, {held_out} held out, {validation} to validate; \
             {mib} MiB; K = {slope:.6}"
        ));
        let template = "{bar:30} epoch {pos} of at most {len}, {left}{msg}";
        self.style(u64::from(beginning.epochs), template);
    }

    fn epoch(&mut self, epoch: &Epoch) {
        let Epoch { number, training, watched, rate, .. } = epoch;
        let (what, seconds) = (self.watched, epoch.elapsed.as_secs_f64());
        let best = if epoch.best { ", best" } else { "" };
        let text = format!(
            "loss {training:.6}, {what} {watched:.6}{best} (steps of {rate:.3}, {seconds:.1} s)"
        );
        if self.bar.is_hidden() {
            self.note(&format!("epoch {number}: {text}"));
        }
        self.bar.set_message(text);
        self.bar.set_position(u64::from(*number));
    }
}
