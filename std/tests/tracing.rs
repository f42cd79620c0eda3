//! Steps as events of the crate `tracing`.

use rdma_addrinfo::{Ibacm, Resolver, ToTracing};
use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tracing::dispatcher::{Dispatch, set_global_default};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

static WANTED: AtomicBool = AtomicBool::new(false);
static EVENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps what is emitted, one text an event.
struct Keep;

impl Subscriber for Keep {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        WANTED.load(Relaxed) && metadata.target() == "rdma_addrinfo" && *metadata.level() == Level::DEBUG
    }

    fn register_callsite(&self, _: &'static Metadata<'static>) -> tracing::subscriber::Interest {
        tracing::subscriber::Interest::sometimes()
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        EVENTS.lock().unwrap().push(fields.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            // It is as long as it is.
            "elapsed_ns" => self.0 += "elapsed_ns;",
            name => self.0 += &format!("{name}={value:?};"),
        }
    }
}

#[test]
fn each_step_is_an_event_where_somebody_subscribes() {
    set_global_default(Dispatch::new(Keep)).unwrap();
    let resolver = Resolver::new().with_ibacm(Ibacm::OFF);
    let resolve = || {
        resolver.resolve_traced("127.0.0.1", "7471", None, &mut ToTracing).unwrap();
        std::mem::take(&mut *EVENTS.lock().unwrap())
    };
    assert_eq!(resolve(), [""; 0]);
    WANTED.store(true, Relaxed);
    assert_eq!(
        resolve(),
        [
            "question=\"route to 127.0.0.1:7471 (request: destination 127.0.0.1)\";answer=\"no ibacm\";elapsed_ns;",
            "question=\"source for 127.0.0.1:7471\";answer=\"127.0.0.1\";elapsed_ns;",
        ]
    );
}
