//! Services of the InfiniBand subnet administrator: the ports of this machine, one after the other.

use super::names::QUEUE;
use crate::devices::{DeviceName, FirstGid, first_gids};
use crate::native::{self, Running, ServiceFailure, ServiceKey, by_deadline, lock};
use rdma_addrinfo_core::{Error, ErrorKind, FindService, Gid, IbService, Reason, ServiceRecord, SkippedPort};
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long all ports together may take without a deadline: each takes the kernel about two seconds where the subnet
/// administrator is silent.
const LIMIT: Duration = Duration::from_secs(10);

/// What has come of asking through a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PortOutcome {
    /// It is not asked through.
    Skipped(SkippedPort),
    /// It is asked through, and there was no answer until the deadline of the call.
    Asked,
    /// So many records were found.
    Found(u32),
    /// There is no answer, and why.
    Failed(Error),
    /// There are so many records, more than the kernel hands out.
    TooMany(u32),
}

impl PortOutcome {
    /// Whether it says all that the error does.
    pub(super) fn tells(&self, error: &Error) -> bool {
        match self {
            Self::Failed(own) => own == error,
            Self::TooMany(_) => true,
            _ => false,
        }
    }
}

pub(super) fn records_in_words(count: u32) -> String {
    match count {
        1 => "1 record".into(),
        count => format!("{count} records"),
    }
}

impl fmt::Display for PortOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped(why) => write!(f, "skipped, {why}"),
            Self::Asked => f.write_str("asked, no answer yet"),
            Self::Found(count) => f.write_str(&records_in_words(*count)),
            Self::Failed(error) => error.fmt(f),
            Self::TooMany(count) => write!(f, "{count} records, more than 372"),
        }
    }
}

/// A port that the subnet administrator could be asked through.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ServicePort {
    /// The device.
    pub device: String,
    /// The number of the port.
    pub port: u8,
    /// What has come of it.
    pub outcome: PortOutcome,
}

/// What was asked, and what has come of it.
#[derive(Clone, Debug)]
pub(super) struct ServiceAnswer {
    pub(super) key: ServiceKey,
    pub(super) ports: Vec<ServicePort>,
    /// The GID of the port that was asked through, and the records.
    pub(super) answer: Records,
}

impl ServiceAnswer {
    /// How many records there are, where that is too many.
    pub(super) fn too_many(&self) -> Option<u32> {
        self.ports.iter().find_map(|port| match port.outcome {
            PortOutcome::TooMany(count) => Some(count),
            _ => None,
        })
    }
}

/// What comes of asking through all ports: the GID of the one that has records, and these.
type Records = Result<(Gid, Vec<ServiceRecord>), Error>;

/// A service that a thread asks for. What is known of it so far is there also for a caller who waits no longer.
pub(super) struct ServiceSearch {
    key: ServiceKey,
    ports: Arc<Ports>,
    deadline: Instant,
    running: Result<Running<Records>, Error>,
}

/// Asks on the caller's thread, who has no deadline.
pub(super) fn ask(service: IbService<'_>) -> ServiceAnswer {
    let key = ServiceKey::from(service);
    let ports = Ports::default();
    let answer = search_until(limit(), &key, &ports);
    answered(key, &ports, Ok(answer))
}

fn limit() -> Instant {
    let now = Instant::now();
    now.checked_add(LIMIT).unwrap_or(now)
}

impl ServiceSearch {
    /// Has a thread ask until the deadline.
    pub(super) fn begin(service: IbService<'_>, deadline: Option<Instant>) -> Self {
        let deadline = deadline.unwrap_or_else(limit);
        let key = ServiceKey::from(service);
        let ports = Arc::<Ports>::default();
        let kept = Arc::clone(&ports);
        let running = native::begin_service_records(QUEUE, move || search_until(deadline, &key, &kept));
        Self { key, ports, deadline, running }
    }

    /// Waits for the answer.
    pub(super) fn wait(self) -> ServiceAnswer {
        let answer = self.running.and_then(|running| running.wait(self.deadline));
        answered(self.key, &self.ports, answer)
    }

    /// Awaits the answer.
    pub(super) async fn awaited(self) -> ServiceAnswer {
        let answer = match self.running {
            Ok(running) => by_deadline(running, Some(self.deadline)).await.and_then(|answer| answer),
            Err(error) => Err(error),
        };
        answered(self.key, &self.ports, answer)
    }
}

