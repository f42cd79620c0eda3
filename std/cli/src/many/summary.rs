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
#[derive(Serialize, Debug)]
pub(super) struct Summary {
    pub(super) hosts: u64,
    pub(super) found: u64,
    pub(super) failed: u64,
    #[serde(rename = "interrupted")]
    pub(super) is_interrupted: bool,
    #[serde(rename = "elapsed_us", serialize_with = "microseconds")]
    pub(super) elapsed: Duration,
    pub(super) reasons: Vec<Group>,
    pub(super) sources: Vec<Group>,
    pub(super) gid_types: Vec<Group>,
}

/// A table of groups: its head for people in a terminal, its title in the page.
pub(super) struct Table<'s> {
    head: &'static str,
    pub(super) title: &'static str,
    /// Not where the nodes have been told above.
    names_nodes: bool,
    pub(super) groups: &'s [Group],
}

/// The nodes of the greatest group, one at least.
pub(super) fn most(groups: &[Group]) -> u64 {
    groups.iter().map(|group| group.count).max().unwrap_or(1).max(1)
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

    /// The tables that have groups.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table<'_>> {
        let tables = [
            Table { head: "REASON", title: "Why nodes failed", names_nodes: false, groups: &self.reasons },
            Table { head: "SOURCE", title: "Sources by device", names_nodes: true, groups: &self.sources },
            Table {
                head: "GID TYPE",
                title: "Sources by GID type",
                names_nodes: true,
                groups: &self.gid_types,
            },
        ];
        tables.into_iter().filter(|table| !table.groups.is_empty())
    }

    /// For people: an empty line, how many, the nodes of each reason, and the tables.
    pub(super) fn page(&self) -> Page {
        let mut page = Page::default();
        page.line("");
        page.line(format_args!("{} in {:.3} s", self.counts(), self.elapsed.as_secs_f64()));
        for Group { label, hosts, .. } in &self.reasons {
            page.line(format_args!("{label}: {hosts}"));
        }
        for Table { head, names_nodes, groups, .. } in self.tables() {
            page.line("");
            let which = |text: &str| if names_nodes { text.into() } else { String::new() };
            let mut rows = vec![[head.into(), "NODES".into(), String::new(), which("WHICH")]];
            let most = most(groups);
            for Group { label, count, hosts } in groups {
                let bar = u128::from(*count) * u128::from(BAR) / u128::from(most);
                let bar = "#".repeat(usize::try_from(bar).unwrap_or(0).max(1));
                rows.push([label.clone(), count.to_string(), bar, which(hosts)]);
            }
            Columns::new(rows, ["   ", "   ", "   ", ""]).lines().for_each(|line| page.line(line));
        }
        page
    }

    /// For programs: an object on a line.
    pub(super) fn json(&self) -> Page {
        Page::json(&SummaryLine { version: json::VERSION, summary: self })
    }
}

#[derive(Serialize)]
struct SummaryLine<'s> {
    version: u32,
    summary: &'s Summary,
}
