//! Names and services of files, by an index of each: without a thread, and at a cost that the files' lengths do not change.
//!
//! [`lookup`] answers where its answer is what getaddrinfo(3) would give, and leaves every other question to it: names that
//! are not in the file, several addresses whose order is the C library's, configurations that are not understood.
//!
//! Each question looks whether the file is still the one that was read: its place, size and times (statx(2)). A file that
//! was changed just now is not read, since it could change again and keep its times; nor is one of a network or of a
//! program, whose times say nothing. What is written by a shared mapping shows in the times late, as msync(2) says.
//!
//! The indexes belong to the process. A child made by fork(2) has them as it has all memory. No descriptor is kept.

mod config;
mod hosts;
mod interfaces;
#[allow(unsafe_code)]
mod libc_state;
mod order;
mod read;
mod services;
mod table;
#[cfg(test)]
mod tests;

use super::{Answer, Query, Sources};
use crate::native::fork_local::{ForkLocal, Initial};
use crate::native::{clock, fork_id};
use config::{Config, Services};
use hosts::Wanted;
use rdma_addrinfo_core::{Found, Protocol};
use read::Stamp;
use rustix::net::AddressFamily;
use services::Port;
use std::ffi::CStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};
use table::Table;

/// How long the configuration counts as unchanged, in milliseconds.
const CONFIG_AGE: u64 = 100;

/// How long another thread that reads the file is waited for where there is no deadline.
const PATIENCE: Duration = Duration::from_secs(2);

/// A caller with less time than this leaves reading to the lookup threads.
const TIME_TO_READ: Duration = Duration::from_millis(500);

static FILES: ForkLocal<State> = ForkLocal::new();

#[derive(Debug)]
struct State {
    /// The configuration as it was first, and until when the last look at it counts. Other readings are not followed: the
    /// C library has read most of it once for all.
    config: Option<Config>,
    is_unchanged: bool,
    looked_at: u64,
    hosts: Kept,
    services: Kept,
}

/// An index, or none yet.
#[derive(Debug)]
struct Kept {
    table: Option<(Stamp, Table)>,
    /// The [identity](fork_id::identity) of the process in which a thread reads the file; 0 for none.
    reader: u64,
}

impl Initial for State {
    const INITIAL: Self = Self {
        config: None,
        is_unchanged: false,
        looked_at: 0,
        hosts: Kept { table: None, reader: 0 },
        services: Kept { table: None, reader: 0 },
    };
    const IS_INHERITED: bool = true;
}

/// One of the files.
#[derive(Clone, Copy)]
struct File {
    path: &'static CStr,
    kept: fn(&mut State) -> &mut Kept,
    index: fn(Vec<u8>, &dyn Fn() -> bool) -> Option<Table>,
}

const HOSTS: File = File {
    path: c"/etc/hosts",
    kept: |state| &mut state.hosts,
    index: |text, goes_on| hosts::index(text, goes_on),
};

const SERVICES: File = File {
    path: c"/etc/services",
    kept: |state| &mut state.services,
    index: |text, goes_on| services::index(text, goes_on),
};

/// Answers a query as getaddrinfo(3) would, or `None`: then that must be asked, also where memory runs out. It waits until
/// `deadline` at most.
pub(super) fn lookup(query: &Query<&CStr>, deadline: Option<Instant>) -> Option<Answer> {
    let node = match query.node {
        Some(node) => Some(plain_name(node)?),
        None => None,
    };
    // Nothing at all is an error, and the order of two families that of the C library.
    if node.is_none() && (query.service.is_none() || unnamed(query).is_none()) {
        return None;
    }
    let service = query.service.map_or(Some(Asked::Number(0)), asked)?;
    if !libc_state::is_known() {
        return None;
    }
    let config = config()?;
    let ports = match service {
        Asked::Number(port) => Ports::of_number(port, query.protocol),
        Asked::Name(name) => ports(name, query.protocol, config.services, deadline)?,
    };
    let Some(node) = node else {
        return unnamed(query).and_then(|address| answer(&[address], &ports, None, Sources::new()));
    };
    if !config.hosts {
        return None;
    }
    let multi = config.multi?;
    let wanted = match AddressFamily::from_raw(u16::try_from(query.family).ok()?) {
        AddressFamily::UNSPEC => Wanted::Both,
        AddressFamily::INET => Wanted::V4,
        AddressFamily::INET6 => Wanted::V6,
        _ => return None,
    };
    let (mut addresses, name) = with_table(HOSTS, deadline, |table| {
        let mut hosts = hosts::find(table, node, wanted);
        let first = hosts.next()?;
        let mut addresses = Vec::new();
        addresses.try_reserve(1).ok()?;
        addresses.push(first.address);
        if multi {
            for host in hosts {
                addresses.try_reserve(1).ok()?;
                addresses.push(host.address);
            }
        }
        let mut name = Vec::new();
        if query.canonical {
            name.try_reserve_exact(first.name.len() + 1).ok()?;
            name.extend_from_slice(first.name);
            name.push(0);
        }
        Some((addresses, name))
    })??;
    let mut sources = Sources::new();
    if addresses.len() > 1 {
        if !config.sorts_by_default || !libc_state::order_is_known() {
            return None;
        }
        let port = ports.iter().next().map_or(0, |(_, port)| port);
        sources = order::sort(&mut addresses, port)?;
    }
    answer(&addresses, &ports, query.canonical.then_some(name), sources)
}

