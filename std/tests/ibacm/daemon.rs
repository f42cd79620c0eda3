//! A daemon that answers each request as its script says.

use super::hostile;
use rdma_addrinfo::{IbEntries, Ibacm, NoRoute, Resolved, Resolver, RouteStatus};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The header and an entry, in bytes.
pub(crate) const HEADER: usize = 16;
pub(crate) const ENTRY: usize = 72;

/// What the daemon does about a request. `Bytes` and what builds on it get the right reply to change.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// The right reply.
    Right,
    /// The right reply, so much later.
    Late(Duration),
    /// The right reply, a byte at a time.
    Dribble,
    /// Nothing, until the other side hangs up.
    Silence,
    /// The right reply twice.
    Twice,
    /// The right reply, and 20 ms later once more.
    Again,
    /// The reply to the request before this one, whoever asked it.
    Previous,
    /// The right reply, changed.
    Changed(fn(&mut Vec<u8>)),
    /// As much of the right reply, and then the end.
    Cut(usize),
    /// The right reply, and then the end.
    LastWords,
    /// The right reply, and the next request is refused by the kernel.
    Deaf,
    /// What the generator makes of this seed.
    Hostile(u64),
}

/// How many requests are noted whole.
const NOTED: usize = 100;

/// How many of the last replies are known, whoever asked for them.
const KNOWN: usize = 64;

/// What is done about the request of this number.
pub(crate) type Rule = fn(usize) -> Act;

#[derive(Debug, Default)]
pub(crate) struct State {
    script: Mutex<VecDeque<Act>>,
    /// The right replies to the last requests, the newest last.
    previous: Mutex<VecDeque<Vec<u8>>>,
    /// The first requests that came, up to [`NOTED`].
    pub(crate) requests: Mutex<Vec<Vec<u8>>>,
    asked: AtomicUsize,
    pub(crate) connections: AtomicUsize,
    /// What is done when the script is at its end.
    otherwise: Mutex<Option<Rule>>,
    over: AtomicBool,
}

/// A daemon that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct Daemon {
    pub(crate) state: Arc<State>,
    pub(crate) ibacm: Ibacm,
    wake_up: WakeUp,
}

#[derive(Debug)]
enum WakeUp {
    Unix(PathBuf),
    Tcp(u16),
}

/// The two kinds of sockets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Unix,
    Tcp,
}

pub(crate) const KINDS: [Kind; 2] = [Kind::Unix, Kind::Tcp];

/// A path of a socket that no other test has.
pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.sock", process::id()))
}

impl Daemon {
    pub(crate) fn start(name: &str, kind: Kind) -> Self {
        match kind {
            Kind::Unix => {
                let path = path(name);
                let _ = fs::remove_file(&path);
                Self::on_unix(UnixListener::bind(&path).unwrap(), path)
            }
            Kind::Tcp => Self::on_tcp(TcpListener::bind("127.0.0.1:0").unwrap()),
        }
    }

    pub(crate) fn on_unix(listener: UnixListener, path: PathBuf) -> Self {
        let ibacm = Ibacm::socket(&path).unwrap();
        let accept = move || listener.accept().map(|(stream, _)| Stream::Unix(stream));
        Self::serve(ibacm, WakeUp::Unix(path), accept)
    }

    pub(crate) fn on_tcp(listener: TcpListener) -> Self {
        let port = listener.local_addr().unwrap().port();
        let accept = move || listener.accept().map(|(stream, _)| Stream::Tcp(stream));
        Self::serve(Ibacm::port(port), WakeUp::Tcp(port), accept)
    }

