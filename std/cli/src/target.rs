//! Node and service from the arguments.

use rdma_addrinfo::Text;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// The node and service to resolve, as bytes, since arguments need not be UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) node: Option<&'a [u8]>,
    pub(crate) service: Option<&'a [u8]>,
}

impl<'a> Target<'a> {
    /// Parses the two arguments.
    ///
    /// - Without a service argument the node is split at its `:`, if it has exactly one, or after an IPv6 address in
    ///   brackets. So an IPv6 address without brackets is not split, and a `:` at the start means no node.
    /// - Brackets around an IPv6 address are removed.
    /// - The node `-` means none.
    ///
    /// Everything else is passed to the resolver, which reports errors.
    pub(crate) fn new(node: Option<&'a OsStr>, service: Option<&'a OsStr>) -> Self {
        let node = node.map(OsStr::as_bytes);
        let service = service.map(OsStr::as_bytes);
        let Self { node, service } = match (node, service) {
            (Some(node), None) => split(node),
            (node, service) => Self { node: node.map(without_brackets), service },
        };
        Self { node: node.filter(|node| *node != b"-"), service }
    }

    /// The node for the resolver.
    pub(crate) fn node_text(&self) -> Text<'a> {
        self.node.map_or(Text::NONE, Text::from_bytes)
    }

    /// The service for the resolver.
    pub(crate) fn service_text(&self) -> Text<'a> {
        self.service.map_or(Text::NONE, Text::from_bytes)
    }
}

/// Node and service in one text.
fn split(text: &[u8]) -> Target<'_> {
    let mut colons = text.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
    let at = match (bracketed(text), colons.next(), colons.next()) {
        (Some((node, [])), ..) => {
            return Target { node: Some(node), service: None };
        }
        (Some((node, [b':', service @ ..])), ..) => {
            return Target { node: Some(node), service: Some(service) };
        }
        (_, Some(at), None) => at,
        _ => {
            return Target { node: Some(text), service: None };
        }
    };
    let (node, service) = (&text[..at], &text[at + 1..]);
    Target { node: Some(node).filter(|node| !node.is_empty()), service: Some(service) }
}

fn without_brackets(node: &[u8]) -> &[u8] {
    match bracketed(node) {
        Some((inside, [])) => inside,
        _ => node,
    }
}

/// The text in brackets, and the text after them. Only an IPv6 address, which has a `:`, may be in brackets.
fn bracketed(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = text.strip_prefix(b"[")?;
    let end = rest.iter().position(|byte| *byte == b']')?;
    let (inside, rest) = (&rest[..end], &rest[end + 1..]);
    inside.contains(&b':').then_some((inside, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (Option<&str>, Option<&str>) {
        both(Some(text), None)
    }

    fn both<'a>(node: Option<&'a str>, service: Option<&'a str>) -> (Option<&'a str>, Option<&'a str>) {
        let target = Target::new(node.map(OsStr::new), service.map(OsStr::new));
        let text = |bytes: &'a [u8]| std::str::from_utf8(bytes).unwrap();
        (target.node.map(text), target.service.map(text))
    }

    #[test]
    fn one_argument() {
        for (argument, node, service) in [
            ("storage-7", Some("storage-7"), None),
            ("storage-7:7471", Some("storage-7"), Some("7471")),
            ("storage-7:nfsrdma", Some("storage-7"), Some("nfsrdma")),
            ("192.0.2.7:7471", Some("192.0.2.7"), Some("7471")),
            (":7471", None, Some("7471")),
            ("-:7471", None, Some("7471")),
            ("-", None, None),
            // The resolver rejects an empty service.
            ("storage-7:", Some("storage-7"), Some("")),
            (":", None, Some("")),
            ("", Some(""), None),
            // IPv6 addresses.
            ("[2001:db8::7]:7471", Some("2001:db8::7"), Some("7471")),
            ("[2001:db8::7]", Some("2001:db8::7"), None),
            ("[::1]:", Some("::1"), Some("")),
            ("[fe80::1%eth0]:7471", Some("fe80::1%eth0"), Some("7471")),
            ("2001:db8::7", Some("2001:db8::7"), None),
            ("::1", Some("::1"), None),
            ("::", Some("::"), None),
            ("::1:7471", Some("::1:7471"), None),
            ("fe80::1%eth0", Some("fe80::1%eth0"), None),
            // Invalid texts are not split: the resolver reports the error.
            ("storage-7:80:90", Some("storage-7:80:90"), None),
            ("[::1", Some("[::1"), None),
            ("[::1]7471", Some("[::1]7471"), None),
            ("[::1]7471:1", Some("[::1]7471:1"), None),
            ("[storage-7]", Some("[storage-7]"), None),
            ("[storage-7]:7471", Some("[storage-7]"), Some("7471")),
            ("[]:1", Some("[]"), Some("1")),
            ("]:[", Some("]"), Some("[")),
        ] {
            assert_eq!(one(argument), (node, service), "{argument:?}");
        }
    }

    #[test]
    fn two_arguments_are_never_split() {
        for (node, service, expected) in [
            ("storage-7", "7471", Some("storage-7")),
            ("storage-7:80", "7471", Some("storage-7:80")),
            ("::1", "7471", Some("::1")),
            ("[::1]", "7471", Some("::1")),
            ("[::1]:80", "7471", Some("[::1]:80")),
            ("[storage-7]", "7471", Some("[storage-7]")),
            ("", "7471", Some("")),
            ("-", "7471", None),
            ("-", "-", None),
            (":80", "", Some(":80")),
        ] {
            assert_eq!(both(Some(node), Some(service)), (expected, Some(service)), "{node:?} {service:?}");
        }
        assert_eq!(both(None, None), (None, None));
    }

    #[test]
    fn arguments_need_not_be_utf_8() {
        let target = Target::new(Some(OsStr::from_bytes(b"\xff\xfe:\xfd")), None);
        assert_eq!(target, Target { node: Some(b"\xff\xfe"), service: Some(b"\xfd") });
        assert_eq!(target.node_text().bytes(), Some(&b"\xff\xfe"[..]));
        assert_eq!(target.service_text().bytes(), Some(&b"\xfd"[..]));
    }
}
