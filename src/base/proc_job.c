/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc_job.c - a session's leader that has one job.
 *
 * A leader itself cannot be stopped by Ctrl-Z: its group has no parent in the
 * session, and such a group is not stopped (POSIX, orphaned process groups).
 * So it does what a shell does for a job, and nothing else. */
#include "base/proc_job.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/linux_calls.h"

/* In the job, before its program. Taking the terminal from the background
 * would stop it. */
static int
become_job(int terminal, pid_t leader)
{
    sigset_t out, before;
    int rc;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != leader)
        return -1;
    sigemptyset(&out);
    sigaddset(&out, SIGTTOU);
    sigprocmask(SIG_BLOCK, &out, &before);
    rc = setpgid(0, 0);
    if (rc == 0)
        rc = tcsetpgrp(terminal, getpid());
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}

static void
lead(pid_t job)
{
    int st = 0;

    for (;;) {
        if (waitpid(job, &st, WUNTRACED) < 0) {
            if (errno == EINTR)
                continue;
            _exit(127);
        }
        if (WIFEXITED(st))
            _exit(WEXITSTATUS(st));
        if (WIFSIGNALED(st))
            _exit(128 + WTERMSIG(st));
        if (!WIFSTOPPED(st))
            continue;
        (void)raise(SIGSTOP); /* whoever started us sees that, not the job */
        (void)kill(-job, SIGCONT);
    }
}

int
proc_lead_job(int terminal)
{
    pid_t leader = getpid(), job = fork();

    if (job < 0)
        return -1;
    if (job == 0)
        return become_job(terminal, leader);
    /* what says that the program runs is the job's alone from here */
    (void)linux_close_range(3, ~0u, 0);
    lead(job);
    return -1;
}
