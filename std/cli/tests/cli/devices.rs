//! Devices, ports and GIDs, from trees of sysfs in `SYSFS_PATH`.
//!
//! The addresses are those of this machine, so the netdev is loopback where an address matters.

use crate::common::{PROGRAM, Run, json, run};
use crate::sysfs::Tree;
use serde_json::{Value, json};
use std::process::Command;

fn on(tree: &Tree, arguments: &[&str]) -> Run {
    Run::of(Command::new(PROGRAM).args(arguments).env("SYSFS_PATH", tree.root()))
}

/// 127.0.0.1 as the address of a RoCE port.
fn loopback() -> Tree {
    Tree::new(
        "class/infiniband/rxe0/node_type\t1: CA\n\
         class/infiniband/rxe0/node_guid\t0200:00ff:fe00:0001\n\
         class/infiniband/rxe0/ports/1/state\t4: ACTIVE\n\
         class/infiniband/rxe0/ports/1/link_layer\tEthernet\n\
         class/infiniband/rxe0/ports/1/rate\t2.5 Gb/sec (1X SDR)\n\
         class/infiniband/rxe0/ports/1/lid\t0x0\n\
         class/infiniband/rxe0/ports/1/gids/0\tfe80:0000:0000:0000:0000:00ff:fe00:0001\n\
         class/infiniband/rxe0/ports/1/gids/1\t0000:0000:0000:0000:0000:ffff:7f00:0001\n\
         class/infiniband/rxe0/ports/1/gids/2-63\t0000:0000:0000:0000:0000:0000:0000:0000\n\
         class/infiniband/rxe0/ports/1/gid_attrs/types/0-1\tRoCE v2\n\
         class/infiniband/rxe0/ports/1/gid_attrs/ndevs/0-1\tlo\n\
         class/infiniband/rxe0/ports/2/state\t1: DOWN\n\
         class/infiniband/rxe0/ports/2/link_layer\tEthernet\n\
         class/infiniband/rxe1/node_type\t1: CA\n\
         class/net/lo/mtu\t65536\n\
         class/net/lo/address\t00:00:00:00:00:00",
    )
}

#[test]
fn the_table_of_devices() {
    assert_eq!(
        on(&loopback(), &["--devices"]).found(),
        "  DEVICE   PORT   STATE    LINK       RATE                  GID   TYPE      ADDRESS           NETDEV   MTU     NOTE\n  \
           rxe0     1      active   ethernet   2.5 Gb/sec (1X SDR)   0     roce-v2   fe80::ff:fe00:1   lo       65536\n\
         * rxe0     1      active   ethernet   2.5 Gb/sec (1X SDR)   1     roce-v2   127.0.0.1         lo       65536\n  \
           rxe0     2      down     ethernet                                                                            empty-table\n  \
           rxe1                                                                                                         no-port\n"
    );
    let infiniband = Tree::new(include_str!("../../../tests/sysfs/constructed/infiniband.tree"));
    assert_eq!(
        on(&infiniband, &["--devices"]).found(),
        "  DEVICE   PORT   STATE    LINK         RATE                  GID   TYPE   ADDRESS                  NETDEV         MTU\n\
         * mlx5_0   1      active   infiniband   100 Gb/sec (4X EDR)   0     ib     fe80::c42:a103:65:4a10   ib0,ib0.8001   2044,2044\n  \
           mlx5_0   1      active   infiniband   100 Gb/sec (4X EDR)   1     ib     fec0::c42:a103:65:4a10\n  \
           mlx5_1   1      active   infiniband   100 Gb/sec (4X EDR)   0     ib     fe80::c42:a103:65:4a11   ib1            2044\n"
    );
}

