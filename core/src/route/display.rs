//! One readable line for a path, and its parts.

use super::{Mtu, PacketLifeTime, PathData, PathRecord, Rate, Selector};
use core::fmt;

/// Writes a coded value: by `value` if its code has one, `best` for the best there is, else the byte.
fn coded<T>(
    f: &mut fmt::Formatter<'_>,
    (selector, byte): (Selector, u8),
    value: Option<T>,
    write: impl FnOnce(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    let relation = match selector {
        Selector::GreaterThan => ">",
        Selector::LessThan => "<",
        Selector::Exactly => "",
        Selector::Best => return f.write_str("best"),
    };
    match value {
        Some(value) => {
            f.write_str(relation)?;
            write(f, value)
        }
        None => write!(f, "0x{byte:02x}"),
    }
}

impl fmt::Display for Mtu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        coded(f, (self.selector(), self.to_raw()), self.bytes(), |f, bytes| write!(f, "{bytes}"))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        coded(f, (self.selector(), self.to_raw()), self.megabits_per_second(), |f, rate| {
            write!(f, "{}", rate.wrapping_div(1000))?;
            match rate.wrapping_rem(1000).wrapping_div(100) {
                0 => f.write_str(" Gb/s"),
                tenths => write!(f, ".{tenths} Gb/s"),
            }
        })
    }
}

impl fmt::Display for PacketLifeTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        coded(f, (self.selector(), self.to_raw()), Some(self.duration()), |f, time| {
            let nanoseconds = time.subsec_nanos();
            let (whole, thousandths, unit) = match (time.as_secs(), nanoseconds) {
                (0, ..1_000_000) => {
                    (u64::from(nanoseconds.wrapping_div(1_000)), nanoseconds.wrapping_rem(1_000), "us")
                }
                (0, _) => (
                    u64::from(nanoseconds.wrapping_div(1_000_000)),
                    nanoseconds.wrapping_div(1_000).wrapping_rem(1_000),
                    "ms",
                ),
                (seconds, _) => (seconds, nanoseconds.wrapping_div(1_000_000), "s"),
            };
            write!(f, "{whole}.{thousandths:03} {unit}")
        })
    }
}

/// One line: the ends, P_Key, MTU, rate and service level, then every other field that is not zero.
///
/// `fe80::11 -> fe80::12 pkey 0xffff mtu 2048 rate 100 Gb/s sl 0 lid 3 -> 38 hops 64`
impl fmt::Display for PathRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} pkey {}", self.sgid(), self.dgid(), self.pkey())?;
        write!(f, " mtu {} rate {} sl {}", self.mtu(), self.rate(), self.service_level())?;
        if self.packet_life_time() != PacketLifeTime::default() {
            write!(f, " life {}", self.packet_life_time())?;
        }
        if (self.slid(), self.dlid()) != (0, 0) {
            write!(f, " lid {} -> {}", self.slid(), self.dlid())?;
        }
        part(f, "qos", self.qos_class())?;
        part_hex(f, "flow", self.flow_label())?;
        part(f, "hops", self.hop_limit())?;
        part_hex(f, "class", self.traffic_class())?;
        part_hex(f, "service", self.service_id().to_raw())?;
        part(f, "preference", self.preference())?;
        part(f, "paths", self.num_paths())?;
        f.write_str(if self.is_reversible() { " reversible" } else { "" })
    }
}

/// The line of the record, and the flags behind it.
impl fmt::Display for PathData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path_record())?;
        if self.flags().is_empty() { Ok(()) } else { write!(f, " {}", self.flags()) }
    }
}

/// Writes a part of the line, unless its value is zero.
fn part(f: &mut fmt::Formatter<'_>, name: &str, value: impl Into<u64>) -> fmt::Result {
    match value.into() {
        0 => Ok(()),
        value => write!(f, " {name} {value}"),
    }
}

/// The same, in hex.
fn part_hex(f: &mut fmt::Formatter<'_>, name: &str, value: impl Into<u64>) -> fmt::Result {
    match value.into() {
        0 => Ok(()),
        value => write!(f, " {name} 0x{value:x}"),
    }
}

impl fmt::Debug for PathRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for PathData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
