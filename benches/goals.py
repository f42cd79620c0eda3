"""What the project wants of its speed, held against a run: for the tables of `benches/table`."""

import statistics

# Peer and ours: how many times as long the peer takes, at least. The name says what it is for the README, or is empty.
FASTER = [
    ("IPv4 literal to number", "literal_parse/ipv4_long", "core_net", "ours", 1.5),
    ("", "literal_parse/ipv4_short", "core_net", "ours", 1.5),
    ("", "literal_parse/ipv4_random", "core_net", "ours", 1.5),
    ("IPv6 literal to number", "literal_parse/ipv6_short", "core_net", "ours", 2),
    ("", "literal_parse/ipv6_full", "core_net", "ours", 2),
    ("IPv6 literals, random", "literal_parse/ipv6_random", "core_net", "ours", 4),
    ("IPv4 and port to a result", "resolve_literal/ipv4_port", "librdmacm_numeric_host", "ours_man_page", 8),
    ("IPv6 and port to a result", "resolve_literal/ipv6_short_port", "librdmacm_numeric_host", "ours_man_page", 7),
    ("the same, eight groups", "resolve_literal/ipv6_full_port", "librdmacm_numeric_host", "ours_man_page", 5),
    ("the same without hints, where librdmacm looks at the interfaces", "resolve_literal/ipv4_port", "librdmacm_no_hints", "ours_no_hints", 800),
    ("the resolver, source and route off", "resolver/ipv4_port", "librdmacm_numeric_host", "ours_native_man_page_no_source_no_route", 4),
    ("the same, `fe80::1%lo`", "resolver/zone_name", "librdmacm_numeric_host", "ours_native_man_page_no_source_no_route", 5),
    ("rdma_getaddrinfo of the library for C", "c_interface/ipv4_port_numeric_host", "librdmacm", "ours_c", 1.5),
    ("the same without hints", "c_interface/ipv4_port_no_hints", "librdmacm", "ours_c", 100),
    ("a name of `/etc/hosts`, all by default", "names/one", "names/one_answering_the_first/librdmacm_hints", "ours_defaults", 1.5),
    ("the same, source and route off", "names/one", "names/one_answering_the_first/librdmacm_hints", "ours_native_man_page_no_source_no_route_deadline", 3),
    ("eight addresses, all by default", "names/eight", "glibc_getaddrinfo", "ours_defaults", 1),
    ("a name of 10,000 lines", "names/lines_10000", "glibc_getaddrinfo", "ours_no_source_no_route", 200),
    ("64 callers, ibacm takes 10 ms", "many_callers/64", "librdmacm", "ours", 10),
]

# Ours and the yardstick: how many times as long ours takes, at most.
AT_MOST = [
    ("a name of `/etc/hosts`, source, route and deadline off", "names/one", "ours_native_man_page_no_source_no_route_no_deadline", "glibc_getaddrinfo", 1.05),
    ("", "names/eight", "ours_native_man_page_no_source_no_route_no_deadline", "glibc_getaddrinfo", 1.05),
    ("", "names/lines_100000", "ours_no_source_no_route", "names/lines_10/ours_no_source_no_route", 1.5),
    ("", "names/lines_100000", "ours_defaults", "names/lines_10/ours_defaults", 1.5),
    ("", "names/first_10", "ours_no_source_no_route", "glibc_getaddrinfo", 2),
    ("", "names/first_1000", "ours_no_source_no_route", "glibc_getaddrinfo", 2),
    ("", "names/first_100000", "ours_no_source_no_route", "glibc_getaddrinfo", 2),
    ("librdmacm through the binding, all fields read", "binding/ipv4_port", "ours_librdmacm", "c_checked", 1.05),
    ("", "walking/1", "ours", "c_unchecked", 1.6),
    ("", "walking/8", "ours", "c_unchecked", 1.6),
    ("reading 64 results, all fields", "walking/64", "ours", "c_unchecked", 1.6),
    ("", "walking/64", "ours_foreign", "c_unchecked", 1.6),
    ("a route from ibacm", "ibacm/round_trip", "ours", "librdmacm", 1.0),
    ("", "tails_alone/p99_9", "ours_no_source_no_route", "librdmacm", 1.0),
    ("", "tails_two_threads/p99_9", "ours_no_source_no_route", "librdmacm", 1.0),
    ("", "tails_alone/p99_9", "ours_defaults", "librdmacm", 1.0),
]

