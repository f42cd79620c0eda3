//! What the fuzz targets compare with, and how they read their input.

pub mod ibacm;
pub mod inet_aton;
pub mod script;
pub mod storage;
