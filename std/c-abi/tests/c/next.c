/* A library behind ours in link order: whoever asks it learns of it. */

#include <rdma/rdma_cma.h>
#include <stdlib.h>

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints,
                     struct rdma_addrinfo **res)
{
    (void)node;
    (void)service;
    (void)hints;
    (void)res;
    abort();
}

void rdma_freeaddrinfo(struct rdma_addrinfo *res)
{
    (void)res;
    abort();
}
