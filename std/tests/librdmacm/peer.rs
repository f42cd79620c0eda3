//! The C library as a peer: what it may be asked, and whether it answers as our own resolution does by its rules.

use super::rows::{Row, answer};
use crate::common::World;
use rdma_addrinfo::{Grammar, Library, Policy, Resolver};
use rdma_addrinfo_core::text::{self, Node};

/// Where both are asked.
pub(super) const WORLD: World<'_> = World {
    hosts: "\
127.0.0.1 localhost
::1 localhost
2001:db8::7 storage-7.example storage-7
2001:db8::8 storage-7.example storage-7
192.0.2.7 storage-7.example storage-7
192.0.2.8 storage-7.example storage-7
192.0.2.4 only-v4
192.0.2.5 only-v4
2001:db8::6 only-v6
127.0.0.9 here
::1 here
::ffff:192.0.2.4 mapped
fe80::7 link-local
",
    services: "\
tcp-only 7001/tcp
udp-only 7002/udp
both 7003/tcp both-alias
both 7004/udp both-alias
tftp 69/udp
http 80/tcp
",
    device: true,
    ..World::EMPTY
};

const NUMERIC_HOST: i32 = 2;
const FAMILY: i32 = 8;
const SA: i32 = 0x10;
const AF_IB: i32 = 27;

/// Why the C library is not asked for a request, so that only the refusal counts.
fn refused(row: &Row, has_sa: bool) -> Option<&'static str> {
    // Without hints it looks at the host's interfaces; those of a world leave nothing out.
    let [flags, family, ..] = row.hints?;
    if flags & SA != 0 {
        return (!has_sa).then_some("RAI_SA is not known to it");
    }
    let node = row.node.as_deref().filter(|node| *node != "*")?;
    let makes_gid = family == AF_IB && flags & (FAMILY | NUMERIC_HOST) == FAMILY | NUMERIC_HOST;
    let is_ipv6 = matches!(text::node(Grammar::Glibc, node.as_bytes()), Ok(Node::Ipv6 { .. }));
    (makes_gid && !is_ipv6).then_some("an address other than IPv6 read as a GID: stray heap bytes")
}

/// What both answer.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) ours: String,
    pub(super) theirs: String,
    /// Why the C library is not asked; `theirs` is then the binding's refusal.
    pub(super) refused: Option<&'static str>,
}

impl Answers {
    pub(super) fn of(library: &Library, row: &Row) -> Self {
        let resolver = Resolver::new().with_policy(Policy::LIBRDMACM).without_deadline();
        let hints = row.hints();
        let found = resolver.resolve(row.node.as_deref(), row.service.as_deref(), hints.as_ref());
        let ours = answer(found.as_ref().map(|found| found.list()));
        Self { ours, theirs: row.ask(library), refused: refused(row, library.has_sa()) }
    }

    /// The difference, if there is one.
    pub(super) fn agree(&self) -> Result<(), String> {
        let Self { ours, theirs, refused } = self;
        let agree = if refused.is_some() {
            // RAI_SA is refused by the binding alone where the rules answer as a library would that knows it.
            let refusals = [r#""ret":-2"#, r#""ret":-9"#, r#""ret":-1,"errno":95"#];
            refusals.contains(&theirs.as_str()) && ours.starts_with(r#""ret":-"#)
        } else {
            ours == theirs
        };
        if agree { Ok(()) } else { Err(format!("    ours {ours}\n  theirs {theirs}")) }
    }
}
