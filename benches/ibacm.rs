//! Routes from ibacm: requests and replies, and whole resolutions with a daemon, by one caller and by many at once.
//!
//! librdmacm finds a daemon only at a fixed place, and answers only where there is a device: the benchmark runs itself
//! again in namespaces of its own. Where that is not possible, or the library is not there, its engines are left out.

use criterion::{Criterion, SamplingMode};
use rdma_addrinfo::acm::{Decoder, Query};
use rdma_addrinfo::{AddrInfo, Family, Hints, IbEntries, Ibacm, Library, Resolver};
use rdma_addrinfo_benches::{Case, Daemon, World, criterion, dgid, left_out, message, path};
use std::hint::black_box;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

const DESTINATION: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const ID: u64 = 0x0123_4567_89ab_cdef;
const DELAY: Duration = Duration::from_millis(10);

/// What was found: the address, and the destinations of the paths.
type Answer = (SocketAddr, Vec<u128>);

fn main() {
    let world = World::enter().expect("the benchmark starts");
    let mut criterion = criterion();
    encode(&mut criterion);
    decode(&mut criterion);

    let socket = world.socket();
    let daemon = Daemon::start(&socket).expect("nobody is at the socket");
    let resolver = Resolver::new()
        .with_ibacm(Ibacm::socket(&socket).expect("a short path"))
        .with_ib_entries(IbEntries::Never)
        .with_source(false);
    let library = match world.binding() {
        Ok(library) => Some(library),
        Err(why) => {
            left_out("the engines librdmacm of round_trip and many_callers", &why);
            None
        }
    };
    round_trip(&mut criterion, &resolver, library.as_ref());
    daemon.set_delay(DELAY);
    many_callers(&mut criterion, &resolver, library.as_ref());
    criterion.final_summary();
}

fn encode(criterion: &mut Criterion) {
    let query = Query { destination: Some(DESTINATION.into()), ..Query::default() };
    // ACM_EP_FLAG_DEST, ACM_EP_INFO_ADDRESS_IP.
    let mut entry = [0; 72];
    entry[..4].copy_from_slice(&2_u32.to_ne_bytes());
    entry[4..6].copy_from_slice(&2_u16.to_ne_bytes());
    entry[8..12].copy_from_slice(&DESTINATION.octets());
    let right = message(ID, entry).to_vec();
    Case::new(criterion, "ibacm/encode", &[query], |_| right.clone()).engine_with(
        "ours",
        |query| query.to_request(ID).as_bytes().to_vec(),
        |query| {
            black_box(query.to_request(ID));
        },
    );
}

/// A whole reply, and its path read.
fn decode(criterion: &mut Criterion) {
    let reply = message(ID, path(DESTINATION));
    Case::new(criterion, "ibacm/decode", &[reply], |_| Some(dgid(DESTINATION))).engine("ours", |reply| {
        let mut decoder = Decoder::new(ID);
        decoder.push(reply).ok()?;
        decoder.reply()?.paths().next().map(|path| path.dgid().to_bits())
    });
}

fn hints() -> Hints<'static> {
    // Of one family: librdmacm without would let glibc look at the host's interfaces.
    Hints::new().numeric_host().with_family(Family::INET)
}

fn answer(info: Option<AddrInfo<'_>>) -> Option<Answer> {
    let info = info?;
    let address = info.dst_addr()?;
    let gids = info.route().iter().map(|path| path.dgid().to_bits());
    Some((SocketAddr::new(address.ip()?, address.port()), gids.collect()))
}

fn right(address: Ipv4Addr) -> Answer {
    (SocketAddr::new(address.into(), 7471), vec![dgid(address)])
}

fn round_trip(criterion: &mut Criterion, resolver: &Resolver, library: Option<&Library>) {
    let hints = hints();
    let node = DESTINATION.to_string();
    let inputs = [&*node];
    let mut case = Case::new(criterion, "ibacm/round_trip", &inputs, |_| Some(right(DESTINATION)));
    let ours = |node: &str| resolver.resolve(node, "7471", &hints).expect("an answer");
    case.engine_with(
        "ours",
        |node| answer(ours(node).first()),
        |node| {
            black_box(ours(node));
        },
    );
    let Some(library) = library else { return };
    let theirs = |node: &str| library.getaddrinfo(node, "7471", &hints).expect("an answer");
    case.engine_with(
        "librdmacm",
        |node| answer(theirs(node).first()),
        |node| {
            black_box(theirs(node));
        },
    );
}

/// The time until all callers, who ask at once, have their answers, and have checked them.
fn many_callers(criterion: &mut Criterion, resolver: &Resolver, library: Option<&Library>) {
    let hints = hints();
    let ours = |node: &str| answer(resolver.resolve(node, "7471", &hints).ok()?.first());
    for callers in [1, 8, 64] {
        let mut group = criterion.benchmark_group(format!("many_callers/{callers}"));
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(DELAY).measurement_time(DELAY * 100);
        group.bench_function("ours", |bencher| bencher.iter_custom(|rounds| at_once(callers, rounds, &ours)));
        let Some(library) = library else { continue };
        let theirs = |node: &str| answer(library.getaddrinfo(node, "7471", &hints).ok()?.first());
        group.bench_function("librdmacm", |bencher| {
            bencher.iter_custom(|rounds| at_once(callers, rounds, &theirs));
        });
    }
}

/// Each caller asks for an address of its own in each round. The threads are there before the first one.
fn at_once(callers: u32, rounds: u64, ask: &(impl Fn(&str) -> Option<Answer> + Sync)) -> Duration {
    let barrier = &Barrier::new(callers as usize + 1);
    thread::scope(|scope| {
        let call = |address: Ipv4Addr| {
            let (node, right) = (address.to_string(), Some(right(address)));
            // One that panicked would leave the others at the barrier.
            move || {
                let mut wrong = None;
                for _ in 0..rounds {
                    barrier.wait();
                    let answer = ask(&node);
                    if answer != right {
                        wrong = Some(answer);
                    }
                    barrier.wait();
                }
                wrong
            }
        };
        let addresses = (0..callers).map(|caller| Ipv4Addr::from_bits(DESTINATION.to_bits() + caller));
        let threads: Vec<_> = addresses.map(|address| (address, scope.spawn(call(address)))).collect();
        let mut took = Duration::ZERO;
        for _ in 0..rounds {
            barrier.wait();
            let start = Instant::now();
            barrier.wait();
            took += start.elapsed();
        }
        for (address, thread) in threads {
            assert_eq!(thread.join().expect("it ended"), None, "wrong answer about {address}");
        }
        took
    })
}
