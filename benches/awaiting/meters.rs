//! What is measured beside time: threads, memory, and how often threads were woken up.

use crate::common::threads;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Watches how many threads there are at most. It does not count itself.
pub(crate) struct Watch {
    ends: Arc<AtomicBool>,
    most: Arc<AtomicUsize>,
    thread: JoinHandle<()>,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let (ends, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (until, seen) = (Arc::clone(&ends), Arc::clone(&most));
        let thread = thread::spawn(move || {
            while !until.load(SeqCst) {
                seen.fetch_max(threads().len() - 1, SeqCst);
                thread::sleep(Duration::from_millis(5));
            }
        });
        Self { ends, most, thread }
    }

    pub(crate) fn end(self) -> usize {
        self.ends.store(true, SeqCst);
        self.thread.join().unwrap();
        self.most.load(SeqCst)
    }
}

fn status(file: &str, key: &str) -> u64 {
    let status = fs::read_to_string(file).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("0");
    line.trim_matches([':', ' ', '\t']).split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The most memory that this process has had so far, in KiB.
pub(crate) fn peak() -> u64 {
    status("/proc/self/status", "VmHWM")
}

/// The memory that this process has, in KiB.
pub(crate) fn resident() -> u64 {
    status("/proc/self/status", "VmRSS")
}

/// How often threads of this process have gone to sleep by themselves, which is as often as they were woken up.
pub(crate) fn sleeps() -> u64 {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    tasks
        .flatten()
        .map(|task| status(&task.path().join("status").to_string_lossy(), "voluntary_ctxt_switches"))
        .sum()
}
