//! Connects to what a node and a service resolve to, and exchanges data with the example `server`.
//!
//! ```console
//! cargo run -p rdma-addrinfo --features rdma-sys --example client -- [--librdmacm] NODE SERVICE [HINTS]
//! ```
//! Hints are those of the command, such as `qp=ud` or `src=192.0.2.1`. Each address is tried in its turn.
//!
//! Both need an RDMA device, such as Soft-RoCE, and to build librdmacm-dev, libibverbs-dev, pkg-config and libclang 14
//! or 15.

mod shared;

use rdma_addrinfo::{CList, Hints, devices::Devices};
use shared::endpoint::Endpoint;
use shared::{Options, exchange, exit_status};
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit_status(connect())
}

fn connect() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    let (node, service, hints) = match words[..] {
        [node, service] => (node, service, ""),
        [node, service, hints] => (node, service, hints),
        _ => return Err("usage: client [--librdmacm] NODE SERVICE [HINTS]".into()),
    };

    let hints = Hints::parse(hints)?;
    let found = options.resolve(Some(node), service, &hints)?;
    let devices = Devices::read();
    for info in found.list() {
        println!("resolved   {info}\nfrom       {}", devices.local_port(&info, None));
        let mut c_list = CList::<1>::new(); // rdma_create_ep looks at the first of a list only
        let exchanged = Endpoint::create(c_list.link_one(info), exchange::RECEIVES) // rdma_create_ep
            .and_then(|endpoint| exchange::offer(&endpoint)); // rdma_connect, sends, an RDMA write
        match exchanged {
            Ok(()) => return Ok(()),
            Err(error) => println!("failed     {error}"), // the next address may do
        }
    }
    Err("no address took the connection".into())
}
