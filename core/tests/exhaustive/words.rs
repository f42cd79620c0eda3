//! Each pair of QP type and port space, known or not, by both policies.

use rdma_addrinfo_core::{
    CCode, Error, Field, Hints, Location, Policy, PortSpace, QpType, Reason, Request, Results,
};

/// QP types, and what they answer for the port spaces 0, IPOIB, TCP, UDP, IB; `-` where the two exclude each other.
const TABLE: &str = "
    any        rc,tcp       ud,ipoib  rc,tcp       ud,udp  rc,ib
    rc         rc,tcp       -         rc,tcp       -       rc,ib
    uc         uc,tcp       -         uc,tcp       -       uc,ib
    ud         ud,udp       ud,ipoib  -            ud,udp  ud,ib
    xrc-send   xrc-send,tcp -         xrc-send,tcp -       xrc-send,ib
    xrc-recv   xrc-recv,tcp -         xrc-recv,tcp -       xrc-recv,ib
";
const SPACES: [PortSpace; 5] =
    [PortSpace::ANY, PortSpace::IPOIB, PortSpace::TCP, PortSpace::UDP, PortSpace::IB];

/// Each pair that the table knows, and its answer.
fn table() -> Vec<([i32; 2], Option<[i32; 2]>)> {
    let mut pairs = Vec::new();
    for row in TABLE.lines().filter(|row| !row.trim().is_empty()) {
        let mut words = row.split_whitespace();
        let qp_type: QpType = words.next().unwrap().parse().unwrap();
        for space in SPACES {
            let answer = words.next().unwrap().split_once(',').map(|(qp_type, space)| {
                let qp_type: QpType = qp_type.parse().unwrap();
                let space: PortSpace = space.parse().unwrap();
                [qp_type.to_raw(), space.to_raw()]
            });
            pairs.push(([qp_type.to_raw(), space.to_raw()], answer));
        }
        assert_eq!(words.next(), None);
    }
    assert_eq!(pairs.len(), 6 * 5);
    pairs
}

fn resolve(hints: &Hints<'_>, policy: Policy) -> Result<[i32; 2], Error> {
    let mut results = Results::<1>::new();
    let list = Request::new("192.0.2.7", "7471", hints).with_policy(policy).resolve_literal(&mut results)?;
    let info = list.first().expect("an entry");
    Ok([info.qp_type().to_raw(), info.port_space().to_raw()])
}

/// What the C library answers for a pair of which a word is unknown: it is repeated, an open one is filled by the other.
fn repeated([qp_type, space]: [i32; 2]) -> Result<[i32; 2], CCode> {
    let connected = [2, 3, 9, 10].contains(&qp_type) || space == 0x106;
    let datagram = qp_type == 4 || [2, 0x111].contains(&space);
    match (connected, datagram) {
        (true, true) => Err(CCode::Eai(-7)),
        (_, datagram) => Ok([
            if qp_type != 0 {
                qp_type
            } else if datagram {
                4
            } else {
                2
            },
            if space != 0 {
                space
            } else if datagram {
                0x111
            } else {
                0x106
            },
        ]),
    }
}

#[test]
fn pairs_of_qp_type_and_port_space() {
    let known = table();
    let qp_types = (-1..=12).chain([254, 255, 256, i32::MIN, i32::MAX]);
    let step = if cfg!(miri) { 97 } else { 1 };
    let spaces = (-1..=0x200).step_by(step).chain(SPACES.map(PortSpace::to_raw)).chain([i32::MIN, i32::MAX]);
    let mut seen = 0;
    for qp_type in qp_types {
        for space in spaces.clone() {
            let pair = [qp_type, space];
            let hints = Hints::new()
                .with_qp_type(QpType::from_raw(qp_type))
                .with_port_space(PortSpace::from_raw(space));
            let strict = resolve(&hints, Policy::MAN_PAGE);
            let loose = resolve(&hints, Policy::LIBRDMACM).map_err(|error| error.to_c());
            assert_eq!(hints.validate().err(), strict.err(), "{hints}");
            match known.iter().find(|(known, _)| *known == pair) {
                Some((_, Some(answer))) => {
                    assert_eq!((strict, loose), (Ok(*answer), Ok(*answer)), "{hints}");
                    seen += 1;
                }
                Some((_, None)) => {
                    refused(strict, Reason::Inconsistent, Field::PortSpace);
                    assert_eq!(loose, Err(CCode::Eai(-7)), "{hints}");
                    seen += 1;
                }
                None => {
                    let qp_type_is_known = known.iter().any(|([known, _], _)| *known == qp_type);
                    if qp_type_is_known {
                        refused(strict, Reason::UnknownPortSpace, Field::PortSpace);
                    } else {
                        refused(strict, Reason::UnknownQpType, Field::QpType);
                    }
                    assert_eq!(loose, repeated(pair), "{hints}");
                }
            }
        }
    }
    // The known spaces come twice, but for some where steps leave them out.
    assert!((30..=60).contains(&seen), "{seen}");
}

fn refused(answer: Result<[i32; 2], Error>, reason: Reason, field: Field) {
    let error = answer.expect_err("refused");
    let right = (CCode::Eai(-7), reason, Location::Hints(field));
    assert_eq!((error.to_c(), error.reason(), error.location()), right);
}
