//! Names of flags.

/// Gives a word of flags its names, and shows it by them.
macro_rules! named_flags {
    ($ty:ident { $($flag:ident = $name:literal;)+ }) => {
        impl $ty {
            /// Every flag with its name.
            pub const NAMED: &'static [(Self, &'static str)] = &[$((Self::$flag, $name)),+];

            /// The names of the flags that are set, in bit order; bits without a name are left out.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                Self::NAMED.iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, name)| *name)
            }

            /// The bits that are set and have no name.
            #[must_use]
            pub fn unnamed(self) -> u32 {
                Self::NAMED.iter().fold(self, |rest, (flag, _)| rest.difference(*flag)).bits()
            }
        }

        impl core::fmt::Display for $ty {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                if self.is_empty() {
                    return f.write_str("-");
                }
                let mut separator = "";
                for name in self.names() {
                    f.write_str(separator)?;
                    f.write_str(name)?;
                    separator = "|";
                }
                match self.unnamed() {
                    0 => Ok(()),
                    rest => write!(f, "{separator}0x{rest:x}"),
                }
            }
        }

        impl core::fmt::Debug for $ty {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}

pub(crate) use named_flags;
