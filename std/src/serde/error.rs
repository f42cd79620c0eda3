//! Errors.

use super::displayed;
use crate::Error;
use rdma_addrinfo_core::ErrorKind;
use serde::{Serialize, Serializer};

/// The message is that of `Display`; `errno` is present only if the code is -1.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Error")]
        struct View<'a> {
            kind: ErrorKind,
            code: i32,
            #[serde(skip_serializing_if = "Option::is_none")]
            errno: Option<i32>,
            node: Option<String>,
            service: Option<String>,
            #[serde(serialize_with = "displayed")]
            message: &'a Error,
        }
        let core = self.to_core();
        View {
            kind: core.kind(),
            code: core.code(),
            errno: core.errno(),
            node: self.node(),
            service: self.service(),
            message: self,
        }
        .serialize(serializer)
    }
}
