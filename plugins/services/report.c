/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what services tells: ports with their holders, and services. */
#include "plugins/services/report.h"

#include <string.h>

#include "plugins/lib/match.h"

#define LINES_MAX 60 /* of ports, and of services, for a model */

/* A port with who holds it. */
struct port {
    const struct listener *at;
    struct process who; /* pid 0: not seen */
    char user[USERS_NAME_SIZE];
};

int
report_gather(struct report *r, int root, struct err *e)
{
    r->root = root;
    users_init(&r->users, root);
    if (listeners_ask(&r->listeners, e) < 0)
        return -1;
    owners_find(root, &r->listeners, &r->hidden);
    listeners_sort(&r->listeners);
    units_read(root, &r->units);
    return 0;
}

void
report_done(struct report *r)
{
    listeners_done(&r->listeners);
    units_done(&r->units);
    users_done(&r->users);
}

static bool
is_wanted(const struct report *r, const char *name)
{
    if (!r->name)
        return true;
    return match_is_pattern(r->name) ? match_glob(r->name, name)
                                     : strstr(name, r->name) != NULL;
}

static const char *
unit_of(const struct report *r, struct process *who)
{
    size_t n = strlen(who->unit);

    if (n > 8) {
        who->unit[n - 8] = '\0'; /* .service */
        return who->unit;
    }
    for (size_t i = 0; i < r->units.n; i++) {
        if (r->units.rows[i].pid == who->pid)
            return r->units.rows[i].name;
    }
    return NULL;
}

/* Why nobody is told for a port. The kernel listens itself for some (NFS,
 * WireGuard); so does what lives in another namespace of processes. */
static const char *
reason(const struct report *r)
{
    return r->hidden > 0 ? "a process that you may not inspect"
                         : "no process: the kernel itself";
}

static void
put_port(const struct report *r, struct port *p, struct json_writer *w)
{
    const struct listener *l = p->at;
    bool seen = p->who.pid > 0;

    json_open_object(w);
    json_member_str(w, "protocol", l->udp ? "udp" : "tcp");
    json_member_str(w, "family", l->ipv6 ? "ipv6" : "ipv4");
    json_member_str(w, "address", l->address);
    json_member_int(w, "port", l->port);
    json_member_bool(w, "visible", seen);
    json_key(w, "pid");
    if (seen)
        json_put_int(w, p->who.pid);
    else
        json_put_null(w);
    json_member_str(w, "program", seen ? p->who.program : NULL);
    json_member_str(w, "user", p->user);
    json_member_str(w, "service", seen ? unit_of(r, &p->who) : NULL);
    json_member_int(w, "processes", l->processes);
    json_close_object(w);
}

static void
tell_port(const struct report *r, const struct port *p, struct buf *text)
{
    const struct listener *l = p->at;

    buf_printf(text, l->ipv6 ? "%s [%s]:%u " : "%s %s:%u ",
               l->udp ? "udp" : "tcp", l->address, l->port);
    if (p->who.pid == 0)
        buf_printf(text, "%s (socket of %s)\n", reason(r), p->user);
    else
        buf_printf(text, "%s pid %d user %s\n", p->who.program, p->who.pid,
                   p->user);
}

/* Many sockets in a row are often one process's: `who` keeps the last. */
static void
identify(const struct report *r, const struct listener *l, struct port *p)
{
    p->at = l;
    if (l->pid == 0 || (p->who.pid != l->pid &&
                        !process_read(r->root, &r->users, l->pid, &p->who)))
        p->who = (struct process){0};
    if (p->who.pid && p->who.user[0])
        memcpy(p->user, p->who.user, sizeof(p->user));
    else
        users_name(&r->users, l->uid, p->user);
}

static void
give_ports(const struct report *r, struct facts *f)
{
    struct json_writer w = facts_value(f, "ports");
    struct port p = {0};
    size_t told = 0;

    json_open_array(&w);
    for (size_t i = 0; i < r->listeners.n; i++) {
        identify(r, &r->listeners.rows[i], &p);
        if (!is_wanted(r, p.who.program) && !is_wanted(r, p.who.unit))
            continue;
        if (told++ < LINES_MAX)
            tell_port(r, &p, &f->text);
        put_port(r, &p, &w);
    }
    json_close_array(&w);
    if (told == 0)
        buf_str(&f->text, "nothing listens there\n");
    else if (told > LINES_MAX)
        buf_printf(&f->text, "%zu more ports\n", told - LINES_MAX);
}

/* With a port asked for, only the services that hold it. */
static bool
holds(const struct report *r, const struct unit *u)
{
    if (r->listeners.only == 0)
        return true;
    for (size_t i = 0; i < r->listeners.n; i++) {
        struct process who;

        if (r->listeners.rows[i].pid == 0)
            continue;
        if (r->listeners.rows[i].pid == u->pid)
            return true;
        if (process_read(r->root, &r->users, r->listeners.rows[i].pid, &who) &&
            strncmp(who.unit, u->name, strlen(u->name)) == 0 &&
            strcmp(who.unit + strlen(u->name), ".service") == 0)
            return true;
    }
    return false;
}

static void
put_unit(const struct unit *u, const struct process *who, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "name", u->name);
    json_key(w, "pid");
    if (who->pid)
        json_put_int(w, who->pid);
    else
        json_put_null(w);
    json_member_str(w, "program", who->pid ? who->program : NULL);
    json_member_str(w, "user", who->pid ? who->user : NULL);
    if (u->processes > 0)
        json_member_int(w, "processes", u->processes);
    json_close_object(w);
}

static void
give_units(const struct report *r, struct facts *f)
{
    struct json_writer w = facts_value(f, "services");
    size_t told = 0;

    json_open_array(&w);
    for (size_t i = 0; i < r->units.n; i++) {
        const struct unit *u = &r->units.rows[i];
        struct process who = {0};

        if (!is_wanted(r, u->name) || !holds(r, u))
            continue;
        if (u->pid == 0 || !process_read(r->root, &r->users, u->pid, &who))
            who = (struct process){0};
        if (told == 0)
            buf_printf(&f->text, "running services (%s):", r->units.manager);
        if (told++ < LINES_MAX)
            buf_printf(&f->text, " %s", u->name);
        put_unit(u, &who, &w);
    }
    json_close_array(&w);
    if (told > LINES_MAX)
        buf_printf(&f->text, " and %zu more", told - LINES_MAX);
    if (told > 0)
        buf_ch(&f->text, '\n');
    else if (!r->units.manager)
        buf_str(&f->text, "no service manager is running\n");
}

void
report_give(struct report *r, struct facts *f)
{
    struct json_writer w;

    give_ports(r, f);
    give_units(r, f);
    w = facts_value(f, "manager");
    json_put_str(&w, r->units.manager);
    w = facts_value(f, "hidden_processes");
    json_put_int(&w, (int64_t)r->hidden);
    w = facts_value(f, "truncated");
    json_put_bool(&w, r->listeners.full);
}
