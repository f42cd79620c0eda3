//! What siblings have in common: traits of the public types, and one word for an address that is absent.

use core::fmt::{Debug, Display};
use core::hash::{BuildHasher, Hash};
use rdma_addrinfo_core::abi::{ibv_path_data, ibv_path_record, sockaddr_ib, sockaddr_in, sockaddr_in6};
use rdma_addrinfo_core::text::{Grammar, Node, Service, Zone};
use rdma_addrinfo_core::{
    AddrInfo, AddrInfoIter, AddrInfoList, Addresses, CCode, CList, CListRef, Environment, Error, ErrorKind,
    Family, Field, Flags, Found, Gid, Hints, IbEntryOrder, Location, Lookup, Mtu, NoRoute, PacketLifeTime,
    PathData, PathFlags, PathRecord, Pkey, Policy, PortSpace, Protocol, QpType, Rate, RawAddrInfo, Reason,
    Request, Results, RouteHint, RouteStatus, Rules, Selector, ServiceId, ServiceText, SockAddrBuf,
    SockAddrRef, Step, Text, acm,
};
use std::hash::RandomState;

const fn thread_safe<T: Send + Sync + Debug>() {}

/// A value: copied, compared, a key of a map, and of any thread.
const fn value<T: Copy + Eq + Hash + Send + Sync + Debug>() {}

/// A value that users read.
const fn displayed<T: Display + Send + Sync>() {}

macro_rules! each {
    ($check:ident: $($ty:ty),+ $(,)?) => { const _: () = { $($check::<$ty>();)+ }; };
}

each!(value: Addresses, CCode, Environment, Error, ErrorKind, Family, Field, Flags, Found, Gid, Grammar, Hints<'_>);
each!(value: IbEntryOrder, Location, Mtu, NoRoute, Node<'_>, PacketLifeTime, PathData, PathFlags, PathRecord, Pkey);
each!(value: Policy, PortSpace, Protocol, QpType, Rate, Reason, Request<'_>, RouteHint<'_>, RouteStatus, Rules);
each!(value: Selector, Service<'_>, ServiceId, ServiceText<'_>, SockAddrBuf, SockAddrRef<'_>, Text<'_>, Zone<'_>);
each!(value: acm::Backoff, acm::BackoffConfig, acm::ReplyError, acm::ReplyErrorKind, acm::Status);
each!(value: ibv_path_data, ibv_path_record, sockaddr_ib, sockaddr_in, sockaddr_in6);
each!(thread_safe: AddrInfo<'_>, AddrInfoIter<'_>, AddrInfoList<'_>, CList<4>, CListRef<'_>, Lookup<'_, '_>);
each!(thread_safe: RawAddrInfo<'_>, Results<4>, Step<'_, '_>, acm::Decoder, acm::Query, acm::Reply, acm::Request);
each!(displayed: Error, ErrorKind, Family, Flags, Gid, Hints<'_>, PathData, PathFlags, PathRecord, Pkey, PortSpace);
each!(displayed: QpType, RouteStatus, NoRoute, ServiceId, SockAddrBuf, SockAddrRef<'_>, AddrInfo<'_>);

/// Two that are equal have one hash, however they were made.
#[test]
fn equal_values_have_one_hash() {
    let state = RandomState::new();
    let same = |a: &SockAddrBuf, b: &SockAddrBuf| (a == b, state.hash_one(a) == state.hash_one(b));
    let [a, b] = ["192.0.2.7:7471", "192.0.2.7:7472"].map(|text| text.parse::<SockAddrBuf>().unwrap());
    assert_eq!(same(&a, &SockAddrBuf::inet(0xc000_0207, 7471)), (true, true));
    assert_eq!(same(&a, &b), (false, false));
    // A long address that a short one took the place of leaves nothing behind.
    let long: SockAddrBuf = "[2001:db8::7]:7471".parse().unwrap();
    assert_eq!(same(&long, &a), (false, false));

    let (text, c_text) = (Text::from("storage-7"), Text::from(c"storage-7"));
    assert_eq!((text, state.hash_one(text)), (c_text, state.hash_one(c_text)));
    assert_ne!(state.hash_one(Text::NONE), state.hash_one(Text::from("")));

    let hints = Hints::new().with_src_addr(a).with_family(Family::INET);
    let parsed = Hints::parse("family=inet,src=192.0.2.7:7471").unwrap();
    assert_eq!((hints, state.hash_one(hints)), (parsed, state.hash_one(parsed)));
    let [one, other] = [&hints, &parsed].map(|hints| Request::new("storage-7", 7471, hints));
    assert_eq!((one, state.hash_one(one)), (other, state.hash_one(other)));
    assert_ne!(one, one.with_routes(!one.routes()));
}

/// An address that is absent is `*`, alone and in a result.
#[test]
fn an_absent_address_is_a_star() {
    assert_eq!(SockAddrBuf::NONE.to_string(), "*");
    assert_eq!(format!("{:?}", SockAddrBuf::default()), "*");
    let mut results = Results::<1>::new();
    let request = Request::new("192.0.2.7", 7471, None).with_policy(Policy::MAN_PAGE);
    let list = request.resolve_literal(&mut results).unwrap();
    assert_eq!(list.first().unwrap().to_string(), "inet rc/tcp * -> 192.0.2.7:7471");
}
