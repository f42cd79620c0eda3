//! The awaiting resolver under runtimes of every kind: each passes the same checks.

mod checks;
#[path = "../../../common/mod.rs"]
mod common;
mod kinds;
mod pollster;

use kinds::{Compio, Glommio, Monoio, MonoioEpoll, Runtime, Smol, TokioCurrentThread, TokioMultiThread};

/// The tests of a runtime. Each runs in a world of its own, which its closure is named for.
macro_rules! tests_of {
    ($($module:ident: $runtime:ty;)*) => {$(
        mod $module {
            use super::{Runtime, checks, common::skipped};
            use std::time::Duration;

            type R = $runtime;

            fn is_there() -> bool {
                let refused = R::refused();
                if let Some(why) = &refused {
                    skipped(stringify!($module), why);
                }
                refused.is_none()
            }

            #[test]
            fn answers_are_those_of_the_blocking_resolver() {
                if is_there() {
                    checks::SERVED.run(|| checks::same_answers::<R>());
                }
            }

            #[test]
            fn a_thousand_are_in_flight_and_the_runtime_is_dropped() {
                if is_there() {
                    checks::SILENT.run(|| checks::dropped_runtime::<R>());
                }
            }

            #[test]
            fn calls_are_cancelled_by_drop_select_and_timeout() {
                if is_there() {
                    checks::SILENT.run(|| checks::cancelled::<R>());
                }
            }

            #[test]
            fn the_deadline_counts_from_the_first_poll() {
                if is_there() {
                    checks::SILENT.run(|| checks::deadline::<R>());
                }
            }

            #[test]
            fn the_thread_of_the_tasks_is_not_blocked() {
                if is_there() {
                    checks::SERVED.run(|| checks::not_blocked::<R>());
                }
            }

            #[test]
            fn a_call_moves_from_one_executor_to_another() {
                if is_there() {
                    checks::SERVED.run(|| checks::moved::<R>());
                }
            }

            #[test]
            fn many_come_as_a_stream() {
                if is_there() {
                    checks::SERVED.run_within(Duration::from_secs(60), || checks::stream::<R>());
                }
            }
        }
    )*};
}

tests_of! {
    tokio_multi_thread: super::TokioMultiThread;
    tokio_current_thread: super::TokioCurrentThread;
    smol: super::Smol;
    compio: super::Compio;
    monoio: super::Monoio;
    monoio_epoll: super::MonoioEpoll;
    glommio: super::Glommio;
}
