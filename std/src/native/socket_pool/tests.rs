//! What is kept, what gives way, what is lost.

use super::*;
use crate::native::fork_id::tests::in_child;
use std::cell::Cell;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering::SeqCst};

/// Stands for a socket: which table of descriptors it is in, and what became of it.
#[derive(Debug)]
struct Fake {
    number: u32,
    table: u32,
    closed: &'static AtomicU32,
}

thread_local! {
    static TABLE: Cell<u32> = const { Cell::new(1) };
    /// What other threads do while the next socket is looked at.
    static WHILE_LOOKED_AT: Cell<Option<Box<dyn FnOnce()>>> = const { Cell::new(None) };
}

impl Recognize for Fake {
    fn is_recognized(&self) -> bool {
        if let Some(meanwhile) = WHILE_LOOKED_AT.take() {
            meanwhile();
        }
        self.table == TABLE.get()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        if self.is_recognized() {
            self.closed.fetch_add(1, SeqCst);
        }
    }
}

type Pool = SocketPool<char, Fake>;

/// A pool, its count of those that were closed, and a maker of sockets in the table of the thread.
fn pool() -> (Pool, &'static AtomicU32) {
    // Enough for the tests of this file, and none leaks.
    static COUNTS: [AtomicU32; 16] = [const { AtomicU32::new(0) }; 16];
    static USED: AtomicUsize = AtomicUsize::new(0);
    (Pool::new(), &COUNTS[USED.fetch_add(1, SeqCst)])
}

fn fake(number: u32, closed: &'static AtomicU32) -> Fake {
    Fake { number, table: TABLE.get(), closed }
}

fn take(pool: &Pool, key: char) -> Option<u32> {
    let taken = std::mem::ManuallyDrop::new(pool.take(key)?);
    Some(taken.number)
}

#[test]
fn what_is_kept_is_taken_once_by_its_key() {
    let (pool, closed) = pool();
    assert_eq!(take(&pool, 'a'), None);
    pool.keep('a', fake(7, closed));
    assert_eq!(take(&pool, 'b'), None);
    assert_eq!(take(&pool, 'a'), Some(7));
    assert_eq!((take(&pool, 'a'), closed.load(SeqCst)), (None, 0));
}

#[test]
fn eight_are_kept_and_the_others_closed() {
    let (pool, closed) = pool();
    for number in 0..12 {
        pool.keep('a', fake(number, closed));
    }
    assert_eq!(closed.load(SeqCst), 4);
    for number in 0..8 {
        assert_eq!(take(&pool, 'a'), Some(number));
    }
    assert_eq!(take(&pool, 'a'), None);
}

#[test]
fn one_with_another_key_gives_way() {
    let (pool, closed) = pool();
    for number in 0..8 {
        pool.keep('a', fake(number, closed));
    }
    pool.keep('b', fake(8, closed));
    assert_eq!(closed.load(SeqCst), 1);
    assert_eq!(take(&pool, 'b'), Some(8));
    assert_eq!((1..8).map(|_| take(&pool, 'a')).collect::<Vec<_>>(), (1..8).map(Some).collect::<Vec<_>>());
    assert_eq!(take(&pool, 'a'), None);
}

#[test]
fn tables_of_descriptors_share_a_pool() {
    let (pool, closed) = pool();
    let mut opened = 0;
    for round in 0..400 {
        TABLE.set(round % 2);
        let socket = pool.take('a').unwrap_or_else(|| {
            opened += 1;
            fake(opened, closed)
        });
        pool.keep('a', socket);
    }
    TABLE.set(1);
    assert_eq!((opened, closed.load(SeqCst)), (2, 0));
}

#[test]
fn a_full_pool_loses_so_many_to_other_tables_and_no_more() {
    let (pool, closed) = pool();
    let mut opened = 0;
    // More tables than there are places.
    for round in 0..2000 {
        TABLE.set(round % 10);
        let socket = pool.take('a').unwrap_or_else(|| {
            opened += 1;
            fake(opened, closed)
        });
        pool.keep('a', socket);
    }
    TABLE.set(1);
    let lost = opened - closed.load(SeqCst);
    assert!(lost <= MOST_FORGOTTEN + 8, "{lost} of {opened}");
    assert!(lost > 8 && opened > MOST_FORGOTTEN + 8, "none gave way");
}

