//! What both examples share: ends of connections, memory for them, what is said over them, and options.

// Each example uses a part of this.
#![allow(dead_code)]

pub(crate) mod endpoint;
pub(crate) mod exchange;
pub(crate) mod memory;

use rdma_addrinfo::{Backend, Library, Resolver};
use std::env;
use std::error::Error;
use std::process::ExitCode;

/// The options of the command line, and the words behind them.
pub(crate) struct Options {
    pub(crate) resolver: Resolver,
    /// How many connections a server takes.
    pub(crate) times: usize,
    pub(crate) words: Vec<String>,
}

impl Options {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Self, String> {
        let mut options = Self { resolver: Resolver::new(), times: usize::MAX, words: Vec::new() };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            match &*word {
                // The library that the program is linked with anyway.
                "--librdmacm" => {
                    options.resolver =
                        options.resolver.backend(Backend::Librdmacm).library(Library::linked());
                }
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
