//! Valid and invalid values of the variables.

use super::*;

#[test]
fn every_valid_value_is_accepted() {
    let policies = [("man-page", Policy::MAN_PAGE), ("librdmacm", Policy::LIBRDMACM)];
    for (text, policy) in policies {
        assert_eq!((POLICY.read)(text), Some(policy));
    }
    for (text, milliseconds) in [("0", 0), ("2000", 2000), ("007", 7), ("18446744073709551615", u64::MAX)] {
        assert_eq!((TIMEOUT.read)(text), Some(Duration::from_millis(milliseconds)));
    }
    for (text, ibacm) in [
        ("off", Ibacm::OFF),
        ("auto", Ibacm::AUTO),
        ("6125", Ibacm::port(6125)),
        ("/run/x.sock", Ibacm::socket("/run/x.sock").unwrap()),
        ("/run/x/", Ibacm::directory("/run/x/").unwrap()),
    ] {
        assert_eq!((IBACM.read)(text), Some(ibacm));
    }
    let entries = [("auto", IbEntries::Auto), ("always", IbEntries::Always), ("never", IbEntries::Never)];
    for (text, ib_entries) in entries {
        assert_eq!((IB.read)(text), Some(ib_entries));
    }
    for (text, names) in [("files", Names::Files), ("system", Names::System)] {
        assert_eq!((NAMES.read)(text), Some(names));
    }
}

#[test]
fn nothing_else_is_accepted() {
    for text in ["", " ", "man-page ", "MAN-PAGE", "1x"] {
        assert_eq!((POLICY.read)(text), None, "{text:?}");
        assert_eq!((TIMEOUT.read)(text), None, "{text:?}");
        assert_eq!((IBACM.read)(text), None, "{text:?}");
        assert_eq!((IB.read)(text), None, "{text:?}");
        assert_eq!((NAMES.read)(text), None, "{text:?}");
    }
    for text in ["-1", "+1", "1.5", "2000ms", "18446744073709551616"] {
        assert_eq!((TIMEOUT.read)(text), None, "{text:?}");
    }
    for text in ["0", "65536", "ibacm.sock"] {
        assert_eq!((IBACM.read)(text), None, "{text:?}");
    }
}

#[test]
fn without_variables_the_defaults_are_used() {
    // None of them is set in this process.
    let default = Settings::of(
        Policy::LIBRDMACM,
        Ibacm::AUTO,
        Ibacm::DEFAULT_TIME_LIMIT,
        IbEntries::Auto,
        Names::Files,
    );
    assert_eq!(format!("{:?}", Settings::read(true)), format!("{default:?}"));
    for _ in ["the first call", "another"] {
        assert_eq!(Settings::with(|settings| format!("{settings:?}")), format!("{default:?}"));
    }
    assert_eq!((default.resolver().policy(), default.is_strict()), (Policy::LIBRDMACM, false));
}
