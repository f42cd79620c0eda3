//! Values that are unknown to the optimizer, and a sink that it must assume to read everything.

use core::ffi::CStr;
use core::fmt;
use core::hint::black_box;

/// Any value of the type.
pub fn any<T>(value: T) -> T {
    black_box(value)
}

/// Bytes of any length and content.
pub fn bytes() -> &'static [u8] {
    static BYTES: [u8; 4] = *b"::1%";
    black_box(&BYTES)
}

/// Text of any length and content.
pub fn text() -> &'static str {
    black_box("localhost")
}

/// A C string of any length and content.
pub fn c_str() -> &'static CStr {
    black_box(c"localhost")
}

/// Uses a value up.
pub fn sink<T>(value: T) {
    black_box(value);
}

/// Calls a formatting function with a formatter of any width, precision and flags, whose output may fail.
pub fn format_with(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) {
    struct Probe<F>(F);

    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Probe<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(black_box(f))
        }
    }

    struct Output;

    impl fmt::Write for Output {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            black_box(text);
            black_box(Ok(()))
        }
    }

    let output: &mut dyn fmt::Write = &mut Output;
    sink(fmt::write(black_box(output), format_args!("{}", Probe(write))));
}

/// Calls methods of a type, or of a type by a trait, on one receiver: `each!(Gid, gid; to_bits(), octets())`.
#[macro_export]
macro_rules! each {
    ($ty:ident, $receiver:expr; $($method:ident($($argument:expr),*)),+ $(,)?) => {
        $($crate::opaque::sink($ty::$method($receiver $(, $crate::opaque::any($argument))*));)+
    };
    ($ty:ty as $trait:path, $receiver:expr; $($method:ident($($argument:expr),*)),+ $(,)?) => {
        $($crate::opaque::sink(<$ty as $trait>::$method($receiver $(, $crate::opaque::any($argument))*));)+
    };
}

/// Calls formatting traits: `formats!(Gid, gid; Display)`.
#[macro_export]
macro_rules! formats {
    ($ty:ty, $value:expr; $($trait:ident)+) => {
        $($crate::opaque::format_with(|f| <$ty as core::fmt::$trait>::fmt(&$value, f));)+
    };
}

/// Calls what derives give for a `Copy` type: `derived!(Gid, gid; Clone PartialEq Hash)`.
#[macro_export]
macro_rules! derived {
    ($ty:ty, $value:expr; $($of:ident)+) => {{
        let value: $ty = $crate::opaque::any($value);
        $($crate::derived!(@ $of, $ty, value);)+
    }};
    (@ Clone, $ty:ty, $value:ident) => { $crate::each!($ty as Clone, &$value; clone()) };
    (@ PartialEq, $ty:ty, $value:ident) => { $crate::each!($ty as PartialEq, &$value; eq(&$value)) };
    (@ PartialOrd, $ty:ty, $value:ident) => { $crate::each!($ty as PartialOrd, &$value; partial_cmp(&$value)) };
    (@ Ord, $ty:ty, $value:ident) => { $crate::each!($ty as Ord, &$value; cmp(&$value)) };
    (@ Hash, $ty:ty, $value:ident) => {
        $crate::each!($ty as core::hash::Hash, &$value; hash(&mut $crate::opaque::AnyHasher))
    };
    (@ Default, $ty:ty, $value:ident) => { $crate::opaque::sink(<$ty as Default>::default()) };
}

/// A hasher that may do anything.
pub struct AnyHasher;

impl core::hash::Hasher for AnyHasher {
    fn finish(&self) -> u64 {
        black_box(0)
    }

    fn write(&mut self, bytes: &[u8]) {
        black_box(bytes);
    }
}
