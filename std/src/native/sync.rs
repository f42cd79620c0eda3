//! The primitives that threads share state by: those of std, or in a model those that the model follows.

pub(super) use std::sync::atomic::AtomicU64;
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
pub(super) use std::thread::yield_now;
