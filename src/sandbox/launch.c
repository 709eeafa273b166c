/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - agentsh-launch PROGRAM ARG…: one confined child, and its end.
 *
 * It stands between the front and everything that a step starts. What leaves
 * its process group or loses its parent becomes the launcher's child
 * (PR_SET_CHILD_SUBREAPER), so that when the program ends, or the front dies,
 * nothing that it started goes on. Exit status: the program's, 128 + signal,
 * 126 or 127 as a shell, 125 when a layer of the sandbox is missing. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/children.h"
#include "base/fd.h"
#include "sandbox/confine.h"

#define EXIT_SANDBOX 125

static int
complain(const char *what, int status)
{
    dprintf(STDERR_FILENO, "agentsh-launch: %s\n", what);
    return status;
}

static void
start(char **argv, const sigset_t *mask, pid_t launcher)
{
    struct err e = {0};
    int sys;

    /* with the launcher gone, nobody would end it */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher)
        _exit(EXIT_SANDBOX); /* it died before it could be watched */
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (confine_step(&e) < 0)
        _exit(complain(e.text, EXIT_SANDBOX));
    execv(argv[0], argv);
    sys = errno;
    complain(strerror(sys), 0);
    _exit(sys == ENOENT ? 127 : 126);
}

/* Waits for the program or for a signal that ends us. Others that end in the
 * meantime are reaped. Returns the exit status. */
static int
supervise(pid_t program, const sigset_t *signals)
{
    for (;;) {
        int signo = sigwaitinfo(signals, NULL);
        pid_t pid;
        int st;

        if (signo > 0 && signo != SIGCHLD)
            return 128 + signo;
        while ((pid = waitpid(-1, &st, WNOHANG)) > 0) {
            if (pid == program)
                return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
        }
    }
}

int
main(int argc, char **argv)
{
    static const int watched[] = {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
    sigset_t signals, before;
    pid_t front = getppid(), launcher = getpid(), program;
    int status;

    if (fd_fill_standard(NULL) < 0)
        return EXIT_SANDBOX;
    if (argc < 2)
        return complain("usage: agentsh-launch PROGRAM [ARG...]", 2);
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
        sigaddset(&signals, watched[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    /* The front's death must be a signal that we can act on. Until here it
     * was SIGKILL (base/proc), so no moment is without. */
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    children_adopt();
    if (getppid() != front)
        return 128 + SIGTERM;
    program = fork();
    if (program < 0)
        return complain(strerror(errno), EXIT_SANDBOX);
    if (program == 0)
        start(argv + 1, &before, launcher);
    status = supervise(program, &signals);
    children_end(NULL, 0);
    return status;
}
