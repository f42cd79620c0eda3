"""Decides whether an outcome is right: from the answer, the affected party, and what table.py allows for it."""

import dataclasses
import errno as errnos
import json
import os
import re

import table


@dataclasses.dataclass
class Outcome:
    status: int | None  # negative for a signal; None if it hung
    out: str
    err: str
    left: str  # by caller.c
    calls: list  # lines of strace


@dataclasses.dataclass
class Verdict:
    kind: str
    why: str = ""


def read(case, outcome):
    """The answer: entries, devices, or an error."""
    if case.is_command:
        answer = json.loads(outcome.out)
        answer.pop("elapsed_us", None)
        return answer
    lines = outcome.left.splitlines()
    if lines and lines[0].startswith("error "):
        code, errno = map(int, lines[0].split()[1:])
        return {"error": {"code": code, "errno": errno}}
    if not lines or lines[-1] != "end 1":
        raise ValueError(f"{lines}: it did not end, or errno was changed")
    return {"entries": [dict(word.split("=") for word in line.split()[1:]) for line in lines[:-1]]}


def whole_lines(lines):
    """Lines of strace; calls that other threads interrupted are joined."""
    begun = {}
    for line in lines:
        thread, _, rest = line.partition(" ")
        rest = rest.strip()
        if rest.endswith("<unfinished ...>"):
            begun[thread] = rest.removesuffix("<unfinished ...>")
        elif resumed := re.match(r"<\.\.\. \w+ resumed>(.*)", rest):
            yield begun.pop(thread, "") + resumed[1]
        else:
            yield rest


def met(lines):
    """The objects of the failed calls: paths, and sockets with their peers."""
    about, objects = {}, set()
    for line in whole_lines(lines):
        call = re.match(r"(\w+)\((?:AT_FDCWD, )?(\"[^\"]*\"|\w+)?(.*)", line)
        if not call:
            continue
        name, first, rest = call.groups()
        if name == "socket":
            first += rest.split(")")[0]
        elif name in ("poll", "ppoll"):
            polled = re.search(r"fd=(\d+)", rest)
            first = about.get(polled[1]) if polled else None
        elif first and first.isdigit():
            descriptor, first = first, about.get(first, f"descriptor {first}")
            if name == "connect" and (peer := re.search(r'sun_path="[^"]*"|htons\(\d+\)', rest)):
                about[descriptor] = first = f"{first} {peer[0]}"
        if made := re.search(r"\) += (\d+)$", line):
            if name in ("openat", "socket"):
                about[made[1]] = first
        if "(INJECTED)" in line:
            objects.add(f"{name} {first or ''}")
    return objects


def parties(objects):
    return {next(party for pattern, party in table.PARTIES if re.search(pattern, item)) for item in objects}


def compare(got, want, number):
    """How the answer differs, in the words of table.ALLOWED."""
    if got == want:
        return {"right"}
    if "error" in got:
        code, errno = got["error"]["code"], got["error"].get("errno")
        if reason := next((words for words in table.REASONS if words in got["error"].get("message", "")), None):
            return {reason}
        # From either function -1 and EAI_SYSTEM mean errno.
        if code in (-1, -11):
            return {"its error" if errno == number else f"errno {errno}"}
        return {table.CODES.get(code, f"code {code}")}
    if os.strerror(number) in json.dumps(got, ensure_ascii=False):
        return {"less, with the reason"}
    if not any(map(is_ib, got.get("entries", []))):
        want = want | {"entries": [entry for entry in want.get("entries", []) if not is_ib(entry)]}
    entries = list(zip(got.get("entries", []), want.get("entries", [])))
    if "entries" not in got:
        return {"less"}
    addresses = [[str(entry["dst"]) for entry in answer["entries"]] for answer in (got, want)]
    order = set()
    if addresses[0] != addresses[1]:
        if len(addresses[0]) == len(addresses[1]) == 1 and all(map(is_one_of_two, entries[0])):
            return {"other order"}
        if sorted(addresses[0]) != sorted(addresses[1]):
            return {"other addresses"}
        order = {"other order"}
        entries = list(zip(*(sorted(answer["entries"], key=lambda entry: str(entry["dst"])) for answer in (got, want))))
    return order | {table.CHANGES.get(key, key) for entry, other in entries for key in other if entry[key] != other[key]}


