/*
 * picks [-n] DESTINATION [SOURCE]: which device, port and GID rdma_cm takes to connect, and the index of the GID that
 * the connected queue pair has. Both addresses are numeric, IPv6 with a zone where it needs one.
 *
 * Prints a line: `DEVICE PORT GID SOURCE`, and without -n, which connects nothing, the GID index and port of the
 * connected queue pair behind it. The other side listens in this program: destinations are addresses of this machine.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const PORT = "17471";

/* How long anything may take, in milliseconds: the machine may be an emulated one. */
enum { PATIENCE = 20000 };

/* The kernel misses the first answer of a neighbour now and then, and is asked again. */
enum { TRY = 3000, TRIES = 6 };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static struct addrinfo *address(const char *text, const char *port)
{
    struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM }, *found;
    int code = getaddrinfo(text, port, &hints, &found);
    if (code) {
        fprintf(stderr, "%s: %s\n", text, gai_strerror(code));
        exit(1);
    }
    return found;
}

/* The next event of the channel, which the caller acknowledges; NULL if none comes in time. */
static struct rdma_cm_event *next(struct rdma_event_channel *channel)
{
    struct pollfd ready = { .fd = channel->fd, .events = POLLIN };
    struct rdma_cm_event *event;
    if (poll(&ready, 1, PATIENCE) != 1 || rdma_get_cm_event(channel, &event))
        return NULL;
    return event;
}

/* Waits for one kind of event. */
static int await(struct rdma_event_channel *channel, enum rdma_cm_event_type wanted)
{
    struct rdma_cm_event *event = next(channel);
    if (!event) {
        fprintf(stderr, "no %s in time\n", rdma_event_str(wanted));
        return 0;
    }
    int is_it = event->event == wanted;
    if (!is_it)
        fprintf(stderr, "%s, status %d, not %s\n", rdma_event_str(event->event), event->status, rdma_event_str(wanted));
    rdma_ack_cm_event(event);
    return is_it;
}

static void make_qp(struct rdma_cm_id *id)
{
    struct ibv_qp_init_attr attributes = {
        .cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
        .qp_type = IBV_QPT_RC,
    };
    if (rdma_create_qp(id, NULL, &attributes))
        fail("rdma_create_qp");
}

/* Accepts whoever comes. */
static void *serve(void *listener)
{
    struct rdma_cm_id *id = listener;
    struct rdma_cm_event *event;
    while ((event = next(id->channel))) {
        if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
            struct rdma_conn_param parameters = { .responder_resources = 1, .initiator_depth = 1 };
            make_qp(event->id);
            if (rdma_accept(event->id, &parameters))
                perror("rdma_accept");
        }
        rdma_ack_cm_event(event);
    }
    return NULL;
}

static void start_listening(void)
{
    struct rdma_cm_id *id;
    pthread_t thread;
    /* The wildcard: a link-local destination is of another interface than its zone, which is that to send by. */
    const struct addrinfo *where = address("::", PORT);
    if (rdma_create_id(rdma_create_event_channel(), &id, NULL, RDMA_PS_TCP))
        fail("rdma_create_id");
    if (rdma_bind_addr(id, where->ai_addr) || rdma_listen(id, 1))
        fail("rdma_listen");
    if (pthread_create(&thread, NULL, serve, id))
        fail("pthread_create");
}

/* Waits for the address to be resolved. */
static int resolve(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to)
{
    for (int try = 0; try < TRIES; try++) {
        if (rdma_resolve_addr(id, try ? NULL : from, to, TRY))
            fail("rdma_resolve_addr");
        if (await(id->channel, RDMA_CM_EVENT_ADDR_RESOLVED))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int connects = argc < 2 || strcmp(argv[1], "-n") != 0;
    argv += !connects;
    argc -= !connects;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: picks [-n] DESTINATION [SOURCE]\n");
        return 2;
    }
    struct addrinfo *to = address(argv[1], PORT), *from = argc > 2 ? address(argv[2], NULL) : NULL;
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_cm_id *id;
    if (!channel || rdma_create_id(channel, &id, NULL, RDMA_PS_TCP))
        fail("rdma_create_id");
    start_listening();
    if (!resolve(id, from ? from->ai_addr : NULL, to->ai_addr))
        return 1;

    char gid[INET6_ADDRSTRLEN], source[NI_MAXHOST];
    if (!inet_ntop(AF_INET6, &id->route.addr.addr.ibaddr.sgid, gid, sizeof gid))
        fail("inet_ntop");
    struct sockaddr *local = rdma_get_local_addr(id);
    socklen_t length = local->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    if (getnameinfo(local, length, source, sizeof source, NULL, 0, NI_NUMERICHOST))
        fail("getnameinfo");
    printf("%s %d %s %s", ibv_get_device_name(id->verbs->device), id->port_num, gid, source);

    if (connects) {
        struct ibv_qp_attr state;
        struct ibv_qp_init_attr initial;
        struct rdma_conn_param parameters = { .responder_resources = 1, .initiator_depth = 1, .retry_count = 7 };
        make_qp(id);
        if (rdma_resolve_route(id, PATIENCE) || !await(channel, RDMA_CM_EVENT_ROUTE_RESOLVED) ||
            rdma_connect(id, &parameters) || !await(channel, RDMA_CM_EVENT_ESTABLISHED))
            return 1;
        if (ibv_query_qp(id->qp, &state, IBV_QP_AV | IBV_QP_PORT, &initial))
            fail("ibv_query_qp");
        printf(" %d %d", state.ah_attr.grh.sgid_index, state.port_num);
    }
    printf("\n");
    fflush(stdout);
    /* The kernel cleans up. */
    _exit(0);
}
