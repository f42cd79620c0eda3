"""The table of the check: how system calls can fail, the requests, and the right outcomes."""

# The errors of each call by its manual page, without those that only a wrong argument causes (EFAULT, ENOTSOCK).
ERRNOS = {
    "access": "EACCES ELOOP ENOENT ENOMEM",
    "bind": "EACCES EADDRINUSE ENOMEM",
    "clone": "EAGAIN ENOMEM EPERM",
    "clone3": "EAGAIN ENOMEM ENOSYS EPERM",
    "close": "EINTR EIO",
    "connect": "EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN ECONNREFUSED EHOSTUNREACH EINPROGRESS EINTR EINVAL"
    " ENETUNREACH ENOBUFS ENOENT ENOMEM EPERM EPROTOTYPE ETIMEDOUT",
    "fcntl": "EACCES EAGAIN EINVAL EMFILE",
    "fstat": "EIO ENOMEM EOVERFLOW",
    "fstatfs": "EINTR EIO ENOMEM ENOSYS",
    "getdents64": "EINTR EIO ENOENT ENOMEM",
    "getpeername": "ENOBUFS ENOTCONN",
    "getrandom": "EAGAIN EINTR ENOSYS EPERM",
    "getsockname": "ENOBUFS",
    "getsockopt": "ENOBUFS ENOPROTOOPT EPERM",
    "ioctl": "ENODEV ENOMEM ENOTTY",
    "lseek": "ESPIPE",
    "madvise": "EAGAIN EINVAL ENOMEM",
    "mmap": "EAGAIN ENFILE ENODEV ENOMEM EPERM",
    "mprotect": "EACCES ENOMEM",
    "mremap": "EAGAIN ENOMEM",
    "munmap": "ENOMEM",
    "newfstatat": "EACCES EIO ELOOP ENOENT ENOMEM ENOTDIR",
    "openat": "EACCES EINTR EIO ELOOP EMFILE ENFILE ENODEV ENOENT ENOMEM ENOTDIR ENXIO EPERM",
    "poll": "EINTR EINVAL ENOMEM",
    "ppoll": "EINTR EINVAL ENOMEM",
    "read": "EAGAIN EINTR EIO EISDIR ENOMEM",
    "readlink": "EACCES EINVAL EIO ELOOP ENOENT ENOMEM ENOTDIR",
    "readlinkat": "EACCES EINVAL EIO ELOOP ENOENT ENOMEM ENOTDIR",
    "recvfrom": "EAGAIN ECONNREFUSED ECONNRESET EINTR ENOMEM ENOTCONN ETIMEDOUT",
    "recvmsg": "EINTR ENOBUFS ENOMEM",
    "rt_sigtimedwait": "EAGAIN EINTR",
    "sendmmsg": "EACCES EAGAIN ECONNREFUSED EINTR ENOBUFS ENOMEM EPERM",
    "sendto": "EACCES EAGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH EINTR ENETUNREACH ENOBUFS ENOMEM ENOTCONN EPERM EPIPE",
    "setsockopt": "EDOM ENOBUFS ENOMEM ENOPROTOOPT EPERM",
    "shutdown": "ENOBUFS ENOTCONN",
    "socket": "EACCES EAFNOSUPPORT EINVAL EMFILE ENFILE ENOBUFS ENOMEM EPERM EPROTONOSUPPORT",
    "statx": "EACCES EIO ELOOP ENOENT ENOMEM ENOSYS ENOTDIR",
    "write": "EAGAIN EDQUOT EFBIG EINTR EIO ENOSPC EPERM EPIPE",
}
# Calls that never fail, or not in a way that strace can simulate: a failed brk returns the old end; waits of futex(2) may
# fail, but never its wakes, and the C library aborts if they do.
NEVER = set(
    "brk exit exit_group futex getegid getgid getpid getegid geteuid getgid gettid getuid nanosleep prctl pread64 prlimit64 restart_syscall rseq"
    " rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn sched_getaffinity sched_yield set_robust_list sigaltstack sysinfo uname".split()
)

# Requests to the command; {port} is ibacm's, {run} a run directory with its socket.
COMMAND = {
    "IPv4 address": "127.0.0.7 7471 --ibacm off",
    "IPv6 address": "::1 7471 --ibacm off",
    "zone": "fe80::1%lo 7471 --ibacm off",
    "name": "storage-7 7471 --ibacm off",
    "name, no limit": "storage-7 7471 --ibacm off --timeout none",
    "name of librdmacm's policy": "storage-7 7471 --ibacm off --policy librdmacm",
    "canonical name": "storage-7 7471 --ibacm off --canonical",
    "name and service name": "storage-7 rdma-test --ibacm off",
    "name in DNS": "storage-53 7471 --ibacm off",
    "unknown name": "storage-0 7471 --ibacm off",
    "no node": "- 7471 --ibacm off",
    "no node, passive": "--passive - 7471",
    "no node, librdmacm's policy": "- 7471 --ibacm off --policy librdmacm",
    "service name, passive": "--passive - rdma-test",
    "source interface": "--src-if lo storage-7 7471 --ibacm off",
    "device": "--ports storage-7 7471 --ibacm off",
    "zone of digits": "fe80::1%1 7471 --ibacm off",
    "devices": "--devices",
    "unknown service of the subnet": "--sa - storage",
    "unknown service of the subnet, no limit": "--sa - 0x7 --timeout none",
    "no ibacm": "127.0.0.7 7471",
    "route by a Unix socket": "127.0.0.7 7471 --ibacm {run}/ibacm.sock",
    "route by TCP": "127.0.0.7 7471 --ibacm {port}",
    "route by the run directory": "storage-7 7471 --ibacm {run}/",
    "route by the port file": "storage-7 7471 --ibacm {tcp_run}/",
}

