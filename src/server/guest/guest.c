/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest.c - the guest agent: its listener, and its connections. */
#include "server/guest/guest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
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
#include "wire/lingering_close.h"
#include "wire/listener.h"
#include "wire/tls_acceptor.h"

struct guest {
    struct guest_setup set;
    struct guest_shared shared;
    struct peer_table *peers;
    bool draining;
    struct guest_connection *connections;
    size_t n_connections;
    struct tls_acceptor *acceptor; /* NULL: plain connections */
    struct lingering_close *refusals;
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
    if (g->peers)
        peer_table_left(g->peers, c->peer);
    guest_connection_free(c);
}

static void
on_guest_connection_ended(void *arg, struct guest_connection *c)
{
    struct guest *g = arg;

    drop_connection(g, c);
    if (!g->set.listen || (g->draining && !g->connections))
        g->set.ended(g->set.arg);
}

static void
on_guest_room(struct guest_connection *c)
{
    guest_attachment_room(c);
    guest_watch_room(c);
}

static void
on_wrong_token(void *arg, struct guest_connection *c)
{
    const struct guest *g = arg;
    char line[PEER_TEXT_SIZE + 100], text[PEER_TEXT_SIZE];

    if (!g->peers || !peer_table_wrong(g->peers, c->peer, clock_ms()))
        return;
    snprintf(line, sizeof(line),
             "%s has shown %d wrong tokens: none is looked at for %d s",
             peer_table_text(g->peers, c->peer, text), PEER_WRONG_MAX,
             PEER_PAUSE_MS / 1000);
    g->set.log(g->set.arg, line);
}

