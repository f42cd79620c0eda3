//! A request and its outcome.

use crate::backend::{self, Found};
use crate::options::Options;
use crate::step::Step;
use crate::target::Target;
use rdma_addrinfo::devices::{Devices, LocalPort, Warning};
use rdma_addrinfo::{AddrInfo, AddrInfoList, Error, Hints};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// A finished resolution.
#[derive(Debug)]
pub(crate) struct Report<'o> {
    pub(crate) options: &'o Options,
    pub(crate) target: Target<'o>,
    /// The hints; `None` if no option set any.
    pub(crate) hints: Option<Hints<'static>>,
    pub(crate) outcome: Result<Found, Error>,
    /// The RDMA port of each entry's local address; empty without `--device`.
    pub(crate) local_ports: Vec<LocalPort>,
    /// Warnings about these ports.
    pub(crate) warnings: Vec<Warning>,
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
        let (local_ports, warnings) = match &outcome {
            Ok(found) if options.device => {
                local_ports(found.list(), options.source_is_given(hints.as_ref()), &mut steps)
            }
            _ => (Vec::new(), Vec::new()),
        };
        let elapsed = started.elapsed();
        Self { options, target, hints, outcome, local_ports, warnings, elapsed, steps }
    }

    /// The exit status: 0 found, 1 not resolved.
    pub(crate) fn status(&self) -> u8 {
        u8::from(self.outcome.is_err())
    }
}

/// The RDMA port of each entry, and warnings.
fn local_ports(
    list: AddrInfoList<'_>,
    source_is_given: bool,
    steps: &mut Option<Vec<Step>>,
) -> (Vec<LocalPort>, Vec<Warning>) {
    let mut step = |question: String, answer: String, elapsed| {
        if let Some(steps) = steps {
            steps.push(Step { question, answer, elapsed });
        }
    };
    let started = Instant::now();
    let devices = Devices::read();
    step("RDMA devices of this machine".into(), summary(&devices), started.elapsed());
    let (mut ports, mut destinations) = (Vec::new(), Vec::new());
    for info in list {
        let started = Instant::now();
        let port = devices.local_port(&info, None);
        if let Some(source) = info.src_addr() {
            step(format!("device of {source}"), port.to_string(), started.elapsed());
        }
        ports.push(port);
        let destination = destination(&info).filter(|it| !source_is_given && !destinations.contains(it));
        destinations.extend(destination);
    }
    let warnings = devices.warnings(&destinations);
    (ports, warnings)
}

/// The IP address and zone to connect to.
fn destination(info: &AddrInfo<'_>) -> Option<(IpAddr, u64)> {
    let destination = info.dst_addr().filter(|_| !info.is_passive())?;
    Some((destination.ip()?, destination.scope_id()))
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
