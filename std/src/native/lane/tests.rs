//! Work, its turn, and who takes it back.

use super::crews::{Begun, Crews, KEPT_WORKERS, Next};
use super::{Lane, Running, given_up};
use crate::native::fork_id::tests::in_child;
use rdma_addrinfo_core::{Error, ErrorKind, Reason};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn wait_until(mut done: impl FnMut() -> bool) {
    let deadline = soon();
    while !done() {
        assert!(Instant::now() < deadline, "waited in vain");
        thread::sleep(Duration::from_millis(1));
    }
}

fn begin(crews: &Crews<u32, u32>, job: u32) -> Begun<u32, u32> {
    crews.begin(job, 2)
}

/// The jobs in the order in which one worker gets them.
#[test]
fn who_came_first_is_served_first() {
    let crews = Crews::new(1);
    let worker = Arc::new(0);
    let Begun::ByNew(generation, 7) = begin(&crews, 7) else { panic!("no worker") };
    let Begun::Waits(_) = begin(&crews, 8) else { panic!("it does not wait") };
    let Begun::Waits(ninth) = begin(&crews, 9) else { panic!("it does not wait") };
    assert!(matches!(begin(&crews, 10), Begun::Full));
    assert_eq!(crews.withdraw(ninth), Some(9));
    assert_eq!(crews.withdraw(ninth), None);
    let Begun::Waits(tenth) = begin(&crews, 10) else { panic!("it does not wait") };
    assert_eq!(crews.finish(&worker, generation), Next::Job(8));
    assert_eq!(crews.finish(&worker, generation), Next::Job(10));
    assert_eq!(crews.withdraw(tenth), None, "it runs");
    assert_eq!(crews.finish(&worker, generation), Next::Wait);
    assert!(matches!(begin(&crews, 11), Begun::By(it, 11) if Arc::ptr_eq(&it, &worker)));
}

#[test]
fn few_workers_stay() {
    let crews = Crews::new(8);
    let started: Vec<u64> = (0..8)
        .map(|job| match begin(&crews, job) {
            Begun::ByNew(generation, _) => generation,
            other => panic!("{other:?}"),
        })
        .collect();
    let next: Vec<_> = started.iter().map(|generation| crews.finish(&Arc::new(0), *generation)).collect();
    let stay = next.iter().filter(|next| **next == Next::Wait).count();
    assert_eq!((stay, next.len()), (KEPT_WORKERS, 8));
}

/// A worker that was busy while the others were sent home has the namespaces of before: it ends too, when it has done what
/// was asked before.
#[test]
fn who_was_sent_home_finishes_what_it_has() {
    let crews = Crews::new(1);
    let [before, after] = [0, 1].map(Arc::new);
    let Begun::ByNew(old, 1) = begin(&crews, 1) else { panic!("no worker") };
    let Begun::Waits(_) = begin(&crews, 2) else { panic!("it does not wait") };
    assert!(crews.send_home().is_empty());
    let Begun::ByNew(new, 3) = begin(&crews, 3) else { panic!("it waits for those of before") };
    assert_ne!(new, old);
    let Begun::Waits(_) = begin(&crews, 4) else { panic!("it does not wait") };
    assert_eq!(crews.finish(&before, old), Next::Job(2));
    assert_eq!(crews.finish(&before, old), Next::End);
    assert_eq!(crews.finish(&after, new), Next::Job(4));
    assert_eq!(crews.finish(&after, new), Next::Wait);
    assert_eq!(crews.send_home().len(), 1);
    assert!(matches!(begin(&crews, 5), Begun::ByNew(_, 5)));
}

/// Whatever is stuck when they are sent home, again and again: threads are bounded, and nobody waits for nobody.
#[test]
fn who_is_sent_home_and_stays_is_counted() {
    let crews = Crews::new(2);
    let (mut started, mut waits) = (0, 0);
    for _ in 0..20 {
        for job in 0..3 {
            match begin(&crews, job) {
                Begun::ByNew(..) => started += 1,
                Begun::Waits(_) => waits += 1,
                Begun::Full => {}
                other => panic!("{other:?}"),
            }
        }
        crews.send_home();
    }
    assert_eq!((started, waits), (2 * 4, 4));
}

/// A worker that cannot be started leaves nobody waiting for it.
#[test]
fn who_waits_for_a_worker_that_does_not_come_is_told() {
    let crews = Crews::new(1);
    let Begun::ByNew(generation, 1) = begin(&crews, 1) else { panic!("no worker") };
    let Begun::Waits(_) = begin(&crews, 2) else { panic!("it does not wait") };
    assert_eq!(crews.fail(generation), [2]);
    assert!(matches!(begin(&crews, 3), Begun::ByNew(..)));
}

fn refused(reason: Reason) -> Error {
    Error::new(ErrorKind::Again).because(reason)
}

/// Who is woken how often.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

