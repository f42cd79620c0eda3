//! Tests of the indexes, and of the readings of the configuration.

mod changes;
mod differential;

use super::config::{self, Sources};
use super::hosts::{self, Wanted};
use super::services::{self, Port};
use super::table::Table;
use std::fmt::Write;

fn hosts_of(text: &[u8]) -> Table {
    hosts::index(text.to_vec(), || true).unwrap()
}

fn found(text: &[u8], name: &str, wanted: Wanted) -> Vec<(String, String)> {
    let table = hosts_of(text);
    hosts::find(&table, name.as_bytes(), wanted)
        .map(|host| (host.address.to_string(), String::from_utf8_lossy(host.name).into_owned()))
        .collect()
}

fn addresses(text: &[u8], name: &str) -> Vec<String> {
    found(text, name, Wanted::Both).into_iter().map(|(address, _)| address).collect()
}

#[test]
fn a_line_has_a_name_and_others() {
    let text = b"192.0.2.1 a.example a A1\n192.0.2.2\tb\n";
    for name in ["a.example", "a", "A", "a1", "A.EXAMPLE"] {
        assert_eq!(found(text, name, Wanted::Both), [("192.0.2.1".into(), "a.example".into())], "{name}");
    }
    assert_eq!(addresses(text, "b"), ["192.0.2.2"]);
    for name in ["192.0.2.1", "a.exa", "example", "a.example ", "", " ", "B1"] {
        assert!(addresses(text, name).is_empty(), "{name}");
    }
}

#[test]
fn lines_come_in_the_order_of_the_file_and_once() {
    let text = b"192.0.2.3 a a A\n192.0.2.1 x a\n::1 A\n192.0.2.3 a\n";
    assert_eq!(addresses(text, "a"), ["192.0.2.3", "192.0.2.1", "::1", "192.0.2.3"]);
}

#[test]
fn the_family_says_how_an_address_counts() {
    let text = b"::1 a\n::ffff:192.0.2.9 a\n192.0.2.1 a\n2001:db8::1 a\n192.0.2.01 a\n1.2.3 a\n";
    let of = |wanted| found(text, "a", wanted).into_iter().map(|(address, _)| address).collect::<Vec<_>>();
    assert_eq!(of(Wanted::Both), ["::1", "::ffff:192.0.2.9", "192.0.2.1", "2001:db8::1"]);
    assert_eq!(of(Wanted::V4), ["127.0.0.1", "192.0.2.9", "192.0.2.1"]);
    assert_eq!(of(Wanted::V6), ["::1", "::ffff:192.0.2.9", "2001:db8::1"]);
}

#[test]
fn blanks_comments_and_ends_are_those_of_c() {
    for text in [
        &b" \t192.0.2.1\x0b\x0c a\n"[..],
        b"192.0.2.1 a#b\n",
        b"192.0.2.1 a\r\n",
        b"192.0.2.1 a\0b\n",
        b"\n\n#192.0.2.2 a\n192.0.2.1 a # a\n",
        b"\x00192.0.2.2 a\n192.0.2.1 a",
        b"192.0.2.2 #a\n192.0.2.1 a",
    ] {
        assert_eq!(addresses(text, "a"), ["192.0.2.1"], "{}", text.escape_ascii());
        assert!(addresses(text, "b").is_empty());
    }
    assert_eq!(addresses("192.0.2.1 h\u{e9}\n".as_bytes(), "h\u{e9}"), ["192.0.2.1"]);
    assert!(addresses(b"192.0.2.1\xa0a\n192.0.2.1 \xa0\n", "a").is_empty());
}

#[test]
fn every_name_of_a_long_file_is_found_in_little_memory() {
    let mut text = String::new();
    for line in 0..20_000_u32 {
        writeln!(text, "10.{}.{}.{} node-{line:05}.cluster n{line}", line >> 16, line >> 8 & 255, line & 255)
            .unwrap();
    }
    let table = hosts_of(text.as_bytes());
    assert!(table.memory() < 3 * text.len(), "{} for {}", table.memory(), text.len());
    for line in 0..20_000_u32 {
        let expected = std::net::Ipv4Addr::from_bits(10 << 24 | line);
        for name in [format!("node-{line:05}.cluster"), format!("N{line}")] {
            let all: Vec<_> = hosts::find(&table, name.as_bytes(), Wanted::Both).collect();
            assert_eq!(all.len(), 1, "{name}");
            assert_eq!(all[0].address, expected);
        }
        assert_eq!(hosts::find(&table, format!("m{line}").as_bytes(), Wanted::Both).count(), 0);
    }
}

