//! Hints as text: `passive,family=inet6,qp=rc,ps=tcp,src=192.0.2.9`.

use super::Hints;
use crate::error::{Error, ErrorKind, Location, Reason};
use crate::sockaddr::{SockAddrBuf, cut};
use crate::types::Flags;
use core::fmt;
use core::str::{self, FromStr};

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
        let mut route_len = 0;
        let mut at = 0_usize;
        let mut rest = Some(text.as_bytes()).filter(|text| !text.is_empty());
        while let Some(left) = rest {
            let before = at.checked_sub(1).and_then(|end| text.as_bytes().get(..end));
            let (word, next) = cut(left, b',');
            let (key, value) = cut(word, b'=');
            let value_at = at.saturating_add(key.len()).saturating_add(1);
            // An unknown word ends the reading, so few are before this one.
            if before.is_some_and(|words| holds(words, key, value.is_some())) {
                return Err(refuse(Reason::DuplicateKey, at));
            }
            match (key, value) {
                (b"flags", Some(value)) => {
                    let bits = crate::text::number(value)
                        .and_then(|bits| u32::try_from(bits).ok())
                        .ok_or_else(|| refuse(Reason::NotNumber, value_at))?;
                    hints.flags = hints.flags.union(Flags::from_bits_retain(bits));
                }
                (b"family", Some(value)) => hints.family = read(value, value_at)?,
                (b"qp", Some(value)) => hints = hints.qp_type(read(value, value_at)?),
                (b"ps", Some(value)) => hints = hints.port_space(read(value, value_at)?),
                (b"src", Some(value)) => hints.src = read::<SockAddrBuf>(value, value_at)?,
                (b"dst", Some(value)) => hints.dst = read::<SockAddrBuf>(value, value_at)?,
                (b"route", Some(value)) => {
                    route_len = unhex(value, route).ok_or_else(|| refuse(Reason::NotHex, value_at))?;
                }
                (name, None) => {
                    let flag = Flags::NAMED.iter().find(|(_, known)| known.as_bytes() == name);
                    let (flag, _) = flag.ok_or_else(|| refuse(Reason::UnknownKey, at))?;
                    hints.flags = hints.flags.union(*flag);
                }
                _ => return Err(refuse(Reason::UnknownKey, at)),
            }
            at = at.saturating_add(word.len()).saturating_add(1);
            rest = next;
        }
        hints.route = route.get(..route_len).unwrap_or(&[]);
        Ok(hints)
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
        let mut words = Words { f, separator: "" };
        for name in self.flags.names() {
            words.word(format_args!("{name}"))?;
        }
        if self.flags.unnamed() != 0 {
            words.word(format_args!("flags=0x{:x}", self.flags.unnamed()))?;
        }
        if self.family.to_raw() != 0 {
            words.word(format_args!("family={}", self.family))?;
        }
        if self.get_qp_type().to_raw() != 0 {
            words.word(format_args!("qp={}", self.get_qp_type()))?;
        }
        if self.get_port_space().to_raw() != 0 {
            words.word(format_args!("ps={}", self.get_port_space()))?;
        }
        if let Some(address) = self.src.get() {
            words.word(format_args!("src={address}"))?;
        }
        if let Some(address) = self.dst.get() {
            words.word(format_args!("dst={address}"))?;
        }
        if !self.route.is_empty() {
            words.word(format_args!("route="))?;
            self.route.iter().try_for_each(|byte| write!(words.f, "{byte:02x}"))?;
        }
        Ok(())
    }
}

struct Words<'f, 'b> {
    f: &'f mut fmt::Formatter<'b>,
    separator: &'static str,
}

impl Words<'_, '_> {
    fn word(&mut self, word: fmt::Arguments<'_>) -> fmt::Result {
        self.f.write_str(self.separator)?;
        self.separator = ",";
        self.f.write_fmt(word)
    }
}

/// Whether one of these words has the key, with a value or without.
fn holds(words: &[u8], key: &[u8], has_value: bool) -> bool {
    words.split(|byte| *byte == b',').any(|word| {
        let (other, value) = cut(word, b'=');
        other == key && value.is_some() == has_value
    })
}

fn read<T: FromStr<Err = Error>>(value: &[u8], at: usize) -> Result<T, Error> {
    let text = str::from_utf8(value).map_err(|_| refuse(Reason::UnknownWord, at))?;
    text.parse().map_err(|error: Error| match error.location() {
        Location::Text(offset) => error.at(Location::Text(offset.saturating_add(at))),
        _ => error.at(Location::Text(at)),
    })
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
