//! Messages of ibacm, made without the library; what a request must be is worked out from the question alone.

use super::script::Route;
use rdma_addrinfo_core::acm::Reply;

/// The transaction id of all requests.
pub(super) const ID: u64 = 0x0123_4567_89ab_cdef;

/// The request for a route: source, destination, path.
pub(super) fn request(route: &Route) -> Vec<u8> {
    let mut entries = Vec::new();
    if let Some((kind, address)) = ip(&route.source) {
        entries.push(entry(1, kind, address));
    }
    if let Some((kind, address)) = ip(&route.destination) {
        let no_delay = if route.no_delay { 1 << 30 } else { 0 };
        entries.push(entry(2 | no_delay, kind, address));
    }
    let gid = |address: &[u8]| (address.len() == 48).then(|| address[8..24].to_vec());
    let (sgid, dgid) = (gid(&route.source), gid(&route.destination));
    if !route.hint.is_empty() || sgid.is_some() || dgid.is_some() {
        let mut record = match route.hint.len() {
            0 => vec![0; 64],
            len if len % 72 == 0 => route.hint[8..72].to_vec(),
            _ => route.hint[..64].to_vec(),
        };
        record.splice(8..24, dgid.unwrap_or(record[8..24].to_vec()));
        record.splice(24..40, sgid.unwrap_or(record[24..40].to_vec()));
        entries.push(entry(0, 0x10, &record));
    }
    message(0, &entries)
}

/// The valid reply with this status and these entries.
pub(super) fn reply(status: u8, entries: &[[u8; 72]]) -> Reply {
    Reply::from_bytes(&message(status, entries), ID).expect("a valid reply")
}

fn message(status: u8, entries: &[[u8; 72]]) -> Vec<u8> {
    let length = u16::try_from(16 + 72 * entries.len()).expect("a short message");
    let mut bytes = vec![1, 1, status, 0, 0, 0];
    bytes.extend(length.to_ne_bytes());
    bytes.extend(ID.to_ne_bytes());
    bytes.extend(entries.concat());
    bytes
}

pub(super) fn entry(flags: u32, kind: u16, info: &[u8]) -> [u8; 72] {
    let mut bytes = [0; 72];
    bytes[..4].copy_from_slice(&flags.to_ne_bytes());
    bytes[4..6].copy_from_slice(&kind.to_ne_bytes());
    bytes[8..8 + info.len()].copy_from_slice(info);
    bytes
}

/// Type and bytes of the IP address in a socket address.
fn ip(address: &[u8]) -> Option<(u16, &[u8])> {
    match address.len() {
        16 => Some((2, &address[4..8])),
        28 => Some((3, &address[8..24])),
        _ => None,
    }
}

/// The entry of a source.
pub(super) fn source(address: &str) -> [u8; 72] {
    let address = super::whole::ip(&format!("{address}:0"));
    let (kind, address) = ip(&address).expect("an IP address");
    entry(1, kind, address)
}

/// A path from GID `fe80::1:n` to `fe80::2:n`: P_Key 0xfff0 + n, flow label 0xa000 + n under four reserved bits.
pub(super) fn path_record(n: u8) -> [u8; 64] {
    let mut record = [0; 64];
    record[8..10].copy_from_slice(&[0xfe, 0x80]);
    record[21] = 2;
    record[23] = n;
    record[24..26].copy_from_slice(&[0xfe, 0x80]);
    record[37] = 1;
    record[39] = n;
    record[40..44].copy_from_slice(&[0, 0x20 + n, 0, 0x10 + n]);
    record[44..48].copy_from_slice(&[0x30, 0xa0, n, 64]);
    record[50..52].copy_from_slice(&[0xff, 0xf0 + n]);
    record[58..64].copy_from_slice(&[1, 2, 3, 4, 5, 6]);
    record
}

/// The entry of a path in a reply, and the `ibv_path_data` that it should become.
pub(super) fn path(n: u8) -> ([u8; 72], [u8; 72]) {
    let data = entry(0x2b, 0, &path_record(n));
    let mut entry = entry(0x2b, 0x10, &path_record(n));
    entry[6..8].copy_from_slice(&[0xee, 0xee]); // reserved
    (entry, data)
}
