//! The resolver and an ibacm that does what it is told, over Unix sockets and TCP.

mod common;

mod ibacm {
    mod daemon;
    mod endurance;
    #[allow(unsafe_code)]
    mod fork;
    #[allow(unsafe_code)]
    mod limits;
    mod many;
    mod replies;
    mod restart;
    mod silence;
    mod wrong;
}
