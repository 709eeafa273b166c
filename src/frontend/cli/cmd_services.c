/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_services.c - agentsh services and agentsh packages: show what a tool of
 * facts returns. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/cli/facts.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define PACKAGES_MOST 65536 /* what the tool gives */
#define PORT_MAX      65535

/* A number is a port. */
static int
services_args(const struct command_args *c, struct json_writer *w,
              struct err *e)
{
    for (int i = 0; i < c->n; i++) {
        const char *word = c->words[i];
        bool number = *word && word[strspn(word, "0123456789")] == '\0';
        long port = number && strlen(word) < 6 ? strtol(word, NULL, 10) : 0;

        if (i > 0)
            return err_set(e, ERR_USAGE, "services takes one port or name");
        if (number && (port < 1 || port > PORT_MAX))
            return err_set(e, ERR_USAGE, "%.20s is not a port: 1 to %d", word,
                           PORT_MAX);
        if (number)
            json_member_int(w, "port", port);
        else
            json_member_str(w, "name", word);
    }
    return 0;
}

static void
show_ports(struct buf *out, const struct term *t, const struct json *ports)
{
    static const char *const heads[] = {"PORT", "PROTO", "ADDRESS", "PROGRAM",
                                        "PID",  "USER",  "SERVICE", NULL};
    CLEANUP(facts_table_done) struct facts_table table;

    facts_table_init(&table, t, heads, 1u << 0 | 1u << 4);
    for (const struct json *p = json_first(ports); p; p = json_next(p)) {
        facts_table_number(&table, json_get(p, "port"));
        facts_table_text(&table, json_get(p, "protocol"));
        facts_table_text(&table, json_get(p, "address"));
        facts_table_text(&table, json_get(p, "program"));
        facts_table_number(&table, json_get(p, "pid"));
        facts_table_text(&table, json_get(p, "user"));
        facts_table_text(&table, json_get(p, "service"));
    }
    facts_table_put(&table, out);
}

/* Those whose holder is not told, and why. */
static void
note_unseen(struct buf *out, const struct term *t, const struct json *meta)
{
    CLEANUP_BUF struct buf text = buf_of(256);
    struct width_wrap wrap = {.columns = t->tty ? (size_t)t->columns
                                                : SIZE_MAX};
    int64_t hidden = 0;
    size_t unseen = 0;

    (void)json_int(json_get(meta, "hidden_processes"), &hidden);
    for (const struct json *p = json_first(json_get(meta, "ports")); p;
         p = json_next(p)) {
        bool visible = true;

        unseen += json_bool(json_get(p, "visible"), &visible) && !visible;
    }
    if (unseen == 0)
        return;
    buf_printf(&text, "%zu without a process: %s", unseen,
               hidden > 0 ? "held by a process that you may not inspect"
                          : "the kernel itself listens");
    buf_str(out, style_on(t, STYLE_DIM));
    width_wrap(out, text.p, text.len, &wrap);
    buf_printf(out, "%s\n", style_off(t, STYLE_DIM));
}

static void
show_running(struct buf *out, const struct term *t, const struct json *services)
{
    static const char *const heads[] = {"SERVICE", "PID", "USER", "PROGRAM",
                                        NULL};
    CLEANUP(facts_table_done) struct facts_table table;

    facts_table_init(&table, t, heads, 1u << 1);
    for (const struct json *s = json_first(services); s; s = json_next(s)) {
        facts_table_text(&table, json_get(s, "name"));
        facts_table_number(&table, json_get(s, "pid"));
        facts_table_text(&table, json_get(s, "user"));
        facts_table_text(&table, json_get(s, "program"));
    }
    if (table.n > 0 && out->len > 0)
        buf_ch(out, '\n');
    facts_table_put(&table, out);
}

static void
services_show(struct buf *out, const struct term *t, const struct json *meta)
{
    show_ports(out, t, json_get(meta, "ports"));
    note_unseen(out, t, meta);
    show_running(out, t, json_get(meta, "services"));
    if (out->len == 0)
        buf_str(out, "nothing listens there, and no such service runs\n");
}

static int
run_services(struct command_args *c)
{
    static const struct facts_verb verb = {"services", "list", services_args,
                                           services_show};

    return facts_run(c, &verb);
}

const struct command cmd_services = {
    .name = "services",
    .args = "[PORT|NAME]",
    .help = N_("list listening ports and running services"),
    .options = FOR_REPORT | FOR_NAMES,
    .run = run_services,
};

static int
packages_args(const struct command_args *c, struct json_writer *w,
              struct err *e)
{
    if (c->n > 1)
        return err_set(e, ERR_USAGE,
                       "packages takes one name; quote a pattern");
    if (c->n == 1)
        json_member_str(w, "name", c->words[0]);
    json_member_int(w, "limit", PACKAGES_MOST);
    return 0;
}

static void
packages_show(struct buf *out, const struct term *t, const struct json *meta)
{
    static const char *const heads[] = {"PACKAGE", "VERSION", "ARCH", NULL};
    CLEANUP(facts_table_done) struct facts_table table;
    int64_t total = 0, matching = 0;

    facts_table_init(&table, t, heads, 0);
    for (const struct json *p = json_first(json_get(meta, "packages")); p;
         p = json_next(p)) {
        facts_table_text(&table, json_get(p, "name"));
        facts_table_text(&table, json_get(p, "version"));
        facts_table_text(&table, json_get(p, "arch"));
    }
    facts_table_put(&table, out);
    (void)json_int(json_get(meta, "total"), &total);
    (void)json_int(json_get(meta, "matching"), &matching);
    buf_printf(out, "%s%" PRId64 " of %" PRId64 " packages (",
               style_on(t, STYLE_DIM), matching, total);
    escape_str(out, t, json_get_str(meta, "manager"), ESCAPE_LINES);
    buf_printf(out, ")%s\n", style_off(t, STYLE_DIM));
}

static int
run_packages(struct command_args *c)
{
    static const struct facts_verb verb = {"packages", "list", packages_args,
                                           packages_show};

    return facts_run(c, &verb);
}

const struct command cmd_packages = {
    .name = "packages",
    .args = "[NAME]",
    .help = N_("list installed packages"),
    .options = FOR_REPORT | FOR_NAMES,
    .run = run_packages,
};
