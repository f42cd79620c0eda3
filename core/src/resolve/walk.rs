//! Route and source of each entry.

use super::place::Placed;
use super::step::{FindRoute, FindSource, Step, Work};
use crate::addrinfo::{Entry, NO_ENTRY, Storage};
use crate::types::Flags;
use core::net::SocketAddr;

/// A walk along the entries that were placed, each asking for its route and then for its source.
#[derive(Debug)]
pub(super) struct Walk<'q, 'r> {
    pub(super) work: Work<'q, 'r>,
    placed: Placed,
    current: usize,
    /// How many entries may follow: a storage that makes a circle of them ends all the same.
    left: usize,
}

impl<'q, 'r> Walk<'q, 'r> {
    pub(super) fn start(work: Work<'q, 'r>, placed: Placed) -> Step<'q, 'r> {
        let left = work.results.entries().len();
        Self { work, placed, current: placed.first, left }.go_on()
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

    /// Takes the next entry, if there is one.
    fn advance(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.current = self.entry().map_or(NO_ENTRY, |entry| entry.next);
        self.current != NO_ENTRY && self.left != 0
    }

    fn wants_route(&self) -> bool {
        self.work.request.routes
            && self.entry().is_some_and(|entry| {
                let has_ends = !entry.dst.is_none() || !entry.src.is_none();
                !entry.flags.contains(Flags::PASSIVE)
                    && entry.route.1 == 0
                    && (has_ends || !self.work.request.hints().get_route().is_empty())
            })
    }

    /// The destination to find a source for, unless the entry has a source or may have none.
    fn wants_source(&self) -> Option<SocketAddr> {
        let entry = self.entry().filter(|entry| {
            self.work.request.policy.discover_source
                && entry.src.is_none()
                && !entry.flags.contains(Flags::PASSIVE)
        })?;
        SocketAddr::try_from(entry.dst.get()?).ok()
    }

    fn done(self) -> Step<'q, 'r> {
        let Self { work: Work { results, .. }, placed, .. } = self;
        let placed = placed.keep_only_ib_if_asked(results);
        let results: &'r dyn Storage = results;
        Step::Done(placed.finish(results))
    }
}
