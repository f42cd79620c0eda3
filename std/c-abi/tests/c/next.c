/* A library behind ours in link order: it answers whatever it is asked, so that it shows when it is. */

#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints,
                     struct rdma_addrinfo **res)
{
    struct rdma_addrinfo *list;
    if (service && !strcmp(service, "fails")) {
        errno = 42;
        return -1;
    }
    /* A cancellation point, as librdmacm has some. */
    if (service && !strcmp(service, "waits"))
        sleep(1);
    list = calloc(1, sizeof *list);
    if (!list)
        abort();
    list->ai_flags = hints ? hints->ai_flags : 0;
    list->ai_family = 4242;
    list->ai_qp_type = node ? (int)strlen(node) : -1;
    list->ai_port_space = service ? (int)strlen(service) : -1;
    *res = list;
    return 0;
}

void rdma_freeaddrinfo(struct rdma_addrinfo *res)
{
    (void)res;
    abort();
}
