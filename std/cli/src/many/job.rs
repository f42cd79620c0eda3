//! The nodes of a job, from what its launcher sets in the environment.

use std::env;
use std::ffi::OsString;

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A list of hosts.
    List,
    /// The path of a hostfile.
    File,
    /// Hosts with white space between them.
    Words,
    /// The same, and how many slots behind each.
    Pairs,
}

/// The variables, in the order in which they are looked at. Flux sets none: `flux getattr hostlist` tells.
const VARIABLES: [(&str, Form); 11] = [
    ("SLURM_JOB_NODELIST", Form::List),
    ("SLURM_NODELIST", Form::List),
    ("PBS_NODEFILE", Form::File),
    ("PE_HOSTFILE", Form::File),
    ("LSB_DJOB_HOSTFILE", Form::File),
    ("LSB_HOSTS", Form::Words),
    ("LSB_MCPU_HOSTS", Form::Pairs),
    ("OAR_NODEFILE", Form::File),
    ("OAR_NODE_FILE", Form::File),
    ("OAR_FILE_NODES", Form::File),
    ("COBALT_NODEFILE", Form::File),
];

/// The first variable that is set and not empty: its name, form and value.
pub(super) fn find() -> Option<(&'static str, Form, OsString)> {
    VARIABLES.into_iter().find_map(|(name, form)| {
        let value = env::var_os(name).filter(|value| !value.is_empty())?;
        Some((name, form, value))
    })
}

/// The names of the variables, for a message.
pub(super) fn names() -> String {
    VARIABLES.map(|(name, _)| name).join(", ")
}
