/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool packages: what is installed. */
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "plugins/lib/facts.h"
#include "plugins/lib/machine.h"
#include "plugins/lib/match.h"
#include "plugins/packages/database.h"

#define LIMIT_DEFAULT 200
#define LIMIT_MAX     65536
#define LINES_MAX     200 /* for a model */
#define NAME_SIZE     256

struct query {
    const char *name; /* NULL: all */
    int64_t limit;
};

struct counts {
    size_t matching, given;
};

static int
read_args(const struct request *r, struct query *q, struct err *e)
{
    const struct json *name = json_get(r->args, "name");
    const struct json *limit = json_get(r->args, "limit");

    *q = (struct query){.limit = LIMIT_DEFAULT};
    if (strcmp(r->action, "list") != 0)
        return err_set(e, ERR_INVALID, "packages has one action, list");
    if (name && json_type(name) != JSON_NULL &&
        !(q->name = json_get_str(r->args, "name")))
        return err_set(e, ERR_INVALID, "args.name must be a string");
    if (limit && json_type(limit) != JSON_NULL &&
        (!json_int(limit, &q->limit) || q->limit < 0 || q->limit > LIMIT_MAX))
        return err_set(e, ERR_INVALID, "args.limit must be from 0 to %d",
                       LIMIT_MAX);
    return 0;
}

/* A pattern for the whole name, or a part of it. */
static bool
is_wanted(const struct query *q, const struct package *p)
{
    char name[NAME_SIZE];

    if (!q->name)
        return true;
    span_copy(p->name, name, sizeof(name));
    return match_is_pattern(q->name) ? match_glob(q->name, name)
                                     : strstr(name, q->name) != NULL;
}

static void
give(int root, const struct database *d, const struct package *p,
     struct buf *text, struct json_writer *w)
{
    struct span arch = p->arch;
    char own[64];

    if (arch.n == 0 && strcmp(d->manager, "pacman") == 0)
        arch = span_of(database_pacman_arch(root, p, own, sizeof(own)));
    json_open_object(w);
    json_key(w, "name");
    json_put_strn(w, p->name.p, p->name.n);
    json_key(w, "version");
    json_put_strn(w, p->version.p, p->version.n);
    json_key(w, "arch");
    if (arch.n > 0)
        json_put_strn(w, arch.p, arch.n);
    else
        json_put_null(w);
    json_close_object(w);
    buf_add(text, p->name.p, p->name.n);
    buf_ch(text, ' ');
    buf_add(text, p->version.p, p->version.n);
    if (arch.n > 0)
        buf_ch(text, ' ');
    buf_add(text, arch.p, arch.n);
    buf_ch(text, '\n');
}

/* The one of exactly that name is never cut off by the limit: it comes first.
 */
static bool
is_exact(const struct query *q, const struct package *p)
{
    return q->name && span_is(p->name, q->name);
}

static struct counts
list(int root, const struct database *d, const struct query *q,
     struct buf *text, struct json_writer *w)
{
    CLEANUP_BUF struct buf unsaid = buf_of(REPLY_TEXT_MAX);
    struct counts c = {0};

    json_open_array(w);
    for (int exact = 1; exact >= 0; exact--) {
        for (size_t i = 0; i < d->n; i++) {
            const struct package *p = &d->rows[i];

            if (is_exact(q, p) != exact || !is_wanted(q, p))
                continue;
            if (c.matching++ >= (size_t)q->limit)
                continue;
            give(root, d, p, c.given < LINES_MAX ? text : &unsaid, w);
            buf_clear(&unsaid);
            c.given++;
        }
    }
    json_close_array(w);
    return c;
}

static void
tell_counts(const struct database *d, const struct query *q,
            const struct counts *c, struct buf *text)
{
    size_t told = c->given < LINES_MAX ? c->given : LINES_MAX;

    if (q->name && c->matching == 0)
        buf_printf(text,
                   "no matching package is installed (%s: %zu packages)\n",
                   d->manager, d->n);
    else if (told < c->matching)
        buf_printf(text, "%zu more of %zu (%s: %zu packages)\n",
                   c->matching - told, c->matching, d->manager, d->n);
    else
        buf_printf(text, "%zu of %zu packages (%s)\n", told, d->n, d->manager);
}

static int
answer(const struct request *r, struct database *d, struct facts *f,
       struct err *e)
{
    CLEANUP(fd_close_p) int root = machine_open(NULL, e);
    struct json_writer w;
    struct counts c;
    struct query q;

    if (root < 0 || read_args(r, &q, e) < 0 || database_read(root, d, e) < 0)
        return -1;
    w = facts_value(f, "manager");
    json_put_str(&w, d->manager);
    w = facts_value(f, "packages");
    c = list(root, d, &q, &f->text, &w);
    tell_counts(d, &q, &c, &f->text);
    w = facts_value(f, "total");
    json_put_int(&w, (int64_t)d->n);
    w = facts_value(f, "matching");
    json_put_int(&w, (int64_t)c.matching);
    return facts_reply(f, r, e);
}

static void
handle(const struct request *r)
{
    CLEANUP(database_done) struct database d = {.n = 0};
    CLEANUP(facts_done) struct facts f;
    struct err e = {0};

    facts_init(&f);
    if (answer(r, &d, &f, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("packages", handle);
}
