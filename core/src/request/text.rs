//! Node and service as callers have them.

use core::ffi::CStr;

/// A node or a service: text, or nothing.
///
/// Made from `&str`, `Option<&str>` (so `None` is nothing) and `&CStr`. Bytes that are not UTF-8 are kept: what
/// they mean is for the name service to say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'a>(Source<'a>);

/// How a caller has it: a C string can be handed on to C as it is.
#[derive(Clone, Copy, Debug, Default)]
enum Source<'a> {
    #[default]
    Nothing,
    Bytes(&'a [u8]),
    C(&'a CStr),
}

impl<'a> Text<'a> {
    /// Nothing, a null pointer in C.
    pub const NONE: Self = Self(Source::Nothing);

    /// Text from bytes. A NUL among them is refused when the text is resolved.
    #[must_use]
    pub const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(Source::Bytes(bytes))
    }

    /// The bytes, without a NUL at the end.
    #[must_use]
    #[inline]
    pub const fn bytes(self) -> Option<&'a [u8]> {
        match self.0 {
            Source::Nothing => None,
            Source::Bytes(bytes) => Some(bytes),
            Source::C(text) => Some(text.to_bytes()),
        }
    }

    /// Whether there is nothing.
    #[inline]
    pub(crate) const fn is_none(self) -> bool {
        matches!(self.0, Source::Nothing)
    }

    /// The C string that it was made from, if it was.
    #[must_use]
    #[inline]
    pub const fn as_c_str(self) -> Option<&'a CStr> {
        match self.0 {
            Source::C(text) => Some(text),
            Source::Nothing | Source::Bytes(_) => None,
        }
    }
}

/// By the bytes, whatever they were made from.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Text<'_> {}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self(Source::Bytes(text.as_bytes()))
    }
}

impl<'a> From<Option<&'a str>> for Text<'a> {
    #[inline]
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::NONE, Self::from)
    }
}

impl<'a> From<&'a CStr> for Text<'a> {
    #[inline]
    fn from(text: &'a CStr) -> Self {
        Self(Source::C(text))
    }
}
