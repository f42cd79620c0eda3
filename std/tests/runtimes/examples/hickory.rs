//! Names by hickory in the place of getaddrinfo(3): nothing blocks a thread, and a thousand names need two.
//!
//! hickory reads no nsswitch.conf(5): what that names beside DNS is not asked. The name server is one of this process.

use hickory_proto::op::{Message, ResponseCode};
use hickory_proto::rr::rdata::A;
use hickory_proto::rr::{RData, Record, RecordType};
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use rdma_addrinfo::{CoreError, ErrorKind, Family, Found, NameAnswer, NameQuery, NameService, Resolver};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant;
use tokio::net::UdpSocket;

/// hickory's resolver as a name service.
struct Hickory(TokioResolver);

impl NameService for Hickory {
    async fn look_up(&self, query: &NameQuery<'_>, _: Option<Instant>) -> Result<NameAnswer, CoreError> {
        // Services by name are not in DNS.
        let (Some(node), None) = (query.node.as_str(), query.service.as_str()) else {
            return Err(ErrorKind::Service.into());
        };
        let found = self.0.lookup_ip(node).await.map_err(|error| match error.is_no_records_found() {
            true => CoreError::from(ErrorKind::NoName),
            false => ErrorKind::Again.into(),
        })?;
        let wanted = |address: &IpAddr| match query.family {
            Family::INET => address.is_ipv4(),
            Family::INET6 => address.is_ipv6(),
            _ => true,
        };
        let addresses = found.iter().filter(wanted);
        Ok(NameAnswer::new(addresses.map(|ip| Found { address: (ip, 0).into(), protocol: query.protocol })))
    }
}

/// A name server for the hosts `node-0.example` to `node-255.example`, which have IPv4 addresses.
async fn serve(socket: UdpSocket) {
    let mut room = [0; 512];
    loop {
        let (len, from) = socket.recv_from(&mut room).await.unwrap();
        let Ok(question) = Message::from_vec(&room[..len]) else { continue };
        let Some(query) = question.queries.first() else { continue };
        let name = query.name().to_ascii();
        let host = name.strip_prefix("node-").and_then(|name| name.split_once(".example"));
        let host = host.and_then(|(number, _)| number.parse().ok());
        let mut reply = Message::response(question.metadata.id, question.metadata.op_code);
        reply.add_query(query.clone());
        match host {
            None => reply.metadata.response_code = ResponseCode::NXDomain,
            Some(host) if query.query_type() == RecordType::A => {
                let address = RData::A(A(Ipv4Addr::new(192, 0, 2, host)));
                reply.add_answer(Record::from_rdata(query.name().clone(), 60, address));
            }
            Some(_) => {}
        }
        let _ = socket.send_to(&reply.to_vec().unwrap(), from).await;
    }
}

/// A client of the name server at this address alone.
fn client(server: SocketAddr) -> TokioResolver {
    let mut connection = ConnectionConfig::udp();
    connection.port = server.port();
    let server = NameServerConfig::new(server.ip(), true, vec![connection]);
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).build().unwrap()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let server = socket.local_addr().unwrap();
    tokio::spawn(serve(socket));

    let names = Hickory(client(server));
    let resolver = Resolver::new().with_names(names).with_source(false).with_routes(false).awaiting();
    let mut all = resolver.resolve_many((0..1000).map(|host| (format!("node-{host}.example"), 7471)), 64);
    let (mut found, mut missing) = (0, 0);
    while let Some(one) = all.next().await {
        match one.result {
            Ok(list) => {
                let address = list.first().unwrap().dst_addr().unwrap().to_string();
                assert_eq!(address, format!("192.0.2.{}:7471", one.index));
                found += 1;
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::NoName, "{error}");
                missing += 1;
            }
        }
    }
    assert_eq!((found, missing), (256, 744));
    let threads = std::fs::read_dir("/proc/self/task").unwrap().count();
    println!("{found} found, {missing} without an address, {threads} threads");
    // This one, and the one for deadlines.
    assert!(threads <= 2, "{threads}");
}
