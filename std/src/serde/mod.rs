//! `Serialize` (feature `serde`): in the shape of the JSON of the command `rdma-getaddrinfo`, as in the core.
//! `schema/rdma-getaddrinfo.schema.json` describes it.

mod devices;
mod error;

use crate::{LibraryList, Resolved, TracedStep};
use serde::{Serialize, Serializer};
use std::fmt::Display;
use std::time::Duration;

/// As the [list](Resolved::list).
impl Serialize for Resolved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list().serialize(serializer)
    }
}

/// As the [list](LibraryList::list).
impl Serialize for LibraryList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list().serialize(serializer)
    }
}

/// The question and the answer in words.
impl Serialize for TracedStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Step {
            question: String,
            answer: String,
            #[serde(rename = "elapsed_us", serialize_with = "microseconds")]
            elapsed: Duration,
        }
        Step { question: self.event.question(), answer: self.event.answer(), elapsed: self.elapsed }
            .serialize(serializer)
    }
}

/// The text that is displayed.
fn displayed<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Microseconds, exact to the nanosecond up to 104 days (2^53 ns).
fn microseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_nanos() as f64 / 1e3)
}
