//! Node and service as callers have them.

use core::ffi::CStr;
use core::hash::{Hash, Hasher};

/// A node: text, or nothing.
///
/// Made from `&str`, `&String`, `&CStr`, and an `Option` of a `&str` (so `None` is nothing). Bytes that are not UTF-8 are kept: what
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

    /// Text from a C string, or nothing: a pointer of C that may be null.
    // No `From`: with two kinds of options a plain `None` would be neither.
    #[must_use]
    #[inline]
    pub const fn from_c_str(text: Option<&'a CStr>) -> Self {
        match text {
            None => Self::NONE,
            Some(text) => Self(Source::C(text)),
        }
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

    /// The text, if there is one and it is UTF-8.
    #[must_use]
    pub const fn as_str(self) -> Option<&'a str> {
        match self.bytes() {
            Some(bytes) => match str::from_utf8(bytes) {
                Ok(text) => Some(text),
                Err(_) => None,
            },
            None => None,
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

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

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

/// A service: text, a port by number, or nothing.
///
/// Made from all that a [`Text`] is made from, and from a `u16`. A port by number is not looked up, nor parsed.
// Two fields and no enum: each stays in its registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ServiceText<'a> {
    /// Nothing where there is a port.
    text: Text<'a>,
    port: Option<u16>,
}

impl<'a> ServiceText<'a> {
    /// Nothing, a null pointer in C.
    pub const NONE: Self = Self { text: Text::NONE, port: None };

    /// The text; [`Text::NONE`] for a port by number.
    #[must_use]
    #[inline]
    pub const fn text(self) -> Text<'a> {
        self.text
    }

    /// The port, if it was given by number.
    #[must_use]
    #[inline]
    pub const fn port(self) -> Option<u16> {
        self.port
    }

    /// Whether there is nothing.
    #[inline]
    pub(crate) const fn is_none(self) -> bool {
        self.text.is_none() && self.port.is_none()
    }
}

impl From<u16> for ServiceText<'_> {
    #[inline]
    fn from(port: u16) -> Self {
        Self { text: Text::NONE, port: Some(port) }
    }
}

impl<'a> From<Text<'a>> for ServiceText<'a> {
    #[inline]
    fn from(text: Text<'a>) -> Self {
        Self { text, port: None }
    }
}

macro_rules! from_text {
    ($($type:ty)+) => {
        $(impl<'a> From<$type> for ServiceText<'a> {
            #[inline]
            fn from(text: $type) -> Self {
                Self { text: text.into(), port: None }
            }
        })+
    };
}

from_text!(&'a str Option<&'a str> &'a CStr);

#[cfg(any(feature = "alloc", test))]
mod owned {
    use super::{ServiceText, Text};
    use alloc::ffi::CString;
    use alloc::string::String;

    impl<'a> From<&'a String> for Text<'a> {
        #[inline]
        fn from(text: &'a String) -> Self {
            text.as_str().into()
        }
    }

    impl<'a> From<&'a CString> for Text<'a> {
        #[inline]
        fn from(text: &'a CString) -> Self {
            text.as_c_str().into()
        }
    }

    from_text!(&'a String &'a CString);
}
