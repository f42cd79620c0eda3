/*
 * Makes one call twice, each between marks that strace(1) shows.
 *
 * calls rdma_getaddrinfo ROW
 * calls getaddrinfo ROW        what the C library itself does for node, service, family and port space of the row
 * calls getaddrinfo4 ROW       the same for IPv4
 */

#include "rows.h"
#include <unistd.h>

static void mark(const char *name)
{
    if (!access(name, F_OK))
        abort();
}

static int family;

/* As librdmacm asks. */
static void by_c_library(const struct row *row)
{
    const struct rdma_addrinfo *asked = &row->hints;
    struct addrinfo hints = { .ai_family = family }, *list;
    int is_udp = asked->ai_port_space == RDMA_PS_UDP;

    hints.ai_flags = asked->ai_flags & RAI_PASSIVE ? AI_PASSIVE : 0;
    hints.ai_socktype = is_udp ? SOCK_DGRAM : SOCK_STREAM;
    hints.ai_protocol = is_udp ? IPPROTO_UDP : IPPROTO_TCP;
    if (!getaddrinfo(row->node, row->service, &hints, &list))
        freeaddrinfo(list);
}

static void by_rdma(const struct row *row)
{
    struct rdma_addrinfo *list;
    if (!ask(row, &list))
        rdma_freeaddrinfo(list);
}

int main(int argc, char **argv)
{
    static struct row row;
    void *volatile heap;
    void (*call)(const struct row *);

    if (argc < 3 || !read_row(argv[2], &row))
        return 2;
    call = strcmp(argv[1], "rdma_getaddrinfo") ? by_c_library : by_rdma;
    family = strcmp(argv[1], "getaddrinfo4") ? row.hints.ai_family : AF_INET;
    /* The heap grows now or not at all. */
    heap = malloc(65536);
    free(heap);
    mark("mark:first");
    call(&row);
    mark("mark:second");
    call(&row);
    mark("mark:end");
    return 0;
}
