//! A result as the list of C structures that rdma_create_ep(3) takes: nothing is copied, and nothing has to be freed.

use rdma_addrinfo::{CList, Hints, Resolver};

fn main() -> Result<(), rdma_addrinfo::Error> {
    let found = Resolver::new().resolve("127.0.0.1", 7471, &Hints::new())?;
    let list = found.list();
    let mut room = CList::<8>::new();
    let linked = room.link(&list);
    assert!(!linked.is_truncated());
    // `linked.as_ptr()` is the `res` of rdma_create_ep(id, res, pd, qp_init_attr), for as long as `linked` lives.
    println!("{} entries at {:p}", list.len(), linked.as_ptr());
    assert!(!linked.as_ptr().is_null());
    Ok(())
}
