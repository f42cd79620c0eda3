//! The device, and the bytes of the commands that both its users send.

use super::*;
use std::env;
use std::fs;
use std::process;
use std::time::Duration;

/// Keeps commands, and answers each with the bytes of 7.
#[derive(Default)]
struct Recorder(Vec<(Command, Vec<u8>, usize)>);

impl Commands for Recorder {
    fn send(&mut self, command: Command, body: &[u8], answer: &mut [u8]) -> io::Result<()> {
        self.0.push((command, body.to_vec(), answer.len()));
        answer.fill(7);
        Ok(())
    }

    fn wait(&mut self, _: Instant) -> io::Result<bool> {
        Ok(true)
    }
}

#[test]
#[cfg(target_endian = "little")]
fn bodies_byte_by_byte() {
    let mut recorder = Recorder::default();
    assert_eq!(create_id(&mut recorder, 0x0102).unwrap(), 0x0707_0707);
    let address = std::array::from_fn(|at| u8::try_from(at).unwrap());
    bind(&mut recorder, 0x0102_0304, address).unwrap();

    let mut create = [0; 24];
    create[..2].copy_from_slice(&[2, 1]);
    create[16..19].copy_from_slice(&[0x3f, 1, 2]);
    let mut bound = [0; 136];
    bound[..8].copy_from_slice(&[4, 3, 2, 1, 48, 0, 0, 0]);
    bound[8..56].copy_from_slice(&address);
    let expected = [(Command::CreateId, create.to_vec(), 4), (Command::Bind, bound.to_vec(), 0)];
    assert_eq!(recorder.0, expected);
    let numbers =
        [Command::CreateId, Command::GetEvent, Command::Query, Command::Bind, Command::ResolveIbService];
    assert_eq!(numbers.map(|command| command as u32), [0, 12, 19, 20, 23]);
}

/// The command as it arrives: a pipe takes it and shows it.
#[test]
#[cfg(target_endian = "little")]
fn a_command_is_one_write_with_the_address_of_the_answer() {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut device = Device(File::from(std::os::fd::OwnedFd::from(writer)));
    let mut answer = [0xff; 5];
    let address = answer.as_ptr() as u64;
    device.send(Command::Query, &[9; 16], &mut answer).unwrap();
    let mut whole = [0; 24];
    io::Read::read_exact(&mut reader, &mut whole).unwrap();
    assert_eq!(whole[..8], [19, 0, 0, 0, 16, 0, 5, 0]);
    assert_eq!(whole[8..16], address.to_ne_bytes());
    assert_eq!(whole[16..], [9; 8]);
    // Nobody wrote there.
    assert_eq!(answer, [0xff; 5]);

    // Without an answer no byte of the body is an address.
    device.send(Command::Bind, &[9; 136], &mut []).unwrap();
    let mut whole = [0; 144];
    io::Read::read_exact(&mut reader, &mut whole).unwrap();
    assert_eq!((&whole[..8], &whole[8..]), (&[20, 0, 0, 0, 136, 0, 0, 0][..], &[9; 136][..]));

    // What does not fit is not sent.
    let kind = |sent: io::Result<()>| sent.unwrap_err().kind();
    assert_eq!(kind(device.send(Command::Bind, &[0; 137], &mut [])), io::ErrorKind::InvalidInput);
    assert_eq!(kind(device.send(Command::Bind, &[0; 136], &mut [0])), io::ErrorKind::InvalidInput);
    assert_eq!(kind(device.send(Command::Query, &[0; 7], &mut [0])), io::ErrorKind::InvalidInput);
    assert_eq!(kind(device.send(Command::Query, &[0; 16], &mut [0; 65536])), io::ErrorKind::InvalidInput);
    drop(device);
    let mut rest = Vec::new();
    io::Read::read_to_end(&mut reader, &mut rest).unwrap();
    assert_eq!(rest, []);
}

#[test]
fn waiting_ends_at_the_deadline_or_with_an_event() {
    let (reader, mut writer) = io::pipe().unwrap();
    let mut device = Device(File::from(std::os::fd::OwnedFd::from(reader)));
    let begin = Instant::now();
    assert!(!device.wait(begin + Duration::from_millis(30)).unwrap());
    assert!((30..5000).contains(&begin.elapsed().as_millis()));
    assert!(!device.wait(begin).unwrap());
    io::Write::write_all(&mut writer, &[1]).unwrap();
    assert!(device.wait(begin).unwrap());
}

#[test]
fn no_device_and_files_are_none() {
    assert_eq!(Device::open(Path::new("/dev/nonexistent")).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert!(Device::open(Path::new("/dev")).is_err());
    let path = env::temp_dir().join(format!("rdma-addrinfo-no-rdma-cm-{}", process::id()));
    fs::write(&path, "text").unwrap();
    let opened = Device::open(&path);
    fs::remove_file(&path).unwrap();
    assert_eq!(opened.unwrap_err().kind(), io::ErrorKind::Unsupported);
    // These take whatever is written, and answer nothing.
    let mut null = Device::open(Path::new("/dev/null")).unwrap();
    assert_eq!(create_id(&mut null, 1).unwrap_err().kind(), io::ErrorKind::InvalidData);
    let mut full = Device::open(Path::new("/dev/full")).unwrap();
    assert_eq!(create_id(&mut full, 1).unwrap_err().raw_os_error(), Some(libc::ENOSPC));
}
