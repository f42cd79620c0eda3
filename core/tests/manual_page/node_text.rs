//! The node as text (rules, section 5).

use super::script::{Line, NONE, Names, Route, route, run, source, then, walk};
use super::whole::{Whole, ip, list, on, refused, to};
use rdma_addrinfo_core::{Environment, ErrorKind, Hints, Location, Policy, Reason, Request, Results, Text};

#[test]
fn dotted_decimal() {
    for node in ["0.0.0.0", "1.2.3.4", "9.10.99.100", "199.200.249.250", "255.255.255.255", "127.0.0.1"] {
        let address = format!("{node}:7471");
        let request = Request::new(node, "7471", None);
        assert_eq!(run(request, &walk([&address])), list([to(ip(&address))]), "{node}");
    }
}

#[test]
fn ipv6_text() {
    for node in [
        "::",
        "::1",
        "1::",
        "2001:db8::7",
        "2001:DB8:0:0:0:0:0:7",
        "2001:0db8:0000:0000:0000:0000:0000:0007",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "1:2:3:4:5:6:192.0.2.7",
        "64:ff9b::192.0.2.7",
    ] {
        let address = format!("[{node}]:7471");
        let request = Request::new(node, "7471", None);
        assert_eq!(run(request, &walk([&address])), list([to(ip(&address))]), "{node}");
    }
}

#[test]
fn zone_index() {
    for (node, address) in [
        ("fe80::7%1", "[fe80::7%1]:7471"),
        ("febf::7%4294967295", "[febf::7%4294967295]:7471"),
        ("ff02::1%10", "[ff02::1%10]:7471"),
        ("ff32::1%10", "[ff32::1%10]:7471"),
    ] {
        let request = Request::new(node, "7471", None);
        assert_eq!(run(request, &walk([address])), list([to(ip(address))]), "{node}");
    }
}

/// Where interfaces have names of their own.
fn with_interfaces<'q>(node: &'q str, policy: Policy) -> Request<'q> {
    let mut environment = Environment::new();
    environment.interfaces = true;
    Request::new(node, "7471", None).with_environment(environment).with_policy(policy)
}

#[test]
fn zone_of_digits_may_be_a_name() {
    for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
        // With an interface of this name, and without one.
        for (index, address) in [(Some(5), "[fe80::9%5]:7471"), (None, "[fe80::9%77]:7471")] {
            let then = [route(ip(address)), source(address, None)];
            let script: Vec<_> = [Line::Scope("77", index)].into_iter().chain(then).collect();
            let script = if policy == Policy::MAN_PAGE { &script[..] } else { &script[..2] };
            let expected = list([to(ip(address))]);
            assert_eq!(run(with_interfaces("fe80::9%77", policy), script), expected, "{policy:?}");
        }
        // Who resolves without asking leaves it to who does.
        let mut results = Results::<1>::new();
        let error = with_interfaces("fe80::9%77", policy).resolve_literal(&mut results).unwrap_err();
        assert_eq!((error.kind(), error.location()), (ErrorKind::NotLiteral, Location::Node(8)));
    }
    // glibc takes no names elsewhere, but any index.
    let address = "[2001:db8::9%77]:7471";
    let script = [route(ip(address))];
    let request = with_interfaces("2001:db8::9%77", Policy::LIBRDMACM);
    assert_eq!(run(request, &script), list([to(ip(address))]));
}

#[test]
fn zone_name() {
    let longest = "x".repeat(127);
    for (node, zone) in [
        ("fe80::7%ib0", "ib0"),
        ("fe80::7%0eth", "0eth"),
        ("fe80::7%eth0.100-abcdef", "eth0.100-abcdef"),
        (&format!("fe80::7%{longest}"), longest.leak()),
    ] {
        let script = then(Line::Scope(zone, Some(3)), walk(["[fe80::7%3]:7471"]));
        let request = Request::new(node, "7471", None);
        assert_eq!(run(request, &script), list([to(ip("[fe80::7%3]:7471"))]), "{node}");
    }
    let hints = Hints::new().passive().numeric_host();
    let script = [Line::Scope("ib0", Some(u32::MAX))];
    let expected = list([on(ip("[ff02::1%4294967295]:7471"))]);
    assert_eq!(run(Request::new("ff02::1%ib0", "7471", &hints), &script), expected);
}

