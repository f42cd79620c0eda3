//! Tips: what may have been meant by what does not work.

use crate::options::Options;
use crate::target::Target;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use rdma_addrinfo::devices::Devices;
use rdma_addrinfo::{Cause, Error, SourceInterfaceError};
use std::ffi::OsStr;
use std::net::Ipv6Addr;

/// What those who know other commands type, and what does it here.
const OPTIONS: [(&[&str], &str); 7] = [
    (&["--device"], "'--ports' shows the device of each local address, '--devices' all of this machine"),
    (&["--family"], "'-4', '-6' or '--ib'"),
    (&["--port", "--service"], "the port is an argument: 'storage-7 7471' or 'storage-7:7471'"),
    (&["--node", "--host"], "the node is an argument: 'storage-7 7471' or 'storage-7:7471'"),
    (&["--udp", "--ud"], "'--qp-type ud', or '--port-space udp'"),
    (&["-v", "--verbose", "--debug"], "'--explain' shows each step; '--version' is '-V'"),
    (&["--color", "--no-color", "--colour"], "there are no colours"),
];

/// The error with a tip of ours instead of the option that is spelled nearly alike.
pub(crate) fn of_usage(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return error };
    let given = given.split('=').next().unwrap_or_default();
    let tip =
        OPTIONS.iter().find(|(options, _)| options.contains(&given)).map(|(_, tip)| StyledStr::from(*tip));
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// What may have been meant by a target that was not found.
pub(crate) fn of_error(options: &Options, error: &Error) -> Option<String> {
    if let Cause::SourceInterface(SourceInterfaceError::NotFound(name)) = error.cause() {
        return of_device(name);
    }
    let (node, service) = options.arguments();
    of_target(node?.to_str()?, service.and_then(OsStr::to_str))
}

fn of_target(node: &str, service: Option<&str>) -> Option<String> {
    if let Some((_, rest)) = node.split_once("://") {
        return Some(format!("a URL is not taken: '{}'", rest.split('/').next().unwrap_or(rest)));
    }
    if let Some(rest) = node.strip_prefix('[') {
        return match rest.split_once(']') {
            // Whether the last group is a port, nobody knows.
            None => Some(format!("the ']' is missing: {}", forms(rest))),
            Some((address, behind)) if !behind.is_empty() && !behind.starts_with(':') => {
                Some(format!("the ':' is missing: '[{address}]:{behind}'"))
            }
            Some(_) => twice(node, service?),
        };
    }
    match service {
        Some(service) => twice(node, service),
        None if is_number(node) => Some(format!("for a port alone: ':{node}'")),
        None => None,
    }
}

/// The ways to write an address that has lost its bracket.
fn forms(text: &str) -> String {
    match text.rsplit_once(':') {
        Some((address, port)) if is_number(port) && address.parse::<Ipv6Addr>().is_ok() => {
            format!("'[{address}]:{port}' or '[{text}]'")
        }
        _ => format!("'[{text}]'"),
    }
}

/// A port behind the node, and as an argument.
fn twice(node: &str, service: &str) -> Option<String> {
    let Target { node: Some(alone), service: Some(behind) } = Target::new(Some(OsStr::new(node)), None)
    else {
        return None;
    };
    let (alone, behind) = (str::from_utf8(alone).ok()?, str::from_utf8(behind).ok()?);
    let first = &node[..node.len() - behind.len()];
    Some(format!("the port is given twice: '{alone} {service}' or '{first}{behind}'"))
}

/// What may have been meant by one address, without a port.
pub(crate) fn of_address(options: &Options) -> Option<String> {
    let (Some(node), None) = options.arguments() else { return None };
    let node = node.to_str()?;
    let (address, port) = node.rsplit_once(':')?;
    let is_meant = is_number(port) && port.len() > 1 && node.parse::<Ipv6Addr>().is_ok();
    (is_meant && address.parse::<Ipv6Addr>().is_ok())
        .then(|| format!("'{node}' is one address; for the port {port} of {address}: '[{address}]:{port}'"))
}

pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The interfaces of a device that was given as one.
fn of_device(name: &str) -> Option<String> {
    let devices = Devices::read();
    let device = devices.iter().find(|device| device.name() == name)?;
    let mut netdevs = Vec::new();
    for port in device.ports() {
        for netdev in port.gids().iter().flat_map(|gid| devices.netdevs_of(port, gid)) {
            if !netdevs.contains(&netdev.name()) {
                netdevs.push(netdev.name());
            }
        }
    }
    Some(match &netdevs[..] {
        [] => format!("'{name}' is an RDMA device, which has no network interface now"),
        netdevs => format!(
            "'{name}' is an RDMA device; its network interface: '--src-if {}'",
            netdevs.join("' or '--src-if ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_have_been_meant() {
        for (node, service, tip) in [
            ("7471", None, Some("for a port alone: ':7471'")),
            ("7471", Some("1"), None),
            (
                "localhost:7471",
                Some("7472"),
                Some("the port is given twice: 'localhost 7472' or 'localhost:7471'"),
            ),
            (
                "127.0.0.1:7471",
                Some("7471"),
                Some("the port is given twice: '127.0.0.1 7471' or '127.0.0.1:7471'"),
            ),
            ("[::1]:7471", Some("7472"), Some("the port is given twice: '::1 7472' or '[::1]:7471'")),
            ("[::1]", Some("7472"), None),
            ("::1", Some("7472"), None),
            (":7471", Some("7472"), None),
            ("[::1", None, Some("the ']' is missing: '[::1]'")),
            ("[::1:7471", None, Some("the ']' is missing: '[::1]:7471' or '[::1:7471]'")),
            ("[::1]7471", None, Some("the ':' is missing: '[::1]:7471'")),
            ("rdma://host:7471", None, Some("a URL is not taken: 'host:7471'")),
            ("rdma://[::1]:7471/x", None, Some("a URL is not taken: '[::1]:7471'")),
            ("storage-7", None, None),
            ("", None, None),
            ("[", None, Some("the ']' is missing: '[]'")),
        ] {
            assert_eq!(of_target(node, service).as_deref(), tip, "{node} {service:?}");
        }
    }
}
