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

    const CHILD: &str = "cli::panics::tests::child_that_panics_on_a_thread";

    #[test]
    #[ignore = "run by the test below in a separate process"]
    fn child_that_panics_on_a_thread() {
        super::abort();
        let thread = thread::spawn(|| panic!("a panic for this test"));
        // without the hook the panic stays on its thread and this test passes
        assert!(thread.join().is_err());
    }

    #[test]
    fn a_panic_on_any_thread_ends_the_program_with_an_error() {
        let arguments = ["--exact", CHILD, "--ignored", "--nocapture", "--test-threads=1"];
        let child = Command::new(env::current_exe().unwrap()).args(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&child.stderr);
        assert!(!child.status.success() && stderr.contains("a panic for this test"), "{stderr}");
    }
}
