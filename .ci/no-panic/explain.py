"""Reads `objdump --disassemble --demangle --line-numbers --inlines` and prints the calls that lead to a panic.

Of each chain of calls it shows the link at which the program's own code enters the standard library, with the
source lines that the call was inlined through.
"""

import re
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
CALL = re.compile(r"^\s+[0-9a-f]+:\s+(?:call|j\w+)\s+[0-9a-f]+ <(.*?)(?:\+0x[0-9a-f]+)?>$")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s")
LOCATION = re.compile(r"^(?:inlined by )?/.*:\d+")
STANDARD = re.compile(r"^<*(?:core|alloc|__rustc|rust_begin_unwind)\b")


def main():
    calls = []  # caller, called, where
    function, where, in_code = "", [], False
    for line in sys.stdin:
        line = line.rstrip("\n")
        if match := FUNCTION.match(line):
            function, where = match[1], []
        elif LOCATION.match(line):
            where = [line] if in_code else [*where, line]
            in_code = False
        elif INSTRUCTION.match(line):
            in_code = True
            match = CALL.match(line)
            if match and match[1] != function:
                calls.append((function, match[1], list(where)))

    leads = {name for call in calls for name in call[:2] if re.match(r"core::panicking::|__rustc::rust_begin", name)}
    while True:
        more = {caller for caller, called, _ in calls if called in leads and STANDARD.match(caller)} - leads
        if not more:
            break
        leads |= more
    found = [call for call in calls if call[1] in leads and not STANDARD.match(call[0])]
    for caller, called, where in found:
        print(f"{caller} calls {called}")
        for line in where:
            if "/no-panic/" not in line:
                print(f"    {line.split(' (')[0]}")
    print(f"{len(found)} calls lead to a panic")


main()