fn search_until(deadline: Instant, key: &ServiceKey, ports: &Ports) -> Records {
    search(&first_gids()?, |gid| native::service_records(key, gid, deadline), ports)
}

/// The answer of the thread, or why there is none.
fn answered(key: ServiceKey, ports: &Ports, answer: Result<Records, Error>) -> ServiceAnswer {
    let late = |error: Error| match error.kind() {
        ErrorKind::TimedOut => error.because(Reason::SaSilent),
        _ => error,
    };
    ServiceAnswer { key, ports: ports.take(), answer: answer.map_err(late).and_then(|answer| answer) }
}

/// The ports that were looked at so far.
#[derive(Default, Debug)]
struct Ports(Mutex<Vec<ServicePort>>);

impl Ports {
    fn push(&self, device: DeviceName, port: u8, outcome: PortOutcome) -> Result<(), Error> {
        let mut ports = lock(&self.0);
        let mut name = String::new();
        name.try_reserve_exact(device.as_str().len()).map_err(|_| ErrorKind::Memory)?;
        ports.try_reserve(1).map_err(|_| ErrorKind::Memory)?;
        name.push_str(device.as_str());
        ports.push(ServicePort { device: name, port, outcome });
        Ok(())
    }

    /// What has come of the last one.
    fn tell(&self, outcome: PortOutcome) {
        if let Some(last) = lock(&self.0).last_mut() {
            last.outcome = outcome;
        }
    }

    fn take(&self) -> Vec<ServicePort> {
        mem::take(&mut *lock(&self.0))
    }
}

