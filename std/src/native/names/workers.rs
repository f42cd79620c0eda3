//! [`Workers`]: who of a process's lookup threads is busy, and who waits.

use crate::native::fork_local::{ForkLocal, Initial};
use std::mem;
use std::sync::Arc;

/// How many lookups with a deadline may run at once, those included that were left behind at their deadline.
///
/// The bound on what a name service that does not answer can cost: so many threads and no more.
pub(super) const IN_FLIGHT: usize = 64;

/// How many workers stay when they have nothing to do; the others end.
pub(super) const KEPT_WORKERS: usize = 2;

/// The workers of each process, as they are counted: those of a parent do not exist in its child. `I` is where a worker
/// waits for its next job; two are the same worker if they are the same allocation.
#[derive(Debug)]
pub(super) struct Workers<I>(ForkLocal<State<I>>);

#[derive(Debug)]
struct State<I> {
    /// Lookups that run, abandoned or not: so many workers are busy.
    running: usize,
    /// Workers without a job, the last to finish last. At most [`KEPT_WORKERS`].
    idle: Vec<Arc<I>>,
    /// How often all were [sent home](Workers::take_idle).
    generation: u64,
}

impl<I> Initial for State<I> {
    const INITIAL: Self = Self { running: 0, idle: Vec::new(), generation: 0 };
}

/// A lookup that was counted in, and who is to do it.
#[derive(Debug)]
pub(super) enum Begun<I> {
    /// This worker, which waits: it must be sent the job, or `None` to end.
    By(Arc<I>),
    /// A worker of this generation, which has to be started.
    ByNew(u64),
}

impl<I> Workers<I> {
    #[cfg(not(loom))]
    pub(super) const fn new() -> Self {
        Self(ForkLocal::new())
    }

    #[cfg(loom)]
    pub(super) fn new() -> Self {
        Self(ForkLocal::new())
    }

    /// Counts a lookup in; `None` if there are [`IN_FLIGHT`].
    pub(super) fn begin(&self) -> Option<Begun<I>> {
        let begin = |state: &mut State<I>| {
            if state.running >= IN_FLIGHT {
                return None;
            }
            state.running += 1;
            Some(state.idle.pop().map_or(Begun::ByNew(state.generation), Begun::By))
        };
        self.0.with(begin).flatten()
    }

    /// Counts a lookup out for which no worker could be started.
    pub(super) fn fail(&self) {
        self.0.with(|state| state.running -= 1);
    }

    /// Counts a lookup out. True if its worker, of this generation, shall wait for another.
    pub(super) fn finish(&self, worker: &Arc<I>, generation: u64) -> bool {
        let finish = |state: &mut State<I>| {
            state.running -= 1;
            let keep = state.idle.len() < KEPT_WORKERS && state.generation == generation;
            if keep {
                state.idle.push(Arc::clone(worker));
            }
            keep
        };
        self.0.with(finish).unwrap_or(false)
    }

    /// Takes a worker off the list of those that wait. False if it is not there: something is on its way to it.
    pub(super) fn leave_idle(&self, worker: &Arc<I>) -> bool {
        let leave = |state: &mut State<I>| {
            let at = state.idle.iter().position(|other| Arc::ptr_eq(other, worker));
            at.map(|at| state.idle.remove(at)).is_some()
        };
        self.0.with(leave).unwrap_or(true)
    }

    /// Takes all that wait off the list, who must be sent `None`. Those that are busy end when they have finished.
    pub(super) fn take_idle(&self) -> Vec<Arc<I>> {
        let take = |state: &mut State<I>| {
            state.generation += 1;
            mem::take(&mut state.idle)
        };
        self.0.with_used(take).unwrap_or_default()
    }

    /// Runs `body` while the lock is held, as a fork(2) of another thread may find it.
    #[cfg(all(test, not(loom)))]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        self.0.with(|_| body()).unwrap()
    }
}
