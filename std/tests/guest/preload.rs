//! Programs of rdma-core connect with the C interface by `LD_PRELOAD` as without, and call it.

use super::programs::{Program, beside, wait_until_listening};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// A setting that the C interface complains about, which shows that it was called.
const SETTING: (&str, &str) = ("RDMA_ADDRINFO_POLICY", "none");
const COMPLAINT: &str = "librdma_addrinfo: RDMA_ADDRINFO_POLICY='none' is not understood";

/// What two programs have told, complaints apart.
#[derive(PartialEq, Eq, Debug)]
struct Told {
    server: Vec<String>,
    client: Vec<String>,
}

/// Runs a server and a client; what they tell, and how often each has complained. Both must succeed, unless
/// their ends do not count.
#[track_caller]
fn connect(server: &[&str], client: &[&str], preload: Option<&str>, ends_well: bool) -> (Told, [usize; 2]) {
    let variables: Vec<_> =
        preload.map(|library| ("LD_PRELOAD", library)).into_iter().chain([SETTING]).collect();
    let server = Program::start_with(server[0], &server[1..], &variables);
    wait_until_listening(&server);
    let (status, mut client) = Program::start_with(client[0], &client[1..], &variables).finish(LIMIT);
    assert!(status.success() || !ends_well, "{status}: {client:#?}");
    let (status, mut server) = server.finish(LIMIT);
    assert!(status.success() || !ends_well, "{status}: {server:#?}");
    let complaints = [&mut server, &mut client].map(|lines| {
        let before = lines.len();
        lines.retain(|line| !line.starts_with(COMPLAINT));
        before - lines.len()
    });
    (Told { server, client }, complaints)
}

/// Runs both programs with the C interface and without.
#[track_caller]
fn connect_as_without(server: &[&str], client: &[&str]) -> Told {
    let library = beside("librdma_addrinfo.so");
    let (without, complaints) = connect(server, client, None, true);
    assert_eq!(complaints, [0, 0]);
    let (with, complaints) = connect(server, client, library.to_str(), true);
    assert_eq!((&with, complaints), (&without, [1, 1]));
    with
}

#[test]
fn rdma_server_and_rdma_client() {
    let told =
        connect_as_without(&["rdma_server", "-p", "7471"], &["rdma_client", "-s", "192.0.2.2", "-p", "7471"]);
    assert_eq!(told.client, ["rdma_client: start", "rdma_client: end 0"]);
}

/// By a reliable connection: Soft-RoCE has no XRC.
#[test]
fn rdma_xserver_and_rdma_xclient() {
    let told = connect_as_without(
        &["rdma_xserver", "-p", "7471"],
        &["rdma_xclient", "-s", "192.0.2.2", "-p", "7471"],
    );
    assert_eq!(told.client, ["rdma_xclient: start", "rdma_xclient: end 0"]);
}

#[test]
fn ucmatose() {
    for (server, client) in [
        (&["ucmatose"][..], &["ucmatose", "-s", "192.0.2.2", "-C", "3"][..]),
        (&["ucmatose", "-f", "name", "-b", "storage-7"], &["ucmatose", "-f", "name", "-s", "storage-7"]),
    ] {
        let told = connect_as_without(server, client);
        assert_eq!(told.client.last().unwrap(), "return status 0");
        assert!(told.server.contains(&"data transfers complete".into()), "{told:#?}");
    }
}

#[test]
fn udaddy() {
    let told = connect_as_without(&["udaddy"], &["udaddy", "-s", "192.0.2.2"]);
    assert_eq!(told.client.last().unwrap(), "return status 0");
}

/// It calls rdma_getaddrinfo only inside librdmacm, and only in the client. How the programs end is a race.
#[test]
fn rping() {
    for address in ["192.0.2.2", "2001:db8::2"] {
        let server = ["rping", "-s", "-a", address, "-C", "3"];
        let client = ["rping", "-c", "-a", address, "-C", "3", "-v"];
        let library = beside("librdma_addrinfo.so");
        let pings = |told: Told| -> Vec<String> {
            told.client.into_iter().filter(|line| line.starts_with("ping data: ")).collect()
        };
        let (without, complaints) = connect(&server, &client, None, false);
        assert_eq!(complaints, [0, 0]);
        let (with, complaints) = connect(&server, &client, library.to_str(), false);
        assert_eq!(complaints, [0, 1]);
        let (with, without) = (pings(with), pings(without));
        assert_eq!((with.len(), &with), (3, &without));
    }
}
