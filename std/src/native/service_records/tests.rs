//! A connection manager in memory, honest or not.

use super::answer::MOST;
use super::*;
use rdma_addrinfo_core::{ErrorKind, Reason};
use std::iter::repeat_n;

const PORT: Gid = Gid::from_bits(0xfe80_0000_0000_0000_0c42_a103_0065_4a10);
const ID: u32 = 0x0102_0304;

/// What the fake does where it is not to be honest.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Lie {
    None,
    /// A command fails with this errno.
    Errno(Command, i32),
    /// A command is interrupted so often.
    Interrupted(Command, usize),
    /// No identifier is written.
    NoId,
    /// There is no event, ever.
    NoEvent,
    /// An event is announced so often and not there.
    Announced(usize),
    /// The event: user's number, identifier, event, status.
    Event(u64, u32, u32, i32),
    /// So many bytes of the answer are written.
    Cut(usize),
    /// The count of the answer.
    Count(u32),
}

struct Fake {
    lie: Lie,
    /// Whether the kernel knows records at all.
    is_old: bool,
    records: Vec<[u8; 176]>,
    sent: Vec<(Command, Vec<u8>)>,
    left: usize,
}

fn raw(number: u32) -> [u8; 176] {
    let mut record = [0; 176];
    record[..8].copy_from_slice(&(0x1000_0000_0000_0000 | u64::from(number)).to_be_bytes());
    record[8..24].copy_from_slice(&(0xfe80 << 112 | u128::from(number)).to_be_bytes());
    record[24..26].copy_from_slice(&[0x80, 1]);
    record[48..55].copy_from_slice(b"storage");
    record
}

fn record(number: u32) -> ServiceRecord {
    ServiceRecord {
        gid: Gid::from_bits(0xfe80 << 112 | u128::from(number)),
        pkey: Pkey::from_raw(0x8001),
        id: ServiceId::from_raw(0x1000_0000_0000_0000 | u64::from(number)),
    }
}

impl Fake {
    fn new(count: u32, lie: Lie) -> Self {
        let left = match lie {
            Lie::Interrupted(_, times) | Lie::Announced(times) => times,
            _ => 0,
        };
        Self { lie, is_old: false, records: (0..count).map(raw).collect(), sent: Vec::new(), left }
    }

    fn ask(&mut self, service: IbService<'_>) -> Result<Vec<ServiceRecord>, Failure> {
        ask(self, &service.into(), PORT, Instant::now() + Duration::from_secs(20))
    }
}

fn write(answer: &mut [u8], bytes: &[u8]) {
    let length = bytes.len().min(answer.len());
    answer[..length].copy_from_slice(&bytes[..length]);
}

impl Commands for Fake {
    fn send(&mut self, command: Command, body: &[u8], answer: &mut [u8]) -> io::Result<()> {
        self.sent.push((command, body.to_vec()));
        match self.lie {
            Lie::Errno(lying, errno) if lying == command => {
                return Err(io::Error::from_raw_os_error(errno));
            }
            Lie::Interrupted(lying, _) if lying == command && self.left > 0 => {
                self.left -= 1;
                return Err(io::Error::from_raw_os_error(libc::EINTR));
            }
            _ => {}
        }
        let lengths = (body.len(), answer.len());
        match command {
            Command::CreateId => {
                assert_eq!(lengths, (24, 4));
                if self.lie != Lie::NoId {
                    write(answer, &ID.to_ne_bytes());
                }
            }
            Command::Bind => assert_eq!(lengths, (136, 0)),
            Command::ResolveIbService => {
                assert_eq!(lengths, (88, 0));
                if self.is_old {
                    return Err(io::Error::from_raw_os_error(libc::EINVAL));
                }
            }
            Command::GetEvent => {
                assert_eq!(lengths, (8, 336));
                if self.left > 0 && matches!(self.lie, Lie::Announced(_)) {
                    self.left -= 1;
                    return Err(io::Error::from_raw_os_error(libc::EAGAIN));
                }
                let (uid, id, event, status) = match self.lie {
                    Lie::Event(uid, id, event, status) => (uid, id, event, status),
                    _ => (1, ID, 16, 0),
                };
                let event =
                    [&uid.to_ne_bytes()[..], &id.to_ne_bytes(), &event.to_ne_bytes(), &status.to_ne_bytes()];
                write(answer, &event.concat());
            }
            Command::Query => {
                assert_eq!(body.len(), 16);
                if self.is_old {
                    return Err(io::Error::from_raw_os_error(libc::ENOSYS));
                }
                if self.records.is_empty() {
                    return Err(io::Error::from_raw_os_error(libc::ENODATA));
                }
                let count = match self.lie {
                    Lie::Count(count) => count,
                    _ => u32::try_from(self.records.len()).unwrap(),
                };
                let whole = [&count.to_ne_bytes()[..], &[0; 4], &self.records.concat()].concat();
                match self.lie {
                    Lie::Cut(length) => write(answer, &whole[..length]),
                    _ => write(answer, &whole),
                }
            }
        }
        Ok(())
    }

