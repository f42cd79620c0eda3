//! Tests of the room, without librdmacm: its functions are played by functions of these tests.

mod calls;
mod guard;
mod lists;
mod loading;
mod stub;
