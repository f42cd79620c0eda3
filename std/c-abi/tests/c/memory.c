/*
 * Counts the allocations of calls, and has them fail. Rows on standard input, as for answers.c.
 *
 * memory count     each row: how many allocations its second call makes
 * memory fail      each row: its call is made with the n-th allocation failing, for every n; what is answered then must
 *                  be EAI_MEMORY, or -1 and ENOMEM, or the right answer, where the C library does without (the buffer of
 *                  a file); nothing may be lost, and the next call must answer as ever.
 *                  Of a row "services-..." the answer may be another one: without memory to read services(5), glibc takes
 *                  a service for one that does not exist, and leaves no trace of the reason
 * memory first N   each row is asked once, with the N-th allocation failing
 */

#define _GNU_SOURCE
#include "rows.h"
#include <stdint.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *start, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *start);

static long allocations, frees, fail_at;
static int watching;

/* Whether this allocation shall fail. */
static int counts(void)
{
    if (!watching)
        return 0;
    if (++allocations != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return counts() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return counts() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *start, size_t size)
{
    if (counts())
        return NULL;
    if (watching && start)
        frees++;
    return __libc_realloc(start, size);
}

int posix_memalign(void **start, size_t alignment, size_t size)
{
    if (counts())
        return ENOMEM;
    *start = __libc_memalign(alignment, size);
    return *start ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return counts() ? NULL : __libc_memalign(alignment, size);
}

void free(void *start)
{
    if (watching && start)
        frees++;
    __libc_free(start);
}

/* Asks while allocations count; the n-th fails, none if n is 0. */
static int watched(const struct row *row, long n, struct rdma_addrinfo **list, int *error)
{
    int ret;
    *list = NULL;
    allocations = frees = 0;
    fail_at = n;
    errno = OWN_ERRNO;
    watching = 1;
    ret = ask(row, list);
    watching = 0;
    *error = errno;
    return ret;
}

static void release(struct rdma_addrinfo *list)
{
    watching = 1;
    rdma_freeaddrinfo(list);
    watching = 0;
}

static void put(const struct row *row, int ret, int error, struct rdma_addrinfo *list, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    if (!out)
        abort();
    put_answer(out, row, ret, error, list, 1);
    fclose(out);
}

/* The allocations of a second call; the first has what is kept for the life of the process. */
static long count(const struct row *row)
{
    struct rdma_addrinfo *list;
    long made = 0;
    for (int call = 0; call < 2; call++) {
        int error, ret = watched(row, 0, &list, &error);
        made = allocations;
        if (!ret)
            release(list);
    }
    return made;
}

static int is_memory(int ret, int error)
{
    return (ret == EAI_MEMORY && error == OWN_ERRNO) || (ret == -1 && error == ENOMEM);
}

static int fail(const struct row *row)
{
    static char right[LONGEST_LINE], now[LONGEST_LINE];
    struct rdma_addrinfo *list;
    int error, ret, wrong = 0;
    long n, all = count(row), told = 0;

    ret = watched(row, 0, &list, &error);
    put(row, ret, error, list, right, sizeof right);
    if (!ret)
        release(list);
    for (n = 1; n <= all + 1; n++) {
        int failed, memory;
        long lost;
        ret = watched(row, n, &list, &error);
        put(row, ret, error, list, now, sizeof now);
        if (!ret)
            release(list);
        failed = allocations >= n;
        memory = failed && is_memory(ret, error);
        told += memory;
        if (!memory && strcmp(now, right) && strncmp(row->id, "services-", 9)) {
            printf("%s: allocation %ld of %ld fails: %s, and not %s\n", row->id, n, all, now, right);
            wrong = 1;
        }
        lost = allocations - frees - failed;
        if (lost) {
            printf("%s: allocation %ld of %ld fails: %ld blocks are lost\n", row->id, n, all, lost);
            wrong = 1;
        }
        ret = watched(row, 0, &list, &error);
        put(row, ret, error, list, now, sizeof now);
        if (!ret)
            release(list);
        if (strcmp(now, right)) {
            printf("%s: after allocation %ld of %ld failed: %s, and not %s\n", row->id, n, all, now, right);
            wrong = 1;
        }
    }
    printf("%s\t%ld\t%ld\t%s\n", row->id, all, told, wrong ? "WRONG" : "right");
    return wrong;
}

int main(int argc, char **argv)
{
    static struct row row;
    static char line[LONGEST_LINE];
    int wrong = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!read_row(line, &row))
            continue;
        if (argc > 1 && !strcmp(argv[1], "fail")) {
            wrong |= fail(&row);
        } else if (argc > 2 && !strcmp(argv[1], "first")) {
            static char text[LONGEST_LINE];
            struct rdma_addrinfo *list;
            int error, ret = watched(&row, atol(argv[2]), &list, &error);
            put(&row, ret, error, list, text, sizeof text);
            printf("%ld\t%s\n", allocations, text);
        } else
            printf("%s\t%ld\n", row.id, count(&row));
        fflush(stdout);
    }
    return wrong;
}
