//! Reading sysfs, or what somebody says is sysfs: bounded in files, names and bytes, whatever it holds.

use super::natural;
use super::problem::{Problem, ProblemKind};
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// How many files and folders are opened, and names read, of one tree.
const MOST_FILES: u32 = 1 << 18;

/// How many names are read of one folder.
const MOST_NAMES: usize = 4096;

/// How many bytes a file may have: the kernel gives it a page to write to.
const MOST_BYTES: usize = 4096;

/// How many problems are kept.
const MOST_PROBLEMS: usize = 32;

/// A tree that is being read.
#[derive(Debug)]
pub(super) struct Sysfs<'a> {
    root: &'a Path,
    files_left: u32,
    pub(super) problems: Vec<Problem>,
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

impl<'a> Sysfs<'a> {
    pub(super) const fn new(root: &'a Path) -> Self {
        Self { root, files_left: MOST_FILES, problems: Vec::new() }
    }

    /// Notes a problem, unless there are too many.
    pub(super) fn note(&mut self, path: &str, kind: ProblemKind) {
        let kind = match self.problems.len() {
            MOST_PROBLEMS.. => return,
            len if len == MOST_PROBLEMS - 1 => ProblemKind::TooManyProblems,
            _ => kind,
        };
        self.problems.push(Problem { path: path.to_owned(), kind });
    }

    /// The line that a file holds.
    pub(super) fn read(&mut self, path: &str) -> Content {
        if !self.may_open(path) {
            return Content::Unreadable;
        }
        let kind = match read_line(&self.root.join(path)) {
            Ok(Ok(line)) => return Content::Line(line),
            Ok(Err(kind)) => kind,
            Err(error) => match error.raw_os_error() {
                Some(libc::ENOENT | libc::ENOTDIR) => return Content::Absent,
                // EOPNOTSUPP and ENODEV: of a device that is just leaving.
                Some(libc::EINVAL | libc::EOPNOTSUPP | libc::ENODEV) => return Content::Nothing,
                errno => ProblemKind::System(errno.unwrap_or(libc::EIO)),
            },
        };
        self.note(path, kind);
        Content::Unreadable
    }

    /// The line that a file holds, as something that it means.
    pub(super) fn meaning<T>(&mut self, path: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let line = self.read(path).line()?;
        let meaning = read(&line);
        if meaning.is_none() {
            self.note(path, ProblemKind::Meaningless);
        }
        meaning
    }

    /// The names in a folder in natural order; none where there is no such folder.
    pub(super) fn names(&mut self, path: &str) -> Vec<String> {
        let mut names = Vec::new();
        if !self.may_open(path) {
            return names;
        }
        let folder = match fs::read_dir(self.root.join(path)) {
            Ok(folder) => folder,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    self.note_error(path, &error);
                }
                return names;
            }
        };
        for name in folder {
            if names.len() == MOST_NAMES {
                self.note(path, ProblemKind::TooManyNames);
                break;
            }
            match name {
                Ok(name) => match name.file_name().into_string() {
                    Ok(name) => names.push(name),
                    Err(name) => {
                        self.note(&format!("{path}/{}", name.to_string_lossy()), ProblemKind::NotText);
                    }
                },
                // The rest of the folder cannot be told.
                Err(error) => {
                    self.note_error(path, &error);
                    break;
                }
            }
        }
        // What cannot be counted before is counted now: a folder has at most so many names.
        self.files_left = self.files_left.saturating_sub(u32::try_from(names.len()).unwrap_or(u32::MAX));
        names.sort_by(|one, other| natural::order(one, other));
        names
    }

    /// Numbers that are names in a folder, in order.
    pub(super) fn numbers<T: TryFrom<u32>>(&mut self, path: &str) -> Vec<T> {
        let mut numbers = Vec::new();
        for name in self.names(path) {
            // As the kernel writes it: without sign and leading zeros.
            let number = name.parse::<u32>().ok().filter(|number| number.to_string() == name);
            match number.and_then(|number| T::try_from(number).ok()) {
                Some(number) => numbers.push(number),
                None => self.note(&format!("{path}/{name}"), ProblemKind::Meaningless),
            }
        }
        numbers
    }

    /// Whether there is such a file or folder.
    pub(super) fn exists(&mut self, path: &str) -> bool {
        self.may_open(path) && self.root.join(path).exists()
    }

    fn note_error(&mut self, path: &str, error: &io::Error) {
        self.note(path, ProblemKind::System(error.raw_os_error().unwrap_or(libc::EIO)));
    }

    fn may_open(&mut self, path: &str) -> bool {
        let Some(left) = self.files_left.checked_sub(1) else {
            // Once is enough.
            if !self.problems.iter().any(|problem| problem.kind == ProblemKind::TooManyFiles) {
                self.note(path, ProblemKind::TooManyFiles);
            }
            return false;
        };
        self.files_left = left;
        true
    }
}

fn read_line(path: &Path) -> io::Result<Result<String, ProblemKind>> {
    // What is no file, such as a pipe without a writer, must not keep us waiting.
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(Err(ProblemKind::NotFile));
    }
    let mut room = [0; MOST_BYTES + 1];
    let mut len = 0;
    while let Some(rest @ [_, ..]) = room.get_mut(len..) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(more) => {
                len += more;
                // The kernel's files come in one piece, and a short one with the end of its line is whole.
                if room.get(len.saturating_sub(1)) == Some(&b'\n') && len < MOST_BYTES {
                    break;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let bytes = room.get(..len).unwrap_or_default();
    if len > MOST_BYTES {
        return Ok(Err(ProblemKind::TooLong));
    }
    let line = str::from_utf8(bytes.strip_suffix(b"\n").unwrap_or(bytes));
    let line = line.ok().filter(|line| !line.contains(char::is_control));
    Ok(line.map(str::to_owned).ok_or(ProblemKind::NotText))
}
