//! Routes: bytes to path records, every packed field by name and unit.
//!
//! A route is an array of [`PathData`] (C `ibv_path_data`, 72 bytes each): [`paths_from_bytes`] views one in
//! place. A route *hint* may also be an array of [`PathRecord`] (C `ibv_path_record`, 64 bytes each):
//! [`RouteHint`] tells them apart.
//!
//! Sources: InfiniBand Architecture Specification volume 1, subnet administration, PathRecord attribute;
//! `<infiniband/sa.h>` of rdma-core.

mod coded;
mod display;
mod fields;
mod flags;
mod hint;
mod path;

#[cfg(test)]
mod tests;

pub use coded::{Mtu, PacketLifeTime, Rate, Selector};
pub use flags::PathFlags;
pub use hint::RouteHint;
pub use path::{PathData, PathRecord, paths_from_bytes};
