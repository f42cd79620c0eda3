//! What the properties compare with, made without the library.

pub(crate) mod ibacm;
pub(crate) mod inet_aton;
pub(crate) mod strtoul;
