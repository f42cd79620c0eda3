//! Numbers that cannot be guessed, where the system has any.

use super::{clock, fork_id};
use rustix::rand::{GetRandomFlags, getrandom};
use rustix::time::{ClockId, clock_gettime};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A number that was not used before in this process nor in one that it was forked from, but for a chance of 2^-64.
///
/// Others cannot guess it, unless the system gives no random numbers: getrandom(2) is missing, refused by a sandbox, or
/// not ready so early after the machine's start. Then it is made of the clock, an address and the process, and says
/// which it is to whoever knows these.
pub(super) fn unused() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);

    let mut hasher = DefaultHasher::new();
    (seed(), fork_id::identity(), COUNT.fetch_add(1, Relaxed)).hash(&mut hasher);
    hasher.finish()
}

/// The secret of this process and those forked from it.
fn seed() -> [u64; 2] {
    /// 0 before it is known. Whoever is first decides, for each word.
    static SEED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

    let known = SEED.each_ref().map(|word| word.load(Relaxed));
    if !known.contains(&0) {
        return known;
    }
    let new = from_system().unwrap_or_else(from_circumstances);
    let settle = |word: &AtomicU64, new: u64| {
        word.compare_exchange(0, new.max(1), Relaxed, Relaxed).unwrap_or_else(|others| others)
    };
    let ([first, second], [one, other]) = (&SEED, new);
    settle(first, one);
    settle(second, other);
    SEED.each_ref().map(|word| word.load(Relaxed))
}

fn from_system() -> Option<[u64; 2]> {
    let mut bytes = [[0; 8]; 2];
    // So few bytes come at once or not at all.
    let len = getrandom(bytes.as_flattened_mut(), GetRandomFlags::NONBLOCK).ok()?;
    (len == size_of_val(&bytes)).then(|| bytes.map(u64::from_ne_bytes))
}

/// What differs from one process to the next, and from one machine to the next.
fn from_circumstances() -> [u64; 2] {
    [ClockId::Realtime, ClockId::Monotonic].map(|clock| {
        let time = clock_gettime(clock);
        let mut hasher = DefaultHasher::new();
        // Where the kernel has put the stack and the program.
        let addresses =
            [(&raw const hasher).addr(), (from_circumstances as fn() -> [u64; 2] as *const ()).addr()];
        (time.tv_sec, time.tv_nsec, clock::now(), addresses, fork_id::identity()).hash(&mut hasher);
        hasher.finish()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::fork_id::tests::in_child;
    use std::collections::HashSet;

    #[test]
    fn no_number_comes_twice() {
        let seen: HashSet<u64> = (0..10_000).map(|_| unused()).collect();
        assert_eq!(seen.len(), 10_000);
    }

    /// Each child has the seed and the count of its parent.
    #[test]
    fn no_number_comes_in_two_children() {
        unused();
        let seen: HashSet<i32> = (0..16).map(|_| in_child(|| unused() as u8).unwrap()).collect();
        // All the same by chance: once in 2^120.
        assert!(seen.len() > 1, "{seen:?}");
    }

    #[test]
    fn who_knows_all_but_the_seed_cannot_guess() {
        let number = unused();
        let hashed = |value: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            value(&mut hasher);
            hasher.finish()
        };
        let process = fork_id::identity();
        assert!((0..10_000_u64).all(|count| {
            number != hashed(&|hasher| (process, count).hash(hasher))
                && number != hashed(&|hasher| ([0_u64; 2], process, count).hash(hasher))
        }));
        // Neither of its words is the same in another run.
        assert!(!seed().contains(&0) && !seed().contains(&1) && seed()[0] != seed()[1]);
    }

    #[test]
    fn the_seed_stays_and_both_ways_make_one() {
        assert_eq!(seed(), seed());
        let (one, other) = (from_system().unwrap(), from_system().unwrap());
        assert!(one[0] != other[0] && one[1] != other[1]);
        let (one, other) = (from_circumstances(), from_circumstances());
        assert!(one != other && !one.contains(&0));
    }
}
