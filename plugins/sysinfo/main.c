/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool sysinfo: what the machine is, and how it is at present. */
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "plugins/lib/machine.h"
#include "plugins/lib/reply.h"
#include "plugins/sysinfo/part.h"

struct row {
    const char *name;
    part_give *give;
};

static const struct row rows[] = {
    {"os", part_os},           {"virtualisation", part_virtualisation},
    {"cpu", part_cpu},         {"load", part_load},
    {"memory", part_memory},   {"disks", part_disks},
    {"network", part_network}, {"gpu", part_gpu},
};
#define ROWS (sizeof(rows) / sizeof(*rows))

/* Which rows args.parts names, a bit each; all of them where it is absent. */
static int
read_parts(const struct json *parts, unsigned *out, struct err *e)
{
    unsigned wanted = 0;

    if (!parts || json_type(parts) == JSON_NULL) {
        *out = (1u << ROWS) - 1;
        return 0;
    }
    if (json_type(parts) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "args.parts must be an array");
    for (const struct json *p = json_first(parts); p; p = json_next(p)) {
        const char *name = json_str(p, NULL);
        size_t i = 0;

        while (i < ROWS && !(name && strcmp(name, rows[i].name) == 0))
            i++;
        if (i == ROWS)
            return err_set(e, ERR_INVALID, "args.parts: there is no part %.64s",
                           name ? name : "of that type");
        wanted |= 1u << i;
    }
    *out = wanted;
    return 0;
}

struct facts {
    struct buf text;         /* all parts, for a model */
    struct buf values[ROWS]; /* each part's JSON; "" where not wanted */
};

static void
facts_init(struct facts *f)
{
    buf_init(&f->text, REPLY_TEXT_MAX);
    for (size_t i = 0; i < ROWS; i++)
        buf_init(&f->values[i], REPLY_TEXT_MAX);
}

static void
facts_done(struct facts *f)
{
    buf_done(&f->text);
    for (size_t i = 0; i < ROWS; i++)
        buf_done(&f->values[i]);
}

static int
gather(unsigned wanted, struct facts *f, struct err *e)
{
    CLEANUP(fd_close_p) int root = machine_open(NULL, e);

    if (root < 0)
        return -1;
    for (size_t i = 0; i < ROWS; i++) {
        struct json_writer w;

        if (!(wanted & (1u << i)))
            continue;
        json_write_init(&w, &f->values[i]);
        rows[i].give(root, &f->text, &w);
        if (buf_ok(&f->values[i], rows[i].name, e) < 0)
            return -1;
    }
    return buf_ok(&f->text, "the facts", e);
}

static int
answer(const struct request *r, struct facts *f, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;
    unsigned wanted = 0;

    if (strcmp(r->action, "get") != 0)
        return err_set(e, ERR_INVALID, "sysinfo has one action, get");
    if (read_parts(json_get(r->args, "parts"), &wanted, e) < 0 ||
        gather(wanted, f, e) < 0)
        return -1;
    reply_begin(r, &w, &line, true, f->text.p, f->text.len, "", 0);
    for (size_t i = 0; i < ROWS; i++) {
        if (f->values[i].len == 0)
            continue;
        json_key(&w, rows[i].name);
        json_put_raw(&w, f->values[i].p, f->values[i].len);
    }
    return reply_send(&w, e);
}

static void
handle(const struct request *r)
{
    CLEANUP(facts_done) struct facts f;
    struct err e = {0};

    facts_init(&f);
    if (answer(r, &f, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("sysinfo", handle);
}
