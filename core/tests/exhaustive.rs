//! Tables that leave nothing out: every set of flags with every family and every absence, every pair of QP type and port
//! space, every port and octet as text, every code of C, every status and operation of ibacm.
//!
//! Every value of every packed field of a path is a unit test of the fields.

mod exhaustive {
    mod codes;
    mod flags;
    mod texts;
    mod words;
}
