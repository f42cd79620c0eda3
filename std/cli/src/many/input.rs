//! Reading the nodes: arguments, hostfiles, standard input, the environment.

use super::hostfile::{self, Ended, LONGEST};
use super::job::{self, Form};
use super::options::ManyOptions;
use super::targets::{Lists, Targets, TooMuch};
use crate::caret;
use crate::print::Page;
use rdma_addrinfo::hostlist::HostList;
use rdma_addrinfo::{CoreError, Location};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader};
use std::os::unix::ffi::OsStrExt;

/// Reads all nodes; what is wrong with them is a message.
pub(super) fn read(options: &ManyOptions) -> Result<Targets, Page> {
    // A second time there would be nothing.
    let lists = options.hosts.iter().chain(&options.exclude).map(|argument| argument.as_bytes());
    let files = options.hostfile.iter().filter(|path| *path == "-").count();
    if lists.filter(|list| matches!(*list, b"-" | b"^-")).count() + files > 1 {
        return Err(message("standard input can be read once only"));
    }
    let most = options.max_hosts;
    let (mut hosts, mut excluded) = (Reader::new(most), Reader::new(most));
    for argument in &options.hosts {
        hosts.argument("-w", argument.as_bytes())?;
    }
    for path in &options.hostfile {
        hosts.file(path)?;
    }
    if options.from_job {
        hosts.job()?;
    }
    for argument in &options.exclude {
        excluded.argument("-x", argument.as_bytes())?;
    }
    let targets = Targets::new(hosts.lists, &excluded.lists, options.unique);
    if targets.count() == 0 {
        return Err(message("there is no node to resolve"));
    }
    Ok(targets)
}

fn message(text: impl Display) -> Page {
    let mut page = Page::default();
    page.line(format_args!("rdma-getaddrinfo: {text}"));
    page
}

/// Lists as they are read.
struct Reader {
    lists: Lists,
    most: u64,
}

/// Why a list is refused.
enum Refusal {
    Text(CoreError, Vec<u8>),
    /// It is not UTF-8, from this byte on.
    NotUtf8(usize, Vec<u8>),
    TooMuch(TooMuch),
}

impl Reader {
    fn new(most: u64) -> Self {
        Self { lists: Lists::default(), most }
    }

    /// What an option has for a value.
    fn argument(&mut self, option: &str, text: &[u8]) -> Result<(), Page> {
        match text {
            b"-" => self.file(OsStr::from_bytes(text)),
            [b'^', path @ ..] => self.file(OsStr::from_bytes(path)),
            text => self.list(text).map_err(|refusal| self.refused(option, refusal)),
        }
    }

    fn list(&mut self, text: &[u8]) -> Result<(), Refusal> {
        let list = HostList::parse(text).map_err(|error| Refusal::Text(error, text.to_vec()))?;
        let text =
            str::from_utf8(text).map_err(|error| Refusal::NotUtf8(error.valid_up_to(), text.to_vec()))?;
        self.lists.add(text, list, self.most).map_err(Refusal::TooMuch)
    }

    fn file(&mut self, path: &OsStr) -> Result<(), Page> {
        if path == "-" {
            return self.read("standard input", io::stdin().lock());
        }
        self.open(path)
    }

    fn open(&mut self, path: &OsStr) -> Result<(), Page> {
        let name = path.to_string_lossy();
        let file =
            File::open(path).map_err(|error| message(format_args!("cannot read '{name}': {error}")))?;
        self.read(&format!("'{name}'"), BufReader::with_capacity(1 << 16, file))
    }

    fn read(&mut self, name: &str, file: impl io::BufRead) -> Result<(), Page> {
        hostfile::words(file, |word| self.list(word)).map_err(|ended| match ended {
            Ended::Io(error) => message(format_args!("cannot read {name}: {error}")),
            Ended::TooLong(line) => {
                message(format_args!("{name}, line {line}: a list has {LONGEST} bytes at most"))
            }
            Ended::Refused(line, refusal) => self.refused(&format!("{name}, line {line}"), refusal),
        })
    }

    fn job(&mut self) -> Result<(), Page> {
        let Some((name, form, value)) = job::find() else {
            return Err(message(format_args!("--from-job: this is no job: none of {} is set", job::names())));
        };
        let step = if form == Form::Pairs { 2 } else { 1 };
        let words = |text: &[u8]| -> Vec<Vec<u8>> {
            let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            words.step_by(step).map(<[u8]>::to_vec).collect()
        };
        match form {
            Form::File => self.open(&value),
            Form::List => self.list(value.as_bytes()).map_err(|refusal| self.refused(name, refusal)),
            Form::Words | Form::Pairs => words(value.as_bytes())
                .iter()
                .try_for_each(|word| self.list(word).map_err(|refusal| self.refused(name, refusal))),
        }
    }

    fn refused(&self, place: &str, refusal: Refusal) -> Page {
        match refusal {
            Refusal::Text(error, text) => {
                let mut page = message(format_args!("{place}: {}", error.reason().message()));
                if let Location::Text(offset) = error.location() {
                    page.lines(&caret::excerpt(&text, offset));
                }
                page
            }
            Refusal::NotUtf8(offset, text) => {
                let mut page = message(format_args!("{place}: a name is not UTF-8"));
                page.lines(&caret::excerpt(&text, offset));
                page
            }
            Refusal::TooMuch(TooMuch::Nodes(count)) => {
                let count = count.map_or_else(|| "more than 2^64".into(), |count| count.to_string());
                let most = self.most;
                message(format_args!("{place}: {count} nodes are more than the {most} of --max-hosts"))
            }
            Refusal::TooMuch(TooMuch::Text(most)) => {
                let text = "the lists have more bytes than the names of --max-hosts nodes may have";
                message(format_args!("{place}: {text}: {most}"))
            }
        }
    }
}
