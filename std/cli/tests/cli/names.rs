//! Names, with `/etc/hosts` and `/etc/services` of the tests.

use crate::common::{Machine, json, run};
use serde_json::{Value, json};

const HOSTS: &str = "127.0.0.1 localhost\n\
                     127.0.0.7 storage-7.example storage-7\n\
                     127.0.0.8 storage-7.example storage-7\n\
                     127.0.0.9 dual\n\
                     2001:db8::9 dual\n";
const SERVICES: &str = "storage 7471/tcp\nboot 69/udp\n";

#[test]
fn localhost_resolves_on_the_machine_as_it_is() {
    let out = run(&["-4", "localhost", "7471"]).found();
    assert_eq!(
        out.lines().next(),
        Some("inet   rc/tcp   127.0.0.1 -> 127.0.0.1:7471   no ibacm   56 bytes of private data")
    );
}

#[test]
fn all_addresses_of_a_name_or_the_first() {
    let Some(machine) = Machine::new("addresses", HOSTS, SERVICES) else {
        return;
    };
    let first = "inet   rc/tcp   127.0.0.1 -> 127.0.0.7:7471   no ibacm   56 bytes of private data\n";
    let second = "inet   rc/tcp   127.0.0.1 -> 127.0.0.8:7471   no ibacm   56 bytes of private data\n";
    assert_eq!(machine.run(&["storage-7:7471"]).found(), format!("{first}{second}"));
    assert_eq!(
        machine.run(&["storage-7", "storage", "--timeout", "none"]).found(),
        format!("{first}{second}")
    );
    assert_eq!(machine.run(&["storage-7", "7471", "--first"]).found(), first);
    let without_source = first.replace("127.0.0.1 ->", "* ->");
    assert_eq!(machine.run(&["storage-7", "7471", "--policy", "librdmacm"]).found(), without_source);
}

#[test]
fn the_canonical_name_is_told_once() {
    let Some(machine) = Machine::new("canonical", HOSTS, SERVICES) else {
        return;
    };
    assert_eq!(
        machine.run(&["--canonical", "--no-source", "storage-7", "7471"]).found(),
        "inet   rc/tcp   * -> 127.0.0.7:7471   no ibacm   56 bytes of private data\n    \
         name     storage-7.example\n\
         inet   rc/tcp   * -> 127.0.0.8:7471   no ibacm   56 bytes of private data\n"
    );
    let found = json(&machine.run(&["--json", "--canonical", "storage-7", "7471"]));
    for entry in found["entries"].as_array().expect("entries") {
        assert_eq!(
            (&entry["src_canonname"], &entry["dst_canonname"]),
            (&Value::Null, &json!("storage-7.example"))
        );
    }
    let found = json(&machine.run(&["--json", "--canonical", "-p", "storage-7", "7471"]));
    for entry in found["entries"].as_array().expect("entries") {
        assert_eq!(
            (&entry["src_canonname"], &entry["dst_canonname"]),
            (&json!("storage-7.example"), &Value::Null)
        );
    }
}

#[test]
fn the_family_constrains_a_name() {
    let Some(machine) = Machine::new("family", HOSTS, SERVICES) else {
        return;
    };
    assert_eq!(
        machine.run(&["-6", "--no-source", "dual:storage"]).found(),
        "inet6   rc/tcp   * -> [2001:db8::9]:7471   no ibacm   56 bytes of private data\n"
    );
    assert_eq!(
        machine.run(&["-4", "dual:storage"]).found(),
        "inet   rc/tcp   127.0.0.1 -> 127.0.0.9:7471   no ibacm   56 bytes of private data\n"
    );
    assert_eq!(
        machine.run(&["-6", "storage-7"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node 'storage-7': no address of the requested family: the name \
         has addresses \
         of other families only (node, byte 0); ask for another family, or leave it open\n  storage-7\n  ^\n"
    );
}

#[test]
fn a_service_name_tells_the_transport() {
    let Some(machine) = Machine::new("service", HOSTS, SERVICES) else {
        return;
    };
    assert_eq!(
        machine.run(&["127.0.0.1:boot"]).found(),
        "inet   ud/udp   127.0.0.1 -> 127.0.0.1:69   no ibacm   180 bytes of private data\n"
    );
    assert_eq!(
        machine.run(&["--qp-type", "rc", "127.0.0.1:boot"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '127.0.0.1' service 'boot': no such service; \
         check /etc/services and the QP type, or give the port by number\n"
    );
}

#[test]
fn names_that_are_not_known() {
    let Some(machine) = Machine::new("unknown", HOSTS, SERVICES) else {
        return;
    };
    assert_eq!(
        machine.run(&["nowhere", "7471"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node 'nowhere' service '7471': node or service not known; check \
         the spelling, \
         /etc/hosts and DNS\n"
    );
    let run = machine.run(&["--json", "--explain", "nowhere", "7471"]);
    assert_eq!(run.status, 1);
    let value = json(&run);
    assert_eq!((&value["error"]["kind"], &value["error"]["code"]), (&json!("NoName"), &json!(-2)));
    assert_eq!(
        value["steps"],
        json!([{
            "question": "look up node 'nowhere' (any family, tcp)", "answer": "node or service not known",
            "elapsed_us": 0,
        }])
    );
}

#[test]
fn the_steps_of_a_name() {
    let Some(machine) = Machine::new("steps", HOSTS, SERVICES) else {
        return;
    };
    let value = json(&machine.run(&["--json", "--explain", "storage-7", "7471"]));
    let step =
        |question: &str, answer: &str| json!({"question": question, "answer": answer, "elapsed_us": 0});
    assert_eq!(
        value["steps"],
        json!([
            step("look up node 'storage-7' (any family, tcp)", "127.0.0.7, 127.0.0.8"),
            step("route to 127.0.0.7:7471 (request: destination 127.0.0.7)", "no ibacm"),
            step("source for 127.0.0.7:7471", "127.0.0.1"),
            step("route to 127.0.0.8:7471 (request: destination 127.0.0.8)", "no ibacm"),
            step("source for 127.0.0.8:7471", "127.0.0.1"),
        ])
    );
}

#[test]
fn a_limit_of_zero_is_over_at_once_and_literals_keep_it() {
    let late = run(&["--json", "--timeout", "0ms", "localhost", "7471"]);
    assert_eq!(late.status, 1);
    let error = &json(&late)["error"];
    assert_eq!(
        (&error["kind"], &error["code"], &error["errno"]),
        (&json!("TimedOut"), &json!(-1), &json!(110))
    );
    assert_eq!(
        run(&["--timeout", "0ms", "127.0.0.1"]).found(),
        "inet   rc/tcp   127.0.0.1 -> 127.0.0.1   route timed-out   56 bytes of private data\n"
    );
}
