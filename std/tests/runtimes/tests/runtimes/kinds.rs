//! The runtimes, as far as the checks need them.

use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// A runtime that the resolver has nothing to do with.
pub(crate) trait Runtime {
    /// Whether tasks that are not done are dropped with the runtime. Those of others live on in their wakers.
    const DROPS_TASKS: bool = true;

    /// Why this machine cannot have it.
    fn refused() -> Option<String> {
        None
    }

    /// Runs a task on a runtime that is made for it, and dropped after it with all that was spawned.
    fn run<T>(task: impl Future<Output = T>) -> T;

    /// Spawns a task on the runtime that this is called on.
    fn spawn(task: impl Future<Output = ()> + Send + 'static);

    /// Waits by the runtime's own timer.
    fn sleep(time: Duration) -> impl Future<Output = ()>;

    /// Awaits a future for so long, by the runtime's own means.
    fn timeout<T>(time: Duration, future: impl Future<Output = T>) -> impl Future<Output = Option<T>>;
}

pub(crate) struct TokioMultiThread;

pub(crate) struct TokioCurrentThread;

macro_rules! of_tokio {
    ($type:ident, $builder:expr) => {
        impl Runtime for $type {
            fn run<T>(task: impl Future<Output = T>) -> T {
                $builder.enable_all().build().unwrap().block_on(task)
            }

            fn spawn(task: impl Future<Output = ()> + Send + 'static) {
                tokio::spawn(task);
            }

            async fn sleep(time: Duration) {
                tokio::time::sleep(time).await;
            }

            async fn timeout<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
                tokio::time::timeout(time, future).await.ok()
            }
        }
    };
}

of_tokio!(TokioMultiThread, tokio::runtime::Builder::new_multi_thread().worker_threads(2));
of_tokio!(TokioCurrentThread, tokio::runtime::Builder::new_current_thread());

pub(crate) struct Smol;

thread_local! {
    static SMOL: RefCell<Option<Arc<smol::Executor<'static>>>> = const { RefCell::new(None) };
}

impl Runtime for Smol {
    fn run<T>(task: impl Future<Output = T>) -> T {
        let executor = Arc::new(smol::Executor::new());
        SMOL.set(Some(Arc::clone(&executor)));
        let outcome = smol::block_on(executor.run(task));
        SMOL.take();
        outcome
    }

    fn spawn(task: impl Future<Output = ()> + Send + 'static) {
        SMOL.with_borrow(|executor| executor.as_ref().unwrap().spawn(task).detach());
    }

    async fn sleep(time: Duration) {
        smol::Timer::after(time).await;
    }

    async fn timeout<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
        smol::future::or(async { Some(future.await) }, async {
            smol::Timer::after(time).await;
            None
        })
        .await
    }
}

pub(crate) struct Compio;

impl Runtime for Compio {
    fn run<T>(task: impl Future<Output = T>) -> T {
        compio::runtime::Runtime::new().unwrap().block_on(task)
    }

    fn spawn(task: impl Future<Output = ()> + Send + 'static) {
        compio::runtime::spawn(task).detach();
    }

    async fn sleep(time: Duration) {
        compio::time::sleep(time).await;
    }

    async fn timeout<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
        compio::time::timeout(time, future).await.ok()
    }
}

/// By io_uring.
pub(crate) struct Monoio;

/// By epoll(7).
pub(crate) struct MonoioEpoll;

macro_rules! of_monoio {
    ($type:ident, $driver:ty, $refused:expr) => {
        impl Runtime for $type {
            const DROPS_TASKS: bool = false;

            fn refused() -> Option<String> {
                $refused
            }

            fn run<T>(task: impl Future<Output = T>) -> T {
                monoio::RuntimeBuilder::<$driver>::new().enable_timer().build().unwrap().block_on(task)
            }

            fn spawn(task: impl Future<Output = ()> + Send + 'static) {
                drop(monoio::spawn(task));
            }

            async fn sleep(time: Duration) {
                monoio::time::sleep(time).await;
            }

            async fn timeout<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
                monoio::time::timeout(time, future).await.ok()
            }
        }
    };
}

of_monoio!(Monoio, monoio::IoUringDriver, {
    let driver = monoio::RuntimeBuilder::<monoio::IoUringDriver>::new().build();
    driver.err().map(|error| no_uring(&error))
});
of_monoio!(MonoioEpoll, monoio::LegacyDriver, None);

pub(crate) struct Glommio;

fn glommio() -> Result<glommio::LocalExecutor, glommio::GlommioError<()>> {
    // The least that may be locked here is asked for.
    glommio::LocalExecutorBuilder::default().io_memory(64 << 10).ring_depth(16).make()
}

impl Runtime for Glommio {
    const DROPS_TASKS: bool = false;

    fn refused() -> Option<String> {
        glommio().err().map(|error| no_uring(&io::Error::other(error.to_string())))
    }

    fn run<T>(task: impl Future<Output = T>) -> T {
        glommio().unwrap().run(task)
    }

    fn spawn(task: impl Future<Output = ()> + Send + 'static) {
        glommio::spawn_local(task).detach();
    }

    async fn sleep(time: Duration) {
        glommio::timer::sleep(time).await;
    }

    async fn timeout<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
        glommio::timer::timeout(time, async { Ok::<T, glommio::GlommioError<()>>(future.await) }).await.ok()
    }
}

fn no_uring(error: &io::Error) -> String {
    format!("the kernel refuses io_uring to this process: {error}")
}
