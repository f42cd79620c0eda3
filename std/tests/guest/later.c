/*
 * later.so, to be preloaded: a client asks for its server by rdma_resolve_addr a while later.
 *
 * The client of perftest connects twice, and the server begins to listen for the second time when the first one is over.
 * A client that is quicker is rejected, and crashes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <rdma/rdma_cma.h>
#include <unistd.h>

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int timeout)
{
    int (*next)(struct rdma_cm_id *, struct sockaddr *, struct sockaddr *, int) = dlsym(RTLD_NEXT, "rdma_resolve_addr");
    sleep(1);
    return next(id, from, to, timeout);
}
