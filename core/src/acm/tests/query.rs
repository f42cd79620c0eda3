//! Requests, byte for byte.

use super::{ID, entry, message};
use crate::acm::{Query, Request};
use crate::route::PathRecord;
use core::net::IpAddr;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

const V4: IpAddr = IpAddr::V4(core::net::Ipv4Addr::new(192, 0, 2, 1));
const V6: IpAddr = IpAddr::V6(core::net::Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 9));

fn v6() -> Vec<u8> {
    vec![0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
}

fn check(query: Query, entries: &[[u8; 72]], text: &str) {
    let request = query.to_request(ID);
    assert_eq!(
        request.as_bytes(),
        message(1, 1, 0, 16 + 72 * entries.len(), ID, &entries.concat()),
        "{text}"
    );
    assert_eq!((request.transaction_id(), request.entries().count()), (ID, entries.len()));
    assert_eq!(request.to_string(), text);
}

#[test]
fn each_part_and_all_together() {
    let nothing = Query::default();
    check(nothing, &[], "");
    let v4 = [192, 0, 2, 1];
    let from = Query { source: Some(V6), ..nothing };
    check(from, &[entry(1, 3, &v6())], "source 2001:db8::9");
    let to = Query { destination: Some(V4), ..nothing };
    check(to, &[entry(2, 2, &v4)], "destination 192.0.2.1");
    let known = Query { no_delay: true, ..to };
    check(known, &[entry(2 | 1 << 30, 2, &v4)], "destination no-delay 192.0.2.1");

    let record: [u8; 64] = core::array::from_fn(|at| u8::try_from(at).unwrap() + 1);
    let path = PathRecord::from_bytes(record);
    let along = Query { path: Some(path), ..nothing };
    let text = std::format!("path {path}");
    check(along, &[entry(0, 16, &record)], &text);

    let all = Query { source: Some(V4), destination: Some(V6), path: Some(path), no_delay: true };
    let entries = [entry(1, 2, &v4), entry(2 | 1 << 30, 3, &v6()), entry(0, 16, &record)];
    check(all, &entries, &std::format!("source 192.0.2.1, destination no-delay 2001:db8::9, {text}"));
}

/// Only a destination says that there is to be no delay.
#[test]
fn no_delay_without_a_destination_is_not_said() {
    let query = Query { source: Some(V4), no_delay: true, ..Query::default() };
    assert_eq!(query.to_request(ID), Query { no_delay: false, ..query }.to_request(ID));
}

/// The longest request is the room for one.
#[test]
fn no_request_is_longer_than_three_entries() {
    let all = Query { source: Some(V4), destination: Some(V4), path: Some(PathRecord::ZERO), no_delay: true };
    assert_eq!(all.to_request(u64::MAX).as_bytes().len(), 16 + 3 * 72);
    assert_eq!(size_of::<Request>(), 16 + 3 * 72);
}