/// What a service is asked for by.
enum Asked<'q> {
    Number(u16),
    Name(&'q [u8]),
}

/// A service as strtoul(3) reads it, where it is written as one writes it.
fn asked(service: &CStr) -> Option<Asked<'_>> {
    let text = service.to_bytes();
    if text.iter().all(u8::is_ascii_digit) {
        return str::from_utf8(text).ok()?.parse().ok().map(Asked::Number);
    }
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (text.first()?.is_ascii_alphabetic() && text.iter().all(is_plain)).then_some(Asked::Name(text))
}

/// A node that the C library takes for a name, as it is written.
fn plain_name(node: &CStr) -> Option<&[u8]> {
    let text = node.to_bytes();
    // Numbers have these letters at most: decimal, octal and hexadecimal ones.
    let may_be_number = text.first()?.is_ascii_digit()
        && text.iter().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'X' | b'.'));
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!may_be_number && text.iter().all(is_plain)).then_some(text)
}

/// The address that stands for no node.
fn unnamed(query: &Query<&CStr>) -> Option<IpAddr> {
    match AddressFamily::from_raw(u16::try_from(query.family).ok()?) {
        AddressFamily::INET if query.passive => Some(Ipv4Addr::UNSPECIFIED.into()),
        AddressFamily::INET => Some(Ipv4Addr::LOCALHOST.into()),
        AddressFamily::INET6 if query.passive => Some(Ipv6Addr::UNSPECIFIED.into()),
        AddressFamily::INET6 => Some(Ipv6Addr::LOCALHOST.into()),
        _ => None,
    }
}

/// The protocols of getaddrinfo(3) that a named service is looked up for where none is asked for, in its order.
const PROTOCOLS: [(&[u8], Protocol); 6] = [
    (b"tcp", Protocol::Tcp),
    (b"udp", Protocol::Udp),
    (b"dccp", Protocol::Any),
    (b"udplite", Protocol::Any),
    // As a stream, and as packets.
    (b"sctp", Protocol::Any),
    (b"sctp", Protocol::Any),
];

/// What each address is answered with.
#[derive(Default)]
struct Ports {
    all: [Option<(Protocol, u16)>; PROTOCOLS.len()],
}

impl Ports {
    fn of_number(port: u16, protocol: Protocol) -> Self {
        let mut all = [None; PROTOCOLS.len()];
        let each: &[Protocol] = match protocol {
            Protocol::Any => &[Protocol::Tcp, Protocol::Udp, Protocol::Any],
            Protocol::Tcp => &[Protocol::Tcp],
            Protocol::Udp => &[Protocol::Udp],
        };
        for (place, protocol) in all.iter_mut().zip(each) {
            *place = Some((*protocol, port));
        }
        Self { all }
    }

    fn iter(&self) -> impl Iterator<Item = (Protocol, u16)> {
        self.all.iter().copied().flatten()
    }
}

/// The ports of a named service; `None` if the file does not settle them.
fn ports(name: &[u8], protocol: Protocol, sources: Services, deadline: Option<Instant>) -> Option<Ports> {
    if !sources.has {
        return None;
    }
    let ports = with_table(SERVICES, deadline, |table| {
        let mut ports = Ports::default();
        for (place, (named, listed)) in ports.all.iter_mut().zip(PROTOCOLS) {
            if protocol == Protocol::Any || protocol == listed {
                match services::find(table, name, named) {
                    Port::Is(port) => *place = Some((listed, port)),
                    Port::None if sources.is_all => {}
                    Port::None | Port::Odd => return None,
                }
            }
        }
        Some(ports)
    })??;
    // That there is no such service is said by the C library.
    let is_any = ports.iter().next().is_some();
    is_any.then_some(ports)
}

