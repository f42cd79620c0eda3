//! Results of a fixed capacity against those on the heap, through any resolutions one after the other.

use crate::resolve::{bounded, fields, rest};
use crate::script::Script;
use rdma_addrinfo_core::{AddrInfoList, Error, HeapResults, Results, Step, start};
use std::ffi::CString;

const ADDRESSES: usize = 3;
const PATHS: usize = 4;
/// The longest name, in bytes.
const NAME: usize = 255;

type Outcome<'r> = Result<AddrInfoList<'r>, Error>;

/// Checks one input: a line of letters, each a resolution, and a script of requests and answers.
pub fn check(bytes: &[u8]) {
    let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
    let (calls, script) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let script = Script::new(script);
    let mut buffer = [0; 288];
    let Some(hints) = script.hints(&mut buffer) else { return };
    let request = script.request(hints.as_ref());

    let (mut fixed, mut heap) = (Results::<ADDRESSES, PATHS>::new(), HeapResults::new());
    for (at, call) in calls.iter().take(24).enumerate() {
        match call % 8 {
            // Left at the first question.
            0 => {
                let [done, other] = [start(request, &mut fixed), start(request, &mut heap)]
                    .map(|step| matches!(step, Step::Done(Ok(_))));
                assert_eq!((fixed.list().is_empty(), heap.list().is_empty()), (!done, !other));
                assert!(other || !done);
            }
            1..=3 => compare(request.resolve_literal(&mut fixed), request.resolve_literal(&mut heap)),
            4 | 5 => {
                let letter = b'a' + u8::try_from(at).expect("a few calls");
                let name = CString::new(vec![letter; usize::from(*call) + at]).expect("letters");
                let answers = script.answers().named(&name);
                let fixed = answers.clone().drive(request, &mut fixed);
                let heap = answers.clone().drive(request, &mut heap);
                if let (Ok(fixed), Ok(heap)) = (fixed, heap)
                    && name.count_bytes() > NAME
                    && heap.iter().any(|info| info.src_canonname().or(info.dst_canonname()).is_some())
                {
                    assert!(fixed.is_truncated());
                    assert!(
                        fixed.iter().all(|info| (info.src_canonname(), info.dst_canonname()) == (None, None))
                    );
                }
                compare(fixed, heap);
            }
            _ => compare(
                script.answers().drive(request, &mut fixed),
                script.answers().drive(request, &mut heap),
            ),
        }
        // What was returned is there until the next one.
        let again = script.answers().drive(request, &mut heap).ok().map(shown);
        let list = heap.list();
        assert_eq!(shown(list), again.unwrap_or_default());
        assert_eq!(shown(heap.clone().list()), shown(list));
        assert!(!list.is_truncated());
    }
}

fn shown(list: AddrInfoList<'_>) -> Vec<String> {
    assert_eq!(list.len(), list.iter().count());
    let (least, most) = list.iter().size_hint();
    assert!(least <= list.len() && most.is_some_and(|most| most >= list.len()));
    list.iter().map(|info| format!("{:?} {:?}", fields(info), rest(info))).collect()
}

/// Those of a fixed capacity are those on the heap, as far as they fit.
fn compare(fixed: Outcome<'_>, heap: Outcome<'_>) {
    bounded(&fixed, &heap);
    let (Ok(fixed), Ok(heap)) = (fixed, heap) else { return };
    let paths: usize = heap.iter().map(|info| info.route().len()).sum();
    let longest = heap.iter().filter_map(|info| info.src_canonname().or(info.dst_canonname())).next();
    // An address has at most two results, and may have none where only AF_IB entries are wanted.
    let ip = heap.iter().all(|info| info.family().to_raw() != 27);
    if ip
        && heap.len() <= ADDRESSES
        && paths <= PATHS
        && longest.is_none_or(|name| name.count_bytes() <= NAME)
    {
        assert!(!fixed.is_truncated());
    }
    assert!(fixed.len() <= 2 * ADDRESSES);
    assert!(heap.len() <= 2 * ADDRESSES || fixed.is_truncated());
}
