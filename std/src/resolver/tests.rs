//! Tests of the driver, with answers from a script, and of errors.

mod errors;
mod options;
mod script;
mod scripted;
mod trace;
