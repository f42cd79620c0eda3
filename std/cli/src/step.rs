//! The steps that `--explain` shows.

use rdma_addrinfo::TracedStep;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// A step: the question, its answer, and the time that it took.
#[derive(Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) question: String,
    pub(crate) answer: String,
    #[serde(rename = "elapsed_us", serialize_with = "microseconds")]
    pub(crate) elapsed: Duration,
}

impl From<TracedStep> for Step {
    fn from(step: TracedStep) -> Self {
        Self { question: step.event.question(), answer: step.event.answer(), elapsed: step.elapsed }
    }
}

/// In microseconds, exact to the nanosecond up to 104 days (2^53 ns).
pub(crate) fn microseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_nanos() as f64 / 1e3)
}
