//! The order of several addresses, as the C library has it by default: the rules of RFC 3484, by the source of each.
//!
//! It is the C library's as far as it is certain: where the rules put any two addresses in the same order as the whole.
//! Then each way to sort comes to it.

use super::interfaces::{self, Interfaces};
use crate::native::names::Sources;
use crate::native::source_for;
use std::cmp::Ordering;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// More addresses than this are left to the C library.
const MOST: usize = 64;

/// An address, and where the kernel would send from to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Candidate {
    address: IpAddr,
    source: Option<IpAddr>,
    /// What the interfaces say of the source; as of an unknown one where it is none of theirs.
    state: interfaces::State,
}

/// Sorts addresses that are asked for with this port, and gives the sources that it found for that; `None` if the order
/// is not certain.
pub(super) fn sort(addresses: &mut [IpAddr], port: u16) -> Option<Sources> {
    let (first, others) = addresses.split_first()?;
    if others.iter().all(|other| other == first) {
        return Some(Sources::new());
    }
    if addresses.len() > MOST {
        return None;
    }
    let interfaces = Interfaces::read()?;
    let mut all: Vec<Candidate> = Vec::new();
    all.try_reserve_exact(addresses.len()).ok()?;
    let mut sources = Sources::new();
    sources.try_reserve_exact(addresses.len()).ok()?;
    for address in &*addresses {
        let destination = SocketAddr::new(*address, port);
        let source = source_for(destination).ok()?;
        sources.push((destination, source));
        let source = source.map(|source| source.ip());
        let state = match source {
            Some(source) => interfaces.state_of(source)?,
            None => interfaces::State::UNKNOWN,
        };
        all.push(Candidate { address: *address, source, state });
    }
    let mut natives =
        Natives { all_known: all.iter().all(|one| one.source.is_none() || one.state.index.is_some()) };
    let mut order: Vec<usize> = Vec::new();
    order.try_reserve_exact(all.len()).ok()?;
    // By insertion; then each pair must agree.
    for (place, one) in all.iter().enumerate() {
        let mut at = order.len();
        while let Some(before) = at.checked_sub(1).and_then(|before| all.get(*order.get(before)?)) {
            if compare(before, one, &mut natives)? != Ordering::Greater {
                break;
            }
            at -= 1;
        }
        order.insert(at, place);
    }
    for (at, one) in order.iter().enumerate() {
        for other in order.iter().skip(at + 1) {
            let ordering = compare(all.get(*one)?, all.get(*other)?, &mut natives)?;
            let agrees = match ordering {
                Ordering::Less => true,
                Ordering::Equal => one < other,
                Ordering::Greater => false,
            };
            if !agrees {
                return None;
            }
        }
    }
    for (place, from) in addresses.iter_mut().zip(order) {
        *place = all.get(from)?.address;
    }
    Some(sources)
}

/// Which of the interfaces are tunnels.
struct Natives {
    /// Whether all sources are of known interfaces. Otherwise the C library's answer depends on how it sorts.
    all_known: bool,
}

impl Natives {
    fn compare(&mut self, one: &Candidate, other: &Candidate) -> Option<Ordering> {
        if one.source.is_none() || one.state.index == other.state.index {
            return Some(Ordering::Equal);
        }
        let native = |one: &Candidate| interfaces::is_native(one.state.index?);
        if !self.all_known {
            return None;
        }
        Some(native(other)?.cmp(&native(one)?))
    }
}

/// Which comes first, if the rules say so.
fn compare(one: &Candidate, other: &Candidate, natives: &mut Natives) -> Option<Ordering> {
    /// What is true comes first.
    fn first(one: bool, other: bool) -> Ordering {
        other.cmp(&one)
    }

    // Rule 1.
    let ordering = first(one.source.is_some(), other.source.is_some());
    if ordering.is_ne() {
        return Some(ordering);
    }
    let matches = |of: fn(IpAddr) -> u8| {
        let matches = |it: &Candidate| it.source.is_some_and(|source| of(it.address) == of(source));
        first(matches(one), matches(other))
    };
    let ordering = matches(scope)
        .then(one.state.is_deprecated.cmp(&other.state.is_deprecated))
        .then(first(one.state.is_home, other.state.is_home))
        .then(matches(label))
        .then(precedence(other.address).cmp(&precedence(one.address)));
    if ordering.is_ne() {
        return Some(ordering);
    }
    let ordering = natives.compare(one, other)?;
    let ordering = ordering.then(scope(one.address).cmp(&scope(other.address)));
    Some(ordering.then_with(|| {
        let (one, other) = common_bits(one, other);
        other.cmp(&one)
    }))
}

fn scope(address: IpAddr) -> u8 {
    const LINK: u8 = 2;
    const SITE: u8 = 5;
    const GLOBAL: u8 = 14;
    match address {
        IpAddr::V4(v4) if v4.is_loopback() || v4.is_link_local() => LINK,
        IpAddr::V4(_) => GLOBAL,
        IpAddr::V6(v6) => match v6.octets() {
            [0xFF, scope, ..] => scope & 0xF,
            [0xFE, second, ..] if second & 0xC0 == 0x80 => LINK,
            [0xFE, second, ..] if second & 0xC0 == 0xC0 => SITE,
            _ if v6.is_loopback() => LINK,
            _ => GLOBAL,
        },
    }
}

fn as_v6(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped(),
        IpAddr::V6(v6) => v6,
    }
}

/// The C library's table: not that of the RFC alone.
fn label(address: IpAddr) -> u8 {
    let v6 = as_v6(address);
    match v6.segments() {
        _ if v6.is_loopback() => 0,
        [0x2002, ..] => 2,
        [0, 0, 0, 0, 0, 0, ..] => 3,
        [0, 0, 0, 0, 0, 0xFFFF, ..] => 4,
        [first, ..] if first & 0xFFC0 == 0xFEC0 => 5,
        [first, ..] if first & 0xFE00 == 0xFC00 => 6,
        [0x2001, 0, ..] => 7,
        _ => 1,
    }
}

fn precedence(address: IpAddr) -> u8 {
    let v6 = as_v6(address);
    match v6.segments() {
        _ if v6.is_loopback() => 50,
        [0x2002, ..] => 30,
        [0, 0, 0, 0, 0, 0, ..] => 20,
        [0, 0, 0, 0, 0, 0xFFFF, ..] => 10,
        _ => 40,
    }
}

/// How many bits addresses and their sources have in common, as rule 9 counts them.
fn common_bits(one: &Candidate, other: &Candidate) -> (u32, u32) {
    let differences = |of: &Candidate| match (of.address, of.source) {
        (IpAddr::V4(address), Some(IpAddr::V4(source))) => {
            let differ = address.to_bits() ^ source.to_bits();
            // A prefix of no bits counts as one of all.
            let length = if of.state.prefix_length == 0 { 32 } else { of.state.prefix_length.into() };
            Some([if differ.leading_zeros() >= length { differ } else { u32::MAX }; 4])
        }
        (IpAddr::V6(address), Some(IpAddr::V6(source))) => {
            let differ = address.to_bits() ^ source.to_bits();
            Some([96, 64, 32, 0].map(|shift| (differ >> shift) as u32))
        }
        _ => None,
    };
    if one.address.is_ipv4() != other.address.is_ipv4() {
        return (0, 0);
    }
    let (Some(one), Some(other)) = (differences(one), differences(other)) else { return (0, 0) };
    // In the first word in which either differs.
    let word = one.into_iter().zip(other).find(|(one, other)| *one != 0 || *other != 0);
    word.map_or((0, 0), |(one, other)| (one.leading_zeros(), other.leading_zeros()))
}
