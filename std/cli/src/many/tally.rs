//! What came of the nodes, in sums.

use super::fold::fold;
use super::targets::Targets;
use crate::report::Report;
use rdma_addrinfo::devices::{Checked, Finding, LocalPort};
use rdma_addrinfo::{Cause, CoreError, Error, ErrorKind, Reason};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Counts, and which nodes they are.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) found: u64,
    pub(super) failed: u64,
    /// Why nodes failed.
    pub(super) reasons: Groups,
    /// The devices of their sources.
    pub(super) sources: Groups,
    /// The types of the GIDs of those.
    pub(super) gid_types: Groups,
    pub(super) times: Times,
}

/// Nodes by a label.
#[derive(Debug, Default)]
pub(super) struct Groups(BTreeMap<String, Indices>);

/// The numbers of nodes, as ranges: what follows each other takes no memory.
#[derive(Debug, Default)]
struct Indices(Vec<(u64, u64)>);

/// A group: its label, how many nodes it has, and the list of them.
#[derive(Serialize, Debug)]
pub(super) struct Group {
    pub(super) label: String,
    pub(super) count: u64,
    pub(super) hosts: String,
}

impl Tally {
    /// Counts a node; with `sums_up` also in the groups.
    pub(super) fn add(&mut self, index: u64, report: &Report<'_>, sums_up: bool) {
        let reason = reason(report);
        match reason {
            None => self.found += 1,
            Some(_) => self.failed += 1,
        }
        if !sums_up {
            return;
        }
        self.times.add(report.elapsed);
        if let Some(reason) = reason {
            self.reasons.add(reason, index);
        }
        let labels = |label: fn(&Checked) -> String| -> BTreeSet<String> {
            report.checked.iter().map(label).collect()
        };
        labels(source).into_iter().for_each(|source| self.sources.add(source, index));
        labels(gid_type).into_iter().for_each(|gid_type| self.gid_types.add(gid_type, index));
    }
}

/// Why the node failed, in words that other nodes share; `None` if it did not.
fn reason(report: &Report<'_>) -> Option<String> {
    match &report.outcome {
        Err(error) => Some(shared(error)),
        Ok(_) if report.status() != 0 => {
            let fatal = report.checked.iter().flat_map(|checked| &checked.findings).find(|it| it.is_fatal());
            Some(format!("no result can work: {}", fatal.map_or("nothing was found", Finding::name)))
        }
        Ok(_) => None,
    }
}

/// The error without where it is in the name.
fn shared(error: &Error) -> String {
    let Cause::Core(core) = error.cause() else { return error.cause().to_string() };
    if core.kind() == ErrorKind::System {
        return error.cause().to_string();
    }
    match core.reason() {
        Reason::Unspecified => CoreError::new(core.kind()).to_string(),
        reason => CoreError::new(core.kind()).because(reason).to_string(),
    }
}

/// The device and port of the source, or the interface and why it is no RDMA port.
fn source(checked: &Checked) -> String {
    match &checked.port {
        LocalPort::Gid(gid) => format!("{} port {}", gid.device, gid.port),
        LocalPort::NotUsable(why) => {
            let netdev = why.netdevs().first().or(checked.netdev.as_ref());
            format!("{} ({})", netdev.map_or("?", |name| name), why.reason().name())
        }
        _ => "any".into(),
    }
}

fn gid_type(checked: &Checked) -> String {
    checked.port.gid().map_or("none", |gid| gid.gid_type.name()).into()
}

impl Groups {
    fn add(&mut self, label: String, index: u64) {
        self.0.entry(label).or_default().add(index);
    }

    /// The groups, the greatest first.
    pub(super) fn list(&self, targets: &Targets) -> Vec<Group> {
        let group = |(label, indices): (&String, &Indices)| {
            let sorted = indices.sorted();
            let count = sorted.0.iter().map(|(first, last)| last - first + 1).sum();
            let hosts = fold(sorted.names(targets));
            Group { label: label.clone(), count, hosts }
        };
        let mut groups: Vec<_> = self.0.iter().map(group).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        groups
    }
}

impl Indices {
    fn add(&mut self, index: u64) {
        match self.0.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(index) => *last = index,
            _ => self.0.push((index, index)),
        }
    }

    fn sorted(&self) -> Self {
        let mut ranges = self.0.clone();
        ranges.sort_unstable();
        Self(ranges)
    }

    /// The names at these numbers, which are sorted.
    fn names<'t>(&'t self, targets: &'t Targets) -> impl Iterator<Item = String> {
        let mut ranges = self.0.iter().copied().peekable();
        (0_u64..).zip(targets.names()).filter_map(move |(index, name)| {
            while ranges.next_if(|(_, last)| *last < index).is_some() {}
            ranges.peek().filter(|(first, _)| *first <= index).map(|_| name)
        })
    }
}

/// How long lookups took, by powers of two of microseconds: from 1 us to more than an hour.
#[derive(Debug)]
pub(super) struct Times {
    counts: [u64; 33],
    pub(super) longest: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self { counts: [0; 33], longest: Duration::ZERO }
    }
}

impl Times {
    fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let place = micros.checked_ilog2().map_or(0, |log| log as usize + 1).min(self.counts.len() - 1);
        self.counts[place] += 1;
        self.longest = self.longest.max(time);
    }

    /// Below how many microseconds, and how many; without what is empty at either end.
    pub(super) fn list(&self) -> Vec<(u64, u64)> {
        let used = |(_, count): &(usize, &u64)| **count > 0;
        let first = self.counts.iter().enumerate().find(used).map_or(0, |(at, _)| at);
        let last = self.counts.iter().enumerate().rfind(used).map_or(0, |(at, _)| at + 1);
        (first..last).map(|at| (1 << at, self.counts[at])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::targets::Lists;
    use super::*;
    use rdma_addrinfo::hostlist::HostList;

    #[test]
    fn numbers_become_names_again() {
        let mut lists = Lists::default();
        lists.add("n[00-99]", HostList::parse(b"n[00-99]").unwrap(), 100).unwrap();
        let targets = Targets::new(lists, &Lists::default(), false);
        let mut groups = Groups::default();
        // As they come where the order is not kept.
        for index in [5, 6, 7, 90, 3, 4, 99, 0] {
            groups.add("late".into(), index);
        }
        groups.add("lost".into(), 42);
        let [late, lost] = &groups.list(&targets)[..] else { panic!() };
        assert_eq!((&*late.label, late.count, &*late.hosts), ("late", 8, "n[00,03-07,90,99]"));
        assert_eq!((&*lost.label, lost.count, &*lost.hosts), ("lost", 1, "n42"));
    }

    #[test]
    fn times_by_powers_of_two() {
        let mut times = Times::default();
        assert!(times.list().is_empty());
        for micros in [1, 3, 4, 7, 20, u64::MAX] {
            times.add(Duration::from_micros(micros));
        }
        let list = times.list();
        assert_eq!(list[..5], [(2, 1), (4, 1), (8, 2), (16, 0), (32, 1)]);
        assert_eq!(list.last(), Some(&(1 << 32, 1)));
        assert_eq!(times.longest, Duration::from_micros(u64::MAX));
    }
}
