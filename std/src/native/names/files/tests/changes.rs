//! Files that change between two calls, and while others ask.

use crate::common::{World, dns::Dns, workers};
use crate::native::names::{Query, Source, files, lookup, lookup_by};
use rdma_addrinfo_core::Protocol;
use std::env;
use std::ffi::CStr;
use std::fs::{self, File};
use std::net::IpAddr;
use std::os::unix::fs::{FileExt, chroot, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const WORLD: World<'_> = World { hosts: "192.0.2.1 a\n192.0.2.9 b\n", names: "files dns", ..World::EMPTY };

/// Longer than a change counts as recent.
const SETTLED: Duration = Duration::from_millis(60);

fn query(node: &CStr) -> Query<&CStr> {
    Query {
        node: Some(node),
        service: Some(c"1"),
        family: 0,
        protocol: Protocol::Tcp,
        passive: false,
        canonical: false,
        names: Source::Index,
    }
}

fn is_by_index() -> bool {
    files::lookup(&query(c"a"), None).is_some()
}

#[track_caller]
fn a() -> Option<IpAddr> {
    let found = lookup(&query(c"a")).ok()?;
    let mut all = found.addresses();
    all.next().map(|found| found.address.ip())
}

/// Changes the file, and looks that the next call sees it, then that the index does.
#[track_caller]
fn after(change: impl FnOnce(), last: u8) {
    let expected = Some(IpAddr::from([192, 0, 2, last]));
    change();
    assert_eq!(a(), expected, "at once");
    thread::sleep(SETTLED);
    assert_eq!(a(), expected, "later");
    assert!(is_by_index());
}

fn line(last: u8) -> String {
    format!("192.0.2.{last} a\n192.0.2.9 b\n")
}

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn the_next_call_sees_every_change() {
    WORLD.run(|| {
        thread::sleep(SETTLED);
        after(|| (), 1);
        after(|| fs::write("/etc/hosts", line(2)).unwrap(), 2);
        let rename = |last| {
            fs::write("/etc/hosts.new", line(last)).unwrap();
            fs::rename("/etc/hosts.new", "/etc/hosts").unwrap();
        };
        after(|| rename(3), 3);
        // The same length, in place, and with the old time of the contents.
        let in_place = |last| {
            let file = File::options().write(true).open("/etc/hosts").unwrap();
            let before = file.metadata().unwrap().modified().unwrap();
            file.write_all_at(line(last).as_bytes(), 0).unwrap();
            file.set_modified(before).unwrap();
        };
        after(|| in_place(4), 4);
        // Within one tick: read, then changed again.
        for last in 10..90 {
            in_place(last);
            assert_eq!(a(), Some([192, 0, 2, last].into()));
        }
        let other = |last| {
            fs::write("/etc/other", line(last)).unwrap();
            thread::sleep(SETTLED);
        };
        other(5);
        after(|| run("mount", &["--bind", "/etc/other", "/etc/hosts"]), 5);
        after(|| run("umount", &["/etc/hosts"]), 89);
        after(
            || {
                fs::remove_file("/etc/hosts").unwrap();
                symlink("/etc/other", "/etc/hosts").unwrap();
            },
            5,
        );
        // Gone, and back.
        fs::remove_file("/etc/hosts").unwrap();
        assert_eq!(a(), None);
        after(|| rename(6), 6);
        // Another root, whose file has another address.
        fs::create_dir_all("/etc/root/etc").unwrap();
        for file in ["nsswitch.conf", "host.conf", "resolv.conf"] {
            fs::copy(format!("/etc/{file}"), format!("/etc/root/etc/{file}")).unwrap();
        }
        fs::write("/etc/root/etc/hosts", line(7)).unwrap();
        thread::sleep(SETTLED);
        env::set_current_dir("/").unwrap();
        after(|| chroot("/etc/root").unwrap(), 7);
        // The way back: a sanitizer reads /proc when the process ends.
        chroot(".").unwrap();
        assert!(Path::new("/proc/self").exists());
    });
}

#[test]
fn a_configuration_that_changed_is_left_to_the_c_library() {
    WORLD.run(|| {
        thread::sleep(SETTLED);
        assert!(is_by_index());
        let conf = fs::read("/etc/host.conf").unwrap();
        fs::write("/etc/host.conf", "multi off\n").unwrap();
        thread::sleep(Duration::from_millis(150));
        assert!(!is_by_index());
        assert_eq!(a(), Some([192, 0, 2, 1].into()));
        fs::write("/etc/host.conf", conf).unwrap();
        thread::sleep(Duration::from_millis(150));
        assert!(is_by_index());
    });
}

#[test]
fn who_asks_while_it_is_replaced_gets_the_old_or_the_new() {
    WORLD.run(|| {
        let text = |last: u32| {
            let mut text = format!("192.0.2.{last} a\n");
            for name in 0..200 {
                text += &format!("10.0.{}.{last} n{name}\n", name);
            }
            text + &format!("192.0.3.{last} b\n")
        };
        // What was there before each call, and what is there after it.
        let (started, finished) = (AtomicU32::new(1), AtomicU32::new(1));
        let stop = AtomicBool::new(false);
        fs::write("/etc/hosts", text(1)).unwrap();
        let by_index = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..64 {
                scope.spawn(|| {
                    while !stop.load(Relaxed) {
                        for (node, third) in [(c"a", 2), (c"b", 3), (c"n7", 7)] {
                            let least = finished.load(Relaxed);
                            let found = match files::lookup(&query(node), None) {
                                Some(found) => {
                                    by_index.fetch_add(1, Relaxed);
                                    Ok(found)
                                }
                                None => lookup(&query(node)),
                            };
                            let most = started.load(Relaxed);
                            let address = found.unwrap().addresses().next().unwrap().address.ip();
                            let IpAddr::V4(v4) = address else { panic!("{address}") };
                            let [_, _, of, last] = v4.octets();
                            assert_eq!(of, third);
                            assert!(
                                (least..=most).contains(&last.into()),
                                "{last} is not in {least}..={most}"
                            );
                        }
                    }
                });
            }
            for last in 2..250 {
                fs::write("/etc/hosts.new", text(last)).unwrap();
                // Now and then old enough that the index takes it.
                thread::sleep(if last % 20 == 0 { SETTLED } else { Duration::from_millis(1) });
                started.store(last, Relaxed);
                fs::rename("/etc/hosts.new", "/etc/hosts").unwrap();
                finished.store(last, Relaxed);
                thread::sleep(if last % 20 == 0 { SETTLED } else { Duration::ZERO });
            }
            stop.store(true, Relaxed);
        });
        assert!(by_index.into_inner() > 0);
    });
}

