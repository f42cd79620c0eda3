//! A step of a resolution, told.

use std::fmt;
use std::time::Duration;

/// A step of a resolution: the question, its answer, and how long the answer took.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TracedStep {
    /// The question, such as `look up node 'storage-7' (any family)`.
    pub question: String,
    /// The answer, such as `192.0.2.7, 2001:db8::7`.
    pub answer: String,
    /// How long the answer took.
    pub elapsed: Duration,
}

impl fmt::Display for TracedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({:?})", self.question, self.answer, self.elapsed)
    }
}
