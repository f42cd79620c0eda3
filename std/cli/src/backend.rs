//! Resolution by the native resolver or librdmacm.

use crate::options::{BackendName, Options};
use crate::step::Step;
use crate::target::Target;
use rdma_addrinfo::{AddrInfoList, Error, Hints, Library, LibraryList, Resolved, TracedStep};
use std::time::Instant;

/// The results, in the memory of the backend.
#[derive(Debug)]
pub(crate) enum Found {
    Native(Resolved),
    Librdmacm(LibraryList),
}

impl Found {
    pub(crate) fn list(&self) -> AddrInfoList<'_> {
        match self {
            Self::Native(found) => found.list(),
            Self::Librdmacm(found) => found.list(),
        }
    }

    /// The name of the backend in the output.
    pub(crate) const fn backend(&self) -> &'static str {
        match self {
            Self::Native(_) => BackendName::Native.name(),
            Self::Librdmacm(_) => BackendName::Librdmacm.name(),
        }
    }
}

/// Resolves with the backend of the options.
pub(crate) fn resolve(
    options: &Options,
    target: Target<'_>,
    hints: Option<&Hints<'_>>,
    steps: &mut Option<Vec<Step>>,
) -> Result<Found, Error> {
    match options.backend {
        BackendName::Native => ask_resolver(options, target, hints, steps).map(Found::Native),
        BackendName::Librdmacm => ask_library(target, hints, steps).map(Found::Librdmacm),
    }
}

fn ask_resolver(
    options: &Options,
    target: Target<'_>,
    hints: Option<&Hints<'_>>,
    steps: &mut Option<Vec<Step>>,
) -> Result<Resolved, Error> {
    let (node, service, resolver) = (target.node_text(), target.service_text(), options.resolver());
    match steps {
        None => resolver.resolve(node, service, hints),
        Some(steps) => {
            resolver.resolve_traced(node, service, hints, &mut |step: TracedStep| steps.push(step.into()))
        }
    }
}

fn ask_library(
    target: Target<'_>,
    hints: Option<&Hints<'_>>,
    steps: &mut Option<Vec<Step>>,
) -> Result<LibraryList, Error> {
    let started = Instant::now();
    let found = Library::load()
        .map_err(Error::from)
        .and_then(|library| library.getaddrinfo(target.node_text(), target.service_text(), hints));
    if let Some(steps) = steps {
        let answer = match &found {
            Ok(list) => list.iter().map(|info| info.to_string()).collect::<Vec<_>>().join(", "),
            Err(error) => error.cause().to_string(),
        };
        let question = "rdma_getaddrinfo of librdmacm".into();
        steps.push(Step { question, answer, elapsed: started.elapsed() });
    }
    found
}
