//! What does not answer as the connection manager does is none.

use super::*;
use std::env;
use std::fs;
use std::process;

#[test]
fn no_device_and_other_devices_are_no() {
    // These take whatever is written, and give no identifier.
    for device in ["/dev/null", "/dev/zero"] {
        assert_eq!(
            takes_af_ib(Path::new(device)).unwrap_err().kind(),
            io::ErrorKind::Unsupported,
            "{device}"
        );
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

/// A write that a device takes in part is no command.
#[test]
fn a_command_is_one_write() {
    let mut buffer = [0; 31];
    assert!(write_command(&mut &mut buffer[..], &create_id(1)).is_err());
    let mut buffer = [0; 32];
    assert!(write_command(&mut &mut buffer[..], &create_id(1)).is_ok());
    assert_eq!(buffer, create_id(1));
}

#[test]
#[cfg(target_endian = "little")]
fn commands_byte_by_byte() {
    let mut create = [0; 32];
    create[4..8].copy_from_slice(&[24, 0, 4, 0]);
    create[16..24].copy_from_slice(&[8, 7, 6, 5, 4, 3, 2, 1]);
    create[24..27].copy_from_slice(&[0x3f, 1, 2]);
    assert_eq!(create_id(0x0102_0304_0506_0708), create);

    let mut bound = [0; 144];
    bound[..8].copy_from_slice(&[20, 0, 0, 0, 136, 0, 0, 0]);
    bound[8..16].copy_from_slice(&[4, 3, 2, 1, 48, 0, 0, 0]);
    // The address: family, and service ID and mask from its bytes 24 and 32 on.
    bound[16] = 27;
    bound[40..48].copy_from_slice(&[0, 0, 0, 0, 1, 6, 0, 0]);
    bound[48..56].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0]);
    assert_eq!(bind(0x0102_0304), bound);
}
