//! Bytes of a path record that hold a 2-bit selector and a 6-bit code: MTU, rate, packet life time.

use core::fmt;
use core::time::Duration;

/// How a coded value is meant: the upper 2 bits of its byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Selector {
    /// More than the value (0). Only in queries.
    GreaterThan,
    /// Less than the value (1). Only in queries.
    LessThan,
    /// The value itself (2). Answers have no other.
    Exactly,
    /// The best there is (3): the largest MTU or rate, the shortest life time; the code says nothing. Only in
    /// queries.
    Best,
}

impl Selector {
    /// The two bits in their place.
    const fn to_bits(self) -> u8 {
        match self {
            Self::GreaterThan => 0x00,
            Self::LessThan => 0x40,
            Self::Exactly => 0x80,
            Self::Best => 0xc0,
        }
    }
}

macro_rules! coded {
    ($(#[$meta:meta])* $ty:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $ty(u8);

        impl $ty {
            /// From a selector and a code; `None` if the code is above 6 bits (63).
            #[must_use]
            #[inline]
            pub const fn new(selector: Selector, code: u8) -> Option<Self> {
                match code {
                    0..=0x3f => Some(Self(selector.to_bits() | code)),
                    _ => None,
                }
            }

            /// From the byte of the path record.
            #[must_use]
            #[inline]
            pub const fn from_raw(byte: u8) -> Self {
                Self(byte)
            }

            /// The byte of the path record.
            #[must_use]
            #[inline]
            pub const fn to_raw(self) -> u8 {
                self.0
            }

            /// How the value is meant.
            #[must_use]
            #[inline]
            pub const fn selector(self) -> Selector {
                match self.0 {
                    0x00..=0x3f => Selector::GreaterThan,
                    0x40..=0x7f => Selector::LessThan,
                    0x80..=0xbf => Selector::Exactly,
                    0xc0..=0xff => Selector::Best,
                }
            }

            /// The code, 0 to 63.
            #[must_use]
            #[inline]
            pub const fn code(self) -> u8 {
                self.0 & 0x3f
            }
        }

        impl fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

/// Codes with a value, both ways.
macro_rules! values {
    ($ty:ident: $(#[$to_doc:meta])+ $to:ident; $(#[$from_doc:meta])+ $from:ident; $($code:literal = $value:literal),+) => {
        impl $ty {
            $(#[$to_doc])+
            #[must_use]
            #[inline]
            pub const fn $to(self) -> Option<u32> {
                match self.code() {
                    $($code => Some($value),)+
                    _ => None,
                }
            }

            $(#[$from_doc])+
            #[must_use]
            #[inline]
            pub const fn $from(value: u32) -> Option<Self> {
                match value {
                    $($value => Self::new(Selector::Exactly, $code),)+
                    _ => None,
                }
            }
        }
    };
}

coded! {
    /// The maximum transmission unit of a path: selector and code in one byte.
    ///
    /// Displayed as bytes, with `>` or `<` before them where the selector says so, as `best` for the best there
    /// is; a code without a value as the byte in hex.
    #[doc(alias = "ibv_mtu")]
    Mtu
}

values! {
    Mtu:
    /// The bytes that the code stands for, 256 to 4096; `None` for a reserved code.
    bytes;
    /// Exactly this many bytes; `None` if no code stands for them.
    from_bytes;
    1 = 256, 2 = 512, 3 = 1024, 4 = 2048, 5 = 4096
}

coded! {
    /// The static rate of a path: selector and code in one byte.
    ///
    /// Displayed in Gb/s, else like [`Mtu`].
    #[doc(alias = "ibv_rate")]
    Rate
}

values! {
    Rate:
    /// The rate that the code stands for, in units of 10⁶ bit/s, so that 2.5 Gb/s is 2500; `None` for a
    /// reserved code.
    ///
    /// The rate is the nominal one, as in the names of `enum ibv_rate`; the lanes signal at up to 4 % more.
    megabits_per_second;
    /// Exactly this rate in units of 10⁶ bit/s; `None` if no code stands for it.
    from_megabits_per_second;
    2 = 2_500, 3 = 10_000, 4 = 30_000, 5 = 5_000, 6 = 20_000, 7 = 40_000, 8 = 60_000, 9 = 80_000, 10 = 120_000,
    11 = 14_000, 12 = 56_000, 13 = 112_000, 14 = 168_000, 15 = 25_000, 16 = 100_000, 17 = 200_000,
    18 = 300_000, 19 = 28_000, 20 = 50_000, 21 = 400_000, 22 = 600_000, 23 = 800_000, 24 = 1_200_000
}

coded! {
    /// How long a packet may live on a path: selector and code in one byte.
    ///
    /// Displayed in us, ms or s, cut to three decimals, else like [`Mtu`].
    #[doc(alias = "packetlifetime")]
    PacketLifeTime
}

impl PacketLifeTime {
    /// The time that the code stands for: 4.096 us · 2^code, exact for every code.
    #[must_use]
    #[inline]
    pub const fn duration(self) -> Duration {
        // The product has up to 76 bits; each factor fits its type.
        let code = u32::from_be_bytes([0, 0, 0, self.code()]);
        let half = code >> 1;
        let nanoseconds = 4096_u64.wrapping_shl(code.wrapping_sub(half));
        Duration::from_nanos(nanoseconds).saturating_mul(1_u32.wrapping_shl(half))
    }
}
