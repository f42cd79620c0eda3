//! The recorded answers, from a program that is linked with ours where there is no librdmacm, and from the C library on a
//! simulated device.

use super::build::{With, command, is_slow, library, program};
use super::rows::{Row, Talk, cases, compare, real_has_sa, unsafe_cases};
use crate::common::{World, note};
use crate::ibacm::Ibacm;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A root directory with a program, its libraries, and nothing else: no librdmacm.
struct Bare(PathBuf);

impl Bare {
    fn make(program: &Path) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bare-{}", std::process::id()));
        for folder in ["etc", "run", "lib"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::copy(program, root.join("program")).unwrap();
        fs::copy(library(), root.join("lib/librdma_addrinfo.so")).unwrap();
        // "name => /path (address)", or "/path (address)" for the loader, which must lie where the program says.
        let ldd = Command::new("ldd").arg(program).output().unwrap();
        assert!(ldd.status.success(), "{ldd:?}");
        for line in String::from_utf8(ldd.stdout).unwrap().lines() {
            let Some(path) = line.split_whitespace().find(|word| word.starts_with('/')) else { continue };
            if path.ends_with("librdma_addrinfo.so") {
                continue;
            }
            let name = Path::new(path).file_name().unwrap();
            let to = if line.contains("=>") { root.join("lib").join(name) } else { root.join(&path[1..]) };
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(path, to).unwrap();
        }
        for folder in ["/etc", "/run"] {
            let mount = Command::new("mount").arg("--bind").arg(folder).arg(root.join(&folder[1..])).output();
            let mount = mount.unwrap();
            assert!(mount.status.success(), "{mount:?}");
        }
        Self(root)
    }

    /// Runs the program in it.
    fn command(&self) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.0).arg("/program").env("LD_LIBRARY_PATH", "/lib");
        command
    }

    fn files(&self) -> Vec<PathBuf> {
        let find = Command::new("find").arg(&self.0).args(["-type", "f"]).output().unwrap();
        String::from_utf8(find.stdout).unwrap().lines().map(PathBuf::from).collect()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        for folder in ["etc", "run"] {
            let _ = Command::new("umount").arg(self.0.join(folder)).output();
        }
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn ours_alone_where_there_is_no_librdmacm() {
    let Some(program) = program("ours_alone_where_there_is_no_librdmacm", "answers", With::Ours) else {
        return;
    };
    World::EMPTY.run(|| {
        let bare = Bare::make(&program);
        let files = bare.files();
        let named = |name: &str| files.iter().filter(|path| path.to_str().unwrap().contains(name)).count();
        assert_eq!(
            (named("librdma_addrinfo"), named("librdmacm"), named("libibverbs")),
            (1, 0, 0),
            "{files:?}"
        );

        let rows = cases();
        let (with_reply, without): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.reply != "-");
        let start = |variables: &[(&str, &str)]| {
            // Another program that it is to run under is not there.
            let mut command = if is_slow() { command(&program) } else { bare.command() };
            command.arg("strict").envs(variables.iter().copied());
            Talk::start(command)
        };
        note("rows without ibacm");
        let mut talk = start(&[]);
        assert_eq!(compare(&mut talk, without, None, Row::expected), 632);
        let unsafe_rows = unsafe_cases();
        let (more_with_reply, more): (Vec<&Row>, Vec<&Row>) =
            unsafe_rows.iter().partition(|row| row.reply != "-");
        assert_eq!(compare(&mut talk, more, None, Row::expected), 17);
        talk.end();

        note("rows with ibacm");
        let daemon = Ibacm::start();
        // There is no rdma_cm device here either.
        let mut talk = start(&[("RDMA_ADDRINFO_IB", "always")]);
        assert_eq!(compare(&mut talk, with_reply.clone(), Some(&daemon), Row::expected), 119);
        assert_eq!(compare(&mut talk, more_with_reply, Some(&daemon), Row::expected), 10);
        talk.end();

        note("rows with ibacm, and a kernel that is found not to know AF_IB");
        let mut talk = start(&[]);
        assert_eq!(compare(&mut talk, with_reply, Some(&daemon), Row::expected_without_ib_entry), 119);
        talk.end();
    });
}

#[test]
fn the_c_library_on_a_simulated_device() {
    let Some(program) = program("the_c_library_on_a_simulated_device", "answers", With::Real) else { return };
    World { device: true, ..World::EMPTY }.run(|| {
        // Before release 60 it would ignore RAI_SA.
        let has_sa = real_has_sa().unwrap();
        let rows = cases();
        let known = rows.iter().filter(|row| has_sa || !row.asks_sa());
        let (with_reply, without): (Vec<&Row>, Vec<&Row>) = known.partition(|row| row.reply != "-");
        let without_sa = rows.iter().filter(|row| row.reply == "-" && !row.asks_sa()).count();
        assert_eq!(without_sa, 606);
        let mut talk = Talk::start(command(&program));
        let compared = compare(&mut talk, without, None, Row::expected_without_ib_entry);
        assert_eq!(compared, if has_sa { 632 } else { without_sa });
        talk.end();

        let daemon = Ibacm::start();
        let mut talk = Talk::start(command(&program));
        assert_eq!(compare(&mut talk, with_reply, Some(&daemon), Row::expected_without_ib_entry), 119);
        talk.end();
    });
}

/// Lists of one library that are freed by the other: each way, and every kind of list.
#[test]
fn either_library_frees_the_lists_of_either() {
    let test = "either_library_frees_the_lists_of_either";
    let Some(ours) = program(test, "answers", With::Ours) else { return };
    let Some(real) = program(test, "answers", With::Real) else { return };
    World { device: true, ..World::EMPTY }.run(|| {
        let rows = cases();
        let rows = || rows.iter().filter(|row| row.reply != "-");
        let daemon = Ibacm::start();
        let library = library().to_str().unwrap();
        for (program, other, always) in [(&ours, "librdmacm.so.1", "always"), (&real, library, "auto")] {
            note(&format!("{} and {other}", program.display()));
            let mut command = command(program);
            command.args(["free", other]).env("RDMA_ADDRINFO_IB", always);
            let mut talk = Talk::start(command);
            let expected = if always == "always" { Row::expected } else { Row::expected_without_ib_entry };
            assert_eq!(compare(&mut talk, rows(), Some(&daemon), expected), 119);
            talk.end();
        }
    });
}
