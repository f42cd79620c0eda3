//! What people read: exact output for literals. No test needs a network.

use crate::common::run;

#[test]
fn a_literal_is_one_line() {
    assert_eq!(
        run(&["--no-source", "192.0.2.7", "7471"]).found(),
        "inet   rc/tcp   * -> 192.0.2.7:7471   route unavailable   56 bytes of private data\n"
    );
}

#[test]
fn the_source_is_the_address_that_the_kernel_sends_from() {
    assert_eq!(
        run(&["127.0.0.1", "7471"]).found(),
        "inet   rc/tcp   127.0.0.1 -> 127.0.0.1:7471   route unavailable   56 bytes of private data\n"
    );
}

#[test]
fn entries_stand_in_columns() {
    assert_eq!(
        run(&["--no-source", ":7471"]).found(),
        "inet6   rc/tcp   * -> [::1]:7471       route unavailable   56 bytes of private data\n\
         inet    rc/tcp   * -> 127.0.0.1:7471   route unavailable   56 bytes of private data\n"
    );
}

#[test]
fn passive_entries_point_to_the_source() {
    assert_eq!(
        run(&["-p", ":7471"]).found(),
        "inet6   rc/tcp   [::]:7471    <- *   passive   56 bytes of private data\n\
         inet    rc/tcp   0.0.0.0:7471 <- *   passive   56 bytes of private data\n"
    );
    assert_eq!(
        run(&["--passive", "-4", "--qp-type", "ud", "-", "0"]).found(),
        "inet   ud/udp   0.0.0.0 <- *   passive   180 bytes of private data\n"
    );
}

#[test]
fn a_node_is_a_gid_with_ib() {
    assert_eq!(
        run(&["--ib", "fe80::2:c903:1:7", "7471"]).found(),
        "ib   rc/tcp   * -> ib:fe80::2:c903:1:7/pkey=0xffff/sid=0x1061d2f/mask=0xffffffffffffffff   \
         route unavailable   92 bytes of private data\n"
    );
}

#[test]
fn hints_as_text_and_options_on_top() {
    let line = "inet   uc/ib   192.0.2.9 -> 192.0.2.7:7471   route unavailable   56 bytes of private data\n";
    assert_eq!(run(&["--hints", "qp=uc,ps=ib,src=192.0.2.9", "192.0.2.7:7471"]).found(), line);
    // Each option takes the place of the hint.
    let hints = "qp=ud,ps=udp,family=inet6,src=::9";
    let options = ["-4", "--qp-type", "3", "--port-space", "0x13f", "--src", "192.0.2.9"];
    assert_eq!(run(&[&["--hints", hints][..], &options, &["192.0.2.7:7471"]].concat()).found(), line);
    // Flags add up.
    let listen = "inet6   rc/tcp   [2001:db8::7]:1 <- *   passive   56 bytes of private data\n";
    assert_eq!(run(&["--hints", "passive", "-n", "2001:db8::7", "1"]).found(), listen);
    assert_eq!(run(&["--hints", "numeric-host", "-p", "2001:db8::7", "1"]).found(), listen);
}

#[test]
fn hints_alone_are_enough() {
    assert_eq!(
        run(&["--src", "192.0.2.9", "--dst", "192.0.2.7:7471"]).found(),
        "inet   rc/tcp   192.0.2.9 -> 192.0.2.7:7471   route unavailable   56 bytes of private data\n"
    );
    // The C library repeats the hints, unchecked; the manual page refuses empty ones.
    assert_eq!(run(&["--policy", "librdmacm", "--hints", ""]).found(), "unspec   any/any   * -> *\n");
}

#[test]
fn a_route_hint_is_told_path_by_path() {
    // ibv_path_data: flags, then from fe80::12 (destination) and fe80::11 (source) on.
    let route = [
        &0x2b_u32.to_ne_bytes()[..],
        &[0; 4],
        &[0; 8],
        &gid(0x12),
        &gid(0x11),
        &[0, 0x26, 0, 0x03],
        &[0, 0, 0, 64],
        &[0, 0x80],
        &[0xff, 0xff],
        &[0, 3],
        &[0x84, 0x90, 0x92, 0],
        &[0; 6],
    ]
    .concat();
    let hex: String = route.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        run(&["--hints", &format!("route={hex}")]).found(),
        "ib   rc/tcp   ib:fe80::11/pkey=0xffff/sid=0x1060000/mask=0xffffffffffff0000 -> \
         ib:fe80::12/pkey=0xffff/sid=0x1060000/mask=0xffffffffffff0000   1 path   92 bytes of private \
         data\n    \
         path     fe80::11 -> fe80::12 pkey 0xffff mtu 2048 rate 100 Gb/s sl 3 life 1.073 s lid 3 -> 38 \
         hops 64 \
         reversible gmp|primary|outbound|inbound-reverse\n"
    );
}

