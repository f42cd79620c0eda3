//! Hints from C: pointers and lengths that do not fit are refused at their field, all else is taken as it is, and
//! whatever was taken resolves by the rules.
#![allow(unsafe_code)]

use crate::c_struct::{Part, Parts};
use crate::draw::Draw;
use crate::resolve;
use crate::script::Answers;
use rdma_addrinfo_core::{
    Environment, Error, ErrorKind, Field, HeapResults, Hints, Location, Policy, RawAddrInfo, Reason, Request,
    SockAddrBuf, Text,
};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let parts = Parts::draw(&mut draw);
    let mut raw = parts.to_c();
    // Nobody follows hints to a next one.
    let this = &raw mut raw;
    // SAFETY: `this` points to the local, which nothing else refers to.
    unsafe { (*this).ai_next = this };
    // SAFETY: `this` is aligned and initialized, and nobody writes to the local as long as the view lives. Each part
    // is null, of no length or of one that no memory has, or as many bytes as its length, which `parts` owns; names are
    // C strings of its own.
    let foreign = unsafe { RawAddrInfo::from_ptr(this) }.expect("not null");

    let read = Hints::from_raw(foreign);
    match fault(&parts) {
        Some((field, reason)) => {
            let right = Error::new(ErrorKind::Invalid).because(reason).at(Location::Hints(field));
            assert_eq!(read, Err(right));
        }
        None => {
            let hints = read.expect("nothing is at fault");
            as_given(&parts, &hints);
            resolves(&mut draw, &hints);
        }
    }
}

/// What is refused first.
fn fault(parts: &Parts) -> Option<(Field, Reason)> {
    if matches!(parts.route, Part::Beyond) {
        return Some((Field::Route, Reason::RouteHintLength));
    }
    let all = [(&parts.src, Field::Source), (&parts.dst, Field::Destination), (&parts.route, Field::Route)];
    let null = all.iter().find(|(part, _)| matches!(part, Part::NullWithLength(_)));
    if let Some((_, field)) = null {
        return Some((*field, Reason::NullWithLength));
    }
    let [addresses @ .., _] = all;
    let wrong = addresses.iter().find(|(part, _)| part.bytes().is_some_and(|bytes| !is_address(bytes)));
    wrong.map(|(_, field)| (*field, Reason::SockAddrLength))
}

fn is_address(bytes: &[u8]) -> bool {
    let [a, b, ..] = bytes else { return false };
    matches!((u16::from_ne_bytes([*a, *b]), bytes.len()), (2, 16) | (10, 28) | (27, 48))
}

fn as_given(parts: &Parts, hints: &Hints<'_>) {
    let words = [
        hints.flags().to_raw(),
        hints.family().to_raw(),
        hints.qp_type().to_raw(),
        hints.port_space().to_raw(),
    ];
    assert_eq!(words, parts.words);
    let told = |address: &SockAddrBuf| address.get().map(|address| address.as_bytes().to_vec());
    assert_eq!(told(hints.src_addr()), parts.src.bytes().map(<[u8]>::to_vec));
    assert_eq!(told(hints.dst_addr()), parts.dst.bytes().map(<[u8]>::to_vec));
    let route = parts.route.bytes().unwrap_or_default();
    assert_eq!(hints.route(), route);
    if !route.is_empty() {
        assert_eq!(hints.route().as_ptr().cast(), parts.route.pointer().cast_const(), "borrowed, not copied");
    }
}

fn resolves(draw: &mut Draw<'_>, hints: &Hints<'_>) {
    let node =
        draw.pick(&[None, Some("192.0.2.7"), Some("2001:db8::7"), Some("fe80::7%ib0"), Some("storage-7")]);
    let service = draw.pick(&[None, Some("7471"), Some("service-7"), Some("70000")]);
    let mut environment = Environment::new();
    environment.af_ib = draw.byte() % 2 == 1;
    let answers = draw.some(64);
    for policy in [Policy::MAN_PAGE, Policy::LIBRDMACM] {
        let request = Request::new(Text::from(node), Text::from(service), hints);
        let request = request.with_policy(policy).with_environment(environment);
        let mut room = HeapResults::new();
        let found = Answers::new(&answers).drive(request, &mut room);
        let strict = policy == Policy::MAN_PAGE;
        match found {
            Ok(list) => {
                resolve::list(list, strict);
                // RAI_SA is looked at before the other hints.
                if strict {
                    assert_eq!(hints.validate(), Ok(()));
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
