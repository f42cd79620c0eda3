//! Name services for tests, examples and benchmarks of the awaiting resolver under the runtimes of others.

use rdma_addrinfo::{CoreError, Found, NameAnswer, NameQuery, NameService, Protocol};
use std::future::{Future, pending};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Instant;

/// What a service answers: this address of any name.
pub const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 53);

/// Never answers, and counts the questions that are awaited.
#[derive(Debug, Default)]
pub struct Stuck(AtomicUsize);

/// Taken back when the question is dropped.
struct Counted<'a>(&'a AtomicUsize);

impl Stuck {
    /// How many questions are awaited.
    pub fn awaited(&self) -> usize {
        self.0.load(SeqCst)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl NameService for Stuck {
    async fn look_up(&self, _: &NameQuery<'_>, _: Option<Instant>) -> Result<NameAnswer, CoreError> {
        self.0.fetch_add(1, SeqCst);
        let _counted = Counted(&self.0);
        pending().await
    }
}

/// Asks `F` for a future and answers [`ADDRESS`] when that is ready.
#[derive(Clone, Copy, Debug)]
pub struct After<F>(pub F);

impl<F: Fn() -> W + Send + Sync, W: Future<Output = ()> + Send> NameService for After<F> {
    async fn look_up(&self, _: &NameQuery<'_>, _: Option<Instant>) -> Result<NameAnswer, CoreError> {
        (self.0)().await;
        Ok(NameAnswer::new([Found { address: (ADDRESS, 0).into(), protocol: Protocol::Tcp }]))
    }
}
