//! Trees that are no sysfs: the work is bounded, and what is wrong is said.

use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Devices, ProblemKind};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

const PORT: &str = "class/infiniband/mlx5_0/ports/1";

/// Path and kind of each problem.
fn problems(devices: &Devices) -> Vec<(String, ProblemKind)> {
    devices.problems().iter().map(|problem| (problem.path.clone(), problem.kind)).collect()
}

/// The tree of a RoCE port with something else at `path`, and the only problem of it.
#[track_caller]
fn problem(path: &str, put: impl FnOnce(PathBuf)) -> ProblemKind {
    let tree = Tree::named("constructed/roce");
    let file = tree.path(path);
    let _ = fs::remove_file(&file);
    put(file);
    let devices = tree.read();
    let [(at, kind)] = &problems(&devices)[..] else { panic!("{:?}", devices.problems()) };
    assert_eq!(at, path);
    // What else is there is read.
    assert_eq!(devices.iter().next().unwrap().ports()[0].gids().last().unwrap().index(), 5);
    *kind
}

#[test]
fn text_that_cannot_be_parsed_is_a_problem() {
    for (name, text) in [
        ("state", &b"ACTIVE\n"[..]),
        ("state", b"256: ACTIVE\n"),
        ("state", b"-4: ACTIVE\n"),
        ("state", b"+4: ACTIVE\n"),
        ("state", b"99999999999999999999999999: ACTIVE\n"),
        ("state", b""),
        ("lid", b"0x10000\n"),
        ("lid", b"17\n"),
        ("gids/2", b"192.0.2.1\n"),
        ("gids/2", b"fe80::1%lo\n"),
        ("gids/2", b"0000:0000:0000:0000:0000:ffff:c000:02011\n"),
        ("gid_attrs/ndevs/0", b"../../../etc\n"),
        ("gid_attrs/ndevs/0", b"\n"),
        ("gid_attrs/ndevs/0", b"a-name-that-is-too-long\n"),
    ] {
        let kind = problem(&format!("{PORT}/{name}"), |path| fs::write(path, text).unwrap());
        assert_eq!(kind, ProblemKind::Meaningless, "{name} {:?}", String::from_utf8_lossy(text));
    }
    let path = "class/net/ens1/address";
    for text in
        ["02:00", "02-00-00-00-00-01", "2:0:0:0:0:1", "+2:00:00:00:00:01", &"00:".repeat(5000)[..4000]]
    {
        if text == "02:00" {
            continue; // Two bytes are an address, too.
        }
        let kind = problem(path, |path| fs::write(path, text).unwrap());
        assert_eq!(kind, ProblemKind::Meaningless, "{text}");
    }
}

#[test]
fn what_is_no_line_of_text_is_a_problem() {
    let state = format!("{PORT}/state");
    for bytes in [&b"\xff\xfe\n"[..], b"4: ACTIVE\n5: ACTIVE\n", b"4: AC\0TIVE", b"4: \x1b[2J\n", b"\n\n"] {
        let kind = problem(&state, |path| fs::write(path, bytes).unwrap());
        assert_eq!(kind, ProblemKind::NotText, "{bytes:?}");
    }
    let long = |len: usize| problem(&state, |path| fs::write(path, vec![b'4'; len]).unwrap());
    assert_eq!(long(4096), ProblemKind::Meaningless);
    assert_eq!(long(4097), ProblemKind::TooLong);
    // A huge sparse file is read no further, either.
    let huge = problem(&state, |path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap());
    assert_eq!(huge, ProblemKind::TooLong);
}

#[test]
fn what_is_no_file_is_a_problem_and_is_not_waited_for() {
    let state = format!("{PORT}/state");
    assert_eq!(problem(&state, |path| fs::create_dir(path).unwrap()), ProblemKind::NotFile);
    let pipe = problem(&state, |path| {
        let made = Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    });
    assert_eq!(pipe, ProblemKind::NotFile);
    assert_eq!(problem(&state, |path| symlink("/dev/zero", path).unwrap()), ProblemKind::NotFile);
    let loop_ = problem(&state, |path| symlink("state", path).unwrap());
    assert_eq!(loop_, ProblemKind::System(libc::ELOOP));
}

#[test]
fn a_folder_that_holds_itself_is_not_followed() {
    let tree = Tree::named("constructed/roce");
    symlink(".", tree.path("class/infiniband/mlx5_0/ports/2")).unwrap();
    symlink("..", tree.path("class/infiniband/loop")).unwrap();
    let devices = tree.read();
    let names: Vec<_> = devices.iter().map(|device| (device.name(), device.ports().len())).collect();
    assert_eq!(names, [("loop", 0), ("mlx5_0", 2)]);
    assert_eq!(devices.problems(), []);
}

