//! A name server for a world: on 127.0.0.1, with a few names, as slow as asked for or silent.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// `node.example`
pub(crate) const IPV4: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 53);
/// `node.example`
pub(crate) const IPV6: Ipv6Addr = Ipv6Addr::LOCALHOST;

const A: u16 = 1;
const AAAA: u16 = 28;
const NO_SUCH_NAME: u8 = 3;

/// A running name server; it ends with its process.
#[derive(Clone, Debug)]
pub(crate) struct Dns {
    answers: Arc<AtomicBool>,
    /// In microseconds.
    delay: Arc<AtomicU64>,
    asked: Arc<AtomicUsize>,
}

impl Dns {
    /// Starts one that answers each question this much later.
    pub(crate) fn start(delay: Duration) -> Self {
        Self::on(UdpSocket::bind("127.0.0.1:53").unwrap(), delay)
    }

    /// The same on a socket, such as one that can hold more questions.
    pub(crate) fn on(socket: UdpSocket, delay: Duration) -> Self {
        let dns =
            Self { answers: Arc::new(AtomicBool::new(true)), delay: Arc::default(), asked: Arc::default() };
        dns.set_delay(delay);
        let sender = socket.try_clone().unwrap();
        let (queue, due) = mpsc::channel::<(Instant, Vec<u8>, SocketAddr)>();
        thread::spawn(move || {
            for (when, reply, to) in due {
                thread::sleep(when.saturating_duration_since(Instant::now()));
                // Whoever asked may have gone.
                let _ = sender.send_to(&reply, to);
            }
        });
        let state = dns.clone();
        thread::spawn(move || {
            let mut room = [0; 512];
            loop {
                let Ok((len, from)) = socket.recv_from(&mut room) else { continue };
                state.asked.fetch_add(1, SeqCst);
                if state.answers.load(SeqCst)
                    && let Some(reply) = reply(&room[..len])
                {
                    let delay = Duration::from_micros(state.delay.load(SeqCst));
                    queue.send((Instant::now() + delay, reply, from)).unwrap();
                }
            }
        });
        dns
    }

    /// Starts one that answers nothing for the time being.
    pub(crate) fn start_silent() -> Self {
        let dns = Self::start(Duration::ZERO);
        dns.set_silent(true);
        dns
    }

    pub(crate) fn set_silent(&self, silent: bool) {
        self.answers.store(!silent, SeqCst);
    }

    /// Answers what is asked from now on this much later.
    pub(crate) fn set_delay(&self, delay: Duration) {
        self.delay.store(u64::try_from(delay.as_micros()).unwrap(), SeqCst);
    }

    /// How many questions have come.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(SeqCst)
    }
}

/// The reply to a question of one name, for A or AAAA.
fn reply(question: &[u8]) -> Option<Vec<u8>> {
    let (header, rest) = question.split_at_checked(12)?;
    let mut labels = Vec::new();
    let mut at = 0;
    while let length @ 1.. = usize::from(*rest.get(at)?) {
        labels.push(String::from_utf8(rest.get(at + 1..at + 1 + length)?.to_ascii_lowercase()).ok()?);
        at += 1 + length;
    }
    let asked = rest.get(..at + 5)?;
    let kind = u16::from_be_bytes([*rest.get(at + 1)?, *rest.get(at + 2)?]);

    let (code, data): (u8, Vec<u8>) = match (labels.join(".").as_str(), kind) {
        ("node.example" | "v4.example", A) => (0, IPV4.octets().to_vec()),
        ("node.example" | "v6.example", AAAA) => (0, IPV6.octets().to_vec()),
        ("node.example" | "v4.example" | "v6.example" | "empty.example", _) => (0, Vec::new()),
        ("broken.example", _) => (2, Vec::new()),
        _ => (NO_SUCH_NAME, Vec::new()),
    };
    let answers = u8::from(!data.is_empty());
    let mut reply = header.get(..2)?.to_vec();
    // A response, recursion desired and available; one question, that many answers, nothing else.
    reply.extend([0x81, 0x80 | code, 0, 1, 0, answers, 0, 0, 0, 0]);
    reply.extend(asked);
    if answers == 1 {
        // The name of the question, class IN, a minute.
        reply.extend([0xc0, 12]);
        reply.extend(kind.to_be_bytes());
        reply.extend([0, 1, 0, 0, 0, 60, 0, u8::try_from(data.len()).ok()?]);
        reply.extend(data);
    }
    Some(reply)
}
