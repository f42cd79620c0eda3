/* Rows of the recorded answers: reads a request, asks, and writes the answer as it is recorded. */

#include <errno.h>
#include <netdb.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef RAI_SA
#define RAI_SA 0x10
#endif

/* What errno is before a call: what must be left alone. */
#define OWN_ERRNO 77

#define LONGEST_LINE 8192
#define LONGEST_BYTES 512

/* A request: id, node, service, hints, source, destination, route. */
struct row {
    char line[LONGEST_LINE];
    const char *id, *node, *service;
    int has_hints;
    struct rdma_addrinfo hints;
    unsigned char src[LONGEST_BYTES], dst[LONGEST_BYTES], route[LONGEST_BYTES];
};

static size_t unhex(const char *text, unsigned char *bytes)
{
    size_t length = 0;
    if (!strcmp(text, "-"))
        return 0;
    for (; *text && length < LONGEST_BYTES; text += 2, length++) {
        unsigned int byte;
        if (sscanf(text, "%2x", &byte) != 1)
            abort();
        bytes[length] = (unsigned char)byte;
    }
    return length;
}

/* Reads a line: columns with a tab between them, further ones left alone. 0 if it is no row. */
__attribute__((unused)) static int read_row(const char *line, struct row *row)
{
    char *columns[7], *rest = row->line;
    int column;

    if (*line == '#' || *line == '\n' || !*line || strlen(line) >= sizeof row->line)
        return 0;
    strcpy(row->line, line);
    row->line[strcspn(row->line, "\n")] = 0;
    for (column = 0; column < 7; column++)
        if (!(columns[column] = strsep(&rest, "\t")))
            abort();
    row->id = columns[0];
    row->node = strcmp(columns[1], "NULL") ? columns[1] : NULL;
    row->service = strcmp(columns[2], "NULL") ? columns[2] : NULL;
    row->has_hints = strcmp(columns[3], "none") != 0;
    /* What is no hint is left uninitialized, as C programs may. */
    memset(&row->hints, 0xa5, sizeof row->hints);
    if (row->has_hints && sscanf(columns[3], "%d,%d,%d,%d", &row->hints.ai_flags, &row->hints.ai_family,
                                 &row->hints.ai_qp_type, &row->hints.ai_port_space) != 4)
        abort();
    row->hints.ai_src_len = (socklen_t)unhex(columns[4], row->src);
    row->hints.ai_dst_len = (socklen_t)unhex(columns[5], row->dst);
    row->hints.ai_route_len = unhex(columns[6], row->route);
    row->hints.ai_src_addr = row->hints.ai_src_len ? (struct sockaddr *)row->src : NULL;
    row->hints.ai_dst_addr = row->hints.ai_dst_len ? (struct sockaddr *)row->dst : NULL;
    row->hints.ai_route = row->hints.ai_route_len ? row->route : NULL;
    return 1;
}

__attribute__((unused)) static int ask(const struct row *row, struct rdma_addrinfo **list)
{
    return rdma_getaddrinfo((char *)row->node, (char *)row->service,
                            row->has_hints ? (struct rdma_addrinfo *)&row->hints : NULL, list);
}

static void put_bytes(FILE *out, const char *name, const void *start, size_t length)
{
    const unsigned char *bytes = start;
    fprintf(out, ",\"%s\":\"", name);
    for (; bytes && length; length--)
        fprintf(out, "%02x", *bytes++);
    fputc('"', out);
}

/* Writes an answer as a line, without its end. `strict`: says so where errno was touched that should not be. */
__attribute__((unused)) static void put_answer(FILE *out, const struct row *row, int ret, int error, const struct rdma_addrinfo *list,
                       int strict)
{
    const struct rdma_addrinfo *info;

    fprintf(out, "{\"id\":\"%s\",\"ret\":%d", row->id, ret);
    if (ret == -1)
        fprintf(out, ",\"errno\":%d", error);
    else if (strict && error != OWN_ERRNO)
        fprintf(out, ",\"errno_became\":%d", error);
    if (ret && list)
        fprintf(out, ",\"stored\":1");
    if (!ret) {
        fprintf(out, ",\"entries\":[");
        for (info = list; info; info = info->ai_next) {
            fprintf(out, "%s{\"flags\":%d,\"family\":%d,\"qp_type\":%d,\"port_space\":%d", info == list ? "" : ",",
                    info->ai_flags, info->ai_family, info->ai_qp_type, info->ai_port_space);
            put_bytes(out, "src", info->ai_src_addr, info->ai_src_len);
            put_bytes(out, "dst", info->ai_dst_addr, info->ai_dst_len);
            put_bytes(out, "route", info->ai_route, info->ai_route_len);
            put_bytes(out, "connect", info->ai_connect, info->ai_connect_len);
            fprintf(out, ",\"canonnames\":%d}", !!info->ai_src_canonname + !!info->ai_dst_canonname);
        }
        fputc(']', out);
    }
    fputc('}', out);
}
