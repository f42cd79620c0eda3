//! JSON output: the exact object for literals. No test needs a network.

use crate::common::{json, run};
use serde_json::{Value, json};

/// Zero bytes in hex.
fn zeros(bytes: usize) -> String {
    "00".repeat(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `sockaddr_in`: family in native order, port, address, zeros.
fn inet(address: &str, octets: [u8; 4], port: u16) -> Value {
    let bytes = hex(&2_u16.to_ne_bytes()) + &hex(&port.to_be_bytes()) + &hex(&octets) + &zeros(8);
    json!({"family": "inet", "address": address, "port": port, "scope_id": 0, "bytes": bytes})
}

/// `sockaddr_in6`: family in native order, port, flow, address, scope in native order.
fn inet6(address: &str, octets: [u8; 16], port: u16, scope: u32) -> Value {
    let head = hex(&10_u16.to_ne_bytes()) + &hex(&port.to_be_bytes()) + &zeros(4);
    let bytes = head + &hex(&octets) + &hex(&scope.to_ne_bytes());
    json!({"family": "inet6", "address": address, "port": port, "scope_id": scope, "bytes": bytes})
}

fn entry(family: &str, src: Value, dst: Value) -> Value {
    json!({
        "flags": [], "family": family, "qp_type": "rc", "port_space": "tcp", "src": src, "dst": dst,
        "src_canonname": null, "dst_canonname": null, "route": [],
        "route_status": "unavailable", "connect_data": "",
        "user_private_data": 56, "needs_scope": false,
    })
}

fn answer(node: Value, service: Value, entries: &[Value]) -> Value {
    json!({
        "version": 1, "node": node, "service": service, "backend": "native", "elapsed_us": 0, "truncated": false,
        "entries": entries,
    })
}

#[track_caller]
fn found(arguments: &[&str]) -> Value {
    let run = run(arguments);
    assert_eq!(run.status, 0, "{run:?}");
    json(&run)
}

#[track_caller]
fn error(arguments: &[&str]) -> Value {
    let run = run(arguments);
    // Where nothing is asked for, the command line is wrong.
    let status = if run.out.contains("give a node, a service") { 2 } else { 1 };
    assert_eq!(run.status, status, "{run:?}");
    json(&run)
}

#[test]
fn the_keys_stand_in_the_order_of_the_schema() {
    let out = run(&["--json", "--no-source", "192.0.2.7", "7471"]).found();
    let (head, tail) = out.split_once("\"elapsed_us\":").expect("a time");
    let (_, tail) = tail.split_once(',').expect("more behind it");
    assert_eq!(head, r#"{"version":1,"node":"192.0.2.7","service":"7471","backend":"native","#);
    let expected = concat!(
        r#""truncated":false,"entries":[{"flags":[],"family":"inet","qp_type":"rc","port_space":"tcp","#,
        r#""src":null,"dst":{"family":"inet","address":"192.0.2.7","port":7471,"scope_id":0,"#,
        r#""bytes":"FAM1d2fc00002070000000000000000"},"src_canonname":null,"dst_canonname":null,"#,
        r#""route":[],"route_status":"unavailable","connect_data":"","user_private_data":56,"needs_scope":false}]}"#,
        "\n"
    );
    assert_eq!(tail, expected.replace("FAM", &hex(&2_u16.to_ne_bytes())));
}

#[test]
fn a_literal_with_the_source_that_the_kernel_would_take() {
    let expected =
        entry("inet", inet("127.0.0.1", [127, 0, 0, 1], 0), inet("127.0.0.1", [127, 0, 0, 1], 7471));
    assert_eq!(found(&["--json", "127.0.0.1:7471"]), answer("127.0.0.1".into(), "7471".into(), &[expected]));
}

#[test]
fn an_ipv6_literal_with_a_zone() {
    let mut octets = [0; 16];
    (octets[0], octets[1], octets[15]) = (0xfe, 0x80, 1);
    assert_eq!(
        found(&["--json", "--no-source", "fe80::1%3", "7471"]),
        answer(
            "fe80::1%3".into(),
            "7471".into(),
            &[entry("inet6", Value::Null, inet6("fe80::1", octets, 7471, 3))]
        )
    );
    let without = found(&["--json", "--no-source", "fe80::1", "7471"]);
    assert_eq!(without["entries"][0]["needs_scope"], true);
}

#[test]
fn a_service_alone_for_the_passive_side() {
    let listen = |family: &str, src: Value| {
        let mut entry = entry(family, src, Value::Null);
        entry["flags"] = json!(["passive"]);
        entry["route_status"] = "not-asked".into();
        entry
    };
    let entries =
        [listen("inet6", inet6("::", [0; 16], 7471, 0)), listen("inet", inet("0.0.0.0", [0; 4], 7471))];
    assert_eq!(found(&["--json", "--passive", ":7471"]), answer(Value::Null, "7471".into(), &entries));
    assert_eq!(found(&["--json", "--passive", "-", "7471"]), answer(Value::Null, "7471".into(), &entries));
}

#[test]
fn a_gid() {
    let family = hex(&27_u16.to_ne_bytes());
    let mut octets = [0; 16];
    (octets[0], octets[1], octets[15]) = (0xfe, 0x80, 1);
    let gid = json!({
        "family": "ib", "address": "fe80::1", "port": 7471, "scope_id": 0, "pkey": 65535, "flow_info": 0,
        "service_id": "0x0000000001061d2f", "service_id_mask": "0xffffffffffffffff",
        "bytes": format!("{family}ffff00000000{}0000000001061d2fffffffffffffffff{}", hex(&octets), zeros(8)),
    });
    let mut expected = entry("ib", Value::Null, gid);
    expected["user_private_data"] = 92.into();
    assert_eq!(
        found(&["--json", "--ib", "[fe80::1]:7471"]),
        answer("fe80::1".into(), "7471".into(), &[expected])
    );
}

#[test]
fn every_field_of_a_path() {
    let mut gid = [0; 16];
    (gid[0], gid[1], gid[15]) = (0xfe, 0x80, 0x12);
    let mut from = gid;
    from[15] = 0x11;
    let record = [
        &0x0102_0304_0506_0708_u64.to_be_bytes()[..],
        &gid,
        &from,
        &[0, 0x26],
        &[0, 0x03],
        &[0x0a, 0xbc, 0xde, 64],
        &[0x70],
        &[0x85],
        &[0x7f, 0xff],
        &[0x12, 0x37],
        &[0x84, 0xc0, 0x52, 9],
        &[0; 6],
    ]
    .concat();
    let bytes = hex(&0x8000_0003_u32.to_ne_bytes()) + &zeros(4) + &hex(&record);
    let found = found(&["--json", "--hints", &format!("route={bytes}")]);
    assert_eq!(found["entries"][0]["route_status"], "found");
    assert_eq!(
        found["entries"][0]["route"],
        json!([{
            "flags": ["gmp", "primary", "0x80000000"], "service_id": "0x0102030405060708",
            "sgid": "fe80::11", "dgid": "fe80::12", "slid": 3, "dlid": 38,
            "flow_label": 0xabcde, "hop_limit": 64, "traffic_class": 0x70, "reversible": true, "num_paths": 5,
            "pkey": 0x7fff, "qos_class": 0x123, "service_level": 7,
            "mtu_selector": "exactly", "mtu_bytes": 2048,
            "rate_selector": "best", "rate_mbit_per_s": null,
            "packet_life_time_selector": "less-than", "packet_life_time_us": 1_073_741.824,
            "preference": 9, "bytes": bytes,
        }])
    );
}

#[test]
fn values_without_a_name_are_numbers_as_text() {
    let found = found(&["--json", "--policy", "librdmacm", "--hints", "flags=0x41,family=5,qp=77,ps=0x1234"]);
    let mut expected = entry("5", Value::Null, Value::Null);
    expected["flags"] = json!(["passive", "0x40"]);
    (expected["qp_type"], expected["port_space"]) = ("77".into(), "4660".into());
    (expected["route_status"], expected["user_private_data"]) = ("not-asked".into(), Value::Null);
    assert_eq!(found, answer(Value::Null, Value::Null, &[expected]));
}

#[test]
fn errors_are_objects_on_standard_output() {
    assert_eq!(
        error(&["--json", "192.0.2.256", "7471"]),
        json!({"version": 1, "error": {
            "kind": "NoName", "code": -2, "node": "192.0.2.256", "service": "7471",
            "message": "cannot resolve node '192.0.2.256' service '7471': node or service not known: \
                        a part of the IPv4 address is above 255 (node, byte 8)",
        }})
    );
    for (arguments, kind, code, errno) in [
        (&["::1", "--hints", "family=inet"][..], "AddrFamily", -9, None),
        (&["::1", "--hints", "flags=0x40"], "BadFlags", -1, None),
        (&["::1", "--hints", "family=5"], "Family", -6, None),
        (&["::1", "1", "--qp-type", "ud", "--port-space", "tcp"], "QpType", -7, None),
        (&["::1", "65536"], "Service", -8, None),
        (&["storage-7", "-n"], "NoName", -2, None),
        (&[], "NoName", -2, None),
        (&["--policy", "librdmacm"], "Invalid", -1, Some(22)),
        (&["::1", "--hints", "route=00"], "Invalid", -1, Some(22)),
        (&["::1", "--sa"], "NotSupported", -1, Some(95)),
        (&["--sa"], "Invalid", -1, Some(22)),
    ] {
        let value = error(&[&["--json"], arguments].concat());
        let error = &value["error"];
        assert_eq!(
            (error["kind"].as_str(), error["code"].as_i64()),
            (Some(kind), Some(code)),
            "{arguments:?}"
        );
        assert_eq!(error.get("errno").and_then(Value::as_i64), errno, "{arguments:?}");
    }
}

#[test]
fn the_explanation_is_an_array_of_steps() {
    let mut expected = answer(
        "127.0.0.1".into(),
        "1".into(),
        &[entry("inet", inet("127.0.0.1", [127, 0, 0, 1], 0), inet("127.0.0.1", [127, 0, 0, 1], 1))],
    );
    expected["steps"] = json!([
        {"question": "route to 127.0.0.1:1 (request: destination 127.0.0.1)", "answer": "no ibacm", "elapsed_us": 0},
        {"question": "source for 127.0.0.1:1", "answer": "127.0.0.1", "elapsed_us": 0},
    ]);
    assert_eq!(found(&["--json", "--explain", "127.0.0.1", "1"]), expected);
    // An error before the first step.
    assert_eq!(error(&["--json", "--explain", "127.1"])["steps"], json!([]));
}
