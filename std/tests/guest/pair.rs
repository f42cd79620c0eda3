//! A server and a client, with the C interface by `LD_PRELOAD` and without, by both policies.

use super::programs::{Program, beside, counter};
use std::ffi::OsString;
use std::process::ExitStatus;
use std::time::Duration;

/// How long a program may take.
pub(super) const LIMIT: Duration = Duration::from_secs(60);

/// A setting that the C interface complains about, and goes on: it shows that it was called, once a process.
const SETTING: (&str, &str) = ("RDMA_ADDRINFO_IB", "none");
const COMPLAINT: &str = "librdma_addrinfo: RDMA_ADDRINFO_IB='none' is invalid";

/// Whose rdma_getaddrinfo(3) programs call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose {
    Librdmacm,
    /// That of the C interface, with the named policy.
    Ours(&'static str),
}

impl Whose {
    pub(super) const OURS: [Self; 2] = [Self::Ours("librdmacm"), Self::Ours("man-page")];

    /// Starts a program, with other libraries before the C interface.
    pub(super) fn start(self, words: &[&str], preload: &[OsString]) -> Program {
        let mut preload = preload.to_vec();
        let mut variables = vec![(SETTING.0, SETTING.1.into())];
        if let Self::Ours(policy) = self {
            preload.push(beside("librdma_addrinfo.so").into());
            variables.push(("RDMA_ADDRINFO_POLICY", policy.into()));
        }
        variables.push(("LD_PRELOAD", preload.join(" ".as_ref())));
        Program::start_with(words[0], &words[1..], &variables)
    }
}

/// Takes the complaints out of what a program has told: how many there were.
pub(super) fn take_complaints(lines: &mut Vec<String>) -> usize {
    let before = lines.len();
    lines.retain(|line| !line.starts_with(COMPLAINT));
    before - lines.len()
}

/// What of the ends of a pair must be good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    Both,
    /// The server goes on, and is ended.
    Client,
    /// It is a race how they end.
    None,
}

/// Two programs, one of which connects to the other.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) server: &'a [&'a str],
    pub(super) client: &'a [&'a str],
    /// Libraries that both have before the C interface.
    pub(super) preload: &'a [&'a str],
    /// Waits until the client may come.
    pub(super) ready: fn(&mut Program),
    pub(super) ends: Ends,
    /// Of a line, what is the same each time.
    pub(super) keep: fn(&str) -> Option<String>,
    /// How many times server and client call the C interface for the first time.
    pub(super) callers: [usize; 2],
}

/// What perftest says if it cannot measure the frequency of the processor, as on an emulated machine that is busy.
const UNCALIBRATED: &str = "Can't produce a report";

/// What two programs have told, complaints apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    pub(super) server: Vec<String>,
    pub(super) client: Vec<String>,
}

impl Pair<'_> {
    /// Runs both programs; what they tell, how often each has complained, and how many packets the client's device sent.
    #[track_caller]
    fn run(&self, whose: Whose) -> (Told, [usize; 2], u64) {
        let preload: Vec<OsString> = self.preload.iter().map(|name| library(name)).collect();
        let before = counter("rxe0");
        let start = || {
            let mut server = whose.start(self.server, &preload);
            (self.ready)(&mut server);
            (server, whose.start(self.client, &preload))
        };
        let (mut server, mut client) = start();
        let mut ended = client.ends_within(LIMIT);
        if ended.is_none() && (whose == Whose::Librdmacm || counter("rxe0") > before) {
            // Seen of rdma_client without us, and of rcopy, each once in some 30 boots of an emulated machine: a connection
            // of Soft-RoCE that does not end. Where packets were sent, the C interface has answered.
            println!("{whose:?}: {}: does not end, and is started again", self.client[0]);
            drop((server, client));
            (server, client) = start();
            ended = client.ends_within(LIMIT);
        }
        for _ in 0..3 {
            let uncalibrated =
                |(_, told): &(ExitStatus, Vec<String>)| told.iter().any(|line| line.contains(UNCALIBRATED));
            if !ended.as_ref().is_some_and(uncalibrated) {
                break;
            }
            println!("{}: found no steady clock on this machine, and is started again", self.client[0]);
            drop((server, client));
            (server, client) = start();
            ended = client.ends_within(LIMIT);
        }
        let Some((status, mut client)) = ended else { panic!("{whose:?}: {} does not end", self.client[0]) };
        let assert_good = |status: ExitStatus, told: &[String], good: bool| {
            assert!(status.success() || !good, "{whose:?}: {status}: {told:#?}");
        };
        assert_good(status, &client, self.ends != Ends::None);
        let mut server = if self.ends == Ends::Client {
            server.stop()
        } else {
            let (status, told) = server.finish(LIMIT);
            assert_good(status, &told, self.ends == Ends::Both);
            told
        };
        let sent = counter("rxe0") - before;
        let complaints = [&mut server, &mut client].map(take_complaints);
        let [server, client] =
            [server, client].map(|lines| lines.iter().filter_map(|line| (self.keep)(line)).collect());
        (Told { server, client }, complaints, sent)
    }

    /// Runs them with the C interface and without: what they tell is the same, and is returned, and they are connected
    /// over RDMA by each.
    #[track_caller]
    pub(super) fn same_by_each(&self) -> Told {
        let (told, sent) = self.told_by_each();
        assert!(sent.iter().all(|sent| *sent > 0), "{sent:?}: {told:#?}");
        told
    }

    /// The same; how many packets were sent by each is for the caller.
    #[track_caller]
    pub(super) fn told_by_each(&self) -> (Told, [u64; 3]) {
        let (without, complaints, sent) = self.run(Whose::Librdmacm);
        assert_eq!(complaints, [0, 0], "{without:#?}");
        let [first, second] = Whose::OURS.map(|whose| {
            let (with, complaints, sent) = self.run(whose);
            assert_eq!((whose, &with, complaints), (whose, &without, self.callers));
            sent
        });
        (without, [sent, first, second])
    }
}

/// Where a library is: beside this program, or where it is installed.
fn library(name: &str) -> OsString {
    let beside = beside(name);
    if beside.exists() { beside.into() } else { name.into() }
}

/// All of a line.
#[expect(clippy::unnecessary_wraps, reason = "as others do")]
pub(super) fn whole(line: &str) -> Option<String> {
    Some(line.to_owned())
}