fn gid(last: u8) -> [u8; 16] {
    [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]
}

#[test]
fn a_link_local_address_without_a_zone_is_a_warning() {
    assert_eq!(
        run(&["--no-source", "fe80::1", "7471"]).found(),
        "inet6   rc/tcp   * -> [fe80::1]:7471   route unavailable   56 bytes of private data\n    \
         warning  link-local address without a zone: the kernel picks an interface, perhaps the wrong \
         one; add %INTERFACE\n"
    );
    assert_eq!(
        run(&["--no-source", "[fe80::1%1]:7471"]).found(),
        "inet6   rc/tcp   * -> [fe80::1%1]:7471   route unavailable   56 bytes of private data\n"
    );
}

#[test]
fn policies_differ() {
    assert_eq!(
        run(&["--policy", "librdmacm", "127.1", "7471"]).found(),
        "inet   rc/tcp   * -> 127.0.0.1:7471   route unavailable   56 bytes of private data\n"
    );
    assert_eq!(
        run(&["--policy=man-page", "127.1", "7471"]).refused(1),
        "rdma-getaddrinfo: cannot resolve node '127.1' service '7471': node or service not known: an IPv4 \
         address has \
         four parts, and this short form has fewer (node, byte 5)\n  127.1\n       ^\n"
    );
}

#[test]
fn the_explanation_tells_hints_in_words_and_each_step() {
    let out = run(&["--explain", "-n", "-4", "--qp-type", "rc", "127.0.0.1", "7471"]).found();
    let expected = "\
node      '127.0.0.1'
service   '7471'
hints     numeric addresses only, family inet, QP type rc
backend   auto
policy    rules of the manual page, strict text, all addresses, source looked for
ibacm     /run/ibacm.port or /run/ibacm.sock
limit     5000 ms
step 1    TIME   route to 127.0.0.1:7471 (request: destination no-delay 127.0.0.1): unavailable
step 2    TIME   source for 127.0.0.1:7471: 127.0.0.1
total     TIME

inet   rc/tcp   127.0.0.1 -> 127.0.0.1:7471   route unavailable   56 bytes of private data
";
    assert_eq!(without_times(&out), expected);
}

#[test]
fn the_explanation_comes_before_an_error() {
    let run =
        run(&["--explain", "--policy", "librdmacm", "--timeout", "none", "--no-route", "-n", "storage-7"]);
    assert_eq!(
        (run.status, without_times(&run.out).as_str(), run.err.as_str()),
        (
            1,
            "\
node      'storage-7'
service   none
hints     numeric addresses only, no lengthy route resolution
backend   auto
policy    rules of librdmacm, text as glibc reads it, first address, source not looked for
ibacm     /run/ibacm.port or /run/ibacm.sock
limit     none
total     TIME

",
            "rdma-getaddrinfo: cannot resolve node 'storage-7': node or service not known: it is no \
             numeric address, and \
             RAI_NUMERICHOST excludes a look-up (node, byte 0)\n  storage-7\n  ^\n"
        )
    );
}

#[test]
fn every_option_that_is_a_hint_is_told_in_words() {
    for (arguments, told) in [
        (&[][..], "none"),
        (&["--hints", ""], "all left open"),
        (&["-p"], "for the passive side"),
        (&["-n"], "numeric addresses only"),
        (&["--no-route"], "no lengthy route resolution"),
        (&["-4"], "family inet"),
        (&["-6"], "family inet6"),
        (&["--ib"], "the family says how to read the node, family ib"),
        (&["--qp-type", "xrc-send"], "QP type xrc-send"),
        (&["--port-space", "262"], "port space tcp"),
        (&["--src", "[fe80::1%2]:7471"], "source [fe80::1%2]:7471"),
        (&["--dst", "ib:fe80::1/pkey=0x8001"], "destination ib:fe80::1/pkey=0x8001"),
        (&["--dns"], "ask DNS"),
        (&["--sa"], "ask the subnet administrator"),
        (&["--hints", "route-only,flags=0x40,route=0011"], "route only, flags 0x40, a route of 2 bytes"),
    ] {
        let run = run(&[&["--explain"], arguments, &["::1", "1"]].concat());
        let line = run.out.lines().find(|line| line.starts_with("hints "));
        assert_eq!(line, Some(format!("hints     {told}").as_str()), "{arguments:?}");
    }
}

/// Each `NUMBER us` as `TIME`.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.split_once(" us") {
        Some((head, tail)) => {
            let (key, time) = head.rsplit_once(' ').expect("a key");
            time.parse::<f64>().expect("a time");
            format!("{:10}TIME{tail}\n", key.trim_end())
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