    fn wait(&mut self, deadline: Instant) -> io::Result<bool> {
        if self.lie == Lie::NoEvent {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            return Ok(false);
        }
        Ok(true)
    }
}

const NAME: IbService<'static> = IbService::Name(b"storage");

#[test]
fn records_come_as_the_kernel_has_them() {
    for service in [NAME, IbService::Id(ServiceId::from_raw(7))] {
        for count in [0, 1, 6, 7, 371, 372] {
            let found = Fake::new(count, Lie::None).ask(service);
            assert_eq!(found, Ok((0..count).map(record).collect()), "{count}");
        }
    }
    assert_eq!(MOST, 372);
}

#[test]
fn more_than_an_answer_holds_is_an_error_with_the_number() {
    for count in [373, 400, 65_536] {
        let told = Fake::new(count, Lie::None).ask(NAME);
        assert_eq!(told, Err(Failure::TooMany(count)));
    }
    let error = Error::from(Failure::TooMany(400));
    assert_eq!((error.errno(), error.reason()), (Some(libc::EOVERFLOW), Reason::TooManyRecords));
}

#[test]
#[cfg(target_endian = "little")]
fn commands_byte_by_byte() {
    let mut fake = Fake::new(1, Lie::None);
    fake.ask(NAME).unwrap();
    let commands: Vec<_> = fake.sent.iter().map(|(command, _)| *command).collect();
    assert_eq!(
        commands,
        [Command::CreateId, Command::Bind, Command::ResolveIbService, Command::GetEvent, Command::Query]
    );
    // The number that comes back with events: 0 would lose them.
    assert_eq!(fake.sent[0].1[..8], [1, 0, 0, 0, 0, 0, 0, 0]);
    let bind = &fake.sent[1].1;
    assert_eq!(bind[..12], [4, 3, 2, 1, 48, 0, 0, 0, 27, 0, 0, 0]);
    assert_eq!(bind[16..32], PORT.octets());
    assert!(bind[32..].iter().all(|byte| *byte == 0));
    let mut resolve = [0; 88];
    resolve[..4].copy_from_slice(&[4, 3, 2, 1]);
    resolve[16..23].copy_from_slice(b"storage");
    resolve[80] = 2;
    assert_eq!(fake.sent[2].1, resolve);
    let query = &fake.sent[4].1;
    assert_eq!(query[8..], [4, 3, 2, 1, 3, 0, 0, 0]);

    let mut fake = Fake::new(1, Lie::None);
    fake.ask(IbService::Id(ServiceId::from_raw(0x0102_0304_0506_0708))).unwrap();
    let resolve = &fake.sent[2].1;
    assert_eq!(resolve[8..16], [8, 7, 6, 5, 4, 3, 2, 1]);
    assert!(resolve[16..80].iter().all(|byte| *byte == 0));
    assert_eq!(resolve[80..], [1, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn each_failure_has_its_reason() {
    use Command::{Bind, CreateId, GetEvent, Query, ResolveIbService};
    let errno = Lie::Errno;
    let event = |event, status| Lie::Event(1, ID, event, status);
    for (lie, failure, kind, reason) in [
        (errno(CreateId, libc::EACCES), Failure::Credentials, ErrorKind::System, Reason::SaCredentials),
        (errno(Query, libc::EACCES), Failure::Credentials, ErrorKind::System, Reason::SaCredentials),
        (errno(Bind, libc::ENODEV), Failure::Removed, ErrorKind::NoDevice, Reason::SaDeviceGone),
        (errno(GetEvent, libc::EIO), Failure::Removed, ErrorKind::NoDevice, Reason::SaDeviceGone),
        (
            errno(ResolveIbService, libc::EOPNOTSUPP),
            Failure::NoAdministrator,
            ErrorKind::NotSupported,
            Reason::NoSubnetAdministrator,
        ),
        // A kernel that knows the command and does not like it.
        (
            errno(ResolveIbService, libc::EINVAL),
            Failure::System(libc::EINVAL),
            ErrorKind::System,
            Reason::SaNotAsked,
        ),
        (errno(CreateId, libc::ENOMEM), Failure::NoMemory, ErrorKind::Memory, Reason::Unspecified),
        (
            errno(ResolveIbService, libc::EALREADY),
            Failure::System(libc::EALREADY),
            ErrorKind::System,
            Reason::SaNotAsked,
        ),
        (Lie::NoId, Failure::Malformed, ErrorKind::System, Reason::SaReply),
        (event(17, -libc::ETIMEDOUT), Failure::Silent, ErrorKind::TimedOut, Reason::SaSilent),
        (event(16, -libc::ETIMEDOUT), Failure::Silent, ErrorKind::TimedOut, Reason::SaSilent),
        (event(17, -libc::EINVAL), Failure::Rejected, ErrorKind::Service, Reason::SaRejected),
        (event(17, -libc::ENODEV), Failure::Removed, ErrorKind::NoDevice, Reason::SaDeviceGone),
        (event(11, 0), Failure::Removed, ErrorKind::NoDevice, Reason::SaDeviceGone),
        (event(17, -libc::EINTR), Failure::System(libc::EINTR), ErrorKind::System, Reason::SaNotAsked),
        (event(17, 0), Failure::System(0), ErrorKind::System, Reason::SaNotAsked),
        (event(17, 5), Failure::System(0), ErrorKind::System, Reason::SaNotAsked),
        (event(17, i32::MIN), Failure::System(0), ErrorKind::System, Reason::SaNotAsked),
        (event(0, 0), Failure::ForeignEvent, ErrorKind::System, Reason::SaForeignEvent),
        (Lie::Event(2, ID, 16, 0), Failure::ForeignEvent, ErrorKind::System, Reason::SaForeignEvent),
        (Lie::Event(1, ID + 1, 16, 0), Failure::ForeignEvent, ErrorKind::System, Reason::SaForeignEvent),
        (Lie::Cut(0), Failure::Malformed, ErrorKind::System, Reason::SaReply),
        (Lie::Cut(8), Failure::Malformed, ErrorKind::System, Reason::SaReply),
        (Lie::Cut(8 + 176), Failure::Malformed, ErrorKind::System, Reason::SaReply),
        (Lie::Count(3), Failure::Malformed, ErrorKind::System, Reason::SaReply),
        (Lie::Count(u32::MAX), Failure::Malformed, ErrorKind::System, Reason::SaReply),
        (Lie::Count(u32::MAX - 1), Failure::TooMany(u32::MAX - 1), ErrorKind::System, Reason::TooManyRecords),
    ] {
        let failed = Fake::new(2, lie).ask(NAME);
        assert_eq!(failed, Err(failure), "{lie:?}");
        let error = Error::from(failure);
        assert_eq!((error.kind(), error.reason()), (kind, reason), "{lie:?}");
    }
    // A count below that of the kernel is its own affair.
    assert_eq!(Fake::new(2, Lie::Count(1)).ask(NAME), Ok(vec![record(0)]));
    assert_eq!(Fake::new(2, Lie::Count(0)).ask(NAME), Ok(Vec::new()));
}

/// A kernel without the command, told from one that refuses it.
#[test]
fn an_old_kernel_is_told_by_its_query() {
    let mut old = Fake { is_old: true, ..Fake::new(1, Lie::None) };
    assert_eq!(old.ask(NAME), Err(Failure::OldKernel));
    let error = Error::from(Failure::OldKernel);
    assert_eq!((error.kind(), error.reason()), (ErrorKind::NotSupported, Reason::SaNeedsKernel));
    assert!(error.to_string().contains("needs Linux 6.18"));
}

#[test]
fn signals_and_false_alarms_are_no_failures() {
    for command in [Command::CreateId, Command::Bind, Command::ResolveIbService, Command::GetEvent] {
        assert_eq!(Fake::new(1, Lie::Interrupted(command, 9)).ask(NAME), Ok(vec![record(0)]), "{command:?}");
    }
    assert_eq!(Fake::new(1, Lie::Announced(9)).ask(NAME), Ok(vec![record(0)]));
}

/// Whatever never comes, the deadline does.
#[test]
fn the_deadline_ends_all_waits() {
    let endless = usize::MAX;
    for lie in [
        Lie::NoEvent,
        Lie::Announced(endless),
        Lie::Interrupted(Command::GetEvent, endless),
        Lie::Interrupted(Command::Bind, endless),
    ] {
        let begin = Instant::now();
        let failed = ask(&mut Fake::new(1, lie), &NAME.into(), PORT, begin + Duration::from_millis(40));
        assert_eq!(failed, Err(Failure::Silent), "{lie:?}");
        assert!((40..5000).contains(&begin.elapsed().as_millis()), "{lie:?}");
    }
    // Who has no time left does not ask.
    let mut fake = Fake::new(1, Lie::None);
    assert_eq!(ask(&mut fake, &NAME.into(), PORT, Instant::now()), Err(Failure::Silent));
    assert!(fake.sent.is_empty());
}

#[test]
fn a_key_holds_what_is_asked() {
    let key = ServiceKey::from(IbService::Id(ServiceId::from_raw(8)));
    assert_eq!((key.id(), key.name()), (Some(ServiceId::from_raw(8)), None));
    let longest: Vec<u8> = repeat_n(b'n', 63).collect();
    for name in [&b""[..], b"storage", &longest] {
        let key = ServiceKey::from(IbService::Name(name));
        assert_eq!((key.id(), key.name()), (None, Some(name)));
    }
}

#[test]
fn a_device_that_does_not_open_is_no_connection_manager() {
    for errno in [libc::ENOENT, libc::ENXIO, libc::ENODEV] {
        let failure = Failure::of_open(&io::Error::from_raw_os_error(errno));
        assert_eq!(failure, Failure::NoConnectionManager);
    }
    assert_eq!(Failure::of_open(&io::ErrorKind::Unsupported.into()), Failure::NoConnectionManager);
    let refused = Error::from(Failure::of_open(&io::Error::from_raw_os_error(libc::EACCES)));
    assert_eq!((refused.errno(), refused.reason()), (Some(libc::EACCES), Reason::SaNotAsked));
}