def is_one_of_two(entry):
    """An entry of localhost or storage-7; librdmacm's policy returns only the first of their two addresses."""
    return re.search("0{30}01|7f00000[178]", str(entry["dst"])) is not None


def is_ib(entry):
    """An AF_IB entry, which is made from a route."""
    return entry.get("family") == "ib" or "/1b/" in entry.get("kind", "")


def judge(case, call, errno, when, outcome, right):
    number = getattr(errnos, errno)
    if not any("(INJECTED)" in line for line in outcome.calls):
        return Verdict("not met")
    if outcome.status is None:
        return Verdict("wrong", "hangs")
    # glibc assumes that disconnecting a socket never fails, which holds.
    if "getaddrinfo.c" in outcome.err and any("AF_UNSPEC" in line and "(INJECTED)" in line for line in outcome.calls):
        return Verdict("as no kernel fails")
    if outcome.status not in (0, 1):
        return Verdict("wrong", f"status {outcome.status}: {outcome.err.strip()}")
    objects = met(outcome.calls)
    owners = parties(objects)
    try:
        if "output" in owners and case.is_command:
            return output(number, when, outcome, right)
        got, want = read(case, outcome), read(case, right)
        if "devices" not in got and ("error" in got) != (outcome.status == 1):
            return Verdict("wrong", f"status {outcome.status}, {got}")
    except (ValueError, KeyError) as error:
        return Verdict("wrong", f"unreadable, {error}: {outcome.out!r} {outcome.err!r} {outcome.left!r}")
    became = compare(got, want, number)
    allowed = {"right", "its error", "less, with the reason"}
    if errno == "ENOMEM":
        allowed |= {"no memory"}
    for owner in owners:
        for what, which in table.ALLOWED.get(owner, {}).items():
            if which is None or errno in which.split():
                allowed.add(what)
    # A single signal changes nothing, except in calls of the C library itself.
    # strace prevents connect(2), but after EINTR a caller expects that it continues.
    if errno == "EINTR" and call != "connect" and when != "all" and not owners & table.RETRIED_BY_NOBODY:
        allowed = {"right"}
    if became <= allowed:
        return Verdict(", ".join(sorted(became)))
    error = got.get("error", {})
    return Verdict("wrong", f"{', '.join(sorted(became))} [{'; '.join(sorted(objects))}] {error.get('message', error)} {'; '.join(differences(got, want))[:300] if not error else ''}")


def output(number, when, outcome, right):
    """The command's output could not be written: it reports that, if it can."""
    broken = number == errnos.EPIPE and outcome.status == right.status
    said = os.strerror(number) in outcome.err or when == "all"
    if broken or outcome.status == 1 and said:
        return Verdict("not written")
    if outcome.status == right.status and outcome.out.split('"elapsed')[0] == right.out.split('"elapsed')[0] and outcome.out:
        return Verdict("right")
    return Verdict("wrong", f"status {outcome.status}, not written: {outcome.out!r} {outcome.err!r}")


def differences(got, want, path=""):
    if isinstance(got, dict) and isinstance(want, dict):
        return [line for key in sorted(set(got) | set(want)) for line in differences(got.get(key), want.get(key), f"{path}.{key}")]
    if isinstance(got, list) and isinstance(want, list) and len(got) == len(want):
        return [line for n, pair in enumerate(zip(got, want)) for line in differences(*pair, f"{path}[{n}]")]
    return [] if got == want else [f"{path}: {want} -> {got}"]
