//! What both examples share: ends of connections, memory for them, what is said over them, and options.

// Each example uses a part of this.
#![allow(dead_code)]

pub(crate) mod endpoint;
pub(crate) mod exchange;
pub(crate) mod memory;

use rdma_addrinfo::{AddrInfoList, Hints, Library, LibraryList, Resolved, Resolver};
use std::env;
use std::error::Error;
use std::process::ExitCode;

/// The options of the command line, and the words behind them.
pub(crate) struct Options {
    /// Whether librdmacm resolves: the library that the program is linked with anyway.
    librdmacm: bool,
    /// How many connections a server takes.
    pub(crate) times: usize,
    pub(crate) words: Vec<String>,
}

impl Options {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Self, String> {
        let mut options = Self { librdmacm: false, times: usize::MAX, words: Vec::new() };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            match &*word {
                "--librdmacm" => options.librdmacm = true,
                "--times" => {
                    let times = words.next().and_then(|times| times.parse().ok());
                    options.times = times.ok_or("--times takes a number")?;
                }
                option if option.starts_with("--") => return Err(format!("unknown option {option}")),
                _ => options.words.push(word),
            }
        }
        Ok(options)
    }

    /// Resolves by whom the options say.
    pub(crate) fn resolve(
        &self,
        node: Option<&str>,
        service: &str,
        hints: &Hints<'_>,
    ) -> Result<Found, rdma_addrinfo::Error> {
        if self.librdmacm {
            return Library::linked().getaddrinfo(node, service, hints).map(Found::Library);
        }
        Resolver::new().resolve(node, service, hints).map(Found::Native)
    }
}

/// What was found, by whom.
pub(crate) enum Found {
    Native(Resolved),
    Library(LibraryList),
}

impl Found {
    pub(crate) fn list(&self) -> AddrInfoList<'_> {
        match self {
            Self::Native(found) => found.list(),
            Self::Library(found) => found.list(),
        }
    }
}

/// The exit status of a program; an error is told in its own words, which `main() -> Result` does not.
pub(crate) fn exit_status(result: Result<(), Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