#[test]
fn what_a_program_closed_gives_way() {
    let (pool, closed) = pool();
    for number in 0..8 {
        pool.keep('a', fake(number, closed));
    }
    // All numbers mean something else now.
    TABLE.set(2);
    for round in 0..20 {
        assert_eq!(take(&pool, 'a'), if round == 0 { None } else { Some(99 + round) }, "{round}");
        pool.keep('a', fake(100 + round, closed));
    }
    assert_eq!(closed.load(SeqCst), 0);
    pool.clear();
    assert_eq!(closed.load(SeqCst), 1);
    TABLE.set(1);
    // Those of the other table are still its own.
    assert_eq!((0..8).filter(|_| take(&pool, 'a').is_some()).count(), 7);
}

/// One that [`SocketPool::clear`] does not recognize is as doubtful as one that [`SocketPool::take`] does not.
#[test]
fn what_clear_did_not_recognize_gives_way() {
    let (pool, closed) = pool();
    for number in 0..8 {
        pool.keep('a', fake(number, closed));
    }
    TABLE.set(2);
    pool.clear();
    pool.keep('a', fake(8, closed));
    assert_eq!((take(&pool, 'a'), closed.load(SeqCst)), (Some(8), 0));
}

#[test]
fn one_with_another_key_gives_way_before_one_that_was_not_recognized() {
    let (pool, closed) = pool();
    for number in 0..7 {
        pool.keep('a', fake(number, closed));
    }
    pool.keep('b', fake(7, closed));
    TABLE.set(2);
    assert_eq!(take(&pool, 'a'), None);
    // That of `b` gives way, though those of `a` were not recognized.
    pool.keep('a', fake(8, closed));
    TABLE.set(1);
    assert_eq!(take(&pool, 'b'), None);
    assert_eq!((0..8).filter(|_| take(&pool, 'a').is_some()).count(), 7);
}

/// Another thread puts sockets into the pool while one that was taken out is looked at.
#[test]
fn one_whose_slot_was_taken_meanwhile_is_counted_as_lost() {
    static CLOSED: AtomicU32 = AtomicU32::new(0);
    static POOLS: [Pool; 2] = [const { Pool::new() }; 2];
    for (pool, clears) in POOLS.iter().zip([false, true]) {
        pool.keep('a', fake(0, &CLOSED));
        TABLE.set(2);
        WHILE_LOOKED_AT
            .set(Some(Box::new(|| (1..9).for_each(|number| pool.keep('b', fake(number, &CLOSED))))));
        if clears {
            pool.clear();
        } else {
            assert_eq!(take(pool, 'a'), None);
        }
        assert_eq!(pool.0.with(|slots| slots.forgotten), Some(1));
        TABLE.set(1);
        assert_eq!(take(pool, 'a'), None);
    }
}

#[test]
fn a_child_closes_its_copies_and_begins_anew() {
    static CLOSED: AtomicU32 = AtomicU32::new(0);
    static POOL: Pool = Pool::new();
    for number in 0..8 {
        POOL.keep('a', fake(number, &CLOSED));
    }
    let code = in_child(|| {
        let inherited = take(&POOL, 'a').is_some();
        POOL.keep('a', fake(9, &CLOSED));
        u8::from(!inherited && CLOSED.load(SeqCst) == 8 && take(&POOL, 'a') == Some(9))
    });
    assert_eq!(code, Some(1));
    assert_eq!((CLOSED.load(SeqCst), take(&POOL, 'a')), (0, Some(0)));
}

#[test]
fn a_lock_that_the_fork_found_taken_stays_with_the_parent() {
    static CLOSED: AtomicU32 = AtomicU32::new(0);
    static POOL: Pool = Pool::new();
    static CODE: AtomicI32 = AtomicI32::new(-1);
    POOL.keep('a', fake(7, &CLOSED));
    POOL.0.with(|_| {
        let code = in_child(|| {
            POOL.keep('a', fake(9, &CLOSED));
            u8::from(take(&POOL, 'a') == Some(9) && take(&POOL, 'a').is_none())
        });
        CODE.store(code.unwrap_or(-1), SeqCst);
    });
    assert_eq!((CODE.load(SeqCst), take(&POOL, 'a')), (1, Some(7)));
}
