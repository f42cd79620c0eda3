//! Hints as text: `passive,family=inet6,qp=rc,ps=tcp,src=192.0.2.9`.

use super::Hints;
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::hints::Transport;
use crate::sockaddr::{SockAddrBuf, cut};
use crate::text::{self, Line};
use crate::types::{Family, Flags, PortSpace, QpType};
use core::ffi::c_int;
use core::fmt::{self, Write};
use core::str::FromStr;

impl<'a> Hints<'a> {
    /// Reads hints as [`Display`](fmt::Display) writes them: words with commas between, in any order, each at
    /// most once.
    ///
    /// - `passive`, `numeric-host`, `no-route`, `family`, `sa`, `dns`, `route-only`: the flags;
    ///   `flags=N` adds others by number;
    /// - `family=inet|inet6|ib`, `qp=rc|uc|ud|…`, `ps=tcp|udp|ib|ipoib`, or a number;
    /// - `src=ADDRESS`, `dst=ADDRESS`, in the forms of [`SockAddrBuf`];
    /// - `route=HEX`, which needs the memory of [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the offset of what is wrong.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_with(text, &mut [])
    }

    /// Like [`parse`](Self::parse), with memory for the bytes of a route.
    ///
    /// # Errors
    /// As [`parse`](Self::parse); a route that does not fit `route` is refused.
    pub fn parse_with(text: &str, route: &'a mut [u8]) -> Result<Self, Error> {
        let mut hints = Self::new();
        let (mut qp_type, mut port_space) = (QpType::ANY, PortSpace::ANY);
        let mut route_len = 0;
        // The keys that have come, each a bit.
        let mut came = 0_u32;
        let mut at = 0_usize;
        let mut rest = Some(text.as_bytes()).filter(|text| !text.is_empty());
        while let Some(left) = rest {
            let (word, next) = cut(left, b',');
            let (key, value) = Key::of(word).ok_or_else(|| refuse(Reason::UnknownKey, at))?;
            if came & key.bit() != 0 {
                return Err(refuse(Reason::DuplicateKey, at));
            }
            came |= key.bit();
            let value_at = at.saturating_add(word.len().saturating_sub(value.len()));
            let unknown = || refuse(Reason::UnknownWord, value_at);
            let address = |value| {
                SockAddrBuf::from_text(value)
                    .map_err(|(offset, reason)| refuse(reason, value_at.saturating_add(offset)))
            };
            match key {
                Key::Flag(flag) => hints.flags = hints.flags.union(flag),
                Key::Flags => {
                    let bits = text::number(value)
                        .and_then(|bits| u32::try_from(bits).ok())
                        .ok_or_else(|| refuse(Reason::NotNumber, value_at))?;
                    hints.flags = hints.flags.union(Flags::from_bits_retain(bits));
                }
                Key::Family => hints.family = Family::from_text(value).ok_or_else(unknown)?,
                Key::QpType => qp_type = QpType::from_text(value).ok_or_else(unknown)?,
                Key::PortSpace => port_space = PortSpace::from_text(value).ok_or_else(unknown)?,
                Key::Src => hints.src = address(value)?,
                Key::Dst => hints.dst = address(value)?,
                Key::Route => {
                    route_len = unhex(value, route).ok_or_else(|| refuse(Reason::NotHex, value_at))?;
                }
            }
            at = at.saturating_add(word.len()).saturating_add(1);
            rest = next;
        }
        hints.transport = Transport::new(qp_type, port_space);
        hints.route = route.get(..route_len).unwrap_or(&[]);
        Ok(hints)
    }
}

/// What a word is about.
#[derive(Clone, Copy)]
enum Key {
    /// A flag, which has no value.
    Flag(Flags),
    Flags,
    Family,
    QpType,
    PortSpace,
    Src,
    Dst,
    Route,
}

