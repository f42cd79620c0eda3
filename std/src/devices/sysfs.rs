//! Reading sysfs, or another tree in its place: the numbers of files, names and bytes are bounded for any content. The time
//! is not: a file system that does not respond blocks the reader.

use super::natural;
use super::problem::{Problem, ProblemKind};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::{Errno, read, retry_on_intr};
use std::os::fd::OwnedFd;
use std::path::Path;

/// The maximum number of files and directories opened, and names read, in one tree.
const MAX_FILES: u32 = 1 << 18;

/// The maximum number of names read from one directory.
pub(super) const MAX_NAMES: usize = 4096;

/// The maximum size of a file in bytes: the kernel writes at most a page.
const MAX_BYTES: usize = 4096;

/// The maximum number of recorded problems.
const MAX_PROBLEMS: usize = 32;

/// The state of reading one tree: the remaining budget, and the problems.
#[derive(Debug)]
pub(super) struct Sysfs {
    files_left: u32,
    pub(super) problems: Vec<Problem>,
}

/// An open directory of the tree. Files are opened relative to it: the real path of a device has a dozen components, which
/// the kernel would otherwise walk for each entry of a GID table.
#[derive(Debug)]
pub(super) struct Folder {
    /// If it could not be opened, each file in it has the same error.
    fd: Result<OwnedFd, Errno>,
    /// The path below the root, empty for the root.
    path: String,
}

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A line of text, without the newline.
    Line(String),
    /// Nothing: the kernel returns EINVAL if an entry is empty, or of another network namespace.
    Nothing,
    /// There is no such file.
    Absent,
    /// It cannot be read; the problem is recorded.
    Unreadable,
}

impl Content {
    pub(super) fn line(self) -> Option<String> {
        match self {
            Self::Line(line) => Some(line),
            _ => None,
        }
    }
}

impl Folder {
    /// The root of the tree.
    pub(super) fn root(path: &Path) -> Self {
        Self { fd: openat(CWD, path, FOLDER, Mode::empty()), path: String::new() }
    }

    /// The path of a file below the root.
    fn path_of(&self, file: &str) -> String {
        if self.path.is_empty() { file.to_owned() } else { format!("{}/{file}", self.path) }
    }

    fn open(&self, file: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        openat(self.fd.as_ref().map_err(|errno| *errno)?, file, flags, Mode::empty())
    }
}

/// A directory to open files in; this needs no right to list it.
pub(super) const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A directory to list.
pub(super) const LIST: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A file to read. A pipe without a writer or a terminal does not block.
pub(super) const FILE: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

impl Sysfs {
    pub(super) const fn new() -> Self {
        Self { files_left: MAX_FILES, problems: Vec::new() }
    }

    /// Records a problem, unless there are too many.
    pub(super) fn note(&mut self, folder: &Folder, file: &str, kind: ProblemKind) {
        let kind = match self.problems.len() {
            MAX_PROBLEMS.. => return,
            len if len == MAX_PROBLEMS - 1 => ProblemKind::TooManyProblems,
            _ => kind,
        };
        self.problems.push(Problem { path: folder.path_of(file), kind });
    }

    /// Opens a directory; if that fails, opening each file in it fails.
    pub(super) fn folder(&mut self, parent: &Folder, name: &str) -> Folder {
        let fd = match self.may_open(parent, name) {
            true => parent.open(name, FOLDER),
            false => Err(Errno::NOENT),
        };
        Folder { fd, path: parent.path_of(name) }
    }

