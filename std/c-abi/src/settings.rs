//! The environment variables, and the resolver that they make.

use crate::system::{Uncancelled, with_variable, without_signals};
use ::rdma_addrinfo::{
    CoreError, Hosts, IbEntries, Ibacm, NameAnswer, NameQuery, NameService, Policy, Resolver, Rules, System,
};
use std::ffi::CStr;
use std::fmt;
use std::io::{self, Write};
use std::panic;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The configuration, read from the environment at the first call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    policy: Policy,
    resolver: Resolver<Names>,
}

/// Who answers for names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Names {
    /// The index of the files, then getaddrinfo(3).
    Files,
    /// getaddrinfo(3) alone.
    System,
}

impl NameService for Names {
    async fn look_up(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> Result<NameAnswer, CoreError> {
        match self {
            Self::Files => Hosts::new().look_up(query, deadline).await,
            Self::System => System::new().look_up(query, deadline).await,
        }
    }

    // On the caller's thread: a C program expects neither a thread of this library nor that it allocates for one.
    fn look_up_blocking(
        &self,
        query: &NameQuery<'_>,
        deadline: Option<Instant>,
    ) -> Result<NameAnswer, CoreError> {
        match self {
            Self::Files => Hosts::new().look_up_blocking(query, deadline),
            Self::System => System::new().look_up_blocking(query, deadline),
        }
    }
}

/// A variable and its valid values.
struct Variable<T> {
    name: &'static CStr,
    read: fn(&str) -> Option<T>,
    values: &'static str,
}

const POLICY: Variable<Policy> = Variable {
    name: c"RDMA_ADDRINFO_POLICY",
    read: |text| match text {
        "man-page" => Some(Policy::MAN_PAGE),
        "librdmacm" => Some(Policy::LIBRDMACM),
        _ => None,
    },
    values: "'man-page' or 'librdmacm'",
};

const TIMEOUT: Variable<Duration> = Variable {
    name: c"RDMA_ADDRINFO_TIMEOUT_MS",
    read: |text| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).map(Duration::from_millis)
    },
    values: "milliseconds, a decimal number",
};

const IBACM: Variable<Ibacm> = Variable {
    name: c"RDMA_ADDRINFO_IBACM",
    read: |text| text.parse().ok(),
    values: "the path of a socket, that of a run directory with a '/' at its end, a port, 'auto' or 'off'",
};

const IB: Variable<IbEntries> = Variable {
    name: c"RDMA_ADDRINFO_IB",
    read: |text| match text {
        "auto" => Some(IbEntries::Auto),
        "always" => Some(IbEntries::Always),
        "never" => Some(IbEntries::Never),
        _ => None,
    },
    values: "'auto', 'always' or 'never'",
};

const NAMES: Variable<Names> = Variable {
    name: c"RDMA_ADDRINFO_NAMES",
    read: |text| match text {
        "files" => Some(Names::Files),
        "system" => Some(Names::System),
        _ => None,
    },
    values: "'files' or 'system'",
};

impl Settings {
    /// Without a deadline, so that the resolver looks names up on the caller's thread.
    fn of(policy: Policy, ibacm: Ibacm, time_limit: Duration, ib_entries: IbEntries, names: Names) -> Self {
        let resolver = Resolver::new()
            .with_names(names)
            .with_policy(policy)
            .without_deadline()
            .with_ibacm(ibacm.with_time_limit(time_limit))
            .with_ib_entries(ib_entries);
        Self { policy, resolver }
    }

    /// Calls `then` with the settings of this process. Invalid values are reported once on standard error.
    #[inline]
    pub(crate) fn with<R>(then: impl FnOnce(&Self) -> R) -> R {
        let first;
        then(match SETTINGS.get() {
            Some(settings) => settings,
            None => {
                first = Self::read_once();
                &first
            }
        })
    }

    #[cold]
    fn read_once() -> Self {
        static CLAIMED: AtomicBool = AtomicBool::new(false);

        // The first caller stores them. Callers that come before it has finished read for themselves and do not wait:
        // after a fork, that thread may be missing.
        let is_first = !CLAIMED.swap(true, Relaxed);
        // Writing its messages is a cancellation point.
        let _uncancelled = Uncancelled::begin();
        if is_first {
            // The hook of the standard library can raise signals.
            panic::set_hook(Box::new(|panic| report(format_args!("librdma_addrinfo: {panic}\n"))));
        }
        let settings = Self::read(is_first);
        if is_first {
            let _ = SETTINGS.set(settings);
        }
        settings
    }

    fn read(report_invalid: bool) -> Self {
        Self::of(
            POLICY.get(report_invalid).unwrap_or(Policy::LIBRDMACM),
            IBACM.get(report_invalid).unwrap_or(Ibacm::AUTO),
            TIMEOUT.get(report_invalid).unwrap_or(Ibacm::DEFAULT_TIME_LIMIT),
            IB.get(report_invalid).unwrap_or(IbEntries::Auto),
            NAMES.get(report_invalid).unwrap_or(Names::Files),
        )
    }

    /// Whether the rules are those of the manual page.
    pub(crate) fn is_strict(&self) -> bool {
        self.policy.rules == Rules::ManPage
    }

    pub(crate) const fn resolver(&self) -> &Resolver<Names> {
        &self.resolver
    }
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

impl<T> Variable<T> {
    /// The value of the variable; `None` if it is not set or invalid.
    fn get(&self, report_invalid: bool) -> Option<T> {
        with_variable(self.name, |text| {
            let text = text?;
            let value = text.to_str().ok().and_then(self.read);
            if value.is_none() && report_invalid {
                let (name, text) = (self.name.to_string_lossy(), text.to_bytes().escape_ascii());
                report(format_args!(
                    "librdma_addrinfo: {name}='{text}' is invalid: it takes {}; the default is used\n",
                    self.values
                ));
            }
            value
        })
    }
}

/// Writes a line to standard error; a failure is ignored. It allocates nothing, and raises no signal.
fn report(line: fmt::Arguments<'_>) {
    let mut buffer = [0; 512];
    let mut rest = &mut buffer[..];
    let written = rest.write_fmt(line).map(|()| rest.len());
    let _ = without_signals(|| match written {
        // One call, so that lines of several processes do not mix.
        Ok(left) => io::stderr().write_all(&buffer[..buffer.len() - left]),
        Err(_) => io::stderr().lock().write_fmt(line),
    });
}

#[cfg(test)]
mod tests;
