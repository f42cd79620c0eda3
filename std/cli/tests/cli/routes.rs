//! Routes, from an ibacm that answers every request in one way.

use crate::common::{json, run};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::{env, fs, process, thread};

/// A socket at which each request gets `status`, and a path and a source if that is 0.
pub(crate) struct Daemon(PathBuf);

impl Daemon {
    pub(crate) fn new(name: &str, status: u8) -> Self {
        let path = env::temp_dir().join(format!("rdma-getaddrinfo-{name}-{}.sock", process::id()));
        let _ = fs::remove_file(&path);
        let listener = UnixListener::bind(&path).expect("a socket");
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let mut buffer = [0; 1024];
                while let Ok(len @ 16..) = stream.read(&mut buffer) {
                    if stream.write_all(&reply(&buffer[..len], status)).is_err() {
                        break;
                    }
                }
            }
        });
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn reply(request: &[u8], status: u8) -> Vec<u8> {
    let mut reply = request[..16].to_vec();
    reply[2] = status;
    if status == 0 {
        let mut path = [0; 72];
        path[..4].copy_from_slice(&0x2b_u32.to_ne_bytes());
        path[4..6].copy_from_slice(&0x10_u16.to_ne_bytes());
        // ibv_path_record: GIDs, and behind the LIDs and the flow label the P_Key.
        (path[16], path[17], path[31]) = (0xfe, 0x80, 2);
        (path[32], path[33], path[47]) = (0xfe, 0x80, 1);
        path[58..60].fill(0xff);
        let mut source = [0; 72];
        source[..4].copy_from_slice(&1_u32.to_ne_bytes());
        source[4..6].copy_from_slice(&2_u16.to_ne_bytes());
        source[8..12].copy_from_slice(&[192, 0, 2, 9]);
        reply.extend(path.into_iter().chain(source));
    }
    let length = u16::try_from(reply.len()).expect("a length");
    reply[6..8].copy_from_slice(&length.to_ne_bytes());
    reply
}

/// There is a port file, and reading it fails (EIO): nothing is known of the daemon.
#[test]
fn a_daemon_that_could_not_be_asked_is_not_one_that_is_not_there() {
    let directory = env::temp_dir().join(format!("rdma-getaddrinfo-unreadable-{}", process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).expect("a directory");
    symlink("/proc/self/mem", directory.join("ibacm.port")).expect("a link");
    let ibacm = format!("{}/", directory.display());
    let reason = "could-not-ask: no descriptor or memory, or an unreadable port file";
    let human = run(&["--ibacm", &ibacm, "--explain", "192.0.2.7", "7471"]).found();
    assert!(human.contains(&format!("(request: destination 192.0.2.7): {reason}\n")), "{human}");
    assert!(human.contains(&format!("-> 192.0.2.7:7471   route {reason}   56 bytes")), "{human}");
    let found = json(&run(&["--ibacm", &ibacm, "--json", "192.0.2.7", "7471"]));
    assert_eq!(found["entries"][0]["route_status"], "could-not-ask");
    fs::remove_dir_all(&directory).expect("removed");
}

#[test]
fn a_route_is_shown_with_its_ib_entry() {
    let daemon = Daemon::new("found", 0);
    let out = run(&["--ibacm", daemon.path(), "--ib-entries", "always", "192.0.2.7", "7471"]).found();
    let path = "path     fe80::1 -> fe80::2 pkey 0xffff mtu 0x00 rate 0x00 sl 0 gmp|primary|outbound|inbound-reverse";
    let gap = " ".repeat(51);
    let back = " ".repeat(48);
    assert_eq!(
        out,
        format!(
            "inet   rc/tcp   192.0.2.9{gap} -> 192.0.2.7:7471 {back}1 path   56 bytes of private data\n    \
             {path}\n\
             ib     rc/tcp   ib:fe80::1/pkey=0xffff/sid=0x1060000/mask=0xffffffffffff0000 -> \
             ib:fe80::2/pkey=0xffff/sid=0x1061d2f/mask=0xffffffffffffffff   1 path   56 bytes of private data\n    \
             {path}\n    \
             connect  00400000000000000000000000000000c0000209000000000000000000000000c0000207\n"
        )
    );

    let out = run(&["--ibacm", daemon.path(), "--ib-entries", "never", "192.0.2.7", "7471"]).found();
    assert_eq!(
        out,
        format!(
            "inet   rc/tcp   192.0.2.9 -> 192.0.2.7:7471   1 path   56 bytes of private data\n    {path}\n"
        )
    );
}

#[test]
fn what_the_daemon_says_is_shown() {
    let daemon = Daemon::new("refused", 3);
    assert_eq!(
        run(&["--ibacm", daemon.path(), "--no-source", "192.0.2.7", "7471"]).found(),
        "inet   rc/tcp   * -> 192.0.2.7:7471   route refused: ENODATA   56 bytes of private data\n"
    );
    let value = json(&run(&["--json", "--explain", "--ibacm", daemon.path(), "--no-source", "192.0.2.7"]));
    let entry = &value["entries"][0];
    assert_eq!((&entry["route_status"], &entry["route_detail"]), (&json!("refused"), &json!("ENODATA")));
    assert_eq!(
        value["steps"],
        json!([{
            "question": "route to 192.0.2.7 (request: destination 192.0.2.7)", "answer": "ENODATA", "elapsed_us": 0
        }])
    );
}

#[test]
fn nobody_is_asked_where_ibacm_is_off() {
    let value = json(&run(&["--json", "--ibacm", "off", "192.0.2.7"]));
    assert_eq!(value["entries"][0]["route_status"], json!("unavailable"));
    assert_eq!(value["entries"][0].get("route_detail"), None::<&Value>);
    let out = run(&["--explain", "--ibacm", "off", "--no-source", "192.0.2.7"]).found();
    assert!(out.contains("\nibacm     off\n"), "{out}");
}
