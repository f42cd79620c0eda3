//! Deadlines and workers, with stand-ins for a name service that is slow or does not answer.

use super::super::lookups::{AT_ONCE, Lookups};
use super::super::{Answer, Query};
use super::{Address, QUEUE, found, query, wait_until, within};
use crate::native::lane::{KEPT_WORKERS, Lane};
use rdma_addrinfo_core::{Error, ErrorKind, Protocol, Reason};
use std::collections::HashSet;
use std::ffi::CStr;
use std::ffi::CString;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// An answer that names its question: the node's number as address, the service's as port.
fn echo(query: &Query<&CStr>) -> Result<Answer, Error> {
    let node: u32 = query.node.unwrap().to_str().unwrap().parse().unwrap();
    let service: u16 = query.service.unwrap().to_str().unwrap().parse().unwrap();
    Ok(Answer::told(vec![found(Address::V4(node), service, Protocol::Tcp)], None))
}

/// The answer where too many lookups are running.
fn busy() -> Error {
    Error::new(ErrorKind::Again).because(Reason::TooManyLookups)
}

/// Counts the thread that holds it while the thread lives.
struct Counted(&'static AtomicUsize);

impl Counted {
    fn new(threads: &'static AtomicUsize) -> Self {
        threads.fetch_add(1, SeqCst);
        Self(threads)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

#[test]
fn one_worker_serves_one_caller() {
    static WORKERS: Mutex<Option<HashSet<thread::ThreadId>>> = Mutex::new(None);
    static LOOKUPS: Lookups = Lookups::new(|query| {
        WORKERS.lock().unwrap().get_or_insert_default().insert(thread::current().id());
        echo(query)
    });
    for port in 0..1000_u16 {
        let service = CString::new(port.to_string()).unwrap();
        let query = query(c"7", &service);
        assert_eq!(LOOKUPS.lookup_by(&query, within(20_000), QUEUE), echo(&query));
    }
    let workers = WORKERS.lock().unwrap().take().unwrap();
    assert_eq!(workers.len(), 1);
    assert!(!workers.contains(&thread::current().id()));
}

#[test]
fn a_deadline_that_passed_asks_nothing() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    static LOOKUPS: Lookups = Lookups::new(|query| {
        ASKED.store(true, SeqCst);
        echo(query)
    });
    assert_eq!(LOOKUPS.lookup_by(&query(c"7", c"1"), Instant::now(), QUEUE), Err(ErrorKind::TimedOut.into()));
    thread::sleep(Duration::from_millis(20));
    assert!(!ASKED.load(SeqCst));
}

#[test]
fn the_caller_comes_back_at_the_deadline_and_not_before() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    static LOOKUPS: Lookups = Lookups::new(|query| {
        wait_until(|| OPEN.load(SeqCst));
        echo(query)
    });
    let deadline = within(30);
    assert_eq!(LOOKUPS.lookup_by(&query(c"7", c"1"), deadline, QUEUE), Err(ErrorKind::TimedOut.into()));
    let late = deadline.elapsed();
    assert!(Instant::now() >= deadline);
    assert!(late < Duration::from_secs(5), "{late:?}");
    OPEN.store(true, SeqCst);
}

#[test]
fn lookups_in_flight_are_bounded_and_their_workers_come_back() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static COUNTED: Counted = Counted::new(&THREADS));
    static LOOKUPS: Lookups = Lookups::new(|query| {
        COUNTED.with(|_| ());
        wait_until(|| OPEN.load(SeqCst));
        echo(query)
    });
    let query = query(c"7", c"1");

    for _ in 0..AT_ONCE {
        assert_eq!(LOOKUPS.lookup_by(&query, within(1), QUEUE), Err(ErrorKind::TimedOut.into()));
    }
    wait_until(|| THREADS.load(SeqCst) == AT_ONCE);
    // Who may not wait for a turn is refused at once, all others wait, until their deadline or for an answer.
    let start = Instant::now();
    assert_eq!(LOOKUPS.lookup_by(&query, within(60_000), 0), Err(busy()));
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(LOOKUPS.lookup_by(&query, within(5), 1), Err(ErrorKind::TimedOut.into()));
    assert_eq!(LOOKUPS.lane().waiting(), 0, "it was taken back");
    thread::scope(|scope| {
        let waits = scope.spawn(|| LOOKUPS.lookup_by(&query, within(20_000), 1));
        wait_until(|| LOOKUPS.lane().waiting() == 1);
        assert_eq!(LOOKUPS.lookup_by(&query, within(60_000), 1), Err(busy()));
        assert_eq!(THREADS.load(SeqCst), AT_ONCE);
        OPEN.store(true, SeqCst);
        assert_eq!(waits.join().unwrap(), echo(&query));
    });
    wait_until(|| THREADS.load(SeqCst) == KEPT_WORKERS);
    assert_eq!(LOOKUPS.lookup_by(&query, within(20_000), QUEUE), echo(&query));
    assert_eq!(THREADS.load(SeqCst), KEPT_WORKERS);
}

