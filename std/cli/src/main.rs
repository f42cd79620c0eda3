//! `rdma-getaddrinfo`: resolves a node and a service for RDMA, and shows which addresses and routes to use.
//!
//! | file | what |
//! |---|---|
//! | `options` | the command line, and the hints and resolver made of it |
//! | `target`, `time_limit` | node and service, and the time limit, from the arguments |
//! | `advice` | tips: what may have been meant |
//! | `backend` | resolution by the resolver or librdmacm |
//! | `zone` | interface names in addresses |
//! | `report`, `step` | a request and its outcome; the steps to it |
//! | `human`, `explain`, `caret` | the report for people: entries, steps, position of an error |
//! | `json` | the report for programs |
//! | `many` | many nodes: lists, hostfiles, jobs |
//! | `manual` | the manual page, and completions for shells |
//! | `devices` | the table of RDMA devices, for people and for programs |
//! | `print` | the only printer: it escapes text from outside |
//! | `output`, `closed` | writing the output |

mod advice;
mod backend;
mod caret;
mod closed;
mod devices;
mod explain;
mod human;
mod json;
mod manual;
mod many;
mod options;
mod output;
mod print;
mod report;
mod step;
mod target;
mod time_limit;
mod zone;

use clap::Parser;
use options::Options;
use output::Output;
use print::Page;
use report::Report;
use std::process::ExitCode;

fn main() -> ExitCode {
    let output = match Options::try_parse().and_then(Options::checked) {
        Ok(Options { completions: Some(shell), .. }) => manual::completions(shell),
        Ok(Options { man_page: true, .. }) => manual::page(),
        Ok(options) if options.many.is_given() => return many::answer(&options),
        Ok(options) => answer(&options),
        Err(usage) => Output::usage(advice::of_usage(usage)),
    };
    output.write()
}

fn answer(options: &Options) -> Output {
    if let Some(name) = &options.devices {
        return devices::report(name.as_deref(), options.json);
    }
    let report = Report::new(options);
    let (out, err) = if options.short {
        human::short(&report)
    } else if options.json {
        (json::line(&report), Page::default())
    } else {
        human::text(&report)
    };
    Output { out, err, status: report.status() }
}