#[test]
fn a_device_that_has_left_is_none() {
    let tree = Tree::named("constructed/roce");
    symlink("nowhere", tree.path("class/infiniband/gone")).unwrap();
    let devices = tree.read();
    assert_eq!((devices.len(), devices.problems()), (1, &[][..]));
}

#[test]
fn a_device_that_cannot_be_looked_at_is_told() {
    let tree = Tree::named("constructed/roce");
    symlink("itself", tree.path("class/infiniband/itself")).unwrap();
    let devices = tree.read();
    assert_eq!(devices.len(), 1);
    assert_eq!(
        problems(&devices),
        [("class/infiniband/itself".to_owned(), ProblemKind::System(libc::ELOOP))]
    );
}

#[test]
fn names_that_are_no_numbers_are_a_problem() {
    for name in ["01", "+1", "-1", "x", "4294967296", "99999999999999999999", " 1", "1 "] {
        let path = format!("{PORT}/gids/{name}");
        assert_eq!(
            problem(&path, |path| fs::write(path, "::1\n").unwrap()),
            ProblemKind::Meaningless,
            "{name}"
        );
    }
    // Verbs have a byte for the port.
    let tree = Tree::named("constructed/roce");
    tree.put("class/infiniband/mlx5_0/ports/256/state", "4: ACTIVE");
    let devices = tree.read();
    let path = "class/infiniband/mlx5_0/ports/256".into();
    assert_eq!(problems(&devices), [(path, ProblemKind::Meaningless)]);
    // The greatest index there is.
    let tree = Tree::named("constructed/roce");
    tree.put(&format!("{PORT}/gids/4294967295"), "2001:db8:0:0:0:0:0:7");
    let devices = tree.read();
    let port = &devices.iter().next().unwrap().ports()[0];
    assert_eq!((port.gids()[6].index(), port.gid_table_length()), (u32::MAX, u32::MAX));
}

#[test]
fn a_huge_folder_is_read_in_part() {
    let tree = Tree::named("constructed/roce");
    let folder = tree.path(&format!("{PORT}/gids/0"));
    let folder = folder.parent().unwrap();
    for number in 256..4200 {
        fs::hard_link(folder.join("255"), folder.join(number.to_string())).unwrap();
    }
    let devices = tree.read();
    assert_eq!(problems(&devices), [(format!("{PORT}/gids"), ProblemKind::TooManyNames)]);
}

#[test]
fn a_huge_tree_is_read_in_part() {
    let tree = Tree::named("constructed/roce");
    let devices = tree.path("class/infiniband/x");
    let devices = devices.parent().unwrap();
    // 4000 devices of 255 files each and more, which are one.
    for number in 1..4000 {
        symlink("mlx5_0", devices.join(format!("mlx5_{number}"))).unwrap();
    }
    let found = tree.read();
    assert_eq!(problems(&found).len(), 1);
    assert_eq!(found.problems()[0].kind, ProblemKind::TooManyFiles);
    let read = found.iter().filter(|device| !device.ports().is_empty()).count();
    // 262,144 files at about 530 a device, 256 of them names.
    assert!((300..1000).contains(&read), "{read}");
}

#[test]
fn many_problems_are_kept_in_part() {
    let tree = Tree::named("constructed/roce");
    for number in 0..100 {
        tree.put(&format!("{PORT}/gids/x{number}"), "");
    }
    let devices = tree.read();
    assert_eq!(devices.problems().len(), 32);
    assert_eq!(devices.problems()[31].kind, ProblemKind::TooManyProblems);
    assert_eq!(
        devices.problems()[0].to_string(),
        "class/infiniband/mlx5_0/ports/1/gids/x0: it cannot be parsed"
    );
}

#[test]
fn a_name_that_a_terminal_would_act_on_is_no_device() {
    let tree = Tree::named("constructed/roce");
    tree.put("class/infiniband/\x1b[2J/node_type", "1: CA");
    let devices = tree.read();
    assert_eq!(devices.len(), 1);
    assert_eq!(devices.problems()[0].to_string(), "class/infiniband/\\u{1b}[2J: it is not one line of text");
}

#[test]
fn a_root_that_is_no_folder_has_no_devices() {
    let tree = Tree::new("class\tx");
    let devices = tree.read();
    assert!(devices.is_empty());
    assert_eq!(problems(&devices), [("class/infiniband".into(), ProblemKind::System(libc::ENOTDIR))]);
}
