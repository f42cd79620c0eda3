//! `Policy::LIBRDMACM` against recorded answers of the C library, byte for byte.
//!
//! `oracle/cases.tsv` holds inputs of `rdma_getaddrinfo(3)`, `oracle/librdmacm-65.jsonl` what librdmacm 65.0 answered
//! on a little-endian machine with Soft-RoCE, where loopback has IPv4 and IPv6; the rows are joined by their first
//! column. `oracle/unsafe.tsv` holds inputs whose answer by the C library is no model: it reads stray memory there,
//! mixes families or crashes; `oracle/unsafe-right.jsonl` holds the right answers.
//!
//! Every answer of ours is written as a line of that file, so that what is compared is the whole answer.
#![cfg(target_endian = "little")]
#![allow(unsafe_code)]

#[path = "oracle/hex.rs"]
mod hex;
#[path = "oracle/parts.rs"]
mod parts;

use hex::{hex, unhex};
use parts::entry;
use rdma_addrinfo_core::abi::{EAI_ADDRFAMILY, EAI_NONAME, EAI_SERVICE, rdma_addrinfo};
use rdma_addrinfo_core::acm::{self, Decoder};
use rdma_addrinfo_core::{
    AddrInfoList, CCode, CList, Environment, Error, ErrorKind, Found, Hints, NoRoute, Policy, RawAddrInfo,
    Request, Results, Step, start,
};
use std::collections::BTreeSet;
use std::ffi::c_void;

const CASES: &str = include_str!("oracle/cases.tsv");
const UNSAFE: &str = include_str!("oracle/unsafe.tsv");
const ANSWERS: &str = include_str!("oracle/librdmacm-65.jsonl");
const RIGHT: &str = include_str!("oracle/unsafe-right.jsonl");

/// One input.
struct Case {
    id: &'static str,
    node: Option<&'static str>,
    service: Option<&'static str>,
    /// Flags, family, QP type, port space.
    hints: Option<[i32; 4]>,
    src: Vec<u8>,
    dst: Vec<u8>,
    route: Vec<u8>,
    /// What ibacm replies, empty where there is none.
    reply: Vec<u8>,
}

impl Case {
    fn read(id: &'static str, columns: &[&'static str]) -> Self {
        let [node, service, hints, src, dst, route, reply] = columns else { panic!("columns of {id}") };
        let text = |text: &'static str| (text != "NULL").then_some(text);
        let words = |words: &str| {
            let words: Vec<i32> = words.split(',').map(|word| word.parse().unwrap()).collect();
            words.try_into().unwrap()
        };
        Self {
            id,
            node: text(node),
            service: text(service),
            hints: (*hints != "none").then(|| words(hints)),
            src: unhex(src),
            dst: unhex(dst),
            route: unhex(route),
            reply: unhex(reply),
        }
    }

    /// The hints as a C caller gives them.
    fn c_hints(&self) -> Option<rdma_addrinfo> {
        let [ai_flags, ai_family, ai_qp_type, ai_port_space] = self.hints?;
        let pointer = |bytes: &[u8]| -> *mut c_void {
            if bytes.is_empty() { std::ptr::null_mut() } else { bytes.as_ptr().cast_mut().cast() }
        };
        Some(rdma_addrinfo {
            ai_flags,
            ai_family,
            ai_qp_type,
            ai_port_space,
            ai_src_len: u32::try_from(self.src.len()).unwrap(),
            ai_dst_len: u32::try_from(self.dst.len()).unwrap(),
            ai_src_addr: pointer(&self.src),
            ai_dst_addr: pointer(&self.dst),
            ai_route_len: self.route.len(),
            ai_route: pointer(&self.route),
            ..rdma_addrinfo::ZERO
        })
    }

    /// The same hints from the builder.
    fn built_hints(&self) -> Option<Hints<'_>> {
        Some(parts::hints(self.hints?, &self.src, &self.dst, &self.route))
    }
}

