//! Many nodes in one command.
//!
//! | file | what |
//! |---|---|
//! | `options` | the options of many nodes |
//! | `input`, `hostfile`, `job` | reading the nodes |
//! | `targets` | the nodes, expanded one by one |
//! | `lookups` | resolving them |
//! | `run` | what is printed, as results come; the end, also by a signal |
//! | `tally`, `fold` | sums, and nodes that share a reason as one list |
//! | `summary`, `html` | the sums for people, for programs, and as a page |
//! | `progress`, `signals` | the bar; SIGINT and SIGTERM |

mod fold;
mod hostfile;
mod html;
mod input;
mod job;
mod lookups;
mod options;
mod progress;
mod run;
mod signals;
mod summary;
mod tally;
mod targets;

pub(crate) use options::ManyOptions;

use crate::options::Options;
use crate::output::{self, Output};
use crate::print::Page;
use crate::report::Report;
use progress::Progress;
use rdma_addrinfo::Resolution;
use rdma_addrinfo::devices::Devices;
use run::Run;
use std::fs::File;
use std::process::{self, ExitCode};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use targets::Targets;

/// How much of the nodes' names is written at a time.
const PIECE: usize = 1 << 15;

/// Resolves all of the nodes.
pub(crate) fn answer(options: &Options) -> ExitCode {
    let many = &options.many;
    let targets = match input::read(many) {
        Ok(targets) => Arc::new(targets),
        Err(err) => return Output { err, status: 2, ..Output::default() }.write(),
    };
    if many.expand {
        return expand(&targets);
    }
    let report = match many.report.as_ref().map(|path| (path, File::create(path))) {
        None => None,
        Some((_, Ok(file))) => Some(file),
        Some((path, Err(error))) => return output::failure(&run::not_written(path, &error)),
    };

    let progress = Progress::new(many.progress, targets.count());
    let pause = progress.as_ref().map(Progress::pause);
    let run = Arc::new(Mutex::new(Run::new(options, Arc::clone(&targets), report, progress)));
    let ending = Arc::clone(&run);
    signals::watch(move |status| {
        lock(&ending).finish(Some(status));
    });
    if let Some(pause) = pause {
        let showing = Arc::clone(&run);
        // Without one there is no progress to be seen.
        let _ = Builder::new().name("progress".into()).spawn(move || {
            loop {
                thread::sleep(pause);
                lock(&showing).show_progress();
            }
        });
    }

    // They are read once for all nodes.
    let devices = (options.asks_devices() || many.sums_up()).then(Devices::read);
    lookups::each(options, many, &targets, |Resolution { index, target, result, elapsed, .. }| {
        let index = u64::try_from(index).unwrap_or(u64::MAX);
        let report = Report::of_many(options, target.node(), result, elapsed, devices.as_ref());
        let mut run = lock(&run);
        run.take(index, &report);
        if run.is_over() {
            // Lookups that are under way are waited for by nobody.
            process::exit(run.finish(None).into());
        }
    });
    ExitCode::from(lock(&run).finish(None))
}

/// Nothing that a panic of another thread left half done is looked at again.
fn lock(run: &Mutex<Run>) -> MutexGuard<'_, Run> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints the nodes.
fn expand(targets: &Targets) -> ExitCode {
    let mut stream = run::Stream::default();
    let mut page = Page::default();
    for name in targets.names() {
        page.line(name);
        if page.as_str().len() >= PIECE {
            stream.write(&page);
            page = Page::default();
            if stream.is_over() {
                break;
            }
        }
    }
    stream.write(&page);
    stream.end(0)
}
