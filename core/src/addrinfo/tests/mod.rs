//! Tests of the room: results in foreign memory, and our own.

mod foreign;
mod own;
