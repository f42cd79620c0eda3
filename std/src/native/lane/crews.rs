//! [`Crews`]: which of a process's threads for a kind of work are busy, which wait, and which work waits for them.

use crate::native::fork_id;
use crate::native::fork_local::{ForkLocal, Initial};
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

/// How many workers stay when they have nothing to do; the others end.
pub(in crate::native) const KEPT_WORKERS: usize = 2;

/// How many times as many threads as a crew has may be at work where crews were [sent home](Crews::send_home) while they
/// were busy.
const MOST_CREWS: usize = 4;

/// The workers of each process, as they are counted: those of a parent do not exist in its child. `I` is where a worker
/// waits for its next job, a `J`; two are the same worker if they are the same allocation.
#[derive(Debug)]
pub(super) struct Crews<I, J> {
    state: ForkLocal<State<I, J>>,
    /// How many workers a crew has at most.
    most: usize,
}

#[derive(Debug)]
struct State<I, J> {
    /// The last is the one that takes jobs; the others finish what they have, and are there as long as they have any.
    crews: Vec<Crew<I, J>>,
    /// How often all were sent home: the number of the next crew.
    generation: u64,
    /// The number of the next job that waits.
    next: u64,
}

/// Workers that were started in the same namespaces, as far as the caller says.
#[derive(Debug)]
struct Crew<I, J> {
    generation: u64,
    /// Jobs that run, abandoned or not: so many workers are busy.
    running: usize,
    /// Workers without a job, the last to finish last. At most [`KEPT_WORKERS`].
    idle: Vec<Arc<I>>,
    /// Jobs that wait for a worker, in their order.
    waiting: BTreeMap<u64, J>,
}

impl<I, J> Initial for State<I, J> {
    const INITIAL: Self = Self { crews: Vec::new(), generation: 0, next: 0 };
}

/// What becomes of a job.
#[derive(Debug)]
pub(super) enum Begun<I, J> {
    /// This worker, which waits, must be sent the job.
    By(Arc<I>, J),
    /// A worker of this generation has to be started for it.
    ByNew(u64, J),
    /// It waits for its turn.
    Waits(Ticket),
    /// There is no room for it.
    Full,
}

/// What a worker that has finished a job does next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<J> {
    Job(J),
    /// Wait for another.
    Wait,
    End,
}

/// The place of a job that waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ticket {
    process: u64,
    generation: u64,
    number: u64,
}

impl<I, J> Crews<I, J> {
    #[cfg(not(loom))]
    pub(super) const fn new(most: usize) -> Self {
        Self { state: ForkLocal::new(), most }
    }

    #[cfg(loom)]
    pub(super) fn new(most: usize) -> Self {
        Self { state: ForkLocal::new(), most }
    }

    /// Counts a job in. At most `limit` wait.
    pub(super) fn begin(&self, job: J, limit: usize) -> Begun<I, J> {
        let begin = |state: &mut State<I, J>| {
            let all: usize = state.crews.iter().map(|crew| crew.running).sum();
            let has_room = all < self.most.saturating_mul(MOST_CREWS);
            let is_current = state.crews.last().is_some_and(|crew| crew.generation == state.generation);
            if !is_current {
                state.crews.push(Crew {
                    generation: state.generation,
                    running: 0,
                    idle: Vec::new(),
                    waiting: BTreeMap::new(),
                });
            }
            let Some(crew) = state.crews.last_mut() else { return Begun::Full };
            if let Some(worker) = crew.idle.pop() {
                crew.running += 1;
                return Begun::By(worker, job);
            }
            if crew.running < self.most && has_room {
                crew.running += 1;
                return Begun::ByNew(crew.generation, job);
            }
            // Where nobody works, nobody would come to take it.
            if crew.running == 0 || crew.waiting.len() >= limit {
                return Begun::Full;
            }
            let number = state.next;
            state.next += 1;
            crew.waiting.insert(number, job);
            Begun::Waits(Ticket { process: fork_id::identity(), generation: crew.generation, number })
        };
        self.state.with(begin).unwrap_or(Begun::Full)
    }

    /// Counts a job out for which no worker could be started. What waits meanwhile, and has nobody now, is returned.
    pub(super) fn fail(&self, generation: u64) -> Vec<J> {
        let fail = |state: &mut State<I, J>| {
            let Some(crew) = crew_of(state, generation) else { return Vec::new() };
            crew.running -= 1;
            if crew.running > 0 {
                return Vec::new();
            }
            mem::take(&mut crew.waiting).into_values().collect()
        };
        self.state.with(fail).unwrap_or_default()
    }

    /// Counts a job out, and tells its worker, of this generation, what to do next.
    pub(super) fn finish(&self, worker: &Arc<I>, generation: u64) -> Next<J> {
        let finish = |state: &mut State<I, J>| {
            let is_current = state.generation == generation;
            let Some(crew) = crew_of(state, generation) else { return Next::End };
            if let Some((_, job)) = crew.waiting.pop_first() {
                return Next::Job(job);
            }
            crew.running -= 1;
            if is_current && crew.idle.len() < KEPT_WORKERS {
                crew.idle.push(Arc::clone(worker));
                return Next::Wait;
            }
            if !is_current && crew.running == 0 {
                state.crews.retain(|crew| crew.generation != generation);
            }
            Next::End
        };
        self.state.with(finish).unwrap_or(Next::End)
    }

    /// Takes a job back. `None` if it does not wait any more.
    pub(super) fn withdraw(&self, ticket: Ticket) -> Option<J> {
        // A child has not what its parent queued, but may have jobs of the same number.
        if ticket.process != fork_id::identity() {
            return None;
        }
        self.state
            .with(|state| {
                crew_of(state, ticket.generation).and_then(|crew| crew.waiting.remove(&ticket.number))
            })
            .flatten()
    }

    /// Takes a worker off the list of those that wait. False if it is not there: something is on its way to it.
    pub(super) fn leave_idle(&self, worker: &Arc<I>) -> bool {
        let leave = |state: &mut State<I, J>| {
            state.crews.iter_mut().any(|crew| {
                let at = crew.idle.iter().position(|other| Arc::ptr_eq(other, worker));
                at.map(|at| crew.idle.remove(at)).is_some()
            })
        };
        self.state.with(leave).unwrap_or(true)
    }

    /// Has another crew take jobs from now on, and takes all that wait of this one, who must be sent home. Its others end
    /// when they have finished all that they have.
    pub(super) fn send_home(&self) -> Vec<Arc<I>> {
        let send_home = |state: &mut State<I, J>| {
            state.generation += 1;
            let idle = state.crews.last_mut().map(|crew| mem::take(&mut crew.idle));
            state.crews.retain(|crew| crew.running > 0);
            idle.unwrap_or_default()
        };
        self.state.with_used(send_home).unwrap_or_default()
    }

    /// How many jobs wait.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.state.with(|state| state.crews.iter().map(|crew| crew.waiting.len()).sum()).unwrap_or(0)
    }

    /// Runs `body` while the lock is held, as a fork(2) of another thread may find it.
    #[cfg(all(test, not(loom)))]
    pub(super) fn while_held<R>(&self, body: impl FnOnce() -> R) -> R {
        self.state.with(|_| body()).unwrap()
    }
}

fn crew_of<I, J>(state: &mut State<I, J>, generation: u64) -> Option<&mut Crew<I, J>> {
    state.crews.iter_mut().find(|crew| crew.generation == generation)
}