#[test]
fn zone_that_does_not_exist() {
    let expected = refused(ErrorKind::NoName, Reason::NoSuchZone, Location::Node(8));
    for index in [None, Some(0)] {
        let script = [Line::Scope("ib9", index)];
        assert_eq!(run(Request::new("fe80::7%ib9", "7471", None), &script), expected);
    }
}

#[test]
fn zones_where_none_belongs() {
    let long = format!("fe80::7%{}", "x".repeat(128));
    let cases = [
        ("2001:db8::7%1", Reason::ZoneNotLinkLocal, 12),
        ("::1%lo", Reason::ZoneNotLinkLocal, 4),
        ("fec0::7%1", Reason::ZoneNotLinkLocal, 8),
        ("ff01::1%1", Reason::ZoneNotLinkLocal, 8),
        ("ff05::1%1", Reason::ZoneNotLinkLocal, 8),
        ("::ffff:192.0.2.7%1", Reason::ZoneNotLinkLocal, 17),
        ("192.0.2.7%1", Reason::ZoneWithoutIpv6, 9),
        ("storage-7%ib0", Reason::ZoneWithoutIpv6, 9),
        ("fe80::7%", Reason::ZoneEmpty, 8),
        ("fe80::7%0", Reason::ZoneIndex, 8),
        ("fe80::7%01", Reason::ZoneIndex, 8),
        ("fe80::7%4294967296", Reason::ZoneIndex, 8),
        ("fe80::7%99999999999999999999999", Reason::ZoneIndex, 8),
        ("fe80::7%ib/0", Reason::ZoneName, 10),
        ("fe80::7%ib 0", Reason::WhiteSpace, 10),
        (&long, Reason::ZoneTooLong, 135),
    ];
    for (node, reason, offset) in cases {
        let expected = refused(ErrorKind::NoName, reason, Location::Node(offset));
        assert_eq!(run(Request::new(node, "7471", None), &[]), expected, "{node}");
    }
}

#[test]
fn text_that_ends_in_a_number_is_never_looked_up() {
    let cases = [
        ("127.1", Reason::ShortForm, 5),
        ("1.2.3", Reason::ShortForm, 5),
        ("0x7f.1", Reason::HexPart, 0),
        ("127.0.0.0x1", Reason::HexPart, 8),
        ("0x7f000001", Reason::HexPart, 0),
        ("010.0.0.1", Reason::LeadingZero, 0),
        ("192.0.2.07", Reason::LeadingZero, 8),
        ("00.0.0.0", Reason::LeadingZero, 0),
        ("2130706433", Reason::SingleNumber, 0),
        ("1", Reason::SingleNumber, 0),
        ("4294967296", Reason::SingleNumber, 0),
        ("192.0.2.256", Reason::Octet, 8),
        ("192.0.999.1", Reason::Octet, 6),
        ("1.2.3.4.5", Reason::TooManyParts, 7),
        ("192.0.2.1.", Reason::FinalDot, 9),
        ("storage.7", Reason::NotDecimal, 0),
        ("storage.7.", Reason::NotDecimal, 0),
        ("storage.0x1F", Reason::NotDecimal, 0),
    ];
    for (node, reason, offset) in cases {
        let expected = refused(ErrorKind::NoName, reason, Location::Node(offset));
        for hints in [Hints::new(), Hints::new().numeric_host(), Hints::new().passive()] {
            assert_eq!(run(Request::new(node, "7471", &hints), &[]), expected, "{node} {hints}");
        }
    }
}

