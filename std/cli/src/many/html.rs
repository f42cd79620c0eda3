//! The summary as a page of HTML that needs nothing else: no script, no style and no picture of others.

use super::summary::{Summary, Table, most};
use super::tally::{Group, Times};
use crate::print::printable;
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\
table{border-collapse:collapse;width:100%;table-layout:fixed}\
th:nth-child(1){width:35%}th:nth-child(2){width:5rem}th:nth-child(3){width:9rem}\
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
td.w{font-family:ui-monospace,monospace;overflow-wrap:anywhere}\
svg{display:block;width:100%;height:auto}rect.b{fill:#3b7dd8}rect.f{fill:#d04437}rect.o{fill:#3d9a50}rect.l{fill:#999}\
text{font:11px system-ui,sans-serif;fill:currentColor}";

/// The room for a label below the distribution, and for a count above, in units of its picture.
const LABEL: f64 = 70.0;
const COUNT: f64 = 30.0;

/// The page.
pub(super) fn page(summary: &Summary, times: &Times, title: &str) -> String {
    let mut html = String::new();
    let title = escaped(title);
    let counts = escaped(&summary.counts());
    // Writing to a String does not fail.
    let _ = write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p id=\"counts\">{counts} in {:.3} s</p>\n",
        summary.elapsed.as_secs_f64()
    );
    outcome(&mut html, summary);
    for Table { title, groups, .. } in summary.tables() {
        table(&mut html, title, groups);
    }
    histogram(&mut html, times);
    html.push_str("</body>\n</html>\n");
    html
}

/// A bar of those that were found, failed, and are left.
fn outcome(html: &mut String, summary: &Summary) {
    let all = summary.hosts.max(1) as f64;
    let (found, failed) = (summary.found as f64 / all * 600.0, summary.failed as f64 / all * 600.0);
    let left = (600.0 - found - failed).max(0.0);
    let _ = writeln!(
        html,
        "<svg viewBox=\"0 0 600 16\" role=\"img\" aria-label=\"found, failed and left\">\
         <rect class=\"o\" x=\"0\" width=\"{found:.1}\" height=\"16\"/>\
         <rect class=\"f\" x=\"{found:.1}\" width=\"{failed:.1}\" height=\"16\"/>\
         <rect class=\"l\" x=\"{:.1}\" width=\"{left:.1}\" height=\"16\"/></svg>",
        found + failed
    );
}

fn table(html: &mut String, name: &str, groups: &[Group]) {
    let most = most(groups);
    let _ = write!(
        html,
        "<h2>{name}</h2>\n<table><thead><tr><th></th><th class=\"n\">Nodes</th><th></th><th>Which</th></tr></thead><tbody>\n"
    );
    for Group { label, count, hosts } in groups {
        let width = (*count as f64 / most as f64 * 100.0).max(1.0);
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"n\">{count}</td><td><svg viewBox=\"0 0 100 10\" style=\"width:8rem\" aria-hidden=\"true\">\
             <rect class=\"b\" width=\"{width:.1}\" height=\"10\"/></svg></td><td class=\"w\">{}</td></tr>",
            escaped(label),
            escaped(hosts)
        );
    }
    html.push_str("</tbody></table>\n");
}

fn histogram(html: &mut String, times: &Times) {
    let list = times.list();
    if list.is_empty() {
        return;
    }
    let most = list.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let step = 600.0 / list.len() as f64;
    let _ = write!(
        html,
        "<h2>How long each node took</h2>\n<p>The longest: {}.</p>\n\
         <svg viewBox=\"0 0 600 160\" role=\"img\" aria-label=\"distribution of times\">\n",
        time(u64::try_from(times.longest.as_micros()).unwrap_or(u64::MAX))
    );
    // Labels that do not run into each other.
    let every = (LABEL / step).ceil() as usize;
    for (at, (below, count)) in list.iter().enumerate() {
        let height = *count as f64 / most as f64 * 110.0;
        let (x, middle) = (at as f64 * step, (at as f64 + 0.5) * step);
        let _ = writeln!(
            html,
            "<rect class=\"b\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\">\
             <title>{count} below {}</title></rect>",
            130.0 - height,
            (step - 2.0).max(1.0),
            time(*below)
        );
        for (is_shown, y, text) in [
            (*count > 0 && (at % every == 0 || step > COUNT), 124.0 - height, count.to_string()),
            (at % every == 0, 150.0, format!("&lt; {}", time(*below))),
        ] {
            if is_shown {
                let _ = writeln!(
                    html,
                    "<text x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>"
                );
            }
        }
    }
    html.push_str("</svg>\n");
}

/// Microseconds in words.
fn time(micros: u64) -> String {
    match micros {
        0..1000 => format!("{micros} us"),
        1000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.1} s", micros as f64 / 1e6),
    }
}

/// Text that is text wherever it stands in the page.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in printable(text.as_bytes()).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(
            escaped("<script>alert('x')&\"</script>"),
            "&lt;script&gt;alert(&#39;x&#39;)&amp;&quot;&lt;/script&gt;"
        );
        assert_eq!(escaped("a\x1b\u{202e}b"), "a\\u{1b}\\u{202e}b");
    }

    #[test]
    fn times_in_words() {
        assert_eq!([1, 512, 1024, 4_194_304].map(time), ["1 us", "512 us", "1.0 ms", "4.2 s"]);
    }
}