    fn serve(
        ibacm: Ibacm,
        wake_up: WakeUp,
        accept: impl Fn() -> io::Result<Stream> + Send + 'static,
    ) -> Self {
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            // Those that are being served, to hang up on them at the end.
            let mut served: Vec<Stream> = Vec::new();
            while let Ok(stream) = accept() {
                if shared.over.load(SeqCst) {
                    break;
                }
                shared.connections.fetch_add(1, SeqCst);
                served.retain(|stream| !stream.is_over());
                served.extend(stream.try_clone());
                let shared = Arc::clone(&shared);
                thread::spawn(move || converse(&shared, stream));
            }
            served.iter().for_each(Stream::hang_up);
        });
        Self { state, ibacm, wake_up }
    }

    /// What is done about the next requests, in their order; after that all are answered.
    pub(crate) fn script(&self, acts: &[Act]) {
        *self.state.script.lock().unwrap() = acts.iter().cloned().collect();
    }

    /// What is done about the requests behind the script, by their number.
    pub(crate) fn otherwise(&self, act: Rule) {
        *self.state.otherwise.lock().unwrap() = Some(act);
    }

    /// A resolver that asks this daemon, and nothing else.
    pub(crate) fn resolver(&self) -> Resolver {
        resolver(self.ibacm)
    }

    pub(crate) fn connections(&self) -> usize {
        self.state.connections.load(SeqCst)
    }

    pub(crate) fn requests(&self) -> usize {
        self.state.asked.load(SeqCst)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.state.over.store(true, SeqCst);
        match &self.wake_up {
            WakeUp::Unix(path) => {
                let _ = UnixStream::connect(path);
                let _ = fs::remove_file(path);
            }
            WakeUp::Tcp(port) => drop(TcpStream::connect(("127.0.0.1", *port))),
        }
    }
}

/// A resolver that asks a daemon, and nothing else.
pub(crate) fn resolver(ibacm: Ibacm) -> Resolver {
    let resolver = Resolver::new().with_ibacm(ibacm).with_ib_entries(IbEntries::Never).with_source(false);
    resolver.with_deadline(Duration::from_secs(20))
}

#[derive(Debug)]
enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Stream {
    fn try_clone(&self) -> Option<Self> {
        match self {
            Self::Unix(stream) => stream.try_clone().ok().map(Self::Unix),
            Self::Tcp(stream) => stream.try_clone().ok().map(Self::Tcp),
        }
    }

    fn hang_up(&self) {
        self.shut(Shutdown::Both);
    }

    fn shut(&self, how: Shutdown) {
        let _ = match self {
            Self::Unix(stream) => stream.shutdown(how),
            Self::Tcp(stream) => stream.shutdown(how),
        };
    }

    /// Makes the end of the connection a reset, and what was sent may be lost; only TCP can.
    fn reset(&self) {
        if let Self::Tcp(stream) = self {
            rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO)).unwrap();
        }
    }

    /// Whether one side has hung up.
    fn is_over(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let flags = PollFlags::RDHUP | PollFlags::HUP;
        let over = match self {
            Self::Unix(stream) => poll(&mut [PollFd::new(stream, flags)], Some(&now)),
            Self::Tcp(stream) => poll(&mut [PollFd::new(stream, flags)], Some(&now)),
        };
        over != Ok(0)
    }

    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(room),
            Self::Tcp(stream) => stream.read(room),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.write_all(bytes),
            Self::Tcp(stream) => stream.write_all(bytes),
        }
    }
}

fn converse(state: &State, mut stream: Stream) {
    let mut room = [0; 1024];
    // As ibacm: one read is one request, and less than it says is the end.
    while let Ok(len @ HEADER..) = stream.read(&mut room) {
        let request = room[..len].to_vec();
        if usize::from(u16::from_ne_bytes([request[6], request[7]])) != len {
            break;
        }
        let number = state.asked.fetch_add(1, SeqCst) + 1;
        if number <= NOTED {
            state.requests.lock().unwrap().push(request.clone());
        }
        let act = state
            .script
            .lock()
            .unwrap()
            .pop_front()
            .unwrap_or_else(|| state.otherwise.lock().unwrap().map_or(Act::Right, |act| act(number)));
        let right = reply(&request);
        let previous = {
            let mut previous = state.previous.lock().unwrap();
            let before: Vec<_> = previous.iter().cloned().collect();
            previous.push_back(right.clone());
            if previous.len() > KNOWN {
                previous.pop_front();
            }
            before
        };
        if !perform(act, right, &previous, &mut stream) {
            break;
        }
    }
    stream.hang_up();
}

