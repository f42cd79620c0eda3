//! The resolution: [`resolve_literal`] at once, [`start`] as a chain of [`Step`]s. It does no I/O.
//!
//! ```text
//!  Request ──▶ parse_literal ──── a plain literal ─────────┐
//!                   │ all else                             │
//!            entries_for_text ──── hints alone ──▶ entries_from_hints
//!             │           │                                │
//!             │ questions └──────── entries ──────▶ EntryCursor ──▶ Summary ──▶ list
//!             ▼                                        │  ▲
//!     Lookup, FindScope ─── answers ─▶ entries         ▼  │ answers
//!     FindService ───────── records ─▶ list   FindRoute, FindSource
//! ```
//!
//! | file | what |
//! |---|---|
//! | `plan` | what is asked for: hints checked by the policy |
//! | `summary` | what is missing among the entries, and the list |
//! | `service` | services of the subnet administrator, and the entries of their records |
//! | `ib_entry` | the AF_IB entry of an IP entry, along its route |
//! | `cursor` | which questions each entry has |
//! | `hints_only` | entries from hints alone |
//! | `entries` | node, service and addresses into entries |
//! | `literal` | the fork of what most requests are |
//! | `step` | the questions and their answers |
//!
//! Each file sees only those above it.

mod cursor;
mod ends;
mod entries;
mod hints_only;
mod ib_entry;
mod literal;
mod plan;
mod service;
mod step;
mod summary;

#[cfg(test)]
mod tests;

pub use service::{IbService, ServiceRecord, SkippedPort};
pub use step::{FindRoute, FindScope, FindService, FindSource, Found, Lookup, Step};

use crate::addrinfo::{AddrInfoList, Storage};
use crate::error::{Error, ErrorKind, Location};
use crate::hints::Hints;
use crate::request::{Request, ServiceText, Text};
use cursor::{Context, EntryCursor};
use entries::{Entries, Parsed, entries_for_text};
use literal::parse_literal;

/// Resolves numeric addresses and ports by [`Policy::MAN_PAGE`](crate::Policy::MAN_PAGE): no lookup, no
/// source, no route, no system call, no allocation.
///
/// What `results` held before is forgotten.
///
/// # Errors
/// [`ErrorKind::NotLiteral`] when a name, a service name or the name of a zone would have to be looked up; else
/// as [`start`]. A zone of digits is an index.
// Inlined as the method is: a list that is returned by a call goes through memory.
#[inline(always)]
#[doc(alias = "rdma_getaddrinfo")]
pub fn resolve_literal<'q, 'r>(
    node: impl Into<Text<'q>>,
    service: impl Into<ServiceText<'q>>,
    hints: impl Into<Option<&'q Hints<'q>>>,
    results: impl Into<Storage<'r>>,
) -> Result<AddrInfoList<'r>, Error> {
    Request::new(node, service, hints).resolve_literal(results)
}

/// Starts a resolution: returns the first step, which for a literal that needs no question is the last. What `results`
/// held before is forgotten.
///
/// # Errors
/// None here: they are in [`Step::Done`]. Their kinds: `NoName`, `AddrFamily`, `BadFlags`, `Family`, `QpType`,
/// `Service`, `NotSupported`, `Invalid`, `NoDevice` from the request itself, and whatever a lookup is answered
/// with.
pub fn start<'q, 'r>(request: Request<'q>, results: impl Into<Storage<'r>>) -> Step<'q, 'r> {
    let mut results = results.into();
    match parse_literal(&request, &mut results) {
        Ok(summary) => Step::next(EntryCursor::new(Context { request, results }, summary, None)),
        Err(parsed) => request.start_parsed(parsed, results),
    }
}

impl<'q> Request<'q> {
    /// Like the function [`resolve_literal`], for any policy.
    ///
    /// # Errors
    /// As there.
    // Inlined, so that what is known of the policy decides at compile time.
    #[inline(always)]
    pub fn resolve_literal<'r>(self, results: impl Into<Storage<'r>>) -> Result<AddrInfoList<'r>, Error> {
        let mut results = results.into();
        match parse_literal(&self, &mut results) {
            Ok(summary) => summary.finish_literal(results),
            Err(parsed) => self.resolve_parsed(parsed, results),
        }
    }

    // By value: the request of a literal then stays in registers.
    #[inline(never)]
    fn resolve_parsed<'r>(
        self,
        parsed: Parsed<'q>,
        mut results: Storage<'r>,
    ) -> Result<AddrInfoList<'r>, Error> {
        results.clear();
        let location = match entries_for_text(&self, parsed, &mut results)? {
            // Without a route there are no AF_IB entries.
            Entries::Made(summary, _) => return summary.finish(results, false),
            Entries::Lookup(name) if name.node.is_none() => Location::Service(0),
            Entries::Lookup(_) => Location::Node(0),
            Entries::Scope(zone) => Location::Node(zone.offset),
            Entries::Service(_) => Location::Service(0),
        };
        Err(Error::new(ErrorKind::NotLiteral).at(location))
    }

    #[inline(never)]
    fn start_parsed<'r>(self, parsed: Parsed<'q>, mut results: Storage<'r>) -> Step<'q, 'r> {
        results.clear();
        let entries = entries_for_text(&self, parsed, &mut results);
        Step::of_entries(Context { request: self, results }, entries)
    }
}
