//! `rdma-getaddrinfo`: resolves a node and a service for RDMA, and says which addresses and routes to use.
//!
//! | file | what |
//! |---|---|
//! | `options` | the command line, and the hints and the resolver that it asks for |
//! | `target` | node and service out of the arguments |
//! | `backend` | who resolves: the resolver, or librdmacm |
//! | `zone` | the names of interfaces in addresses |
//! | `report` | what was asked and what came of it |
//! | `human`, `explain`, `caret` | the report for people: entries, steps, the place of an error |
//! | `json` | the report for programs |
//! | `devices` | the table of RDMA devices, for people and for programs |
//! | `output` | writing it |
#![forbid(unsafe_code)]

mod backend;
mod caret;
mod devices;
mod explain;
mod human;
mod json;
mod options;
mod output;
mod report;
mod target;
mod zone;

use clap::Parser;
use options::Options;
use report::Report;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::try_parse().and_then(Options::checked) {
        Ok(options) => options,
        Err(usage) => return output::usage(&usage),
    };
    if options.devices {
        let (out, err, status) = devices::report(options.json);
        return output::write(&out, &err, status);
    }
    let report = Report::new(&options);
    let (out, err) = if options.json { (json::line(&report), String::new()) } else { human::text(&report) };
    output::write(&out, &err, report.status())
}
