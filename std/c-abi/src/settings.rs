//! The environment variables, and the resolver that they make.

use crate::system::{Uncancelled, unsignalled, with_variable};
use ::rdma_addrinfo::{IbEntries, Ibacm, Policy, Resolver, Rules};
use std::ffi::CStr;
use std::fmt;
use std::io::{self, Write};
use std::panic;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// What the environment says, read at the first call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    policy: Policy,
    resolver: Resolver,
}

/// A variable, and what it may say.
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

impl Settings {
    /// The resolver looks names up on the caller's thread.
    const fn of(policy: Policy, ibacm: Ibacm, time_limit: Duration, ib_entries: IbEntries) -> Self {
        let resolver = Resolver::new()
            .with_policy(policy)
            .without_deadline()
            .with_ibacm(ibacm.with_time_limit(time_limit))
            .with_ib_entries(ib_entries);
        Self { policy, resolver }
    }

    /// Calls `then` with the settings of this process. What is not understood is told on standard error, once.
    #[inline]
    pub(crate) fn with<R>(then: impl FnOnce(&Self) -> R) -> R {
        let first;
        then(match SETTINGS.get() {
            Some(settings) => settings,
            None => {
                first = Self::first();
                &first
            }
        })
    }

    #[cold]
    fn first() -> Self {
        static TAKEN: AtomicBool = AtomicBool::new(false);

        // Who is first keeps them; others who come before it has read for themselves, and wait for nobody: it might be
        // a thread that a fork left behind.
        let is_first = !TAKEN.swap(true, Relaxed);
        // What it tells is a cancellation point.
        let _uncancelled = Uncancelled::begin();
        if is_first {
            // That of std raises signals.
            panic::set_hook(Box::new(|panic| say(format_args!("librdma_addrinfo: {panic}\n"))));
        }
        let settings = Self::read(is_first);
        if is_first {
            let _ = SETTINGS.set(settings);
        }
        settings
    }

    fn read(tell: bool) -> Self {
        Self::of(
            POLICY.get(tell).unwrap_or(Policy::LIBRDMACM),
            IBACM.get(tell).unwrap_or(Ibacm::AUTO),
            TIMEOUT.get(tell).unwrap_or(Ibacm::DEFAULT_TIME_LIMIT),
            IB.get(tell).unwrap_or(IbEntries::Auto),
        )
    }

    /// Whether the rules are those of the manual page.
    pub(crate) fn is_strict(&self) -> bool {
        self.policy.rules == Rules::ManPage
    }

    pub(crate) const fn resolver(&self) -> &Resolver {
        &self.resolver
    }
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

impl<T> Variable<T> {
    /// What the variable says; `None` if it is not set or not understood.
    fn get(&self, tell: bool) -> Option<T> {
        with_variable(self.name, |text| {
            let text = text?;
            let value = text.to_str().ok().and_then(self.read);
            if value.is_none() && tell {
                let (name, text) = (self.name.to_string_lossy(), text.to_bytes().escape_ascii());
                say(format_args!(
                    "librdma_addrinfo: {name}='{text}' is not understood: it takes {}; the default holds\n",
                    self.values
                ));
            }
            value
        })
    }
}

/// Writes a line to standard error; where that cannot be, it is not told. It takes no memory from the heap, and raises no
/// signal.
fn say(line: fmt::Arguments<'_>) {
    let mut room = [0; 512];
    let mut rest = &mut room[..];
    let written = rest.write_fmt(line).map(|()| rest.len());
    let _ = unsignalled(|| match written {
        // One call, so that lines of several processes do not mix.
        Ok(left) => io::stderr().write_all(&room[..room.len() - left]),
        Err(_) => io::stderr().lock().write_fmt(line),
    });
}

#[cfg(test)]
mod tests;
