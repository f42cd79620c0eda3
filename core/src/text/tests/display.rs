use super::Random;
use super::cases;
use crate::text::{Ipv4Text, Ipv6Text, ipv4, ipv6};
use core::net::{Ipv4Addr, Ipv6Addr};
use std::format;
use std::string::ToString;

#[test]
fn ipv4_as_core_net_writes_it() {
    for octet in 0..=255_u32 {
        for address in [octet, octet << 8, octet << 16, octet << 24, octet * 0x0101_0101] {
            let text = Ipv4Text(address).to_string();
            assert_eq!(text, Ipv4Addr::from(address).to_string());
            assert_eq!(ipv4(text.as_bytes()), Some(address));
        }
    }
}

fn as_core_net(address: u128) {
    let text = Ipv6Text(address).to_string();
    assert_eq!(text, Ipv6Addr::from(address).to_string());
    assert_eq!(ipv6(text.as_bytes()), Some(address));
}

#[test]
fn every_pattern_of_zero_groups() {
    for pattern in 0..=u8::MAX {
        for group in [1, 0x10, 0xabc, 0xffff_u128] {
            as_core_net(
                (0..8).filter(|place| pattern >> place & 1 == 1).map(|place| group << (16 * place)).sum(),
            );
        }
    }
}

#[test]
fn ipv6_as_core_net_writes_it() {
    let mut random = Random(6);
    for _ in 0..cases(100_000) {
        as_core_net(random.u128());
        as_core_net(random.address());
        as_core_net(0xffff_0000_0000 | u128::from(random.next() as u32));
        as_core_net(u128::from(random.next() as u32));
    }
}

#[test]
fn longest_texts_and_format_parameters() {
    assert_eq!(Ipv4Text(u32::MAX).to_string(), "255.255.255.255");
    assert_eq!(Ipv6Text(u128::MAX).to_string(), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    assert_eq!(format!("{:>20}|{:<3}", Ipv4Text(1), Ipv6Text(1)), "0.0.0.1|::1");
}
