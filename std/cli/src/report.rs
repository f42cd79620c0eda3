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
        let mut report = Self::of_outcome(options, target, hints, outcome);
        report.steps = steps;
        if options.asks_devices() && report.outcome.is_ok() {
            let reading = Instant::now();
            let devices = Devices::read();
            if let Some(steps) = &mut report.steps {
                let (question, answer) = ("RDMA devices of this machine".into(), summary(&devices));
                steps.push(Step { question, answer, elapsed: reading.elapsed() });
            }
            report.check(&devices, deadline);
        }
        report.elapsed = started.elapsed();
        report
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
        let mut report = Self::of_outcome(options, target, options.hints(), result.map(Found::Native));
        report.elapsed = elapsed;
        // What the lookup has taken is gone.
        let deadline =
            options.time_limit().and_then(|limit| Instant::now().checked_add(limit.saturating_sub(elapsed)));
        if let Some(devices) = devices {
            report.check(devices, deadline);
        }
        report
    }

    /// The outcome alone: nothing has been checked.
    const fn of_outcome(
        options: &'o Options,
        target: Target<'o>,
        hints: Option<Hints<'static>>,
        outcome: Result<Found, Error>,
    ) -> Self {
        Self {
            options,
            target,
            hints,
            outcome,
            checked: Vec::new(),
            problems: Vec::new(),
            elapsed: Duration::ZERO,
            steps: None,
        }
    }

    /// Finds the RDMA port of each entry, and what is wrong with it.
    fn check(&mut self, devices: &Devices, deadline: Option<Instant>) {
        let Ok(found) = &self.outcome else { return };
        let interface = self.options.source_interface().and_then(|name| name.index().ok()?);
        let mut check = devices
            .check()
            .with_deadline(deadline)
            .with_node(self.target.node.and_then(|node| str::from_utf8(node).ok()))
            .with_given_source(self.options.source_is_given(self.hints.as_ref()))
            .with_interface(interface);
        for info in found.list() {
            let started = Instant::now();
            let entry = check.entry(&info);
            if let Some(steps) = &mut self.steps {
                if let Some(netdev) = &entry.netdev
                    && let Some(destination) = info.dst_addr()
                {
                    let question = format!("route of the kernel to {destination}");
                    steps.push(Step { question, answer: netdev.clone(), elapsed: started.elapsed() });
                }
                if let Some(source) = info.src_addr() {
                    let (question, answer) = (format!("device of {source}"), entry.port.to_string());
                    steps.push(Step { question, answer, elapsed: started.elapsed() });
                }
            }
            self.checked.push(entry);
        }
        self.problems = devices.problems().to_vec();
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
