//! A result and an error as JSON, with the feature `serde`: the shape of the command's output.

use rdma_addrinfo::Resolver;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let resolver = Resolver::new().with_routes(false);
    let found = resolver.resolve("127.0.0.1", 7471, None)?;
    let text = serde_json::to_string_pretty(&found)?;
    println!("{text}");
    assert!(text.contains(r#""address": "127.0.0.1""#));

    let error = resolver.resolve("192.0.2.256", 7471, None).unwrap_err();
    let text = serde_json::to_string_pretty(&error)?;
    println!("{text}");
    assert!(text.contains(r#""kind": "NoName""#));
    Ok(())
}
