//! Route and source of each entry.

use super::place::Placed;
use super::plan::{Native, Plan};
use super::step::{FindRoute, FindSource, Step, Work};
use crate::addrinfo::{Entry, NO_ENTRY, RouteStatus, Storage};
use crate::types::{Family, Flags};
use core::net::SocketAddr;

/// A walk along the entries that were placed, each asking for its route and then for its source.
#[derive(Debug)]
pub(super) struct Walk<'q, 'r> {
    pub(super) work: Work<'q, 'r>,
    placed: Placed,
    current: usize,
}

impl<'q, 'r> Walk<'q, 'r> {
    pub(super) fn start(work: Work<'q, 'r>, placed: Placed) -> Step<'q, 'r> {
        Self { work, placed, current: placed.first }.route()
    }

    pub(super) fn entry(&self) -> Option<&Entry> {
        self.work.results.entries().get(self.current)
    }

    pub(super) fn entry_mut(&mut self) -> Option<&mut Entry> {
        self.work.results.entries_mut().get_mut(self.current)
    }

    /// Asks for the route of the current entry, unless there is none to ask for.
    fn route(self) -> Step<'q, 'r> {
        let wanted = self.work.request.routes
            && self.entry().is_some_and(|entry| {
                let has_ends = !entry.dst.is_none() || !entry.src.is_none();
                !entry.flags.contains(Flags::PASSIVE)
                    && entry.route_status == RouteStatus::NotAsked
                    && (has_ends || !self.work.request.hints().get_route().is_empty())
            });
        if wanted { Step::FindRoute(FindRoute(self)) } else { self.source() }
    }

    /// Asks for the source of the current entry, unless it has one or may have none.
    pub(super) fn source(self) -> Step<'q, 'r> {
        let destination = self
            .entry()
            .filter(|entry| {
                self.work.request.policy.discover_source
                    && entry.src.is_none()
                    && !entry.flags.contains(Flags::PASSIVE)
            })
            .and_then(|entry| SocketAddr::try_from(entry.dst.get()?).ok());
        match destination {
            Some(destination) => Step::FindSource(FindSource { walk: self, destination }),
            None => self.next(),
        }
    }

    /// Goes on to the next entry, or to the end.
    pub(super) fn next(mut self) -> Step<'q, 'r> {
        self.current = self.entry().map_or(NO_ENTRY, |entry| entry.next);
        if self.current == NO_ENTRY { self.done() } else { self.route() }
    }

    fn done(mut self) -> Step<'q, 'r> {
        self.keep_twins();
        let Self { work: Work { results, .. }, placed, .. } = self;
        let results: &'r dyn Storage = results;
        Step::Done(placed.finish(results))
    }

    /// Leaves only AF_IB entries where nothing else was asked for.
    fn keep_twins(&mut self) {
        let request = &self.work.request;
        let has_text = request.node.is_some() || request.service.is_some();
        match Plan::new(request) {
            Ok(plan) if has_text && plan.native == Native::TwinsOnly => {}
            _ => return,
        }
        let mut kept = Placed::new();
        kept.truncated = self.placed.truncated;
        let mut index = self.placed.first;
        while let Some(entry) = self.work.results.entries_mut().get_mut(index) {
            let next = core::mem::replace(&mut entry.next, NO_ENTRY);
            if entry.family == Family::IB {
                kept.link(index, self.work.results);
            }
            index = next;
        }
        self.placed = kept;
    }
}
