//! Rows and recorded answers, and a program that is asked them.

#[path = "../../../../core/tests/oracle/hex.rs"]
mod hex;

use crate::ibacm::Ibacm;
use hex::hex;
pub(super) use hex::unhex;
use rdma_addrinfo::{Library, LoadError};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(super) const CASES: &str = include_str!("../../../../core/tests/oracle/cases.tsv");
pub(super) const ANSWERS: &str = include_str!("../../../../core/tests/oracle/librdmacm-65.jsonl");
pub(super) const UNSAFE: &str = include_str!("../../../../core/tests/oracle/unsafe.tsv");
/// The right answers to the rows of [`UNSAFE`].
pub(super) const RIGHT: &str = include_str!("../../../../core/tests/oracle/unsafe-right.jsonl");

const SA: i32 = 0x10;

/// A row: what is asked, what ibacm says, and the recorded answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// As the programs read it.
    pub(super) text: &'static str,
    pub(super) reply: &'static str,
    pub(super) recorded: &'static str,
}

impl Row {
    /// The line that the program writes, and what ibacm is asked.
    pub(super) fn expected(&self) -> (String, Option<String>) {
        match self.recorded.split_once(r#""acm_request":""#) {
            None => (self.recorded.into(), None),
            Some((before, rest)) => {
                let (request, rest) = rest.split_once(r#"","#).unwrap();
                (format!("{before}{rest}"), Some(request.into()))
            }
        }
    }

    /// The same where the kernel does not know AF_IB: without the first of two entries.
    pub(super) fn expected_without_ib_entry(&self) -> (String, Option<String>) {
        let (line, request) = self.expected();
        match line.split_once("[{").and_then(|(start, entries)| Some((start, entries.split_once("},{")?))) {
            None => (line, request),
            Some((start, (ib_entry, entry))) => {
                assert!(ib_entry.contains(r#""family":27,"#) && !entry.contains("},{"), "{line}");
                (format!("{start}[{{{entry}"), request)
            }
        }
    }

    pub(super) fn asks_sa(&self) -> bool {
        let hints = self.text.split('\t').nth(3).unwrap();
        hints.split(',').next().unwrap().parse::<i32>().is_ok_and(|flags| flags & SA != 0)
    }
}

fn read(table: &'static str, answers: &'static str, node: usize, reply: usize) -> Vec<Row> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Row> = lines
        .zip(answers.lines())
        .map(|(text, recorded)| {
            let columns: Vec<&str> = text.split('\t').collect();
            let start = format!(r#"{{"id":"{}","#, columns[0]);
            assert!(recorded.starts_with(&start), "{text} is {recorded}");
            assert_eq!((columns.len(), node), (reply + 1, reply - 6));
            Row { text, reply: columns[reply], recorded }
        })
        .collect();
    assert_eq!(rows.len(), answers.lines().count());
    rows
}

/// The rows of the recorded answers.
pub(super) fn cases() -> Vec<Row> {
    let rows = read(CASES, ANSWERS, 1, 7);
    assert_eq!(rows.len(), 751);
    rows
}

/// Those where the C library is no model, as [`Talk`] asks them: without the column that says why.
pub(super) fn unsafe_cases() -> Vec<Row> {
    let rows = read(UNSAFE, RIGHT, 2, 8);
    assert_eq!(rows.len(), 27);
    rows.into_iter()
        .map(|row| {
            let (id, rest) = row.text.split_once('\t').unwrap();
            let (_why, rest) = rest.split_once('\t').unwrap();
            Row { text: format!("{id}\t{rest}").leak(), ..row }
        })
        .collect()
}

/// Whether librdmacm knows RAI_SA; `None` where it is missing.
pub(super) fn real_has_sa() -> Result<bool, LoadError> {
    Library::load().map(|library| library.has_sa())
}

/// A program that answers row by row.
#[derive(Debug)]
pub(super) struct Talk {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Talk {
    pub(super) fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (ask, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, ask, answers }
    }

    pub(super) fn ask(&mut self, row: &str) -> String {
        writeln!(self.ask, "{row}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "no answer to {row}: {line}");
        line.trim_end().into()
    }

    /// How many threads the program has, and how many files open.
    pub(super) fn threads_and_descriptors(&self) -> (usize, usize) {
        let count = |folder| {
            let folder = format!("/proc/{}/{folder}", self.child.id());
            std::fs::read_dir(folder).unwrap().count()
        };
        (count("task"), count("fd"))
    }

    /// Lets the program end, which it must do well.
    pub(super) fn end(self) {
        let Self { mut child, ask, .. } = self;
        drop(ask);
        let status = child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

/// Asks all rows, and compares.
pub(super) fn compare<'r>(
    talk: &mut Talk,
    rows: impl IntoIterator<Item = &'r Row>,
    daemon: Option<&Ibacm>,
    expected: fn(&Row) -> (String, Option<String>),
) -> usize {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for row in rows {
        if let Some(daemon) = daemon {
            daemon.reply(unhex(row.reply));
        }
        let answer = talk.ask(row.text);
        let asked = daemon.and_then(Ibacm::take_request).map(|request| hex(&request));
        if (&answer, &asked) != (&expected(row).0, &expected(row).1) {
            wrong.push(format!(
                "{}\n  answered {answer}, asked {asked:?}\n  recorded {:?}",
                row.text,
                expected(row)
            ));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{} of {compared} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
    compared
}

/// Gives a program rows all at once; what it says.
pub(super) fn feed(program: &Path, arguments: &[&str], rows: &str, variables: &[(&str, &str)]) -> String {
    let mut command = super::build::command(program);
    command.args(arguments).envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let rows = rows.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(rows.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}: {told}", output.status);
    told
}

/// Rows as text for [`feed`].
pub(super) fn text<'r>(rows: impl IntoIterator<Item = &'r Row>) -> String {
    rows.into_iter().flat_map(|row| [row.text, "\n"]).collect()
}
