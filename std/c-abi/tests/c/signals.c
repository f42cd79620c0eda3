/*
 * Complaints that cannot be told: no write of the library may raise a signal. Each case is a process of its own, whose
 * first call has a variable to complain about, and whose signals do what they do by default.
 */

#define _GNU_SOURCE
#include "rows.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void must(int holds)
{
    if (!holds)
        abort();
}

/* Makes a call; 0 if it answers, and leaves signals and errno as they were. */
static int call(int pending_before)
{
    struct rdma_addrinfo *list = NULL;
    sigset_t before, after, pending;
    int signal;

    must(!pthread_sigmask(SIG_SETMASK, NULL, &before));
    errno = OWN_ERRNO;
    if (rdma_getaddrinfo((char *)"192.0.2.7", (char *)"7471", NULL, &list) || errno != OWN_ERRNO)
        return 2;
    rdma_freeaddrinfo(list);
    must(!pthread_sigmask(SIG_SETMASK, NULL, &after) && !sigpending(&pending));
    for (signal = 1; signal < 32; signal++)
        if (sigismember(&before, signal) != sigismember(&after, signal) ||
            sigismember(&pending, signal) != (signal == pending_before))
            return 3;
    return 0;
}

static void stderr_is(int fd)
{
    must(fd >= 0 && dup2(fd, 2) == 2);
}

static void stderr_is_a_broken_pipe(void)
{
    int ends[2];
    must(!pipe(ends) && !close(ends[0]));
    stderr_is(ends[1]);
}

static int broken_pipe(void)
{
    stderr_is_a_broken_pipe();
    return call(0);
}

/* Another thread's, and what the program holds back is its own to take. */
static int held_back(void)
{
    sigset_t pipe;
    must(!sigemptyset(&pipe) && !sigaddset(&pipe, SIGPIPE) && !pthread_sigmask(SIG_BLOCK, &pipe, NULL) && !raise(SIGPIPE));
    stderr_is_a_broken_pipe();
    return call(SIGPIPE);
}

static int full_file(void)
{
    struct rlimit none = { 0, 0 };
    char name[] = "/tmp/signals-XXXXXX";
    int fd = mkstemp(name);
    must(fd >= 0 && !unlink(name) && !setrlimit(RLIMIT_FSIZE, &none));
    stderr_is(fd);
    return call(0);
}

/* A terminal that stops who writes to it from the background. */
static int background(void)
{
    struct termios modes;
    int main_end = posix_openpt(O_RDWR | O_NOCTTY), status;
    pid_t child;
    must(main_end >= 0 && !grantpt(main_end) && !unlockpt(main_end) && setsid() > 0);
    stderr_is(open(ptsname(main_end), O_RDWR));
    must(!ioctl(2, TIOCSCTTY, 0) && !tcgetattr(2, &modes));
    modes.c_lflag |= TOSTOP;
    must(!tcsetattr(2, TCSANOW, &modes));
    child = fork();
    must(child >= 0);
    if (!child) {
        must(!setpgid(0, 0));
        _exit(call(0));
    }
    must(waitpid(child, &status, WUNTRACED) == child);
    if (WIFSTOPPED(status))
        kill(child, SIGKILL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

/* That the cases raise signals: the same with a write of the program. */
static int without_library(void)
{
    stderr_is_a_broken_pipe();
    return write(2, "x", 1) != 1;
}

static void run(const char *name, int (*body)(void))
{
    int status;
    pid_t child = fork();
    must(child >= 0);
    if (!child)
        _exit(body());
    must(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status))
        printf("%s: signal %d\n", name, WTERMSIG(status));
    else
        printf("%s: %d\n", name, WEXITSTATUS(status));
    fflush(stdout);
}

int main(void)
{
    signal(SIGPIPE, SIG_DFL);
    run("a broken pipe", broken_pipe);
    run("a signal that was there", held_back);
    run("a full file", full_file);
    run("a terminal in the background", background);
    run("without the library", without_library);
    return 0;
}