#[test]
fn a_name_of_the_file_keeps_a_short_deadline_while_the_name_server_is_silent() {
    WORLD.run(|| {
        let dns = Dns::start(Duration::from_secs(600));
        thread::sleep(SETTLED);
        assert!(is_by_index());
        let mut late = 0;
        for _ in 0..1000 {
            let deadline = Instant::now() + Duration::from_millis(1);
            match lookup_by(&query(c"a"), deadline, 1000) {
                Ok(found) => {
                    assert_eq!(found.addresses().next().unwrap().address.ip().to_string(), "192.0.2.1")
                }
                // The processor was taken away for so long.
                Err(_) => late += 1,
            }
        }
        assert!(late < 100, "{late} of 1000");
        assert_eq!((dns.asked(), workers()), (0, 0));
    });
}

#[test]
fn a_child_goes_on_with_the_index() {
    use crate::native::fork_id::tests::in_child;
    WORLD.run(|| {
        thread::sleep(SETTLED);
        assert!(is_by_index());
        for _ in 0..20 {
            assert_eq!(in_child(|| u8::from(is_by_index() && a() == Some([192, 0, 2, 1].into()))), Some(1));
        }
        fs::write("/etc/hosts", line(2)).unwrap();
        assert_eq!(in_child(|| u8::from(a() == Some([192, 0, 2, 2].into()))), Some(1));
    });
}
