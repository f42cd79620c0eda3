//! Results without a heap against vectors of the same room, through any calls and whole resolutions.

use crate::models::storage::Heap;
use crate::resolve;
use crate::script::Script;
use rdma_addrinfo_core::{Entry, PathData, Results, Storage};
use std::ffi::CString;

const ENTRIES: usize = 3;
const PATHS: usize = 4;
/// The longest name, in bytes.
const NAME: usize = 255;

/// Checks one input: a line of letters, each a call, and a script of requests and answers.
pub fn check(bytes: &[u8]) {
    let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
    let (calls, script) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let script = Script::new(script);
    let mut room = [0; 288];
    let Some(hints) = script.hints(&mut room) else { return };
    let request = script.request(hints.as_ref());

    // Entries and paths as they come.
    let mut whole = Heap::unbounded();
    let _ = script.answers().drive(request, &mut whole);
    let entries: Vec<Entry> = whole.entries().iter().copied().chain([Entry::EMPTY]).collect();

    let (mut ours, mut model) = (Results::<ENTRIES, PATHS>::new(), Heap::bounded(ENTRIES, PATHS, NAME));
    for (at, call) in calls.iter().take(24).enumerate() {
        match call % 8 {
            0 => {
                ours.clear();
                model.clear();
            }
            1 | 2 => {
                let entry = entries[usize::from(*call) % entries.len()];
                assert_eq!(ours.push(entry), model.push(entry));
            }
            3 | 4 => {
                let known = whole.paths().iter().copied().chain([PathData::ZERO.with_dlid(7)]).cycle();
                let paths = known.take(usize::from(call / 8) % 6);
                assert_eq!(ours.push_paths(&mut paths.clone()), model.push_paths(&mut paths.clone()));
            }
            5 => {
                let letter = b'a' + u8::try_from(at).expect("a few calls");
                let name = CString::new(vec![letter; usize::from(*call) + at]).expect("letters");
                assert_eq!(ours.set_name(&name), model.set_name(&name));
            }
            6 => {
                ours.entries_mut().reverse();
                model.entries_mut().reverse();
            }
            _ => {
                let ours = script.answers().drive(request, &mut ours);
                let model = script.answers().drive(request, &mut model);
                match (ours, model) {
                    (Ok(ours), Ok(model)) => {
                        assert_eq!(ours.is_truncated(), model.is_truncated());
                        assert_eq!(ours.start(), model.start());
                        assert!(ours.iter().map(resolve::fields).eq(model.iter().map(resolve::fields)));
                        assert!(ours.iter().map(resolve::rest).eq(model.iter().map(resolve::rest)));
                    }
                    (ours, model) => assert_eq!(ours.err(), model.err()),
                }
            }
        }
        assert!(ours.entries().len() <= ENTRIES && ours.paths().len() <= PATHS);
        assert_eq!(format!("{:?}", ours.entries()), format!("{:?}", model.entries()));
        assert_eq!((ours.paths(), ours.name()), (model.paths(), model.name()));
    }
}
