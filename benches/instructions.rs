//! The hottest cases for callgrind, which counts their instructions: see the command `benches/instructions`.
//!
//! Run by cargo, it makes each case once and checks its answers. For the command it makes each so many times as the
//! environment says, each case in one call of [`measured`], and prints the names in their order.

use rdma_addrinfo::acm::{Decoder, Query};
use rdma_addrinfo::{
    Flags, Hints, Library, PortSpace, QpType, Resolver, Results, SockAddrBuf, resolve_literal,
};
use rdma_addrinfo_benches::{
    CHints, CLibrary, HINTS, Line, Many, OUR_C_LIBRARY, RANDOM, Routes, World, c_hints, dgid, fill, left_out,
    message, our_c_library, path, random_ipv4, random_ipv6, random_ports, walk, walk_checked,
};
use rdma_addrinfo_core::text;
use rdma_addrinfo_core::{AddrInfoList, CList};
use std::cell::RefCell;
use std::env;
use std::fmt::Write;
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Set by the command: how often each case is made.
const ROUNDS: &str = "RDMA_ADDRINFO_BENCH_ROUNDS";

/// A name, and what makes the case: it takes the number of rounds, and panics if an answer is wrong.
type Case<'a> = (&'static str, Box<dyn FnMut(usize) + 'a>);

fn main() {
    let built = our_c_library();
    let known = built.as_deref().map(|path| (OUR_C_LIBRARY, path)).ok();
    let world = World::enter_knowing(known).expect("the benchmark starts");
    let counted = env::var(ROUNDS).ok().map(|rounds| rounds.parse().expect("a number"));
    let rounds = counted.unwrap_or(2);
    let mut results = [Many::new(), Many::new()];
    let [few, many] = &mut results;
    let (few, many) = (fill(few, 1, Routes::No), fill(many, 64, Routes::No));
    let (mut c_few, mut c_many) = (CList::<1>::new(), CList::<64>::new());
    let (c_few, c_many) = (c_few.link(&few).as_raw(), c_many.link(&many).as_raw());
    let lists = [
        ("walking/1/ours", few, walk_checked(c_few)),
        ("walking/64/ours", many, walk_checked(c_many)),
        ("walking/64/ours_foreign", AddrInfoList::from_raw(c_many), walk_checked(c_many)),
    ];
    let mut cases = texts();
    cases.extend(lists.map(|(name, list, seen)| case(name, move || walk(black_box(list)) == seen)));
    let (first, seen) = (c_many, walk_checked(c_many));
    cases.push(case("walking/64/c_checked", move || walk_checked(black_box(first)) == seen));
    cases.extend(messages());
    let bare = Resolver::new().with_source(false).with_routes(false);
    let mut results = Results::<4>::new();
    cases.push(case("resolver/ipv4_port/ours_native_man_page_no_source_no_route", move || {
        is_right(bare.resolve_into(black_box("192.0.2.7"), black_box("7471"), &HINTS, &mut results).ok())
    }));
    match (world.binding(), world.librdmacm()) {
        (Ok(ours), Ok(theirs)) => cases.extend(binding(ours, theirs)),
        (Err(why), _) | (_, Err(why)) => left_out("the instructions of the binding", &why),
    }
    match built.and_then(|path| CLibrary::open(&path)) {
        Ok(ours) => cases.extend(c_interface(ours)),
        Err(why) => left_out("the instructions of the library for C", &why),
    }
    for (name, case) in &mut cases {
        println!("{name}");
        if counted.is_none() {
            println!("Testing instructions/{name}");
        }
        // What it keeps from one call to the next is there.
        case(2);
        measured(&mut **case, rounds);
        if counted.is_none() {
            println!("Success");
        }
    }
}

/// What callgrind counts, by the name of this function.
#[inline(never)]
fn measured(case: &mut dyn FnMut(usize), rounds: usize) {
    case(rounds);
}

fn case<'a>(name: &'static str, mut once: impl FnMut() -> bool + 'a) -> Case<'a> {
    let repeat = move |rounds| {
        let right = (0..rounds).filter(|_| once()).count();
        assert_eq!(right, rounds, "{name}");
    };
    (name, Box::new(repeat))
}

// Always inlined, so that what is counted does not depend on how often it is called.
#[inline(always)]
fn is_right(list: Option<AddrInfoList<'_>>) -> bool {
    let info = list.and_then(|list| list.first());
    info.and_then(|info| info.dst_addr()).is_some_and(|address| address.port() == 7471)
}

/// Random texts, one after the other.
fn random<'a, A: PartialEq + 'a>(
    name: &'static str,
    texts: Vec<String>,
    right: impl Fn(&str) -> A,
    read: impl Fn(&str) -> A + 'a,
) -> Case<'a> {
    let inputs: Vec<_> = texts.into_iter().map(|text| (right(&text), text)).collect();
    let mut next = 0;
    case(name, move || {
        let (right, text) = &inputs[next];
        next = (next + 1) % inputs.len();
        read(black_box(text)) == *right
    })
}

