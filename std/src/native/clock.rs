//! The coarse clock, for memories that last seconds: read without a system call, at a third of the cost of the fine one.

use rustix::time::{ClockId, clock_gettime};

/// Milliseconds since an unspecified start; never runs backwards, and is a few milliseconds behind.
///
/// The kernel's page of clocks always serves this one, also where the fine clock needs a system call.
pub(super) fn now() -> u64 {
    let time = clock_gettime(ClockId::MonotonicCoarse);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or(0));
    seconds.saturating_mul(1000).saturating_add(nanoseconds / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::now;
    use std::thread;
    use std::time::{Duration, Instant};

    #[test]
    fn it_keeps_up_with_the_fine_clock() {
        let (coarse, fine) = (now(), Instant::now());
        thread::sleep(Duration::from_millis(200));
        let (coarse, fine) = (now() - coarse, fine.elapsed().as_millis());
        // A tick is 10 ms at most.
        assert!(u128::from(coarse).abs_diff(fine) <= 20, "{coarse} ms for {fine}");
    }
}
