//! RAI_SA: services of the InfiniBand subnet administrator (rules, section 2).

use super::script::{Line, NONE, run, run_in};
use super::whole::{Fault, List, Whole, list, refused, refused_with_errno};
use rdma_addrinfo_core::{
    Error, ErrorKind, Family, FindService, Flags, Gid, Hints, IbService, Location, Pkey, Policy, PortSpace,
    QpType, Reason, Request, RouteStatus, ServiceId, ServiceRecord, ServiceText, SkippedPort,
};

/// The port that is asked through.
const PORT: Gid = Gid::from_bits(0xfe80_0000_0000_0000_0c42_a103_0065_4a10);

const SA: Hints<'static> = Hints::new().with_flags(Flags::SA);
const POLICIES: [Policy; 2] = [Policy::MAN_PAGE, Policy::LIBRDMACM];

fn record(number: u8) -> ServiceRecord {
    ServiceRecord {
        gid: Gid::from_bits(0xfe80 << 112 | u128::from(number)),
        pkey: Pkey::from_raw(0x8000 | u16::from(number)),
        id: ServiceId::from_raw(0x1000_0000_0000_0100 | u64::from(number)),
    }
}

/// `sockaddr_ib`, byte by byte.
fn ib(pkey: u16, gid: Gid, sid: u64, mask: u64) -> Vec<u8> {
    let family = 27_u16.to_ne_bytes();
    let gid = gid.octets();
    let (sid, mask) = (sid.to_be_bytes(), mask.to_be_bytes());
    [&family[..], &pkey.to_be_bytes(), &[0; 4], &gid, &sid, &mask, &[0; 8]].concat()
}

/// The entry of librdmacm 65.
fn entry(ServiceRecord { gid, pkey, id }: ServiceRecord) -> Whole {
    let pkey = pkey.to_raw();
    Whole {
        flags: Flags::from_raw(0x10),
        family: Family::from_raw(27),
        qp_type: QpType::from_raw(0),
        port_space: PortSpace::from_raw(0x013f),
        src: ib(pkey, PORT, 0x013f_0000, 0xffff_ffff_ffff_0000),
        dst: ib(pkey, gid, id.to_raw(), u64::MAX),
        src_canonname: None,
        dst_canonname: None,
        route: Vec::new(),
        route_status: RouteStatus::NotAsked,
        connect_data: Vec::new(),
        needs_scope: false,
        user_private_data: Some(92),
    }
}

fn id(id: u64) -> IbService<'static> {
    IbService::Id(ServiceId::from_raw(id))
}

fn found(service: IbService<'static>, count: u8) -> Line {
    Line::Service(service, Ok((PORT, (1..=count).map(record).collect())))
}

#[test]
fn each_record_is_an_entry() {
    for policy in POLICIES {
        for rest in (0..64).filter(|rest| rest & 0x20 == 0) {
            let hints = Hints::new().with_flags(Flags::from_raw(rest) | Flags::SA);
            for (service, asked) in [("0x1000000000000101", id(0x1000_0000_0000_0101)), ("storage", NAME)] {
                for count in [1, 2, 7] {
                    let request = Request::new(NONE, service, &hints).with_policy(policy);
                    let entries = (1..=count).map(record).map(entry).collect();
                    let expected = Ok(List { entries, truncated: false });
                    assert_eq!(run(request, &[found(asked, count)]), expected, "{hints}");
                    assert!(!request.needs_af_ib() && !request.needs_ipv6_loopback());
                }
            }
        }
    }
}

const NAME: IbService<'static> = IbService::Name(b"storage");

/// A list that does not hold all says so; the first records are those that are kept.
#[test]
fn records_that_do_not_fit_are_left_out() {
    let request = Request::new(NONE, "storage", &SA);
    let some = run_in::<2>(request, &[found(NAME, 3)]);
    assert_eq!(some, Ok(List { entries: vec![entry(record(1)), entry(record(2))], truncated: true }));
    let all = run_in::<2>(request, &[found(NAME, 2)]);
    assert_eq!(all, list([entry(record(1)), entry(record(2))]));
    let none = run_in::<0>(request, &[found(NAME, 1)]);
    assert_eq!(none, refused(ErrorKind::Memory, Reason::NoRoom, Location::Nowhere));
}

/// An answer without a record is that there is no such service. librdmacm has one errno for all.
#[test]
fn a_failure_is_reported_by_either_policy() {
    let none = Line::Service(NAME, Ok((PORT, Vec::new())));
    let at = Location::Service(0);
    let cases = [
        (none, ErrorKind::Service, Reason::NoServiceRecord, at),
        fails(ErrorKind::NoDevice, Reason::NoInfinibandPort),
        fails(ErrorKind::NotSupported, Reason::SaNeedsKernel),
        fails(ErrorKind::TimedOut, Reason::SaSilent),
    ];
    for (line, kind, reason, location) in cases {
        let request = Request::new(NONE, "storage", &SA);
        assert_eq!(run(request, std::slice::from_ref(&line)), refused(kind, reason, location));
        let librdmacm = run(request.with_policy(Policy::LIBRDMACM), &[line]);
        assert_eq!(librdmacm, refused_with_errno(kind, reason, location, 2));
    }
    let line = || Line::Service(NAME, Err(Error::system(71).because(Reason::SaReply)));
    for (policy, errno) in [(Policy::MAN_PAGE, 71), (Policy::LIBRDMACM, 2)] {
        let request = Request::new(NONE, "storage", &SA).with_policy(policy);
        let refused = refused_with_errno(ErrorKind::System, Reason::SaReply, Location::Nowhere, errno);
        assert_eq!(run(request, &[line()]), refused);
    }
    // Memory is short whoever says so.
    let (line, kind, reason, location) = fails(ErrorKind::Memory, Reason::Unspecified);
    for policy in POLICIES {
        let request = Request::new(NONE, "storage", &SA).with_policy(policy);
        assert_eq!(run(request, std::slice::from_ref(&line)), refused(kind, reason, location));
    }
}