/// An empty variable counts as not set, not as the current directory.
#[test]
fn an_empty_path_is_none() {
    let tree = loopback();
    let run = |path: &str| {
        let mut command = Command::new(PROGRAM);
        Run::of(command.args(["--devices", "--json"]).env("SYSFS_PATH", path).current_dir(tree.root()))
    };
    assert!(run(".").out.contains("rxe0"));
    assert!(!run("").out.contains(r#""node_guid":"0200:00ff:fe00:0001""#));
}

#[test]
fn the_devices_for_programs() {
    let run = on(&loopback(), &["--devices", "--json"]);
    assert_eq!(run.status, 0);
    let netdevs = json!([{"netdev": "lo", "mtu": 65536, "hardware_address": "000000000000"}]);
    let local = "fe80::ff:fe00:1";
    // A link-local GID without its address is none to use.
    let best = json!({"device": "rxe0", "port": 1, "gid_index": 1, "gid": "::ffff:127.0.0.1",
        "gid_type": "roce-v2", "netdev": "lo", "port_state": "active", "link_layer": "ethernet"});
    assert_eq!(
        json(&run),
        json!({
            "version": 1,
            "devices": [
                {"device": "rxe0", "node_type": "ca", "node_guid": "0200:00ff:fe00:0001",
                 "has_character_device": null, "best": best, "ports": [
                    {"port": 1, "state": "active", "link_layer": "ethernet", "rate": "2.5 Gb/sec (1X SDR)", "lid": 0,
                     "gid_table_length": 64, "best": 1, "gids": [
                        {"gid_index": 0, "gid": local, "gid_type": "roce-v2", "ipv4": null, "netdevs": netdevs},
                        {"gid_index": 1, "gid": "::ffff:127.0.0.1", "gid_type": "roce-v2", "ipv4": "127.0.0.1",
                         "netdevs": netdevs},
                    ]},
                    {"port": 2, "state": "down", "link_layer": "ethernet", "rate": null, "lid": null,
                     "gid_table_length": 0, "best": null, "no_gid": "empty-table", "gids": []},
                ]},
                {"device": "rxe1", "node_type": "ca", "node_guid": null, "has_character_device": null,
                 "best": null, "no_gid": "no-port", "ports": []},
            ],
            "best": best,
            "problems": [],
        })
    );
}

#[test]
fn an_empty_path_of_sysfs_is_none() {
    let tree = loopback();
    let in_tree = |path: &str| {
        let mut command = Command::new(PROGRAM);
        Run::of(command.args(["--devices", "--json"]).current_dir(tree.root()).env("SYSFS_PATH", path))
    };
    let [here, empty] = [".", ""].map(|path| in_tree(path).out);
    assert!(here.contains("2.5 Gb/sec (1X SDR)"), "{here}");
    // The tree is the current directory, and the machine's own devices are listed, if it has any.
    assert_ne!(empty, here);
    assert_eq!(
        empty,
        Run::of(Command::new(PROGRAM).args(["--devices", "--json"]).env_remove("SYSFS_PATH")).out
    );
}

#[test]
fn one_device_is_listed_by_its_name() {
    let tree = loopback();
    let all = on(&tree, &["--devices"]).found();
    let one = on(&tree, &["--devices", "rxe0"]).found();
    let of_one: Vec<_> = all.lines().filter(|line| !line.contains("rxe1")).collect();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    // Its columns may be narrower, and the note of the other is not there.
    assert_eq!(words(&one.replace(" NOTE", "")), words(&of_one.join("\n").replace(" NOTE", "")));
    let run = on(&tree, &["--json", "--devices", "rxe1"]);
    let table = json(&run);
    assert_eq!(
        table["devices"],
        json!([{"device": "rxe1", "node_type": "ca", "node_guid": null,
        "has_character_device": null, "best": null, "no_gid": "no-port", "ports": []}])
    );
    assert_eq!(table["best"], Value::Null);
    let table = json(&on(&tree, &["--json", "--devices", "rxe0"]));
    assert_eq!((table["devices"].as_array().unwrap().len(), &table["best"]["device"]), (1, &json!("rxe0")));

    assert_eq!(
        on(&tree, &["--devices", "rxe"]).refused(1),
        "rdma-getaddrinfo: there is no RDMA device 'rxe', but rxe0, rxe1\n"
    );
    assert_eq!(json_of_none(&on(&tree, &["--json", "--devices", "rxe"])), json!([]));
}

fn json_of_none(run: &Run) -> Value {
    assert_eq!(run.status, 1);
    json(run)["devices"].clone()
}

#[test]
fn a_path_of_sysfs_that_leads_nowhere_is_named() {
    let mut command = Command::new(PROGRAM);
    let run = Run::of(command.arg("--devices").env("SYSFS_PATH", "/nowhere\u{202e}"));
    assert_eq!(
        run.refused(1),
        "rdma-getaddrinfo: SYSFS_PATH is '/nowhere\\u{202e}', which is not there\n\
         rdma-getaddrinfo: this machine has no RDMA device\n"
    );
}

#[test]
fn a_device_is_no_interface() {
    let tree = loopback();
    assert_eq!(
        on(&tree, &["--src-if", "rxe0", "::1"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '::1': invalid argument: there is no interface 'rxe0' to send from\n\
         tip: 'rxe0' is an RDMA device; its network interface: '--src-if lo'\n"
    );
    let err = on(&tree, &["--src-if", "rxe1", "::1"]).refused(1);
    assert!(err.ends_with("tip: 'rxe1' is an RDMA device, which has no network interface now\n"), "{err}");
    let err = on(&tree, &["--src-if", "rxe", "::1"]).refused(1);
    assert!(!err.contains("tip"), "{err}");
}

#[test]
fn no_device_is_said() {
    let tree = Tree::new("");
    let complaint = "rdma-getaddrinfo: this machine has no RDMA device\n";
    assert_eq!(on(&tree, &["--devices"]).refused(1), complaint);
    let run = on(&tree, &["--json", "--devices"]);
    assert_eq!(run.status, 1);
    assert_eq!(json(&run), json!({"version": 1, "devices": [], "best": null, "problems": []}));
}

#[test]
fn what_cannot_be_read_is_said_beside_the_rest() {
    let tree = loopback();
    tree.put("class/infiniband/rxe0/ports/2/state", "\u{202e}");
    tree.put("class/infiniband/rxe0/ports/2/rate", "\u{202e}fast");
    let run = on(&tree, &["--devices"]);
    assert_eq!((run.status, run.out.lines().count()), (0, 5));
    assert!(run.out.contains("\\u{202e}fast"), "{}", run.out);
    let problem = "class/infiniband/rxe0/ports/2/state: it cannot be parsed";
    assert_eq!(run.err, format!("rdma-getaddrinfo: {problem}\n"));
    let run = on(&tree, &["--devices", "--json"]);
    assert_eq!(json(&run)["problems"], json!([problem]));
}

/// No option of a resolution may be used with it.
#[test]
fn devices_alone_resolve_nothing() {
    for arguments in [
        &["::1"][..],
        &["-p"],
        &["-n"],
        &["--no-route"],
        &["-4"],
        &["-6"],
        &["--ib"],
        &["--qp-type", "rc"],
        &["--port-space", "tcp"],
        &["--src", "::1"],
        &["--src-if", "lo"],
        &["--dst", "::1"],
        &["--hints", ""],
        &["--dns"],
        &["--sa"],
        &["--policy", "man-page"],
        &["--backend", "native"],
        &["--timeout", "1ms"],
        &["--ibacm", "off"],
        &["--ib-entries", "auto"],
        &["--first"],
        &["--no-source"],
        &["--canonical"],
        &["--ports"],
        &["--explain"],
    ] {
        let err = run(&[arguments, &["--devices"]].concat()).refused(2);
        assert!(err.contains("cannot be used with"), "{arguments:?}: {err}");
    }
}

#[test]
fn entries_show_their_device() {
    let tree = loopback();
    let entry = "inet   rc/tcp   127.0.0.1 -> 127.0.0.1:7471   no ibacm   56 bytes of private data\n";
    assert_eq!(
        on(&tree, &["--ports", "127.0.0.1", "7471"]).found(),
        format!("{entry}    device   rxe0 port 1 gid 1 (roce-v2, ::ffff:127.0.0.1, netdev lo)\n")
    );
    let out = on(&tree, &["--ports", "--explain", "127.0.0.1", "7471"]).found();
    assert!(out.contains(": 2 devices, 2 ports, 2 GIDs\n"), "{out}");
    assert!(out.contains("device of 127.0.0.1: rxe0 port 1 gid 1 (roce-v2, "), "{out}");
    // And without one.
    assert_eq!(
        on(&Tree::new(""), &["--ports", "127.0.0.1", "7471"]).found(),
        format!("{entry}    device   no usable GID for 127.0.0.1 on lo: this machine has no RDMA device\n")
    );
    let listen = "inet   rc/tcp   0.0.0.0:7471 <- *   passive   56 bytes of private data\n";
    assert_eq!(
        on(&tree, &["--ports", "-p", "-4", ":7471"]).found(),
        format!("{listen}    device   any: no local address is known\n")
    );
}

#[test]
fn entries_have_their_device_in_json() {
    let device = |tree: &Tree, arguments: &[&str]| {
        let value = json(&on(tree, &[&["--json", "--ports"], arguments].concat()));
        assert_eq!(value["problems"], json!([]));
        value["entries"][0]["device"].clone()
    };
    let tree = loopback();
    assert_eq!(
        device(&tree, &["127.0.0.1"]),
        json!({"status": "found", "device": "rxe0", "port": 1, "gid_index": 1, "gid": "::ffff:127.0.0.1",
               "gid_type": "roce-v2", "netdev": "lo", "port_state": "active", "link_layer": "ethernet"})
    );
    assert_eq!(
        device(&tree, &["--src", "127.0.0.3", "127.0.0.1"]),
        json!({"status": "not-rdma", "message": "no usable GID for 127.0.0.3: it is not on an RDMA port"})
    );
    assert_eq!(
        device(&tree, &["--no-source", "127.0.0.1"]),
        json!({"status": "no-address", "message": "any: no local address is known"})
    );
    assert_eq!(device(&Tree::new(""), &["127.0.0.1"])["status"], "no-device");
    let asked_for_none = json(&run(&["--json", "127.0.0.1"]));
    assert_eq!((asked_for_none.get("problems"), asked_for_none["entries"][0].get("device")), (None, None));
}

#[test]
fn warnings_stand_below_the_entries() {
    let tree = loopback();
    tree.put("class/infiniband/rxe0/ports/2/state", "nonsense");
    let problem = "class/infiniband/rxe0/ports/2/state: it cannot be parsed";
    let warning = format!("the devices could not be read in full: {problem}");
    let out = on(&tree, &["--ports", "127.0.0.1"]).found();
    assert!(out.ends_with(&format!("netdev lo)\nwarning: {warning}\n")), "{out}");
    let value = json(&on(&tree, &["--ports", "--json", "127.0.0.1"]));
    assert_eq!(value["problems"], json!([problem]));
}

#[test]
fn findings_stand_below_their_entry() {
    let tree = loopback();
    let found = |arguments: &[&str]| {
        let run = on(&tree, arguments);
        (run.status, run.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
    };
    // Nothing is wrong.
    let device = "    device   rxe0 port 1 gid 1 (roce-v2, ::ffff:127.0.0.1, netdev lo)";
    assert_eq!(found(&["--check", "127.0.0.1"]), (0, vec![device.into()]));
    // An address that is not here: --ports says so, --check fails, and says how to see it.
    let (node, none) =
        ("192.0.2.254", "    device   no usable GID for 192.0.2.254: it is not on an RDMA port");
    let error = "    error: 192.0.2.254 is not an address of this host";
    let passive = |option: &str| found(&[option, "--passive", node]);
    assert_eq!(passive("--ports"), (0, vec![none.into(), error.into()]));
    let see = [
        format!("{error} (see: ip address show to 192.0.2.254)"),
        "    error: no usable GID for 192.0.2.254: it is not on an RDMA port (see: rdma link show)".into(),
    ];
    assert_eq!(passive("--check"), (1, [vec![none.into()], see.into()].concat()));
    let value = json(&on(&tree, &["--check", "--json", "--passive", node]));
    assert_eq!(
        value["entries"][0]["findings"][0],
        json!({"kind": "not-local", "fatal": true, "message": "192.0.2.254 is not an address of this host",
               "command": "ip address show to 192.0.2.254", "address": node})
    );
    assert_eq!(value["entries"][0]["route_netdev"], json!(null));
    tree.put("class/infiniband/rxe0/ports/1/state", "1: DOWN");
    let run = on(&tree, &["--check", "--src", "127.0.0.1", "--dst", "127.0.0.2", "-", "7471"]);
    assert!(
        run.out.ends_with("\n    error: rxe0 port 1 is down (see: rdma link show rxe0/1)\n"),
        "{}",
        run.out
    );
}
