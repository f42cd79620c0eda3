//! Service records of a subnet administrator that `subnet.c` plays, for librdmacm and for us alike.

use super::pair::{LIMIT, Whose, take_complaints};
use super::programs::beside;
use futures::executor::block_on;
use rdma_addrinfo::{
    CCode, Error, ErrorKind, Flags, Hints, Library, PortOutcome, Reason, Resolver, TraceEvent, TracedStep,
};
use std::env;
use std::ffi::OsString;
use std::process::Command;

/// How many records an answer of the kernel has room for.
const MOST: usize = 372;

/// Services, and how many records there are; none where it fails, and the errno by the manual page's policy.
const SERVICES: [(&str, Result<usize, i32>); 14] = [
    ("1", Ok(1)),
    ("storage-1", Ok(1)),
    ("6", Ok(6)),
    ("storage-6", Ok(6)),
    ("0x7", Ok(7)),
    ("storage-7", Ok(7)),
    ("372", Ok(MOST)),
    ("storage-372", Ok(MOST)),
    ("373", Err(libc::EOVERFLOW)),
    ("storage-400", Err(libc::EOVERFLOW)),
    ("silent", Err(libc::ETIMEDOUT)),
    ("gone", Err(libc::ENODEV)),
    ("0", Err(EAI_SERVICE)),
    ("rejected", Err(EAI_SERVICE)),
];

/// A code of its own, not an errno.
const EAI_SERVICE: i32 = -8;

/// What is told of each service: a line, and one for each entry.
fn told(whose: Whose) -> Vec<Vec<String>> {
    let requests: Vec<String> = SERVICES.iter().map(|(service, _)| format!("-,{service},16,0")).collect();
    let words: Vec<&str> = ["lists"].into_iter().chain(requests.iter().map(String::as_str)).collect();
    let preload: [OsString; 2] = ["infiniband.so", "subnet.so"].map(|name| beside(name).into());
    let (status, mut lines) = whose.start(&words, &preload).finish(LIMIT);
    assert!(status.success(), "{status}: {lines:#?}");
    take_complaints(&mut lines);
    let mut told: Vec<Vec<String>> = Vec::new();
    for line in lines {
        match told.last_mut() {
            Some(answer) if !line.contains(": ") => answer.push(line),
            _ => told.push(vec![line]),
        }
    }
    assert_eq!(told.len(), SERVICES.len(), "{told:#?}");
    told
}

#[test]
fn the_same_as_librdmacm() {
    let ours = told(Whose::Ours("librdmacm"));
    for ((service, records), answer) in SERVICES.iter().zip(&ours) {
        let code = if records.is_ok() { "0 0" } else { "-1 2" };
        assert_eq!(answer[0], format!("-,{service},16,0: {code}"));
        assert_eq!(answer.len() - 1, records.unwrap_or(0), "{service}");
    }
    let own = "1b00800100000000fe80000000000000000000fffe00000a00000000013f0000ffffffffffff000000000000";
    let other = "1b00800100000000fe8000000000000000000000000000021000000000000001ffffffffffffffff00000000";
    assert_eq!(ours[2][2], format!("0x10 27 0 0x13f {own}00000000 {other}00000000 - -"));
    // Releases before 60 would ignore the flag.
    if Library::load().unwrap().has_sa() {
        for ((service, records), (theirs, ours)) in
            SERVICES.iter().zip(told(Whose::Librdmacm).iter().zip(&ours))
        {
            match records {
                // It fails, or has some that are wrong: the length of the kernel's answer has 16 bits.
                Err(libc::EOVERFLOW) => {
                    let count: u64 = service.trim_start_matches("storage-").parse().unwrap();
                    let last = format!("{:016x}", 0x1000_0000_0000_0000 + count - 1);
                    assert!(!theirs.iter().any(|entry| entry.contains(&last)), "{service}: {theirs:?}");
                }
                _ => assert_eq!(theirs, ours, "{service}"),
            }
        }
    }
    // By the other policy they are the same entries, and failures tell what they are.
    for ((service, records), (answer, entries)) in
        SERVICES.iter().zip(told(Whose::Ours("man-page")).iter().zip(&ours))
    {
        let code = match records {
            Ok(_) => "0 0".to_owned(),
            Err(code @ ..0) => format!("{code} 0"),
            Err(errno) => format!("-1 {errno}"),
        };
        assert_eq!(answer[0], format!("-,{service},16,0: {code}"));
        assert_eq!(answer[1..], entries[1..], "{service}");
    }
}

