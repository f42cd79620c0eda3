#!/usr/bin/env python3
"""Injects faults into the system calls of the command and of the C library, by strace(1), and judges the outcomes.

It runs in its own mount and network namespaces, in which it provides all files.

main.py COMMAND CALLER PRELOAD STRIDE CASES: every STRIDEth fault of the cases whose names match.
"""

import collections
import concurrent.futures
import dataclasses
import fcntl
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile

import daemons
import judge
import table

TABLE = pathlib.Path("std/c-abi/tests/system-calls.txt")
LIMIT_MS = 3000  # of the command
TRACE = 1 << 20  # maximum bytes to read of a trace; an endless repetition would produce gigabytes
HUNG = 10  # seconds: the time limits, and a wide margin
HERE = "inject=getppid:retval=4242"  # wait.c waits for it
WHEN = {"first": "1", "second": "2", "all": "1+"}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def furnish(root):
    """Names, services, a name server, an RDMA device on lo, and no daemon of the host."""
    for file, text in {
        "etc/hosts": "127.0.0.1 localhost\n127.0.0.7 storage-7.example storage-7\n127.0.0.8 storage-7\n",
        "etc/services": "rdma-test 7471/tcp\nrdma-test 7471/udp\n",
        "etc/nsswitch.conf": "hosts: files dns\nservices: files\nprotocols: files\n",
        "etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
        "etc/host.conf": "multi on\n",
        "etc/protocols": "tcp 6 TCP\nudp 17 UDP\n",
        "run/nothing": "",
    }.items():
        write(root / file, text)
    device = "sys/class/infiniband/rxe0"
    for file, text in {
        "node_type": "1: CA", "node_guid": "0200:00ff:fe00:0001",
        "ports/1/state": "4: ACTIVE", "ports/1/phys_state": "5: LinkUp", "ports/1/link_layer": "Ethernet",
        "ports/1/rate": "100 Gb/sec (4X EDR)", "ports/1/lid": "0x0",
        "ports/1/gids/0": "0000:0000:0000:0000:0000:ffff:7f00:0001",
        "ports/1/gid_attrs/types/0": "RoCE v2", "ports/1/gid_attrs/ndevs/0": "lo",
    }.items():
        write(root / device / file, text + "\n")
    for file, text in {"address": "00:00:00:00:00:00", "mtu": "65536", "type": "772", "operstate": "unknown", "ifindex": "1"}.items():
        write(root / "sys/class/net/lo" / file, text + "\n")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    for folder in ("etc", "run"):
        subprocess.run(["mount", "--bind", root / folder, f"/{folder}"], check=True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # SIOCSIFFLAGS: up, running


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    arguments: tuple
    environment: tuple
    is_command: bool


def cases(command, caller, preload, places, root):
    common = {"SYSFS_PATH": str(root / "sys"), "LANG": "C.UTF-8"}
    for name, arguments in table.COMMAND.items():
        limit = [] if "--timeout" in arguments or "--devices" in arguments else ["--timeout", f"{LIMIT_MS}ms"]
        words = arguments.format(**places).split()
        yield Case(f"command, {name}", (command, "--json", *words, *limit), tuple((common | {"LD_PRELOAD": preload}).items()), True)
    for name, line in table.LIBRARY.items():
        words = line.format(**places).split()
        settings = dict(word.split("=") for word in words if "=" in word)
        arguments = [word for word in words if "=" not in word]
        for policy in ("man-page", "librdmacm"):
            environment = {f"RDMA_ADDRINFO_{key}": value for key, value in ({"POLICY": policy, "TIMEOUT_MS": str(LIMIT_MS)} | settings).items()}
            yield Case(f"library, {policy}, {name}", (caller, "FILE", *arguments), tuple((common | environment).items()), False)


def run(case, root, injection=None):
    """Runs a case under strace: its outcome, and its system calls by thread."""
    with tempfile.TemporaryDirectory(dir=root) as scratch:
        left, calls = pathlib.Path(scratch) / "left", pathlib.Path(scratch) / "calls"
        left.write_bytes(bytes(65536))
        calls.touch()
        arguments = [str(left) if word == "FILE" else word for word in case.arguments]
        with open(f"{scratch}/out", "w+b") as out, open(f"{scratch}/err", "w+b") as err:
            is_ready, ready = os.pipe()
            environment = dict(case.environment) | {"FAULTS_READY": str(ready)}
            child = subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, pass_fds=[ready])
            os.close(ready)
            os.read(is_ready, 1)
            os.close(is_ready)
            trace = ["strace", "-qq", "-f", "-s", "60", "-o", calls, "-p", str(child.pid), "-e", HERE]
            strace = subprocess.Popen(trace + (["-e", injection] if injection else []), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
            hung = False
            try:
                child.wait(HUNG)
            except subprocess.TimeoutExpired:
                hung = True
                child.kill()
                child.wait()
            said = strace.communicate()[1].decode()
            out.seek(0)
            err.seek(0)
            with open(calls, errors="replace", encoding="utf-8") as trace:
                lines = trace.read(TRACE).splitlines()
            begin = max((number for number, line in enumerate(lines) if "getppid()" in line), default=None)
            if begin is None:
                raise SystemExit(f"{case.name}: strace did not come: {said}, {child.returncode}, {err.read()}")
            text = left.read_bytes().rstrip(b"\0").decode()
            return judge.Outcome(None if hung else child.returncode, out.read().decode(), err.read().decode(), text, lines[begin + 1:])


def calls_by_name(lines):
    """How often each call is made, at most, by one thread."""
    counts = collections.Counter()
    for line in lines:
        call = re.match(r"(\d+) +(\w+)\(", line)
        if call:
            counts[call.groups()] += 1
    most = collections.Counter()
    for (_, name), count in counts.items():
        most[name] = max(most[name], count)
    return most


def faults(case, right):
    for call, count in sorted(calls_by_name(right.calls).items()):
        if call in table.NEVER:
            continue
        if call not in table.ERRNOS:
            raise SystemExit(f"{case.name}: no errno is listed for {call}")
        for errno in table.ERRNOS[call].split():
            for when in WHEN:
                if when != "second" or count > 1:
                    yield call, errno, when


def calls_of_the_table():
    """The system calls that a test of the C interface holds equal to its table; none shall escape."""
    words = set()
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if made := re.match(r"    (?:first|then ) (.*)", line):
            words |= {call.split()[0] for call in made[1].split(", ")}
    return words - {"nothing", "getaddrinfo"}


def main():
    command, caller, preload, stride, only = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="faults-") as root:
        return inject(pathlib.Path(root), command, caller, preload, int(stride), only)


