//! The schema is what is printed: every object fits it and has no other key, and every key and every kind of object of
//! it occurs.

use crate::common::{PROGRAM, Run, run};
use crate::routes::Daemon;
use crate::sysfs::Tree;
use rdma_addrinfo::devices::{Devices, Finding, InterfaceAddress};
use rdma_addrinfo::{ErrorKind, Family, Flags, Hints, NoKernelRoute, PathData, PathFlags, Pkey, Resolver};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::process::Command;

const SCHEMA: &str = include_str!("../../../schema/rdma-getaddrinfo.schema.json");

/// Checks values, and remembers what of the schema occurred.
struct Schema {
    root: Value,
    /// Definitions and keys: `entry` and `entry.flags`.
    seen: BTreeSet<String>,
}

impl Schema {
    fn new() -> Self {
        Self { root: serde_json::from_str(SCHEMA).expect("JSON"), seen: BTreeSet::new() }
    }

    /// Checks a value against a definition, or against the whole schema.
    fn check(&mut self, value: &Value, definition: Option<&str>) -> Result<(), String> {
        let node = match definition {
            None => self.root.clone(),
            Some(name) => json!({"$ref": format!("#/$defs/{name}")}),
        };
        let mut seen = BTreeSet::new();
        fits(&self.root["$defs"], &node, "", value, &mut seen)?;
        self.seen.append(&mut seen);
        Ok(())
    }

    /// All that may occur.
    fn all(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (name, node) in self.root["$defs"].as_object().expect("definitions") {
            all.insert(name.clone());
            for key in node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
                all.insert(format!("{name}.{key}"));
            }
        }
        all
    }
}

/// Whether the value is as the node says. A keyword that is not known here is a fault of the schema: nothing would check
/// it.
fn fits(
    definitions: &Value,
    node: &Value,
    name: &str,
    value: &Value,
    seen: &mut BTreeSet<String>,
) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{name}: {why}: {value}"));
    for (keyword, rule) in node.as_object().expect("an object") {
        let holds = match (keyword.as_str(), value) {
            ("description" | "title" | "$schema" | "$defs", _) => true,
            ("$ref", _) => {
                let name = rule.as_str().and_then(|it| it.strip_prefix("#/$defs/")).expect("a definition");
                let node = definitions.get(name).expect("it is defined");
                fits(definitions, node, name, value, seen)?;
                seen.insert(name.to_owned());
                true
            }
            ("oneOf", _) => {
                let mut fitting = Vec::new();
                let mut why = Vec::new();
                for node in rule.as_array().expect("choices") {
                    let mut its = BTreeSet::new();
                    match fits(definitions, node, name, value, &mut its) {
                        Ok(()) => fitting.push(its),
                        Err(error) => why.push(error),
                    }
                }
                let [its] = &mut fitting[..] else {
                    return wrong(format!("{} of the choices fit: {}", fitting.len(), why.join("; ")));
                };
                seen.append(its);
                true
            }
            ("const", _) => rule == value,
            ("enum", _) => rule.as_array().expect("values").contains(value),
            ("type", _) => match rule {
                Value::String(one) => is_of(one, value),
                several => {
                    several.as_array().expect("types").iter().any(|it| is_of(it.as_str().unwrap(), value))
                }
            },
            ("minimum", Value::Number(number)) => number.as_f64() >= rule.as_f64(),
            ("maximum", Value::Number(number)) => number.as_f64() <= rule.as_f64(),
            ("items", Value::Array(items)) => {
                for item in items {
                    fits(definitions, rule, name, item, seen)?;
                }
                true
            }
            ("required", Value::Object(members)) => {
                rule.as_array().expect("keys").iter().all(|key| members.contains_key(key.as_str().unwrap()))
            }
            ("properties", Value::Object(members)) => {
                for (key, member) in members {
                    let Some(node) = rule.get(key) else { return wrong(format!("unknown key {key}")) };
                    let path = format!("{name}.{key}");
                    fits(definitions, node, &path, member, seen)?;
                    seen.insert(path);
                }
                true
            }
            // Of another type, for which the rule means nothing.
            ("minimum" | "maximum" | "items" | "required" | "properties", _) => true,
            (other, _) => panic!("{name}: the keyword {other} is not checked"),
        };
        if !holds {
            return wrong(format!("{keyword} {rule}"));
        }
    }
    Ok(())
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

