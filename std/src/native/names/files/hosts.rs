//! hosts(5), as glibc reads it.

use super::table::{Table, words};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Which addresses are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Both,
    V4,
    V6,
}

/// The file by its names: all words but the first of a line.
pub(super) fn index(text: Vec<u8>, goes_on: impl Fn() -> bool) -> Option<Table> {
    Table::new(text, |number| number == 0, goes_on)
}

/// A line of the file that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Host<'t> {
    pub(super) address: IpAddr,
    /// The first name of the line.
    pub(super) name: &'t [u8],
}

/// The hosts of that name, in the order of the file. Without `multi on` in host.conf(5), the first alone counts.
pub(super) fn find<'t>(table: &'t Table, name: &[u8], wanted: Wanted) -> impl Iterator<Item = Host<'t>> {
    table.lines(name, <[u8]>::eq_ignore_ascii_case).filter_map(move |line| host(line, wanted))
}

fn host(line: &[u8], wanted: Wanted) -> Option<Host<'_>> {
    let mut words = words(line).filter_map(|word| line.get(word));
    let address = address(words.next()?, wanted)?;
    Some(Host { address, name: words.next()? })
}

/// The address that a line has for who wants these, which is none where it is of another family or wrong.
fn address(text: &[u8], wanted: Wanted) -> Option<IpAddr> {
    let text = str::from_utf8(text).ok()?;
    if let Ok(v4) = text.parse::<Ipv4Addr>() {
        return (wanted != Wanted::V6).then_some(v4.into());
    }
    let v6: Ipv6Addr = text.parse().ok()?;
    match wanted {
        Wanted::Both | Wanted::V6 => Some(v6.into()),
        Wanted::V4 if v6.is_loopback() => Some(Ipv4Addr::LOCALHOST.into()),
        Wanted::V4 => v6.to_ipv4_mapped().map(IpAddr::from),
    }
}
