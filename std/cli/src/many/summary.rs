//! The summary: for people and for programs.

use super::tally::{Group, Tally};
use super::targets::Targets;
use crate::human::Columns;
use crate::json;
use crate::print::Page;
use crate::step::microseconds;
use serde::Serialize;
use std::time::Duration;

/// The longest bar of a table, in columns.
const BAR: u64 = 20;

/// What came of all nodes.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) hosts: u64,
    pub(super) found: u64,
    pub(super) failed: u64,
    pub(super) is_interrupted: bool,
    pub(super) elapsed: Duration,
    pub(super) reasons: Vec<Group>,
    pub(super) sources: Vec<Group>,
    pub(super) gid_types: Vec<Group>,
}

impl Summary {
    pub(super) fn new(tally: &Tally, targets: &Targets, is_interrupted: bool, elapsed: Duration) -> Self {
        Self {
            hosts: targets.count(),
            found: tally.found,
            failed: tally.failed,
            is_interrupted,
            elapsed,
            reasons: tally.reasons.list(targets),
            sources: tally.sources.list(targets),
            gid_types: tally.gid_types.list(targets),
        }
    }

    /// How many there are, in words.
    pub(super) fn counts(&self) -> String {
        let left = self.hosts.saturating_sub(self.found).saturating_sub(self.failed);
        let left = if left == 0 { String::new() } else { format!(", {left} not resolved yet") };
        let interrupted = if self.is_interrupted { "interrupted: " } else { "" };
        let hosts = if self.hosts == 1 { "node" } else { "nodes" };
        let Self { found, failed, .. } = self;
        format!("{interrupted}{} {hosts}: {found} found, {failed} failed{left}", self.hosts)
    }

    /// The tables: the head of each, and its groups.
    pub(super) fn tables(&self) -> impl Iterator<Item = (&'static str, &[Group])> {
        let tables: [(_, &[Group]); 3] =
            [("REASON", &self.reasons), ("SOURCE", &self.sources), ("GID TYPE", &self.gid_types)];
        tables.into_iter().filter(|(_, groups)| !groups.is_empty())
    }

    /// For people: an empty line, how many, the nodes of each reason, and the tables.
    pub(super) fn page(&self) -> Page {
        let mut page = Page::default();
        page.line("");
        page.line(format_args!("{} in {:.3} s", self.counts(), self.elapsed.as_secs_f64()));
        for Group { label, hosts, .. } in &self.reasons {
            page.line(format_args!("{label}: {hosts}"));
        }
        for (head, groups) in self.tables() {
            page.line("");
            let mut rows = vec![[head.into(), "NODES".into(), String::new(), "WHICH".into()]];
            // The nodes of a reason have been told.
            if head == "REASON" {
                rows[0][3].clear();
            }
            let most = groups.iter().map(|group| group.count).max().unwrap_or(1);
            for Group { label, count, hosts } in groups {
                let bar = u128::from(*count) * u128::from(BAR) / u128::from(most.max(1));
                let bar = "#".repeat(usize::try_from(bar).unwrap_or(0).max(1));
                let hosts = if head == "REASON" { String::new() } else { hosts.clone() };
                rows.push([label.clone(), count.to_string(), bar, hosts]);
            }
            Columns::new(rows, ["   ", "   ", "   ", ""]).lines().for_each(|line| page.line(line));
        }
        page
    }

    /// For programs: an object on a line.
    pub(super) fn json(&self) -> Page {
        let groups = |groups: &[Group]| -> Vec<GroupJson> { groups.iter().map(GroupJson::new).collect() };
        Page::json(&SummaryLine {
            version: json::VERSION,
            summary: SummaryJson {
                hosts: self.hosts,
                found: self.found,
                failed: self.failed,
                interrupted: self.is_interrupted,
                elapsed: self.elapsed,
                reasons: groups(&self.reasons),
                sources: groups(&self.sources),
                gid_types: groups(&self.gid_types),
            },
        })
    }
}

#[derive(Serialize)]
struct SummaryLine {
    version: u32,
    summary: SummaryJson,
}

#[derive(Serialize)]
struct SummaryJson {
    hosts: u64,
    found: u64,
    failed: u64,
    interrupted: bool,
    #[serde(rename = "elapsed_us", serialize_with = "microseconds")]
    elapsed: Duration,
    reasons: Vec<GroupJson>,
    sources: Vec<GroupJson>,
    gid_types: Vec<GroupJson>,
}

#[derive(Serialize)]
struct GroupJson {
    label: String,
    count: u64,
    hosts: String,
}

impl GroupJson {
    fn new(group: &Group) -> Self {
        Self { label: group.label.clone(), count: group.count, hosts: group.hosts.clone() }
    }
}
