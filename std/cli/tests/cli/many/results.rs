//! What is printed: results in order or as they come, JSON, the summary, the page.

use super::{Scratch, command};
use crate::common::{Machine, Run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

const PRIVATE: &str = "no ibacm   56 bytes of private data";

/// Hosts n1 to n9, each with an address.
fn hosts() -> String {
    (1..10).map(|n| format!("127.0.0.{n} n{n}\n")).collect()
}

#[test]
fn each_node_has_its_lines_and_a_failure_is_one() {
    let Some(machine) =
        Machine::new("many", &(hosts() + "127.0.1.1 two\n127.0.1.2 two\n"), "storage 7471/tcp\n")
    else {
        return;
    };
    let run = machine.run(&["-w", "n[1-2],none,two", "--no-source", "storage"]);
    let expected = format!(
        "n1: inet   rc/tcp   * -> 127.0.0.1:7471   {PRIVATE}\n\
         n2: inet   rc/tcp   * -> 127.0.0.2:7471   {PRIVATE}\n\
         none: error: node or service not known\n\
         two: inet   rc/tcp   * -> 127.0.1.1:7471   {PRIVATE}\n\
         two: inet   rc/tcp   * -> 127.0.1.2:7471   {PRIVATE}\n"
    );
    assert_eq!((run.status, run.out, run.err), (1, expected, String::new()));
    let run = machine.run(&["-w", "n[1-9]", "--no-source", "7471", "--first", "-f", "1"]);
    let expected: String =
        (1..10).map(|n| format!("n{n}: inet   rc/tcp   * -> 127.0.0.{n}:7471   {PRIVATE}\n")).collect();
    assert_eq!(run.found(), expected);
    // Without a service, and with one that is none.
    assert!(
        machine
            .run(&["-w", "n1", "--no-source"])
            .found()
            .starts_with("n1: inet   rc/tcp   * -> 127.0.0.1   ")
    );
    let run = machine.run(&["-w", "n1,n2", "70000"]);
    assert_eq!((run.status, run.out.lines().count()), (1, 2));
    assert!(
        run.out.starts_with("n1: error: no such service: a port is 65535 at most (service, byte 0)\n"),
        "{}",
        run.out
    );
}

/// The lines of a run, each an object.
fn objects(run: &Run) -> Vec<Value> {
    assert_eq!(run.err, "");
    run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn json_is_an_object_on_each_line() {
    let Some(machine) = Machine::new("many-json", &hosts(), "") else { return };
    for (order, fanout) in [(None, "64"), (None, "1"), (Some("--unordered"), "3")] {
        let mut arguments = vec!["-w", "n[1-9],none,n1", "--json", "--summary", "7471", "-f", fanout];
        arguments.extend(order);
        let run = machine.run(&arguments);
        assert_eq!(run.status, 1);
        let mut lines = objects(&run);
        let last = lines.pop().expect("the summary");
        if order.is_some() {
            lines.sort_by_key(|line| line["index"].as_u64());
        }
        assert_eq!(lines.len(), 11);
        for (index, line) in lines.iter().enumerate() {
            let target = match index {
                0..9 => format!("n{}", index + 1),
                9 => "none".into(),
                _ => "n1".into(),
            };
            assert_eq!(
                (&line["version"], &line["index"], &line["target"]),
                (&json!(1), &json!(index), &json!(target))
            );
            if target == "none" {
                assert_eq!(
                    (&line["error"]["kind"], &line["error"]["node"]),
                    (&json!("NoName"), &json!("none"))
                );
                assert_eq!(line.get("entries"), None);
                continue;
            }
            let address = &line["entries"][0]["dst"]["address"];
            assert_eq!(address, &json!(target.replace('n', "127.0.0.")), "{line}");
            // The summary looks at devices; who does not ask for them does not see them.
            assert_eq!((line.get("problems"), line["entries"][0].get("device")), (None, None));
        }
        let summary = &last["summary"];
        assert_eq!(
            (&summary["hosts"], &summary["found"], &summary["failed"], &summary["interrupted"]),
            (&json!(11), &json!(10), &json!(1), &json!(false))
        );
        let reasons = json!([{"label": "node or service not known", "count": 1, "hosts": "none"}]);
        assert_eq!(summary["reasons"], reasons);
        let types = json!([{"label": "none", "count": 10, "hosts": "n[1-9]"}]);
        assert_eq!(summary["gid_types"], types);
    }
}

#[test]
fn the_summary_folds_nodes_that_share_a_reason() {
    let Some(machine) = Machine::new("many-summary", &hosts(), "") else { return };
    let run = machine.run(&["-w", "n[1-12],127.1,[99],::1", "--summary", "--no-source", "-4", "7471"]);
    assert_eq!(run.status, 1);
    let (lines, summary) = run.out.split_once("\n\n").expect("an empty line");
    assert_eq!(lines.lines().count(), 15);
    let (counts, rest) = summary.split_once('\n').expect("lines");
    assert!(counts.starts_with("15 nodes: 9 found, 6 failed in 0."), "{counts}");
    assert_eq!(
        rest,
        "node or service not known: n[10-12]\n\
         no address of the requested family: the address is of another family: ::1\n\
         node or service not known: a single number is no IPv4 address; write four parts: 99\n\
         node or service not known: an IPv4 address has four parts, and this short form has fewer: 127.1\n\
         \n\
         REASON                                                                                     NODES\n\
         node or service not known                                                                  3       ####################\n\
         no address of the requested family: the address is of another family                       1       ######\n\
         node or service not known: a single number is no IPv4 address; write four parts            1       ######\n\
         node or service not known: an IPv4 address has four parts, and this short form has fewer   1       ######\n\
         \n\
         SOURCE   NODES                          WHICH\n\
         any      9       ####################   n[1-9]\n\
         \n\
         GID TYPE   NODES                          WHICH\n\
         none       9       ####################   n[1-9]\n"
    );
    let run = machine.run(&["-w", "n1", "--summary", "--no-source", "7471"]);
    assert!(run.found().contains("\n\n1 node: 1 found, 0 failed in 0."));
}

/// The one node that is reached from elsewhere stands out.
#[test]
fn sources_by_device() {
    let Some(machine) = Machine::new("many-sources", &(hosts() + "::1 odd\n"), "") else { return };
    let run = machine.run(&["-w", "n[1-9],odd", "--check", "--summary", "--json", "7471"]);
    // On loopback nothing can work.
    assert_eq!(run.status, 1);
    let lines = objects(&run);
    let (summary, nodes) = lines.split_last().expect("lines");
    assert_eq!(nodes.len(), 10);
    assert!(nodes.iter().all(|node| node["entries"][0]["findings"][0]["fatal"] == json!(true)), "{nodes:?}");
    let summary = &summary["summary"];
    let failed: u64 =
        summary["reasons"].as_array().expect("reasons").iter().filter_map(|it| it["count"].as_u64()).sum();
    assert_eq!((&summary["failed"], failed), (&json!(10), 10));
    let reason = summary["reasons"][0]["label"].as_str().expect("a text");
    assert!(reason.starts_with("no result can work: "), "{reason}");
    let source = summary["sources"][0]["label"].as_str().expect("a text");
    assert!(source.starts_with("lo ("), "{source}");
}

#[test]
fn the_page_needs_nothing_else() {
    let Some(machine) = Machine::new("many-report", &hosts(), "") else { return };
    let file = Scratch::new("report.html");
    let run = machine.run(&["-w", "n[1-12],<b>'&", "--report", file.path(), "--no-source", "7471"]);
    assert_eq!((run.status, run.out.lines().count()), (1, 13));
    let page = fs::read_to_string(&file.0).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</body>\n</html>\n"));
    for part in [
        "<p id=\"counts\">13 nodes: 9 found, 4 failed in 0.",
        "<td class=\"w\">&lt;b&gt;&#39;&amp;,n[10-12]</td>",
        "<td class=\"w\">n[1-9]</td>",
        "<td>any</td><td class=\"n\">9</td>",
        "aria-label=\"distribution of times\"",
        "default-src 'none'",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    for foreign in ["<script", "http:", "https:", "src=", "href=", "url(", "@import", "<b>"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Every element that is opened is closed.
    for element in
        ["html", "head", "body", "table", "thead", "tbody", "tr", "td", "th", "svg", "h1", "h2", "p", "text"]
    {
        let count = |start: String| page.matches(&start).count();
        let opened = count(format!("<{element}>")) + count(format!("<{element} "));
        assert_eq!(opened, count(format!("</{element}>")), "{element}");
    }

    let refused = Run::of(&mut command(&["-w", "127.0.0.1", "--report", "/no/such/file"])).refused(1);
    assert_eq!(
        refused,
        "rdma-getaddrinfo: cannot write '/no/such/file': No such file or directory (os error 2)\n"
    );
    let run = Run::of(&mut command(&["-w", "127.0.0.1", "--report", "/dev/full", "--no-source"]));
    assert_eq!(run.status, 1);
    assert_eq!(
        run.err,
        "rdma-getaddrinfo: cannot write '/dev/full': No space left on device (os error 28)\n"
    );
}

#[test]
fn names_that_a_terminal_would_act_on_are_escaped() {
    let run = Run::of(&mut command(&["-w", "a\u{202e}b", "--no-source", "--summary", "-n"]));
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    assert!(run.out.starts_with("a\\u{202e}b: error: "), "{}", run.out);
    assert!(!run.out.contains('\u{202e}'));
}

/// Half of the names are wrong, over many times what is under way.
#[test]
fn half_of_the_names_are_wrong() {
    let hosts: String = (0..500).map(|n| format!("127.0.{}.{} n{n:03}\n", n / 250, n % 250 + 1)).collect();
    let Some(machine) = Machine::new("many-half", &hosts, "") else { return };
    for order in [&[][..], &["--unordered"]] {
        let run = machine
            .run(&[&["-w", "n[000-999]", "-f", "8", "--summary", "--no-source", "7471"], order].concat());
        assert_eq!(run.status, 1);
        let (lines, summary) = run.out.split_once("\n\n").expect("a summary");
        assert!(summary.contains("1000 nodes: 500 found, 500 failed in "), "{summary}");
        assert!(summary.contains("\nnode or service not known: n[500-999]\n"), "{summary}");
        let names: Vec<&str> = lines.lines().map(|line| line.split(':').next().expect("a name")).collect();
        let sorted: Vec<String> = (0..1000).map(|n| format!("n{n:03}")).collect();
        if order.is_empty() {
            assert_eq!(names, sorted);
        }
        assert_eq!(
            names.iter().copied().collect::<BTreeSet<_>>(),
            sorted.iter().map(|name| &name[..]).collect()
        );
    }
}
