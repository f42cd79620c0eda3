//! Deadlines that pass, that do not, and that nobody waits for any more.

use super::{by_deadline, waiting};
use crate::native::fork_id::tests::in_child;
use crate::wait::wait;
use rdma_addrinfo_core::{Error, ErrorKind};
use std::future::{pending, poll_fn, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

const LATE: Error = Error::new(ErrorKind::TimedOut);

/// One test after the other: all look at how many deadlines are set.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(waiting(), 0);
    alone
}

fn after(milliseconds: u64) -> Option<Instant> {
    Instant::now().checked_add(Duration::from_millis(milliseconds))
}

#[test]
fn what_is_ready_sets_no_deadline() {
    let _alone = alone();
    assert_eq!(wait(by_deadline(ready(7), after(60_000))), Ok(7));
    assert_eq!(wait(by_deadline(ready(7), Some(Instant::now()))), Ok(7), "it came in time");
    let mut polled = 0;
    let again = poll_fn(|context| {
        polled += 1;
        context.waker().wake_by_ref();
        if polled == 3 { Poll::Ready(polled) } else { Poll::Pending }
    });
    assert_eq!(wait(by_deadline(again, after(60_000))), Ok(3));
    assert_eq!(waiting(), 0);
}

#[test]
fn the_task_wakes_at_the_deadline_and_not_before() {
    let _alone = alone();
    // An early one is set while the thread waits for a late one.
    thread::scope(|scope| {
        let waits = |milliseconds: u64| {
            let deadline = after(milliseconds);
            assert_eq!(wait(by_deadline(pending::<()>(), deadline)), Err(LATE));
            let late = deadline.unwrap().elapsed();
            assert!(Instant::now() >= deadline.unwrap() && late < Duration::from_secs(5), "{late:?}");
        };
        scope.spawn(move || waits(300));
        thread::sleep(Duration::from_millis(30));
        scope.spawn(move || waits(20));
        scope.spawn(move || waits(20));
    });
    assert_eq!(waiting(), 0);
}

struct Noted(usize, Arc<Mutex<Vec<usize>>>);

impl Wake for Noted {
    fn wake(self: Arc<Self>) {
        self.1.lock().unwrap().push(self.0);
        // A waker may do that; the others are woken all the same.
        std::panic::resume_unwind(Box::new(()));
    }
}

#[test]
fn many_wake_in_the_order_of_their_deadlines() {
    const COUNT: usize = 1000;
    let _alone = alone();
    let woken = Arc::default();
    let start = Instant::now() + Duration::from_millis(100);
    // 7 has no divisor with the count in common, so that each place comes once.
    let at = |number: usize| start + Duration::from_micros(u64::try_from(number * 7 % COUNT).unwrap() * 50);
    let mut all: Vec<_> =
        (0..COUNT).map(|number| Box::pin(by_deadline(pending::<()>(), Some(at(number))))).collect();
    for (number, future) in all.iter_mut().enumerate() {
        let waker = Waker::from(Arc::new(Noted(number, Arc::clone(&woken))));
        assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    assert!(waiting() > 0);
    // Every third is dropped, and none of these wakes.
    let dropped = |number: &usize| number.is_multiple_of(3);
    let mut number = 0;
    all.retain(|_| {
        number += 1;
        !dropped(&(number - 1))
    });
    let mut expected: Vec<_> = (0..COUNT).filter(|number| !dropped(number)).collect();
    expected.sort_by_key(|number| at(*number));
    let patience = Instant::now() + Duration::from_secs(20);
    while woken.lock().unwrap().len() < expected.len() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(*woken.lock().unwrap(), expected);
    assert_eq!(waiting(), 0);
    for future in &mut all {
        assert_eq!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Err(LATE)));
    }
}

#[test]
fn a_child_keeps_the_deadline_of_its_parent_with_a_thread_of_its_own() {
    let _alone = alone();
    let mut future = pin!(by_deadline(pending::<()>(), after(200)));
    assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let code = in_child(|| u8::from(wait(future.as_mut()) == Err(LATE)));
    assert_eq!(code, Some(1));
    assert_eq!(wait(future), Err(LATE));
}
