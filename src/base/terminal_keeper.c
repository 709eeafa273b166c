/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal_keeper.c - gives a terminal its modes back where whoever changed
 * them was killed. */
#include "base/terminal_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/linux_calls.h"

#define FIRST 0xC0 /* no key has a code from here on */

static cc_t
mark_over(const struct termios *found)
{
    cc_t theirs = found->c_cc[VSWTC];

    return theirs >= FIRST && theirs < (cc_t)~0 ? (cc_t)(theirs + 1) : FIRST;
}

void
terminal_keeper_mark(struct termios *modes, const struct termios *found)
{
    modes->c_cc[VSWTC] = mark_over(found);
}

bool
terminal_keeper_begin(int tty, struct termios *found)
{
    struct termios now;

    if (tty < 0 || tcgetattr(tty, found) < 0)
        return false;
    now = *found;
    terminal_keeper_mark(&now, found);
    (void)tcsetattr(tty, TCSANOW, &now);
    return true;
}

void
terminal_keeper_end(int tty, const struct termios *found)
{
    struct termios now;

    if (tcgetattr(tty, &now) == 0 && now.c_cc[VSWTC] == mark_over(found))
        (void)tcsetattr(tty, TCSANOW, found);
}

/* Names this copy in the list of processes: with the command line of the
 * process that it was copied from, it would be taken for that. */
static void
name_keeper(void)
{
    static const char name[] = "agentsh-keeper";
    char *at = program_invocation_name; /* the first of its words */
    char words[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, words, sizeof(words));

    (void)prctl(PR_SET_NAME, name);
    if (n < (ssize_t)sizeof(name) || (size_t)n <= strlen(at) ||
        memcmp(words, at, strlen(at) + 1) != 0)
        return;
    do { /* all of it, a piece at a time */
        memset(at, 0, (size_t)n);
        at += n;
        n = read(fd, words, sizeof(words));
    } while (n > 0);
    memcpy(program_invocation_name, name, sizeof(name));
}

/* A copy of the process that started it, of which it uses only these two
 * descriptors. */
static _Noreturn void
run_keeper(int tty, int owner, const struct termios *found)
{
    char byte;
    ssize_t n;

    (void)setpgid(0, 0);
    name_keeper();
    if (dup2(owner, 0) < 0 || dup2(tty, 1) < 0)
        _exit(1);
    (void)linux_close_range(2, ~0u, 0);
    do
        n = read(0, &byte, 1);
    while (n < 0 && errno == EINTR);
    if (n == 0) /* nobody said that there is nothing to do */
        terminal_keeper_end(1, found);
    _exit(0);
}

int
terminal_keeper_start(int tty)
{
    struct termios found;
    sigset_t all, before;
    int fds[2], held;
    pid_t pid;

    if (tcgetattr(tty, &found) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
        return -1;
    /* away from the numbers that the copy uses */
    held = fcntl(tty, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    /* in the copy for good: SIGTTOU, and what a terminal sends to its jobs */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid = held < 0 ? -1 : fork();
    if (pid == 0) {
        close(fds[1]);
        run_keeper(held, fds[0], &found);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(fds[0]);
    if (held >= 0)
        close(held);
    if (pid < 0) {
        close(fds[1]);
        return -1;
    }
    return fds[1];
}

void
terminal_keeper_stop(int keeper)
{
    if (keeper < 0)
        return;
    (void)send(keeper, "", 1, MSG_NOSIGNAL); /* it may have been killed */
    close(keeper);
}
