/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_ssh.c - starts a guest agent on another host, by ssh(1). */
#include "wire/guest_ssh.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define WORDS_MAX 40

struct ssh_words {
    const char *v[WORDS_MAX + 1];
    size_t n;
};

static void
add_ssh_word(struct ssh_words *w, const char *word)
{
    if (w->n < WORDS_MAX)
        w->v[w->n++] = word;
}

static void
add_ssh_option(struct ssh_words *w, const char *option)
{
    add_ssh_word(w, "-o");
    add_ssh_word(w, option);
}

/* With `batch` ssh asks nothing, since several run at once. The user's agent
 * and display are not forwarded to the host, nor anything else that the user's
 * configuration would forward or run there. An existing master connection is
 * used; none is left running. */
static void
add_batch_options(struct ssh_words *w, const char *timeout)
{
    static const char *const options[] = {
        "BatchMode=yes",   "ControlMaster=no",       "ClearAllForwardings=yes",
        "ForwardAgent=no", "ForwardX11=no",          "PermitLocalCommand=no",
        "LogLevel=ERROR",  "ServerAliveInterval=15", "ServerAliveCountMax=3",
        "RequestTTY=no",   "RemoteCommand=none",     NULL,
    };

    for (size_t i = 0; options[i]; i++)
        add_ssh_option(w, options[i]);
    add_ssh_option(w, timeout);
}

struct proc *
guest_ssh_start(const struct guest_ssh *how, struct err *e)
{
    CLEANUP(free_p) char *program = seat_find_program(how->seat, "ssh");
    char timeout[64];
    struct ssh_words w = {.n = 0};
    struct proc_spec spec = {
        .argv = w.v,
        .seat = how->seat,
        .fds = {PROC_PIPE, PROC_PIPE, how->batch ? PROC_PIPE : PROC_INHERIT},
        .pass_fd = -1,
        .foreground = !how->batch};

    if (!program) {
        err_set(e, ERR_NOT_FOUND, "ssh is not installed");
        return NULL;
    }
    if (!how->host[0]) {
        err_set(e, ERR_USAGE, "ssh:HOST names a host");
        return NULL;
    }
    add_ssh_word(&w, program);
    add_ssh_word(&w, "-T");
    snprintf(timeout, sizeof(timeout), "ConnectTimeout=%d", how->connect_s);
    if (how->batch)
        add_batch_options(&w, timeout);
    add_ssh_word(&w, "--");
    add_ssh_word(&w, how->host);
    add_ssh_word(&w, "agentsh");
    add_ssh_word(&w, "guest");
    if (how->profile) {
        add_ssh_word(&w, "--profile");
        add_ssh_word(&w, how->profile);
    }
    return proc_start(&spec, e);
}