# Nanoseconds at most: of one engine, over another where one is named.
NANOSECONDS = [
    ("resolver/ipv4_port", "ours_native_man_page_source_no_route", None, 4000),
    ("names/one", "ours_native_man_page_no_source_no_route_deadline", "glibc_getaddrinfo", 25000),
    ("names/eight", "ours_native_man_page_no_source_no_route_deadline", "glibc_getaddrinfo", 25000),
    ("walking/64", "ours", None, 5 * 64),
    ("walking/64", "ours_foreign", None, 5 * 64),
    ("hints/validate", "ours", None, 5),
    ("hints/parse", "ours", None, 150),
    ("hints/write", "ours", None, 150),
    # Once for the devices, and then for each address, but not for each pair of both.
    ("findings/10000", "ours_without_kernel", None, 20_000_000),
    ("findings_with_kernel/10000", "ours", None, 80_000_000),
    ("many_callers/64", "ours", "many_callers/1/ours", 10_000_000),
]


def find(times, case, engine):
    """The time of `area/case` and `engine`, or of a whole name."""
    area, case, engine = engine.split("/") if engine.count("/") == 2 else (*case.split("/"), engine)
    return times.get(area, {}).get(case, {}).get(engine)


def results(times):
    """(text, case, what is measured, its value, ≥ or ≤, the goal), for what one pass measured."""
    for text, case, peer, ours, least in FASTER:
        slow, fast = find(times, case, peer), find(times, case, ours)
        if slow and fast:
            yield text, case, f"{peer} ÷ {ours}", slow / fast, "≥", least
    for text, case, ours, yardstick, most in AT_MOST:
        slow, fast = find(times, case, ours), find(times, case, yardstick)
        if slow and fast:
            yield text, case, f"{ours} ÷ {yardstick}", slow / fast, "≤", most
    for case, engine, base, most in NANOSECONDS:
        time = find(times, case, engine)
        under = find(times, case, base) if base else 0
        if time and under is not None:
            what = f"{engine}, ns" if not base else f"{engine} − {base}, ns"
            yield "", case, what, time - under, "≤", most


def of_passes(passes):
    """The same with the values of all passes: each compares within itself, which tells more than times that lie apart."""
    for same in zip(*map(results, passes), strict=True):
        text, case, what, _, sign, goal = same[0]
        yield text, case, what, sorted(value for _, _, _, value, _, _ in same), sign, goal


def number(value):
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def table(passes):
    yield "| case | what | median | least to most | goal | |"
    yield "|---|---|---:|---:|---:|---|"
    for _, case, what, values, sign, goal in of_passes(passes):
        value = statistics.median(values)
        reached = "reached" if (value >= goal if sign == "≥" else value <= goal) else "**missed**"
        spread = f"{number(values[0])} to {number(values[-1])}"
        yield f"| {case} | {what} | {number(value)} | {spread} | {sign} {goal} | {reached} |"


def ratios(passes):
    """For the README: how many times as long a peer takes."""
    yield "| what | peer | its time ÷ ours |"
    yield "|---|---|---:|"
    for text, _, what, values, sign, _ in of_passes(passes):
        if text:
            first, second = what.split(" ÷ ")
            value = statistics.median(values)
            peer, ratio = (first, value) if sign == "≥" else (second, 1 / value)
            yield f"| {text} | {PEERS[peer]} | {number(ratio)} |"


PEERS = {
    "core_net": "core::net",
    "librdmacm_numeric_host": "librdmacm, `RAI_NUMERICHOST`",
    "librdmacm_no_hints": "librdmacm, null hints",
    "librdmacm": "librdmacm",
    "glibc_getaddrinfo": "getaddrinfo(3)",
    "c_checked": "librdmacm and a checked C walk",
    "c_unchecked": "a C walk without checks",
}