def inject(root, command, caller, preload, stride, only):
    furnish(root)
    port = daemons.start(root)
    write(root / "tcp/ibacm.port", f"{port}\n")
    places = {"port": port, "run": root, "tcp_run": root / "tcp"}
    rights, jobs = {}, []
    for case in cases(command, caller, preload, places, root):
        if only and not re.search(only, case.name):
            continue
        rights[case.name] = right = run(case, root)
        answer = judge.read(case, right)
        has_route = any(entry["route"] for entry in answer.get("entries", []))
        if right.status != ("unknown" in case.name) or has_route != ("route" in case.name or "AF_IB" in case.name):
            raise SystemExit(f"{case.name}: without a fault: {right}")
        jobs += [(case, *fault) for fault in faults(case, right)]
    forgotten = calls_of_the_table() - table.NEVER - {call for _, call, *_ in jobs}
    if forgotten and not only:
        raise SystemExit(f"no case makes {', '.join(sorted(forgotten))}")
    total = len(jobs)
    jobs = jobs[::stride]
    print(f"{len(rights)} cases, {total} faults, every {stride}th of them: {len(jobs)}", flush=True)

    def one(job):
        case, call, errno, when = job
        which = table.STORM if errno == "EINTR" and when == "all" and call not in table.WAIT else WHEN[when]
        outcome = run(case, root, f"inject={call}:error={errno}:when={which}")
        return job, judge.judge(case, call, errno, when, outcome, rights[case.name])

    found = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (case, call, errno, when), verdict in pool.map(one, jobs):
            found[verdict.kind] += 1
            if verdict.kind == "wrong":
                print(f"WRONG {case.name}: {when} {call} {errno}: {verdict.why}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(found.items())))
    state = os.environ.get("CI_STATE")
    if state:
        with open(f"{state}/counts", "a", encoding="utf-8") as counts:
            counts.write(f"{sum(found.values()) - found['wrong']} {found['wrong']} 0\n")
    return 1 if found["wrong"] else 0


sys.exit(main())
