//! `Serialize` (feature `serde`): the shape is the JSON of the command `rdma-getaddrinfo`, key by key.
//!
//! Nothing here allocates: texts are written by `collect_str`, bytes as text in hex. Numbers of 64 bits whose digits
//! matter are text too, since many readers take numbers for doubles.

mod address;
mod answer;
mod error;
mod path;
mod words;

use core::ffi::CStr;
use core::fmt::{self, Write};
use core::time::Duration;
use serde_core::{Serialize, Serializer};

/// Serializes an object: its keys in order, and where one may be absent, when it is there.
macro_rules! object {
    ($serializer:ident, $name:literal, { $($key:literal $(if $there:expr)? => $value:expr,)+ }) => {{
        use serde_core::ser::SerializeStruct;
        let there = [$(object!(@there $($there)?)),+];
        let len = there.into_iter().filter(|there| *there).count();
        let mut object = $serializer.serialize_struct($name, len)?;
        $(if object!(@there $($there)?) {
            object.serialize_field($key, &$value)?;
        } else {
            object.skip_field($key)?;
        })+
        object.end()
    }};
    (@there) => { true };
    (@there $there:expr) => { $there };
}

/// Serializes each type as the text that it displays.
macro_rules! as_displayed {
    ($($ty:ty),+) => {
        $(impl serde_core::Serialize for $ty {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })+
    };
}

pub(crate) use {as_displayed, object};

/// A value as the text that it displays.
struct Displayed<T>(T);

impl<T: fmt::Display> Serialize for Displayed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Bytes in hex, two digits each.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

as_displayed!(Hex<'_>, Lossy<'_>);

/// A C text; each part that is not UTF-8 is replaced by U+FFFD.
struct Lossy<'a>(&'a CStr);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.to_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}

/// A time in microseconds, exact to the nanosecond up to 104 days (2^53 ns).
struct Microseconds(Duration);

impl Serialize for Microseconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "there is no `From`")]
        let nanoseconds = self.0.as_nanos() as f64;
        serializer.serialize_f64(nanoseconds / 1e3)
    }
}
