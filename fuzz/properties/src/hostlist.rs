//! Lists of hosts against a model that has them in memory and makes each host from its number.

use rdma_addrinfo_core::text::hostlist::HostList;
use rdma_addrinfo_core::{ErrorKind, Location};

/// How many hosts of a list are compared.
const HOSTS: usize = 300;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    match (HostList::parse(bytes), items(bytes)) {
        (Ok(list), Some(items)) => same(bytes, list, &items),
        (Err(error), None) => {
            assert_eq!(error.kind(), ErrorKind::Invalid);
            let Location::Text(offset) = error.location() else { panic!("{error:?}") };
            // All before it is the start of some list.
            let start = bytes.get(..offset).expect("an offset in the text");
            // A range may end where it starts.
            let number = start.strip_suffix(b"-").unwrap_or_default();
            let number = number.rsplit(|byte| !byte.is_ascii_digit()).next().unwrap_or_default();
            let ends: [&[u8]; 4] = [b"", b"a", b"]", b"1]"];
            let ends = ends.map(<[u8]>::to_vec).into_iter().chain([[number, b"]"].concat()]);
            let is_start = ends.into_iter().any(|end| HostList::parse(&[start, &end].concat()).is_ok());
            assert!(is_start, "{error:?}");
        }
        (ours, model) => panic!("{ours:?}, but {model:?}"),
    }
}

fn same(bytes: &[u8], list: HostList<'_>, items: &[Item]) {
    assert_eq!(list.text(), bytes);
    let count = items.iter().try_fold(0_u64, |count, item| count.checked_add(item.count()?.try_into().ok()?));
    assert_eq!(list.count(), count);

    let mut hosts = list.hosts();
    let names = items.iter().flat_map(|item| (0..item.count().unwrap_or(u128::MAX)).map(|n| item.host(n)));
    let mut names = names.take(HOSTS + 1);
    for name in names.by_ref().take(HOSTS) {
        let host = hosts.next().expect("as many hosts as in the model");
        assert_eq!(host.len(), name.len());
        let mut room = vec![0xaa; name.len() + 1];
        assert_eq!(host.write_to(&mut room), Some(&name[..]));
        assert_eq!(room.last(), Some(&0xaa));
        let short = name.len().checked_sub(1).and_then(|len| room.get_mut(..len)).expect("no empty name");
        assert_eq!(host.write_to(short), None);
        assert_eq!(host.to_string(), String::from_utf8_lossy(&name));
    }
    assert_eq!(hosts.next().is_some(), names.next().is_some());
}

/// Texts, each but the last followed by the numbers of brackets.
#[derive(Debug)]
struct Item {
    wheels: Vec<(Vec<u8>, Vec<Range>)>,
    tail: Vec<u8>,
}

#[derive(Debug)]
struct Range {
    first: u64,
    step: u64,
    count: u128,
    width: usize,
}

impl Item {
    /// `None` if it does not fit.
    fn count(&self) -> Option<u128> {
        self.wheels.iter().try_fold(1_u128, |count, (_, ranges)| count.checked_mul(numbers(ranges)))
    }

    fn host(&self, number: u128) -> Vec<u8> {
        let mut host = self.tail.clone();
        let mut left = number;
        for (literal, ranges) in self.wheels.iter().rev() {
            let count = numbers(ranges);
            let mut at = left % count;
            left /= count;
            for range in ranges {
                if at < range.count {
                    let value = u128::from(range.first) + at * u128::from(range.step);
                    let digits = format!("{value:0width$}", width = range.width);
                    host = [literal, digits.as_bytes(), &host].concat();
                    break;
                }
                at -= range.count;
            }
        }
        host
    }
}

fn numbers(ranges: &[Range]) -> u128 {
    ranges.iter().map(|range| range.count).sum()
}

/// The items of a list; `None` if it is none.
fn items(text: &[u8]) -> Option<Vec<Item>> {
    // A comma in brackets separates ranges.
    let mut is_inside = false;
    let items = text.split(|byte| {
        is_inside = if is_inside { *byte != b']' } else { *byte == b'[' };
        *byte == b',' && !is_inside
    });
    items.map(item).collect()
}

fn item(text: &[u8]) -> Option<Item> {
    let mut parts = text.split(|byte| *byte == b'[');
    let mut tail = parts.next()?.to_vec();
    let mut wheels = Vec::new();
    for part in parts {
        let end = part.iter().position(|byte| *byte == b']')?;
        let ranges = part[..end].split(|byte| *byte == b',').map(range).collect::<Option<_>>()?;
        wheels.push((tail, ranges));
        tail = part[end + 1..].to_vec();
    }
    let literals = || wheels.iter().map(|(literal, _)| literal).chain([&tail]);
    let is_name = literals().flatten().all(|byte| *byte > b' ' && *byte != 0x7f && *byte != b']');
    let is_something = !text.is_empty() && wheels.len() <= HostList::MAX_BRACKETS;
    (is_name && is_something).then_some(Item { wheels, tail })
}

fn range(text: &[u8]) -> Option<Range> {
    let text = str::from_utf8(text).ok()?;
    let number = |text: &str| -> Option<u64> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
    };
    let padding = |text: &str| if text.len() > 1 && text.starts_with('0') { text.len() } else { 0 };
    let Some((first, rest)) = text.split_once('-') else {
        return Some(Range { first: number(text)?, step: 1, count: 1, width: padding(text) });
    };
    let (last, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let width = padding(first);
    // What is padded is as wide as the other end; what is not may have outgrown it.
    let is_even = first.len() == last.len() || padding(last) == 0 && last.len() > first.len();
    let (first, last, step) = (number(first)?, number(last)?, number(step)?);
    let count = u128::from(last.checked_sub(first)?.checked_div(step)?) + 1;
    is_even.then_some(Range { first, step, count, width })
}
