//! Structures and constants as the installed C headers have them, read by a C program.

use crate::common::{in_ci, skipped};
use rdma_addrinfo::abi;
use std::fs;
use std::mem::{align_of, offset_of, size_of};
use std::path::Path;
use std::process::{self, Command};

const CONSTANTS: &str = include_str!("../../../core/src/abi/constants.rs");
const STRUCTS: &str = include_str!("../../../core/src/abi/structs.rs");
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/librdmacm/layout.c");

/// What the C program prints, or what its compiler said.
fn printed() -> Result<String, String> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-layout", process::id()));
    let gcc =
        Command::new("gcc").args(["-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(SOURCE).output();
    let gcc = gcc.map_err(|error| format!("gcc: {error}"))?;
    if !gcc.status.success() {
        return Err(String::from_utf8_lossy(&gcc.stderr).into_owned());
    }
    let output = Command::new(&program).output().unwrap();
    fs::remove_file(&program).unwrap();
    assert!(output.status.success(), "{output:?}");
    Ok(String::from_utf8(output.stdout).unwrap())
}

/// The lines of a structure. Where it says `unaligned` ours has alignment 1, and the number is that of C.
macro_rules! lines {
    ($out:ident, $ty:ident, $align:expr; $($field:ident),+) => {
        $out.push(format!("struct {} size {} alignment {}", stringify!($ty), size_of::<abi::$ty>(), $align));
        $($out.push(format!(
            "{}.{} at {} size {}",
            stringify!($ty),
            stringify!($field),
            offset_of!(abi::$ty, $field),
            size_of_field(|value: &abi::$ty| &value.$field),
        ));)+
    };
}

fn size_of_field<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

macro_rules! constants {
    ($out:ident; $($name:ident),+) => {
        $($out.push(format!("{} {}", stringify!($name), i128::from(abi::$name)));)+
    };
}

fn ours(since_60: bool) -> Vec<String> {
    let mut out = Vec::new();
    // Views of wire structures have alignment 1: C's is this.
    assert_eq!([align_of::<abi::sockaddr_ib>(), align_of::<abi::ibv_path_data>()], [1, 1]);
    lines!(out, sockaddr_in, 4; sin_family, sin_port, sin_addr, sin_zero);
    lines!(out, sockaddr_in6, 4; sin6_family, sin6_port, sin6_flowinfo, sin6_addr, sin6_scope_id);
    lines!(out, sockaddr_ib, align_of::<u64>(); sib_family, sib_pkey, sib_flowinfo, sib_addr, sib_sid, sib_sid_mask,
        sib_scope_id);
    lines!(out, ibv_path_record, align_of::<u64>(); service_id, dgid, sgid, dlid, slid, flowlabel_hoplimit, tclass,
        reversible_numpath, pkey, qosclass_sl, mtu, rate, packetlifetime, preference, reserved);
    lines!(out, ibv_path_data, align_of::<u64>(); flags, reserved, path);
    lines!(out, rdma_addrinfo, align_of::<abi::rdma_addrinfo>(); ai_flags, ai_family, ai_qp_type, ai_port_space,
        ai_src_len, ai_dst_len, ai_src_addr, ai_dst_addr, ai_src_canonname, ai_dst_canonname, ai_route_len, ai_route,
        ai_connect_len, ai_connect, ai_next);
    constants!(out; AF_UNSPEC, AF_INET, AF_INET6, AF_IB, RAI_PASSIVE, RAI_NUMERICHOST, RAI_NOROUTE, RAI_FAMILY,
        IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD, IBV_QPT_RAW_PACKET, IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV, IBV_QPT_DRIVER,
        RDMA_PS_IPOIB, RDMA_PS_TCP, RDMA_PS_UDP, RDMA_PS_IB);
    // C prints it as a signed number.
    out.push(format!("RDMA_IB_IP_PS_MASK {}", abi::RDMA_IB_IP_PS_MASK.cast_signed()));
    constants!(out; RDMA_IB_IP_PORT_MASK, IBV_PATH_FLAG_GMP, IBV_PATH_FLAG_PRIMARY, IBV_PATH_FLAG_ALTERNATE,
        IBV_PATH_FLAG_OUTBOUND, IBV_PATH_FLAG_INBOUND, IBV_PATH_FLAG_INBOUND_REVERSE, EAI_BADFLAGS, EAI_NONAME,
        EAI_AGAIN, EAI_FAIL, EAI_NODATA, EAI_FAMILY, EAI_SOCKTYPE, EAI_SERVICE, EAI_ADDRFAMILY, EAI_MEMORY,
        EAI_SYSTEM, EAI_OVERFLOW, ENOENT, ENOMEM, ENODEV, EINVAL, EOPNOTSUPP, ETIMEDOUT);
    if since_60 {
        constants!(out; RAI_SA, RAI_DNS);
    }
    out
}

#[test]
fn structures_and_constants_are_those_of_the_headers() {
    let printed = match printed() {
        Err(problem) if !in_ci() => return skipped("structures_and_constants", &problem),
        printed => printed.unwrap(),
    };
    let theirs: Vec<_> = printed.lines().collect();
    let since_60 = theirs.iter().any(|line| line.starts_with("RAI_SA "));
    assert_eq!(ours(since_60), theirs);

    // No mirrored item is left out, but those that no header has.
    let mut mirrored = 0;
    for (source, keyword) in [(CONSTANTS, "pub const "), (STRUCTS, "pub struct ")] {
        for item in source.lines().filter_map(|line| line.strip_prefix(keyword)) {
            let name = item.split([':', ' ']).next().unwrap();
            let in_no_header = ["RAI_ROUTEONLY", "EAI_QPTYPE"].contains(&name);
            let newer = ["RAI_SA", "RAI_DNS"].contains(&name) && !since_60;
            let starts = [format!("{name} "), format!("struct {name} ")];
            let is_printed = theirs.iter().any(|line| starts.iter().any(|start| line.starts_with(start)));
            assert_eq!(is_printed, !in_no_header && !newer, "{name}");
            mirrored += 1;
        }
    }
    assert!(mirrored > 50, "{mirrored}");
}
