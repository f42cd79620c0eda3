//! Errors.

use super::{Displayed, object};
use crate::error::{Error, ErrorKind};
use serde_core::{Serialize, Serializer};

/// The name.
impl Serialize for ErrorKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// `errno` only where the code is -1.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let errno = self.errno();
        object!(serializer, "Error", {
            "kind" => self.kind(),
            "code" => self.code(),
            "errno" if errno.is_some() => errno,
            "message" => Displayed(self),
        })
    }
}