impl Key {
    /// The key of a word, and its value.
    #[inline]
    fn of(word: &[u8]) -> Option<(Self, &[u8])> {
        macro_rules! first_of {
            ($($name:literal => $key:expr,)+) => {
                $(if let Some(value) = word.strip_prefix($name) {
                    return Some(($key, value));
                })+
            };
        }
        first_of! {
            b"qp=" => Self::QpType,
            b"ps=" => Self::PortSpace,
            b"src=" => Self::Src,
            b"dst=" => Self::Dst,
            b"family=" => Self::Family,
            b"flags=" => Self::Flags,
            b"route=" => Self::Route,
        }
        let (flag, _) = Flags::NAMED.iter().find(|(_, name)| name.as_bytes() == word)?;
        Some((Self::Flag(*flag), &[]))
    }

    /// A bit of its own; no named flag is among those of the others.
    #[inline]
    const fn bit(self) -> u32 {
        match self {
            Self::Flag(flag) => flag.bits(),
            Self::Flags => 1 << 8,
            Self::Family => 1 << 9,
            Self::QpType => 1 << 10,
            Self::PortSpace => 1 << 11,
            Self::Src => 1 << 12,
            Self::Dst => 1 << 13,
            Self::Route => 1 << 14,
        }
    }
}

impl FromStr for Hints<'static> {
    type Err = Error;

    /// The same as [`Hints::parse`].
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl fmt::Display for Hints<'_> {
    /// Writes what [`Hints::parse_with`] reads; nothing at all for hints that leave everything open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Line::write(f, |line| self.put(line))
    }
}

impl Hints<'_> {
    /// Puts what is displayed.
    fn put<W: Write>(&self, line: &mut Line<'_, W>) -> fmt::Result {
        let mut words = Words { line, some: false };
        for name in self.flags.names() {
            words.begin(name)?;
        }
        if self.flags.unnamed() != 0 {
            write!(words.begin("flags=")?, "0x{:x}", self.flags.unnamed())?;
        }
        words.word("family=", self.family.name(), self.family.to_raw())?;
        words.word("qp=", self.qp_type().name(), self.qp_type().to_raw())?;
        words.word("ps=", self.port_space().name(), self.port_space().to_raw())?;
        if let Some(address) = self.src.get() {
            address.put(words.begin("src=")?)?;
        }
        if let Some(address) = self.dst.get() {
            address.put(words.begin("dst=")?)?;
        }
        if !self.route.is_empty() {
            let line = words.begin("route=")?;
            self.route.iter().try_for_each(|byte| write!(line, "{byte:02x}"))?;
        }
        Ok(())
    }
}

struct Words<'l, 'w, W: Write> {
    line: &'l mut Line<'w, W>,
    some: bool,
}

impl<'w, W: Write> Words<'_, 'w, W> {
    /// Puts the start of a word, and gives the line for what is behind it.
    #[inline]
    fn begin(&mut self, start: &str) -> Result<&mut Line<'w, W>, fmt::Error> {
        if self.some {
            self.line.ascii(b',')?;
        }
        self.some = true;
        self.line.write_str(start)?;
        Ok(self.line)
    }

    /// Puts a value by its name or else its number, unless it is 0.
    #[inline]
    fn word(&mut self, key: &str, name: Option<&str>, value: c_int) -> fmt::Result {
        if value == 0 {
            return Ok(());
        }
        let line = self.begin(key)?;
        match name {
            Some(name) => line.write_str(name),
            None => write!(line, "{value}"),
        }
    }
}

/// Writes the bytes of a hex text into `bytes` and tells how many they are.
fn unhex(text: &[u8], bytes: &mut [u8]) -> Option<usize> {
    let (pairs, odd) = text.as_chunks::<2>();
    if !odd.is_empty() || pairs.len() > bytes.len() {
        return None;
    }
    for ([high, low], byte) in pairs.iter().zip(bytes) {
        *byte = (digit(*high)? << 4) | digit(*low)?;
    }
    Some(pairs.len())
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cold]
fn refuse(reason: Reason, at: usize) -> Error {
    Error::new(ErrorKind::Invalid).because(reason).at(Location::Text(at))
}
