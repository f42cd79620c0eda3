//! Reading sysfs, or a tree that somebody names as sysfs: the numbers of files, names and bytes are bounded, whatever
//! the tree holds. The time is not: a file system that does not answer holds the reader.

use super::natural;
use super::problem::{Problem, ProblemKind};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::{Errno, read, retry_on_intr};
use std::os::fd::OwnedFd;
use std::path::Path;

/// How many files and folders are opened, and names read, of one tree.
const MOST_FILES: u32 = 1 << 18;

/// How many names are read of one folder.
const MOST_NAMES: usize = 4096;

/// How many bytes a file may have: the kernel writes at most a page.
const MOST_BYTES: usize = 4096;

/// How many problems are kept.
const MOST_PROBLEMS: usize = 32;

/// The reading of one tree: what may still be read, and what went wrong.
#[derive(Debug)]
pub(super) struct Sysfs {
    files_left: u32,
    pub(super) problems: Vec<Problem>,
}

/// An open folder of the tree. Files are opened relative to it: the real path of a device has a dozen parts, which the
/// kernel would walk again for each entry of a GID table.
#[derive(Debug)]
pub(super) struct Folder {
    /// The error of opening it is that of each file in it.
    fd: Result<OwnedFd, Errno>,
    /// The path below the root, empty for the root.
    path: String,
}

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A line of text, without its end.
    Line(String),
    /// Nothing: the kernel answers EINVAL where an entry is empty, or of another network namespace.
    Nothing,
    /// There is no such file.
    Absent,
    /// It cannot be read; the problem is noted.
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

/// A folder to open files from; this asks for no right to list it.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A folder to list.
const LIST: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A file to read. If it is a pipe without a writer, or a terminal, it is not waited for.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

impl Sysfs {
    pub(super) const fn new() -> Self {
        Self { files_left: MOST_FILES, problems: Vec::new() }
    }

    /// Notes a problem, unless there are too many.
    pub(super) fn note(&mut self, folder: &Folder, file: &str, kind: ProblemKind) {
        let kind = match self.problems.len() {
            MOST_PROBLEMS.. => return,
            len if len == MOST_PROBLEMS - 1 => ProblemKind::TooManyProblems,
            _ => kind,
        };
        self.problems.push(Problem { path: folder.path_of(file), kind });
    }

    /// Opens a folder; of one that cannot be opened no file can be.
    pub(super) fn folder(&mut self, parent: &Folder, name: &str) -> Folder {
        let fd = match self.may_open(parent, name) {
            true => parent.open(name, FOLDER),
            false => Err(Errno::NOENT),
        };
        Folder { fd, path: parent.path_of(name) }
    }

    /// The line that a file holds.
    pub(super) fn read(&mut self, folder: &Folder, file: &str) -> Content {
        if !self.may_open(folder, file) {
            return Content::Unreadable;
        }
        let kind = match folder.open(file, FILE).and_then(|fd| read_line(&fd)) {
            Ok(Ok(line)) => return Content::Line(line),
            Ok(Err(kind)) => kind,
            Err(Errno::NOENT | Errno::NOTDIR) => return Content::Absent,
            // EOPNOTSUPP and ENODEV: of a device that is just leaving.
            Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::NODEV) => return Content::Nothing,
            Err(errno) => ProblemKind::System(errno.raw_os_error()),
        };
        self.note(folder, file, kind);
        Content::Unreadable
    }

    /// The line that a file holds, parsed.
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

    /// The names in a folder in natural order; none where there is no such folder.
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
                // What follows in the folder is not known.
                Err(errno) => {
                    self.note(parent, name, ProblemKind::System(errno.raw_os_error()));
                    break;
                }
            };
            let bytes = entry.file_name().to_bytes();
            if matches!(bytes, b"." | b"..") {
                continue;
            }
            if names.len() == MOST_NAMES {
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
        // A folder's names are counted when they are read; there are at most MOST_NAMES of them.
        self.files_left = self.files_left.saturating_sub(u32::try_from(names.len()).unwrap_or(u32::MAX));
        names.sort_by(|one, other| natural::order(one, other));
        names
    }

    /// Numbers that are names in a folder, in order.
    pub(super) fn numbers<T: TryFrom<u32>>(&mut self, parent: &Folder, name: &str) -> Vec<T> {
        let mut numbers = Vec::new();
        for text in self.names(parent, name) {
            // As the kernel writes it: without sign and leading zeros.
            let number = text.parse::<u32>().ok().filter(|number| number.to_string() == text);
            match number.and_then(|number| T::try_from(number).ok()) {
                Some(number) => numbers.push(number),
                None => self.note(parent, &format!("{name}/{text}"), ProblemKind::Meaningless),
            }
        }
        numbers
    }

    /// Whether there is such a file or folder; one that cannot be looked at is noted.
    pub(super) fn exists(&mut self, folder: &Folder, file: &str) -> bool {
        if !self.may_open(folder, file) {
            return false;
        }
        let look = |fd| statat(fd, file, AtFlags::empty());
        match folder.fd.as_ref().map_err(|errno| *errno).and_then(look) {
            Ok(_) => return true,
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(errno) => self.note(folder, file, ProblemKind::System(errno.raw_os_error())),
        }
        false
    }

    fn may_open(&mut self, folder: &Folder, file: &str) -> bool {
        let Some(left) = self.files_left.checked_sub(1) else {
            // Noted once.
            if !self.problems.iter().any(|problem| problem.kind == ProblemKind::TooManyFiles) {
                self.note(folder, file, ProblemKind::TooManyFiles);
            }
            return false;
        };
        self.files_left = left;
        true
    }
}

/// Three system calls for a file of the kernel's, which is one short line: open, read, close. All else is looked at
/// twice.
fn read_line(fd: &OwnedFd) -> Result<Result<String, ProblemKind>, Errno> {
    let mut buffer = [0; MOST_BYTES + 1];
    let mut len = 0;
    let result = loop {
        let Some(rest @ [_, ..]) = buffer.get_mut(len..) else { break Ok(Err(ProblemKind::TooLong)) };
        let more = match retry_on_intr(|| read(fd, &mut *rest)) {
            Ok(more) => more,
            Err(errno) => break Err(errno),
        };
        len += more;
        let bytes = buffer.get(..len).unwrap_or_default();
        // A file of the kernel's is read whole at once: what ends with its line ends here.
        if bytes.ends_with(b"\n") && len < MOST_BYTES {
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
