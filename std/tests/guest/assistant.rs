//! ibacm(8) itself answers the C interface as it answers librdmacm.
//!
//! `infiniband.c` makes InfiniBand of Soft-RoCE for it, and plays a subnet administrator.

use super::pair::{LIMIT, Whose, take_complaints};
use super::programs::{Program, beside};
use super::rows::hex;
use std::fs;
use std::net::Ipv6Addr;

/// Endpoints: addresses, and the ports that they are of.
const ENDPOINTS: &str = "192.0.2.1 rxe0 1 default\n192.0.2.2 rxe1 1 default\n\
    2001:db8::1 rxe0 1 default\n";

/// Destinations, and their GIDs: what their ends say is told in `infiniband.c`. For others ibacm asks all ports, by
/// multicast, and here nobody answers.
const DESTINATIONS: &str = "192.0.2.2 fe80::22\n192.0.2.3 fe80::\n192.0.2.4 fe80::ffff\n192.0.2.5 fe80::ff05\n\
    2001:db8::2 fe80::62\n";

/// No destination may take long to be unreachable.
const OPTIONS: &str = "log_file stdout\nlog_level 1\nlock_file /tmp/ibacm.pid\nsupport_ips_in_addr_cfg 1\n\
    timeout 500\nretries 1\naddr_preload acm_hosts\naddr_data_file /tmp/ibacm_hosts.data\n";

/// NODE,SERVICE,FLAGS,FAMILY[,SOURCE], and the end of the destination's GID, if there is a path.
const REQUESTS: [(&str, Option<u16>); 9] = [
    ("192.0.2.2,7471,0,2", Some(0x22)),
    ("192.0.2.2,7471,0,2,192.0.2.1", Some(0x22)),
    ("192.0.2.2,7471,0,0", Some(0x22)),
    ("192.0.2.2,-,0,2", Some(0x22)),
    ("192.0.2.3,7471,0,2", None),
    ("192.0.2.4,7471,0,2", None),
    ("192.0.2.5,7471,0,2", Some(0xff05)),
    ("192.0.2.9,7471,0,2", None),
    ("2001:db8::2,7471,0,10", Some(0x62)),
];

/// What the subnet administrator is asked meanwhile: ibacm keeps a path.
const ASKED: [&str; 5] = ["fe80::22", "fe80::", "fe80::ffff", "fe80::ff05", "fe80::62"];

/// A path from the first port, as `infiniband.c` makes it: flags, no more, and a path record.
fn path(to: u16) -> String {
    let from: Ipv6Addr = "fe80::ff:fe00:a".parse().unwrap();
    let to_gid = Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, to);
    let mut bytes = vec![0x2b, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([0; 8]);
    bytes.extend(to_gid.octets());
    bytes.extend(from.octets());
    bytes.extend(to.to_be_bytes());
    bytes.extend([0, 1, 0, 0, 0, 0, 0, 0x81, 0xff, 0xff, 0, 3, 0x84, 0x83, 0x92, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes.len(), 72);
    hex(&bytes)
}

/// Starts the daemon, and waits until both ports have joined the group, without which it answers nobody.
fn start() -> Program {
    for (path, text) in [
        ("/tmp/ibacm_addr.data", ENDPOINTS),
        ("/tmp/ibacm_hosts.data", DESTINATIONS),
        ("/tmp/ibacm_opts.cfg", OPTIONS),
    ] {
        fs::write(path, text).unwrap();
    }
    let shim = beside("infiniband.so");
    let words = ["-P", "-A", "/tmp/ibacm_addr.data", "-O", "/tmp/ibacm_opts.cfg"];
    let mut daemon = Program::start_with("ibacm", &words, &[("LD_PRELOAD", shim.into())]);
    for _ in ["rxe0", "rxe1"] {
        daemon.wait_for_line(|line| line.ends_with("join successful"), LIMIT);
    }
    crate::common::wait_until(|| fs::exists("/run/ibacm.sock").unwrap());
    daemon
}

/// What each request is answered, by a daemon of its own; the paths that its subnet administrator was asked for.
fn answers(whose: Whose) -> (Vec<Vec<String>>, Vec<String>) {
    let daemon = start();
    let requests = REQUESTS.map(|(request, _)| request);
    let (status, mut told) = whose.start(&[&["lists"][..], &requests].concat(), &[]).finish(LIMIT);
    assert!(status.success(), "{status}: {told:#?}");
    assert_eq!(take_complaints(&mut told), usize::from(whose != Whose::Librdmacm));
    let mut answers: Vec<Vec<String>> = Vec::new();
    for line in told {
        match answers.last_mut() {
            Some(answer) if !line.contains(": ") => answer.push(line),
            _ => answers.push(vec![line]),
        }
    }
    let asked = daemon.stop();
    let asked = asked
        .iter()
        .filter_map(|line| line.split_once("sa: path to ").map(|(_, gid)| gid.to_owned()))
        .collect();
    fs::remove_file("/run/ibacm.sock").unwrap();
    (answers, asked)
}

#[test]
fn ibacm() {
    let (without, asked) = answers(Whose::Librdmacm);
    assert_eq!(without.len(), REQUESTS.len(), "{without:#?}");
    assert_eq!(asked, ASKED, "{without:#?}");
    for (answer, (request, end)) in without.iter().zip(REQUESTS) {
        assert_eq!(answer[0], format!("{request}: 0 0"), "{answer:#?}");
        let routes: Vec<&str> = answer[1..].iter().map(|entry| entry.split(' ').nth(6).unwrap()).collect();
        match end.map(path) {
            // An entry of the InfiniBand family comes before that of the address.
            Some(path) => assert_eq!(routes, [&path, &path], "{answer:#?}"),
            None => assert_eq!(routes, ["-"], "{answer:#?}"),
        }
    }
    let (ours, asked) = answers(Whose::Ours("librdmacm"));
    assert_eq!((&ours, &asked[..]), (&without, &ASKED.map(String::from)[..]));
    // The manual page's policy has the entry of the InfiniBand family after the other, and tells a source as well where
    // none was asked for.
    let (ours, asked) = answers(Whose::Ours("man-page"));
    assert_eq!(asked, ASKED);
    for (answer, expected) in ours.iter().zip(&without) {
        assert_eq!(in_any_order(answer), in_any_order(expected));
    }
    assert_eq!(ours.len(), without.len());
    assert!(ours[0][1].starts_with("0 2 2 0x106 02000000c00002010000000000000000 "), "{:#?}", ours[0]);
}

/// An answer without the order of its entries, and without sources of addresses.
fn in_any_order(answer: &[String]) -> Vec<String> {
    let mut entries: Vec<String> = answer
        .iter()
        .map(|line| {
            let mut words: Vec<&str> = line.split(' ').collect();
            if words.len() == 8 && words[1] != "27" {
                words.remove(4);
            }
            words.join(" ")
        })
        .collect();
    entries.sort();
    entries
}
