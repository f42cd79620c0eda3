//! How long absence and silence last.

use super::*;
use std::thread;

const SECOND: Duration = Duration::from_secs(1);
const USUAL: (Duration, Duration) = (SECOND, Duration::from_secs(30));
const WAITED: Duration = Duration::from_millis(250);

fn memory() -> Memory {
    Memory::new()
}

#[test]
fn absence_lasts_as_long_as_it_is_told() {
    let memory = memory();
    assert!(!memory.is_absent(0) && !memory.is_absent(5000));
    memory.absent(5000, SECOND);
    assert!(memory.is_absent(5000) && memory.is_absent(5999));
    assert!(!memory.is_absent(6000));
    memory.absent(6000, Duration::ZERO);
    assert!(!memory.is_absent(6000));
    memory.absent(7000, Duration::MAX);
    assert!(memory.is_absent(u64::MAX - 1));
    memory.active();
    assert!(!memory.is_absent(7000));
}

#[test]
fn three_time_outs_in_a_row_are_a_silence() {
    let memory = memory();
    memory.timed_out(1000, WAITED, USUAL);
    memory.timed_out(1300, WAITED, USUAL);
    assert_eq!(memory.silent_for(1300), None);
    memory.active();
    for now in [2000, 2300] {
        memory.timed_out(now, WAITED, USUAL);
        assert_eq!(memory.silent_for(now), None);
    }
    memory.timed_out(2600, WAITED, USUAL);
    assert_eq!(memory.silent_for(3599), Some(Duration::from_millis(251)));
    assert_eq!(memory.silent_for(3600), None);
    memory.active();
    assert_eq!(memory.silent_for(2600), None);
}

#[test]
fn silence_doubles_up_to_the_longest() {
    let memory = memory();
    let mut now = 1000;
    memory.timed_out(now, WAITED, USUAL);
    memory.timed_out(now, WAITED, USUAL);
    for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
        memory.timed_out(now, WAITED, USUAL);
        now += seconds * 1000;
        assert!(memory.silent_for(now - 1).is_some(), "{seconds}");
        assert_eq!(memory.silent_for(now), None, "{seconds}");
    }
    // However often; and one reply starts from the beginning.
    for _ in 0..100 {
        memory.timed_out(now, WAITED, USUAL);
        now += 30_000;
        assert!(memory.silent_for(now - 1).is_some() && memory.silent_for(now).is_none());
    }
    memory.active();
    memory.timed_out(now, WAITED, USUAL);
    memory.timed_out(now, WAITED, USUAL);
    assert_eq!(memory.silent_for(now), None);
    memory.timed_out(now, WAITED, USUAL);
    assert!(memory.silent_for(now + 999).is_some() && memory.silent_for(now + 1000).is_none());
}

#[test]
fn callers_that_waited_together_make_one_silence() {
    let memory = memory();
    for _ in 0..64 {
        memory.timed_out(1000, WAITED, USUAL);
    }
    assert!(memory.silent_for(1999).is_some());
    assert_eq!(memory.silent_for(2000), None);
    // The longest of them is what is known.
    memory.timed_out(2000, WAITED, USUAL);
    memory.timed_out(2001, 3 * SECOND, USUAL);
    memory.timed_out(2002, WAITED, USUAL);
    assert_eq!(memory.silent_for(3999), Some(Duration::from_millis(3001)));
    assert_eq!(memory.silent_for(4000), None);
}

#[test]
fn a_silence_may_be_none_or_without_end() {
    let memory = memory();
    for now in 0..20 {
        memory.timed_out(1000 + now, WAITED, (Duration::ZERO, Duration::ZERO));
        assert_eq!(memory.silent_for(1000 + now), None);
    }
    memory.timed_out(2000, Duration::MAX, (Duration::MAX, Duration::MAX));
    assert_eq!(memory.silent_for(1 << 39), Some(Duration::from_millis((1 << 17) - 1)));
}

#[test]
fn a_word_holds_every_silence() {
    for (until, waited, doubled, in_a_row) in
        [(0, 0, 0, 0), (1, 2, 3, 1), ((1 << 40) - 1, (1 << 17) - 1, 31, 3), (1 << 39, 1 << 16, 16, 2)]
    {
        let silence = Silence { until, waited, doubled, in_a_row };
        assert_eq!(Silence::from_word(silence.to_word()), silence);
    }
    let beyond = Silence { until: u64::MAX, waited: u64::MAX, doubled: u64::MAX, in_a_row: u64::MAX };
    let most = Silence { until: (1 << 40) - 1, waited: (1 << 17) - 1, doubled: 31, in_a_row: 3 };
    assert_eq!(Silence::from_word(beyond.to_word()), most);
}

#[test]
fn each_daemon_has_its_own_memory_as_long_as_there_is_room() {
    let memories = Memories::new();
    assert!(memories.find(7).is_none());
    // All would like to be at the same place.
    let keys = (1..=64_u64).map(|n| n * 64);
    for key in keys.clone() {
        memories.find_or_make(key).unwrap().absent(key, SECOND);
        assert!(memories.find_or_make(key).unwrap().is_absent(key));
    }
    for key in keys {
        let memory = memories.find(key).unwrap();
        assert!(memory.is_absent(key + 999) && !memory.is_absent(key + 1000), "{key}");
    }
    assert!(memories.find(7).is_none() && memories.find_or_make(7).is_none());
}

#[test]
fn threads_that_are_first_agree() {
    let memories = Memories::new();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for key in 1..=64 {
                    let memory: *const Memory = memories.find_or_make(key * 64).unwrap();
                    assert!(std::ptr::eq(memories.find(key * 64).unwrap(), memory));
                }
            });
        }
    });
    assert!(memories.0.iter().all(|memory| memory.key.load(Relaxed) != 0));
}
