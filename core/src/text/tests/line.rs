use crate::text::Line;
use core::fmt::{self, Write};
use std::format;
use std::string::String;

/// A writer with room for so many bytes.
struct Room(String, usize);

impl Write for Room {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = self.1.checked_sub(text.len()).ok_or(fmt::Error)?;
        (self.0, self.1) = (format!("{}{text}", self.0), left);
        Ok(())
    }
}

/// More than is held back, by one piece or by many.
#[test]
fn a_line_is_whole_however_long() {
    for len in 0..200 {
        for rest in [0, 1, 63, 64, 65, 130] {
            let (head, tail) = ("a".repeat(len), "c".repeat(rest));
            let put = |line: &mut Line<'_, Room>| {
                line.write_str(&head)?;
                line.ascii(b'b')?;
                line.write_str(&tail)?;
                line.decimal(u64::MAX)
            };
            let right = format!("{head}b{tail}{}", u64::MAX);
            let mut room = Room(String::new(), right.len());
            assert_eq!(Line::write(&mut room, put), Ok(()));
            assert_eq!(room.0, right);
            // Of a writer that fails, the error is told.
            assert_eq!(Line::write(&mut Room(String::new(), right.len() - 1), put), Err(fmt::Error));
        }
    }
}

#[test]
fn numbers_of_every_length() {
    let mut number = 0_u64;
    for digit in (1..=9).chain(0..=9) {
        for number in [number, u64::MAX - number] {
            let mut text = String::new();
            Line::write(&mut text, |line| line.decimal(number)).unwrap();
            assert_eq!(text, format!("{number}"));
        }
        number = number * 10 + digit;
    }
}