# Requests to the library, with both policies: node, service, flags, family, source, bytes of route, optionally `again`;
# then its environment.
LIBRARY = {
    "IPv4 address": "127.0.0.7 7471 0 0 - - IBACM=off",
    "IPv6 address": "::1 7471 0 0 - - IBACM=off",
    "zone": "fe80::1%lo 7471 0 0 - - IBACM=off",
    "name": "storage-7 7471 0 0 - - IBACM=off",
    "name and service name": "storage-7 rdma-test 0 0 - - IBACM=off",
    "name in DNS": "storage-53 7471 0 0 - - IBACM=off",
    "unknown name": "storage-0 7471 0 0 - - IBACM=off",
    "no node": "- 7471 0 0 - - IBACM=off",
    "no node, passive": "- 7471 1 0 - - IBACM=off",
    "no ibacm": "127.0.0.7 7471 0 0 - -",
    "route by a Unix socket": "127.0.0.7 7471 0 0 - - IBACM={run}/ibacm.sock",
    "route by TCP": "127.0.0.7 7471 0 0 - - IBACM={port}",
    "route by the run directory": "storage-7 7471 0 0 - - IBACM={run}/",
    "AF_IB entry": "127.0.0.7 7471 0 0 127.0.0.1 - IBACM={run}/ IB=always",
    "whether AF_IB": "127.0.0.7 7471 0 0 127.0.0.1 - IBACM={run}/ IB=auto",
    "route only": "127.0.0.7 7471 0x1000000 2 127.0.0.1 72 IBACM={port}",
    "IPv4 address, again": "127.0.0.7 7471 0 0 - - again IBACM=off",
    "no node, again": "- 7471 0 0 - - again IBACM=off",
    "no ibacm, again": "127.0.0.7 7471 0 0 - - again",
    "route by a kept Unix socket": "127.0.0.7 7471 0 0 - - again IBACM={run}/ibacm.sock",
    "route by kept TCP": "127.0.0.7 7471 0 0 - - again IBACM={port}",
    "unknown service of the subnet": "- 0x7 16 0 - - IBACM=off",
    "an invalid variable": "127.0.0.7 7471 0 0 - - IBACM=off TIMEOUT_MS=soon",
}

# Endless signals interrupt these, which must still end at their time limit. The others get a storm that ends, since the C
# library and Rust's standard library retry them until it does.
WAIT = {"connect", "poll", "recvfrom"}
STORM = "1..100"

# The party that a fault affects, by the object of the call: the first match.
PARTIES = (
    (r"ibacm|AF_UNIX, SOCK_STREAM\|SOCK_CLOEXEC,|SOCK_STREAM.*htons|AF_INET, SOCK_STREAM", "ibacm"),
    # A kept connection.
    (r"(sendto|recvfrom|getsockopt|setsockopt|shutdown) descriptor", "ibacm"),
    (r"/etc/|nscd|newfstatat \"/\"|AF_UNIX", "files of names"),
    (r"htons\(53\)|SOCK_DGRAM.*NONBLOCK", "DNS"),
    (r"AF_NETLINK", "interfaces"),
    (r"rdma_cm", "AF_IB"),
    (r"htons\(0\)", "order of names"),
    (r"ioctl AF_INET", "name of an interface"),
    (r"AF_INET|(connect|getsockname) descriptor", "kernel"),
    (r'/sys[/"]', "sysfs"),
    (r"^write|descriptor [12]$", "output"),
    (r"", "memory and threads"),
)
# Parties whose calls are not retried after a signal: the C library, and reading directories.
RETRIED_BY_NOBODY = {"files of names", "DNS", "interfaces", "order of names", "sysfs"}

CODES = {-2: "no such name", -3: "try again", -4: "no answer", -8: "no such service", -10: "no memory"}

# Reasons in the command's error that a code alone does not express.
REASONS = ("no thread could be started", "there is no interface")

# The meaning of entry fields that differ from those without the fault.
CHANGES = (
    dict.fromkeys(("route", "route_status", "route_detail"), "no route")
    | dict.fromkeys(("src", "connect_data", "device"), "no source")
    # What is known of the route, and what is wrong; a finding has its reason.
    | dict.fromkeys(("route_netdev", "findings"), "other findings")
    | dict.fromkeys(("port_space", "qp_type", "user_private_data", "kind"), "other protocol")
)

# Allowed outcomes, by errnos (None for all), beside those that always are: the right answer, the error of the errno, or a
# partial answer with the reason in words.
SCARCE = "EAGAIN EINTR EMFILE ENFILE ENOBUFS ENOMEM"
ALLOWED = {
    # glibc treats a file that it cannot read as missing.
    "files of names": dict.fromkeys(("no such name", "no such service", "other addresses", "other protocol", "try again")),
    "DNS": {"try again": None, "no answer": None},
    "order of names": {"other order": None},
    "ibacm": {"no route": None},
    "AF_IB": {"other addresses": None},
    # No interface has this name, or index.
    "name of an interface": {"no such name": "ENODEV", "there is no interface": "ENODEV", "other findings": None},
    "interfaces": {"other findings": None},
    # glibc also sorts by sockets. No source, but not because of a lack of resources.
    "kernel": {"other order": None, "no source": " ".join(sorted({*ERRNOS["socket"].split(), *ERRNOS["connect"].split()} - {*SCARCE.split()}))},
    "memory and threads": {"no thread could be started": None},
    # The device has been removed.
    "sysfs": {"less": "ENODEV ENOENT ENOTDIR", "no source": "ENODEV ENOENT ENOTDIR", "other findings": None},
}
