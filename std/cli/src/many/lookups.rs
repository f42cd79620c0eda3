//! Resolving all of the nodes.

use super::options::ManyOptions;
use super::targets::Targets;
use crate::options::Options;
use rdma_addrinfo::{Resolution, Target};

/// Resolves each node and gives what came of it, in the order of the nodes unless that is not wanted. As many as
/// [`fanout`](ManyOptions::fanout) says are under way, and memory is bounded by that.
pub(super) fn each(
    options: &Options,
    many: &ManyOptions,
    targets: &Targets,
    mut take: impl FnMut(Resolution<'_>),
) {
    let (resolver, hints, service) = (options.resolver(), options.hints(), options.many_service());
    let targets = targets.names().map(|name| {
        let mut target = Target::new(name);
        if let Some(service) = &service {
            target = target.with_service(&**service);
        }
        match &hints {
            Some(hints) => target.with_hints(hints),
            None => target,
        }
    });
    let resolutions = resolver.resolve_many(targets, many.fanout.into());
    if many.unordered {
        resolutions.unordered().for_each(&mut take);
    } else {
        resolutions.for_each(&mut take);
    }
}
