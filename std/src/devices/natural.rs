//! The natural order of names: `mlx5_2` before `mlx5_10`.

use std::cmp::Ordering;

/// Compares names: runs of digits as numbers, all else by byte. Different names are never equal.
pub(super) fn order(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one.as_bytes(), other.as_bytes());
    loop {
        let (left_run, left_rest) = run(left);
        let (right_run, right_rest) = run(right);
        if left_run.is_empty() || right_run.is_empty() {
            // One or both have ended: `a01` and `a1` differ only by their bytes.
            return left_run.len().cmp(&right_run.len()).then_with(|| one.cmp(other));
        }
        let digits = |run: &[u8]| run.first().is_some_and(u8::is_ascii_digit);
        let ordering = match (digits(left_run), digits(right_run)) {
            (true, true) => {
                // Without leading zeros the longer number is the greater one, even if it fits no integer.
                let (left, right) = (significant(left_run), significant(right_run));
                left.len().cmp(&right.len()).then_with(|| left.cmp(right))
            }
            _ => left_run.cmp(right_run),
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
        (left, right) = (left_rest, right_rest);
    }
}

/// The digits at the start, or what is before the first digit; and the rest.
fn run(text: &[u8]) -> (&[u8], &[u8]) {
    let digits = text.first().is_some_and(u8::is_ascii_digit);
    let end = text.iter().position(|byte| byte.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

fn significant(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::order;
    use std::cmp::Ordering;

    #[test]
    fn numbers_count_as_such() {
        let sorted = [
            "",
            "0",
            "2",
            "10",
            "irdma0",
            "mlx5_",
            "mlx5_0",
            "mlx5_01",
            "mlx5_1",
            "mlx5_2",
            "mlx5_10",
            "mlx5_10_1",
            "mlx5_99999999999999999999999999",
            "mlx10_0",
            "rocep1s0f0",
            "rocep1s0f1",
            "rocep1s10f0",
            "rxe0",
        ];
        for (at, one) in sorted.iter().enumerate() {
            for (other_at, other) in sorted.iter().enumerate() {
                assert_eq!(order(one, other), at.cmp(&other_at), "{one} {other}");
            }
        }
        assert_eq!(order("mlx5_01", "mlx5_1"), Ordering::Less);
    }
}
