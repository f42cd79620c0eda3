//! The time limit, as it is typed: `500ms`, `0.5s`, `none`.

use crate::advice::is_number;
use std::str::FromStr;
use std::time::Duration;

/// A time limit; `None` is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timeout(pub(crate) Option<Duration>);

impl FromStr for Timeout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "none" {
            return Ok(Self(None));
        }
        if is_number(text) {
            return Err(format!("it has no unit: '{text}ms' or '{text}s'"));
        }
        let time =
            time(text).ok_or("it is neither a time that fits, such as 500ms, 2s or 0.5s, nor 'none'")?;
        Ok(Self(Some(time)))
    }
}

/// A decimal number with its unit: milliseconds, seconds or minutes.
fn time(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let unit: u128 = match unit {
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "min" => 60_000_000_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| -> Option<u128> {
        let is_short = (1..=19).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_short { text.parse().ok() } else { None }
    };
    let part = digits(fraction)? * unit / 10_u128.pow(u32::try_from(fraction.len()).ok()?);
    let nanoseconds = digits(whole)? * unit + part;
    let subsecond = u32::try_from(nanoseconds % 1_000_000_000).ok()?;
    Some(Duration::new(u64::try_from(nanoseconds / 1_000_000_000).ok()?, subsecond))
}
