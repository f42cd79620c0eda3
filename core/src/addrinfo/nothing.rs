//! The storage of what has none.

use super::{Entry, Storage};
use crate::route::PathData;
use core::ffi::CStr;

/// A storage without anything, and without room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nothing;

impl Storage for Nothing {
    fn push(&mut self, _: Entry) -> bool {
        false
    }

    fn entries(&self) -> &[Entry] {
        &[]
    }

    fn entries_mut(&mut self) -> &mut [Entry] {
        &mut []
    }

    fn push_paths(&mut self, _: &mut dyn Iterator<Item = PathData>) -> bool {
        false
    }

    fn paths(&self) -> &[PathData] {
        &[]
    }

    fn set_name(&mut self, _: &CStr) -> bool {
        false
    }

    fn name(&self) -> Option<&CStr> {
        None
    }

    fn clear(&mut self) {}
}
