//! [`ToTracing`]: steps as events of the crate `tracing`.

use super::trace::{Trace, TracedStep};
use tracing::Level;

/// A [`Trace`] that emits each step as an event of the crate `tracing`, at the level `DEBUG` with the target
/// `rdma_addrinfo` and the fields `question`, `answer` and `elapsed_ns`. Nothing is timed where nobody subscribes to it.
///
/// ```
/// use rdma_addrinfo::{Resolver, ToTracing};
///
/// Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut ToTracing)?;
/// # Ok::<(), rdma_addrinfo::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ToTracing;

impl Trace for ToTracing {
    fn is_enabled(&self) -> bool {
        tracing::enabled!(target: "rdma_addrinfo", Level::DEBUG)
    }

    fn step(&mut self, step: TracedStep) {
        let elapsed_ns = u64::try_from(step.elapsed.as_nanos()).unwrap_or(u64::MAX);
        let (question, answer) = (step.event.question(), step.event.answer());
        tracing::debug!(target: "rdma_addrinfo", question, answer, elapsed_ns);
    }
}
