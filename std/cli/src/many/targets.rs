//! The nodes to be resolved, expanded one by one.

use super::hostfile::LONGEST;
use rdma_addrinfo::hostlist::HostList;
use std::collections::HashSet;

/// Lists of hosts that have been checked, behind each other.
#[derive(Debug, Default)]
pub(super) struct Lists {
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// How many hosts they have.
    count: u64,
}

/// What there is too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TooMuch {
    /// So many nodes, `None` if that does not fit.
    Nodes(Option<u64>),
    /// The lists have more bytes than this.
    Text(u64),
}

/// How long the name of a node is on average, at most: no host name is longer.
const NAME: u64 = 256;

impl Lists {
    /// Adds a list, by its text, if there are not more than `most` hosts then, and not more text than so many need.
    pub(super) fn add(&mut self, text: &str, list: HostList<'_>, most: u64) -> Result<(), TooMuch> {
        let count = list.count().and_then(|count| self.count.checked_add(count));
        let count = count.filter(|count| *count <= most).ok_or(TooMuch::Nodes(count))?;
        let longest = most.saturating_mul(NAME).max(LONGEST as u64);
        if self.text.len() as u64 + text.len() as u64 > longest {
            return Err(TooMuch::Text(longest));
        }
        self.count = count;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        Ok(())
    }

    /// The names of the hosts.
    fn names(&self) -> impl Iterator<Item = String> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let texts = starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end]);
        let lists = texts.filter_map(|text| HostList::parse(text.as_bytes()).ok());
        lists.flatten().map(|host| host.to_string())
    }
}

/// The nodes: lists, without what is left out.
#[derive(Debug)]
pub(super) struct Targets {
    lists: Lists,
    excluded: HashSet<String>,
    is_unique: bool,
    count: u64,
}

impl Targets {
    pub(super) fn new(lists: Lists, excluded: &Lists, is_unique: bool) -> Self {
        let excluded: HashSet<_> = excluded.names().collect();
        let mut targets = Self { count: lists.count, lists, excluded, is_unique };
        if targets.is_unique || !targets.excluded.is_empty() {
            targets.count = targets.names().map(|_| 1).sum();
        }
        targets
    }

    /// How many there are.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// Their names, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let mut seen = HashSet::new();
        self.lists.names().filter(move |name| {
            !self.excluded.contains(name) && (!self.is_unique || seen.insert(name.clone()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(texts: &[&str]) -> Lists {
        let mut lists = Lists::default();
        for text in texts {
            lists.add(text, HostList::parse(text.as_bytes()).unwrap(), 1000).unwrap();
        }
        lists
    }

    fn names(targets: &Targets) -> String {
        let names: Vec<_> = targets.names().collect();
        assert_eq!(targets.count(), names.len() as u64);
        names.join(" ")
    }

    #[test]
    fn names_in_order_without_what_is_left_out() {
        let all = || lists(&["n[1-3],m", "n[2-4]"]);
        let (none, some) = (Lists::default(), lists(&["n[3-9]", "x"]));
        assert_eq!(names(&Targets::new(all(), &none, false)), "n1 n2 n3 m n2 n3 n4");
        assert_eq!(names(&Targets::new(all(), &none, true)), "n1 n2 n3 m n4");
        assert_eq!(names(&Targets::new(all(), &some, false)), "n1 n2 m n2");
        assert_eq!(names(&Targets::new(all(), &some, true)), "n1 n2 m");
        assert_eq!(names(&Targets::new(Lists::default(), &some, true)), "");
    }

    #[test]
    fn too_many_are_refused_before_they_are_made() {
        let mut lists = lists(&["n[1-10]"]);
        let mut add = |text: &str, most| lists.add(text, HostList::parse(text.as_bytes()).unwrap(), most);
        assert_eq!(add("a,b", 11), Err(TooMuch::Nodes(Some(12))));
        assert_eq!(add("a", 11), Ok(()));
        assert_eq!(add("n[0-4294967295]", 65536), Err(TooMuch::Nodes(Some((1 << 32) + 11))));
        assert_eq!(add("n[0-18446744073709551615]", u64::MAX), Err(TooMuch::Nodes(None)));
        assert_eq!(add("n[1-18446744073709551615]", u64::MAX), Err(TooMuch::Nodes(None)));
        assert_eq!(add("n[0-4294967295]", u64::MAX), Ok(()));
        assert_eq!(lists.names().nth(11).unwrap(), "n0");
    }

    /// A few names, each as long as a list may be.
    #[test]
    fn text_that_no_names_need_is_refused() {
        let mut lists = Lists::default();
        let long = "a".repeat(LONGEST - 1);
        let mut add = |text: &str, most| lists.add(text, HostList::parse(text.as_bytes()).unwrap(), most);
        assert_eq!(add(&long, 4), Ok(()));
        assert_eq!(add("b", 4), Ok(()));
        assert_eq!(add("c", 4), Err(TooMuch::Text(LONGEST as u64)));
        assert_eq!(add(&long, 8192), Ok(()));
        assert_eq!(add("cc", 8192), Err(TooMuch::Text(8192 * 256)));
        assert_eq!(add(&long, u64::MAX), Ok(()));
        assert_eq!(lists.count, 4);
    }
}
