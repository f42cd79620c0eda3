/*
 * Asks what it reads on standard input, a row a line, of the rdma_getaddrinfo that it is linked with, and writes the
 * answers, a line each.
 *
 * answers strict            errno must be left alone on success and on an EAI code
 * answers free LIBRARY      lists are freed by another library's rdma_freeaddrinfo
 * answers threads N M       all rows at once: N threads ask all of them M times, and must have the first answers
 * answers race N            one row: N threads ask at once, each the first call of the process
 * answers fork N            all rows at once: while two threads ask on, N children are made, and must have them too
 * answers stack BYTES       each row is asked on a thread with a stack of so many bytes
 * answers forget            what the library keeps is forgotten after each row
 * answers limit             no further descriptor may be opened after the first row
 * answers cancel            each row is asked on a thread that is cancelled meanwhile
 */

#define _GNU_SOURCE
#include "rows.h"
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * glibc forgets to free its lock of resolv.conf in a child, so that one made while another thread is inside getaddrinfo
 * may wait there for ever. Here no child is made then: whoever looks up reads, and who forks writes.
 */
static const pthread_rwlock_t free_lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t looking_up = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, __func__);
    int ret, error;

    if (!next || pthread_rwlock_rdlock(&looking_up))
        abort();
    ret = next(node, service, hints, list);
    error = errno;
    pthread_rwlock_unlock(&looking_up);
    errno = error;
    return ret;
}

static pid_t fork_between_lookups(void)
{
    pid_t child;

    if (pthread_rwlock_wrlock(&looking_up))
        abort();
    child = fork();
    if (child)
        pthread_rwlock_unlock(&looking_up);
    else /* Nobody is there who waits for it. */
        looking_up = free_lock;
    return child;
}

static void (*free_list)(struct rdma_addrinfo *) = rdma_freeaddrinfo;
static int strict, limited;
static void (*forget)(void);

/* The answer to a row as a new string. */
static char *answer(const struct row *row)
{
    struct rdma_addrinfo *list = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out;
    int ret, error;

    errno = OWN_ERRNO;
    ret = ask(row, &list);
    error = errno;
    out = open_memstream(&text, &size);
    if (!out)
        abort();
    put_answer(out, row, ret, error, list, strict);
    fclose(out);
    if (!ret) {
        errno = OWN_ERRNO;
        free_list(list);
        if (strict && errno != OWN_ERRNO)
            abort();
    }
    return text;
}

static void *answer_on_thread(void *row)
{
    return answer(row);
}

static void one_by_one(size_t stack)
{
    static struct row row;
    static char line[LONGEST_LINE];
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) || (stack && pthread_attr_setstacksize(&attributes, stack)))
        abort();
    while (fgets(line, sizeof line, stdin)) {
        void *text;
        pthread_t thread;
        if (!read_row(line, &row))
            continue;
        if (!stack)
            text = answer(&row);
        else if (pthread_create(&thread, &attributes, answer_on_thread, &row) || pthread_join(thread, &text))
            abort();
        errno = OWN_ERRNO;
        if (forget)
            forget();
        if (errno != OWN_ERRNO)
            abort();
        puts(text);
        fflush(stdout);
        free(text);
        if (limited && setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 3, 3 }))
            abort();
    }
}

/* Asks on a thread that is cancelled meanwhile: it must have its answer, and then end. */
static char *volatile answered;

static void *answer_and_end(void *row)
{
    answered = answer(row);
    pthread_testcancel();
    return row;
}

static int cancelled(void)
{
    static struct row row;
    static char line[LONGEST_LINE];
    int wrong = 0;
    while (fgets(line, sizeof line, stdin)) {
        pthread_t thread;
        void *end;
        if (!read_row(line, &row))
            continue;
        if (pthread_create(&thread, NULL, answer_and_end, &row))
            abort();
        usleep(300000);
        if (pthread_cancel(thread) || pthread_join(thread, &end))
            abort();
        printf("%s %s\n", end == PTHREAD_CANCELED ? "cancelled" : "not cancelled", answered ? answered : "nothing");
        wrong |= end != PTHREAD_CANCELED;
        free(answered);
        answered = NULL;
    }
    return wrong;
}

/* All rows, and what they were answered first. */
static struct row *rows;
static char **first;
static size_t count;
static unsigned long rounds;
static volatile int over;

static void read_all(void)
{
    static char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stdin)) {
        static struct row row;
        if (!read_row(line, &row))
            continue;
        rows = realloc(rows, (count + 1) * sizeof *rows);
        first = realloc(first, (count + 1) * sizeof *first);
        if (!rows || !first)
            abort();
        /* Rows move: pointers into them are made anew below. */
        strcpy(rows[count++].line, line);
    }
    for (size_t at = 0; at < count; at++) {
        strcpy(line, rows[at].line);
        read_row(line, &rows[at]);
        first[at] = answer(&rows[at]);
        puts(first[at]);
    }
    fflush(stdout);
}