#[test]
fn ten_thousand_time_outs_leave_no_threads() {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static COUNTED: Counted = Counted::new(&THREADS));
    static LOOKUPS: Lookups = Lookups::new(|query| {
        COUNTED.with(|_| ());
        MOST.fetch_max(THREADS.load(SeqCst), SeqCst);
        thread::sleep(Duration::from_millis(1));
        echo(query)
    });
    let query = query(c"7", c"1");
    let mut timed_out = 0;
    while timed_out < 10_000 {
        match LOOKUPS.lookup_by(&query, Instant::now() + Duration::from_micros(20), QUEUE) {
            Err(error) if error.kind() == ErrorKind::TimedOut => timed_out += 1,
            Err(error) => {
                assert_eq!(error, busy());
                thread::sleep(Duration::from_millis(1));
            }
            Ok(_) => {}
        }
    }
    wait_until(|| THREADS.load(SeqCst) <= KEPT_WORKERS);
    // A worker that is told to end counts until it has ended.
    assert!(MOST.load(SeqCst) <= 2 * AT_ONCE, "{MOST:?}");
    assert_eq!(LOOKUPS.lookup_by(&query, within(20_000), QUEUE), echo(&query));
}

#[test]
fn a_worker_without_work_ends_and_loses_no_work() {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static COUNTED: Counted = {
        STARTED.fetch_add(1, SeqCst);
        Counted::new(&THREADS)
    });
    const TIME: Duration = Duration::from_millis(1);
    static LOOKUPS: Lookups = Lookups::of(Lane::new(AT_ONCE).with(TIME, 256 * 1024), |query| {
        COUNTED.with(|_| ());
        echo(query)
    });
    // About as long apart as a worker waits: some come just as it leaves.
    for round in 0..500_u32 {
        let query = query(c"7", c"1");
        assert_eq!(LOOKUPS.lookup_by(&query, within(20_000), QUEUE), echo(&query));
        thread::sleep(TIME * (90 + round % 20) / 100);
    }
    wait_until(|| THREADS.load(SeqCst) == 0);
    assert!(STARTED.load(SeqCst) > 1);
}

#[test]
#[cfg(all(target_env = "gnu", target_pointer_width = "64"))]
fn without_memory_for_a_thread_it_is_again() {
    static LOOKUPS: Lookups = Lookups::of(Lane::new(AT_ONCE).with(Duration::ZERO, 1 << 62), echo);
    // None of them is counted as running: the reason stays.
    for _ in 0..=AT_ONCE {
        assert_eq!(
            LOOKUPS.lookup_by(&query(c"7", c"1"), within(20_000), QUEUE),
            Err(Error::new(ErrorKind::Again).because(Reason::NoThread))
        );
    }
}

#[test]
fn nobody_gets_the_answer_of_another() {
    static LOOKUPS: Lookups = Lookups::new(|query| {
        let answer = echo(query)?;
        thread::sleep(Duration::from_micros(
            u64::from(answer.addresses().next().unwrap().address.port()) % 300,
        ));
        Ok(answer)
    });
    let answered: usize = thread::scope(|scope| {
        let callers = (0..8_u32).map(|caller| {
            scope.spawn(move || {
                let node = CString::new(caller.to_string()).unwrap();
                let mut answered = 0;
                for round in 0..400_u64 {
                    let service = CString::new((round * 7 % 1000).to_string()).unwrap();
                    let query = query(&node, &service);
                    // Some deadlines pass, some do not, and some pass just as the answer comes.
                    let patience = Duration::from_micros(round * 131 % 1500);
                    match LOOKUPS.lookup_by(&query, Instant::now() + patience, QUEUE) {
                        // On a machine that is slow enough they pile up.
                        Err(error) if error == busy() => {}
                        Err(error) => assert_eq!(error, ErrorKind::TimedOut.into()),
                        answer => {
                            assert_eq!(answer, echo(&query));
                            answered += 1;
                        }
                    }
                }
                let query = query(&node, c"5");
                let mut answer = Err(busy());
                wait_until(|| {
                    answer = LOOKUPS.lookup_by(&query, within(20_000), QUEUE);
                    answer != Err(busy())
                });
                assert_eq!(answer, echo(&query));
                answered + 1
            })
        });
        let callers: Vec<_> = callers.collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).sum()
    });
    assert!(answered >= 8);
}

/// A line of this thread's status in proc(5), a mask in hexadecimal: bit n - 1 is signal n.
fn blocked_signals() -> u64 {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap()
}

#[test]
fn signals_go_to_the_threads_of_the_application() {
    static LOOKUPS: Lookups = Lookups::new(|_| {
        let mask = blocked_signals();
        let address = Address::V6(mask.into());
        let name = CString::new(fs::read("/proc/thread-self/comm").unwrap()).unwrap();
        Ok(Answer::told(vec![found(address, 0, Protocol::Tcp)], Some(&name)))
    });
    let before = blocked_signals();
    let answer = LOOKUPS.lookup_by(&query(c"7", c"1"), within(20_000), QUEUE).unwrap();
    assert_eq!(blocked_signals(), before);

    assert_eq!(answer.canonical_name().unwrap(), c"rdma-addrinfo\n");
    let std::net::IpAddr::V6(mask) = answer.addresses().next().unwrap().address.ip() else { panic!() };
    let mask = mask.to_bits();
    let is_blocked = |signal: i32| mask >> (signal - 1) & 1 == 1;
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM, libc::SIGUSR1, libc::SIGCHLD, libc::SIGPROF, 64]
    {
        assert!(is_blocked(signal), "signal {signal}");
    }
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGSYS] {
        assert!(!is_blocked(signal), "signal {signal}");
    }
}
