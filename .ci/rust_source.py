"""Just enough of Rust's lexer for the checks: code without comments, strings and test modules."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Order matters: a comment may hold a quote, a string may hold a comment sign.
_NOT_CODE = re.compile(
    r"""
      //[^\n]*
    | /\*.*?\*/
    | b?r(?P<hashes>\#*)".*?"(?P=hashes)
    | [bc]?"(?:\\.|[^"\\])*"
    | b?'(?:\\x[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F_]+\}|\\.|[^'\\\n])'
    """,
    re.DOTALL | re.VERBOSE,
)


def code(text):
    """The text with comments, strings and character literals blanked; lines stay where they are."""
    return _NOT_CODE.sub(lambda m: " " + "\n" * m.group().count("\n"), text)


def rust_files(*folders):
    """Every Rust file below the folders, relative to the root, without build output."""
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.rs")):
            relative = path.relative_to(ROOT)
            if not {"target", "artifacts", "corpus"} & set(relative.parts):
                found.append(relative)
    return found


def read(relative):
    return (ROOT / relative).read_text(encoding="utf-8")


def is_test(relative):
    """Unit tests in tests.rs or tests/, integration tests, examples and benchmarks."""
    return relative.name == "tests.rs" or bool({"tests", "benches", "examples"} & set(relative.parts[:-1]))


def tokens(text):
    """(line, token) of code: identifiers, `::`, and single characters."""
    line = 1
    for match in re.finditer(r"\n|[A-Za-z_]\w*|::|[^\s\w]", code(text)):
        token = match.group()
        if token == "\n":
            line += 1
        else:
            yield line, token
