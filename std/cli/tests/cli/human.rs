//! Text output that contains bytes in native order, or that many options share; the rest is in `cmd/`.

use crate::common::run;

#[test]
fn a_route_hint_is_shown_path_by_path() {
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
fn every_option_that_is_a_hint_is_explained() {
    for (arguments, words) in [
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
        assert_eq!(line, Some(format!("hints     {words}").as_str()), "{arguments:?}");
    }
}
