/* Arguments that no row can tell. Prints what is wrong, and counts what was looked at. */

#include "rows.h"
#include <arpa/inet.h>
#include <infiniband/sa.h>
#include <sys/resource.h>

#define ROUTE_ONLY 0x01000000

/* Of the library, and of no header. */
void rdma_addrinfo_forget_kept(void);

static int wrong, looked_at;
static struct rdma_addrinfo *list;

/* What a failed call leaves in `list`. */
#define UNTOUCHED ((struct rdma_addrinfo *)&wrong)

static int call(const char *node, const char *service, const struct rdma_addrinfo *hints)
{
    list = UNTOUCHED;
    errno = OWN_ERRNO;
    return rdma_getaddrinfo((char *)node, (char *)service, (struct rdma_addrinfo *)hints, &list);
}

static void expect(const char *what, int ret, int want_ret, int want_errno)
{
    int error = errno;
    looked_at++;
    if (ret != want_ret || error != want_errno || (ret && list != UNTOUCHED)) {
        printf("%s: %d and errno %d, not %d and %d%s\n", what, ret, error, want_ret, want_errno,
               ret && list != UNTOUCHED ? ", and the list was touched" : "");
        wrong++;
    }
    if (!ret)
        rdma_freeaddrinfo(list);
}

/* Hints with one field other than zero. */
#define WITH(field, value) (&(struct rdma_addrinfo){ .field = value })

static void lengths(void)
{
    unsigned char bytes[512] = { 0 };
    unsigned short families[] = { AF_INET, AF_INET6, 27 };
    unsigned int right[] = { 16, 28, 48 }, at, length;

    expect("null source with a length", call(NULL, "7471", WITH(ai_src_len, 16)), -1, EINVAL);
    expect("null destination with a length", call("192.0.2.7", NULL, WITH(ai_dst_len, 16)), -1, EINVAL);
    expect("null route with a length", call("192.0.2.7", NULL, WITH(ai_route_len, 72)), -1, EINVAL);
    expect("a route longer than memory",
           call("192.0.2.7", NULL, &(struct rdma_addrinfo){ .ai_route_len = (size_t)-1, .ai_route = bytes }), -1, EINVAL);
    expect("a source without a length", call("192.0.2.7", NULL, WITH(ai_src_addr, (struct sockaddr *)bytes)), 0,
           OWN_ERRNO);
    for (at = 0; at < 3; at++) {
        memcpy(bytes, &families[at], sizeof families[at]);
        for (length = 1; length <= 300; length++) {
            struct rdma_addrinfo hints = { .ai_src_len = length, .ai_src_addr = (struct sockaddr *)bytes };
            int is_right = length == right[at];
            /* Of another family than the destination it is dropped, or the destination. */
            expect("a source", call(NULL, NULL, &hints), is_right ? 0 : -1, is_right ? OWN_ERRNO : EINVAL);
            hints = (struct rdma_addrinfo){ .ai_dst_len = length, .ai_dst_addr = (struct sockaddr *)bytes };
            expect("a destination", call(NULL, NULL, &hints), is_right ? 0 : -1, is_right ? OWN_ERRNO : EINVAL);
        }
    }
    bytes[0] = 99;
    expect("a source of no family",
           call("192.0.2.7", NULL, &(struct rdma_addrinfo){ .ai_src_len = 16, .ai_src_addr = (struct sockaddr *)bytes }),
           -1, EINVAL);
}

