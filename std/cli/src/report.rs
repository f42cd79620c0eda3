//! What was asked, and what came of it.

use crate::options::Options;
use crate::target::Target;
use rdma_addrinfo::{Error, Hints, Resolved, TracedStep};
use std::time::{Duration, Instant};

/// A resolution that is over.
#[derive(Debug)]
pub(crate) struct Report<'o> {
    pub(crate) options: &'o Options,
    pub(crate) target: Target<'o>,
    /// The hints; `None` if no option asked for any.
    pub(crate) hints: Option<Hints<'static>>,
    pub(crate) outcome: Result<Resolved, Error>,
    /// How long the call took.
    pub(crate) elapsed: Duration,
    /// The steps of the call; `None` unless they were asked for.
    pub(crate) steps: Option<Vec<TracedStep>>,
}

impl<'o> Report<'o> {
    /// Resolves what the options ask for.
    pub(crate) fn new(options: &'o Options) -> Self {
        let target = options.target();
        let (node, service) = (target.node_text(), target.service_text());
        let hints = options.hints();
        let resolver = options.resolver();
        let mut steps = options.explain.then(Vec::new);

        let started = Instant::now();
        let outcome = match &mut steps {
            None => resolver.resolve(node, service, hints.as_ref()),
            Some(steps) => {
                resolver.resolve_traced(node, service, hints.as_ref(), &mut |step| steps.push(step))
            }
        };
        let elapsed = started.elapsed();
        Self { options, target, hints, outcome, elapsed, steps }
    }

    /// The exit status: 0 found, 1 not resolved.
    pub(crate) fn status(&self) -> u8 {
        u8::from(self.outcome.is_err())
    }
}
