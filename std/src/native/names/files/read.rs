//! Reading a file whole, and telling later whether it is still the same.

use rustix::fs::{AtFlags, CWD, FsWord, Mode, OFlags, Statx, StatxFlags, fstatfs, open, statx};
use rustix::io::{Errno, read};
use rustix::time::{ClockId, clock_gettime};
use std::ffi::CStr;
use std::os::fd::OwnedFd;

/// The longest file that is read, in bytes.
const LONGEST: usize = 64 << 20;

/// A file that changed so recently, in nanoseconds, may change again without another time: the clock of file systems
/// ticks 100 times a second at least.
const TICK: i128 = 20_000_000;

/// The same where a file system seems to keep whole seconds; some keep every second of them.
const WHOLE_SECONDS: i128 = 2_100_000_000;

const SECOND: i128 = 1_000_000_000;

/// What a server would have to be asked for is no file of ours. The crate names this flag of statx(2) only for glibc.
const STATX_DONT_SYNC: AtFlags = AtFlags::from_bits_retain(0x4000);

/// File systems whose files no other machine and no program writes: there each change shows in the times at once.
const LOCAL: [u64; 11] = [
    0xEF53,      // ext2, ext3, ext4
    0x5846_5342, // xfs
    0x9123_683E, // btrfs
    0x0102_1994, // tmpfs
    0x8584_58F6, // ramfs
    0x794C_7630, // overlayfs
    0x7371_7368, // squashfs
    0xE0F5_E1E2, // erofs
    0xF2F5_2010, // f2fs
    0x2FC1_2FC1, // zfs
    0xCA45_1A4E, // bcachefs
];

/// What tells a file and its state from all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    mount: u64,
    device: (u32, u32),
    inode: u64,
    size: u64,
    /// Nanoseconds since 1970.
    modified: i128,
    /// The same of the last change of anything.
    changed: i128,
    is_file: bool,
}

impl Stamp {
    /// That of the file at a path, as the calling thread sees it now.
    pub(super) fn of(path: &CStr) -> Option<Self> {
        statx(CWD, path, STATX_DONT_SYNC, wanted()).ok().map(Self::from)
    }

    fn of_open(fd: &OwnedFd) -> Option<Self> {
        statx(fd, c"", AtFlags::EMPTY_PATH | STATX_DONT_SYNC, wanted()).ok().map(Self::from)
    }

    /// Whether every change after `now` gets another time than those the file has.
    fn is_settled(&self, now: i128) -> bool {
        let tick =
            if self.modified % SECOND == 0 || self.changed % SECOND == 0 { WHOLE_SECONDS } else { TICK };
        self.modified.max(self.changed) + tick < now
    }
}

fn wanted() -> StatxFlags {
    StatxFlags::BASIC_STATS | StatxFlags::MNT_ID
}

impl From<Statx> for Stamp {
    fn from(stat: Statx) -> Self {
        let time = |seconds: i64, nanoseconds: u32| i128::from(seconds) * SECOND + i128::from(nanoseconds);
        Self {
            mount: stat.stx_mnt_id,
            device: (stat.stx_dev_major, stat.stx_dev_minor),
            inode: stat.stx_ino,
            size: stat.stx_size,
            modified: time(stat.stx_mtime.tv_sec, stat.stx_mtime.tv_nsec),
            changed: time(stat.stx_ctime.tv_sec, stat.stx_ctime.tv_nsec),
            is_file: stat.stx_mode & 0o170_000 == 0o100_000,
        }
    }
}

/// The clock that file systems take their times from, in nanoseconds since 1970.
fn now() -> i128 {
    let now = clock_gettime(ClockId::RealtimeCoarse);
    i128::from(now.tv_sec) * SECOND + i128::from(now.tv_nsec)
}

/// A file whole. `None` if it cannot be told later whether it has changed, as when it was changed just now or is on a file
/// system of the network or of a program; also if it cannot be read, is no regular file, is too long, changes
/// meanwhile, or memory runs out, or `goes_on`, which is asked now and then, says no.
pub(super) fn settled(path: &CStr, goes_on: impl Fn() -> bool) -> Option<(Stamp, Vec<u8>)> {
    let begun = now();
    let fd = opened(path).ok()?;
    let stamp = Stamp::of_open(&fd).filter(|stamp| stamp.is_file && stamp.is_settled(begun))?;
    // The type is a C integer of some kind.
    #[allow(clippy::unnecessary_cast)]
    let kind = fstatfs(&fd).ok()?.f_type as FsWord as u64 & 0xFFFF_FFFF;
    if !LOCAL.contains(&kind) {
        return None;
    }
    let text = whole(&fd, usize::try_from(stamp.size).ok()?, LONGEST, goes_on)?;
    (Stamp::of_open(&fd)? == stamp).then_some((stamp, text))
}

/// A small file whole; empty if it is not there.
pub(super) fn small(path: &CStr) -> Option<Vec<u8>> {
    match opened(path) {
        Ok(fd) => whole(&fd, 4096, 64 << 10, || true),
        Err(Errno::NOENT) => Some(Vec::new()),
        Err(_) => None,
    }
}

/// Whether there is surely nothing at this path.
pub(super) fn is_absent(path: &CStr) -> bool {
    matches!(statx(CWD, path, STATX_DONT_SYNC, StatxFlags::TYPE), Err(Errno::NOENT | Errno::NOTDIR))
}

fn opened(path: &CStr) -> rustix::io::Result<OwnedFd> {
    // Without a wait for a writer, should it be a pipe.
    open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK, Mode::empty())
}

/// Reads to the end, which is expected at `size` and comes at `longest` at the latest.
fn whole(fd: &OwnedFd, size: usize, longest: usize, goes_on: impl Fn() -> bool) -> Option<Vec<u8>> {
    const PIECE: usize = 1 << 20;

    if size > longest {
        return None;
    }
    let mut text = Vec::new();
    // One byte more, so that the end is seen.
    text.try_reserve_exact(size + 1).ok()?;
    loop {
        if text.len() > longest || !goes_on() {
            return None;
        }
        let len = text.len();
        text.try_reserve(1).ok()?;
        text.resize(text.capacity().min(len + PIECE), 0);
        match read(fd, text.get_mut(len..)?) {
            Ok(0) => {
                text.truncate(len);
                return Some(text);
            }
            Ok(got) => text.truncate(len + got),
            Err(Errno::INTR) => text.truncate(len),
            Err(_) => return None,
        }
    }
}
