//! Policies: the same data flow, two sets of rules.

use crate::text::Grammar;

/// How to resolve: plain data, two presets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Policy {
    /// How node and service are read.
    pub grammar: Grammar,
    /// Which rules hold for hints and families.
    pub rules: Rules,
    /// How many addresses of a name are answered.
    pub addresses: Addresses,
    /// Where an AF_IB entry stands beside the IP entry that it belongs to.
    pub ib_entry: IbEntryOrder,
    /// Whether the source is looked for when neither hints nor a route tell it.
    pub discover_source: bool,
}

impl Policy {
    /// What the manual page promises, strictly, and what a user of it would expect. The default.
    pub const MAN_PAGE: Self = Self {
        grammar: Grammar::Strict,
        rules: Rules::ManPage,
        addresses: Addresses::All,
        ib_entry: IbEntryOrder::AfterIp,
        discover_source: true,
    };

    /// What the C library answers (rdma-core 65), but where it reads stray memory, mixes families or crashes.
    pub const LIBRDMACM: Self = Self {
        grammar: Grammar::Glibc,
        rules: Rules::Librdmacm,
        addresses: Addresses::First,
        ib_entry: IbEntryOrder::BeforeIp,
        discover_source: false,
    };

    /// Whether the rules are those of the manual page.
    #[inline]
    pub(crate) const fn is_strict(&self) -> bool {
        matches!(self.rules, Rules::ManPage)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::MAN_PAGE
    }
}

/// Which rules hold for hints and families.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Rules {
    /// Those of the manual page: all hints are checked, and all constrain the answer.
    ManPage,
    /// Those of librdmacm: some hints are ignored, others repeated unchecked.
    Librdmacm,
}

/// How many addresses of a name are answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Addresses {
    /// All, in the order of the name service.
    All,
    /// The first.
    First,
}

/// Where an AF_IB entry stands beside the IP entry that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IbEntryOrder {
    /// Behind it: on RoCE `rdma_create_ep` fails when an AF_IB entry comes first.
    AfterIp,
    /// Before it, as librdmacm does.
    BeforeIp,
}

/// Facts about the machine that are no step of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Environment {
    /// Whether the kernel takes AF_IB addresses. [`Request::needs_af_ib`](super::Request::needs_af_ib)
    /// and [`FindRoute::needs_af_ib`](crate::FindRoute::needs_af_ib) tell whether it counts.
    pub af_ib: bool,
    /// Whether getaddrinfo(3) answers `::1` before 127.0.0.1 where there is no node, as it does unless that alone can be
    /// reached. [`Request::needs_ipv6_loopback`](super::Request::needs_ipv6_loopback) tells whether it counts.
    pub ipv6_loopback: bool,
    /// Whether there is anybody to ask for routes. If not, they are unavailable without a question.
    pub route_service: bool,
    /// Whether the interfaces have names of their own, so that a zone of digits may be such a name: then the steps
    /// [ask](crate::Step::FindScope) for it first. If not, and where nobody asks, it is an index.
    pub interfaces: bool,
}

impl Environment {
    /// A machine without RDMA, whose loopback interface has IPv6. Routes are asked for; a zone of digits is an index.
    #[must_use]
    pub const fn new() -> Self {
        Self { af_ib: false, ipv6_loopback: true, route_service: true, interfaces: false }
    }
}

impl Default for Environment {
    fn default() -> Self {
        Self::new()
    }
}
