/*
 * subnet.so, to be preloaded: the device of the kernel's connection manager knows an InfiniBand subnet whose administrator
 * holds service records. Commands are not written to the device but answered here, as Linux 6.18 does.
 *
 * The port of rxe0 has the administrator, the others have none. How many records there are is what the service says: an
 * ID is their number, and so is what follows the last `-` of a name. Other services:
 *
 *   rejected   the administrator rejects the query
 *   silent     it does not answer
 *   gone       the device goes away
 *
 * Each port looks like one of the InfiniBand link layer in sysfs; for verbs, infiniband.so does that.
 *
 * With SUBNET=kernel in the environment, the kernel answers all commands but those that bind, which seem to succeed: it
 * would refuse the addresses of InfiniBand ports that are none.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CREATE, DESTROY, GET_EVENT = 12, QUERY = 19, BIND, RESOLVE_IB_SERVICE = 23 };
enum { BY_ID = 1, BY_NAME = 2 };
enum { RESOLVED = 16, FAILED };
enum { RECORD = 176, FDS = 1024 };

static char is_device[FDS];

/* The identifiers, by their number. */
static struct id {
    uint64_t uid;
    unsigned char address[48];
    /* Zeros where it is bound to no device. */
    unsigned char guid[8];
    uint32_t records;
    int is_bound, has_administrator, is_asked, is_resolved, status, events;
} ids[1 << 14];
static uint32_t last_id;
static uint32_t pending;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int ends(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && !strcmp(path + length - tail, end);
}

static int seen(int fd, const char *path)
{
    if (fd >= 0 && fd < FDS)
        is_device[fd] = ends(path, "infiniband/rdma_cm");
    return fd;
}

/* What a port says of its link layer; -1 if it is another file. */
static int link_layer(const char *path)
{
    static const char text[] = "InfiniBand\n";
    int fd = -1;
    if (ends(path, "/link_layer") && (fd = memfd_create("link_layer", MFD_CLOEXEC)) >= 0 &&
        (NEXT(write)(fd, text, sizeof text - 1) < 0 || lseek(fd, 0, SEEK_SET)))
        abort();
    return fd;
}

#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) {                                                     \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }
#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        MODE(flags)                                                                                                    \
        int fd = link_layer(path);                                                                                     \
        return fd < 0 ? seen(NEXT(name)(path, flags, mode), path) : fd;                                                \
    }
#define OPENAT(name)                                                                                                   \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        MODE(flags)                                                                                                    \
        int fd = link_layer(path);                                                                                     \
        return fd < 0 ? seen(NEXT(name)(folder, path, flags, mode), path) : fd;                                        \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* Reads a GUID or a GID of sysfs, of so many parts. */
