//! Programs that have more rights than their callers: set-user-ID, and with file capabilities. `SYSFS_PATH` must not
//! make them read for the caller what only root may read.

use crate::common::{World, in_ci, skipped};
use rdma_addrinfo::devices::Devices;
use rustix::fs::XattrFlags;
use rustix::process::{Uid, getuid};
use rustix::thread::set_thread_res_uid;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

/// Set in the programs: the test is to read the devices and print what it found.
const CHILD: &str = "RDMA_ADDRINFO_TEST_RIGHTS";

/// Where a world may mount a file system that an unprivileged user can reach.
const MOUNT: &str = "/mnt";

const NOBODY: u32 = 65534;

/// `struct vfs_cap_data` of revision 2: CAP_DAC_OVERRIDE permitted and effective.
const CAP_DAC_OVERRIDE: [[u8; 4]; 5] = [[1, 0, 0, 2], [2, 0, 0, 0], [0; 4], [0; 4], [0; 4]];

#[test]
fn more_rights_do_not_read_another_sysfs() {
    if env::var_os(CHILD).is_some() {
        return read_as_child();
    }
    World::EMPTY.run(|| {
        let Some(program) = program() else { return };
        let secret = Path::new(MOUNT).join("secret");
        let device = secret.join("class/infiniband/secret0");
        fs::create_dir_all(&device).unwrap();
        fs::write(device.join("node_type"), "1: CA\n").unwrap();
        fs::set_permissions(&secret, Permissions::from_mode(0o700)).unwrap();

        let read = |uid: u32| {
            let mut command = Command::new(&program);
            command.args(["--exact", "private_world::rights::more_rights_do_not_read_another_sysfs"]);
            command.args(["--nocapture", "--test-threads=1"]).env(CHILD, "1").env("SYSFS_PATH", &secret);
            let output = command.uid(uid).gid(uid).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success() && text.contains("1 passed"), "{text}");
            let found =
                text.lines().find_map(|line| line.strip_prefix("found ")).expect("a line of the child");
            found.to_owned()
        };
        let set_mode = |mode| fs::set_permissions(&program, Permissions::from_mode(mode)).unwrap();
        let rights = "found by user";

        // Whoever may read it does: as root, and as nobody only once it is public.
        assert_eq!(read(0), format!("secret0 {rights} 0"));
        assert_eq!(read(NOBODY), format!("nothing {rights} {NOBODY}"));
        fs::set_permissions(&secret, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(read(NOBODY), format!("secret0 {rights} {NOBODY}"));
        fs::set_permissions(&secret, Permissions::from_mode(0o700)).unwrap();

        // Set-user-ID, with the user IDs as they are after exec or made equal by the child.
        set_mode(0o4755);
        assert_eq!(read(NOBODY), format!("nothing {rights} 0"));
        assert_eq!(read(0), format!("secret0 {rights} 0"), "root gets no more rights by it");

        // File capabilities: the user IDs never differ.
        set_mode(0o755);
        let capabilities = CAP_DAC_OVERRIDE.concat();
        rustix::fs::setxattr(&program, "security.capability", &capabilities, XattrFlags::empty()).unwrap();
        assert_eq!(read(NOBODY), format!("nothing {rights} {NOBODY}"));
    });
}

/// What a program does that has more rights. If its user IDs differ it makes them equal first.
fn read_as_child() {
    let before = names();
    let root = Uid::ROOT;
    if rustix::process::geteuid() == root {
        set_thread_res_uid(root, root, root).unwrap();
    }
    let after = names();
    assert_eq!(before, after);
    println!("\nfound {after} found by user {}", getuid());
}

fn names() -> String {
    let devices = Devices::read();
    // Devices of the machine have other names.
    let secret = devices.iter().find(|device| device.name() == "secret0");
    secret.map_or("nothing", |_| "secret0").to_owned()
}

/// A copy of this program, in a file system that takes set-user-ID and capabilities. `None`, loudly, where the world is
/// one of a user namespace, which gives a program no more rights than its caller.
fn program() -> Option<PathBuf> {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", "suid,exec,mode=755", "tmpfs", MOUNT]);
    let output = mount.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let program = Path::new(MOUNT).join("program");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    match std::os::unix::fs::chown(&program, Some(NOBODY), None) {
        Ok(()) => {
            std::os::unix::fs::chown(&program, Some(0), Some(0)).unwrap();
            Some(program)
        }
        Err(error) => {
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{error}");
            let why = "it must be run as root, not in a user namespace";
            skipped("more_rights_do_not_read_another_sysfs", why);
            assert!(!in_ci() || !is_first_user_namespace(), "{why}");
            None
        }
    }
}

/// Whether all user IDs are those of the machine.
fn is_first_user_namespace() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    map.split_whitespace().collect::<Vec<_>>() == ["0", "0", "4294967295"]
}
