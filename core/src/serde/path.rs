//! Paths.

use super::{Hex, Microseconds, object};
use crate::route::PathData;
use serde_core::{Serialize, Serializer};

/// A code without a value is null.
impl Serialize for PathData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, "Path", {
            "flags" => self.flags(),
            "service_id" => self.service_id(),
            "sgid" => self.sgid(),
            "dgid" => self.dgid(),
            "slid" => self.slid(),
            "dlid" => self.dlid(),
            "flow_label" => self.flow_label(),
            "hop_limit" => self.hop_limit(),
            "traffic_class" => self.traffic_class(),
            "reversible" => self.is_reversible(),
            "num_paths" => self.num_paths(),
            "pkey" => self.pkey(),
            "qos_class" => self.qos_class(),
            "service_level" => self.service_level(),
            "mtu_selector" => self.mtu().selector(),
            "mtu_bytes" => self.mtu().bytes(),
            "rate_selector" => self.rate().selector(),
            "rate_mbit_per_s" => self.rate().megabits_per_second(),
            "packet_life_time_selector" => self.packet_life_time().selector(),
            "packet_life_time_us" => Microseconds(self.packet_life_time().duration()),
            "preference" => self.preference(),
            "bytes" => Hex(self.as_bytes()),
        })
    }
}
