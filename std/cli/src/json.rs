//! The report for programs: one JSON object.
//!
//! The types are the schema; the order of their fields is the order of the keys.

use crate::human::hex;
use crate::report::Report;
use rdma_addrinfo::devices::{LocalGid, LocalPort, RdmaAddress, Warning};
use rdma_addrinfo::{
    AddrInfo, Error, Flags, NoRoute, PathData, PathFlags, Resolved, RouteStatus, Selector, SockAddrRef,
};
use serde::Serialize;
use std::ffi::CStr;
use std::time::Duration;

/// The object on one line.
pub(crate) fn line(report: &Report<'_>) -> String {
    let steps = report.steps.as_ref().map(|steps| {
        let step = |step: &rdma_addrinfo::TracedStep| Step {
            question: step.question.clone(),
            answer: step.answer.clone(),
            elapsed_us: microseconds(step.elapsed),
        };
        steps.iter().map(step).collect()
    });
    let text = match &report.outcome {
        Ok(found) => serde_json::to_string(&answer(report, found, steps)),
        Err(error) => serde_json::to_string(&Failure { error: fault(error), steps }),
    };
    // Nothing in the types can fail to be written: no maps, and floats that are finite.
    text.unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Answer {
    node: Option<String>,
    service: Option<String>,
    backend: &'static str,
    elapsed_us: f64,
    truncated: bool,
    /// Only with `--device`.
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<Told>>,
    entries: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
}

#[derive(Serialize)]
struct Failure {
    error: Fault,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    code: i32,
    /// Only where the code is -1.
    #[serde(skip_serializing_if = "Option::is_none")]
    errno: Option<i32>,
    node: Option<String>,
    service: Option<String>,
    message: String,
}

#[derive(Serialize)]
struct Step {
    question: String,
    answer: String,
    elapsed_us: f64,
}

#[derive(Serialize)]
struct Entry {
    flags: Vec<String>,
    family: String,
    qp_type: String,
    port_space: String,
    src: Option<Address>,
    dst: Option<Address>,
    src_canonname: Option<String>,
    dst_canonname: Option<String>,
    route: Vec<Path>,
    route_status: &'static str,
    /// What is known beyond the status: the daemon's own, or what is wrong with its reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    route_detail: Option<String>,
    connect_data: String,
    user_private_data: Option<usize>,
    /// Whether an address is link-local without a zone: the kernel picks an interface, perhaps the wrong one.
    needs_scope: bool,
    /// Only with `--device`.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<Device>,
}

/// The port of the local address.
#[derive(Serialize)]
struct Device {
    /// `found`, `no-address`, or why there is none that can be used.
    status: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    gid: Option<Gid>,
    /// The same in words, where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Device, port and GID.
#[derive(Serialize)]
pub(crate) struct Gid {
    device: String,
    port: u8,
    gid_index: u8,
    gid: String,
    gid_type: &'static str,
    netdev: Option<String>,
    port_state: String,
    link_layer: &'static str,
}

/// A warning.
#[derive(Serialize)]
struct Told {
    kind: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    destination: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Source {
    address: String,
    #[serde(flatten)]
    gid: Gid,
}

#[derive(Serialize)]
struct Address {
    family: String,
    /// An IP address or a GID; null in another family.
    address: Option<String>,
    port: u16,
    scope_id: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    ib: Option<IbAddress>,
    bytes: String,
}

/// What only AF_IB addresses have; 64 bits as text, since many readers take numbers for doubles.
#[derive(Serialize)]
struct IbAddress {
    pkey: u16,
    flow_info: u32,
    service_id: String,
    service_id_mask: String,
}

#[derive(Serialize)]
struct Path {
    flags: Vec<String>,
    service_id: String,
    sgid: String,
    dgid: String,
    slid: u16,
    dlid: u16,
    flow_label: u32,
    hop_limit: u8,
    traffic_class: u8,
    reversible: bool,
    num_paths: u8,
    pkey: u16,
    qos_class: u16,
    service_level: u8,
    mtu_selector: &'static str,
    /// Null for a reserved code.
    mtu_bytes: Option<u32>,
    rate_selector: &'static str,
    /// Null for a reserved code.
    rate_mbit_per_s: Option<u32>,
    packet_life_time_selector: &'static str,
    packet_life_time_us: f64,
    preference: u8,
    bytes: String,
}

fn answer(report: &Report<'_>, found: &Resolved, steps: Option<Vec<Step>>) -> Answer {
    Answer {
        node: report.target.node.map(lossy),
        service: report.target.service.map(lossy),
        backend: found.backend().name(),
        elapsed_us: microseconds(report.elapsed),
        truncated: found.is_truncated(),
        warnings: report.options.device.then(|| found.warnings().iter().map(warning).collect()),
        entries: entries(found),
        steps,
    }
}

fn fault(error: &Error) -> Fault {
    Fault {
        kind: error.kind().name(),
        code: error.as_core().code(),
        errno: error.as_core().errno(),
        node: error.node(),
        service: error.service(),
        message: error.to_string(),
    }
}

fn entries(found: &Resolved) -> Vec<Entry> {
    let mut ports = found.local_ports().iter();
    found.iter().map(|info| entry(&info, ports.next())).collect()
}

fn entry(info: &AddrInfo<'_>, port: Option<&LocalPort>) -> Entry {
    let name = |name: Option<&CStr>| name.map(|name| lossy(name.to_bytes()));
    Entry {
        flags: flags(info.flags()),
        family: info.family().to_string(),
        qp_type: info.qp_type().to_string(),
        port_space: info.port_space().to_string(),
        src: info.src_addr().map(address),
        dst: info.dst_addr().map(address),
        src_canonname: name(info.src_canonname()),
        dst_canonname: name(info.dst_canonname()),
        route: info.route().iter().map(path).collect(),
        route_status: info.route_status().name(),
        route_detail: route_detail(info.route_status()),
        connect_data: hex(info.connect_data()),
        user_private_data: info.user_private_data(),
        needs_scope: info.needs_scope(),
        device: port.map(device),
    }
}

fn device(port: &LocalPort) -> Device {
    match port {
        LocalPort::Gid(found) => Device { status: "found", gid: Some(gid(found)), message: None },
        LocalPort::NotUsable(why) => {
            Device { status: why.reason().name(), gid: None, message: Some(why.to_string()) }
        }
        other => Device { status: "no-address", gid: None, message: Some(other.to_string()) },
    }
}

pub(crate) fn gid(found: &LocalGid) -> Gid {
    Gid {
        device: found.device.clone(),
        port: found.port,
        gid_index: found.gid_index,
        gid: found.gid.to_string(),
        gid_type: found.gid_type.name(),
        netdev: found.netdev.clone(),
        port_state: found.state.to_string(),
        link_layer: found.link_layer.name(),
    }
}

fn warning(warning: &Warning) -> Told {
    let (destination, sources) = match warning {
        Warning::SeveralSources { destination, sources } => {
            let source = |it: &RdmaAddress| Source { address: it.address.to_string(), gid: gid(&it.gid) };
            (Some(destination.to_string()), sources.iter().map(source).collect())
        }
        _ => (None, Vec::new()),
    };
    Told { kind: warning.name(), message: warning.to_string(), destination, sources }
}

fn route_detail(status: RouteStatus) -> Option<String> {
    match status {
        RouteStatus::Missing(NoRoute::Refused(status)) => Some(status.to_string()),
        RouteStatus::Missing(NoRoute::InvalidReply(invalid)) => Some(invalid.to_string()),
        _ => None,
    }
}

fn address(address: SockAddrRef<'_>) -> Address {
    let ib = || {
        Some(IbAddress {
            pkey: address.pkey()?.to_raw(),
            flow_info: address.flow_info(),
            service_id: address.service_id()?.to_string(),
            service_id_mask: format!("0x{:016x}", address.service_id_mask()?),
        })
    };
    Address {
        family: address.family().to_string(),
        address: address.ip().map(|ip| ip.to_string()).or(address.gid().map(|gid| gid.to_string())),
        port: address.port(),
        scope_id: address.scope_id(),
        ib: ib(),
        bytes: hex(address.as_bytes()),
    }
}

fn path(path: &PathData) -> Path {
    Path {
        flags: path_flags(path.flags()),
        service_id: path.service_id().to_string(),
        sgid: path.sgid().to_string(),
        dgid: path.dgid().to_string(),
        slid: path.slid(),
        dlid: path.dlid(),
        flow_label: path.flow_label(),
        hop_limit: path.hop_limit(),
        traffic_class: path.traffic_class(),
        reversible: path.is_reversible(),
        num_paths: path.num_paths(),
        pkey: path.pkey().to_raw(),
        qos_class: path.qos_class(),
        service_level: path.service_level(),
        mtu_selector: selector(path.mtu().selector()),
        mtu_bytes: path.mtu().bytes(),
        rate_selector: selector(path.rate().selector()),
        rate_mbit_per_s: path.rate().megabits_per_second(),
        packet_life_time_selector: selector(path.packet_life_time().selector()),
        packet_life_time_us: microseconds(path.packet_life_time().duration()),
        preference: path.preference(),
        bytes: hex(path.as_bytes()),
    }
}

fn flags(flags: Flags) -> Vec<String> {
    words(flags.names(), flags.unnamed())
}

fn path_flags(flags: PathFlags) -> Vec<String> {
    words(flags.names(), flags.unnamed())
}

/// Names, and the bits without a name as one number.
fn words(names: impl Iterator<Item = &'static str>, unnamed: u32) -> Vec<String> {
    let unnamed = (unnamed != 0).then(|| format!("0x{unnamed:x}"));
    names.map(String::from).chain(unnamed).collect()
}

const fn selector(selector: Selector) -> &'static str {
    match selector {
        Selector::GreaterThan => "greater-than",
        Selector::LessThan => "less-than",
        Selector::Exactly => "exactly",
        Selector::Best => "best",
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// In microseconds, exact to the nanosecond.
fn microseconds(time: Duration) -> f64 {
    // Beyond 2^53 ns, which is 104 days, digits are lost; the longest life time of a packet is such a time.
    time.as_nanos() as f64 / 1e3
}
