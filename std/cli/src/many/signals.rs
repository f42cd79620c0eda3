//! SIGINT and SIGTERM: the first ends in good order, a second at once.

use nix::sys::signal::{SigSet, Signal};
use std::fs;
use std::process;
use std::thread::{self, Builder};
use std::time::Duration;

/// How long the good order may take: nobody may read the output.
const GRACE: Duration = Duration::from_secs(2);

/// Calls `finish` in a thread at the first signal, with the exit status, and ends with that. Call it before there are
/// other threads: they must leave the signals to this one.
pub(super) fn watch(finish: impl FnOnce(u8) + Send + 'static) {
    let ignored = ignored();
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        // As in the background of a shell.
        if ignored >> (signal as u32 - 1) & 1 == 0 {
            signals.add(signal);
        }
    }
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        let Ok(signal) = signals.wait() else { return };
        let status = match signal {
            Signal::SIGTERM => 143,
            _ => 130,
        };
        // From here on they do what they do by default.
        let _ = signals.thread_unblock();
        let _ = Builder::new().spawn(move || {
            thread::sleep(GRACE);
            process::exit(status.into());
        });
        finish(status);
        process::exit(status.into());
    };
    if Builder::new().name("signals".into()).spawn(wait).is_err() {
        let _ = signals.thread_unblock();
    }
}

/// The signals that are ignored, the first in bit 0.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
