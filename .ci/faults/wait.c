/*
 * Lets strace(1) attach before the first system call that counts. Faults in a program's own start are not the library's.
 *
 * caller.c calls it; into the command, which knows nothing of it, it is preloaded: Rust's runtime gives its main thread
 * an alternate signal stack as the last of its start that can fail.
 */

#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What strace answers for getppid(2), which nothing else here calls. */
enum { STRACE = 4242 };

void wait_for_strace(void)
{
    struct timespec pause = { .tv_nsec = 300000 };
    const char *ready = getenv("FAULTS_READY");

    /* Tells the driver that strace may come. */
    if (!ready || write(atoi(ready), "", 1) != 1)
        abort();
    while (syscall(SYS_getppid) != STRACE)
        nanosleep(&pause, NULL);
}

int sigaltstack(const stack_t *stack, stack_t *before)
{
    static int begun;
    int ret = syscall(SYS_sigaltstack, stack, before);

    if (stack && !begun && getenv("LD_PRELOAD")) {
        begun = 1;
        wait_for_strace();
    }
    return ret;
}
