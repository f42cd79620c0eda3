//! Names of hosts(5) and of a name server, by our own resolution and by the library, which is librdmacm or the C
//! interface in its place.

use super::rows::{Row, answer};
use crate::common::{World, dns::Dns};
use rdma_addrinfo::{ErrorKind, Hints, Library, Policy, Resolver};
use std::time::{Duration, Instant};

const WORLD: World<'_> = World {
    hosts: "\
127.0.0.1 localhost
::1 localhost
2001:db8::2 storage-7
192.0.2.2 storage-7
192.0.2.2 only-v4
2001:db8::2 only-v6
",
    names: "files dns",
    options: "timeout:1 attempts:1",
    device: true,
    ..World::EMPTY
};

const INET: i32 = 2;
const INET6: i32 = 10;

/// The answers of our own resolution by the rules of the C library, and of the library. They are equal.
#[track_caller]
fn ask(library: &Library, node: &str, family: i32) -> String {
    let row = Row {
        node: Some(node.into()),
        service: Some("7471".into()),
        hints: Some([0, family, 0, 0x106]),
        ..Row::default()
    };
    let hints = row.hints();
    let resolver = Resolver::new().with_policy(Policy::LIBRDMACM).without_deadline();
    let ours = resolver.resolve(node, "7471", hints.as_ref());
    let ours = answer(ours.as_ref().map(|found| found.list()));
    assert_eq!(row.ask(library), ours, "{node}");
    ours
}

/// The answer with the first address alone.
fn found(family: i32, dst: &str) -> String {
    format!(
        r#""ret":0,"entries":[{{"flags":0,"family":{family},"qp_type":2,"port_space":262,"src":"","dst":"{dst}","route":"","connect":"","canonnames":0}}]"#
    )
}

#[test]
fn every_kind_of_answer() {
    WORLD.run(|| {
        let dns = Dns::start(Duration::ZERO);
        let library = Library::load().unwrap();
        let v4 = found(INET, "02001d2fc00002020000000000000000");
        let v6 = found(INET6, "0a001d2f0000000020010db800000000000000000000000200000000");
        for (node, family, expected) in [
            ("storage-7", 0, &*v6),
            ("storage-7", INET, &v4),
            ("storage-7", INET6, &v6),
            ("only-v4", 0, &v4),
            ("only-v6", 0, &v6),
            ("node.example", INET, &found(INET, "02001d2f7f0000350000000000000000")),
            (
                "node.example",
                INET6,
                &found(INET6, "0a001d2f000000000000000000000000000000000000000100000000"),
            ),
            ("nobody.example", 0, r#""ret":-2"#),
            ("empty.example", 0, r#""ret":-5"#),
            ("broken.example", 0, r#""ret":-3"#),
            ("v4.example", INET6, r#""ret":-5"#),
            ("v6.example", INET, r#""ret":-5"#),
        ] {
            assert_eq!(ask(&library, node, family), expected, "{node}, family {family}");
        }
        assert!(dns.asked() > 0);
        // By the manual page, an address of another family is told from none at all.
        for (node, hints, expected) in [
            ("nobody.example", "", ErrorKind::NoName),
            ("empty.example", "", ErrorKind::NoData),
            ("broken.example", "", ErrorKind::Again),
            ("v4.example", "family=inet6", ErrorKind::AddrFamily),
            ("v6.example", "family=inet", ErrorKind::AddrFamily),
            ("only-v4", "family=inet6", ErrorKind::AddrFamily),
        ] {
            let error = Resolver::new().resolve(node, "7471", &Hints::parse(hints).unwrap()).unwrap_err();
            assert_eq!(error.kind(), expected, "{error}");
        }
    });
}

/// Only our own resolution has a deadline; the library takes as long as the name service does.
#[test]
fn a_name_server_that_is_silent() {
    WORLD.run(|| {
        let dns = Dns::start_silent();
        let start = Instant::now();
        let resolver = Resolver::new().with_deadline(Duration::from_millis(300));
        let error = resolver.resolve("node.example", "7471", None).unwrap_err();
        let elapsed = start.elapsed();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(elapsed >= Duration::from_millis(300), "{elapsed:?}");
        // And is not at a loss for those that need no server.
        assert_eq!(
            resolver.with_deadline(Duration::from_secs(60)).resolve("storage-7", "7471", None).unwrap().len(),
            2
        );
        assert_eq!(ask(&Library::load().unwrap(), "node.example", 0), r#""ret":-3"#);
        assert!(dns.asked() > 0);
    });
}
