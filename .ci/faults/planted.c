/* A library that depends on one open(2), and handles each of its failures wrongly. */

#include <errno.h>
#include <fcntl.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <unistd.h>

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints, struct rdma_addrinfo **res)
{
    static struct rdma_addrinfo entry;
    int file = open("/", O_RDONLY | O_CLOEXEC);

    (void)node, (void)service, (void)hints;
    if (file < 0)
        switch (errno) {
        case EMFILE:
            abort();
        case ENFILE:
            _exit(101);
        case EACCES:
            for (;;)
                usleep(100000);
        case ELOOP: /* no result and no error */
            *res = NULL;
            errno = 77;
            return 0;
        case ENXIO: /* another's error */
            errno = EINVAL;
            return -1;
        default:
            return -1;
        }
    *res = &entry;
    return 0;
}

void rdma_freeaddrinfo(struct rdma_addrinfo *res)
{
    (void)res;
}