static int read_parts(unsigned char *to, int count, const char *device, const char *name)
{
    char path[128];
    unsigned part;
    snprintf(path, sizeof path, "/sys/class/infiniband/%s/%s", device, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    for (int i = 0; i < count; i++) {
        if (fscanf(file, i ? ":%x" : "%x", &part) != 1)
            abort();
        to[2 * i] = part >> 8;
        to[2 * i + 1] = part;
    }
    fclose(file);
    return 1;
}

/* The number of the device whose port has this as its first GID, and its GUID; -1 if there is none. */
static int device_of(const unsigned char gid[16], unsigned char guid[8])
{
    static const unsigned char none[16];
    char name[16];
    unsigned char own[16];
    if (!memcmp(gid, none, 16))
        return -1;
    for (int i = 0; i < 16; i++) {
        snprintf(name, sizeof name, "rxe%d", i);
        if (read_parts(own, 8, name, "ports/1/gids/0") && !memcmp(own, gid, 16) && read_parts(guid, 4, name, "node_guid"))
            return i;
    }
    return -1;
}

static void put(unsigned char *to, const void *from, size_t length) { memcpy(to, from, length); }

/* A record: the kernel hands out all of it. */
static void record(unsigned char *to, uint32_t number)
{
    uint64_t id = htobe64(0x1000000000000000 + number);
    uint16_t pkey = htobe16(number % 2 ? 0x8001 : 0xffff);
    memset(to, 0x5a, RECORD);
    put(to, &id, 8);
    memset(to + 8, 0, 16);
    to[8] = 0xfe;
    to[9] = 0x80;
    to[22] = (number + 1) >> 8;
    to[23] = number + 1;
    put(to + 24, &pkey, 2);
    memset(to + 48, 0, 64);
    strcpy((char *)to + 48, "storage");
}

/* How a command ends: an errno, or 0. `out` bytes may be written to `answer`. */
static int command(uint32_t number, const unsigned char *body, size_t in, unsigned char *answer, size_t out)
{
    static const size_t lengths[] = {
        [CREATE] = 24, [DESTROY] = 16, [GET_EVENT] = 8, [QUERY] = 16, [BIND] = 136, [RESOLVE_IB_SERVICE] = 88,
    };
    uint32_t at;
    if (number >= sizeof lengths / sizeof *lengths || !lengths[number] || in != lengths[number])
        return EINVAL;
    if (number == CREATE) {
        if (out < 4)
            return ENOSPC;
        if (++last_id >= sizeof ids / sizeof *ids)
            abort();
        memset(ids + last_id, 0, sizeof *ids);
        memcpy(&ids[last_id].uid, body, 8);
        put(answer, &last_id, 4);
        return 0;
    }
    if (number == GET_EVENT) {
        unsigned char event[336] = { 0 };
        if (out < sizeof event)
            return ENOSPC;
        if (!pending)
            return EAGAIN;
        struct id *id = ids + pending;
        /* The kernel has events of those only who have a number of their own. */
        if (!id->uid)
            return EAGAIN;
        put(event, &id->uid, 8);
        put(event + 8, &pending, 4);
        put(event + 12, &(uint32_t){ id->status ? FAILED : RESOLVED }, 4);
        put(event + 16, &(int32_t){ id->status }, 4);
        put(answer, event, sizeof event);
        id->events++;
        pending = 0;
        return 0;
    }
    memcpy(&at, body + (number == BIND || number == RESOLVE_IB_SERVICE ? 0 : 8), 4);
    if (!at || at > last_id)
        return ENOENT;
    struct id *id = ids + at;
    if (number == DESTROY) {
        put(answer, &(uint32_t){ id->events }, 4);
        return 0;
    }
    if (number == BIND) {
        uint16_t size, family;
        memcpy(&size, body + 4, 2);
        memcpy(&family, body + 8, 2);
        if (size != 48 || family != 27)
            return EINVAL;
        memcpy(id->address, body + 8, 48);
        int device = device_of(id->address + 8, id->guid);
        id->is_bound = device >= 0;
        id->has_administrator = device == 0;
        /* A port is chosen. */
        put(id->address + 24, &(uint64_t){ htobe64(0x013f1234) }, 8);
        memset(id->address + 32, 0xff, 8);
        return 0;
    }
    if (number == RESOLVE_IB_SERVICE) {
        const char *name = (const char *)body + 16, *dash = strrchr(name, '-');
        uint32_t flags;
        uint64_t service;
        memcpy(&service, body + 8, 8);
        memcpy(&flags, body + 80, 4);
        if (!id->is_bound || (flags != BY_ID && flags != BY_NAME) || !memchr(name, 0, 64))
            return EINVAL;
        if (!id->has_administrator)
            return EOPNOTSUPP;
        if (id->is_asked)
            return EALREADY;
        id->is_asked = 1;
        id->records = flags == BY_ID ? service : dash ? strtoul(dash + 1, NULL, 10) : 0;
        if (flags == BY_NAME)
            id->status = !strcmp(name, "silent") ? -ETIMEDOUT : !strcmp(name, "rejected") ? -EINVAL :
                         !strcmp(name, "gone") ? -ENODEV : 0;
        id->is_resolved = !id->status && id->records;
        pending = at;
        return 0;
    }
    uint32_t option;
    memcpy(&option, body + 12, 4);
    if (option == 0 || option == 2) {
        unsigned char told[272] = { 0 };
        put(told, id->guid, 8);
        told[8] = id->is_bound;
        put(told + 12, &(uint16_t){ 48 }, 2);
        put(told + 16, id->address, 48);
        put(answer, told, out < sizeof told ? out : sizeof told);
        return 0;
    }
    if (option != 3)
        return ENOSYS;
    if (out < 8)
        return ENOSPC;
    if (!id->is_resolved)
        return ENODATA;
    size_t room = (out - 8) / RECORD, count = room < id->records ? room : id->records;
    /* Where there is room for none, the kernel does not even tell how many there are. */
    if (!count)
        return 0;
    put(answer, &id->records, 4);
    memset(answer + 4, 0, 4);
    for (size_t i = 0; i < count; i++)
        record(answer + 8 + i * RECORD, i);
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    if (fd < 0 || fd >= FDS || !is_device[fd])
        return NEXT(write)(fd, bytes, length);
    uint32_t number;
    uint16_t in, out;
    uint64_t answer = 0;
    const unsigned char *body = (const unsigned char *)bytes + 8;
    if (length < 8)
        abort();
    memcpy(&number, bytes, 4);
    memcpy(&in, (const char *)bytes + 4, 2);
    memcpy(&out, (const char *)bytes + 6, 2);
    if (in + 8u != length)
        abort();
    const char *mode = getenv("SUBNET");
    if (mode && !strcmp(mode, "kernel"))
        return number == BIND ? (ssize_t)length : NEXT(write)(fd, bytes, length);
    if (number == CREATE)
        memcpy(&answer, body + 8, 8);
    else if (number == DESTROY || number == GET_EVENT || number == QUERY)
        memcpy(&answer, body, 8);
    int failed = command(number, body, in, (unsigned char *)(uintptr_t)answer, out);
    if (failed) {
        errno = failed;
        return -1;
    }
    return length;
}

/* The header says that poll only writes. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

/* An event that there is can be had at once. */
static int has_event(const struct pollfd *fds, nfds_t count)
{
    return count == 1 && fds->fd >= 0 && fds->fd < FDS && is_device[fds->fd] && pending;
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit, const sigset_t *signals)
{
    if (has_event(fds, count)) {
        fds->revents = POLLIN;
        return 1;
    }
    return NEXT(ppoll)(fds, count, limit, signals);
}

int poll(struct pollfd *fds, nfds_t count, int limit)
{
    if (has_event(fds, count)) {
        fds->revents = POLLIN;
        return 1;
    }
    return NEXT(poll)(fds, count, limit);
}
