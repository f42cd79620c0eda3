"""Compares core's public functions, from rustdoc's JSON, with those that the expanded source of this crate calls.

    public_functions.py rdma_addrinfo_core.json expanded.rs

A function is named as its caller writes it: `text::ipv4`, `Error::at`, `<Error as From<ErrorKind>>::from`. Lifetimes,
the generic arguments of a method's own type and module paths of types are left out.
"""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import rust_source as rust

# Not part of the claim: a large derived Debug can panic when it indents.
LEFT_OUT = {"Debug"}


class Doc:
    def __init__(self, path):
        doc = json.loads(path.read_text(encoding="utf-8"))
        self.index = doc["index"]
        self.root = doc["root"]
        self.required = set()

    def collect(self):
        self.module(self.root, ())
        for item in self.index.values():
            if "impl" in item["inner"] and item["crate_id"] == 0:
                self.implementation(item["inner"]["impl"])
        return self.required

    def module(self, number, path):
        """Free functions by the public path that leads to them."""
        for child in self.index[str(number)]["inner"]["module"]["items"]:
            self.child(self.index.get(str(child)), path, None)

    def child(self, item, path, renamed):
        if item is None:  # of another crate, or private
            return
        kind, inner = next(iter(item["inner"].items()))
        if kind == "use" and inner["id"] is not None:
            target = self.index.get(str(inner["id"]))
            if target is None:
                return
            if inner["is_glob"]:
                if "module" in target["inner"]:
                    self.module(inner["id"], path)
            else:
                self.child(target, path, inner["name"])
        elif kind == "module":
            self.module(item["id"], (*path, renamed or item["name"]))
        elif kind == "function":
            self.required.add("::".join((*path, renamed or item["name"])))

    def implementation(self, implementation):
        if implementation["is_synthetic"] or implementation["blanket_impl"] is not None:
            return
        trait = implementation["trait"]
        owner = self.type(implementation["for"])
        for number in implementation["items"]:
            item = self.index.get(str(number))
            if item is None or "function" not in item["inner"]:
                continue
            if trait is None:
                if item["visibility"] == "public":
                    self.required.add(f"{without_arguments(owner)}::{item['name']}")
            elif trait["path"].split("::")[-1] not in LEFT_OUT:
                self.required.add(f"<{owner} as {self.path(trait)}>::{item['name']}")

    def path(self, path):
        arguments = []
        angle = (path.get("args") or {}).get("angle_bracketed") or {}
        for argument in angle.get("args", []):
            if isinstance(argument, dict) and "type" in argument:
                arguments.append(self.type(argument["type"]))
        name = path["path"].split("::")[-1]
        return f"{name}<{','.join(arguments)}>" if arguments else name

    def type(self, kind):
        (name, inner), = kind.items()
        match name:
            case "resolved_path":
                return self.path(inner)
            case "primitive":
                return inner
            case "generic":
                return "_"
            case "borrowed_ref":
                return ("&mut " if inner["is_mutable"] else "&") + self.type(inner["type"])
            case "slice":
                return f"[{self.type(inner)}]"
            case "array":
                return f"[{self.type(inner['type'])};{inner['len']}]"
            case "tuple":
                return f"({','.join(self.type(part) for part in inner)})"
        sys.exit(f"public_functions.py does not know how to name this type: {kind}")


def without_arguments(name):
    return name.split("<")[0]


def canonical(written):
    """A type or trait as `Doc` names it."""
    written = re.sub(r"'\w+\s*,?\s*", "", written)
    written = re.sub(r"(?:\b\w+|\$crate)\s*::\s*(?=[\w$])", "", written)
    written = re.sub(r"::\s*<", "<", written)
    written = re.sub(r"(?<=[<,])\s*\d+\s*(?=[,>])", "", written)
    written = re.sub(r"<\s*,*\s*>", "", written)
    written = re.sub(r"\s+", " ", written).strip()
    return re.sub(r"\s*([<>,;\[\]()&])\s*", r"\1", written)


GENERICS = r"(?:\s*::\s*<[^;(){}]*?>)?"
CALLED = re.compile(rf"(?<![\w.:$])((?:\w+{GENERICS}\s*::\s*)*\w+){GENERICS}\s*\(")
CALLED_AS = re.compile(rf"<([^{{}};]+?)\s+as\s+([^{{}};]+?)>\s*::\s*(\w+){GENERICS}\s*\(")


def calls(source):
    text = " ".join(rust.code(source).split())
    called = set()
    for match in CALLED.finditer(text):
        path = re.sub(r"\s|<.*?>(?=::|$)", "", match.group(1)).replace("::::", "::")
        parts = [part for part in path.split("::") if part not in ("rdma_addrinfo_core", "crate", "")]
        called.add("::".join(parts))
        called.add("::".join(parts[-2:]))
    # A `<` that is no opening bracket may stand before the one that is: every start is tried.
    for start in (match.start() for match in re.finditer("<", text)):
        match = CALLED_AS.match(text, start)
        if match:
            called.add(f"<{canonical(match[1])} as {canonical(match[2])}>::{match[3]}")
    return called


def is_called(name, called):
    if name in called:
        return True
    if "_" not in re.split(r"\W+", name):
        return False
    # `_` stands for a type that the caller chose.
    pattern = re.compile("(.+)".join(re.escape(part) for part in re.split(r"(?<!\w)_(?!\w)", name)))
    return any(pattern.fullmatch(call) for call in called)


def main(doc, expanded):
    required = Doc(pathlib.Path(doc)).collect()
    called = calls(pathlib.Path(expanded).read_text(encoding="utf-8"))
    absent = sorted(name for name in required if not is_called(name, called))
    for name in absent:
        print(f".ci/no-panic does not call {name}")
    print(f"{len(required)} public functions, {len(required) - len(absent)} called")
    return 1 if absent or not required else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