/// True if the connection goes on.
fn perform(act: Act, mut right: Vec<u8>, previous: &[Vec<u8>], stream: &mut Stream) -> bool {
    // Whoever asked may have gone.
    match act {
        Act::Deaf => {
            let _ = stream.write(&right);
            stream.shut(Shutdown::Read);
            thread::sleep(Duration::from_millis(100));
            false
        }
        Act::Right => stream.write(&right).is_ok(),
        Act::Late(time) => {
            thread::sleep(time);
            stream.write(&right).is_ok()
        }
        Act::Dribble => right.chunks(1).all(|byte| {
            thread::sleep(Duration::from_micros(50));
            stream.write(byte).is_ok()
        }),
        Act::Silence => true,
        Act::Twice => stream.write(&right.repeat(2)).is_ok(),
        Act::Again => {
            let _ = stream.write(&right);
            thread::sleep(Duration::from_millis(20));
            stream.write(&right).is_ok()
        }
        Act::Previous => stream.write(previous.last().map_or(&[], Vec::as_slice)).is_ok(),
        Act::Hostile(seed) => say(hostile::said(seed, &right, previous), stream),
        Act::Changed(change) => {
            change(&mut right);
            stream.write(&right).is_ok()
        }
        Act::Cut(len) => {
            let _ = stream.write(&right[..len.min(right.len())]);
            false
        }
        Act::LastWords => {
            let _ = stream.write(&right);
            false
        }
    }
}

/// Says it piece by piece. True if the connection goes on.
fn say(said: hostile::Said, stream: &mut Stream) -> bool {
    for (pause, piece) in said.pieces {
        if !pause.is_zero() {
            thread::sleep(pause);
        }
        if stream.write(&piece).is_err() {
            return false;
        }
    }
    match said.end {
        hostile::End::GoOn => true,
        hostile::End::HangUp => false,
        hostile::End::Reset => {
            stream.reset();
            false
        }
    }
}

/// The right reply: one path to the destination that was asked for.
pub(crate) fn reply(request: &[u8]) -> Vec<u8> {
    let mut reply = request[..HEADER].to_vec();
    let destination = request[HEADER..].chunks_exact(ENTRY).find(|entry| entry[0] & 2 != 0);
    let destination: [u8; 4] = destination.map_or([0; 4], |entry| entry[8..12].try_into().unwrap());
    reply.extend(path_entry(destination));
    set_length(&mut reply);
    reply
}

/// An entry with a path whose destination GID ends in this address.
fn path_entry(destination: [u8; 4]) -> Vec<u8> {
    let mut entry = 0x2b_u32.to_ne_bytes().to_vec();
    entry.extend(0x10_u16.to_ne_bytes());
    entry.extend([0, 0]);
    let mut record = [0; 64];
    // ibv_path_record: service ID, dgid, sgid.
    record[8..10].copy_from_slice(&[0xfe, 0x80]);
    record[20..24].copy_from_slice(&destination);
    record[24..26].copy_from_slice(&[0xfe, 0x80]);
    record[39] = 9;
    entry.extend(record);
    entry
}

/// Makes the header tell how long the message is.
pub(crate) fn set_length(message: &mut [u8]) {
    let length = u16::try_from(message.len()).unwrap().to_ne_bytes();
    message[6..8].copy_from_slice(&length);
}

/// The address that stands in the GIDs of replies, out of a route.
pub(crate) fn told(found: &Resolved) -> (Vec<Ipv4Addr>, RouteStatus) {
    let first = found.first().unwrap();
    let ends = first.route().iter().map(|path| {
        let gid = path.dgid().to_bits().to_be_bytes();
        assert_eq!(gid[..12], [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        Ipv4Addr::new(gid[12], gid[13], gid[14], gid[15])
    });
    (ends.collect(), first.route_status())
}

/// Asks for an address, and gives what became of its route: found, and its own, or why there is none.
#[track_caller]
pub(crate) fn ask(resolver: &Resolver, address: Ipv4Addr) -> Result<(), NoRoute> {
    let found = resolver.resolve(&*address.to_string(), "7471", None).unwrap();
    let line = found.first().unwrap().to_string();
    let paths = if found.first().unwrap().route().is_empty() { "" } else { " (1 path)" };
    assert_eq!(line, format!("inet rc/tcp * -> {address}:7471{paths}"));
    match told(&found) {
        (ends, RouteStatus::Found) => {
            assert_eq!(ends, [address], "another's route");
            Ok(())
        }
        (ends, RouteStatus::Missing(reason)) => {
            assert!(ends.is_empty());
            Err(reason)
        }
        other => panic!("{other:?}"),
    }
}

/// Addresses that differ.
pub(crate) fn address(number: usize) -> Ipv4Addr {
    Ipv4Addr::from_bits(Ipv4Addr::new(10, 0, 0, 0).to_bits() + u32::try_from(number).unwrap())
}
