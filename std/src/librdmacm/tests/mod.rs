//! Tests of the module without librdmacm: functions of these tests stand in for it.

mod calls;
mod guard;
mod lists;
mod loading;
mod stub;
