//! Whole resolutions with arbitrary answers: the steps end, lists keep the rules, the room does not change them.

use crate::script::Script;
use rdma_addrinfo_core::{
    AddrInfo, AddrInfoList, CList, Error, ErrorKind, Family, Flags, HeapResults, Policy, Request, Results,
    Step, start,
};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let script = Script::new(bytes);
    let mut room = [0; 288];
    let Some(hints) = script.hints(&mut room) else { return };
    let request = script.request(hints.as_ref());

    let mut unbounded = HeapResults::new();
    let whole = script.answers().drive(request, &mut unbounded);
    if let Ok(found) = whole {
        list(found, script.is_strict());
    }
    // The same into little room, and into room that has been used.
    bounded(&script.answers().drive(request, &mut Results::<1, 0>::new()), &whole);
    bounded(&script.answers().drive(request, &mut Results::<2, 1>::new()), &whole);
    let mut used = Results::<3, 4>::new();
    for _ in 0..2 {
        bounded(&script.answers().drive(request, &mut used), &whole);
    }
    literal(request);
}

/// A list that had all the room it wants keeps the rules.
pub(crate) fn list(list: AddrInfoList<'_>, strict: bool) {
    assert!(!list.is_truncated() && !list.is_empty());
    list.iter().for_each(|info| sides(info, strict));
    list.iter().for_each(connect_data);
    linked(list);
}

/// The list is the whole one, or says that it is cut short.
pub(crate) fn bounded(bounded: &Result<AddrInfoList<'_>, Error>, whole: &Result<AddrInfoList<'_>, Error>) {
    match (bounded, whole) {
        (Ok(list), Ok(whole)) => {
            let (list_len, whole_len) = (list.len(), whole.len());
            assert!(list_len == whole_len || (list.is_truncated() && list_len < whole_len));
            // In the same order, with gaps where an AF_IB entry is left out.
            let mut all = whole.iter();
            for info in list.iter() {
                let whole = all.find(|whole| !list.is_truncated() || fields(*whole) == fields(info));
                let whole = whole.expect("it is one of the whole list");
                assert_eq!(fields(info), fields(whole));
                // Paths and names can be left out for lack of room.
                assert!(list.is_truncated() || rest(info) == rest(whole));
            }
        }
        (Err(error), Err(whole)) => assert!(error == whole || error.kind() == ErrorKind::Memory),
        (Err(error), Ok(_)) => assert_eq!(error.kind(), ErrorKind::Memory),
        (Ok(list), Err(whole)) => panic!("{list:?} where more room gives {whole:?}"),
    }
}

/// The literals of a request are the same at once and by steps.
fn literal(request: Request<'_>) {
    let (mut at_once, mut by_steps) = (HeapResults::new(), HeapResults::new());
    match (request.resolve_literal(&mut at_once), start(request, &mut by_steps)) {
        (Err(error), Step::Lookup(_) | Step::FindScope(_) | Step::FindService(_)) => {
            assert_eq!(error.kind(), ErrorKind::NotLiteral)
        }
        (Err(error), Step::Done(Err(right))) => assert_eq!(error, right),
        (Ok(_), Step::Done(Err(error))) => panic!("at once, but by steps {error:?}"),
        (at_once, _) => {
            let mut silent = HeapResults::new();
            // Answers without a route and without a source.
            let by_steps = Script::new(b"").answers().drive(request, &mut silent);
            match (at_once, by_steps) {
                (Ok(at_once), Ok(by_steps)) => {
                    assert!(at_once.iter().map(fields).eq(by_steps.iter().map(fields)));
                }
                (at_once, by_steps) => assert_eq!(at_once.err(), by_steps.err()),
            }
        }
    }
    let _ = request.with_policy(Policy::LIBRDMACM).resolve_literal(&mut Results::<1>::new());
}

/// By the manual page each side is of the entry's family, and a passive entry has no destination.
fn sides(info: AddrInfo<'_>, strict: bool) {
    let (src, dst) = (info.src_addr(), info.dst_addr());
    if strict {
        assert!(src.is_some() || dst.is_some());
        assert!([src, dst].iter().flatten().all(|side| side.family() == info.family()), "{info}");
        assert!(!info.is_passive() || dst.is_none(), "{info}");
        assert!(Flags::PASSIVE.contains(info.flags()) || info.flags() == Flags::SA, "{info}");
        assert!(info.user_private_data().is_some(), "{info}");
    }
    let needs_scope = [src, dst].iter().flatten().any(|side| side.needs_scope());
    assert_eq!(info.needs_scope(), needs_scope);
    assert!(info.to_string().contains(" -> "));
}

/// Connect data is that of an AF_IB entry, and an IP header's length.
fn connect_data(info: AddrInfo<'_>) {
    match info.connect_data() {
        [] => {}
        [0, version, 0, 0, addresses @ ..] => {
            assert!(info.family() == Family::IB && addresses.len() == 32, "{info}");
            let unused = |address: &[u8]| address[..12] == [0; 12];
            match version {
                0x40 => assert!(addresses.chunks(16).all(unused)),
                version => assert_eq!(*version, 0x60),
            }
        }
        other => panic!("{other:?}"),
    }
}

/// The C list tells the same.
fn linked(list: AddrInfoList<'_>) {
    let mut room = CList::<64>::new();
    let linked = room.link(&list);
    let c_list = AddrInfoList::from_raw(linked.as_raw());
    assert!(c_list.iter().map(fields).eq(list.iter().map(fields)));
    assert!(c_list.iter().map(rest).eq(list.iter().map(rest)));
}

pub(crate) fn fields<'a>(info: AddrInfo<'a>) -> impl PartialEq + std::fmt::Debug + use<'a> {
    (
        (info.flags(), info.family(), info.qp_type(), info.port_space()),
        (info.src_addr(), info.dst_addr(), info.connect_data()),
    )
}

pub(crate) fn rest<'a>(info: AddrInfo<'a>) -> impl PartialEq + std::fmt::Debug + use<'a> {
    (info.route_bytes(), info.src_canonname(), info.dst_canonname())
}
