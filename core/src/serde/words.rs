//! Words, flags and identifiers.

use super::{Displayed, as_displayed};
use crate::route::{PathFlags, Selector};
use crate::types::{Family, Flags, Gid, Pkey, PortSpace, QpType, ServiceId};
use serde_core::ser::SerializeSeq;
use serde_core::{Serialize, Serializer};

as_displayed!(Family, QpType, PortSpace, Gid, ServiceId);

impl Serialize for Pkey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.to_raw())
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        names(serializer, self.names().count(), self.names(), self.unnamed())
    }
}

impl Serialize for PathFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        names(serializer, self.names().count(), self.names(), self.unnamed())
    }
}

/// A list of names; the bits without a name are one number in hex behind them.
fn names<S: Serializer>(
    serializer: S,
    count: usize,
    names: impl Iterator<Item = &'static str>,
    unnamed: u32,
) -> Result<S::Ok, S::Error> {
    // Formats that write the length first need it.
    let len = count.saturating_add(usize::from(unnamed != 0));
    let mut list = serializer.serialize_seq(Some(len))?;
    for name in names {
        list.serialize_element(name)?;
    }
    if unnamed != 0 {
        list.serialize_element(&Displayed(format_args!("0x{unnamed:x}")))?;
    }
    list.end()
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::GreaterThan => "greater-than",
            Self::LessThan => "less-than",
            Self::Exactly => "exactly",
            Self::Best => "best",
        })
    }
}
