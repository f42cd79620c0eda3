//! Route and source of each entry.

use super::placed::Placed;
use super::route::{FindRoute, asks_for_routes, wants_route};
use super::step::{FindSource, Step, Work};
use super::twin;
use crate::addrinfo::{Entry, Listed};
use crate::request::{Addresses, Twin};
use crate::types::{Family, Flags};
use core::net::SocketAddr;

/// A walk along the entries that were placed, each asking for its route and then for its source.
#[derive(Debug)]
pub(super) struct Walk<'q, 'r> {
    pub(super) work: Work<'q, 'r>,
    pub(super) placed: Placed,
    current: usize,
}

impl<'q, 'r> Walk<'q, 'r> {
    pub(super) fn start(work: Work<'q, 'r>, placed: Placed) -> Step<'q, 'r> {
        let walk = Self { work, placed, current: 0 };
        let request = &walk.work.request;
        if asks_for_routes(request) || request.policy.discover_source || request.needs_source {
            walk.go_on()
        } else {
            // Nothing to ask about any entry, and no twin without a route.
            walk.done()
        }
    }

    pub(super) fn entry(&self) -> Option<&Entry> {
        self.work.results.entries.as_slice().get(self.current)
    }

    pub(super) fn entry_mut(&mut self) -> Option<&mut Entry> {
        self.work.results.entries.as_mut_slice().get_mut(self.current)
    }

    /// Asks the first question that the current entry or one behind it has. A loop: a name may have thousands
    /// of addresses about which there is nothing to ask.
    fn go_on(mut self) -> Step<'q, 'r> {
        while self.entry().is_some() {
            if self.needs_source() {
                match self.destination() {
                    Some(destination) => return Step::FindSource(FindSource { walk: self, destination }),
                    // Of an AF_IB address there is no way to ask.
                    None => self.leave_out(),
                }
            } else if self.wants_route() {
                return Step::FindRoute(FindRoute(self));
            } else if let Some(destination) = self.wants_source() {
                return Step::FindSource(FindSource { walk: self, destination });
            } else {
                self.keep();
            }
        }
        self.done()
    }

    /// Goes on behind the question for a source, which may have been the first.
    pub(super) fn after_source(mut self) -> Step<'q, 'r> {
        if self.needs_source() {
            self.leave_out();
        } else if self.work.request.needs_source && self.wants_route() {
            return Step::FindRoute(FindRoute(self));
        } else {
            self.keep();
        }
        self.go_on()
    }

    /// Goes on behind the question for a route.
    pub(super) fn source(mut self) -> Step<'q, 'r> {
        if let Some(destination) = self.wants_source() {
            return Step::FindSource(FindSource { walk: self, destination });
        }
        self.keep();
        self.go_on()
    }

    /// Leaves the current entry as it is, with its twin, and takes the next.
    ///
    /// The twin is made only now, when the source is known, whoever told it.
    fn keep(&mut self) {
        let twin = self.twin();
        let order = self.work.request.policy.twin;
        if let (Some(twin), Some(entry)) = (twin, self.entry_mut()) {
            entry.listed = match (entry.listed, order) {
                // Only AF_IB entries are listed.
                (Listed::Nothing, _) => Listed::IbEntry(twin),
                (_, Twin::AfterIp) => Listed::EntryThenIb(twin),
                (_, Twin::BeforeIp) => Listed::IbThenEntry(twin),
            };
        }
        self.current = self.current.saturating_add(1);
        // The first that has a source: it could not be told before.
        if self.work.request.needs_source && self.work.request.policy.addresses == Addresses::First {
            self.work.results.entries.truncate(self.current);
        }
    }

    /// Leaves the current entry out of the list, and takes the next.
    fn leave_out(&mut self) {
        if let Some(entry) = self.entry_mut() {
            entry.listed = Listed::Nothing;
        }
        self.placed.other_family = true;
        self.current = self.current.saturating_add(1);
    }

    /// The twin of the current entry: none without a route, without AF_IB in the kernel, or where it would add
    /// nothing.
    fn twin(&self) -> Option<crate::addrinfo::IbEntry> {
        let entry = self.entry()?;
        let path = match entry.route {
            (_, 0) => return None,
            (start, _) => self.work.results.shared.as_ref().paths().get(start)?,
        };
        let wanted = self.work.request.environment.af_ib && self.may_have_twin();
        wanted.then(|| twin::of(entry, path, self.work.request.policy.is_strict()))
    }

    /// Whether a route of the current entry brings a twin, where the kernel knows AF_IB.
    pub(super) fn may_have_twin(&self) -> bool {
        let request = &self.work.request;
        let adds_nothing = |entry: &Entry| {
            let no_address = entry.src.is_none() && entry.dst.is_none();
            request.policy.is_strict() && (entry.family == Family::IB || no_address)
        };
        !request.hints().get_flags().contains(Flags::ROUTE_ONLY)
            && self.entry().is_some_and(|entry| !adds_nothing(entry))
    }

    fn wants_route(&self) -> bool {
        let request = &self.work.request;
        asks_for_routes(request) && self.entry().is_some_and(|entry| wants_route(entry, request))
    }

    /// The destination to find a source for, unless the entry has a source or may have none.
    fn wants_source(&self) -> Option<SocketAddr> {
        let wanted = self.work.request.policy.discover_source && self.lacks_source();
        self.destination().filter(|_| wanted)
    }

    fn needs_source(&self) -> bool {
        self.work.request.needs_source && self.lacks_source()
    }

    fn lacks_source(&self) -> bool {
        self.entry().is_some_and(|entry| entry.src.is_none() && !entry.flags.contains(Flags::PASSIVE))
    }

    /// The destination of the current entry, if it is an IP address.
    fn destination(&self) -> Option<SocketAddr> {
        SocketAddr::try_from(self.entry()?.dst.get()?).ok()
    }

    fn done(self) -> Step<'q, 'r> {
        // Whether the kernel knows AF_IB may have become known since the start.
        let Work { request, results } = self.work;
        Step::Done(self.placed.finish(results, request.routes && request.environment.af_ib))
    }
}
