//! System calls that the kernel refuses a thread, as a sandbox does it: seccomp(2).

use std::env;

/// A system call and the `errno` that it gives.
pub(crate) type Refusal = (libc::c_long, i32);

/// Where the low half of the first argument is in seccomp_data.
const FIRST_ARGUMENT: u32 = if cfg!(target_endian = "big") { 20 } else { 16 };

/// Has the kernel refuse the calling thread, and those that it starts, these system calls from here on. False where it
/// cannot be asked to.
pub(crate) fn refuse(refusals: &[Refusal]) -> bool {
    refuse_some(refusals, None)
}

/// The same for calls with this first argument alone, if one is given.
fn refuse_some(refusals: &[Refusal], first: Option<u32>) -> bool {
    let instruction = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    // The number of the system call is the first word of seccomp_data.
    let mut filter = vec![instruction(0x20, 0, 0, 0)]; // BPF_LD | BPF_W | BPF_ABS
    for (call, errno) in refusals {
        let errno = libc::SECCOMP_RET_ERRNO | u32::try_from(*errno).unwrap();
        let call = u32::try_from(*call).unwrap();
        filter.push(instruction(0x15, 0, if first.is_some() { 3 } else { 1 }, call)); // BPF_JMP | BPF_JEQ | BPF_K
        if let Some(first) = first {
            filter.push(instruction(0x20, 0, 0, FIRST_ARGUMENT));
            filter.push(instruction(0x15, 0, 1, first));
        }
        filter.push(instruction(0x06, 0, 0, errno)); // BPF_RET | BPF_K
    }
    filter.push(instruction(0x06, 0, 0, libc::SECCOMP_RET_ALLOW));
    let program = libc::sock_fprog { len: u16::try_from(filter.len()).unwrap(), filter: filter.as_mut_ptr() };
    // SAFETY: prctl with these takes no pointer.
    let alone = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 };
    // SAFETY: `program` and the instructions that it counts are live locals; the kernel copies both.
    let filtered = alone
        && unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0 };
    assert!(filtered || env::var_os("CI").is_none_or(|ci| ci != "true"), "no seccomp(2) here");
    filtered
}

/// Runs `body` on a thread of its own that is refused these calls; `None` where that cannot be, which is told.
pub(crate) fn while_refused<T: Send>(refusals: &[Refusal], body: impl FnOnce() -> T + Send) -> Option<T> {
    on_thread(refusals, None, body)
}

/// Runs `body` on a thread of its own that gets no sockets of this family.
pub(crate) fn without_family<T: Send>(family: i32, errno: i32, body: impl FnOnce() -> T + Send) -> Option<T> {
    on_thread(&[(libc::SYS_socket, errno)], Some(u32::try_from(family).unwrap()), body)
}

fn on_thread<T: Send>(
    refusals: &[Refusal],
    first: Option<u32>,
    body: impl FnOnce() -> T + Send,
) -> Option<T> {
    let refused = std::thread::scope(|scope| {
        // A panic comes with the thread's own words.
        scope.spawn(|| refuse_some(refusals, first).then(body)).join().expect("the refused thread panicked")
    });
    if refused.is_none() {
        super::say("\n!!!!! SKIPPED: no seccomp(2) here !!!!!\n");
    }
    refused
}