/* Asks all rows, from `start` on; how many answers differ from the first. */
static size_t ask_all(size_t start)
{
    size_t wrong = 0;
    for (size_t at = 0; at < count; at++) {
        size_t row = (start + at) % count;
        char *text = answer(&rows[row]);
        wrong += strcmp(text, first[row]) != 0;
        free(text);
    }
    return wrong;
}

static void *ask_rounds(void *start)
{
    size_t wrong = 0;
    for (unsigned long round = 0; round < rounds; round++)
        wrong += ask_all((size_t)start * 17);
    return (void *)wrong;
}

static void *ask_on(void *start)
{
    size_t wrong = 0;
    while (!over)
        wrong += ask_all((size_t)start * 17);
    return (void *)wrong;
}

static int threads(size_t many)
{
    pthread_t *ids = calloc(many, sizeof *ids);
    size_t wrong = 0;
    read_all();
    for (size_t at = 0; at < many; at++)
        if (pthread_create(&ids[at], NULL, ask_rounds, (void *)at))
            abort();
    for (size_t at = 0; at < many; at++) {
        void *outcome;
        pthread_join(ids[at], &outcome);
        wrong += (size_t)outcome;
    }
    free(ids);
    printf("%zu rows, %zu threads, %lu rounds, %zu wrong\n", count, many, rounds, wrong);
    return wrong != 0;
}

static int children(size_t many)
{
    pthread_t ids[2];
    size_t wrong = 0, failed = 0;
    read_all();
    for (size_t at = 0; at < 2; at++)
        if (pthread_create(&ids[at], NULL, ask_on, (void *)at))
            abort();
    for (size_t at = 0; at < many; at++) {
        int status;
        pid_t child = fork_between_lookups();
        if (child < 0)
            abort();
        if (!child) {
            alarm(60);
            _exit(ask_all(at) != 0);
        }
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status))
            failed++;
    }
    over = 1;
    for (size_t at = 0; at < 2; at++) {
        void *outcome;
        pthread_join(ids[at], &outcome);
        wrong += (size_t)outcome;
    }
    printf("%zu rows, %zu children, %zu failed, %zu wrong\n", count, many, failed, wrong);
    return failed || wrong;
}

static pthread_barrier_t start;

static void *ask_at_once(void *row)
{
    pthread_barrier_wait(&start);
    return answer(row);
}

static int race(size_t many)
{
    static struct row row;
    static char line[LONGEST_LINE];
    pthread_t *ids = calloc(many, sizeof *ids);
    if (!ids || !fgets(line, sizeof line, stdin) || !read_row(line, &row) ||
        pthread_barrier_init(&start, NULL, (unsigned)many))
        abort();
    for (size_t at = 0; at < many; at++)
        if (pthread_create(&ids[at], NULL, ask_at_once, &row))
            abort();
    for (size_t at = 0; at < many; at++) {
        void *text;
        pthread_join(ids[at], &text);
        puts(text);
        free(text);
    }
    free(ids);
    return 0;
}

static int all_at_once(int argc, char **argv)
{
    size_t many = strtoul(argv[2], NULL, 10);
    int failed;
    if (!strcmp(argv[1], "threads")) {
        rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
        failed = threads(many);
    } else {
        failed = children(many);
    }
    for (size_t at = 0; at < count; at++)
        free(first[at]);
    free(first);
    free(rows);
    return failed;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    size_t stack = 0;

    rdma_freeaddrinfo(NULL);
    if (!strcmp(what, "threads") || !strcmp(what, "fork"))
        return all_at_once(argc, argv);
    if (!strcmp(what, "race"))
        return race(strtoul(argv[2], NULL, 10));
    if (!strcmp(what, "cancel"))
        return cancelled();
    if (!strcmp(what, "strict")) {
        strict = 1;
    } else if (!strcmp(what, "limit")) {
        limited = 1;
    } else if (!strcmp(what, "forget")) {
        void *symbol = dlsym(RTLD_DEFAULT, "rdma_addrinfo_forget_kept");
        if (!symbol)
            return 2;
        memcpy(&forget, &symbol, sizeof forget);
    } else if (!strcmp(what, "free")) {
        void *other = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
        void *symbol = other ? dlsym(other, "rdma_freeaddrinfo") : NULL;
        if (!symbol || symbol == (void *)rdma_freeaddrinfo) {
            fprintf(stderr, "%s\n", symbol ? "no other library" : dlerror());
            return 2;
        }
        memcpy(&free_list, &symbol, sizeof free_list);
    } else if (!strcmp(what, "stack")) {
        strict = 1;
        stack = strtoul(argv[2], NULL, 10);
    }
    one_by_one(stack);
    return 0;
}