#[test]
fn text_that_no_host_can_have() {
    let long = "a".repeat(256);
    let cases = [
        ("", Reason::Empty, 0),
        ("*", Reason::Wildcard, 0),
        (long.as_str(), Reason::TooLong, 255),
        ("[::1]", Reason::Brackets, 0),
        ("storage 7", Reason::WhiteSpace, 7),
        (" 192.0.2.7", Reason::WhiteSpace, 0),
        ("192.0.2.7 ", Reason::WhiteSpace, 9),
        ("storage\x7f", Reason::Control, 7),
        ("1:2:3:4:5:6:7:8:9", Reason::TooManyGroups, 15),
        ("::1::", Reason::SecondGap, 4),
        ("2001:db8:7", Reason::TooFewGroups, 10),
        ("2001:db8::12345", Reason::LongGroup, 14),
    ];
    for (node, reason, offset) in cases {
        let expected = refused(ErrorKind::NoName, reason, Location::Node(offset));
        assert_eq!(run(Request::new(node, "7471", None), &[]), expected, "{node}");
    }
}

#[test]
fn nul_in_the_node_is_invalid() {
    for (node, offset) in [(&b"\0"[..], 0), (b"192.0.2.7\0", 9), (b"storage\x007", 7), (b"::1\0%1", 3)] {
        let expected = refused(ErrorKind::Invalid, Reason::Nul, Location::Node(offset));
        assert_eq!(run(Request::new(Text::from_bytes(node), "7471", None), &[]), expected);
    }
}

#[test]
fn all_else_is_a_name() {
    for node in [
        "storage-7",
        "storage7.",
        "7.example",
        "1.2.3.4x",
        "0x",
        "a.0xg",
        "xn--bcher-kva.example",
        "b\u{fc}cher",
        "_srv",
    ] {
        let script = then(Names::node(node).found(["192.0.2.7:0"]), walk(["192.0.2.7:7471"]));
        assert_eq!(
            run(Request::new(node, "7471", None), &script),
            list([to(ip("192.0.2.7:7471"))]),
            "{node}"
        );
    }
    let longest: &'static str = "a".repeat(255).leak();
    let script = then(Names::node(longest).found(["192.0.2.7:0"]), walk(["192.0.2.7:0"]));
    assert_eq!(run(Request::new(longest, NONE, None), &script), list([to(ip("192.0.2.7:0"))]));
}

#[test]
fn numeric_host_looks_nothing_up() {
    let hints = Hints::new().numeric_host();
    let expected = refused(ErrorKind::NoName, Reason::NotNumeric, Location::Node(0));
    for service in [NONE, "7471".into(), "nfs".into()] {
        assert_eq!(run(Request::new("storage-7", service, &hints), &[]), expected);
    }
    for (node, address) in [("192.0.2.7", "192.0.2.7:7471"), ("fe80::7%3", "[fe80::7%3]:7471")] {
        let script = [Route::to(ip(address)).no_delay().none(), source(address, None)];
        assert_eq!(run(Request::new(node, "7471", &hints), &script), list([to(ip(address))]), "{node}");
    }
}

#[test]
fn link_local_without_a_zone_resolves_and_says_so() {
    for (node, address) in [
        ("fe80::7", "[fe80::7]:7471"),
        ("febf:ffff::7", "[febf:ffff::7]:7471"),
        ("ff02::1", "[ff02::1]:7471"),
        ("ff12::1", "[ff12::1]:7471"),
    ] {
        let expected = Whole { needs_scope: true, ..to(ip(address)) };
        assert_eq!(run(Request::new(node, "7471", None), &walk([address])), list([expected]), "{node}");

        let hints = Hints::new().passive();
        let expected = Whole { needs_scope: true, ..on(ip(address)) };
        assert_eq!(run(Request::new(node, "7471", &hints), &[]), list([expected]), "{node}");

        let found = Names::node("storage-7").found([address]);
        let expected = Whole { needs_scope: true, ..to(ip(address)) };
        let script = then(found, walk([address]));
        assert_eq!(run(Request::new("storage-7", "7471", None), &script), list([expected]), "{node}");
    }
    for (node, address) in
        [("fec0::7", "[fec0::7]:7471"), ("ff01::1", "[ff01::1]:7471"), ("169.254.0.7", "169.254.0.7:7471")]
    {
        assert_eq!(
            run(Request::new(node, "7471", None), &walk([address])),
            list([to(ip(address))]),
            "{node}"
        );
    }
}
