//! Interface names in addresses: the library's parser does no I/O and accepts only indices.

use rdma_addrinfo::InterfaceName;

/// The text with each zone that is a name, such as in `[fe80::1%eth0]:7471`, replaced by the interface's index.
///
/// A zone that is not a name is unchanged; the parser rejects it.
pub(crate) fn with_indices(text: &str) -> Result<String, String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('%') {
        // A zone ends with the address, or before a port, a part of an AF_IB address, or another hint.
        let end = behind.find([']', '/', ',']).unwrap_or(behind.len());
        let (zone, behind) = behind.split_at(end);
        result.push_str(before);
        result.push('%');
        match index(zone)? {
            Some(index) => result.push_str(&index.to_string()),
            None => result.push_str(zone),
        }
        rest = behind;
    }
    result.push_str(rest);
    Ok(result)
}

/// The index of a zone that is an interface name; `None` if it cannot be a name, or if it is digits that no interface has
/// for a name, which are an index.
fn index(zone: &str) -> Result<Option<u32>, String> {
    let is_digits = zone.bytes().all(|byte| byte.is_ascii_digit());
    let Ok(name) = zone.parse::<InterfaceName>() else { return Ok(None) };
    match name.index() {
        Ok(Some(index)) => Ok(Some(index)),
        Ok(None) if is_digits => Ok(None),
        Ok(None) => Err(format!("no interface has the name '{name}'")),
        Err(error) => Err(format!("the interface '{name}' cannot be looked up: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::with_indices;

    #[test]
    fn names_become_indices() {
        for (text, expected) in [
            ("fe80::1%lo", "fe80::1%1"),
            ("[fe80::1%lo]:7471", "[fe80::1%1]:7471"),
            ("ib:fe80::1%lo/pkey=0xffff", "ib:fe80::1%1/pkey=0xffff"),
            ("src=fe80::1%lo,dst=[fe80::2%lo]:1,qp=rc", "src=fe80::1%1,dst=[fe80::2%1]:1,qp=rc"),
            // Indices, and zones that the parser rejects.
            ("fe80::1%2", "fe80::1%2"),
            ("fe80::1%", "fe80::1%"),
            ("fe80::1%a b", "fe80::1%a b"),
            ("192.0.2.1", "192.0.2.1"),
            ("", ""),
        ] {
            assert_eq!(with_indices(text).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(with_indices("fe80::1%no-such-if").unwrap_err(), "no interface has the name 'no-such-if'");
    }
}
