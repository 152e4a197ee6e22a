//! Makes a panic abort the program. Used by every command except `serve`.

use std::{panic, process};

/// Makes a panic on any thread print its message and abort the program. Otherwise other threads
/// could wait forever for its result, as the UCI session waits for its search thread.
pub(super) fn abort() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        report(info);
        process::abort();
    }));
}

#[cfg(test)]
mod tests {
    use std::{env, process::Command, thread};

    /// The test that a separate process runs, and the variable that makes it panic there.
    const CHILD: &str = "cli::panics::tests::child_that_panics_on_a_thread";
    const IS_CHILD: &str = "DEEPFEELING_PANIC_TEST";

    #[test]
    fn child_that_panics_on_a_thread() {
        if env::var_os(IS_CHILD).is_none() {
            return;
        }
        super::abort();
        let thread = thread::spawn(|| panic!("a panic for this test"));
        // without the hook the panic stays on its thread and this test passes
        assert!(thread.join().is_err());
    }

    #[test]
    fn a_panic_on_any_thread_ends_the_program_with_an_error() {
        let mut child = Command::new(env::current_exe().unwrap());
        let arguments = ["--exact", CHILD, "--nocapture", "--test-threads=1"];
        let child = child.args(arguments).env(IS_CHILD, "1").output().unwrap();
        let stderr = String::from_utf8_lossy(&child.stderr);
        assert!(!child.status.success() && stderr.contains("a panic for this test"), "{stderr}");
    }
}