/* What rdma_resolve_route of librdmacm asks. */
static void route_only(void)
{
    struct sockaddr_in src = { .sin_family = AF_INET, .sin_port = htons(40000) };
    struct sockaddr_in dst = { .sin_family = AF_INET, .sin_port = htons(7471) };
    struct rdma_addrinfo hints;
    int ret;

    memset(&hints, 0, sizeof hints);
    inet_pton(AF_INET, "192.0.2.9", &src.sin_addr);
    inet_pton(AF_INET, "192.0.2.7", &dst.sin_addr);
    hints.ai_flags = ROUTE_ONLY;
    hints.ai_family = AF_INET;
    hints.ai_src_len = sizeof src;
    hints.ai_src_addr = (struct sockaddr *)&src;
    hints.ai_dst_len = sizeof dst;
    hints.ai_dst_addr = (struct sockaddr *)&dst;
    ret = call(NULL, NULL, &hints);
    if (!ret && (list->ai_next || list->ai_family != AF_INET || list->ai_src_len != sizeof src ||
                 memcmp(list->ai_src_addr, &src, sizeof src) || memcmp(list->ai_dst_addr, &dst, sizeof dst))) {
        printf("the route alone: not one entry with both addresses\n");
        wrong++;
    }
    if (!ret)
        printf("the route alone has %zu bytes\n", list->ai_route_len);
    expect("the route alone", ret, 0, OWN_ERRNO);
    ret = call("192.0.2.7", "7471", &(struct rdma_addrinfo){ .ai_flags = ROUTE_ONLY });
    if (!ret && list->ai_next) {
        printf("the route alone of a node: not one entry\n");
        wrong++;
    }
    expect("the route alone of a node", ret, 0, OWN_ERRNO);
}

int main(void)
{
    struct rdma_addrinfo hints;
    const char *policy = getenv("RDMA_ADDRINFO_POLICY");
    int is_strict = policy && !strcmp(policy, "man-page");

    list = UNTOUCHED;
    errno = OWN_ERRNO;
    expect("null res", rdma_getaddrinfo((char *)"192.0.2.7", (char *)"7471", NULL, NULL), -1, EINVAL);
    errno = OWN_ERRNO;
    expect("null res and RAI_SA", rdma_getaddrinfo(NULL, (char *)"1", WITH(ai_flags, RAI_SA), NULL), -1, EINVAL);
    expect("RAI_SA and no port", call(NULL, "1", WITH(ai_flags, RAI_SA)), -1, is_strict ? ENODEV : ENOENT);
    expect("RAI_SA with a node", call("192.0.2.7", "1", WITH(ai_flags, RAI_SA)), -1, EOPNOTSUPP);
    lengths();
    route_only();
    /* Longer than any name is. */
    {
        static char text[1 << 16];
        memset(text, 'a', sizeof text - 1);
        looked_at++;
        if (call(text, NULL, NULL) == 0 || call("192.0.2.7", text, NULL) == 0) {
            printf("a text of 65535 bytes is known\n");
            wrong++;
        }
    }
    /* Next, names and connect data are no hints. */
    memset(&hints, 0xa5, sizeof hints);
    hints.ai_flags = hints.ai_family = hints.ai_qp_type = hints.ai_port_space = 0;
    hints.ai_src_len = hints.ai_dst_len = 0;
    hints.ai_route_len = 0;
    expect("hints with stray pointers", call("192.0.2.7", "7471", &hints), 0, OWN_ERRNO);
    /* What the environment says later does not count. */
    {
        setenv("RDMA_ADDRINFO_POLICY", is_strict ? "librdmacm" : "man-page", 1);
        expect("a short form of IPv4", call("127.1", NULL, NULL), is_strict ? EAI_NONAME : 0, OWN_ERRNO);
    }
    errno = OWN_ERRNO;
    rdma_freeaddrinfo(NULL);
    list = UNTOUCHED;
    expect("freeing null", -1, -1, OWN_ERRNO);
    /*
     * Without a descriptor to spare or kept a literal needs none but for its source, which is looked for by the manual page alone,
     * and nothing is known of names. With none at all poll(2) would
     * not wait on those that are open. The hard limit is not for valgrind(1) to change.
     */
    {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit))
            abort();
        errno = OWN_ERRNO;
        rdma_addrinfo_forget_kept();
        expect("forgetting what is kept", -1, -1, OWN_ERRNO);
        limit.rlim_cur = 1;
        if (setrlimit(RLIMIT_NOFILE, &limit))
            abort();
    }
    expect("a literal without a descriptor", call("192.0.2.7", "7471", NULL), is_strict ? -1 : 0,
           is_strict ? EMFILE : OWN_ERRNO);
    expect("a name without a descriptor", call("localhost", "7471", NULL), -1, EMFILE);
    expect("a service without a descriptor", call("192.0.2.7", "http", NULL), -1, EMFILE);
    expect("a zone without a descriptor", call("fe80::1%lo", "7471", NULL), -1, EMFILE);
    printf("%d looked at, %d wrong\n", looked_at, wrong);
    return wrong != 0;
}
