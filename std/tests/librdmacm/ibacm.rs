//! A scripted ibacm: it says what it is told to, and keeps what it was asked.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
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
    request: Option<Vec<u8>>,
}

impl Ibacm {
    /// Starts it, in a world.
    pub(super) fn start() -> Self {
        let daemon = Self(Arc::default());
        let script = Arc::clone(&daemon.0);
        let listener = UnixListener::bind("/run/ibacm.sock").unwrap();
        thread::spawn(move || {
            let mut room = [0; 1024];
            // One after the other: the library keeps its one connection.
            for caller in listener.incoming() {
                let mut caller = caller.unwrap();
                while let Ok(length @ 16..) = caller.read(&mut room) {
                    let mut script = script.lock().unwrap();
                    // The library's is zero, as in the rows; ours is another one in each request.
                    let id = room[ID].to_vec();
                    room[ID].fill(0);
                    assert_eq!(script.request.replace(room[..length].to_vec()), None, "asked once");
                    script.reply[ID].copy_from_slice(&id);
                    caller.write_all(&script.reply).unwrap();
                }
            }
        });
        daemon
    }

    /// Sets what is replied.
    pub(super) fn reply(&self, reply: Vec<u8>) {
        self.0.lock().unwrap().reply = reply;
    }

    /// What was asked since the last time.
    pub(super) fn take_request(&self) -> Option<Vec<u8>> {
        self.0.lock().unwrap().request.take()
    }
}
