/*
 * Lets strace(1) attach before the first system call that counts. Faults during a program's start do not concern the library.
 *
 * caller.c calls it. For the command it is preloaded: the last step of the Rust runtime's start that can fail is to give
 * the main thread an alternate signal stack.
 */

#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The result that strace injects for getppid(2), which nothing else here calls. */
enum { STRACE = 4242 };

void wait_for_strace(void)
{
    struct timespec pause = { .tv_nsec = 300000 };
    const char *ready = getenv("FAULTS_READY");

    /* Reports to the driver that strace may attach. */
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
