//! [`LoadError`]: why librdmacm could not be loaded.

use rdma_addrinfo_core::{Error as CoreError, ErrorKind};
use std::fmt::{self, Write};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Why librdmacm could not be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// There is no library of that name or path.
    NotFound,
    /// The file is not an ELF shared object for this machine.
    NotSharedObject,
    /// The dynamic linker rejects the library: it may not be read, or one of its dependencies is missing.
    Refused,
    /// The library lacks the functions of librdmacm.
    MissingSymbol,
}

impl LoadErrorKind {
    /// The kind in words.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::NotFound => "there is no such library",
            Self::NotSharedObject => "the file is no shared object for this machine",
            Self::Refused => "the dynamic linker refuses it, or one that it needs",
            Self::MissingSymbol => "the library lacks rdma_getaddrinfo or rdma_freeaddrinfo",
        }
    }
}

/// Why librdmacm could not be loaded: the kind, the requested library, and the message of the dynamic linker.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LoadError {
    kind: LoadErrorKind,
    library: Box<Path>,
    detail: Box<str>,
}

impl LoadError {
    pub(crate) fn new(kind: LoadErrorKind, library: &Path, detail: String) -> Self {
        Self { kind, library: library.into(), detail: detail.into() }
    }

    /// Derives the kind from the message of dlopen(3), which is meant for people only.
    pub(crate) fn from_linker(library: &Path, detail: String) -> Self {
        let kind = if has_slash(library) {
            file_kind(library)
        } else {
            // The text begins with the object that it is about: the requested name, if it was not found; the file
            // that was found for it; or a library that it depends on.
            let object = detail.split(": ").next().unwrap_or_default();
            if has_slash(Path::new(object)) {
                file_kind(Path::new(object))
            } else if object.ends_with(&*library.to_string_lossy()) {
                LoadErrorKind::NotFound
            } else {
                LoadErrorKind::Refused
            }
        };
        Self::new(kind, library, detail)
    }

    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> LoadErrorKind {
        self.kind
    }

    /// The library as requested.
    #[must_use]
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// The message of the dynamic linker, perhaps in the user's language.
    #[must_use]
    #[doc(alias = "dlerror")]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The error of the core, which holds only [`ErrorKind::NoLibrary`].
    #[must_use]
    pub const fn to_core(&self) -> CoreError {
        CoreError::new(ErrorKind::NoLibrary)
    }
}

fn has_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().contains(&b'/')
}

/// Why the dynamic linker rejected a file.
fn file_kind(file: &Path) -> LoadErrorKind {
    match File::open(file) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            LoadErrorKind::NotFound
        }
        Err(_) => LoadErrorKind::Refused,
        Ok(opened) => match (Elf::read(opened), File::open("/proc/self/exe").ok().and_then(Elf::read)) {
            (None, _) => LoadErrorKind::NotSharedObject,
            (Some(elf), _) if elf.kind != Elf::SHARED => LoadErrorKind::NotSharedObject,
            (Some(elf), Some(own)) if elf.machine != own.machine => LoadErrorKind::NotSharedObject,
            (Some(_), _) => LoadErrorKind::Refused,
        },
    }
}

/// The first fields of an ELF header (elf(5)).
struct Elf {
    // Class, byte order and machine.
    machine: ([u8; 2], [u8; 2]),
    kind: u16,
}

impl Elf {
    /// `ET_DYN`
    const SHARED: u16 = 3;

    fn read(mut from: impl Read) -> Option<Self> {
        let mut header = [0; 20];
        from.read_exact(&mut header).ok()?;
        let [0x7f, b'E', b'L', b'F', class, order, _, _, _, _, _, _, _, _, _, _, t0, t1, m0, m1] = header
        else {
            return None;
        };
        let kind = if order == 2 { u16::from_be_bytes([t0, t1]) } else { u16::from_le_bytes([t0, t1]) };
        Some(Self { machine: ([class, order], [m0, m1]), kind })
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let library = self.library.to_string_lossy();
        write!(f, "cannot load '{}': {}", library.escape_debug(), self.kind.message())?;
        f.write_str(" (")?;
        for character in self.detail.chars() {
            // A name in it may contain anything; its quotes are those of the linker.
            if character.is_control() {
                write!(f, "{}", character.escape_debug())?;
            } else {
                f.write_char(character)?;
            }
        }
        f.write_str(")")
    }
}

impl std::error::Error for LoadError {}

impl From<LoadError> for io::Error {
    fn from(error: LoadError) -> Self {
        let kind = match error.kind {
            LoadErrorKind::NotFound => io::ErrorKind::NotFound,
            _ => io::ErrorKind::Unsupported,
        };
        Self::new(kind, error)
    }
}
