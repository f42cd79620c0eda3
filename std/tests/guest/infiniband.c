/*
 * infiniband.so, to be preloaded into ibacm(8): Soft-RoCE looks like InfiniBand to it, with a subnet administrator.
 *
 * Ports are of the InfiniBand link layer, and have a LID: that of rxe0 is 1. libibumad is played, and behind it the
 * subnet administrator, who lets everyone join a multicast group, and knows a path to each GID; but what the last two
 * bytes of the GID say is
 *
 *   0          nobody's: no record is found
 *   0xffff     not told: there is no answer, which the kernel says when the time is over
 *   0xffxx     told late, after SLOW
 *   others     the LID there
 *
 * Each query is a line on standard error.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/sa.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How late a late answer is, in milliseconds: more than the 2 s that ibacm itself lets a try take. */
enum { SLOW = 2700 };

enum { PORTS = 8, MAD = 256, METHOD = 3, STATUS = 4, ATTRIBUTE = 16, DATA = 56 };
enum { GET = 0x01, SET = 0x02, RESPONSE = 0x80, PATH_RECORD = 0x35, GROUP_MEMBER = 0x38 };
/* "No records", of the class of the subnet administrator. */
enum { NO_RECORDS = 0x0300 };
/* Of a record of a multicast group. */
enum { GROUP_LID = 36 };

/* A datagram is received as the kernel has it: a header and a MAD behind it. */
struct message {
    struct ib_user_mad_hdr header;
    unsigned char mad[MAD];
};

struct port {
    int here, there;
    uint16_t lid;
    unsigned char gid[16];
};

static struct port ports[PORTS];
static int opened;

static uint16_t lid_of(const char *device)
{
    return 1 + atoi(device + strcspn(device, "0123456789"));
}

/* The first GID of a device. */
static int read_gid(const char *device, unsigned char *gid)
{
    char path[128], text[64];
    FILE *file;
    snprintf(path, sizeof path, "/sys/class/infiniband/%s/ports/1/gids/0", device);
    file = fopen(path, "r");
    if (!file)
        return 0;
    int is_there = fscanf(file, "%63s", text) == 1 && inet_pton(AF_INET6, text, gid) == 1;
    fclose(file);
    return is_there;
}

/* verbs: what a port is like. */

static int (*query_port)(struct ibv_context *, uint8_t, struct ibv_port_attr *, size_t);

static int query_infiniband_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attributes, size_t size)
{
    int code = query_port(context, port, attributes, size);
    if (!code) {
        attributes->link_layer = IBV_LINK_LAYER_INFINIBAND;
        attributes->lid = lid_of(ibv_get_device_name(context->device));
        attributes->sm_lid = 1;
        /* 4 us << 8: a millisecond. */
        attributes->subnet_timeout = 8;
    }
    return code;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
    /* Without a version, it would be that for the oldest programs. */
    struct ibv_context *(*next)(struct ibv_device *) = dlvsym(RTLD_NEXT, "ibv_open_device", "IBVERBS_1.1");
    struct ibv_context *context = next(device);
    if (context) {
        struct verbs_context *verbs = verbs_get_ctx(context);
        query_port = verbs->query_port;
        verbs->query_port = query_infiniband_port;
    }
    return context;
}

/* The subnet administrator. */

