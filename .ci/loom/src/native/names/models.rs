//! The exchange between a caller and a worker.

use super::slot::Slot;
use super::workers::{Begun, Workers};
use crate::native::fork_id::become_process;
use loom::sync::Arc;
use loom::thread;
use std::time::{Duration, Instant};

/// Never reached in a model: a waiting thread waits until it is woken.
fn far() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

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

/// A worker reaches its idle limit while a caller takes it from the list: the job is done, by it or by another.
#[test]
fn no_job_goes_to_a_worker_that_leaves() {
    loom::model(|| {
        become_process(1);
        let workers = Arc::new(Workers::<Slot<Option<u32>>>::new());
        let inbox = std::sync::Arc::new(Slot::new());
        assert!(matches!(workers.begin(), Some(Begun::ByNew(0))));
        assert!(workers.finish(&inbox, 0));
        let worker = {
            let (workers, inbox) = (Arc::clone(&workers), std::sync::Arc::clone(&inbox));
            thread::spawn(move || if workers.leave_idle(&inbox) { None } else { inbox.recv_deadline(far()) })
        };
        let sent = match workers.begin() {
            Some(Begun::By(inbox)) => {
                inbox.send(Some(7));
                true
            }
            Some(Begun::ByNew(_)) => false,
            None => panic!("one lookup is not too many"),
        };
        assert_eq!(worker.join().unwrap(), sent.then_some(Some(7)));
    });
}

/// All workers are stopped while one finishes: no worker started before remains.
#[test]
fn nobody_stays_who_was_sent_home() {
    loom::model(|| {
        become_process(1);
        let workers = Arc::new(Workers::<Slot<Option<u32>>>::new());
        let inbox = std::sync::Arc::new(Slot::new());
        let Some(Begun::ByNew(generation)) = workers.begin() else { panic!("there is a worker already") };
        let worker = {
            let (workers, inbox) = (Arc::clone(&workers), std::sync::Arc::clone(&inbox));
            thread::spawn(move || {
                if workers.finish(&inbox, generation) { inbox.recv_deadline(far()) } else { Some(None) }
            })
        };
        for inbox in workers.take_idle() {
            inbox.send(None);
        }
        assert_eq!(worker.join().unwrap(), Some(None));
        assert!(matches!(workers.begin(), Some(Begun::ByNew(1))));
    });
}
