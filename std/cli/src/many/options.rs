//! The options of many nodes.

use clap::{ArgGroup, Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The options that say which nodes.
const SOURCES: [&str; 3] = ["hosts", "hostfile", "from_job"];

/// What is asked about many nodes, and how it is shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "Many nodes, where the only argument is SERVICE")]
#[command(group = ArgGroup::new("nodes").args(SOURCES).multiple(true).conflicts_with("devices"))]
pub(crate) struct ManyOptions {
    /// Resolve each node of a list, such as node[01-64,70-90/2],rack[1-4]-n[01-16]; '^FILE' is a hostfile, '-' standard
    /// input; may be repeated
    #[arg(short = 'w', long = "hosts", value_name = "HOSTLIST")]
    pub(super) hosts: Vec<OsString>,

    /// Resolve each node of a file: the first word of each line, a list, without what follows a '#'; '-' is standard
    /// input; may be repeated
    #[arg(long, value_name = "FILE|-")]
    pub(super) hostfile: Vec<OsString>,

    /// Resolve each node of this job: of Slurm, PBS, Grid Engine, LSF, OAR or Cobalt
    #[arg(long)]
    pub(super) from_job: bool,

    /// Leave the nodes of a list out; '^FILE' is a hostfile; may be repeated
    #[arg(short = 'x', long, value_name = "HOSTLIST", requires = "nodes")]
    pub(super) exclude: Vec<OsString>,

    /// Resolve each node once, however often it is named
    #[arg(long, requires = "nodes")]
    pub(super) unique: bool,

    /// Refuse more nodes than this
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 65536, value_parser = clap::value_parser!(u64).range(1..), requires = "nodes")]
    pub(super) max_hosts: u64,

    /// Print the nodes, one on a line, and resolve nothing
    #[arg(hide_short_help = true, long, requires = "nodes", conflicts_with_all = ["json", "summary", "report", "progress"])]
    pub(super) expand: bool,

    /// How many nodes are resolved at a time
    #[arg(short, long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096), requires = "nodes")]
    pub(super) fanout: u16,

    /// Print results as they come, not in the order of the nodes
    #[arg(hide_short_help = true, long, requires = "nodes")]
    pub(super) unordered: bool,

    /// Show progress on standard error: auto is if it is a terminal and the results go elsewhere
    #[arg(
        long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_value = "auto",
        default_missing_value = "always", requires = "nodes"
    )]
    pub(super) progress: ProgressWhen,

    /// Print at the end how many were found, who was not and why, and tables by reason, source device and GID type
    #[arg(long, requires = "nodes")]
    pub(super) summary: bool,

    /// Write the summary, with the distribution of times, as a page of HTML
    #[arg(long, value_name = "FILE", requires = "nodes")]
    pub(super) report: Option<PathBuf>,
}

/// When progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum ProgressWhen {
    Auto,
    Always,
    Never,
}

impl ManyOptions {
    /// Whether many nodes are asked for.
    pub(crate) fn is_given(&self) -> bool {
        !self.hosts.is_empty() || !self.hostfile.is_empty() || self.from_job
    }

    /// Whether devices are looked at for the summary, whoever else wants to see them.
    pub(super) fn sums_up(&self) -> bool {
        self.summary || self.report.is_some()
    }
}
