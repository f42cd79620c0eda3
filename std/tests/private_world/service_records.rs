//! RAI_SA as far as it comes without an InfiniBand subnet: which ports are asked through, and why not.

use crate::common::{World, sysfs};
use rdma_addrinfo::{
    CCode, CoreError, ErrorKind, Flags, Hints, Policy, PortOutcome, Reason, Resolver, SkippedPort,
    TraceEvent, TracedStep,
};
use std::fs;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::process::Command;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

const SA: Hints<'static> = Hints::new().with_flags(Flags::SA);
const WORLD: World<'_> = World { device: true, ..World::EMPTY };
const CONNECTION_MANAGER: &str = "/dev/infiniband/rdma_cm";

/// A port of the simulated machine.
fn put_port(device: &str, number: u8, link_layer: &str, state: &str, gid: &str) {
    let port = sysfs().join(format!("class/infiniband/{device}/ports/{number}"));
    fs::create_dir_all(port.join("gids")).unwrap();
    for (file, text) in [("link_layer", link_layer), ("state", state), ("gids/0", gid)] {
        fs::write(port.join(file), format!("{text}\n")).unwrap();
    }
}

fn put_ports() {
    put_port("mlx5_0", 1, "Ethernet", "4: ACTIVE", "fe80::1");
    put_port("mlx5_0", 2, "InfiniBand", "1: DOWN", "fe80::2");
    put_port("mlx5_1", 1, "InfiniBand", "4: ACTIVE", "::");
    put_port("mlx5_2", 1, "InfiniBand", "4: ACTIVE", "fe80::3");
    put_port("mlx5_10", 1, "InfiniBand", "5: ACTIVE_DEFER", "fe80::4");
}

/// The error, and what has come of each port.
fn asked(service: &str) -> (CoreError, Vec<(String, u8, PortOutcome)>) {
    let mut steps: Vec<TracedStep> = Vec::new();
    let error = Resolver::new().resolve_traced(None, service, &SA, &mut steps).unwrap_err();
    let [TracedStep { event: TraceEvent::FindService { ports, answer, .. }, .. }] = &steps[..] else {
        panic!("{steps:?}")
    };
    assert_eq!(answer.as_ref().unwrap_err(), &error.to_core());
    let ports = ports.iter().map(|it| (it.device.clone(), it.port, it.outcome)).collect();
    (error.to_core(), ports)
}

fn why(kind: ErrorKind, reason: Reason) -> CoreError {
    CoreError::new(kind).because(reason)
}

/// Polls until it is ready, without a runtime.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        assert!(Instant::now() < end);
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn no_infiniband_port_is_an_error_of_its_own() {
    World::EMPTY.run(|| {
        let none = why(ErrorKind::NoDevice, Reason::NoInfinibandPort);
        assert_eq!(asked("storage"), (none, Vec::new()));
        let error = block_on(Resolver::new().awaiting().resolve(None, 7471, &SA)).unwrap_err();
        assert_eq!(error.to_core(), none);
        for limit in [Resolver::new().without_deadline(), Resolver::new()] {
            assert_eq!(limit.resolve(None, "7471", &SA).unwrap_err().to_core(), none);
        }
        let library = Resolver::new().with_policy(Policy::LIBRDMACM).resolve(None, "7471", &SA).unwrap_err();
        assert_eq!((library.kind(), library.to_core().to_c()), (ErrorKind::NoDevice, CCode::Errno(2)));
    });
}

#[test]
fn only_active_infiniband_ports_are_asked_through() {
    WORLD.run(|| {
        put_ports();
        let no_manager = why(ErrorKind::NoDevice, Reason::NoConnectionManager);
        let skipped = PortOutcome::Skipped;
        let ports = |failed: CoreError| {
            [
                ("mlx5_0", 1, skipped(SkippedPort::NotInfiniband)),
                ("mlx5_0", 2, skipped(SkippedPort::NotActive)),
                ("mlx5_1", 1, skipped(SkippedPort::NoGid)),
                ("mlx5_2", 1, PortOutcome::Failed(failed)),
                ("mlx5_10", 1, PortOutcome::Failed(failed)),
            ]
            .map(|(device, port, outcome)| (device.to_owned(), port, outcome))
            .to_vec()
        };
        assert_eq!(asked("storage"), (no_manager, ports(no_manager)));
        // A file in its place, which is not written to.
        fs::write(CONNECTION_MANAGER, "text").unwrap();
        assert_eq!(asked("storage"), (no_manager, ports(no_manager)));
        assert_eq!(fs::read_to_string(CONNECTION_MANAGER).unwrap(), "text");
        // What takes all commands and answers none.
        let mount = Command::new("mount").args(["--bind", "/dev/null", CONNECTION_MANAGER]).status().unwrap();
        assert!(mount.success());
        let malformed = CoreError::system(71).because(Reason::SaReply);
        assert_eq!(asked("0x7"), (malformed, ports(malformed)));
        let error = block_on(Resolver::new().awaiting().resolve(None, "storage", &SA)).unwrap_err();
        assert_eq!(error.to_core(), malformed);
    });
}

/// Without time nothing is asked; a call that is dropped leaves nothing behind that would wait.
#[test]
fn the_deadline_counts() {
    WORLD.run(|| {
        put_ports();
        fs::write(CONNECTION_MANAGER, "").unwrap();
        let resolver = Resolver::new().with_deadline(Duration::ZERO);
        let error = resolver.resolve(None, "storage", &SA).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::TimedOut, Reason::SaSilent));
        let resolver = resolver.awaiting();
        let error = block_on(resolver.resolve(None, "storage", &SA)).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::TimedOut, Reason::SaSilent));
        drop(resolver.resolve(None, "storage", &SA));
        assert!(Path::new(CONNECTION_MANAGER).exists());
    });
}
