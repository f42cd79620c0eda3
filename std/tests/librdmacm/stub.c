/* A librdmacm that answers what no real one does. The node says what; it counts the lists it made and freed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rdma_addrinfo {
	int ai_flags, ai_family, ai_qp_type, ai_port_space;
	unsigned ai_src_len, ai_dst_len;
	void *ai_src_addr, *ai_dst_addr;
	char *ai_src_canonname, *ai_dst_canonname;
	size_t ai_route_len;
	void *ai_route;
	size_t ai_connect_len;
	void *ai_connect;
	struct rdma_addrinfo *ai_next;
};

/* An entry, and all that it may point to. */
struct entry {
	struct rdma_addrinfo info;
	struct entry *first;
	void *owned[5];
	unsigned char bytes[512];
};

/* Both are exported, so that none is unused. */
unsigned made, freed;

#ifndef WITHOUT_GET
static struct entry *new_entry(struct entry *before)
{
	struct entry *entry = calloc(1, sizeof *entry);

	if (!entry)
		abort();
	entry->first = before ? before->first : entry;
	if (before)
		before->info.ai_next = &entry->info;
	for (size_t at = 0; at < sizeof entry->bytes; at++)
		entry->bytes[at] = (unsigned char)at;
	return entry;
}

static void *copy(struct entry *owner, int slot, const void *bytes, size_t len)
{
	void *to = owner->owned[slot] = len ? malloc(len) : NULL;

	if (len)
		memcpy(to, bytes, len);
	return to;
}

/* What the caller gave, in an entry of its own. */
static struct entry *echo(const char *node, const char *service, const struct rdma_addrinfo *hints)
{
	struct entry *entry = new_entry(NULL);
	struct rdma_addrinfo *info = &entry->info;

	if (hints) {
		*info = *hints;
		info->ai_src_addr = copy(entry, 0, hints->ai_src_addr, hints->ai_src_len);
		info->ai_dst_addr = copy(entry, 1, hints->ai_dst_addr, hints->ai_dst_len);
		info->ai_route = copy(entry, 2, hints->ai_route, hints->ai_route_len);
	} else {
		info->ai_family = -1;
	}
	info->ai_src_canonname = node ? copy(entry, 3, node, strlen(node) + 1) : NULL;
	info->ai_dst_canonname = service ? copy(entry, 4, service, strlen(service) + 1) : NULL;
	return entry;
}

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints,
		     struct rdma_addrinfo **res)
{
	struct entry *entry = NULL, *first = NULL;
	int number = 0;

	if (node && sscanf(node, "ret=%d", &number) == 1 && number) {
		errno = service ? atoi(service) : errno;
		/* Nobody may look at it. */
		*res = (struct rdma_addrinfo *)8;
		return number;
	}
	/* Left over from something that went well in the end. */
	errno = EIO;
	if (node && !strcmp(node, "null")) {
		*res = NULL;
		return 0;
	}
	if (node && !strcmp(node, "counts")) {
		first = new_entry(NULL);
		first->info.ai_flags = (int)__atomic_load_n(&made, __ATOMIC_SEQ_CST);
		first->info.ai_family = (int)__atomic_load_n(&freed, __ATOMIC_SEQ_CST);
	} else if (node && !strcmp(node, "empty")) {
		first = new_entry(NULL);
	} else if (node && !strcmp(node, "pointers")) {
		/* Pointers without lengths. */
		first = new_entry(NULL);
		first->info.ai_src_addr = first->info.ai_dst_addr = first->bytes;
		first->info.ai_route = first->info.ai_connect = first->bytes;
		first->info.ai_src_canonname = first->info.ai_dst_canonname = (char *)first->bytes;
	} else if (node && !strcmp(node, "lengths")) {
		/* Lengths without pointers, the second ones as large as they can be. */
		first = new_entry(NULL);
		first->info.ai_src_len = 16;
		first->info.ai_dst_len = 28;
		first->info.ai_route_len = 72;
		first->info.ai_connect_len = 36;
		entry = new_entry(first);
		entry->info.ai_src_len = entry->info.ai_dst_len = ~0u;
		entry->info.ai_route_len = entry->info.ai_connect_len = ~(size_t)0;
	} else if (node && sscanf(node, "lengths=%d", &number) == 1) {
		/* Addresses of so many bytes, of every family that there is; the route has as many. */
		static const unsigned short families[] = { 0, 1, 2, 10, 27, 99, 65535 };

		for (size_t at = 0; at < sizeof families / sizeof *families; at++) {
			entry = new_entry(entry);
			first = entry->first;
			memcpy(entry->bytes, &families[at], sizeof *families);
			/* The structure says another one. */
			entry->info.ai_family = families[at] == 2 ? 10 : 2;
			entry->info.ai_src_addr = entry->info.ai_dst_addr = entry->bytes;
			entry->info.ai_src_len = entry->info.ai_dst_len = (unsigned)number;
			entry->info.ai_route = entry->info.ai_connect = entry->bytes;
			entry->info.ai_route_len = entry->info.ai_connect_len = (size_t)number;
		}
	} else if (node && sscanf(node, "many=%d", &number) == 1) {
		for (int at = 0; at < number; at++) {
			entry = new_entry(entry);
			first = entry->first;
			entry->info.ai_qp_type = at;
		}
	} else if (node && sscanf(node, "cycle=%d", &number) == 1) {
		for (int at = 0; at < number; at++) {
			entry = new_entry(entry);
			first = entry->first;
			entry->info.ai_qp_type = at;
		}
		entry->info.ai_next = &first->info;
	} else {
		first = echo(node, service, hints);
	}
	__atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST);
	*res = &first->info;
	return 0;
}
#endif

#ifndef WITHOUT_FREE
void rdma_freeaddrinfo(struct rdma_addrinfo *res)
{
	struct rdma_addrinfo *first = res, *next;

	/* The C library takes null; a list is only given back by its first entry. */
	if (!res)
		return;
	if (((struct entry *)res)->first != (struct entry *)res)
		abort();
	__atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST);
	do {
		next = res->ai_next;
		for (int slot = 0; slot < 5; slot++)
			free(((struct entry *)res)->owned[slot]);
		memset(res, 0xdd, sizeof(struct entry));
		free(res);
		res = next;
	} while (res && res != first);
}
#endif

#ifdef WITH_SA
int rdma_resolve_addrinfo(void *id, const char *node, const char *service, const struct rdma_addrinfo *hints)
{
	(void)id, (void)node, (void)service, (void)hints;
	return -1;
}
#endif
