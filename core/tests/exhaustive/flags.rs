//! Each of the 64 sets of flags, with each family, each absence of node, service, hints and addresses in them, by both
//! policies, against the rules written down once more, as a table.

use rdma_addrinfo_core::{
    AddrInfo, AddrInfoList, CCode, Family, Flags, Hints, Policy, Request, Results, SockAddrBuf, Text,
};
use std::net::IpAddr;

const PASSIVE: i32 = 1;
const NUMERIC_HOST: i32 = 2;
const FAMILY: i32 = 8;
const SA: i32 = 0x10;
const DNS: i32 = 0x20;

const UNSPEC: i32 = 0;
const INET: i32 = 2;
const INET6: i32 = 10;
const IB: i32 = 27;
const UNKNOWN: i32 = 1;

const NO_NAME: CCode = CCode::Eai(-2);
const BAD_FAMILY: CCode = CCode::Eai(-6);
const ADDR_FAMILY: CCode = CCode::Eai(-9);
const INVALID: CCode = CCode::Errno(22);
const NOT_SUPPORTED: CCode = CCode::Errno(95);
/// Records of services are no literals.
const NOT_LITERAL: CCode = CCode::Eai(-2);

/// What is given, but for the policy.
#[derive(Clone, Copy, Debug)]
struct Given {
    node: Option<IpAddr>,
    service: Option<u16>,
    /// `None` is a null pointer.
    hints: Option<Words>,
}

#[derive(Clone, Copy, Debug)]
struct Words {
    flags: i32,
    family: i32,
    src: Option<IpAddr>,
    dst: Option<IpAddr>,
}

/// Ports of the addresses in hints.
const SRC_PORT: u16 = 9;
const DST_PORT: u16 = 99;

/// Flags, family, source and destination as text.
type Entry = (i32, i32, Option<String>, Option<String>);
type Answer = Result<Vec<Entry>, CCode>;

fn family_of(address: IpAddr) -> i32 {
    if address.is_ipv4() { INET } else { INET6 }
}

fn text(address: IpAddr, port: u16) -> String {
    match (address, port) {
        (address, 0) => address.to_string(),
        (IpAddr::V4(address), port) => format!("{address}:{port}"),
        (IpAddr::V6(address), port) => format!("[{address}]:{port}"),
    }
}

/// A GID as an address: default P_Key, the service ID of the port in the TCP port space.
fn gid(address: IpAddr, port: u16) -> String {
    let mask = if port == 0 { 0xffff_ffff_ffff_0000_u64 } else { u64::MAX };
    format!("ib:{address}/pkey=0xffff/sid=0x{:x}/mask=0x{mask:x}", 0x0106_0000 | u32::from(port))
}

impl Given {
    fn words(self) -> Words {
        self.hints.unwrap_or(Words { flags: 0, family: UNSPEC, src: None, dst: None })
    }

    /// RAI_SA is looked at before all other hints.
    fn subnet_administrator(self) -> Option<CCode> {
        let Words { flags, .. } = self.words();
        (flags & SA != 0).then_some(match (self.node, flags & DNS, self.service) {
            (Some(_), ..) | (None, DNS, _) => NOT_SUPPORTED,
            (None, _, None) => INVALID,
            (None, _, Some(_)) => NOT_LITERAL,
        })
    }

    fn man_page(self) -> Answer {
        let Words { flags, family, src, dst } = self.words();
        let passive = flags & PASSIVE;
        if let Some(code) = self.subnet_administrator() {
            return Err(code);
        }
        let nothing = self.node.is_none() && self.service.is_none();
        if nothing && self.hints.is_none() {
            return Err(NO_NAME);
        }
        if family == UNKNOWN {
            return Err(BAD_FAMILY);
        }
        if nothing {
            return self.by_hints_alone();
        }
        let port = self.service.unwrap_or(0);
        let mut found = Vec::new();
        match (self.node, if passive == 0 { dst } else { src }) {
            (None, Some(hinted)) => {
                if family != UNSPEC && family != family_of(hinted) {
                    return Err(ADDR_FAMILY);
                }
                found.push((family_of(hinted), text(hinted, port)));
            }
            (None, None) => {
                let addresses = if passive == 0 { ["::1", "127.0.0.1"] } else { ["::", "0.0.0.0"] };
                let [v6, v4] = addresses.map(|address| address.parse::<IpAddr>().expect("an address"));
                match family {
                    IB => found.push((IB, gid(v6, port))),
                    family => {
                        let wanted = |address: &IpAddr| family == UNSPEC || family == family_of(*address);
                        let of_family = [v6, v4].into_iter().filter(wanted);
                        found.extend(of_family.map(|address| (family_of(address), text(address, port))));
                    }
                }
            }
            (Some(node), _) => match family {
                IB if flags & FAMILY != 0 && node.is_ipv6() => found.push((IB, gid(node, port))),
                UNSPEC => found.push((family_of(node), text(node, port))),
                family if family == family_of(node) => found.push((family, text(node, port))),
                _ => return Err(ADDR_FAMILY),
            },
        }
        if passive != 0 {
            return Ok(found
                .into_iter()
                .map(|(family, address)| (PASSIVE, family, Some(address), None))
                .collect());
        }
        // A destination of another family than the source's is left out.
        found.retain(|(family, _)| src.is_none_or(|src| family_of(src) == *family));
        if found.is_empty() {
            return Err(ADDR_FAMILY);
        }
        let src = src.map(|src| text(src, SRC_PORT));
        Ok(found.into_iter().map(|(family, address)| (0, family, src.clone(), Some(address))).collect())
    }

