//! Bytes to paths: in place at any offset, and hostile lengths.

use super::super::{PathData, PathFlags, PathRecord, RouteHint, paths_from_bytes};
use super::{RECORD, numbered, path};
use crate::error::{ErrorKind, Field, Location, Reason};
use std::vec;
use std::vec::Vec;

#[test]
fn paths_are_viewed_in_place_at_any_offset() {
    let paths = numbered(3);
    let bytes: Vec<u8> = paths.iter().flat_map(|path| *path.as_bytes()).collect();
    for offset in 0..16 {
        let mut shifted = vec![0xee; offset];
        shifted.extend(&bytes);
        let view = paths_from_bytes(&shifted[offset..]).unwrap();
        assert_eq!(view, paths);
        assert_eq!(view.as_ptr().addr(), shifted.as_ptr().addr() + offset, "no copy");

        let hint = RouteHint::from_bytes(&shifted[offset..]).unwrap();
        assert_eq!(hint, RouteHint::Data(&paths));
        assert_eq!(hint.as_bytes(), bytes);
        assert_eq!(hint.as_bytes().as_ptr(), shifted[offset..].as_ptr());
    }
}

#[test]
fn lengths_of_a_route() {
    let bytes = [0x5a; 1300];
    for len in 0..=bytes.len() {
        let paths = paths_from_bytes(&bytes[..len]);
        if len % 72 == 0 {
            assert_eq!(paths.unwrap().len(), len / 72);
            continue;
        }
        let error = paths.unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Invalid, Reason::RouteLength));
        assert_eq!(error.location(), Location::Text(len / 72 * 72));
        assert_eq!((error.code(), error.errno()), (-1, Some(22)));
    }
}

#[test]
fn lengths_of_a_route_hint() {
    let bytes = [0x5a; 1300];
    let mut both = Vec::new();
    for len in 0..=bytes.len() {
        let hint = RouteHint::from_bytes(&bytes[..len]);
        let (data, records) = (len % 72 == 0, len % 64 == 0);
        if data && records {
            both.push(len);
        }
        match hint {
            Ok(RouteHint::Data(paths)) => assert_eq!((data, paths.len()), (true, len / 72)),
            Ok(RouteHint::Records(paths)) => {
                assert_eq!((data, records, paths.len()), (false, true, len / 64))
            }
            Err(error) => {
                assert!(!data && !records, "{len}");
                assert_eq!((error.kind(), error.reason()), (ErrorKind::Invalid, Reason::RouteHintLength));
                assert_eq!(error.location(), Location::Hints(Field::Route));
                assert_eq!((error.code(), error.errno()), (-1, Some(22)));
            }
        }
        if let Ok(hint) = hint {
            assert_eq!((hint.len(), hint.is_empty()), (hint.paths().count(), len == 0));
            assert_eq!(hint.as_bytes(), &bytes[..len]);
            assert_eq!(hint.first().is_some(), len != 0);
        }
    }
    assert_eq!(both, [0, 576, 1152]);
}

#[test]
fn records_become_paths_that_the_kernel_takes() {
    let mut bytes = [0; 192];
    for (index, record) in (1..).zip(bytes.chunks_exact_mut(64)) {
        record.copy_from_slice(PathRecord::from_bytes(RECORD).with_slid(index).as_bytes());
    }
    let hint = RouteHint::from_bytes(&bytes).unwrap();
    assert!(matches!(hint, RouteHint::Records([_, _, _])));
    assert_eq!(hint.first(), Some(PathRecord::from_bytes(RECORD).with_slid(1)));

    let mut expected = path();
    expected[4..8].fill(0);
    let expected = PathData::from_bytes(expected);
    let paths: Vec<_> = hint.paths().collect();
    assert_eq!(paths, [expected.with_slid(1), expected.with_slid(2), expected.with_slid(3)]);
}

#[test]
fn paths_with_flags_stay_as_they_are() {
    let bytes: Vec<u8> = numbered(8).iter().flat_map(|path| *path.as_bytes()).collect();
    let hint = RouteHint::from_bytes(&bytes).unwrap();
    assert_eq!(bytes.len(), 9 * 64, "nine records by length, and yet eight paths");
    assert_eq!(hint.paths().collect::<Vec<_>>(), numbered(8));
    assert_eq!(hint.first(), Some(numbered(1)[0].path_record()));
    assert_eq!(hint.paths().nth(7).unwrap().flags(), PathFlags::from_bits_retain(0x0007_002b));
}

#[test]
fn no_bytes_are_no_path() {
    assert_eq!(paths_from_bytes(&[]), Ok(&[][..]));
    let hint = RouteHint::from_bytes(&[]).unwrap();
    assert_eq!((hint.len(), hint.first(), hint.paths().next()), (0, None, None));
}