fn texts<'a>() -> Vec<Case<'a>> {
    const FULL: &str = "2001:db8:85a3:8d3:1319:8a2e:370:7348";
    const TEXT: &str = "passive,qp=rc,ps=tcp,src=192.0.2.9:7471";
    let written = HINTS.passive().with_src_addr(SockAddrBuf::inet(0xc000_0209, 7471));
    let hints = HINTS.passive().with_src_addr(SockAddrBuf::inet(1, 1));
    let literal = |name, node: &'static str| {
        let mut results = Results::<4>::new();
        case(name, move || {
            is_right(resolve_literal(black_box(node), black_box("7471"), &HINTS, &mut results).ok())
        })
    };
    let results = RefCell::new(Results::<4>::new());
    vec![
        random(
            "literal_parse/ipv4_random/ours",
            random_ipv4(RANDOM),
            |text| text.parse().ok().map(Ipv4Addr::to_bits),
            |text| text::ipv4(text.as_bytes()),
        ),
        random(
            "literal_parse/ipv6_random/ours",
            random_ipv6(RANDOM),
            |text| text.parse().ok().map(Ipv6Addr::to_bits),
            |text| text::ipv6(text.as_bytes()),
        ),
        random(
            "literal_parse/port_random/ours",
            random_ports(RANDOM),
            |text| text.parse().ok(),
            |text| text::port(text.as_bytes()),
        ),
        literal("resolve_literal/ipv4_port/ours", "192.0.2.7"),
        literal("resolve_literal/ipv6_short_port/ours", "2001:db8::7"),
        literal("resolve_literal/ipv6_full_port/ours", FULL),
        random(
            "resolve_literal/ipv6_random/ours",
            random_ipv6(RANDOM),
            |text| text.parse::<IpAddr>().ok(),
            {
                move |node| {
                    let mut results = results.borrow_mut();
                    let list = resolve_literal(node, "7471", &HINTS, &mut *results).ok()?;
                    list.first()?.dst_addr()?.ip()
                }
            },
        ),
        case("hints/validate/ours", move || black_box(&hints).validate().is_ok()),
        case("hints/parse/ours", || {
            let hints = Hints::parse(black_box(TEXT));
            hints.is_ok_and(|hints| hints.qp_type() == QpType::RC && hints.port_space() == PortSpace::TCP)
        }),
        case("hints/write/ours", move || {
            let mut line = Line::new();
            write!(line, "{}", black_box(&written)).is_ok() && line.as_bytes() == TEXT.as_bytes()
        }),
    ]
}

/// Requests and replies of ibacm.
fn messages<'a>() -> Vec<Case<'a>> {
    const ID: u64 = 7;
    let destination = Ipv4Addr::new(192, 0, 2, 7);
    let query = Query { destination: Some(destination.into()), ..Query::default() };
    let reply = message(ID, path(destination));
    vec![
        case("ibacm/encode/ours", move || black_box(&query).to_request(ID).as_bytes().len() == 88),
        case("ibacm/decode/ours", move || {
            let mut decoder = Decoder::new(ID);
            let path = decoder.push(black_box(&reply)).ok().and_then(|_| decoder.reply()?.paths().next());
            path.is_some_and(|path| path.dgid().to_bits() == dgid(destination))
        }),
    ]
}

/// librdmacm through us, and as C has it, all fields read.
fn binding<'a>(ours: Library, theirs: CLibrary) -> Vec<Case<'a>> {
    const NUMERIC: Hints<'_> = HINTS.numeric_host();
    let c_numeric = c_hints(Flags::NUMERIC_HOST);
    let seen = move || {
        let list = theirs.getaddrinfo(black_box(c"192.0.2.7"), black_box(c"7471"), Some(&c_numeric));
        list.map(|list| walk_checked(list.first())).ok()
    };
    let right = seen();
    vec![
        case("binding/ipv4_port/ours_librdmacm", move || {
            let list = ours.getaddrinfo(black_box(c"192.0.2.7"), black_box(c"7471"), &NUMERIC);
            list.map(|list| walk(list.list())).ok() == right
        }),
        case("binding/ipv4_port/c_checked", move || seen() == right),
    ]
}

/// The library for C, called as C does: a list is made and freed.
fn c_interface<'a>(ours: CLibrary) -> Vec<Case<'a>> {
    let numeric = c_hints(Flags::NUMERIC_HOST);
    let is_right = move |hints: Option<&CHints>| {
        let list = ours.getaddrinfo(black_box(c"192.0.2.7"), black_box(c"7471"), hints);
        list.is_ok_and(|list| {
            let to = list.first().and_then(|info| info.dst_addr());
            to.is_some_and(|to| to.port() == 7471)
        })
    };
    vec![
        case("c_interface/ipv4_port_numeric_host/ours_c", move || is_right(Some(&numeric))),
        case("c_interface/ipv4_port_no_hints/ours_c", move || is_right(None)),
    ]
}