    /// The line in a file.
    pub(super) fn read(&mut self, folder: &Folder, file: &str) -> Content {
        if !self.may_open(folder, file) {
            return Content::Unreadable;
        }
        let kind = match folder.open(file, FILE).and_then(|fd| read_line(&fd)) {
            Ok(Ok(line)) => return Content::Line(line),
            Ok(Err(kind)) => kind,
            Err(Errno::NOENT | Errno::NOTDIR) => return Content::Absent,
            // EOPNOTSUPP and ENODEV: the device is just being removed.
            Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::NODEV) => return Content::Nothing,
            Err(errno) => ProblemKind::System(errno.raw_os_error()),
        };
        self.note(folder, file, kind);
        Content::Unreadable
    }

    /// The line in a file, parsed.
    pub(super) fn parse<T>(
        &mut self,
        folder: &Folder,
        file: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let line = self.read(folder, file).line()?;
        let value = parse(&line);
        if value.is_none() {
            self.note(folder, file, ProblemKind::Meaningless);
        }
        value
    }

    /// The names in a directory in natural order; none if there is no such directory.
    pub(super) fn names(&mut self, parent: &Folder, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        if !self.may_open(parent, name) {
            return names;
        }
        let entries = match parent.open(name, LIST).and_then(Dir::new) {
            Ok(entries) => entries,
            Err(errno) => {
                if errno != Errno::NOENT {
                    self.note(parent, name, ProblemKind::System(errno.raw_os_error()));
                }
                return names;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                // The rest of the directory is not known.
                Err(errno) => {
                    self.note(parent, name, ProblemKind::System(errno.raw_os_error()));
                    break;
                }
            };
            let bytes = entry.file_name().to_bytes();
            if matches!(bytes, b"." | b"..") {
                continue;
            }
            if names.len() == MAX_NAMES {
                self.note(parent, name, ProblemKind::TooManyNames);
                break;
            }
            match str::from_utf8(bytes) {
                Ok(text) => names.push(text.to_owned()),
                Err(_) => {
                    let lossy = String::from_utf8_lossy(bytes);
                    self.note(parent, &format!("{name}/{lossy}"), ProblemKind::NotText);
                }
            }
        }
        // The names of a directory are counted after they are read; there are at most MAX_NAMES of them.
        self.files_left = self.files_left.saturating_sub(u32::try_from(names.len()).unwrap_or(u32::MAX));
        names.sort_by(|one, other| natural::order(one, other));
        names
    }

    /// The numeric names in a directory, in order.
    pub(super) fn numbers<T: TryFrom<u32>>(&mut self, parent: &Folder, name: &str) -> Vec<T> {
        let mut numbers = Vec::new();
        for text in self.names(parent, name) {
            // As the kernel writes it: without sign or leading zeros.
            let number = text.parse::<u32>().ok().filter(|number| number.to_string() == text);
            match number.and_then(|number| T::try_from(number).ok()) {
                Some(number) => numbers.push(number),
                None => self.note(parent, &format!("{name}/{text}"), ProblemKind::Meaningless),
            }
        }
        numbers
    }

    /// Whether the file or directory exists; a failure to find out is recorded as a problem.
    pub(super) fn exists(&mut self, folder: &Folder, file: &str) -> bool {
        if !self.may_open(folder, file) {
            return false;
        }
        let stat = |fd| statat(fd, file, AtFlags::empty());
        match folder.fd.as_ref().map_err(|errno| *errno).and_then(stat) {
            Ok(_) => return true,
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(errno) => self.note(folder, file, ProblemKind::System(errno.raw_os_error())),
        }
        false
    }

    fn may_open(&mut self, folder: &Folder, file: &str) -> bool {
        let Some(left) = self.files_left.checked_sub(1) else {
            // Recorded once.
            if !self.problems.iter().any(|problem| problem.kind == ProblemKind::TooManyFiles) {
                self.note(folder, file, ProblemKind::TooManyFiles);
            }
            return false;
        };
        self.files_left = left;
        true
    }
}

/// A kernel file is one short line, and takes three system calls: open, read, close. Anything else is also checked with
/// fstat(2).
fn read_line(fd: &OwnedFd) -> Result<Result<String, ProblemKind>, Errno> {
    let mut buffer = [0; MAX_BYTES + 1];
    let mut len = 0;
    let result = loop {
        let Some(rest @ [_, ..]) = buffer.get_mut(len..) else { break Ok(Err(ProblemKind::TooLong)) };
        let more = match retry_on_intr(|| read(fd, &mut *rest)) {
            Ok(more) => more,
            Err(errno) => break Err(errno),
        };
        len += more;
        let bytes = buffer.get(..len).unwrap_or_default();
        // A kernel file is read whole at once: content that ends with a newline is complete.
        if bytes.ends_with(b"\n") && len < MAX_BYTES {
            return Ok(line(bytes));
        }
        if more == 0 {
            break Ok(line(bytes));
        }
    };
    match fstat(fd) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile => {
            Ok(Err(ProblemKind::NotFile))
        }
        _ => result,
    }
}

fn line(bytes: &[u8]) -> Result<String, ProblemKind> {
    let line = str::from_utf8(bytes.strip_suffix(b"\n").unwrap_or(bytes)).ok();
    let line = line.filter(|line| !line.contains(char::is_control));
    line.map(str::to_owned).ok_or(ProblemKind::NotText)
}
