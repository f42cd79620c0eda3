//! `rdma_addrinfo_core::text`

use crate::opaque::{any, bytes, sink};
use crate::{derived, each, formats};
use rdma_addrinfo_core::text::hostlist::{Host, HostList, Hosts};
use rdma_addrinfo_core::text::{self, Grammar, Ipv4Text, Ipv6Text, Node, Service, Zone};

pub fn calls() {
    let grammar = any(Grammar::Strict);
    sink(text::ipv4(bytes()));
    sink(text::ipv4_glibc(bytes()));
    sink(text::ipv6(bytes()));
    sink(text::gid(bytes()));
    sink(text::port(bytes()));
    sink(text::number(bytes()));
    sink(text::service_id(bytes()));
    sink(text::node(grammar, bytes()));
    sink(text::service(grammar, bytes()));
    formats!(Ipv4Text, Ipv4Text(any(0)); Display);
    formats!(Ipv6Text, Ipv6Text(any(0)); Display);

    let list = any(HostList::parse(bytes()));
    if let Ok(list) = list {
        each!(HostList, &list; count(), text(), hosts());
        each!(HostList as IntoIterator, list; into_iter());
        derived!(HostList, list; Clone PartialEq Hash);
        let mut hosts = any(HostList::hosts(&list));
        each!(Hosts as Clone, &hosts; clone());
        while let Some(host) = <Hosts<'_> as Iterator>::next(&mut hosts) {
            each!(Host, &host; len());
            each!(Host as Clone, &host; clone());
            sink(Host::write_to(&host, &mut any([0; 64])));
            formats!(Host, host; Display);
        }
    }

    derived!(Grammar, grammar; Clone PartialEq Hash);
    derived!(Node, Node::Name(bytes()); Clone PartialEq Hash);
    derived!(Service, Service::Name(bytes()); Clone PartialEq Hash);
    derived!(Zone, Zone::Name(bytes()); Clone PartialEq Hash);
    derived!(Ipv4Text, Ipv4Text(0); Clone PartialEq Hash);
    derived!(Ipv6Text, Ipv6Text(0); Clone PartialEq Hash);
}