/// Asks through one port after the other, until one has records.
///
/// # Errors
/// There is no port to ask through; else the first failure that leaves it open whether there are records. One port
/// without them is an answer, which a rejection, or a port without an administrator, does not change.
fn search(
    all: &[FirstGid],
    mut ask: impl FnMut(Gid) -> Result<Vec<ServiceRecord>, ServiceFailure>,
    ports: &Ports,
) -> Records {
    // The first of those that say most.
    let mut kept: Option<(u8, Records)> = None;
    for &FirstGid { device, port, is_infiniband, is_active, gid } in all {
        let gid = match FindService::port(is_infiniband, is_active, gid) {
            Ok(gid) => gid,
            Err(why) => {
                ports.push(device, port, PortOutcome::Skipped(why))?;
                continue;
            }
        };
        ports.push(device, port, PortOutcome::Asked)?;
        let answer = ask(gid);
        ports.tell(match &answer {
            Ok(records) => PortOutcome::Found(u32::try_from(records.len()).unwrap_or(u32::MAX)),
            Err(ServiceFailure::TooMany(count)) => PortOutcome::TooMany(*count),
            Err(failure) => PortOutcome::Failed((*failure).into()),
        });
        let (says, answer) = match answer {
            Ok(records) if records.is_empty() => (2, Ok((gid, records))),
            Ok(records) => return Ok((gid, records)),
            Err(failure @ (ServiceFailure::TooMany(_) | ServiceFailure::NoMemory)) => {
                return Err(failure.into());
            }
            Err(failure @ ServiceFailure::NoAdministrator) => (0, Err(failure.into())),
            Err(failure @ ServiceFailure::Rejected) => (1, Err(failure.into())),
            Err(failure) => (3, Err(failure.into())),
        };
        if kept.as_ref().is_none_or(|(less, _)| *less < says) {
            kept = Some((says, answer));
        }
    }
    let no_port = Error::new(ErrorKind::NoDevice).because(Reason::NoInfinibandPort);
    kept.map_or(Err(no_port), |(_, answer)| answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rdma_addrinfo_core::{Pkey, ServiceId};

    const RECORD: ServiceRecord =
        ServiceRecord { gid: Gid::LOOPBACK, pkey: Pkey::DEFAULT, id: ServiceId::from_raw(7) };

    /// A port of this GID; of 0 it has none.
    fn port(gid: u128, is_infiniband: bool, is_active: bool) -> FirstGid {
        let gid_of = Some(Gid::from_bits(gid)).filter(|_| gid != 0);
        let device = DeviceName::new(format!("mlx5_{gid}").as_bytes()).unwrap();
        FirstGid { device, port: 1, is_infiniband, is_active, gid: gid_of }
    }

    type Asked = (Result<(u128, usize), (ErrorKind, Reason)>, Vec<String>);

    /// The outcome, and the ports in words.
    fn searched(
        ports: impl IntoIterator<Item = FirstGid>,
        answers: &[Result<usize, ServiceFailure>],
    ) -> Asked {
        let mut answers = answers.iter();
        let ask = |_| match answers.next().expect("it is asked through no more ports") {
            Ok(count) => Ok(vec![RECORD; *count]),
            Err(failure) => Err(*failure),
        };
        let told = Ports::default();
        let outcome = search(&ports.into_iter().collect::<Vec<_>>(), ask, &told);
        let word = |it: ServicePort| format!("{} {}: {}", it.device, it.port, it.outcome);
        let words = told.take().into_iter().map(word).collect();
        assert_eq!(answers.len(), 0);
        let outcome = outcome.map(|(gid, records)| (gid.to_bits(), records.len()));
        (outcome.map_err(|error| (error.kind(), error.reason())), words)
    }

    #[test]
    fn the_first_port_with_records_answers() {
        let ports = [
            port(1, false, true),
            port(2, true, false),
            port(0, true, true),
            port(4, true, true),
            port(5, true, true),
            port(6, true, true),
        ];
        let (outcome, words) = searched(ports, &[Err(ServiceFailure::Silent), Ok(2)]);
        assert_eq!(outcome, Ok((5, 2)));
        assert_eq!(
            words,
            [
                "mlx5_1 1: skipped, not InfiniBand",
                "mlx5_2 1: skipped, not active",
                "mlx5_0 1: skipped, no GID",
                "mlx5_4 1: timed out: the subnet administrator did not answer",
                "mlx5_5 1: 2 records",
            ]
        );
    }

    #[test]
    fn without_records_the_reason_is_the_first_that_leaves_it_open() {
        let two = || [port(1, true, true), port(2, true, true)];
        use ServiceFailure::{NoAdministrator, OldKernel, Rejected, Silent, TooMany};
        let rejected = Err((ErrorKind::Service, Reason::SaRejected));
        let silent = Err((ErrorKind::TimedOut, Reason::SaSilent));
        for (answers, expected) in [
            ([Ok(0), Ok(0)], Ok((1, 0))),
            ([Err(Rejected), Ok(0)], Ok((2, 0))),
            ([Ok(0), Err(Rejected)], Ok((1, 0))),
            ([Err(Rejected), Err(Rejected)], rejected),
            ([Err(NoAdministrator), Ok(0)], Ok((2, 0))),
            ([Err(NoAdministrator), Err(Rejected)], rejected),
            ([Err(NoAdministrator), Err(Silent)], silent),
            (
                [Err(NoAdministrator), Err(NoAdministrator)],
                Err((ErrorKind::NotSupported, Reason::NoSubnetAdministrator)),
            ),
            ([Ok(0), Err(Silent)], silent),
            ([Err(Silent), Err(Rejected)], silent),
            ([Err(Silent), Err(OldKernel)], silent),
            ([Err(OldKernel), Err(Silent)], Err((ErrorKind::NotSupported, Reason::SaNeedsKernel))),
        ] {
            assert_eq!(searched(two(), &answers).0, expected, "{answers:?}");
        }
        // Another port would have the same, or fewer.
        let (outcome, words) = searched(two(), &[Err(TooMany(400))]);
        assert_eq!(outcome, Err((ErrorKind::System, Reason::TooManyRecords)));
        assert_eq!(words, ["mlx5_1 1: 400 records, more than 372"]);
        assert_eq!(searched([port(1, true, true)], &[Ok(1)]).1, ["mlx5_1 1: 1 record"]);
    }

    #[test]
    fn no_port_is_a_reason_of_its_own() {
        let none = Err((ErrorKind::NoDevice, Reason::NoInfinibandPort));
        assert_eq!(searched([], &[]), (none, Vec::new()));
        assert_eq!(searched([port(1, false, true), port(2, true, false)], &[]).0, none);
    }

    /// What is known when the caller waits no longer.
    #[test]
    fn a_late_answer_leaves_the_ports() {
        let key = ServiceKey::from(IbService::Name(b"storage"));
        let asked = ServicePort { device: "mlx5_0".into(), port: 1, outcome: PortOutcome::Asked };
        let ports = Ports(Mutex::new(vec![asked.clone()]));
        let found = answered(key, &ports, Err(ErrorKind::TimedOut.into()));
        assert_eq!((found.key.id(), found.key.name()), (None, Some(&b"storage"[..])));
        assert_eq!(found.ports, [asked]);
        assert_eq!(found.too_many(), None);
        assert_eq!(found.answer.unwrap_err(), Error::new(ErrorKind::TimedOut).because(Reason::SaSilent));
    }
}
