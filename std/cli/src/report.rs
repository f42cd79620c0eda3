//! A request and its outcome.

use crate::backend::{self, Found};
use crate::options::Options;
use crate::step::Step;
use crate::target::Target;
use rdma_addrinfo::devices::{Checked, Devices, Problem};
use rdma_addrinfo::{Error, Hints, Reason, Resolved};
use std::time::{Duration, Instant};

/// A finished resolution.
#[derive(Debug)]
pub(crate) struct Report<'o> {
    pub(crate) options: &'o Options,
    pub(crate) target: Target<'o>,
    /// The hints; `None` if no option set any.
    pub(crate) hints: Option<Hints<'static>>,
    pub(crate) outcome: Result<Found, Error>,
    /// The RDMA port of each entry's local address, and its findings; empty without `--ports` and `--check`.
    pub(crate) checked: Vec<Checked>,
    /// What could not be read of the devices.
    pub(crate) problems: Vec<Problem>,
    /// The total time.
    pub(crate) elapsed: Duration,
    /// The steps; `None` without `--explain`.
    pub(crate) steps: Option<Vec<Step>>,
}

impl<'o> Report<'o> {
    /// Resolves with these options.
    pub(crate) fn new(options: &'o Options) -> Self {
        let (target, hints) = (options.target(), options.hints());
        let mut steps = options.explain.then(Vec::new);
        let started = Instant::now();
        let outcome = backend::resolve(options, target, hints.as_ref(), &mut steps);
        let deadline = options.time_limit().and_then(|limit| started.checked_add(limit));
        let (checked, problems) = match &outcome {
            Ok(found) if options.asks_devices() => {
                check(found, options, target, hints.as_ref(), deadline, &mut steps)
            }
            _ => (Vec::new(), Vec::new()),
        };
        let elapsed = started.elapsed();
        Self { options, target, hints, outcome, checked, problems, elapsed, steps }
    }

    /// What came of one of many nodes.
    pub(crate) fn of_many(
        options: &'o Options,
        node: &'o str,
        result: Result<Resolved, Error>,
        elapsed: Duration,
        devices: Option<&Devices>,
    ) -> Self {
        let service = options.many_service().map(str::as_bytes);
        let target = Target { node: Some(node.as_bytes()), service };
        let (hints, outcome) = (options.hints(), result.map(Found::Native));
        // What the lookup has taken is gone.
        let deadline =
            options.time_limit().and_then(|limit| Instant::now().checked_add(limit.saturating_sub(elapsed)));
        let (checked, problems) = match (&outcome, devices) {
            (Ok(found), Some(devices)) => {
                let checked =
                    entries(found, options, target, hints.as_ref(), deadline, devices, &mut |_, _, _| {});
                (checked, devices.problems().to_vec())
            }
            _ => (Vec::new(), Vec::new()),
        };
        Self { options, target, hints, outcome, checked, problems, elapsed, steps: None }
    }

    /// What of [`checked`](Self::checked) is shown: the summary of many nodes needs it, too.
    pub(crate) fn shown(&self) -> &[Checked] {
        if self.options.asks_devices() { &self.checked } else { &[] }
    }

    /// The exit status: 0 found, 1 not resolved, or with `--check` nothing that can work, 2 nothing asked for.
    pub(crate) fn status(&self) -> u8 {
        if self.outcome.as_ref().is_err_and(|error| error.reason() == Reason::NothingAsked) {
            return 2;
        }
        let works = !self.options.check || self.checked.iter().any(Checked::may_work);
        u8::from(self.outcome.is_err() || !works)
    }
}

/// The RDMA port of each entry, and what is wrong with it.
fn check(
    found: &Found,
    options: &Options,
    target: Target<'_>,
    hints: Option<&Hints<'_>>,
    deadline: Option<Instant>,
    steps: &mut Option<Vec<Step>>,
) -> (Vec<Checked>, Vec<Problem>) {
    let mut step = |question: String, answer: String, elapsed| {
        if let Some(steps) = steps {
            steps.push(Step { question, answer, elapsed });
        }
    };
    let started = Instant::now();
    let devices = Devices::read();
    step("RDMA devices of this machine".into(), summary(&devices), started.elapsed());
    let checked = entries(found, options, target, hints, deadline, &devices, &mut step);
    (checked, devices.problems().to_vec())
}

/// The same with devices that have been read.
fn entries(
    found: &Found,
    options: &Options,
    target: Target<'_>,
    hints: Option<&Hints<'_>>,
    deadline: Option<Instant>,
    devices: &Devices,
    step: &mut dyn FnMut(String, String, Duration),
) -> Vec<Checked> {
    let interface = options.source_interface().and_then(|name| name.index().ok()?);
    let mut check = devices
        .check()
        .with_deadline(deadline)
        .with_node(target.node.and_then(|node| str::from_utf8(node).ok()))
        .with_given_source(options.source_is_given(hints))
        .with_interface(interface);
    let mut checked = Vec::new();
    for info in found.list() {
        let started = Instant::now();
        let entry = check.entry(&info);
        if let Some(netdev) = &entry.netdev
            && let Some(destination) = info.dst_addr()
        {
            step(format!("route of the kernel to {destination}"), netdev.clone(), started.elapsed());
        }
        if let Some(source) = info.src_addr() {
            step(format!("device of {source}"), entry.port.to_string(), started.elapsed());
        }
        checked.push(entry);
    }
    checked
}

fn summary(devices: &Devices) -> String {
    let ports = || devices.iter().flat_map(|device| device.ports());
    let gids: usize = ports().map(|port| port.gids().len()).sum();
    let mut text = format!("{} devices, {} ports, {gids} GIDs", devices.len(), ports().count());
    for problem in devices.problems() {
        text.push_str("; ");
        text.push_str(&problem.to_string());
    }
    text
}
