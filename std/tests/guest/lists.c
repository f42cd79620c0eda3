/*
 * lists NODE,SERVICE,FLAGS,FAMILY[,SOURCE]...: what rdma_getaddrinfo answers, byte for byte.
 *
 * `-` is a null pointer; FLAGS and FAMILY are numbers, SOURCE is an IPv4 address. Prints a line for each request, with
 * what was returned and, if that is -1, errno; and a line for each entry: flags, family, QP type, port space, and in
 * hex source, destination, route and private data.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const void *bytes, size_t length)
{
    printf(" ");
    if (!length)
        printf("-");
    for (size_t i = 0; i < length; i++)
        printf("%02x", ((const unsigned char *)bytes)[i]);
}

static const char *text(const char *word) { return strcmp(word, "-") ? word : NULL; }

static int ask(char *request)
{
    char *words[5] = { 0 }, *rest = NULL;
    int count = 0;
    printf("%s:", request);
    for (char *word = strtok_r(request, ",", &rest); word && count < 5; word = strtok_r(NULL, ",", &rest))
        words[count++] = word;
    if (count < 4)
        return 0;
    struct rdma_addrinfo hints = { .ai_flags = atoi(words[2]), .ai_family = atoi(words[3]) }, *found = NULL;
    struct sockaddr_in source = { .sin_family = AF_INET };
    if (words[4]) {
        if (inet_pton(AF_INET, words[4], &source.sin_addr) != 1)
            return 0;
        hints.ai_src_addr = (struct sockaddr *)&source;
        hints.ai_src_len = sizeof source;
    }
    errno = 0;
    int code = rdma_getaddrinfo(text(words[0]), text(words[1]), &hints, &found);
    printf(" %d %d\n", code, code == -1 ? errno : 0);
    if (code)
        return 1;
    for (const struct rdma_addrinfo *entry = found; entry; entry = entry->ai_next) {
        printf("%#x %d %d %#x", entry->ai_flags, entry->ai_family, entry->ai_qp_type, entry->ai_port_space);
        print(entry->ai_src_addr, entry->ai_src_len);
        print(entry->ai_dst_addr, entry->ai_dst_len);
        print(entry->ai_route, entry->ai_route_len);
        print(entry->ai_connect, entry->ai_connect_len);
        printf("\n");
    }
    rdma_freeaddrinfo(found);
    return 1;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!ask(argv[i])) {
            fprintf(stderr, "lists: a request is NODE,SERVICE,FLAGS,FAMILY[,SOURCE]\n");
            return 2;
        }
    return 0;
}
