//! What does not answer as the connection manager does is none.

use super::*;
use std::env;
use std::fs;
use std::process;

#[test]
fn no_device_and_other_devices_are_no() {
    // These take whatever is written, and give no identifier.
    for device in ["/dev/null", "/dev/zero"] {
        let error = takes_af_ib(Path::new(device)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{device}");
    }
    assert!(takes_af_ib(Path::new("/dev/full")).is_err());
    assert_eq!(takes_af_ib(Path::new("/dev/nonexistent")).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert!(takes_af_ib(Path::new("/dev")).is_err());
}

#[test]
fn a_file_is_not_written_to() {
    let path = env::temp_dir().join(format!("rdma-addrinfo-no-device-{}", process::id()));
    fs::write(&path, "text").unwrap();
    let answer = takes_af_ib(&path);
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!((answer.unwrap_err().kind(), text.as_str()), (io::ErrorKind::Unsupported, "text"));
}

#[test]
fn a_machine_without_the_device_says_no_again_and_again() {
    if !Path::new(DEVICE).exists() {
        assert_eq!([kernel_takes_af_ib(), kernel_takes_af_ib()], [false, false]);
    }
}
