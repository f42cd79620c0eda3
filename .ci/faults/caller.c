/*
 * caller FILE NODE SERVICE FLAGS FAMILY SRC ROUTE [again]: one call of rdma_getaddrinfo. '-' is none; SRC is an IPv4
 * address, ROUTE a number of bytes; with `again` it is the second call, after one without faults. The outcome is written to
 * FILE, which is mapped, so that no faults are injected into system calls of this program.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROOM = 65536, OWN_ERRNO = 77 };

void wait_for_strace(void);

static char *out, *end;

static void put_bytes(const char *name, const void *bytes, size_t length)
{
    size_t i;

    out += snprintf(out, end - out, " %s=", name);
    for (i = 0; i < length; i++)
        out += snprintf(out, end - out, "%02x", ((const unsigned char *)bytes)[i]);
}

static const char *text(const char *argument)
{
    return strcmp(argument, "-") ? argument : NULL;
}

int main(int argc, char **argv)
{
    static unsigned char route[4096];
    struct rdma_addrinfo hints = { 0 }, *list = NULL, *entry;
    struct sockaddr_in source = { .sin_family = AF_INET };
    int file, ret, error;

    if (argc < 8 || (file = open(argv[1], O_RDWR | O_CLOEXEC)) < 0)
        return 2;
    out = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (out == MAP_FAILED)
        return 2;
    end = out + ROOM;
    hints.ai_flags = strtol(argv[4], NULL, 0);
    hints.ai_family = atoi(argv[5]);
    if (text(argv[6])) {
        if (inet_pton(AF_INET, argv[6], &source.sin_addr) != 1)
            return 2;
        hints.ai_src_addr = (struct sockaddr *)&source;
        hints.ai_src_len = sizeof source;
    }
    if (text(argv[7])) {
        hints.ai_route = route;
        hints.ai_route_len = atoi(argv[7]);
    }

    if (argc > 8 && !rdma_getaddrinfo(text(argv[2]), text(argv[3]), &hints, &list))
        rdma_freeaddrinfo(list);
    list = NULL;

    wait_for_strace();
    errno = OWN_ERRNO;
    ret = rdma_getaddrinfo(text(argv[2]), text(argv[3]), &hints, &list);
    error = errno;
    if (ret) {
        out += snprintf(out, end - out, "error %d %d\n", ret, error);
        return 1;
    }
    for (entry = list; entry; entry = entry->ai_next) {
        out += snprintf(out, end - out, "entry");
        put_bytes("src", entry->ai_src_addr, entry->ai_src_len);
        put_bytes("dst", entry->ai_dst_addr, entry->ai_dst_len);
        put_bytes("route", entry->ai_route, entry->ai_route_len);
        out += snprintf(out, end - out, " kind=%x/%x/%x/%x\n", entry->ai_flags, entry->ai_family, entry->ai_qp_type,
                        entry->ai_port_space);
    }
    rdma_freeaddrinfo(list);
    /* Neither function changes it. */
    out += snprintf(out, end - out, "end %d\n", errno == OWN_ERRNO && error == OWN_ERRNO);
    return 0;
}
