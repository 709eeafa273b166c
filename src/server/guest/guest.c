/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest.c - the guest agent: its listener, and its connections. */
#include "server/guest/guest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "server/guest/guest_attachment.h"
#include "server/guest/guest_connection.h"
#include "server/guest/guest_job.h"
#include "server/guest/guest_methods.h"
#include "server/guest/guest_orphans.h"
#include "server/guest/guest_record.h"
#include "server/guest/guest_watch.h"
#include "server/server_listen.h"
#include "server/server_token.h"
#include "wire/listener.h"

struct guest {
    struct guest_setup set;
    struct guest_shared shared;
    struct sandbox_setup sandbox;
    struct guest_connection *connections;
    size_t n_connections;
    struct listener *listeners[SERVER_LISTENERS_MAX];
    size_t n_listeners;
    struct watch *stopping;
    const char **variables; /* of commands */
    char *root;
};

static void
drop_connection(struct guest *g, struct guest_connection *c)
{
    struct guest_connection **at = &g->connections;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    g->n_connections--;
    guest_connection_free(c);
}

static void
on_guest_connection_ended(void *arg, struct guest_connection *c)
{
    struct guest *g = arg;

    drop_connection(g, c);
    if (!g->set.listen)
        g->set.ended(g->set.arg);
}

static void
on_guest_room(struct guest_connection *c)
{
    guest_attachment_room(c);
    guest_watch_room(c);
}

static int
add_connection(struct guest *g, int in, int out, struct err *e)
{
    const struct guest_connection_setup set = {
        .shared = &g->shared,
        .methods = guest_methods(),
        .in = in,
        .out = out,
        .token = g->set.token,
        .ended = on_guest_connection_ended,
        .arg = g,
        .room = on_guest_room};
    struct guest_connection *c = guest_connection_new(&set, e);

    if (!c)
        return -1;
    c->next = g->connections;
    g->connections = c;
    g->n_connections++;
    return 0;
}

/* One more than are allowed is told so, and is gone. */
static void
refuse_connection(const struct guest *g, int fd)
{
    static const char line[] =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
        "\"message\":\"too many connections\"}}\n";

    (void)!write(fd, line, sizeof(line) - 1);
    fd_close_p(&fd);
    g->set.log(g->set.arg, "refused a connection: as many as --max-connections "
                           "allows are open");
}

static void
on_accepted(void *arg, int fd)
{
    struct guest *g = arg;
    struct err e = {0};

    if (g->n_connections >= g->set.max_connections)
        refuse_connection(g, fd);
    else if (add_connection(g, fd, fd, &e) < 0)
        g->set.log(g->set.arg, e.text);
}

static void
on_listener_trouble(void *arg, const struct err *why)
{
    const struct guest *g = arg;

    g->set.log(g->set.arg, why->text);
}

static int
listen_at(struct guest *g, const char *address, struct err *e)
{
    static const struct listener_events events = {
        .accepted = on_accepted, .trouble = on_listener_trouble};
    CLEANUP_BUF struct buf line = buf_of(256);
    struct listener *l;

    if (g->n_listeners == SERVER_LISTENERS_MAX)
        return err_set(e, ERR_USAGE, "more than %d addresses to listen at",
                       SERVER_LISTENERS_MAX);
    l = listener_new(g->set.loop, address, &events, g, e);
    if (!l)
        return -1;
    g->listeners[g->n_listeners++] = l;
    listener_put_address(l, &line);
    if (!g->set.token && server_token_do_without(l, line.p, e) < 0)
        return -1;
    buf_str(&line, ": listening");
    g->set.log(g->set.arg, line.p);
    return 0;
}

