//! Idle sockets: each has one user, and none is lost.

use super::fork_id::become_process;
use super::socket_pool::{Recognize, SocketPool};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use loom::thread;
use std::cell::Cell;

/// A socket in one of two tables of descriptors.
struct Fake {
    table: usize,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    opened: AtomicUsize,
    closed: AtomicUsize,
    forgotten: AtomicUsize,
}

loom::thread_local!(static TABLE: Cell<usize> = Cell::new(0));

fn table() -> usize {
    TABLE.with(Cell::get)
}

impl Fake {
    fn open(counts: &Arc<Counts>) -> Self {
        counts.opened.fetch_add(1, SeqCst);
        Self { table: table(), counts: Arc::clone(counts) }
    }
}

impl Recognize for Fake {
    fn is_recognized(&self) -> bool {
        self.table == table()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let count = if self.is_recognized() { &self.counts.closed } else { &self.counts.forgotten };
        count.fetch_add(1, SeqCst);
    }
}

type Pool = SocketPool<char, Fake>;

/// Takes a socket or opens one, and returns it to the pool.
fn ask(pool: &Pool, counts: &Arc<Counts>) {
    let socket = pool.take('a').unwrap_or_else(|| Fake::open(counts));
    assert_eq!(socket.table, table());
    pool.keep('a', socket);
}

fn counts(counts: &Counts) -> (usize, usize) {
    (counts.closed.load(SeqCst), counts.forgotten.load(SeqCst))
}

#[test]
fn two_threads_lose_no_socket() {
    loom::model(|| {
        become_process(1);
        let (pool, of) = (Arc::new(Pool::new()), Arc::new(Counts::default()));
        ask(&pool, &of);
        let other = {
            let (pool, of) = (Arc::clone(&pool), Arc::clone(&of));
            thread::spawn(move || ask(&pool, &of))
        };
        ask(&pool, &of);
        other.join().unwrap();
        assert_eq!(counts(&of), (0, 0));
        let opened = of.opened.load(SeqCst);
        let idle: Vec<Fake> = std::iter::from_fn(|| pool.take('a')).collect();
        assert_eq!(idle.len(), opened);
        assert!(opened <= 2);
    });
}

/// While one thread inspects a slot that only the other recognizes, the other uses its own.
#[test]
fn two_tables_of_descriptors_lose_no_socket() {
    loom::model(|| {
        become_process(1);
        let (pool, of) = (Arc::new(Pool::new()), Arc::new(Counts::default()));
        ask(&pool, &of);
        let other = {
            let (pool, of) = (Arc::clone(&pool), Arc::clone(&of));
            thread::spawn(move || {
                TABLE.with(|table| table.set(1));
                ask(&pool, &of);
            })
        };
        ask(&pool, &of);
        other.join().unwrap();
        assert_eq!(counts(&of), (0, 0));
    });
}