static int
add_connection(struct guest *g, int in, int out, struct tls *t,
               peer_number peer, struct err *e)
{
    const struct guest_connection_setup set = {
        .shared = &g->shared,
        .methods = guest_methods(),
        .in = in,
        .out = out,
        .tls = t,
        .token = g->set.token,
        .wrong = on_wrong_token,
        .peer = peer,
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

/* One more than are allowed is told so, where it can be read, and is gone. */
static void
refuse_connection(const struct guest *g, int fd, const char *why)
{
    char line[200];
    int n = snprintf(line, sizeof(line),
                     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":"
                     "-32603,\"message\":\"%s\"}}\n",
                     why);

    if (g->acceptor) {
        fd_close_p(&fd);
        return;
    }
    (void)!write(fd, line, (size_t)n);
    lingering_close_take(g->refusals, fd);
}

/* Why no more may come from the address of a connection; NULL: one may. */
static const char *
admit_guest_peer(struct guest *g, int fd, peer_number *peer)
{
    struct sockaddr_storage from = {0};
    socklen_t n = sizeof(from);
    int64_t now = clock_ms();

    (void)getpeername(fd, (struct sockaddr *)&from, &n);
    if (peer_table_accept(g->peers, &from, now, peer) != PEER_WELCOME)
        return "too many connections from this address";
    if (peer_table_pause(g->peers, *peer, now) == 0)
        return NULL;
    peer_table_left(g->peers, *peer);
    return "too many wrong tokens from this address: try later";
}

static void
on_guest_peer_gone(void *arg, unsigned peer)
{
    const struct guest *g = arg;

    peer_table_left(g->peers, peer);
}

static void
add_guest_socket(void *arg, int fd, struct tls *t, peer_number peer)
{
    struct guest *g = arg;
    struct err e = {0};

    if (add_connection(g, fd, fd, t, peer, &e) == 0)
        return;
    peer_table_left(g->peers, peer);
    g->set.log(g->set.arg, e.text);
}

static void
on_accepted(void *arg, int fd)
{
    struct guest *g = arg;
    const char *why;
    peer_number peer;

    if (g->n_connections + tls_acceptor_pending(g->acceptor) >=
        g->set.max_connections) {
        refuse_connection(g, fd, "too many connections");
        g->set.log(g->set.arg, "refused a connection: as many as "
                               "--max-connections allows are open");
    } else if ((why = admit_guest_peer(g, fd, &peer)) != NULL) {
        refuse_connection(g, fd, why);
    } else if (g->acceptor) {
        tls_acceptor_take(g->acceptor, fd, peer);
    } else {
        add_guest_socket(g, fd, NULL, peer);
    }
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
    buf_str(&line, g->acceptor ? ": listening (TLS)" : ": listening");
    g->set.log(g->set.arg, line.p);
    return 0;
}

static int
open_ways_in(struct guest *g, struct err *e)
{
    const struct guest_setup *set = &g->set;
    const struct tls_acceptor_setup tls = {.loop = set->loop,
                                           .certificate = set->tls_cert,
                                           .key = set->tls_key,
                                           .accepted = add_guest_socket,
                                           .dropped = on_guest_peer_gone,
                                           .arg = g};
    int in, out;

    if (tls_acceptor_new(&tls, &g->acceptor, e) < 0)
        return -1;
    for (size_t i = 0; set->listen && set->listen[i]; i++) {
        if (listen_at(g, set->listen[i], e) < 0)
            return -1;
    }
    if (set->listen)
        return 0;
    in = fcntl(set->in, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    out = fcntl(set->out, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    if (in >= 0 && out >= 0)
        return add_connection(g, in, out, NULL, 0, e);
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

static struct guest_settings *
make_guest_settings(const struct guest *g, struct config *config,
                    struct policy *policy, struct err *e)
{
    const struct guest_settings_params params = {
        .seat = g->set.seat, .root = g->root, .profile = g->shared.profile};

    return guest_settings_new(&params, config, policy, e);
}

static int
choose_guest_profile(struct guest *g, struct err *e)
{
    struct guest_shared *sh = &g->shared;
    sh->profile = sh->root ? PROFILE_WORKSPACE_WRITE : PROFILE_FULL;
    if (g->set.profile && !profile_find(g->set.profile, &sh->profile))
        return err_set(e, ERR_USAGE, "unknown profile '%.40s'", g->set.profile);
    sh->settings = make_guest_settings(g, g->set.config, g->set.policy, e);
    return sh->settings ? 0 : -1;
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
    g->draining = true;
    close_listeners(g);
    for (struct guest_connection *c = g->connections; c && g->set.listen;
         c = c->next)
        guest_connection_drain(c);
    while (g->connections && !g->set.listen)
        drop_connection(g, g->connections);
    if (!g->connections)
        g->set.ended(g->set.arg);
}

/* The agent's own variables, but those that a service manager meant for it
 * alone. */
static int
choose_guest_variables(struct guest *g, struct err *e)
{
    static const char *const own[] = {
        "LISTEN_PID=", "LISTEN_FDS=", "LISTEN_FDNAMES=", "NOTIFY_SOCKET=",
        NULL};
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

    if (!(g->peers = peer_table_new(g->set.max_connections, e)) ||
        !(g->refusals = lingering_close_new(g->set.loop, e)) ||
        !(g->stopping = loop_soon(g->set.loop, on_stopping, g, e)))
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
    tls_acceptor_free(g->acceptor);
    lingering_close_free(g->refusals);
    while (g->connections)
        drop_connection(g, g->connections);
    guest_jobs_end(&g->shared);
    guest_process_end_all(&g->shared);
    guest_record_close(&g->shared.run);
    watch_free(g->stopping);
    guest_orphans_free(g->shared.orphans);
    read_buffer_free(g->shared.buffer);
    guest_settings_free(g->shared.settings);
    peer_table_free(g->peers);
    fd_close_p(&g->shared.root_fd);
    free(g->variables);
    free(g->root);
    free(g);
}

int
guest_load(struct guest *g, struct config *config, struct policy *policy,
           struct err *e)
{
    CLEANUP(guest_settings_free_p)
    struct guest_settings *fresh = make_guest_settings(g, config, policy, e);

    if (!fresh || tls_acceptor_reload(g->acceptor, e) < 0)
        return -1;
    guest_settings_free(g->shared.settings);
    g->shared.settings = TAKE_PTR(fresh);
    return 0;
}

void
guest_stop(struct guest *g)
{
    watch_again(g->stopping, 0);
}