static int
open_ways_in(struct guest *g, struct err *e)
{
    const struct guest_setup *set = &g->set;
    int in, out;

    for (size_t i = 0; set->listen && set->listen[i]; i++) {
        if (listen_at(g, set->listen[i], e) < 0)
            return -1;
    }
    if (set->listen)
        return 0;
    in = fcntl(set->in, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    out = fcntl(set->out, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    if (in >= 0 && out >= 0)
        return add_connection(g, in, out, e);
    err_sys(e, "standard input and output");
    fd_close_p(&in);
    fd_close_p(&out);
    return -1;
}

static int
open_root(struct guest *g, struct err *e)
{
    struct guest_shared *sh = &g->shared;

    sh->root_fd = -1;
    if (!g->set.root)
        return 0;
    sh->root_fd = open(g->set.root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (sh->root_fd < 0)
        return err_sys(e, "--root %.200s", g->set.root);
    /* as it is without links, since that is what the system calls its files */
    g->root = realpath(g->set.root, NULL);
    sh->root = g->root;
    return g->root ? 0 : err_sys(e, "--root %.200s", g->set.root);
}

static int
choose_guest_profile(struct guest *g, struct err *e)
{
    struct guest_shared *sh = &g->shared;
    struct sandbox_setup_params params = {
        .seat = sh->seat, .net = true, .workspace = sh->root};

    sh->profile = sh->root ? PROFILE_WORKSPACE_WRITE : PROFILE_FULL;
    if (g->set.profile && !profile_find(g->set.profile, &sh->profile))
        return err_set(e, ERR_USAGE, "unknown profile '%.40s'", g->set.profile);
    if (sh->profile == PROFILE_FULL)
        return 0;
    params.profile = sh->profile;
    params.net = sh->profile == PROFILE_WORKSPACE_WRITE ||
                 sh->profile == PROFILE_REDUCED;
    if (sandbox_setup_fill(&g->sandbox, &params, sh->config, e) < 0)
        return -1;
    sh->setup = &g->sandbox;
    return 0;
}

static void
close_listeners(struct guest *g)
{
    while (g->n_listeners > 0)
        listener_free(g->listeners[--g->n_listeners]);
}

static void
on_stopping(void *arg, unsigned events)
{
    struct guest *g = arg;

    (void)events;
    close_listeners(g);
    while (g->connections)
        drop_connection(g, g->connections);
    g->set.ended(g->set.arg);
}

/* The agent's own variables, but those that a service manager meant for it
 * alone. */
static int
choose_guest_variables(struct guest *g, struct err *e)
{
    static const char *const own[] = {
        "LISTEN_PID=", "LISTEN_FDS=", "LISTEN_FDNAMES=", NULL};
    const char *const *all = seat_variables(g->set.seat);
    size_t n = 0, at = 0;

    while (all[n])
        n++;
    if (!(g->variables = calloc(n + 1, sizeof(*g->variables))))
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (own[k] && strncmp(all[i], own[k], strlen(own[k])) != 0)
            k++;
        if (!own[k])
            g->variables[at++] = all[i];
    }
    g->shared.variables = g->variables;
    return 0;
}

static int
open_guest(struct guest *g, struct err *e)
{
    struct guest_shared *sh = &g->shared;

    if (!(g->stopping = loop_soon(g->set.loop, on_stopping, g, e)))
        return -1;
    watch_stop(g->stopping);
    if (choose_guest_variables(g, e) < 0 || open_root(g, e) < 0 ||
        choose_guest_profile(g, e) < 0 || !(sh->buffer = read_buffer_new(e)) ||
        !(sh->orphans = guest_orphans_new(sh, e)))
        return -1;
    return open_ways_in(g, e);
}

static const char *
find_temp_dir(const struct seat *s)
{
    const char *dir = seat_variable(s, "TMPDIR");

    return dir && dir[0] == '/' ? dir : P_tmpdir;
}

struct guest *
guest_new(const struct guest_setup *set, struct err *e)
{
    CLEANUP(guest_free_p) struct guest *g = calloc(1, sizeof(*g));

    if (!g) {
        err_nomem(e);
        return NULL;
    }
    g->set = *set;
    g->shared = (struct guest_shared){.loop = set->loop,
                                      .seat = set->seat,
                                      .config = set->config,
                                      .policy = set->policy,
                                      .journal = set->journal,
                                      .root_fd = -1,
                                      .temp_dir = find_temp_dir(set->seat),
                                      .exec_timeout_ms = set->exec_timeout_ms,
                                      .log = set->log,
                                      .arg = set->arg};
    return open_guest(g, e) < 0 ? NULL : TAKE_PTR(g);
}

void
guest_free(struct guest *g)
{
    if (!g)
        return;
    close_listeners(g);
    while (g->connections)
        drop_connection(g, g->connections);
    guest_jobs_end(&g->shared);
    guest_process_end_all(&g->shared);
    guest_record_close(&g->shared.run);
    watch_free(g->stopping);
    guest_orphans_free(g->shared.orphans);
    read_buffer_free(g->shared.buffer);
    sandbox_setup_done(&g->sandbox);
    fd_close_p(&g->shared.root_fd);
    free(g->variables);
    free(g->root);
    free(g);
}

void
guest_stop(struct guest *g)
{
    watch_again(g->stopping, 0);
}
