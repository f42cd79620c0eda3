//! Conformance with rdma_getaddrinfo(3): `manual_page/table.tsv` ties each sentence of the page, and each rule that
//! makes it precise, to its tests. Every test drives the steps by a script of questions and answers, and asserts
//! whole lists or whole errors.

mod manual_page {
    mod arguments;
    mod c_interface;
    mod family;
    mod flags;
    mod hints_only;
    mod ib_entries;
    mod ibacm;
    mod names;
    mod node_text;
    mod replies;
    mod results;
    mod routes;
    mod script;
    mod service_records;
    mod service_text;
    mod sides;
    mod transport;
    mod whole;
}
