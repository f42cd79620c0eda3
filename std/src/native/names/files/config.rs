//! What the C library's configuration says about names: nsswitch.conf(5), host.conf(5), gai.conf(5), nscd(8).
//!
//! Each is read as far as it is understood without doubt.

/// What is known of the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Config {
    /// Whether what `/etc/hosts` has is the answer.
    pub(super) hosts: bool,
    /// Whether there is no source of hosts.
    pub(super) is_without_hosts: bool,
    /// What the line for services says.
    pub(super) services: Services,
    /// Whether every line of a name counts; `None` if that is not understood.
    pub(super) multi: Option<bool>,
    /// Whether the order of addresses is the default.
    pub(super) sorts_by_default: bool,
}

/// Where services are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Services {
    /// Whether what the file has is the answer.
    pub(super) has: bool,
    /// Whether `db` comes before the file.
    pub(super) db_first: bool,
    /// Whether what the file has not is nowhere.
    pub(super) is_all: bool,
}

/// What nsswitch.conf says of one database, if the file is what answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sources {
    pub(super) db_first: bool,
    pub(super) is_last: bool,
}

/// Whether the line for a database, the only one, names no source. glibc of some versions then reads memory that it has
/// freed.
pub(super) fn is_without_sources(nsswitch: &[u8], database: &str) -> bool {
    let lines = nsswitch.split(|byte| *byte == b'\n');
    let rests = lines.filter_map(|line| {
        let line = line.split(|byte| *byte == b'#').next()?.trim_ascii();
        line.strip_prefix(database.as_bytes())?.trim_ascii_start().strip_prefix(b":")
    });
    let mut rests = rests.map(<[u8]>::trim_ascii);
    rests.next().is_some_and(<[u8]>::is_empty) && rests.next().is_none()
}

/// The sources of a database, if `files` comes first (or behind `db`) and its success is the end.
pub(super) fn sources(nsswitch: &[u8], database: &str) -> Option<Sources> {
    let text = str::from_utf8(nsswitch).ok().filter(|text| !text.contains('\0'))?;
    let mut found = None;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim_ascii();
        if let Some(rest) = line.strip_prefix(database) {
            let Some(rest) = rest.strip_prefix(':') else {
                // Another database, or a way to write this one.
                if rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_') {
                    continue;
                }
                return None;
            };
            if found.replace(read_sources(rest)).is_some() {
                return None;
            }
        }
    }
    found?
}

fn read_sources(text: &str) -> Option<Sources> {
    let text = text.trim_ascii();
    let (db_first, rest) = match text.strip_prefix("db") {
        Some(rest) if rest.starts_with(is_blank) => (true, rest.trim_ascii_start()),
        _ => (false, text),
    };
    let mut rest = rest
        .strip_prefix("files")
        .filter(|rest| rest.is_empty() || rest.starts_with(is_blank))?
        .trim_ascii_start();
    if let Some(actions) = rest.strip_prefix('[') {
        let (actions, behind) = actions.split_once(']')?;
        let mut actions = actions.split_ascii_whitespace();
        // Success has the action to return.
        let is_known = |action: &str| {
            let (status, action) = action.split_once('=').unwrap_or_default();
            let is = |word: &str, all: &[&str]| all.iter().any(|one| word.eq_ignore_ascii_case(one));
            is(status, &["notfound", "unavail", "tryagain"]) && is(action, &["return", "continue"])
        };
        if !actions.all(is_known) {
            return None;
        }
        rest = behind.trim_ascii_start();
        // What comes behind may not be asked then: not found may be an answer, which is left to the C library.
    }
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'[' | b']' | b'=' | b'!' | b' ' | b'\t')
    };
    rest.bytes().all(is_plain).then_some(Sources { db_first, is_last: rest.is_empty() })
}

fn is_blank(next: char) -> bool {
    matches!(next, ' ' | '\t')
}

/// Whether host.conf has every line count; `None` if it has what is not understood. What is not there counts as empty.
pub(super) fn multi(host_conf: &[u8]) -> Option<bool> {
    let text = str::from_utf8(host_conf).ok().filter(|text| !text.contains('\0'))?;
    let mut multi = false;
    for line in text.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (None, _, _) => {}
            (Some("multi"), Some("on"), None) => multi = true,
            (Some("multi"), Some("off"), None) => multi = false,
            // Without effect for long.
            (Some("order"), Some("hosts" | "bind" | "hosts,bind" | "bind,hosts"), None) => {}
            _ => return None,
        }
    }
    Some(multi)
}

/// Whether gai.conf leaves everything as it is by default.
pub(super) fn is_default_order(gai_conf: &[u8]) -> bool {
    gai_conf.split(|byte| *byte == b'\n').all(|line| {
        let line = line.trim_ascii();
        line.is_empty() || line.starts_with(b"#")
    })
}
