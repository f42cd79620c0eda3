//! Places and their texts.

use super::*;
use std::collections::HashSet;

#[test]
fn texts_of_the_command() {
    for (text, expected) in [
        ("auto", Ibacm::AUTO),
        ("off", Ibacm::OFF),
        ("1", Ibacm::port(1)),
        ("6125", Ibacm::port(6125)),
        ("65535", Ibacm::port(65535)),
        ("/run/ibacm.sock", Ibacm::socket("/run/ibacm.sock").unwrap()),
        ("./7", Ibacm::socket("./7").unwrap()),
        ("/var/run/", Ibacm::directory("/var/run/").unwrap()),
    ] {
        assert_eq!(text.parse::<Ibacm>().unwrap(), expected, "{text}");
    }
    let long = format!("/{}", "s".repeat(107));
    for (text, why) in [
        ("0", "it is no decimal port from 1 to 65535"),
        ("65536", "it is no decimal port from 1 to 65535"),
        ("", "it is no decimal port from 1 to 65535"),
        ("+1", "it is neither 'auto', 'off', a port, nor a path with a '/'"),
        ("ibacm.sock", "it is neither 'auto', 'off', a port, nor a path with a '/'"),
        ("OFF", "it is neither 'auto', 'off', a port, nor a path with a '/'"),
        ("/a\0b", "the path holds a NUL"),
        (&*long, "the path is too long for a Unix socket"),
    ] {
        let error = text.parse::<Ibacm>().unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (io::ErrorKind::InvalidInput, why), "{text:?}");
    }
}

#[test]
fn places_in_words() {
    for (ibacm, expected) in [
        (Ibacm::AUTO, "/run/ibacm.port or /run/ibacm.sock"),
        (Ibacm::OFF, "off"),
        (Ibacm::port(6125), "port 6125"),
        (Ibacm::socket("/run/my.sock").unwrap(), "/run/my.sock"),
        (Ibacm::socket("/run/\x1b[2J").unwrap(), "/run/\\u{1b}[2J"),
        (Ibacm::port_file("/run/my.port").unwrap(), "the port in /run/my.port"),
        (Ibacm::directory("/var/run/").unwrap(), "/var/run/ibacm.port or /var/run/ibacm.sock"),
    ] {
        assert_eq!(ibacm.to_string(), expected);
    }
}

#[test]
fn paths_have_limits() {
    assert!(Ibacm::socket("").is_err() && Ibacm::directory("").is_err());
    for len in [107, 108, 255, 256, 300, 1 << 16] {
        let path = "x".repeat(len);
        assert_eq!(Ibacm::socket(&path).is_ok(), len <= 107, "{len}");
        assert_eq!(Ibacm::port_file(&path).is_ok(), len <= 107, "{len}");
    }
    assert!(Ibacm::directory("x".repeat(96)).is_ok() && Ibacm::directory("x".repeat(97)).is_err());
}

#[test]
fn every_place_has_a_key_of_its_own() {
    let path = "/run/ibacm.sock";
    let mut places = vec![Ibacm::AUTO, Ibacm::OFF];
    places.extend((0..=u16::MAX).map(Ibacm::port));
    places.extend([Ibacm::socket(path), Ibacm::port_file(path), Ibacm::directory(path)].map(Result::unwrap));
    places.extend((0..1000).map(|n| Ibacm::socket(format!("{path}{n}")).unwrap()));
    let keys: HashSet<u64> = places.iter().map(|ibacm| ibacm.key).collect();
    assert!(!keys.contains(&0));
    assert_eq!(keys.len(), places.len());
    // The usual directory by name is the same place; times are no part of it.
    assert_eq!(Ibacm::directory("/run").unwrap(), Ibacm::AUTO);
    assert_eq!(Ibacm::AUTO.with_negative_cache(Duration::ZERO).key, Ibacm::AUTO.key);
}