fn poll<T>(running: &mut Running<T>, waker: &Waker) -> Poll<Result<T, Error>> {
    pin!(running).poll(&mut Context::from_waker(waker))
}

#[test]
fn what_is_awaited_wakes_once_and_the_last_who_polled() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    static LANE: Lane = Lane::new(1);
    let mut running = LANE
        .submit(1, || {
            wait_until(|| OPEN.load(SeqCst));
            7
        })
        .unwrap();
    let [first, last] = [(); 2].map(|()| Arc::new(Woken::default()));
    for woken in [&first, &last, &last] {
        assert!(poll(&mut running, &Waker::from(Arc::clone(woken))).is_pending());
    }
    OPEN.store(true, SeqCst);
    wait_until(|| last.0.load(SeqCst) == 1);
    assert_eq!(poll(&mut running, Waker::noop()), Poll::Ready(Ok(7)));
    drop(running);
    assert_eq!((first.0.load(SeqCst), last.0.load(SeqCst)), (0, 1));
    assert_eq!(Arc::strong_count(&last), 1, "nobody keeps a waker");
}

#[test]
fn work_that_is_dropped_before_its_turn_never_begins() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    static DONE: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    static LANE: Lane = Lane::new(1);
    let stuck = LANE.submit(100, || wait_until(|| OPEN.load(SeqCst))).unwrap();
    let mut all: Vec<_> =
        (0..100).map(|job| LANE.submit(100, move || DONE.lock().unwrap().push(job)).unwrap()).collect();
    assert_eq!(LANE.submit(100, || ()).err(), Some(refused(Reason::TooManyLookups)));
    assert_eq!(LANE.waiting(), 100);
    let kept: Vec<_> = all.drain(..).enumerate().filter_map(|(at, it)| (at % 3 == 0).then_some(it)).collect();
    assert_eq!(LANE.waiting(), 34);
    OPEN.store(true, SeqCst);
    stuck.wait(soon()).unwrap();
    for running in kept {
        running.wait(soon()).unwrap();
    }
    let expected: Vec<_> = (0..100).filter(|job| job % 3 == 0).collect();
    assert_eq!(*DONE.lock().unwrap(), expected, "in the order in which they came");
}

/// Wakers that panic, that ask again, and that come back late do no harm to what others await.
#[test]
fn whatever_a_waker_does_the_others_are_served() {
    struct Odd(fn());
    impl Wake for Odd {
        fn wake(self: Arc<Self>) {
            (self.0)();
        }
    }
    static LANE: Lane = Lane::new(2);
    static AGAIN: AtomicUsize = AtomicUsize::new(0);
    let odd: [fn(); 3] = [
        || std::panic::resume_unwind(Box::new(())),
        || {
            let again = LANE.submit(100, || AGAIN.fetch_add(1, SeqCst)).unwrap();
            drop(again);
        },
        || thread::sleep(Duration::from_millis(5)),
    ];
    for round in 0..60 {
        let mut running = LANE.submit(100, || thread::sleep(Duration::from_millis(1))).unwrap();
        let waker = Waker::from(Arc::new(Odd(odd[round % 3])));
        let polled = poll(&mut running, &waker);
        assert_eq!(LANE.submit(100, || 7).unwrap().wait(soon()), Ok(7));
        // On a busy machine it may have been ready at once.
        let result = match polled {
            Poll::Ready(result) => result,
            Poll::Pending => running.wait(soon()),
        };
        assert_eq!(result, Ok(()));
    }
}

#[test]
fn in_a_child_what_the_parent_began_is_again_at_once() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    static LANE: Lane = Lane::new(1);
    let mut running = Some(LANE.submit(8, || wait_until(|| OPEN.load(SeqCst))).unwrap());
    let mut waiting = Some(LANE.submit(8, || ()).unwrap());
    let mut poll_both = |take: bool| {
        [&mut running, &mut waiting].map(|begun| {
            let polled = begun.as_mut().map(|running| poll(running, Waker::noop()));
            if take {
                drop(begun.take());
            }
            polled.unwrap()
        })
    };
    assert_eq!(poll_both(false), [Poll::Pending, Poll::Pending]);
    let code = in_child(|| {
        // Which have the numbers of those of the parent.
        let stuck = LANE.submit(8, || thread::sleep(Duration::from_millis(100))).unwrap();
        let own = LANE.submit(8, || 7).unwrap();
        let again = poll_both(true) == [Poll::Ready(Err(given_up())), Poll::Ready(Err(given_up()))];
        u8::from(again && own.wait(soon()) == Ok(7) && stuck.wait(soon()) == Ok(()))
    });
    assert_eq!(code, Some(1));
    OPEN.store(true, SeqCst);
    assert_eq!(running.unwrap().wait(soon()), Ok(()));
    assert_eq!(waiting.unwrap().wait(soon()), Ok(()));
}
