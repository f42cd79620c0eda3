//! The report for programs: one JSON object of the library's types. `schema/rdma-getaddrinfo.schema.json` in the library's
//! package describes it.

use crate::print::Page;
use crate::report::Report;
use crate::step::{Step, microseconds};
use rdma_addrinfo::devices::{Checked, Devices, Problem};
use rdma_addrinfo::{AddrInfo, Error};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

/// The version of the objects. It allows new keys and values, but no change of existing ones.
pub(crate) const VERSION: u32 = 1;

/// The answer or the error, on one line.
pub(crate) fn line(report: &Report<'_>) -> Page {
    object(report, None)
}

/// The same for one of many nodes, with its number.
pub(crate) fn line_of(report: &Report<'_>, index: u64) -> Page {
    let target = String::from_utf8_lossy(report.target.node.unwrap_or_default());
    object(report, Some(Place { index, target }))
}

fn object(report: &Report<'_>, place: Option<Place<'_>>) -> Page {
    let steps = report.steps.as_deref();
    let found = match &report.outcome {
        Ok(found) => found,
        Err(error) => return Page::json(&Failure { version: VERSION, place, error, steps }),
    };
    let mut checked = report.shown().iter();
    let list = found.list();
    Page::json(&Answer {
        version: VERSION,
        place,
        node: report.target.node.map(String::from_utf8_lossy),
        service: report.target.service.map(String::from_utf8_lossy),
        backend: found.backend(),
        elapsed: report.elapsed,
        truncated: list.is_truncated(),
        problems: report.options.asks_devices().then_some(&report.problems),
        entries: list.iter().map(|info| Entry { info, checked: checked.next() }).collect(),
        steps,
    })
}

/// The table of devices, or of the one of this name, on one line.
pub(crate) fn devices(devices: &Devices, name: Option<&str>) -> Page {
    let table = Table { version: VERSION, devices };
    let Some(name) = name else { return Page::json(&table) };
    // Serialization does not fail: keys are text, and floats finite.
    let mut table = serde_json::to_value(&table).unwrap_or_default();
    let is_named = |object: &Value| object.get("device").is_some_and(|other| other == name);
    if let Some(Value::Array(devices)) = table.get_mut("devices") {
        devices.retain(is_named);
    }
    // The best of all may be another's.
    if let Some(best) = table.get_mut("best").filter(|best| !is_named(best)) {
        *best = Value::Null;
    }
    Page::json(&table)
}

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<Place<'a>>,
    node: Option<Cow<'a, str>>,
    service: Option<Cow<'a, str>>,
    backend: &'static str,
    #[serde(rename = "elapsed_us", serialize_with = "microseconds")]
    elapsed: Duration,
    truncated: bool,
    /// Only with `--ports` or `--check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<&'a Vec<Problem>>,
    entries: Vec<Entry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a [Step]>,
}

/// Which of many nodes it is.
#[derive(Serialize)]
struct Place<'a> {
    index: u64,
    target: Cow<'a, str>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    info: AddrInfo<'a>,
    /// Only with `--ports` or `--check`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    checked: Option<&'a Checked>,
}

#[derive(Serialize)]
struct Failure<'a> {
    version: u32,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<Place<'a>>,
    error: &'a Error,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a [Step]>,
}

#[derive(Serialize)]
struct Table<'a> {
    version: u32,
    #[serde(flatten)]
    devices: &'a Devices,
}
