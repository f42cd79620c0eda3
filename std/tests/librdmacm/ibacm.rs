//! A scripted ibacm: it says what it is told to, and keeps what it was asked.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Where the transaction id is in a message.
const ID: std::ops::Range<usize> = 8..16;

/// A running daemon on the socket where librdmacm looks for one; it ends with its process.
#[derive(Clone, Debug)]
pub(super) struct Ibacm(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    reply: Vec<u8>,
    /// What was asked; not kept where it is no matter.
    request: Option<Vec<u8>>,
    is_careless: bool,
}

impl Ibacm {
    /// Starts it, in a world.
    pub(super) fn start() -> Self {
        let daemon = Self(Arc::default());
        let script = Arc::clone(&daemon.0);
        let listener = UnixListener::bind("/run/ibacm.sock").unwrap();
        thread::spawn(move || {
            // One caller after the other, each on a connection that it keeps; librdmacm has but one.
            for caller in listener.incoming() {
                converse(&script, caller.unwrap());
            }
        });
        daemon
    }

    /// Sets what is replied, with the transaction id of the request.
    pub(super) fn reply(&self, reply: Vec<u8>) {
        self.0.lock().unwrap().reply = reply;
    }

    /// Sets what is replied to whatever is asked.
    #[allow(dead_code, reason = "not for every test program")]
    pub(super) fn reply_to_all(&self, reply: Vec<u8>) {
        *self.0.lock().unwrap() = Script { reply, request: None, is_careless: true };
    }

    /// Has every request answered by a path of sevens.
    #[allow(dead_code, reason = "not for every test program")]
    pub(super) fn reply_a_path_to_all(&self) {
        let mut reply = vec![1, 0x81, 0, 0, 0, 0, 88, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        reply.extend([0x2b, 0, 0, 0, 0x10, 0, 0, 0]);
        reply.extend([7; 64]);
        self.reply_to_all(reply);
    }

    /// What was asked since the last time, without the transaction id.
    pub(super) fn take_request(&self) -> Option<Vec<u8>> {
        self.0.lock().unwrap().request.take()
    }
}

fn converse(script: &Mutex<Script>, mut caller: UnixStream) {
    let mut room = [0; 1024];
    while let Ok(length @ 1..) = caller.read(&mut room) {
        let mut script = script.lock().unwrap();
        let mut request = room[..length].to_vec();
        let mut reply = script.reply.clone();
        let is_numbered = request[ID] != [0; 8];
        reply[ID].copy_from_slice(&request[ID]);
        request[ID].fill(0);
        let before = script.request.replace(request.clone());
        // The same may be asked again: on a new connection, where a kept one gave no good reply.
        assert!(script.is_careless || before.is_none_or(|before| before == request), "asked one thing");
        // A caller without a descriptor left hangs up instead of waiting.
        if caller.write_all(&reply).is_err() {
            return;
        }
        // Who numbers requests waits for the rest of a reply that says that it is longer; librdmacm, which does not,
        // would never come back.
        let said = usize::from(u16::from_ne_bytes([reply[6], reply[7]]));
        if is_numbered && said > reply.len() {
            return;
        }
    }
}
