//! Tests of the room, without librdmacm: its functions are played by functions of these tests.

mod calls;
mod lists;
mod loading;
mod plans;
mod stub;