fn fails(kind: ErrorKind, reason: Reason) -> (Line, ErrorKind, Reason, Location) {
    (Line::Service(NAME, Err(Error::new(kind).because(reason))), kind, reason, Location::Nowhere)
}

/// What is asked by each policy; `Err` where the text is refused.
fn asked<'q>(service: impl Into<ServiceText<'q>>, policy: Policy) -> Result<Option<u64>, Fault> {
    let request = Request::new(NONE, service, &SA).with_policy(policy);
    let mut results = rdma_addrinfo_core::Results::<1>::new();
    match rdma_addrinfo_core::start(request, &mut results) {
        rdma_addrinfo_core::Step::FindService(ask) => Ok(match ask.service() {
            IbService::Id(id) => Some(id.to_raw()),
            IbService::Name(name) => {
                let text = request.service().text().bytes().unwrap();
                assert_eq!(name, &text[..text.len().min(63)]);
                None
            }
        }),
        rdma_addrinfo_core::Step::Done(Err(error)) => Err(error.into()),
        step => panic!("{step:?}"),
    }
}

#[test]
fn a_service_is_an_id_or_a_name() {
    for (text, id) in [
        ("0", Some(0)),
        ("7471", Some(7471)),
        ("18446744073709551615", Some(u64::MAX)),
        ("0x0000000001061d2f", Some(0x0106_1d2f)),
        ("0X1", Some(1)),
        ("storage", None),
        ("42nd", None),
        ("0x", None),
        ("0xg", None),
        ("7471 ", None),
        ("- 1", None),
        ("SRP.T10:0002C90300A1B2C4", None),
    ] {
        for policy in POLICIES {
            assert_eq!(asked(text, policy), Ok(id), "{text:?}");
        }
    }
    let longest = "n".repeat(63);
    for policy in POLICIES {
        assert_eq!(asked(7471, policy), Ok(Some(7471)));
        assert_eq!(asked(longest.as_str(), policy), Ok(None));
        // A NUL is in no C string.
        assert_eq!(asked("a\0b", policy), Err(fault(ErrorKind::Invalid, Reason::Nul, 1)));
    }
}

/// librdmacm reads them by strtoull(3), or cuts them.
#[test]
fn text_that_may_mean_another_number_is_refused() {
    let long = "n".repeat(64);
    for (text, reason, at, id) in [
        ("010", Reason::LeadingZero, 0, Some(8)),
        ("00", Reason::LeadingZero, 0, Some(0)),
        ("-1", Reason::Sign, 0, Some(u64::MAX)),
        ("-0x10", Reason::Sign, 0, Some(u64::MAX - 15)),
        ("+7", Reason::Sign, 0, Some(7)),
        (" 7", Reason::WhiteSpace, 0, Some(7)),
        ("\t\n-7", Reason::WhiteSpace, 0, Some(u64::MAX - 6)),
        ("18446744073709551616", Reason::NotNumber, 0, None),
        ("0x10000000000000000", Reason::NotNumber, 0, None),
        ("-18446744073709551616", Reason::Sign, 0, None),
        ("", Reason::Empty, 0, None),
        ("a\x07b", Reason::Control, 1, None),
        (&long, Reason::IbServiceName, 63, None),
    ] {
        assert_eq!(asked(text, Policy::MAN_PAGE), Err(fault(ErrorKind::Service, reason, at)), "{text:?}");
        assert_eq!(asked(text, Policy::LIBRDMACM), Ok(id), "{text:?}");
    }
    // Octal digits only: else a name.
    assert_eq!(asked("08", Policy::LIBRDMACM), Ok(None));
}

fn fault(kind: ErrorKind, reason: Reason, at: usize) -> Fault {
    refused(kind, reason, Location::Service(at)).unwrap_err()
}

#[test]
fn the_other_hints_are_ignored() {
    for hints in [
        Hints::new().with_family(Family::from_raw(99)),
        Hints::new().with_qp_type(QpType::DRIVER),
        Hints::new().with_qp_type(QpType::UD).with_port_space(PortSpace::TCP),
        Hints::new().with_port_space(PortSpace::from_raw(7)),
        Hints::new().with_route(&[1, 2, 3]),
        Hints::new().with_family(Family::IB),
    ] {
        let hints = hints.with_flags(Flags::SA | Flags::NUMERIC_HOST | Flags::PASSIVE);
        for policy in POLICIES {
            let request = Request::new(NONE, "storage", &hints).with_policy(policy);
            let expected = list([entry(record(1))]);
            assert_eq!(run(request, &[found(NAME, 1)]), expected, "{hints}");
            assert!(!request.needs_af_ib());
        }
    }
}

#[test]
fn ports_that_are_not_infiniband_are_skipped() {
    let port = FindService::port;
    assert_eq!(port(true, true, Some(PORT)), Ok(PORT));
    assert_eq!(port(true, true, None), Err(SkippedPort::NoGid));
    assert_eq!(port(true, true, Some(Gid::UNSPECIFIED)), Err(SkippedPort::NoGid));
    for gid in [Some(PORT), None] {
        assert_eq!(port(true, false, gid), Err(SkippedPort::NotActive));
        for is_active in [true, false] {
            assert_eq!(port(false, is_active, gid), Err(SkippedPort::NotInfiniband));
        }
    }
    let words =
        [SkippedPort::NotInfiniband, SkippedPort::NotActive, SkippedPort::NoGid].map(|it| it.to_string());
    assert_eq!(words, ["not InfiniBand", "not active", "no GID"]);
}
