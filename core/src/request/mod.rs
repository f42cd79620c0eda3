//! [`Request`]: what to resolve and how, unparsed and [`Copy`].

mod policy;
mod text;

#[cfg(test)]
mod tests;

pub use policy::{Addresses, Environment, IbEntryOrder, Policy, Rules};
pub use text::{ServiceText, Text};

use crate::hints::Hints;

/// What to resolve: a node, a service and hints as the caller gave them, with policy and environment.
///
/// ```
/// use rdma_addrinfo_core::{Hints, Policy, Request, Results};
///
/// let hints = Hints::new();
/// let request = Request::new("127.1", "7471", &hints).with_policy(Policy::LIBRDMACM);
/// let mut results = Results::<1>::new();
/// let list = request.resolve_literal(&mut results)?;
/// assert_eq!(list.first().unwrap().dst_addr().unwrap().to_string(), "127.0.0.1:7471");
/// # Ok::<(), rdma_addrinfo_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Request<'q> {
    pub(crate) node: Text<'q>,
    pub(crate) service: ServiceText<'q>,
    pub(crate) hints: Option<&'q Hints<'q>>,
    pub(crate) policy: Policy,
    pub(crate) environment: Environment,
    pub(crate) routes: bool,
    pub(crate) canonical_names: bool,
    pub(crate) needs_source: bool,
}

impl<'q> Request<'q> {
    /// Asks for a node and a service, either of which may be absent, by [`Policy::MAN_PAGE`].
    #[must_use]
    #[inline]
    pub fn new(
        node: impl Into<Text<'q>>,
        service: impl Into<ServiceText<'q>>,
        hints: impl Into<Option<&'q Hints<'q>>>,
    ) -> Self {
        Self {
            node: node.into(),
            service: service.into(),
            hints: hints.into(),
            policy: Policy::MAN_PAGE,
            environment: Environment::new(),
            routes: true,
            canonical_names: false,
            needs_source: false,
        }
    }

    /// The same request by another policy.
    #[must_use]
    #[inline]
    pub const fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The same request with other facts that no step can ask for.
    #[must_use]
    #[inline]
    pub const fn with_environment(self, environment: Environment) -> Self {
        Self { environment, ..self }
    }

    /// Sets whether routes are asked for; they are unless this says no.
    #[must_use]
    #[inline]
    pub const fn with_routes(self, routes: bool) -> Self {
        Self { routes, ..self }
    }

    /// Sets whether canonical names are asked for; they are not unless this says so.
    #[must_use]
    #[inline]
    pub const fn with_canonical_names(self, canonical_names: bool) -> Self {
        Self { canonical_names, ..self }
    }

    /// Sets whether each entry of the active side must have a source. It is then asked for whatever the policy says,
    /// before the route, so that the route is one from there; an entry for which none is told is left out.
    #[must_use]
    #[inline]
    pub const fn with_needed_source(self, needs_source: bool) -> Self {
        Self { needs_source, ..self }
    }

    /// The node.
    #[must_use]
    #[inline]
    pub const fn node(&self) -> Text<'q> {
        self.node
    }

    /// The service.
    #[must_use]
    #[inline]
    pub const fn service(&self) -> ServiceText<'q> {
        self.service
    }

    /// The hints as they were given; `None` is the same as empty hints.
    #[must_use]
    #[inline]
    pub const fn given_hints(&self) -> Option<&'q Hints<'q>> {
        self.hints
    }

    /// The policy.
    #[must_use]
    #[inline]
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// The facts that no step can ask for.
    #[must_use]
    #[inline]
    pub const fn environment(&self) -> Environment {
        self.environment
    }

    /// Whether routes are asked for.
    #[must_use]
    #[inline]
    pub const fn routes(&self) -> bool {
        self.routes
    }

    /// Whether canonical names are asked for.
    #[must_use]
    #[inline]
    pub const fn canonical_names(&self) -> bool {
        self.canonical_names
    }

    /// Whether each entry of the active side must have a source.
    #[must_use]
    #[inline]
    pub const fn needs_source(&self) -> bool {
        self.needs_source
    }

    /// Whether the first address is enough, and can be told before sources are.
    pub(crate) fn takes_first(&self) -> bool {
        self.policy.addresses == Addresses::First && !self.needs_source
    }
}
