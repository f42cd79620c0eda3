//! The exchange between a caller and a worker.

use super::crews::{Begun, Crews, Next};
use crate::native::fork_id::become_process;
use crate::native::slot::Slot;
use loom::sync::Arc;
use loom::thread;
use std::future::poll_fn;
use std::time::{Duration, Instant};

/// Never reached in a model: a waiting thread waits until it is woken.
fn far() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

type Inbox = Slot<Option<u32>>;

#[test]
fn what_is_sent_is_received() {
    loom::model(|| {
        let slot = Arc::new(Slot::new());
        let sender = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.send(7))
        };
        assert_eq!(slot.recv_deadline(far()), Some(7));
        sender.join().unwrap();
        assert_eq!(slot.recv_deadline(Instant::now()), None);
    });
}

/// A task that is not woken would be a deadlock.
#[test]
fn what_is_sent_wakes_who_awaits_it() {
    loom::model(|| {
        let slot = Arc::new(Slot::new());
        let sender = {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.send(7))
        };
        assert_eq!(loom::future::block_on(poll_fn(|context| slot.poll_recv(context))), 7);
        sender.join().unwrap();
    });
}

/// A worker reaches its idle limit while a caller takes it from the list: the job is done, by it or by another.
#[test]
fn no_job_goes_to_a_worker_that_leaves() {
    loom::model(|| {
        become_process(1);
        let crews = Arc::new(Crews::<Inbox, u32>::new(2));
        let inbox = std::sync::Arc::new(Slot::new());
        assert!(matches!(crews.begin(1, 0), Begun::ByNew(0, 1)));
        assert_eq!(crews.finish(&inbox, 0), Next::Wait);
        let worker = {
            let (crews, inbox) = (Arc::clone(&crews), std::sync::Arc::clone(&inbox));
            thread::spawn(move || if crews.leave_idle(&inbox) { None } else { inbox.recv_deadline(far()) })
        };
        let sent = match crews.begin(7, 0) {
            Begun::By(inbox, job) => {
                inbox.send(Some(job));
                true
            }
            Begun::ByNew(..) => false,
            other => panic!("one job is not too many: {other:?}"),
        };
        assert_eq!(worker.join().unwrap(), sent.then_some(Some(7)));
    });
}

/// A worker finishes while another job comes and is taken back: it is done, or taken back, and never both or neither.
#[test]
fn a_job_that_waits_is_done_or_taken_back() {
    loom::model(|| {
        become_process(1);
        let crews = Arc::new(Crews::<Inbox, u32>::new(1));
        let inbox = std::sync::Arc::new(Slot::new());
        let Begun::ByNew(generation, 1) = crews.begin(1, 1) else { panic!("there is a worker already") };
        let worker = {
            let (crews, inbox) = (Arc::clone(&crews), std::sync::Arc::clone(&inbox));
            thread::spawn(move || match crews.finish(&inbox, generation) {
                Next::Job(job) => Some(job),
                _ => None,
            })
        };
        match crews.begin(2, 1) {
            Begun::Waits(ticket) => {
                let withdrawn = crews.withdraw(ticket);
                assert_eq!(withdrawn.is_some(), worker.join().unwrap().is_none());
            }
            // It was idle already.
            Begun::By(_, 2) => assert_eq!(worker.join().unwrap(), None),
            other => panic!("{other:?}"),
        }
    });
}

/// All workers are sent home while one finishes: none that was started before remains.
#[test]
fn nobody_stays_who_was_sent_home() {
    loom::model(|| {
        become_process(1);
        let crews = Arc::new(Crews::<Inbox, u32>::new(2));
        let inbox = std::sync::Arc::new(Slot::new());
        let Begun::ByNew(generation, 1) = crews.begin(1, 0) else { panic!("there is a worker already") };
        let worker = {
            let (crews, inbox) = (Arc::clone(&crews), std::sync::Arc::clone(&inbox));
            thread::spawn(move || match crews.finish(&inbox, generation) {
                Next::Wait => inbox.recv_deadline(far()),
                _ => Some(None),
            })
        };
        for inbox in crews.send_home() {
            inbox.send(None);
        }
        assert_eq!(worker.join().unwrap(), Some(None));
        assert!(matches!(crews.begin(2, 0), Begun::ByNew(1, 2)));
    });
}
