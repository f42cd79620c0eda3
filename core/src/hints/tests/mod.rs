//! Tests of the room: the builder and the rules, text, and hints from C.

mod foreign;
mod rules;
mod text;
