//! A blocking call: where a peer is, and from where it is reached.
//!
//! ```text
//! cargo run -p rdma-addrinfo --example blocking -- storage-7 7471
//! ```

use rdma_addrinfo::{ErrorKind, Hints, PortSpace, QpType, Resolver};
use std::env;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let node = arguments.next().unwrap_or_else(|| "localhost".into());
    let service = arguments.next().unwrap_or_else(|| "7471".into());
    let hints = Hints::new().with_qp_type(QpType::RC).with_port_space(PortSpace::TCP);
    // One for all calls, of all threads.
    let resolver = Resolver::new().with_deadline(Duration::from_secs(2));
    match resolver.resolve(&*node, &*service, &hints) {
        Ok(found) => {
            for info in &found {
                println!("{info}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            let is_worth_a_retry = matches!(error.kind(), ErrorKind::Again | ErrorKind::TimedOut);
            ExitCode::from(if is_worth_a_retry { 75 } else { 1 })
        }
    }
}
