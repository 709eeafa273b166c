/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool sysinfo: what the machine is, and how it is at present. */
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "plugins/lib/facts.h"
#include "plugins/lib/machine.h"
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
            return err_set(e, ERR_INVALID, "args.parts: unknown part %.64s",
                           name ? name : "of that type");
        wanted |= 1u << i;
    }
    *out = wanted;
    return 0;
}

static int
answer(const struct request *r, struct facts *f, struct err *e)
{
    CLEANUP(fd_close_p) int root = machine_open(NULL, e);
    unsigned wanted = 0;

    if (root < 0)
        return -1;
    if (strcmp(r->action, "get") != 0)
        return err_set(e, ERR_INVALID, "sysinfo has one action, get");
    if (read_parts(json_get(r->args, "parts"), &wanted, e) < 0)
        return -1;
    for (size_t i = 0; i < ROWS; i++) {
        struct json_writer w;

        if (!(wanted & (1u << i)))
            continue;
        w = facts_value(f, rows[i].name);
        rows[i].give(root, &f->text, &w);
    }
    return facts_reply(f, r, e);
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
