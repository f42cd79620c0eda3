//! Route and source of each entry.

use super::placed::Placed;
use super::route::{FindRoute, asks_for_routes, wants_route};
use super::step::{FindSource, Step, Work};
use super::twin;
use crate::addrinfo::{Entry, NO_ENTRY, Storage};
use crate::request::{Addresses, Twin};
use crate::types::{Family, Flags};
use core::net::SocketAddr;

/// A walk along the entries that were placed, each asking for its route and then for its source.
#[derive(Debug)]
pub(super) struct Walk<'q, 'r> {
    pub(super) work: Work<'q, 'r>,
    pub(super) placed: Placed,
    current: usize,
    /// The entry before the current one, [`NO_ENTRY`] for none.
    previous: usize,
    /// How many entries may follow: a storage that makes a circle of them ends all the same.
    left: usize,
}

impl<'q, 'r> Walk<'q, 'r> {
    pub(super) fn start(work: Work<'q, 'r>, placed: Placed) -> Step<'q, 'r> {
        let Work { request, results } = work;
        let placed = placed.with_twins(request.routes && request.environment.af_ib);
        if !asks_for_routes(&request) && !request.policy.discover_source && !request.needs_source {
            // Nothing to ask about any entry, and no twin without a route.
            return done(placed, results);
        }
        let left = results.entries().len();
        Self { work: Work { request, results }, placed, current: placed.first, previous: NO_ENTRY, left }
            .go_on()
    }

    pub(super) fn entry(&self) -> Option<&Entry> {
        self.work.results.entries().get(self.current)
    }

    pub(super) fn entry_mut(&mut self) -> Option<&mut Entry> {
        self.work.results.entries_mut().get_mut(self.current)
    }

    /// Asks the first question that the current entry or one behind it has. A loop: a name may have thousands
    /// of addresses about which there is nothing to ask.
    fn go_on(mut self) -> Step<'q, 'r> {
        loop {
            if self.needs_source() {
                if let Some(destination) = self.destination() {
                    return Step::FindSource(FindSource { walk: self, destination });
                }
                // Of an AF_IB address there is no way to ask.
                if self.leave_out() {
                    continue;
                }
                return self.done();
            }
            if self.wants_route() {
                return Step::FindRoute(FindRoute(self));
            }
            if let Some(destination) = self.wants_source() {
                return Step::FindSource(FindSource { walk: self, destination });
            }
            if !self.advance() {
                return self.done();
            }
        }
    }

    /// Goes on behind the question for a source, which may have been the first.
    pub(super) fn after_source(mut self) -> Step<'q, 'r> {
        if !self.work.request.needs_source {
            return self.next();
        }
        if self.needs_source() {
            return if self.leave_out() { self.go_on() } else { self.done() };
        }
        if self.wants_route() { Step::FindRoute(FindRoute(self)) } else { self.next() }
    }

    /// Goes on behind the question for a route.
    pub(super) fn source(self) -> Step<'q, 'r> {
        match self.wants_source() {
            Some(destination) => Step::FindSource(FindSource { walk: self, destination }),
            None => self.next(),
        }
    }

    /// Goes on behind the questions of the current entry.
    pub(super) fn next(mut self) -> Step<'q, 'r> {
        if self.advance() { self.go_on() } else { self.done() }
    }

    /// Takes the next entry, if there is one, leaving the current one with its twin.
    fn advance(&mut self) -> bool {
        self.previous = self.add_twin();
        // The first that has a source: it could not be told before.
        if self.work.request.needs_source
            && self.work.request.policy.addresses == Addresses::First
            && let Some(last) = self.work.results.entries_mut().get_mut(self.previous)
        {
            last.next = NO_ENTRY;
        }
        self.step_behind(self.previous)
    }

    /// Takes the next entry, if there is one, leaving the current one out of the list.
    fn leave_out(&mut self) -> bool {
        let left_out = self.current;
        let more = self.step_behind(left_out);
        let next = self.work.results.entries().get(left_out).map_or(NO_ENTRY, |entry| entry.next);
        match self.work.results.entries_mut().get_mut(self.previous) {
            Some(previous) => previous.next = next,
            None => self.placed.first = next,
        }
        self.placed = self.placed.left_out();
        more
    }

    fn step_behind(&mut self, index: usize) -> bool {
        self.left = self.left.saturating_sub(1);
        self.current = self.work.results.entries().get(index).map_or(NO_ENTRY, |entry| entry.next);
        self.current != NO_ENTRY && self.left != 0
    }

    /// Adds the twin of the current entry, if it has one, and tells the last of the two.
    ///
    /// Only now, when the source is known, whoever told it. In place of its entry where only AF_IB entries are
    /// wanted: it needs no room then.
    fn add_twin(&mut self) -> usize {
        let Some(twin) = self.twin() else { return self.current };
        if self.placed.only_ib {
            if let Some(entry) = self.entry_mut() {
                *entry = twin;
            }
            return self.current;
        }
        let results = &mut *self.work.results;
        let index = results.entries().len();
        if !results.push(twin) {
            self.placed.truncated = true;
            return self.current;
        }
        let Ok([first, second]) = results.entries_mut().get_disjoint_mut([self.current, index]) else {
            return self.current;
        };
        // Both lead on to what follows, so that either may come first.
        if self.work.request.policy.twin == Twin::BeforeIp {
            core::mem::swap(first, second);
        }
        first.next = index;
        index
    }

    /// The twin of the current entry: none without a route, without AF_IB in the kernel, or where it would add
    /// nothing.
    fn twin(&self) -> Option<Entry> {
        let entry = self.entry()?;
        let path = match entry.route {
            (_, 0) => return None,
            (start, _) => self.work.results.paths().get(start)?,
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
        // It may have become known since the start.
        let request = &self.work.request;
        done(self.placed.with_twins(request.routes && request.environment.af_ib), self.work.results)
    }
}

fn done<'q, 'r>(placed: Placed, results: &'r mut dyn Storage) -> Step<'q, 'r> {
    let placed = placed.keep_only_ib_if_asked(results);
    let results: &'r dyn Storage = results;
    Step::Done(placed.finish(results))
}
