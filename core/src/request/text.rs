//! Node and service as callers have them.

use core::ffi::CStr;

/// A node or a service: text, or nothing.
///
/// Made from `&str`, `Option<&str>` (so `None` is nothing) and `&CStr`. Bytes that are not UTF-8 are kept: what
/// they mean is for the name service to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text<'a>(Option<&'a [u8]>);

impl<'a> Text<'a> {
    /// Nothing, a null pointer in C.
    pub const NONE: Self = Self(None);

    /// Text from bytes. A NUL among them is refused when the text is resolved.
    #[must_use]
    pub const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(Some(bytes))
    }

    /// The bytes, without a NUL at the end.
    #[must_use]
    #[inline]
    pub const fn bytes(self) -> Option<&'a [u8]> {
        self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self(Some(text.as_bytes()))
    }
}

impl<'a> From<Option<&'a str>> for Text<'a> {
    #[inline]
    fn from(text: Option<&'a str>) -> Self {
        Self(text.map(str::as_bytes))
    }
}

impl<'a> From<&'a CStr> for Text<'a> {
    #[inline]
    fn from(text: &'a CStr) -> Self {
        Self(Some(text.to_bytes()))
    }
}
