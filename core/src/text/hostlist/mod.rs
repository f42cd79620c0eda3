//! Lists of hosts as clusters write them: `node[01-64,70-90/2],rack[1-4]-n[01-16],login1`.
//!
//! A list is checked as a whole, and its hosts are counted, before the first of them is written; then they are made
//! one by one, in the order of the text. Nothing is kept but where in the text the next one is, so that a range of
//! billions takes as much memory as a range of two.
//!
//! ```
//! use rdma_addrinfo_core::text::hostlist::HostList;
//!
//! let list = HostList::parse(b"node[08-12/2],login1")?;
//! assert_eq!(list.count(), Some(4));
//! let hosts: Vec<String> = list.hosts().map(|host| host.to_string()).collect();
//! assert_eq!(hosts, ["node08", "node10", "node12", "login1"]);
//!
//! let refused = HostList::parse(b"node[3-1]").unwrap_err();
//! assert_eq!(refused.to_string(), "invalid argument: the end of the range is below its start (byte 7)");
//! # Ok::<(), rdma_addrinfo_core::Error>(())
//! ```

mod host;
mod item;
mod range;

pub use host::Host;

use crate::error::{Error, ErrorKind, Location, Reason};
use core::fmt;
use core::iter::FusedIterator;
use item::Item;

/// Why a text is refused, and how much of it is left from there on.
type Fault = (Reason, usize);

/// A list of hosts that has been checked.
///
/// Hosts are separated by commas. A host is any text without white space and control characters, with up to
/// [`MAX_BRACKETS`](Self::MAX_BRACKETS) brackets in it. Brackets hold decimal numbers and ranges of them, separated by
/// commas: `[3]`, `[1-64]`, `[0-62/2]` for every second one. The host stands for all combinations; the numbers in the
/// last brackets change fastest. A number that begins with a zero tells the width of all numbers of its range:
/// `[08-10]` is 08, 09, 10. Numbers are 18446744073709551615 at most.
///
/// The order is that of the text, and what is there twice comes twice. Whether a host can be a node is for
/// [`node`](super::node()) to say. `^`, `!` and `@` have no meaning here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HostList<'a> {
    text: &'a [u8],
    count: Option<u64>,
}

impl<'a> HostList<'a> {
    /// How many brackets a host may have.
    pub const MAX_BRACKETS: usize = item::MAX_BRACKETS;

    /// Checks a list, in one pass.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the reason and the byte offset of what is wrong ([`Location::Text`]). An offset at
    /// the end of the text means that something is missing there.
    pub fn parse(text: &'a [u8]) -> Result<Self, Error> {
        let mut count = Some(0_u64);
        let mut rest = Some(text);
        while let Some(left) = rest {
            let (item, next) = Item::read(left).map_err(|(reason, left)| {
                let offset = text.len().saturating_sub(left);
                Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(offset))
            })?;
            count = count.zip(item.count()).and_then(|(count, more)| count.checked_add(more));
            rest = next;
        }
        Ok(Self { text, count })
    }

    /// The number of hosts; `None` if it is above [`u64::MAX`].
    #[must_use]
    pub const fn count(&self) -> Option<u64> {
        self.count
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The hosts, one by one.
    #[must_use]
    pub const fn hosts(&self) -> Hosts<'a> {
        Hosts { item: None, rest: Some(self.text) }
    }
}

impl<'a> IntoIterator for HostList<'a> {
    type Item = Host<'a>;
    type IntoIter = Hosts<'a>;

    fn into_iter(self) -> Hosts<'a> {
        self.hosts()
    }
}

/// The hosts of a [`HostList`], in its order. Each takes as long as its own text.
#[derive(Clone)]
pub struct Hosts<'a> {
    /// What is being expanded; it stands at the next host.
    item: Option<Item<'a>>,
    /// The items behind it.
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Hosts<'a> {
    type Item = Host<'a>;

    fn next(&mut self) -> Option<Host<'a>> {
        let mut item = match self.item.take() {
            Some(item) => item,
            None => {
                // The text has been checked.
                let (item, rest) = Item::read(self.rest.take()?).ok()?;
                self.rest = rest;
                item
            }
        };
        let host = item.host();
        self.item = item.advance().then_some(item);
        Some(host)
    }
}

impl FusedIterator for Hosts<'_> {}

impl fmt::Debug for Hosts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hosts").finish_non_exhaustive()
    }
}