fn parsed(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// A port with the addresses 127.0.0.1 and 127.0.0.2, and something that cannot be parsed.
fn tree() -> Tree {
    Tree::new(
        "class/infiniband/rxe0/node_type\t1: CA\n\
         class/infiniband/rxe0/node_guid\t0200:00ff:fe00:0001\n\
         class/infiniband/rxe0/ports/1/state\t4: ACTIVE\n\
         class/infiniband/rxe0/ports/1/link_layer\tEthernet\n\
         class/infiniband/rxe0/ports/1/rate\t2.5 Gb/sec (1X SDR)\n\
         class/infiniband/rxe0/ports/1/lid\t0x0\n\
         class/infiniband/rxe0/ports/1/gids/0\t0000:0000:0000:0000:0000:ffff:7f00:0001\n\
         class/infiniband/rxe0/ports/1/gids/1\t0000:0000:0000:0000:0000:ffff:7f00:0002\n\
         class/infiniband/rxe0/ports/1/gid_attrs/types/0-1\tRoCE v2\n\
         class/infiniband/rxe0/ports/1/gid_attrs/ndevs/0-1\tlo\n\
         class/infiniband/rxe0/ports/2/state\tnonsense\n\
         class/net/lo/mtu\t65536\n\
         class/net/lo/address\t00:00:00:00:00:00",
    )
}

/// That of `ib0` in the tree.
const IPOIB_GID: &str = "fe80:0000:0000:0000:0c42:a103:0065:4a10";

/// Findings, with each value that one may have.
fn findings(tree: &Tree) -> Vec<Finding> {
    let (address, netdev) = (IpAddr::from([192, 0, 2, 7]), String::from("va"));
    let addresses = [1, 2].map(|host| InterfaceAddress::new("lo", Ipv4Addr::new(127, 0, 0, host), 8));
    let devices = Devices::read_from(tree.root(), addresses.into());
    let why = devices.find(address, None).unwrap_err();
    let sources = devices.sources_for(Ipv4Addr::new(127, 9, 9, 9).into(), 0);
    assert_eq!(sources.len(), 2);
    vec![
        Finding::NotLocal { address },
        Finding::SeveralInterfaces { address, netdevs: vec![netdev.clone()] },
        Finding::NoRoute { destination: address, source: None, why: NoKernelRoute::Blackhole },
        Finding::AssumedOnLink { destination: address, netdev: netdev.clone() },
        Finding::NotRdma { why, others: sources },
        Finding::MtuTooSmall { netdev, mtu: 1400, active: 4096 },
        Finding::OtherPartition { local: Pkey::DEFAULT, destination: Pkey::from_raw(0x8001) },
        Finding::TimedOut,
    ]
}

#[test]
fn the_schema_is_what_is_printed() {
    let mut schema = Schema::new();
    let (found, refused) = (Daemon::new("schema-found", 0), Daemon::new("schema-refused", 3));
    let (tree, empty) = (tree(), Tree::new(""));
    for (arguments, status) in [
        (&["192.0.2.7", "7471"][..], 0),
        (&["--no-source", "fe80::1%3"], 0),
        (&["--passive", ":7471"], 0),
        (&["--ib", "fe80::7", "7471"], 0),
        (&["--canonical", "--explain", "localhost", "7471"], 0),
        (&["--ibacm", found.path(), "--ib-entries", "always", "192.0.2.7", "7471"], 0),
        (&["--ibacm", refused.path(), "--no-source", "--explain", "192.0.2.7"], 0),
        (&["--explain", "--qp-type", "77", "192.0.2.7"], 1),
        (&["192.0.2.256", "7471"], 1),
        (&["--sa", "-", "7471 "], 1),
    ] {
        let run = run(&[&["--json"], arguments].concat());
        assert_eq!(run.status, status, "{arguments:?}: {run:?}");
        schema.check(&parsed(&run), None).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
    }
    let many = run(&["--json", "--summary", "-w", "127.0.0.[1-2],127.1", "7471"]);
    assert_eq!((many.status, many.out.lines().count()), (1, 4), "{many:?}");
    for line in many.out.lines() {
        let value = serde_json::from_str(line).expect("JSON");
        schema.check(&value, None).unwrap_or_else(|why| panic!("{line}: {why}"));
    }
    for (tree, arguments, status) in [
        (&tree, &["--devices"][..], 0),
        (&empty, &["--devices"], 1),
        (&tree, &["--ports", "--explain", "127.0.0.1"], 0),
        (&empty, &["--check", "127.0.0.1"], 1),
        (&empty, &["--ports", "127.0.0.1"], 0),
    ] {
        let mut command = Command::new(PROGRAM);
        let run = Run::of(command.arg("--json").args(arguments).env("SYSFS_PATH", tree.root()));
        assert_eq!(run.status, status, "{arguments:?}: {run:?}");
        schema.check(&parsed(&run), None).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
    }
    for finding in findings(&tree) {
        schema.check(&json!(finding), Some("finding")).unwrap_or_else(|why| panic!("{finding}: {why}"));
    }
    // Two devices are on one netdev, which is IPoIB.
    let infiniband = Tree::new(include_str!("../../../tests/sysfs/constructed/infiniband.tree"));
    for (file, text) in [("state", "4: ACTIVE"), ("link_layer", "InfiniBand"), ("gids/0", IPOIB_GID)] {
        infiniband.put(&format!("class/infiniband/mlx5_2/ports/1/{file}"), text);
    }
    infiniband.put("class/infiniband/mlx5_2/ports/1/gid_attrs/types/0", "IB/RoCE v1");
    infiniband.put("class/infiniband/mlx5_3/node_type", "1: CA");
    let devices = infiniband.read();
    schema
        .check(
            &json!({"version": 1, "devices": json!(devices)["devices"], "best": devices.best().ok(),
        "problems": []}),
            Some("table"),
        )
        .unwrap();
    let gid = devices.find([192, 0, 2, 1], None).unwrap();
    assert_eq!(gid.ties.len(), 1);
    schema.check(&json!(gid), Some("local_gid")).unwrap();
    let hints = Hints::parse("src=192.0.2.1,dst=192.0.2.7").unwrap();
    let found = Resolver::new().with_routes(false).resolve(None, None, &hints).unwrap();
    let checked = devices.check().without_kernel().with_given_source(false).entry(&found.first().unwrap());
    schema.check(&json!(checked), Some("checked")).unwrap();
    schema.check(&json!(checked.port), Some("local_port")).unwrap();
    infiniband.put("class/infiniband/mlx5_0/ports/1/state", "1: DOWN");
    infiniband.put("class/infiniband/mlx5_2/ports/1/state", "1: DOWN");
    let down = infiniband.read().check().without_kernel().entry(&found.first().unwrap());
    schema.check(&json!(down), Some("checked")).unwrap();
    let several = checked.findings.iter().find(|finding| finding.name() == "several-sources").unwrap();
    schema.check(&json!(several), Some("finding")).unwrap();
    let missing: Vec<_> = schema.all().difference(&schema.seen).cloned().collect();
    assert_eq!(missing, <[String; 0]>::default(), "it stands in the schema, and nothing printed it");
}

/// The types of the libraries are the parts of the schema that have their names.
#[test]
fn the_types_of_the_libraries_fit_the_schema() {
    let mut schema = Schema::new();
    let found = Resolver::new().resolve("127.0.0.1", "7471", None).unwrap();
    schema.check(&json!(found.first().unwrap()), Some("entry")).unwrap();
    schema.check(&json!(found.first().unwrap().dst_addr()), Some("address")).unwrap();
    let list = json!(found);
    assert_eq!(list, json!({"truncated": false, "entries": [found.first().unwrap()]}));
    assert_eq!(list, json!(found.list()));
    schema.check(&json!(PathData::ZERO), Some("path")).unwrap();
    schema.check(&json!(Flags::from_raw(-1)), Some("flags")).unwrap();
    schema.check(&json!(PathFlags::empty()), Some("flags")).unwrap();
    schema.check(&json!(Family::from_raw(-1)), Some("family")).unwrap();
    schema.check(&json!(Devices::default()), Some("table")).unwrap_err();
    let mut steps = Vec::new();
    Resolver::new().resolve_traced("127.0.0.1", "7471", None, &mut steps).unwrap();
    assert!(!steps.is_empty());
    schema.check(&json!(steps), Some("steps")).unwrap();
    let error = Resolver::new().resolve("192.0.2.256", "7471", &Hints::new()).unwrap_err();
    schema.check(&json!(error), Some("error")).unwrap();
    assert_eq!(json!(error)["message"], error.to_string());
    let kinds = &Schema::new().root["$defs"]["error"]["properties"]["kind"]["enum"];
    assert_eq!(*kinds, json!(ErrorKind::ALL));
}

#[test]
fn what_does_not_fit_is_found() {
    let mut schema = Schema::new();
    let right = parsed(&run(&["--json", "--no-source", "192.0.2.7", "7471"]));
    schema.check(&right, None).unwrap();
    for (pointer, value) in [
        ("/version", json!(2)),
        ("/backend", json!("other")),
        ("/truncated", json!(0)),
        ("/elapsed_us", json!(-1)),
        ("/elapsed_us", json!("1")),
        ("/entries", Value::Null),
        ("/entries/0/flags", json!([1])),
        ("/entries/0/src", json!({})),
        ("/entries/0/dst/port", json!(65536)),
        ("/entries/0/dst/port", json!(0.5)),
        ("/entries/0/dst", json!({"family": "inet"})),
    ] {
        let mut wrong = right.clone();
        *wrong.pointer_mut(pointer).expect(pointer) = value.clone();
        assert!(schema.check(&wrong, None).is_err(), "{pointer}: {value}");
    }
    let mut more = right.clone();
    more["entries"][0]["dst"]["more"] = json!(1);
    assert!(schema.check(&more, None).is_err());
    let mut less = right;
    less["entries"][0].as_object_mut().unwrap().remove("src");
    assert!(schema.check(&less, None).is_err());
}