static void path_record(const struct port *port, unsigned char *mad, struct ib_user_mad_hdr *header, unsigned *late)
{
    char text[INET6_ADDRSTRLEN];
    struct ibv_path_record path, asked;
    memcpy(&asked, mad + DATA, sizeof asked);
    uint16_t end = asked.dgid.raw[14] << 8 | asked.dgid.raw[15];
    fprintf(stderr, "sa: path to %s\n", inet_ntop(AF_INET6, &asked.dgid, text, sizeof text));
    if (!end) {
        memcpy(mad + STATUS, &(uint16_t){ htobe16(NO_RECORDS) }, 2);
        return;
    }
    if (end == 0xffff) {
        *late = header->timeout_ms * (header->retries + 1);
        header->status = ETIMEDOUT;
        return;
    }
    if (end >> 8 == 0xff)
        *late = SLOW;
    memset(&path, 0, sizeof path);
    path.dgid = asked.dgid;
    memcpy(&path.sgid, port->gid, sizeof path.sgid);
    path.dlid = htobe16(end);
    path.slid = htobe16(port->lid);
    path.reversible_numpath = IBV_PATH_RECORD_REVERSIBLE | 1;
    path.pkey = htobe16(0xffff);
    path.qosclass_sl = htobe16(3);
    /* Each exactly: 2048 bytes, 10 Gb/s, 4 us << 18. */
    path.mtu = 2 << 6 | IBV_MTU_2048;
    path.rate = 2 << 6 | IBV_RATE_10_GBPS;
    path.packetlifetime = 2 << 6 | 18;
    memcpy(mad + DATA, &path, sizeof path);
}

struct late_answer {
    int socket;
    unsigned milliseconds;
    struct message message;
};

static void *answer_late(void *argument)
{
    struct late_answer *answer = argument;
    usleep(answer->milliseconds * 1000);
    if (send(answer->socket, &answer->message, sizeof answer->message, 0) < 0)
        perror("sa: late answer");
    free(answer);
    return NULL;
}

/* libibumad. */

int umad_init(void) { return 0; }
int umad_done(void) { return 0; }

int umad_open_port(const char *device, int number)
{
    int pair[2];
    struct port *port = &ports[opened];
    if (number != 1 || opened == PORTS || !read_gid(device, port->gid) || socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
        return -EIO;
    port->here = pair[0];
    port->there = pair[1];
    port->lid = lid_of(device);
    return opened++;
}

int umad_close_port(int port)
{
    (void)port;
    return 0;
}

int umad_get_fd(int port) { return ports[port].here; }

int umad_register(int port, int class, int version, uint8_t rmpp, long methods[])
{
    (void)port, (void)class, (void)version, (void)rmpp, (void)methods;
    return 0;
}

int umad_send(int number, int agent, void *umad, int length, int timeout, int retries)
{
    const struct port *port = &ports[number];
    struct late_answer *answer = calloc(1, sizeof *answer);
    if (!answer || length != MAD)
        return -EINVAL;
    answer->socket = port->there;
    struct message *message = &answer->message;
    memcpy(message, umad, sizeof *message);
    message->header.id = agent;
    message->header.status = 0;
    message->header.timeout_ms = timeout;
    message->header.retries = retries;
    message->header.length = sizeof *message;

    unsigned char *mad = message->mad, method = mad[METHOD];
    unsigned attribute = mad[ATTRIBUTE] << 8 | mad[ATTRIBUTE + 1];
    mad[METHOD] = GET | RESPONSE;
    if (method == GET && attribute == PATH_RECORD) {
        path_record(port, mad, &message->header, &answer->milliseconds);
    } else if (method == SET && attribute == GROUP_MEMBER) {
        fprintf(stderr, "sa: joined\n");
        memcpy(mad + DATA + GROUP_LID, &(uint16_t){ htobe16(0xc001) }, 2);
    } else {
        fprintf(stderr, "sa: method %#x, attribute %#x\n", method, attribute);
        free(answer);
        return -EINVAL;
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer_late, answer)) {
        free(answer);
        return -ENOMEM;
    }
    pthread_detach(thread);
    return 0;
}

int umad_recv(int port, void *umad, int *length, int timeout)
{
    struct message message;
    (void)timeout;
    if (recv(ports[port].here, &message, sizeof message, 0) != sizeof message)
        return -EIO;
    if (*length < MAD)
        return -EINVAL;
    *length = MAD;
    memcpy(umad, &message, sizeof message);
    return message.header.id;
}
