//! The shape of what is serialized, key by key and in order.
#![allow(unsafe_code, reason = "makes a foreign entry")]

use rdma_addrinfo_core::abi::rdma_addrinfo;
use rdma_addrinfo_core::{
    AddrInfo, Error, ErrorKind, Family, Flags, Gid, Hints, Mtu, NoRoute, PacketLifeTime, PathData, PathFlags,
    Pkey, PortSpace, QpType, Rate, RawAddrInfo, Reason, Results, RouteStatus, Selector, ServiceId,
    SockAddrBuf, SockAddrRef, resolve_literal,
};
use serde_core::Serialize;
use std::net::SocketAddr;

fn json(value: impl Serialize) -> String {
    serde_json::to_string(&value).expect("JSON")
}

#[test]
fn words_are_their_text() {
    assert_eq!(json([Family::INET, Family::from_raw(99), Family::IB]), r#"["inet","99","ib"]"#);
    assert_eq!(json([QpType::XRC_SEND, QpType::from_raw(-1)]), r#"["xrc-send","-1"]"#);
    assert_eq!(json([PortSpace::TCP, PortSpace::from_raw(7)]), r#"["tcp","7"]"#);
    assert_eq!(json("fe80::11".parse::<Gid>().unwrap()), r#""fe80::11""#);
    assert_eq!(json(ServiceId::from_raw(0x1061d2f)), r#""0x0000000001061d2f""#);
    assert_eq!(json(Pkey::DEFAULT), "65535");
    let selectors = [Selector::GreaterThan, Selector::LessThan, Selector::Exactly, Selector::Best];
    assert_eq!(json(selectors), r#"["greater-than","less-than","exactly","best"]"#);
}

#[test]
fn flags_are_a_list() {
    assert_eq!(json(Flags::empty()), "[]");
    assert_eq!(json(Flags::PASSIVE | Flags::DNS), r#"["passive","dns"]"#);
    assert_eq!(json(Flags::from_raw(0x41)), r#"["passive","0x40"]"#);
    assert_eq!(json(PathFlags::from_bits_retain(0x8000_0001)), r#"["gmp","0x80000000"]"#);
    let all = r#"["passive","numeric-host","no-route","family","sa","dns","route-only","0xfeffffc0"]"#;
    assert_eq!(json(Flags::from_raw(-1)), all);
}

#[test]
fn addresses() {
    let address = |text: &str| SockAddrBuf::from(text.parse::<SocketAddr>().unwrap());
    assert_eq!(
        json(address("192.0.2.7:7471")),
        r#"{"family":"inet","address":"192.0.2.7","port":7471,"scope_id":0,"bytes":"02001d2fc00002070000000000000000"}"#
    );
    assert_eq!(
        json(address("[fe80::7%3]:1")),
        r#"{"family":"inet6","address":"fe80::7","port":1,"scope_id":3,"bytes":"0a00000100000000fe80000000000000000000000000000703000000"}"#
    );
    let ib: SockAddrBuf =
        "ib:fe80::1/pkey=0x8001/flow=0x2/sid=0x1061d2f/mask=0xffffffffffff0000".parse().unwrap();
    assert_eq!(
        json(ib),
        r#"{"family":"ib","address":"fe80::1","port":7471,"scope_id":0,"pkey":32769,"flow_info":2,"service_id":"0x0000000001061d2f","service_id_mask":"0xffffffffffff0000","bytes":"1b00800100000002fe8000000000000000000000000000010000000001061d2fffffffffffff00000000000000000000"}"#
    );
    assert_eq!(json(SockAddrBuf::NONE), "null");
    assert_eq!(
        json(SockAddrRef::from_bytes(&[3, 0, 0xab])),
        r#"{"family":"3","address":null,"port":0,"scope_id":0,"bytes":"0300ab"}"#
    );
    assert_eq!(
        json(SockAddrRef::from_bytes(&[])),
        r#"{"family":"unspec","address":null,"port":0,"scope_id":0,"bytes":""}"#
    );
}

/// Every field has a value of its own, so that none can stand for another.
#[test]
fn a_path() {
    let path = PathData::ZERO
        .with_flags(PathFlags::BIDIRECTIONAL_PRIMARY)
        .with_service_id(ServiceId::from_raw(0xffff_ffff_ffff_fff1))
        .with_sgid("fe80::11".parse().unwrap())
        .with_dgid("fe80::12".parse().unwrap())
        .with_slid(21)
        .with_dlid(22)
        .with_flow_label(23)
        .unwrap()
        .with_hop_limit(24)
        .with_traffic_class(25)
        .with_reversible(true)
        .with_num_paths(26)
        .unwrap()
        .with_pkey(Pkey::from_raw(27))
        .with_qos_class(28)
        .unwrap()
        .with_service_level(9)
        .unwrap()
        .with_mtu(Mtu::from_bytes(2048).unwrap())
        .with_rate(Rate::new(Selector::GreaterThan, 3).unwrap())
        .with_packet_life_time(PacketLifeTime::new(Selector::LessThan, 1).unwrap())
        .with_preference(29);
    let bytes: String = path.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = concat!(
        r#"{"flags":["gmp","primary","outbound","inbound-reverse"],"service_id":"0xfffffffffffffff1","#,
        r#""sgid":"fe80::11","dgid":"fe80::12","slid":21,"dlid":22,"flow_label":23,"hop_limit":24,"#,
        r#""traffic_class":25,"reversible":true,"num_paths":26,"pkey":27,"qos_class":28,"service_level":9,"#,
        r#""mtu_selector":"exactly","mtu_bytes":2048,"rate_selector":"greater-than","rate_mbit_per_s":10000,"#,
        r#""packet_life_time_selector":"less-than","packet_life_time_us":8.192,"preference":29,"bytes":""#
    );
    assert_eq!(json(path), format!("{expected}{bytes}\"}}"));

    let reserved =
        PathData::ZERO.with_mtu(Mtu::from_raw(0)).with_packet_life_time(PacketLifeTime::from_raw(0x3f));
    let json = json(reserved);
    assert!(
        json.contains(r#""mtu_bytes":null,"rate_selector":"greater-than","rate_mbit_per_s":null"#),
        "{json}"
    );
    // 4.096 us · 2^63, the longest.
    assert!(json.contains(r#""packet_life_time_us":3.777893186295716e+19,"#), "{json}");
}

#[test]
fn a_list() {
    let mut results = Results::<4>::new();
    let list = resolve_literal("192.0.2.7", "7471", &Hints::new(), &mut results).unwrap();
    assert_eq!(
        json(list),
        concat!(
            r#"{"truncated":false,"entries":[{"flags":[],"family":"inet","qp_type":"rc","port_space":"tcp","src":null,"#,
            r#""dst":{"family":"inet","address":"192.0.2.7","port":7471,"scope_id":0,"#,
            r#""bytes":"02001d2fc00002070000000000000000"},"src_canonname":null,"dst_canonname":null,"route":[],"#,
            r#""route_status":"not-asked","connect_data":"","user_private_data":56,"needs_scope":false}]}"#
        )
    );
    assert_eq!(json(list.first().unwrap()), json(&list)[30..json(&list).len() - 2]);
}

/// A name of another program's may be no UTF-8, and its route no path.
#[test]
fn a_foreign_entry() {
    let (mut name, mut route, mut connect) = (*b"a\xff\xe2\x82b\xc3\xa4\0", [0_u8; 5], [1_u8, 0xab]);
    let entry = rdma_addrinfo {
        ai_dst_canonname: name.as_mut_ptr().cast(),
        ai_route: route.as_mut_ptr().cast(),
        ai_route_len: 5,
        ai_connect: connect.as_mut_ptr().cast(),
        ai_connect_len: 2,
        ..rdma_addrinfo::ZERO
    };
    // SAFETY: the structure and what it leads to outlive the view; every other pointer is null with length 0, the name
    // ends with a NUL, and the lengths are those of the arrays.
    let info = AddrInfo::from_raw(unsafe { RawAddrInfo::from_ptr(&raw const entry) }.unwrap());
    assert_eq!(
        json(info),
        concat!(
            r#"{"flags":[],"family":"unspec","qp_type":"any","port_space":"any","src":null,"dst":null,"#,
            r#""src_canonname":null,"dst_canonname":"a"#,
            "\u{fffd}\u{fffd}b\u{e4}",
            r#"","route":[],"route_status":"malformed","connect_data":"01ab","user_private_data":null,"#,
            r#""needs_scope":false}"#
        )
    );
}

#[test]
fn statuses_are_their_names() {
    assert_eq!(json([NoRoute::TimedOut, NoRoute::NoRoom]), r#"["timed-out","no-room"]"#);
    assert_eq!(json([RouteStatus::Found, RouteStatus::Malformed]), r#"["found","malformed"]"#);
}

#[test]
fn errors() {
    assert_eq!(json(ErrorKind::ALL)[..22], r#"["NoName","AddrFamily""#[..22]);
    let error = Error::new(ErrorKind::NoName).because(Reason::Octet);
    assert_eq!(
        json(error),
        r#"{"kind":"NoName","code":-2,"message":"node or service not known: a part of the IPv4 address is above 255"}"#
    );
    assert_eq!(
        json(Error::system(24)),
        r#"{"kind":"System","code":-1,"errno":24,"message":"system error (errno 24)"}"#
    );
}
