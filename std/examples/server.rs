//! Listens where a node and a service resolve to, and exchanges data with the example `client`.
//!
//! ```console
//! cargo run -p rdma-addrinfo --features rdma-sys --example server -- [--librdmacm] [--times N] [NODE] SERVICE [HINTS]
//! ```
//! Without a node, or with `*`, it listens on every address. Hints are those of the command, such as `qp=ud`.

mod shared;

use rdma_addrinfo::{CList, Hints, devices::Devices};
use shared::endpoint::Endpoint;
use shared::{Options, exchange, exit_status};
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit_status(serve())
}

fn serve() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    let (node, service, hints) = match words[..] {
        [service] => ("*", service, ""),
        [node, service] => (node, service, ""),
        [node, service, hints] => (node, service, hints),
        _ => return Err("usage: server [--librdmacm] [--times N] [NODE] SERVICE [HINTS]".into()),
    };

    let hints = Hints::parse(hints)?.passive();
    let found = options.resolve((node != "*").then_some(node), service, &hints)?;
    // The first: `[::]` takes those who come by IPv4 too.
    let info = found.list().first().ok_or("nothing to listen on")?;
    let mut c_list = CList::<1>::new();
    let listener = Endpoint::create(c_list.link_one(info), exchange::RECEIVES)?;
    listener.listen()?;
    println!("at         {}", Devices::read().local_port(&info, None));
    println!("listening  {info}");
    for _ in 0..options.times {
        let mut request = listener.request()?;
        // One that fails is no reason to stop, nor one for which there is no memory.
        let taken = Endpoint::of_request(&mut request, exchange::RECEIVES).and_then(|endpoint| {
            println!("request    {}", endpoint.location());
            exchange::take(&endpoint, &request)
        });
        match taken {
            Ok(()) => println!("done"),
            Err(error) => println!("failed     {error}"),
        }
    }
    Ok(())
}