#[test]
fn a_file_without_names_has_none() {
    for text in [&b""[..], b"\n", b"#", b"192.0.2.1", b"\0"] {
        assert!(addresses(text, "a").is_empty());
        assert!(addresses(text, "").is_empty());
    }
    assert!(hosts::index(b"192.0.2.1 a".to_vec(), || false).is_none());
}

#[test]
fn a_line_that_glibc_reads_otherwise_refuses_the_file() {
    let is_indexed = |text: &[u8]| hosts::index(text.to_vec(), || true).is_some();
    for text in [&b"192.0.2.1 a\n b c"[..], b"\t192.0.2.1 a\0\n", b" x"] {
        assert!(!is_indexed(text), "{}", text.escape_ascii());
    }
    for text in [&b"192.0.2.1 a\n b c\n"[..], b"\t192.0.2.1 a#", b" ", b"x", b"\n \0"] {
        assert!(is_indexed(text), "{}", text.escape_ascii());
    }
}

#[test]
fn services_have_a_port_for_each_protocol() {
    let text = b"x 1/tcp y Z\nx 2/udp\nx 3/tcp\nodd 0x10/tcp w\nlarge 65536/tcp\nbare 7\nzero 0/tcp\nold 010/tcp\n/ 1/tcp\n";
    let table = services::index(text.to_vec(), || true).unwrap();
    let find = |name: &str, protocol: &str| services::find(&table, name.as_bytes(), protocol.as_bytes());
    assert_eq!(find("x", "tcp"), Port::Is(1));
    assert_eq!(find("x", "udp"), Port::Is(2));
    assert_eq!(find("y", "tcp"), Port::Is(1));
    assert_eq!(find("Z", "tcp"), Port::Is(1));
    assert_eq!(find("zero", "tcp"), Port::Is(0));
    for (name, protocol) in [("X", "tcp"), ("z", "tcp"), ("y", "udp"), ("x", "sctp"), ("1/tcp", "tcp")] {
        assert_eq!(find(name, protocol), Port::None, "{name}");
    }
    for name in ["odd", "w", "large", "bare", "old"] {
        assert_eq!(find(name, "tcp"), Port::Odd, "{name}");
    }
}

#[test]
fn the_file_must_come_first_and_be_the_end() {
    let hosts = |line: &str| config::sources(format!("passwd: x\n{line}\n#hosts: x\n").as_bytes(), "hosts");
    let is = |db_first, is_last| Some(Sources { db_first, is_last });
    assert_eq!(hosts("hosts: files"), is(false, true));
    assert_eq!(hosts("hosts:files dns # x"), is(false, false));
    assert_eq!(
        hosts(" hosts:\tfiles [NOTFOUND=return unavail=Continue] dns [!UNAVAIL=return]"),
        is(false, false)
    );
    assert_eq!(hosts("hosts: db files"), is(true, true));
    assert_eq!(hosts("hosts6: x\nhosts: files"), is(false, true));
    for line in [
        "",
        "hosts: dns files",
        "hosts: files [SUCCESS=continue] dns",
        "hosts: files [success=merge] dns",
        "hosts: files [!NOTFOUND=return] dns",
        "hosts: files [NOTFOUND=return",
        "hosts: files[NOTFOUND=return]",
        "hosts: filesystem",
        "hosts : files",
        "hosts: files\nhosts: files",
        "hosts:",
        "Hosts: files",
        "hosts: files d\u{e9}",
    ] {
        assert_eq!(hosts(line), None, "{line}");
    }
}

#[test]
fn host_conf_and_gai_conf_are_read_as_far_as_they_are_understood() {
    assert_eq!(config::multi(b""), Some(false));
    assert_eq!(config::multi(b"# x\n order hosts,bind\n\tmulti on\n"), Some(true));
    assert_eq!(config::multi(b"multi on\nmulti off # x"), Some(false));
    for text in ["multi", "multi yes", "multi on x", "trim .example", "reorder on", "x", "multi on\0"] {
        assert_eq!(config::multi(text.as_bytes()), None, "{text}");
    }
    assert!(config::is_default_order(b"# label ::1/128 0\n\n  # x\n"));
    assert!(!config::is_default_order(b"#\nlabel ::1/128 0\n"));
}

#[test]
fn a_line_without_sources_is_one() {
    for (text, is) in [
        ("hosts:\n", true),
        ("passwd: files\n hosts :  # none\n", true),
        ("hosts:", true),
        ("hosts: files\n", false),
        ("hosts:\nhosts: files\n", false),
        ("#hosts:\n", false),
        ("hosts2:\n", false),
        ("", false),
    ] {
        assert_eq!(config::is_without_sources(text.as_bytes(), "hosts"), is, "{text:?}");
    }
}