    fn by_hints_alone(self) -> Answer {
        let Words { flags, family, src, dst } = self.words();
        let passive = flags & PASSIVE;
        let dst = dst.filter(|_| passive == 0);
        let own = match (src, dst) {
            (None, None) => return Err(NO_NAME),
            (Some(src), Some(dst)) if family_of(src) != family_of(dst) => return Err(ADDR_FAMILY),
            (Some(address), _) | (None, Some(address)) => family_of(address),
        };
        if family != UNSPEC && family != own {
            return Err(ADDR_FAMILY);
        }
        Ok(vec![(passive, own, src.map(|src| text(src, SRC_PORT)), dst.map(|dst| text(dst, DST_PORT)))])
    }

    fn librdmacm(self) -> Answer {
        let Words { flags, family, src, dst } = self.words();
        let passive = flags & PASSIVE;
        if let Some(code) = self.subnet_administrator() {
            return Err(code);
        }
        let src_text = src.map(|src| text(src, SRC_PORT));
        if self.node.is_none() && self.service.is_none() {
            // Hints are repeated as they are.
            let repeated = (flags, family, src_text, dst.map(|dst| text(dst, DST_PORT)));
            return if self.hints.is_some() { Ok(vec![repeated]) } else { Err(INVALID) };
        }
        if family == UNKNOWN {
            return Err(BAD_FAMILY);
        }
        let port = self.service.unwrap_or(0);
        let is_gid = family == IB && flags & (FAMILY | NUMERIC_HOST) == FAMILY | NUMERIC_HOST;
        let family = if family == IB { UNSPEC } else { family };
        // Without a node, what getaddrinfo answers first.
        let node = self.node.unwrap_or_else(|| {
            let text = match (passive, family) {
                (0, INET) => "127.0.0.1",
                (0, _) => "::1",
                (_, INET6) => "::",
                _ if is_gid => "::",
                _ => "0.0.0.0",
            };
            text.parse().expect("an address")
        });
        let (family, address) = match family {
            _ if is_gid && node.is_ipv6() => (IB, gid(node, port)),
            _ if is_gid => return Err(ADDR_FAMILY),
            family if family != UNSPEC && family != family_of(node) => return Err(ADDR_FAMILY),
            _ => (family_of(node), text(node, port)),
        };
        Ok(vec![if passive == 0 {
            (0, family, src_text, Some(address))
        } else {
            (PASSIVE, family, Some(address), None)
        }])
    }

    /// What the library answers.
    fn resolve(self, policy: Policy) -> Answer {
        let [node, service] =
            [self.node.map(|node| node.to_string()), self.service.map(|port| port.to_string())];
        let hints = self.hints.map(|words| {
            let address = |address: Option<IpAddr>, port| {
                address.map_or(SockAddrBuf::NONE, |address| SockAddrBuf::from_ip(address, port, 0))
            };
            Hints::new()
                .with_flags(Flags::from_raw(words.flags))
                .with_family(Family::from_raw(words.family))
                .with_src_addr(address(words.src, SRC_PORT))
                .with_dst_addr(address(words.dst, DST_PORT))
        });
        let request =
            Request::new(Text::from(node.as_deref()), Text::from(service.as_deref()), hints.as_ref());
        let mut results = Results::<4>::new();
        let found = request.with_policy(policy).resolve_literal(&mut results);
        found.map(told).map_err(|error| error.to_c())
    }
}

fn told(list: AddrInfoList<'_>) -> Vec<Entry> {
    assert!(!list.is_truncated());
    list.iter()
        .map(|info: AddrInfo<'_>| {
            let [src, dst] = [info.src_addr(), info.dst_addr()].map(|side| side.map(|side| side.to_string()));
            (info.flags().to_raw(), info.family().to_raw(), src, dst)
        })
        .collect()
}

/// Everything that can be given, of each kind one.
fn all() -> impl Iterator<Item = Given> {
    let ips = || [None, Some("192.0.2.7"), Some("2001:db8::7")].map(|ip| ip.map(|ip| ip.parse().unwrap()));
    let texts = move || ips().into_iter().flat_map(|node| [None, Some(7471)].map(|service| (node, service)));
    let addresses = move || ips().into_iter().flat_map(move |src| ips().map(|dst| (src, dst)));
    // Interpreted, a part of them.
    let step = if cfg!(miri) { 13 } else { 1 };
    let hints = (0..64).step_by(step).flat_map(move |flags| {
        [UNSPEC, INET, INET6, IB, UNKNOWN].into_iter().flat_map(move |family| {
            addresses().map(move |(src, dst)| Some(Words { flags, family, src, dst }))
        })
    });
    hints
        .chain([None])
        .flat_map(move |hints| texts().map(move |(node, service)| Given { node, service, hints }))
}

#[test]
fn by_the_manual_page() {
    check(Policy::MAN_PAGE, Given::man_page);
}

#[test]
fn by_the_rules_of_librdmacm() {
    check(Policy::LIBRDMACM, Given::librdmacm);
}

fn check(policy: Policy, right: fn(Given) -> Answer) {
    let (mut rows, mut answered) = (0_usize, 0_usize);
    for given in all() {
        let right = right(given);
        assert_eq!(given.resolve(policy), right, "{given:?}");
        rows += 1;
        answered += usize::from(right.is_ok());
    }
    if !cfg!(miri) {
        // 64 sets, 5 families, 9 pairs of addresses, and no hints; 3 nodes, 2 services.
        assert_eq!(rows, (64 * 5 * 9 + 1) * 6);
    }
    assert!(answered > rows / 8 && answered < rows / 2, "{answered} of {rows}");
}
