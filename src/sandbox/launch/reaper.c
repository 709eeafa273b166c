/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reaper.c - the first process of a pid namespace. */
#include "sandbox/launch/reaper.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/launch/terminal.h"

/* Only what is needed from here on: the directories that we found our way by
 * are the machine's own. */
static void
close_rest(const struct inside *in)
{
    int kept[] = {in->line, in->tty};

    (void)inside_close_but(STDERR_FILENO + 1, kept, 2);
}

static void
report_stop(const struct inside *in, int signo)
{
    char byte = (char)signo;

    if (in->tty >= 0)
        (void)!send(in->line, &byte, 1, MSG_NOSIGNAL);
}

/* The program's status when it has ended, else -1. */
static int
reap(const struct inside *in, pid_t program)
{
    int status = -1, st;
    pid_t pid;

    while ((pid = waitpid(-1, &st, WNOHANG | WUNTRACED)) > 0) {
        if (pid != program)
            continue;
        if (WIFSTOPPED(st))
            report_stop(in, WSTOPSIG(st));
        else
            status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
    }
    return status;
}

/* Whatever runs in the namespace is below us, and comes to us when its parent
 * ends: without a child we are alone in it. */
static bool
is_alone(void)
{
    siginfo_t si;

    return waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 &&
           errno == ECHILD;
}

/* kill(2): -1 is everything in the namespace but us, at one moment; for that
 * the kernel looks at all processes of the machine. */
static _Noreturn void
finish(const struct inside *in, int status)
{
    const char over[] = {REAPER_OVER, (char)status};

    if (!is_alone()) {
        (void)kill(-1, SIGKILL);
        while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
            ;
    }
    (void)!send(in->line, over, sizeof(over), MSG_NOSIGNAL);
    _exit(status);
}

static void
go_on(const struct inside *in, pid_t program, bool foreground)
{
    if (foreground)
        terminal_give(in->tty, program);
    (void)kill(in->tty < 0 ? -1 : -program, SIGCONT);
}

void
reaper_run(struct inside *in)
{
    sigset_t awaited;
    pid_t program;
    int status;

    /* its memory is the launcher's, and so is its environment */
    (void)prctl(PR_SET_DUMPABLE, 0);
    close_rest(in);
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, REAPER_BACKGROUND);
    sigaddset(&awaited, REAPER_FOREGROUND);
    sigaddset(&awaited, SIGTSTP);
    program = inside_has_program(in) ? fork() : vfork();
    if (program == 0)
        inside_execute(in);
    if (program < 0)
        _exit(inside_complain(strerror(errno), EXIT_SANDBOX));
    for (;;) {
        int signo = sigwaitinfo(&awaited, NULL);

        if (signo == SIGCHLD && (status = reap(in, program)) >= 0)
            finish(in, status);
        if (signo == SIGTSTP &&
            in->tty < 0) /* all of them: there is no terminal to do it */
            (void)kill(-1, SIGSTOP);
        if (signo == REAPER_BACKGROUND || signo == REAPER_FOREGROUND)
            go_on(in, program, signo == REAPER_FOREGROUND);
    }
}
