//! Progress on standard error: a bar where that is a terminal, else lines.

use super::options::ProgressWhen;
use rustix::stdio::{stderr, stdout};
use rustix::termios::{isatty, tcgetwinsize};
use std::time::{Duration, Instant};

/// How often it is shown, on a terminal and elsewhere.
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(1);

/// The widest bar, in columns.
const WIDEST: usize = 40;

/// Where it is shown, and what is there.
#[derive(Debug)]
pub(super) struct Progress {
    is_terminal: bool,
    /// The results go to a terminal, too.
    shares: bool,
    is_shown: bool,
    started: Instant,
    total: u64,
}

impl Progress {
    /// `None` if it is not to be shown.
    pub(super) fn new(when: ProgressWhen, total: u64) -> Option<Self> {
        let (is_terminal, shares) = (isatty(stderr()), isatty(stdout()));
        let shows = match when {
            ProgressWhen::Auto => is_terminal && !shares,
            ProgressWhen::Always => true,
            ProgressWhen::Never => false,
        };
        let started = Instant::now();
        shows.then_some(Self { is_terminal, shares, is_shown: false, started, total })
    }

    /// How long to wait until it is shown again.
    pub(super) const fn pause(&self) -> Duration {
        if self.is_terminal { OFTEN } else { SELDOM }
    }

    /// Takes the bar away before anything else is written to its terminal.
    pub(super) fn make_way(&mut self) {
        if self.shares {
            self.clear();
        }
    }

    /// Takes the bar away.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) && self.is_terminal {
            write("\r\x1b[K");
        }
    }

    /// Shows the end: a line where there is no terminal; on one nothing is left.
    pub(super) fn end(&mut self, done: u64, failed: u64) {
        if self.is_terminal {
            self.clear();
        } else {
            self.show(done, failed);
        }
    }

    /// Shows how many are done, and how many of them failed.
    pub(super) fn show(&mut self, done: u64, failed: u64) {
        let state = State { done, failed, total: self.total, elapsed: self.started.elapsed() };
        if !self.is_terminal {
            write(&format!("{}\n", state.words()));
            return;
        }
        // It may have changed since.
        let columns = tcgetwinsize(stderr()).map_or(80, |size| size.ws_col.into());
        write(&format!("\r{}\x1b[K", state.bar(columns)));
        self.is_shown = true;
    }
}

fn write(text: &str) {
    let mut rest = text.as_bytes();
    while let Ok(written @ 1..) = rustix::io::write(stderr(), rest) {
        rest = rest.get(written..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
    }
}

/// What is shown.
#[derive(Clone, Copy)]
struct State {
    done: u64,
    failed: u64,
    total: u64,
    elapsed: Duration,
}

impl State {
    fn words(self) -> String {
        let Self { done, failed, total, elapsed } = self;
        let share = (u128::from(done) * 100).checked_div(total.into()).unwrap_or(0);
        let rate = done as f64 / elapsed.as_secs_f64().max(1e-6);
        let left = if done == 0 {
            "--:--".into()
        } else {
            // As fast as until now.
            let seconds = (total.saturating_sub(done)) as f64 / rate.max(1e-9);
            clock(Duration::try_from_secs_f64(seconds.ceil()).unwrap_or(Duration::MAX))
        };
        let failed = if failed == 0 { String::new() } else { format!(", {failed} failed") };
        format!("{done}/{total} {share}% {rate:.0}/s {left} left{failed}")
    }

    /// The words, with a bar before them where there is room; less than the columns, so that no line is full.
    fn bar(self, columns: usize) -> String {
        let words = self.words();
        let room = columns.saturating_sub(1);
        let width = room.saturating_sub(words.len() + 3).min(WIDEST);
        if width < 5 {
            return words.chars().take(room).collect();
        }
        let full = (self.done as f64 / self.total.max(1) as f64 * width as f64) as usize;
        let (full, empty) = ("#".repeat(full.min(width)), "-".repeat(width.saturating_sub(full)));
        format!("[{full}{empty}] {words}")
    }
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours == 0 {
        format!("{minutes:02}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: State = State { done: 500, failed: 0, total: 1000, elapsed: Duration::from_secs(2) };

    #[test]
    fn count_share_rate_and_estimate() {
        assert_eq!(HALF.words(), "500/1000 50% 250/s 00:02 left");
        assert_eq!(State { failed: 3, ..HALF }.words(), "500/1000 50% 250/s 00:02 left, 3 failed");
        assert_eq!(State { done: 0, ..HALF }.words(), "0/1000 0% 0/s --:-- left");
        assert_eq!(State { done: 1, total: 4000, ..HALF }.words(), "1/4000 0% 0/s 2:13:18 left");
        let most = State { done: u64::MAX, failed: 0, total: u64::MAX, elapsed: Duration::ZERO };
        assert!(
            most.words().starts_with("18446744073709551615/18446744073709551615 100% "),
            "{}",
            most.words()
        );
        assert!(State { done: 1, elapsed: Duration::MAX, ..most }.words().ends_with(" left"));
    }

    #[test]
    fn a_bar_of_any_width() {
        let words = HALF.words();
        assert_eq!(HALF.bar(43), format!("[#####-----] {words}"));
        assert_eq!(HALF.bar(200), format!("[{}{}] {words}", "#".repeat(20), "-".repeat(20)));
        assert_eq!(HALF.bar(30), words);
        assert_eq!(HALF.bar(9), words[..8]);
        for columns in 0..200 {
            assert!(HALF.bar(columns).len() <= columns.saturating_sub(1), "{columns}");
        }
    }
}
