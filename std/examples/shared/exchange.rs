//! What the client and the server say to each other once they are connected.
//!
//! Both print a hash of what was sent and of what has come; the client also compares them.

use super::endpoint::{Endpoint, Event, GLOBAL_HEADER, SENDS};
use super::memory::Memory;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::process;

/// Private data of the request, and of the answer, behind which the server says where it may be written to.
pub(crate) const FROM_CLIENT: &[u8] = b"client of rdma-addrinfo";
pub(crate) const FROM_SERVER: &[u8] = b"server of rdma-addrinfo";

const TOTAL: usize = 1 << 20;
/// A message of a connection, and of datagrams, which must fit the smallest transfer unit of Ethernet.
const MESSAGE: usize = TOTAL / 64;
const DATAGRAM: usize = 1024;
/// Two hashes.
const HASHES: usize = 16;

/// Receives that a side posts at most: every datagram, since a datagram that nobody waits for is lost.
pub(crate) const RECEIVES: u32 = (TOTAL / DATAGRAM) as u32;

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Bytes that are others in each process.
fn bytes(salt: u32) -> Box<[u8]> {
    let mut state = (u64::from(process::id()) << 32 | u64::from(salt) << 1) | 1;
    let mut bytes = vec![0; TOTAL].into_boxed_slice();
    for word in bytes.chunks_exact_mut(8) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        word.copy_from_slice(&state.to_be_bytes());
    }
    bytes
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// `'…'` without the zeros that the transport adds, if that is all there is behind `expected`.
pub(crate) fn greeting(told: &[u8], expected: &[u8]) -> io::Result<String> {
    let rest = told.strip_prefix(expected).ok_or_else(|| wrong("not the private data of an example"))?;
    if rest.iter().any(|byte| *byte != 0) {
        return Err(wrong("more private data than the example sends"));
    }
    Ok(format!("'{}'", expected.escape_ascii()))
}

/// The client's side.
pub(crate) fn offer(endpoint: &Endpoint) -> io::Result<()> {
    let (first, second) = (bytes(1), bytes(2));
    let sent = [hash(&first), hash(&second)];
    let (message, written) = (Memory::new(endpoint, first)?, Memory::new(endpoint, second)?);
    let answer = Memory::zeros(endpoint, GLOBAL_HEADER + HASHES)?;
    endpoint.receive(&answer, 0..answer.len())?;

    let event = endpoint.connect(FROM_CLIENT)?;
    println!("connected  {}", endpoint.location());
    let (window, told) = event.private_data.split_at_checked(12).ok_or_else(|| wrong("no window"))?;
    println!("answered   {}", greeting(told, FROM_SERVER)?);

    let is_datagram = endpoint.is_datagram();
    let remote = if is_datagram { Some(endpoint.remote(&event)?) } else { None };
    let size = if is_datagram { DATAGRAM } else { MESSAGE };
    for (sent, start) in (0..TOTAL).step_by(size).enumerate() {
        // No more under way than there is room for.
        if sent >= SENDS as usize {
            endpoint.sent()?;
        }
        endpoint.send(&message, start..start + size, remote.as_ref())?;
    }
    for _ in 0..SENDS.min((TOTAL / size) as u32) {
        endpoint.sent()?;
    }
    println!("sent       {TOTAL} bytes, hash {:016x}", sent[0]);

    let mut expected = sent[0].to_be_bytes().to_vec();
    if !is_datagram {
        let (address, key) = window.split_at(8);
        let address = u64::from_be_bytes(address.try_into().expect("8 of 12 bytes"));
        let key = u32::from_be_bytes(key.try_into().expect("4 of 12 bytes"));
        endpoint.write(&written, address, key)?;
        endpoint.sent()?;
        println!("written    {TOTAL} bytes, hash {:016x}", sent[1]);
        expected.extend(sent[1].to_be_bytes());
        // The server cannot see a write: this comes behind it.
        let done = Memory::new(endpoint, expected.clone().into())?;
        endpoint.send(&done, 0..HASHES, None)?;
        endpoint.sent()?;
    }

    let completion = endpoint.received()?;
    let header = if is_datagram { GLOBAL_HEADER } else { 0 };
    let told = answer.read(header..completion.length())?;
    if told != expected {
        return Err(wrong("the server has other bytes than were sent"));
    }
    println!("confirmed  by the server");
    if is_datagram {
        return Ok(());
    }
    // Until the server knows it: nobody repeats what is lost of an endpoint that is gone.
    endpoint.disconnect()?;
    endpoint.wait_for_the_end()
}

/// The server's side.
pub(crate) fn take(endpoint: &Endpoint, request: &Event) -> io::Result<()> {
    println!("asked      {}", greeting(&request.private_data, FROM_CLIENT)?);
    let is_datagram = endpoint.is_datagram();
    let size = if is_datagram { GLOBAL_HEADER + DATAGRAM } else { MESSAGE };
    let header = if is_datagram { GLOBAL_HEADER } else { 0 };
    let count = TOTAL / (size - header);
    let message = Memory::zeros(endpoint, count * size)?;
    let window = Memory::zeros(endpoint, TOTAL)?;
    let done = Memory::zeros(endpoint, HASHES)?;
    for start in (0..message.len()).step_by(size) {
        endpoint.receive(&message, start..start + size)?;
    }
    if !is_datagram {
        endpoint.receive(&done, 0..HASHES)?;
    }

    let (address, key) = window.window();
    let answer = [&address.to_be_bytes()[..], &key.to_be_bytes(), FROM_SERVER].concat();
    endpoint.accept(&answer)?;
    println!("accepted   {}", endpoint.location());

    let mut came = Vec::with_capacity(TOTAL);
    let mut remote = None;
    for start in (0..message.len()).step_by(size) {
        let mut completion = endpoint.received()?;
        if completion.length() != size {
            return Err(wrong("a message of another length"));
        }
        came.extend(message.read(start + header..start + size)?);
        if is_datagram && remote.is_none() {
            remote = Some(endpoint.sender(&mut completion, &message)?);
        }
    }
    let mut told = hash(&came).to_be_bytes().to_vec();
    println!("received   {} bytes, hash {:016x}", came.len(), hash(&came));

    if !is_datagram {
        endpoint.received()?;
        let written = window.read(0..TOTAL)?;
        println!("written    {} bytes, hash {:016x}", written.len(), hash(&written));
        told.extend(hash(&written).to_be_bytes());
        if done.read(0..HASHES)? != told {
            return Err(wrong("other bytes than the client has sent"));
        }
    }
    let told = Memory::new(endpoint, told.into())?;
    endpoint.send(&told, 0..told.len(), remote.as_ref())?;
    // Who has the answer hangs up, perhaps before it confirms that it came: the send may never be done.
    if is_datagram { endpoint.sent() } else { endpoint.wait_for_the_end() }
}
