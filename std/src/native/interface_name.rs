//! [`InterfaceName`]: the name of an interface, checked.

use super::interfaces::interface_index;
use rdma_addrinfo_core::{Error, ErrorKind, Location, Reason};
use std::fmt;
use std::str::FromStr;

/// The longest name of an interface, in bytes: that of an alternative one.
const LONGEST: usize = 127;

/// A name of a network interface, such as `eth0` or an alternative one, in place so that an option can be copied.
///
/// ```
/// use rdma_addrinfo::{ErrorKind, InterfaceName};
///
/// let name: InterfaceName = "lo".parse()?;
/// assert_eq!(name.as_str(), "lo");
/// assert_eq!(name.index()?, Some(1));
/// assert_eq!("eth0/1".parse::<InterfaceName>().unwrap_err().kind(), ErrorKind::Invalid);
/// # Ok::<(), rdma_addrinfo::CoreError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct InterfaceName {
    // Invariant: the first `len` bytes are UTF-8.
    len: u8,
    bytes: [u8; LONGEST],
}

impl InterfaceName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len.into()).unwrap_or_default();
        str::from_utf8(bytes).unwrap_or_default()
    }

    /// The index of the interface; `None` if there is none of this name in this thread's network namespace.
    ///
    /// # Errors
    /// [`ErrorKind::System`] where the system cannot be asked, such as when no descriptor is left.
    #[doc(alias = "if_nametoindex")]
    pub fn index(&self) -> Result<Option<u32>, Error> {
        interface_index(self.as_str().as_bytes())
    }
}

impl FromStr for InterfaceName {
    type Err = Error;

    /// Takes what the kernel takes for a name: 1 to 127 bytes, not `.` or `..`, without `/`, `:`, white space and NUL.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refused =
            |reason, offset| Err(Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(offset)));
        let wrong = |byte: u8| matches!(byte, b'/' | b':' | 0 | 0x0b) || byte.is_ascii_whitespace();
        if let Some(offset) = text.bytes().position(wrong) {
            return refused(Reason::ZoneName, offset);
        }
        let mut bytes = [0; LONGEST];
        match (u8::try_from(text.len()), bytes.get_mut(..text.len())) {
            (Ok(0), _) => refused(Reason::Empty, 0),
            (Ok(len), Some(buffer)) if text != "." && text != ".." => {
                buffer.copy_from_slice(text.as_bytes());
                Ok(Self { len, bytes })
            }
            (_, Some(_)) => refused(Reason::ZoneName, 0),
            (_, None) => refused(Reason::ZoneTooLong, 0),
        }
    }
}

impl fmt::Display for InterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for InterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_takes_is_a_name() {
        let longest = "x".repeat(127);
        for name in ["lo", "eth0", "ib0.8001", "veth@1", "sixteen-bytes-xy", "ä", "...", "%1", &longest] {
            assert_eq!(name.parse::<InterfaceName>().map(|name| name.to_string()), Ok(name.into()));
        }
        let [long, longer] = [128, 256].map(|length| "x".repeat(length));
        for (name, reason, offset) in [
            ("", Reason::Empty, 0),
            (".", Reason::ZoneName, 0),
            ("..", Reason::ZoneName, 0),
            (&long, Reason::ZoneTooLong, 0),
            (&longer, Reason::ZoneTooLong, 0),
            ("eth0:1", Reason::ZoneName, 4),
            ("a/b", Reason::ZoneName, 1),
            ("a b", Reason::ZoneName, 1),
            ("\t", Reason::ZoneName, 0),
            ("a\x0b", Reason::ZoneName, 1),
            ("a\0", Reason::ZoneName, 1),
        ] {
            let error = name.parse::<InterfaceName>().unwrap_err();
            assert_eq!((error.kind(), error.reason()), (ErrorKind::Invalid, reason), "{name:?}");
            assert_eq!(error.location(), Location::Text(offset), "{name:?}");
        }
    }

    #[test]
    fn an_index_is_that_of_the_interface() {
        let index = |name: &str| name.parse::<InterfaceName>().unwrap().index();
        assert_eq!(index("lo"), Ok(Some(1)));
        assert_eq!(index("no-such-netdev"), Ok(None));
        assert_eq!(index("no-such-alternative-name"), Ok(None));
    }
}
