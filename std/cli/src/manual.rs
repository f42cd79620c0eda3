//! What is made of the options: the manual page, and completions for shells.

use crate::options::Options;
use crate::output::Output;
use crate::print::Page;
use clap::CommandFactory;
use clap_complete::Shell;

const NAME: &str = "rdma-getaddrinfo";

/// The manual page, as roff.
pub(crate) fn page() -> Output {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(Options::command()).section("1");
    // Writing to a vector does not fail.
    let _ = page.render(&mut text);
    output(&text)
}

/// The completions of a shell.
pub(crate) fn completions(shell: Shell) -> Output {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Options::command(), NAME, &mut text);
    output(&text)
}

fn output(text: &[u8]) -> Output {
    let mut out = Page::default();
    out.generated(&String::from_utf8_lossy(text));
    Output { out, ..Output::default() }
}
