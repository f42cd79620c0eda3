//! `Flags` and `PathFlags`, with all that bitflags gives them

use crate::opaque::{any, sink, text};
use crate::{derived, each, formats};
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};
use rdma_addrinfo_core::{Flags, PathFlags};

macro_rules! flags {
    ($ty:ident) => {{
        sink($ty::empty());
        sink($ty::all());
        sink($ty::from_bits(any(0)));
        sink($ty::from_bits_truncate(any(0)));
        sink($ty::from_name(text()));
        let other = any($ty::from_bits_retain(any(0)));
        let mut flags = any($ty::from_bits_retain(any(0)));
        each!($ty, &mut flags; insert(other), remove(other), toggle(other), set(other, true));
        each!($ty, &flags; bits(), is_empty(), is_all(), intersects(other), contains(other));
        each!($ty, flags; intersection(other), union(other), difference(other), symmetric_difference(other));
        each!($ty, flags; complement(), unnamed());
        for name in $ty::names(flags) {
            sink(name);
        }
        for flag in $ty::iter(&flags) {
            sink(flag);
        }
        for pair in $ty::iter_names(&flags) {
            sink(pair);
        }
        for flag in <$ty as IntoIterator>::into_iter(flags) {
            sink(flag);
        }
        each!($ty as BitAnd, flags; bitand(other));
        each!($ty as BitOr, flags; bitor(other));
        each!($ty as BitXor, flags; bitxor(other));
        each!($ty as Sub, flags; sub(other));
        each!($ty as Not, flags; not());
        each!($ty as BitAndAssign, &mut flags; bitand_assign(other));
        each!($ty as BitOrAssign, &mut flags; bitor_assign(other));
        each!($ty as BitXorAssign, &mut flags; bitxor_assign(other));
        each!($ty as SubAssign, &mut flags; sub_assign(other));
        <$ty as Extend<$ty>>::extend(&mut flags, any([other, other]));
        sink(<$ty as FromIterator<$ty>>::from_iter(any([other, other])));
        sink(<$ty as bitflags::Flags>::all_named());
        sink(<$ty as bitflags::Flags>::from_bits_retain(any(0)));
        each!($ty as bitflags::Flags, &flags; bits());
        formats!($ty, flags; Display Binary Octal LowerHex UpperHex);
        derived!($ty, flags; Clone PartialEq PartialOrd Ord Hash Default);
    }};
}

pub fn calls() {
    flags!(Flags);
    sink(Flags::to_raw(any(Flags::from_raw(any(0)))));
    flags!(PathFlags);
}
