#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rdma_addrinfo_properties::service_records::check(bytes));
