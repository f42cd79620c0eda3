//! One state a process, whatever its parent was doing.

use super::*;
use crate::native::fork_id::tests::in_child;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

impl Initial for u32 {
    const INITIAL: Self = 0;
}

fn next(state: &ForkLocal<u32>) -> u32 {
    let next = state.with(|count| {
        *count += 1;
        *count
    });
    next.unwrap_or(u32::MAX)
}

#[test]
fn all_threads_have_the_same() {
    static COUNT: ForkLocal<u32> = ForkLocal::new();
    for round in 0..200 {
        let fresh = &ForkLocal::<u32>::new();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    next(&COUNT);
                    next(fresh)
                });
            }
        });
        assert_eq!((next(&COUNT), next(fresh)), (round * 5 + 5, 5));
    }
}

#[test]
fn what_nobody_used_is_not_made() {
    let state = ForkLocal::<u32>::new();
    assert_eq!(state.with_used(|count| *count), None);
    assert_eq!(state.current.load(Acquire), 0);
    assert_eq!(next(&state), 1);
    assert_eq!(state.with_used(|count| *count), Some(1));
    // A child has one of its own, of which it may be told that nobody used it, or that it begins.
    let child = || u8::from(matches!(state.with_used(|count| *count), None | Some(0)) && next(&state) == 1);
    assert_eq!(in_child(child), Some(1));
}

#[test]
fn a_child_and_its_child_begin_anew() {
    static COUNT: ForkLocal<u32> = ForkLocal::new();
    assert_eq!((next(&COUNT), next(&COUNT)), (1, 2));
    let code = in_child(|| {
        let child = [next(&COUNT), next(&COUNT)];
        let grandchild = in_child(|| u8::try_from(next(&COUNT)).unwrap_or(0));
        u8::from(child == [1, 2] && grandchild == Some(1) && next(&COUNT) == 3)
    });
    assert_eq!((code, next(&COUNT)), (Some(1), 3));
}

#[test]
fn locks_that_forks_found_taken_are_not_waited_for() {
    static COUNT: ForkLocal<u32> = ForkLocal::new();
    /// The number of children, each the child of the one before, that still had a state.
    fn generation(depth: u8) -> u8 {
        if depth > 12 || next(&COUNT) != 1 {
            return depth;
        }
        let found = COUNT.with(|_| in_child(|| generation(depth + 1)));
        found.flatten().and_then(|code| u8::try_from(code).ok()).unwrap_or(0)
    }
    // Each takes one for good: the one that finds none has nothing, and does not wait.
    assert_eq!(in_child(|| generation(1)), Some(i32::try_from(COPIES).unwrap() + 1));
}

#[test]
fn what_is_inherited_is_dropped_outside_the_lock() {
    static DROPPED: AtomicU32 = AtomicU32::new(0);
    static STATE: ForkLocal<Held> = ForkLocal::new();
    struct Held(u32);
    impl Initial for Held {
        const INITIAL: Self = Self(0);
    }
    impl Drop for Held {
        fn drop(&mut self) {
            // It can use the state that it was in.
            let value = self.0;
            STATE.with(|held| held.0 += value);
            DROPPED.fetch_add(1, SeqCst);
        }
    }
    STATE.with(|held| held.0 = 5);
    let code = in_child(|| {
        let before = STATE.with(|held| held.0);
        let after = STATE.with(|held| held.0);
        u8::from(before == Some(5) && after == Some(5) && DROPPED.load(SeqCst) > 0)
    });
    assert_eq!(code, Some(1));
}