/// The columns of each row.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// An outcome as a line of the recorded answers, with what ibacm was sent.
fn line(id: &str, sent: &str, outcome: Result<AddrInfoList<'_>, Error>) -> String {
    let list = match outcome.map_err(|error| error.to_c()) {
        Ok(list) => list,
        Err(CCode::Eai(ret)) => return format!(r#"{{"id":"{id}","ret":{ret}}}"#),
        Err(CCode::Errno(errno)) => return format!(r#"{{"id":"{id}","ret":-1,"errno":{errno}}}"#),
    };
    assert!(!list.is_truncated(), "{id}");
    let entries: Vec<String> = list.iter().map(entry).collect();
    let sent = if sent.is_empty() { String::new() } else { format!(r#""acm_request":"{sent}","#) };
    format!(r#"{{"id":"{id}","ret":0,{sent}"entries":[{}]}}"#, entries.join(","))
}

/// What a driver was asked.
#[derive(Default)]
struct Asked {
    lookups: BTreeSet<[String; 2]>,
    scopes: BTreeSet<String>,
    services: BTreeSet<String>,
    /// What ibacm was sent, its transaction id zeroed as that of the C library is.
    sent: String,
}

impl Asked {
    fn nothing(&self) -> bool {
        self.lookups.is_empty() && self.scopes.is_empty() && self.services.is_empty()
    }

    /// What becomes of a request to an ibacm that sends `reply` with the request's transaction id, some bytes at a
    /// time, and hangs up.
    fn ibacm(&mut self, request: &acm::Request, mut reply: Vec<u8>) -> Result<acm::Reply, NoRoute> {
        let id = request.transaction_id().to_ne_bytes();
        let mut sent = request.as_bytes().to_vec();
        assert_eq!(sent[8..16], id);
        sent[8..16].fill(0);
        assert_eq!(std::mem::replace(&mut self.sent, hex(&sent)), "", "one question");
        reply[8..16].copy_from_slice(&id);

        let id = request.transaction_id();
        let whole = read([&reply[..]], id);
        for at in 1..reply.len() {
            assert_eq!(read(reply.chunks(at), id), whole, "in pieces of {at}");
            assert_eq!(read([&reply[..at], &reply[at..]], id), whole, "cut at {at}");
        }
        whole.map_err(NoRoute::InvalidReply)
    }
}

/// Reads the pieces of a reply.
fn read<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    transaction_id: u64,
) -> Result<acm::Reply, acm::ReplyError> {
    let mut decoder = Decoder::new(transaction_id);
    for piece in pieces {
        assert_eq!(decoder.push(piece)?, piece.len());
    }
    decoder.reply().cloned().ok_or(decoder.cut_short())
}

/// Drives a resolution on a machine whose only interface is `lo` with index 1, and that knows no host names, no
/// services, and the route that `reply` tells, if that is not empty.
fn drive<'r>(
    request: Request<'_>,
    reply: &[u8],
    results: &'r mut Results<2>,
    asked: &mut Asked,
) -> Result<AddrInfoList<'r>, Error> {
    let text = |bytes: Option<&[u8]>| String::from_utf8(bytes.unwrap_or(b"NULL").to_vec()).unwrap();
    let mut step = start(request, results);
    loop {
        step = match step {
            Step::Lookup(ask) => {
                asked.lookups.insert([text(ask.node().bytes()), text(ask.service().bytes())]);
                // As getaddrinfo, which looks at the service first.
                let code = if ask.service().bytes().is_some() { EAI_SERVICE } else { EAI_NONAME };
                ask.answer(Err::<[Found; 0], _>(Error::from_getaddrinfo(code, 0)))
            }
            Step::FindScope(ask) => {
                asked.scopes.insert(text(Some(ask.name())));
                let index = (ask.name() == b"lo").then_some(1);
                ask.answer(index)
            }
            Step::FindRoute(ask) if reply.is_empty() => ask.no_route(NoRoute::Unavailable),
            Step::FindRoute(ask) => match asked.ibacm(&ask.request(0x0123_4567_89ab_cdef), reply.to_vec()) {
                Ok(reply) => ask.answer(&reply),
                Err(reason) => ask.no_route(reason),
            },
            // The recording machine had no InfiniBand port.
            Step::FindService(ask) => {
                asked.services.insert(format!("{:?}", ask.service()));
                ask.fail(ErrorKind::NoDevice)
            }
            Step::FindSource(_) => panic!("the C library finds no source"),
            Step::Done(outcome) => return outcome,
        };
    }
}

/// Our answer to a case as a line, from hints as C gives them.
fn answer(case: &Case, asked: &mut Asked) -> String {
    let c_hints = case.c_hints();
    // SAFETY: the structure is initialized and lives until the end of this function; its pointers are null or lead
    // to vectors of the case that hold as many bytes as the lengths say; names and the next structure are null.
    let foreign = c_hints.as_ref().and_then(|hints| unsafe { RawAddrInfo::from_ptr(hints) });
    let hints = foreign.map(|foreign| Hints::from_raw(foreign).unwrap());
    assert_eq!(hints, case.built_hints(), "{}", case.id);

    let mut environment = Environment::new();
    environment.af_ib = true;
    let request = Request::new(case.node, case.service, hints.as_ref())
        .with_policy(Policy::LIBRDMACM)
        .with_environment(environment);
    let mut results = Results::new();
    let outcome = drive(request, &case.reply, &mut results, asked);
    let answer = line(case.id, &asked.sent, outcome);
    if let Ok(list) = outcome {
        let mut c_list = CList::<2>::new();
        let linked = AddrInfoList::from_raw(c_list.link(&list).as_raw());
        assert_eq!(line(case.id, &asked.sent, Ok(linked)), answer, "read back from a C list");
    }

    // Without a route the steps come to what a literal is.
    let (mut results, mut without) = (Results::<2>::new(), Results::new());
    let literal = request.resolve_literal(&mut results);
    let outcome = drive(request, &[], &mut without, &mut Asked::default());
    if asked.nothing() {
        assert_eq!(line(case.id, "", literal), line(case.id, "", outcome), "resolve_literal");
    } else {
        assert_eq!(literal.map_err(|error| error.kind()).err(), Some(ErrorKind::NotLiteral), "{}", case.id);
    }
    answer
}

#[test]
fn answers_are_those_of_the_c_library() {
    let recorded: Vec<&str> = ANSWERS.lines().collect();
    let rows: Vec<_> = rows(CASES).collect();
    assert_eq!((rows.len(), recorded.len()), (751, 751));
    let mut wrong = Vec::new();
    let (mut compared, mut literals, mut with_reply, mut with_route) = (0, 0, 0, 0);
    let mut all = Asked::default();
    let mut ids = BTreeSet::new();
    for (row, recorded) in rows.iter().zip(recorded) {
        let case = Case::read(row[0], &row[1..]);
        assert!(recorded.starts_with(&format!(r#"{{"id":"{}","#, case.id)), "{} is {recorded}", case.id);
        assert!(ids.insert(case.id), "{} twice", case.id);
        with_reply += usize::from(!case.reply.is_empty());
        let mut asked = Asked::default();
        let ours = answer(&case, &mut asked);
        if ours != recorded {
            wrong.push(format!("{row:?}\n   ours {ours}\n    its {recorded}"));
        }
        compared += 1;
        literals += usize::from(asked.nothing());
        with_route += usize::from(ours.contains(r#""family":27"#) && !asked.sent.is_empty());
        all.lookups.append(&mut asked.lookups);
        all.scopes.append(&mut asked.scopes);
        all.services.append(&mut asked.services);
    }
    assert!(wrong.is_empty(), "{} of {compared} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((compared, literals, with_reply, with_route), (751, 683, 119, 81));

    // What the driver has to know of a machine; it could not tell another from the one where this was recorded.
    let names = [
        " 192.0.2.1",
        "1.2.3.4.5",
        "192.0.2.1 ",
        "192.0.2.1.",
        "1:2:3:4:5:6:7",
        "1::2::3",
        "4294967296",
        "::1.2.3",
        "[2001:db8::1]",
        "[::1]",
        "no-such-host.invalid",
    ];
    let services = ["-1", "0x50", "80 ", "99999999999999999999", "nosuchservice"];
    let names = names.map(|name| [name.to_owned(), "NULL".to_owned()]);
    let services = services.map(|service| ["NULL".to_owned(), service.to_owned()]);
    assert_eq!(all.lookups, names.into_iter().chain(services).collect());
    assert_eq!(all.scopes, ["%lo", "lo", "lo ", "nosuchif0"].map(str::to_owned).into());
    assert_eq!(all.services, ["Id(0x0000000000001d2f)"].map(str::to_owned).into());
}

#[test]
fn where_the_c_library_is_no_model() {
    let (mut compared, mut with_reply, mut with_route) = (0, 0, 0);
    assert_eq!(RIGHT.lines().count(), rows(UNSAFE).count());
    for (row, right) in rows(UNSAFE).zip(RIGHT.lines()) {
        let case = Case::read(row[0], &row[2..]);
        let mut asked = Asked::default();
        let answer = answer(&case, &mut asked);
        assert!(asked.nothing());
        // The file is for those who have no such rules at hand as are below.
        assert_eq!(answer, right);
        if !case.reply.is_empty() {
            // Each of these is an address without a source, asked about without hints of use.
            let entries = right_entries(row[1], &case);
            let right = format!(
                r#"{{"id":"{}","ret":0,"acm_request":"{}","entries":[{}]}}"#,
                case.id,
                request_for(case.node.unwrap()),
                entries.join(",")
            );
            assert_eq!(answer, right, "{}", row[1]);
            with_reply += 1;
            with_route += usize::from(entries.len() == 2);
            continue;
        }
        // It takes the bytes of an IPv4 address, and heap bytes behind them, for a GID.
        assert_eq!(row[1], "an IPv4 address read as IPv6: stray heap bytes");
        assert_eq!(case.node, Some("192.0.2.1"));
        assert_eq!(answer, format!(r#"{{"id":"{}","ret":{EAI_ADDRFAMILY}}}"#, case.id));
        compared += 1;
    }
    assert_eq!((compared, with_reply, with_route), (17, 10, 7));
}

/// The bytes of the two destinations in hex, IPv4 and IPv6.
fn destination(node: &str) -> (&'static str, &'static str, &'static str) {
    match node {
        "192.0.2.1" => ("2", "c0000201", "02001d2fc00002010000000000000000"),
        "2001:db8::1" => (
            "10",
            "20010db8000000000000000000000001",
            "0a001d2f0000000020010db800000000000000000000000100000000",
        ),
        other => panic!("{other} is no destination of these rows"),
    }
}

/// A request with a destination alone, without delay because the node is numeric.
fn request_for(node: &str) -> String {
    let (_, address, _) = destination(node);
    let kind = if address.len() == 8 { "0200" } else { "0300" };
    format!("01010000000058000000000000000000{:0<144}", format!("02000040{kind}0000{address}"))
}

/// What is right where the C library is wrong: all paths of the reply and no others; no source of another family; a
/// AF_IB entry without connect data where there is no source; and nothing of a reply that is not valid.
fn right_entries(wrong: &str, case: &Case) -> Vec<String> {
    let valid = match wrong {
        "a path without a source: null pointer read"
        | "source and destination of different families in one entry"
        | "paths are taken from where they are not"
        | "a source of the other family is taken" => true,
        "stray bytes stay in the stream for the next call" | "opcode not looked at" => false,
        other => panic!("{other}?"),
    };
    let paths: Vec<Vec<u8>> = case.reply[16..]
        .chunks(72)
        .filter(|entry| valid && entry[4..6] == [0x10, 0])
        .map(|entry| [&entry[..4], &[0; 4], &entry[8..]].concat())
        .collect();
    let route = hex(&paths.concat());
    let (family, _, dst) = destination(case.node.unwrap());
    let entry = |family: &str, src: &str, dst: &str| {
        format!(
            r#"{{"flags":0,"family":{family},"qp_type":2,"port_space":262,"src":"{src}","dst":"{dst}","route":"{route}","connect":"","canonnames":0}}"#
        )
    };
    let mut entries = Vec::new();
    if let Some(path) = paths.first() {
        let path = hex(&path[8..]);
        let (dgid, sgid, pkey, flow) = (&path[16..48], &path[48..80], &path[100..104], &path[88..94]);
        let end =
            |gid: &str, sid_and_mask: &str| format!("1b00{pkey}00{flow}{gid}{sid_and_mask}0000000000000000");
        entries.push(entry(
            "27",
            &end(sgid, "0000000001060000ffffffffffff0000"),
            &end(dgid, "0000000001061d2fffffffffffffffff"),
        ));
    }
    entries.push(entry(family, "", dst));
    entries
}

/// No node stands for an IPv4 address in the C library where loopback has no IPv6, and always if passive; it takes
/// that for a GID as well.
#[test]
fn a_gid_of_no_node_is_the_wildcard_or_loopback() {
    let spaces = [
        // Of the hints; QP type and port space of the answer; the service ID without the port.
        (0, 2, 0x106, "0000000001060000"),
        (0x106, 2, 0x106, "0000000001060000"),
        (0x111, 4, 0x111, "0000000001110000"),
        (0x13f, 2, 0x13f, "00000000013f0000"),
        (2, 4, 2, "0000000000020000"),
    ];
    for (port_space, qp_type, answered, sid) in spaces {
        for (flags, gid) in [(0xa, 1), (0xb, 0)] {
            for (service, port, mask) in
                [("7471", "1d2f", "ffffffffffffffff"), ("0", "0000", "ffffffffffff0000")]
            {
                let id = "gid-of-none";
                let hints = format!("{flags},27,0,{port_space}").leak();
                let case = Case::read(id, &["NULL", service, hints, "-", "-", "-", "-"]);
                let address = format!("1b00ffff00000000{gid:032x}{}{port}{mask}0000000000000000", &sid[..12]);
                let passive = flags & 1;
                let (src, dst) = if passive == 1 { (address.as_str(), "") } else { ("", address.as_str()) };
                let expected = format!(
                    r#"{{"id":"{id}","ret":0,"entries":[{{"flags":{passive},"family":27,"qp_type":{qp_type},"port_space":{answered},"src":"{src}","dst":"{dst}","route":"","connect":"","canonnames":0}}]}}"#
                );
                assert_eq!(answer(&case, &mut Asked::default()), expected);
            }
        }
    }
}
