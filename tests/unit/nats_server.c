/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats_server.c - a real NATS server with JetStream, for a test of its own. */
#include "tests/unit/nats_server.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire/listener.h"

static const char *const places[] = {"/usr/sbin/nats-server",
                                     "/usr/bin/nats-server", NULL};

static const char *
find_server(void)
{
    size_t i = 0;

    while (places[i] && access(places[i], X_OK) != 0)
        i++;
    return places[i];
}

bool
nats_server_is_here(void)
{
    return find_server() != NULL;
}

void
nats_server_choose(struct nats_server *s, struct loop *l)
{
    static const struct listener_events none = {0};
    struct listener *at = listener_new(l, "tcp:127.0.0.1:0", &none, NULL, NULL);
    struct buf text = buf_of(64);
    const char *tmp = getenv("TMPDIR");

    assert_non_null(at);
    listener_put_address(at, &text);
    snprintf(s->port, sizeof(s->port), "%s", strrchr(text.p, ':') + 1);
    snprintf(s->url, sizeof(s->url), "nats://127.0.0.1:%s", s->port);
    snprintf(s->directory, sizeof(s->directory), "%s/agentsh-nats-XXXXXX",
             tmp && strlen(tmp) < 30 ? tmp : "/tmp");
    assert_non_null(mkdtemp(s->directory));
    buf_done(&text);
    listener_free(at);
}

void
nats_server_start(struct nats_server *s)
{
    const char *argv[] = {find_server(), "-a",  "127.0.0.1",  "-p", s->port,
                          "-js",         "-sd", s->directory, NULL};
    struct proc_spec spec = {
        .argv = argv, .fds = {PROC_NULL, PROC_NULL, PROC_NULL}, .pass_fd = -1};

    s->proc = proc_start(&spec, NULL);
    assert_non_null(s->proc);
}

void
nats_server_stop(struct nats_server *s)
{
    proc_free(s->proc);
    s->proc = NULL;
}

void
nats_server_done(struct nats_server *s)
{
    const char *argv[] = {"/bin/rm", "-rf", s->directory, NULL};
    struct proc_spec spec = {
        .argv = argv, .fds = {PROC_NULL, PROC_NULL, PROC_NULL}, .pass_fd = -1};
    struct proc *rm = proc_start(&spec, NULL);
    int status;

    if (rm)
        (void)proc_wait(rm, -1, &status, NULL);
    proc_free(rm);
}