/// Runs the body in a process of its own, where `subnet.so` is preloaded.
fn preloaded(test: &str, mode: &str, body: impl FnOnce()) {
    const VARIABLE: &str = "SUBNET";
    if env::var_os(VARIABLE).is_some() {
        return body();
    }
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", &format!("guest::service_records::{test}"), "--test-threads=1"]);
    let output = again.env(VARIABLE, mode).env("LD_PRELOAD", beside("subnet.so")).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("test result: ok. 1 passed"), "{told}");
}

/// Both ways have the same outcome.
fn resolve(service: &str) -> Result<Vec<String>, Error> {
    let hints = Hints::new().with_flags(Flags::SA);
    let lines = |found: rdma_addrinfo::Resolved| found.iter().map(|info| info.to_string()).collect();
    let blocking: Result<Vec<String>, Error> = Resolver::new().resolve(None, service, &hints).map(lines);
    let limitless = Resolver::new().without_deadline().resolve(None, service, &hints).map(lines);
    let awaited = block_on(Resolver::new().awaiting().resolve(None, service, &hints)).map(lines);
    let text = |outcome: &Result<Vec<String>, Error>| format!("{outcome:?}");
    assert_eq!(text(&awaited), text(&blocking), "{service}");
    assert_eq!(text(&limitless), text(&blocking), "{service}");
    blocking
}

#[test]
fn by_the_resolver() {
    preloaded("by_the_resolver", "played", || {
        for (service, records) in SERVICES {
            match (resolve(service), records) {
                (Ok(lines), Ok(records)) => assert_eq!(lines.len(), records, "{service}"),
                (Err(error), Err(code)) => {
                    let (CCode::Errno(found) | CCode::Eai(found)) = error.to_core().to_c();
                    assert_eq!(found, code, "{service}: {error}");
                }
                (outcome, _) => panic!("{service}: {outcome:?}"),
            }
        }
        for (service, records) in [("373", 373), ("storage-400", 400)] {
            let error = resolve(service).unwrap_err();
            assert_eq!((error.kind(), error.reason()), (ErrorKind::System, Reason::TooManyRecords));
            let words = format!("the service has {records} records, and the kernel hands out 372 at most");
            assert!(error.to_string().contains(&words), "{error}");
        }

        // Each port was asked through, and has a reason.
        let mut steps: Vec<TracedStep> = Vec::new();
        let hints = Hints::new().with_flags(Flags::SA);
        let error = Resolver::new().resolve_traced(None, "0", &hints, &mut steps).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Service, Reason::NoServiceRecord));
        let [TracedStep { event: TraceEvent::FindService { ports, .. }, .. }] = &steps[..] else {
            panic!("{steps:?}")
        };
        let is_without = |outcome: &PortOutcome| match outcome {
            PortOutcome::Failed(error) => error.reason() == Reason::NoSubnetAdministrator,
            _ => false,
        };
        let [first, others @ ..] = &ports[..] else { panic!("{ports:?}") };
        assert_eq!((first.device.as_str(), first.port, first.outcome), ("rxe0", 1, PortOutcome::Found(0)));
        let active: Vec<_> =
            others.iter().filter(|port| !matches!(port.outcome, PortOutcome::Skipped(_))).collect();
        assert!(!active.is_empty() && active.iter().all(|port| is_without(&port.outcome)), "{ports:?}");
    });
}

/// The kernel itself answers an identifier that is bound to no device: one that knows no service records is told from one
/// that does.
#[test]
fn by_the_kernel_itself() {
    preloaded("by_the_kernel_itself", "kernel", || {
        let error = resolve("storage").unwrap_err();
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
        let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
        let version = (numbers.next().unwrap(), numbers.next().unwrap());
        let expected = if version < (6, 18) {
            (ErrorKind::NotSupported, Reason::SaNeedsKernel)
        } else {
            (ErrorKind::System, Reason::SaNotAsked)
        };
        assert_eq!((error.kind(), error.reason()), expected, "Linux {release}: {error}");
    });
}
