//! The RDMA devices of this machine, and which device, port and GID a result needs.

use rdma_addrinfo::Resolver;
use rdma_addrinfo::devices::Devices;

fn main() -> Result<(), rdma_addrinfo::Error> {
    let devices = Devices::read();
    for device in &devices {
        for port in device.ports() {
            println!(
                "{} port {}: {}, {} GIDs",
                device.name(),
                port.number(),
                port.state(),
                port.gids().len()
            );
        }
    }
    let found = Resolver::new().resolve("127.0.0.1", 7471, None)?;
    let mut check = devices.check();
    for info in &found {
        let checked = check.entry(&info);
        println!("{info}: {}", checked.port);
        for finding in &checked.findings {
            println!("    {finding}");
        }
    }
    Ok(())
}
