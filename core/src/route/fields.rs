//! The fields of a path record, in wire order; the same for [`PathRecord`] and for [`PathData`], which holds one.

use super::{Mtu, PacketLifeTime, PathData, PathRecord, Rate};
use crate::types::{Gid, Pkey, ServiceId};
use zerocopy::big_endian::{U16, U32, U64, U128};

/// `fields!(Type)` for the record itself, `fields!(Type, path)` where it is the field `path` of the C structure.
macro_rules! fields {
    ($ty:ident $(, $path:ident)?) => {
        impl $ty {
            /// Service ID; 0 for a path that serves any.
            #[must_use]
            #[inline]
            pub const fn service_id(&self) -> ServiceId {
                ServiceId::from_raw(self.0$(.$path)?.service_id.get())
            }

            /// The same with this service ID.
            #[must_use]
            #[inline]
            pub const fn with_service_id(mut self, id: ServiceId) -> Self {
                self.0$(.$path)?.service_id = U64::new(id.to_raw());
                self
            }

            /// Destination GID.
            #[must_use]
            #[inline]
            pub const fn dgid(&self) -> Gid {
                Gid::from_bits(self.0$(.$path)?.dgid.get())
            }

            /// The same with this destination GID.
            #[must_use]
            #[inline]
            pub const fn with_dgid(mut self, gid: Gid) -> Self {
                self.0$(.$path)?.dgid = U128::new(gid.to_bits());
                self
            }

            /// Source GID.
            #[must_use]
            #[inline]
            pub const fn sgid(&self) -> Gid {
                Gid::from_bits(self.0$(.$path)?.sgid.get())
            }

            /// The same with this source GID.
            #[must_use]
            #[inline]
            pub const fn with_sgid(mut self, gid: Gid) -> Self {
                self.0$(.$path)?.sgid = U128::new(gid.to_bits());
                self
            }

            /// Destination LID, the local identifier that switches of the subnet forward by.
            #[must_use]
            #[inline]
            pub const fn dlid(&self) -> u16 {
                self.0$(.$path)?.dlid.get()
            }

            /// The same with this destination LID.
            #[must_use]
            #[inline]
            pub const fn with_dlid(mut self, lid: u16) -> Self {
                self.0$(.$path)?.dlid = U16::new(lid);
                self
            }

            /// Source LID.
            #[must_use]
            #[inline]
            pub const fn slid(&self) -> u16 {
                self.0$(.$path)?.slid.get()
            }

            /// The same with this source LID.
            #[must_use]
            #[inline]
            pub const fn with_slid(mut self, lid: u16) -> Self {
                self.0$(.$path)?.slid = U16::new(lid);
                self
            }

            /// Flow label of the global route header, 20 bits.
            #[must_use]
            #[inline]
            #[doc(alias = "flowlabel_hoplimit")]
            pub const fn flow_label(&self) -> u32 {
                let [high, middle, low, _] = self.0$(.$path)?.flowlabel_hoplimit.to_bytes();
                u32::from_be_bytes([0, high & 0x0f, middle, low])
            }

            /// The same with this flow label; `None` above 20 bits.
            #[must_use]
            #[inline]
            pub const fn with_flow_label(mut self, label: u32) -> Option<Self> {
                let [0, high @ ..=0x0f, middle, low] = label.to_be_bytes() else { return None };
                let [first, _, _, hop_limit] = self.0$(.$path)?.flowlabel_hoplimit.to_bytes();
                let bytes = [first & 0xf0 | high, middle, low, hop_limit];
                self.0$(.$path)?.flowlabel_hoplimit = U32::from_bytes(bytes);
                Some(self)
            }

            /// Hop limit of the global route header, 8 bits; 0 and 1 stay on the subnet.
            #[must_use]
            #[inline]
            #[doc(alias = "flowlabel_hoplimit")]
            pub const fn hop_limit(&self) -> u8 {
                let [.., hop_limit] = self.0$(.$path)?.flowlabel_hoplimit.to_bytes();
                hop_limit
            }

            /// The same with this hop limit.
            #[must_use]
            #[inline]
            pub const fn with_hop_limit(mut self, hop_limit: u8) -> Self {
                let [high, middle, low, _] = self.0$(.$path)?.flowlabel_hoplimit.to_bytes();
                self.0$(.$path)?.flowlabel_hoplimit = U32::from_bytes([high, middle, low, hop_limit]);
                self
            }

            /// Traffic class of the global route header, 8 bits.
            #[must_use]
            #[inline]
            #[doc(alias = "tclass")]
            pub const fn traffic_class(&self) -> u8 {
                self.0$(.$path)?.tclass
            }

            /// The same with this traffic class.
            #[must_use]
            #[inline]
            pub const fn with_traffic_class(mut self, class: u8) -> Self {
                self.0$(.$path)?.tclass = class;
                self
            }

            /// Whether the path also leads back, 1 bit.
            #[must_use]
            #[inline]
            #[doc(alias = "reversible_numpath")]
            pub const fn is_reversible(&self) -> bool {
                self.0$(.$path)?.reversible_numpath & 0x80 != 0
            }

            /// The same, reversible or not.
            #[must_use]
            #[inline]
            pub const fn with_reversible(mut self, reversible: bool) -> Self {
                let bit = if reversible { 0x80 } else { 0 };
                self.0$(.$path)?.reversible_numpath = self.num_paths() | bit;
                self
            }

            /// In a query, how many paths to return at most, 7 bits.
            #[must_use]
            #[inline]
            #[doc(alias = "reversible_numpath")]
            pub const fn num_paths(&self) -> u8 {
                self.0$(.$path)?.reversible_numpath & 0x7f
            }

            /// The same with this number of paths; `None` above 7 bits.
            #[must_use]
            #[inline]
            pub const fn with_num_paths(mut self, paths: u8) -> Option<Self> {
                let ..=0x7f = paths else { return None };
                self.0$(.$path)?.reversible_numpath = self.0$(.$path)?.reversible_numpath & 0x80 | paths;
                Some(self)
            }

            /// Partition key.
            #[must_use]
            #[inline]
            pub const fn pkey(&self) -> Pkey {
                Pkey::from_raw(self.0$(.$path)?.pkey.get())
            }

            /// The same with this partition key.
            #[must_use]
            #[inline]
            pub const fn with_pkey(mut self, pkey: Pkey) -> Self {
                self.0$(.$path)?.pkey = U16::new(pkey.to_raw());
                self
            }

            /// QoS class, 12 bits.
            #[must_use]
            #[inline]
            #[doc(alias = "qosclass_sl")]
            pub const fn qos_class(&self) -> u16 {
                self.0$(.$path)?.qosclass_sl.get() >> 4
            }

            /// The same with this QoS class; `None` above 12 bits.
            #[must_use]
            #[inline]
            pub const fn with_qos_class(mut self, class: u16) -> Option<Self> {
                let ..=0x0fff = class else { return None };
                let level = self.0$(.$path)?.qosclass_sl.get() & 0x000f;
                self.0$(.$path)?.qosclass_sl = U16::new(class << 4 | level);
                Some(self)
            }

            /// Service level, 4 bits.
            #[must_use]
            #[inline]
            #[doc(alias = "qosclass_sl")]
            pub const fn service_level(&self) -> u8 {
                let [_, low] = self.0$(.$path)?.qosclass_sl.to_bytes();
                low & 0x0f
            }

            /// The same with this service level; `None` above 4 bits.
            #[must_use]
            #[inline]
            pub const fn with_service_level(mut self, level: u8) -> Option<Self> {
                let ..=0x0f = level else { return None };
                let [high, low] = self.0$(.$path)?.qosclass_sl.to_bytes();
                self.0$(.$path)?.qosclass_sl = U16::from_bytes([high, low & 0xf0 | level]);
                Some(self)
            }

            /// Maximum transmission unit, selector and code.
            #[must_use]
            #[inline]
            pub const fn mtu(&self) -> Mtu {
                Mtu::from_raw(self.0$(.$path)?.mtu)
            }

            /// The same with this MTU.
            #[must_use]
            #[inline]
            pub const fn with_mtu(mut self, mtu: Mtu) -> Self {
                self.0$(.$path)?.mtu = mtu.to_raw();
                self
            }

            /// Static rate, selector and code.
            #[must_use]
            #[inline]
            pub const fn rate(&self) -> Rate {
                Rate::from_raw(self.0$(.$path)?.rate)
            }

            /// The same with this rate.
            #[must_use]
            #[inline]
            pub const fn with_rate(mut self, rate: Rate) -> Self {
                self.0$(.$path)?.rate = rate.to_raw();
                self
            }

            /// How long a packet may live on this path, selector and code.
            #[must_use]
            #[inline]
            #[doc(alias = "packetlifetime")]
            pub const fn packet_life_time(&self) -> PacketLifeTime {
                PacketLifeTime::from_raw(self.0$(.$path)?.packetlifetime)
            }

            /// The same with this packet life time.
            #[must_use]
            #[inline]
            pub const fn with_packet_life_time(mut self, time: PacketLifeTime) -> Self {
                self.0$(.$path)?.packetlifetime = time.to_raw();
                self
            }

            /// Rank among the paths that fit a query, 0 first.
            #[must_use]
            #[inline]
            pub const fn preference(&self) -> u8 {
                self.0$(.$path)?.preference
            }

            /// The same with this preference.
            #[must_use]
            #[inline]
            pub const fn with_preference(mut self, preference: u8) -> Self {
                self.0$(.$path)?.preference = preference;
                self
            }
        }
    };
}

fields!(PathRecord);
fields!(PathData, path);
