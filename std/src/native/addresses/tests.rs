use super::{InterfaceAddress, interface_addresses};
use std::net::IpAddr;

fn on(subnet: &str) -> InterfaceAddress {
    let (address, prefix_length) = subnet.split_once('/').unwrap();
    InterfaceAddress {
        netdev: "va".into(),
        address: address.parse().unwrap(),
        prefix_length: prefix_length.parse().unwrap(),
        peer: None,
        scope_id: 0,
    }
}

#[test]
fn loopback_has_its_addresses() {
    let all = interface_addresses().unwrap();
    let loopback = all.iter().find(|found| found.address == IpAddr::from([127, 0, 0, 1])).unwrap();
    assert_eq!((loopback.netdev.as_str(), loopback.prefix_length, loopback.scope_id), ("lo", 8, 0));
    for found in &all {
        assert!(!found.netdev.is_empty() && found.netdev.len() < 16, "{found:?}");
        let bits = if found.address.is_ipv4() { 32 } else { 128 };
        assert!(found.prefix_length <= bits, "{found:?}");
    }
}

#[test]
fn subnets_end_where_the_prefix_does() {
    for (subnet, other, shares) in [
        ("192.0.2.1/24", "192.0.2.255", true),
        ("192.0.2.1/24", "192.0.3.1", false),
        ("192.0.2.1/31", "192.0.2.0", true),
        ("192.0.2.1/32", "192.0.2.1", true),
        ("192.0.2.1/32", "192.0.2.0", false),
        ("192.0.2.1/0", "203.0.113.9", true),
        ("192.0.2.1/0", "2001:db8::1", false),
        ("2001:db8::1/64", "2001:db8::ffff:0:0:1", true),
        ("2001:db8::1/64", "2001:db8:0:1::1", false),
        ("2001:db8::1/128", "2001:db8::1", true),
        ("2001:db8::1/128", "2001:db8::", false),
        ("::1/0", "2001:db8::", true),
        ("::1/0", "192.0.2.1", false),
    ] {
        assert_eq!(on(subnet).shares_subnet(other.parse().unwrap()), shares, "{subnet} {other}");
    }
}

#[test]
fn the_subnet_of_a_point_to_point_address_is_its_peers() {
    for (subnet, told, peer) in [
        ("10.9.0.1/32", "10.9.0.2", true),
        ("10.8.0.1/24", "10.7.0.2", true),
        ("2001:db8::1/128", "2001:db8::2", true),
        // Broadcast addresses, and a peer that changes nothing.
        ("192.0.2.1/24", "192.0.2.255", false),
        ("192.0.2.1/24", "192.0.2.0", false),
        ("192.0.2.1/24", "255.255.255.255", false),
        ("192.0.2.1/32", "192.0.2.1", false),
        ("192.0.2.0/31", "192.0.2.1", false),
    ] {
        let told: IpAddr = told.parse().unwrap();
        let own = on(subnet);
        assert_eq!(own.peer_of(told), peer.then_some(told), "{subnet} {told}");
        if peer {
            let own = InterfaceAddress { peer: Some(told), ..own };
            assert!(own.shares_subnet(told) && !own.shares_subnet(own.address), "{subnet} {told}");
        }
    }
}
