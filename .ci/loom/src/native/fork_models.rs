//! One state per process.

use super::fork_id::become_process;
use super::fork_local::{ForkLocal, Initial};
use loom::sync::Arc;
use loom::thread;

struct Count(u32);

impl Initial for Count {
    const INITIAL: Self = Self(0);
}

fn next(state: &ForkLocal<Count>) -> Option<u32> {
    state.with(|count| {
        count.0 += 1;
        count.0
    })
}

/// Threads that race for the first use in their process share one state, and lose no update.
fn two_threads_share(state: Arc<ForkLocal<Count>>) {
    let other = {
        let state = Arc::clone(&state);
        thread::spawn(move || next(&state))
    };
    let here = next(&state);
    let mut seen = [here, other.join().unwrap()];
    seen.sort();
    assert_eq!(seen, [Some(1), Some(2)]);
    assert_eq!(next(&state), Some(3));
}

#[test]
fn threads_that_are_first_have_one_state() {
    loom::model(|| {
        become_process(1);
        two_threads_share(Arc::new(ForkLocal::new()));
    });
}

#[test]
fn a_child_has_a_state_of_its_own() {
    loom::model(|| {
        become_process(1);
        let state = Arc::new(ForkLocal::new());
        assert_eq!(next(&state), Some(1));
        become_process(2);
        two_threads_share(state);
    });
}

#[test]
fn a_child_does_not_wait_for_a_lock_of_its_parent() {
    loom::model(|| {
        become_process(1);
        let state = Arc::new(ForkLocal::new());
        assert_eq!(next(&state), Some(1));
        // The fork happens while a thread of the parent uses it: here that thread does not continue.
        let in_child = Arc::clone(&state);
        state.with(|_| {
            become_process(2);
            two_threads_share(in_child);
        });
    });
}
