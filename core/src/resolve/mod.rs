//! The resolution: [`resolve_literal`] at once, [`start`] as a chain of [`Step`]s.
//!
//! It does no I/O. Both check the hints and read node and service in the same routine, which writes a literal
//! straight into its place in the results; what cannot be known from the text is asked for, a step at a time.
//!
//! | file | what |
//! |---|---|
//! | `plan` | what is asked for: hints checked by the policy, node and service read |
//! | `literal` | the short way of what most requests are |
//! | `place` | addresses into entries: family, source, port |
//! | `hints_only` | entries from hints alone |
//! | `placed` | the chain of entries |
//! | `step` | the questions and their answers |
//! | `route` | the question for a route and its answer |
//! | `walk` | route, source and AF_IB twin of each entry |
//! | `twin` | an AF_IB entry from an IP entry and its route |

mod hints_only;
mod literal;
mod place;
mod placed;
mod plan;
mod route;
mod step;
mod twin;
mod walk;

#[cfg(test)]
mod tests;

pub use route::FindRoute;
pub use step::{FindScope, FindSource, Found, LookUp, Step};

use crate::addrinfo::{AddrInfoList, Storage};
use crate::error::{Error, ErrorKind, Location};
use crate::hints::Hints;
use crate::request::{Request, ServiceText, Text};
use place::Need;
use step::Work;
use walk::Walk;

/// Resolves numeric addresses and ports by [`Policy::MAN_PAGE`](crate::Policy::MAN_PAGE): no look-up, no
/// source, no route, no system call, no allocation.
///
/// What `results` held before is forgotten.
///
/// # Errors
/// [`ErrorKind::NotLiteral`] when a name, a service name or the name of a zone would have to be looked up; else
/// as [`start`].
#[inline]
#[doc(alias = "rdma_getaddrinfo")]
pub fn resolve_literal<'q, 'r>(
    node: impl Into<Text<'q>>,
    service: impl Into<ServiceText<'q>>,
    hints: impl Into<Option<&'q Hints<'q>>>,
    results: impl Into<Storage<'r>>,
) -> Result<AddrInfoList<'r>, Error> {
    resolve(Request::new(node, service, hints), results.into())
}

impl Request<'_> {
    /// Like the function [`resolve_literal`], for any policy.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn resolve_literal<'r>(self, results: impl Into<Storage<'r>>) -> Result<AddrInfoList<'r>, Error> {
        resolve(self, results.into())
    }
}

// Inlined, so that what is known of the policy decides at compile time.
#[inline(always)]
fn resolve<'r>(request: Request<'_>, mut results: Storage<'r>) -> Result<AddrInfoList<'r>, Error> {
    match literal::place(&request, &mut results) {
        Some(placed) => {
            let listed = results.entries.as_slice().len();
            placed.finish_counted(results, listed, false)
        }
        None => place_all(request, results),
    }
}

/// Places whatever needs no look-up.
// By value: the short way then keeps its request in registers.
#[inline(never)]
fn place_all<'r>(request: Request<'_>, mut results: Storage<'r>) -> Result<AddrInfoList<'r>, Error> {
    results.clear();
    match place::place(&request, &mut results)? {
        (placed, Need::Nothing) => placed.finish(results, false),
        (_, need) => Err(not_literal(need)),
    }
}

#[cold]
fn not_literal(need: Need<'_>) -> Error {
    let location = match need {
        Need::Nothing => Location::Nowhere,
        Need::LookUp(ask) if ask.node.is_none() => Location::Service(0),
        Need::LookUp(_) => Location::Node(0),
        Need::Scope(ask) => Location::Node(ask.offset),
    };
    Error::new(ErrorKind::NotLiteral).at(location)
}

/// Starts a resolution. What `results` held before is forgotten.
///
/// # Errors
/// None here: they are in [`Step::Done`]. Their kinds: `NoName`, `AddrFamily`, `BadFlags`, `Family`, `QpType`,
/// `Service`, `NotSupported`, `Invalid`, `NoDevice` from the request itself, and whatever a look-up is answered
/// with.
pub fn start<'q, 'r>(request: Request<'q>, results: impl Into<Storage<'r>>) -> Step<'q, 'r> {
    let mut results = results.into();
    match literal::place(&request, &mut results) {
        Some(placed) => Walk::start(Work { request, results }, placed),
        None => start_all(request, results),
    }
}

/// Starts whatever may need a look-up.
#[inline(never)]
fn start_all<'q, 'r>(request: Request<'q>, mut results: Storage<'r>) -> Step<'q, 'r> {
    results.clear();
    let placed = place::place(&request, &mut results);
    step::after_place(request, results, placed)
}