/// Every address with every port.
fn answer(addresses: &[IpAddr], ports: &Ports, name: Option<Vec<u8>>, sources: Sources) -> Option<Answer> {
    let mut found = Vec::new();
    found.try_reserve_exact(addresses.len() * ports.iter().count()).ok()?;
    for address in addresses {
        for (protocol, port) in ports.iter() {
            found.push(Found { address: SocketAddr::new(*address, port), protocol });
        }
    }
    Some(Answer::of_files(found, name, sources))
}

/// Whether nsswitch.conf(5) names no source of hosts, which the C library must then not be asked for.
pub(super) fn is_without_hosts() -> bool {
    config().is_some_and(|config| config.is_without_hosts)
}

/// The configuration, unless it has changed since it was first read or is not understood.
fn config() -> Option<Config> {
    let now = clock::now();
    let known = FILES.with(|state| {
        let is_due = state.config.is_none() || now.saturating_sub(state.looked_at) >= CONFIG_AGE;
        // Others go on with what is known while this thread looks.
        state.looked_at = now;
        (!is_due).then_some(state.config.filter(|_| state.is_unchanged))
    })?;
    if let Some(known) = known {
        return known;
    }
    let read = read_config();
    FILES.with(|state| {
        let read = read?;
        let first = *state.config.get_or_insert(read);
        state.is_unchanged = first == read;
        Some(first).filter(|_| state.is_unchanged)
    })?
}

fn read_config() -> Option<Config> {
    let nsswitch = read::small(c"/etc/nsswitch.conf")?;
    // A cache has answers of its own.
    let is_asked = read::is_absent(c"/var/run/nscd/socket");
    let hosts = is_asked && config::sources(&nsswitch, "hosts").is_some_and(|sources| !sources.db_first);
    let services = match config::sources(&nsswitch, "services") {
        Some(found) => {
            let no_db =
                || [c"/var/lib/misc/services.db", c"/var/db/services.db"].into_iter().all(read::is_absent);
            let has = is_asked && (!found.db_first || no_db());
            Services { has, db_first: found.db_first, is_all: found.is_last }
        }
        None => Services { has: false, db_first: false, is_all: false },
    };
    let multi = config::multi(&read::small(c"/etc/host.conf")?);
    let multi = libc_state::multi_of_environment(multi);
    let sorts_by_default = config::is_default_order(&read::small(c"/etc/gai.conf")?);
    let is_without_hosts = config::is_without_sources(&nsswitch, "hosts");
    Some(Config { hosts, is_without_hosts, services, multi, sorts_by_default })
}

/// Gives `body` the index of the file as it is now; `None` if there can be none.
fn with_table<R>(file: File, deadline: Option<Instant>, body: impl Fn(&Table) -> R) -> Option<R> {
    /// What is to be done.
    enum Next<R> {
        Done(R),
        Read,
        Wait,
    }

    let begun = Instant::now();
    let until = deadline.unwrap_or(begun + PATIENCE).min(begun + PATIENCE);
    let mut pause = Duration::from_micros(20);
    loop {
        let stamp = Stamp::of(file.path)?;
        let process = fork_id::identity();
        let next = FILES.with(|state| {
            let kept = (file.kept)(state);
            match &kept.table {
                Some((of, table)) if *of == stamp => Next::Done(body(table)),
                _ if kept.reader == process => Next::Wait,
                _ => {
                    kept.reader = process;
                    Next::Read
                }
            }
        })?;
        match next {
            Next::Done(answer) => return Some(answer),
            Next::Read => {
                let _reader = Reader(file);
                let has_time = until.saturating_duration_since(begun) >= TIME_TO_READ;
                let goes_on = || Instant::now() < until;
                let (stamp, text) =
                    Some(()).filter(|()| has_time).and_then(|()| read::settled(file.path, goes_on))?;
                let table = (file.index)(text, &goes_on)?;
                let answer = body(&table);
                let old = FILES.with(|state| (file.kept)(state).table.replace((stamp, table)));
                // To free it takes longer than others should wait.
                drop(old);
                return Some(answer);
            }
            Next::Wait => {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return None;
                }
                thread::sleep(pause.min(left));
                pause = (pause * 2).min(Duration::from_millis(1));
            }
        }
    }
}

/// The one thread that reads a file. Dropped, it lets another.
struct Reader(File);

impl Drop for Reader {
    fn drop(&mut self) {
        FILES.with(|state| (self.0.kept)(state).reader = 0);
    }
}
