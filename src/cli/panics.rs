//! What a panic does to the program: it aborts every command except `serve`.

use std::{panic, process};

/// Makes a panic on any thread report itself and abort the program. Otherwise the other threads
/// would wait forever for a result, as UCI does for the move of its search thread.
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
    #[ignore = "run by the test below in a process of its own"]
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
        let told = String::from_utf8_lossy(&child.stderr);
        assert!(!child.status.success() && told.contains("a panic for this test"), "{told}");
    }
}
