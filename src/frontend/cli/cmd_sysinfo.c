/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sysinfo.c - agentsh sysinfo: show facts about this machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "frontend/cli/facts.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define LABEL_WIDE 11   /* "processor" and two blanks */
#define FACT_MAX   8192 /* of one fact */

static int
sysinfo_args(const struct command_args *c, struct json_writer *w, struct err *e)
{
    (void)e;
    if (c->n == 0)
        return 0;
    json_key(w, "parts");
    json_open_array(w);
    for (int i = 0; i < c->n; i++)
        json_put_str(w, c->words[i]);
    json_close_array(w);
    return 0;
}

static void
fact(struct buf *line, const char *text)
{
    if (text && *text)
        buf_printf(line, "%s%s", line->len ? ", " : "", text);
}

static void
put_member_fact(struct buf *line, const struct json *object, const char *name)
{
    fact(line, json_get_str(object, name));
}

static void
fact_count(struct buf *line, const struct json *n, const char *what)
{
    char text[64];
    int64_t v;

    if (!json_int(n, &v))
        return;
    snprintf(text, sizeof(text), "%" PRId64 " %s%s", v, what,
             v == 1 ? "" : "s");
    fact(line, text);
}

static void
fact_size(struct buf *line, const struct json *n, const char *what)
{
    char size[SIZE_TEXT], text[SIZE_TEXT + 32];
    int64_t v;

    if (!json_int(n, &v) || v < 0)
        return;
    snprintf(text, sizeof(text), "%s%s", size_text((uint64_t)v, size), what);
    fact(line, text);
}

static void
put_fact_line(struct buf *out, const struct term *t, const char *label,
              const struct buf *line)
{
    CLEANUP_BUF struct buf text = buf_of(8 * FACT_MAX);
    struct width_wrap wrap = {.columns = t->tty ? (size_t)t->columns : SIZE_MAX,
                              .start = LABEL_WIDE,
                              .indent = LABEL_WIDE};

    if (line->len == 0)
        return;
    buf_printf(out, "%s%s%s%*s", style_on(t, STYLE_HEADING), label,
               style_off(t, STYLE_HEADING), LABEL_WIDE - (int)strlen(label),
               "");
    escape_text(&text, t, line->p, line->len, ESCAPE_LINES);
    width_wrap(out, text.p, text.len, &wrap);
    buf_ch(out, '\n');
}

static void
show_os(struct buf *out, const struct term *t, const struct json *meta)
{
    CLEANUP_BUF struct buf system = buf_of(FACT_MAX);
    CLEANUP_BUF struct buf host = buf_of(FACT_MAX);
    const struct json *os = json_get(meta, "os");
    const struct json *virt = json_get(meta, "virtualisation");
    const char *hypervisor = json_get_str(virt, "hypervisor");
    const char *container = json_get_str(virt, "container");
    char since[SIZE_TEXT];
    int64_t up;

    put_member_fact(&system, os, "name");
    if (json_get_str(os, "kernel") && json_get_str(os, "release"))
        buf_printf(&system, "%s%s %s", system.len ? ", " : "",
                   json_get_str(os, "kernel"), json_get_str(os, "release"));
    put_member_fact(&system, os, "architecture");
    put_member_fact(&host, os, "hostname");
    if (json_int(json_get(os, "uptime_s"), &up) && up >= 0)
        buf_printf(&host, ", up %s", size_time_text((uint64_t)up, since));
    if (hypervisor)
        buf_printf(&host, "%svirtual machine (%s)", host.len ? ", " : "",
                   hypervisor);
    if (container)
        buf_printf(&host, "%scontainer (%s)", host.len ? ", " : "", container);
    put_fact_line(out, t, "System", &system);
    put_fact_line(out, t, "Host", &host);
}

static void
show_cpu(struct buf *out, const struct term *t, const struct json *meta)
{
    static const char *const names[] = {"1min", "5min", "15min"};
    CLEANUP_BUF struct buf cpu = buf_of(FACT_MAX);
    CLEANUP_BUF struct buf load = buf_of(FACT_MAX);
    const struct json *l = json_get(meta, "load");

    put_member_fact(&cpu, json_get(meta, "cpu"), "model");
    fact_count(&cpu, json_get(json_get(meta, "cpu"), "cores"), "core");
    fact_count(&cpu, json_get(json_get(meta, "cpu"), "threads"), "thread");
    for (size_t i = 0; i < 3; i++) {
        double v;

        if (json_num(json_get(l, names[i]), &v))
            buf_printf(&load, "%s%.2f", i ? " " : "", v);
    }
    fact_count(&load, json_get(l, "running"), "thread");
    if (load.len)
        buf_str(&load, " running");
    put_fact_line(out, t, "Processor", &cpu);
    put_fact_line(out, t, "Load", &load);
}

static void
show_memory(struct buf *out, const struct term *t, const struct json *meta)
{
    CLEANUP_BUF struct buf memory = buf_of(FACT_MAX);
    CLEANUP_BUF struct buf swap = buf_of(FACT_MAX);
    const struct json *m = json_get(meta, "memory");
    const struct json *s = json_get(m, "swap");
    int64_t total = 0;

    fact_size(&memory, json_get(m, "total_bytes"), "");
    fact_size(&memory, json_get(m, "used_bytes"), " used");
    fact_size(&memory, json_get(m, "available_bytes"), " available");
    if (json_int(json_get(s, "total_bytes"), &total) && total == 0) {
        fact(&swap, "none");
    } else {
        fact_size(&swap, json_get(s, "total_bytes"), "");
        fact_size(&swap, json_get(s, "used_bytes"), " used");
    }
    put_fact_line(out, t, "Memory", &memory);
    put_fact_line(out, t, "Swap", &swap);
}

static void
show_gpus(struct buf *out, const struct term *t, const struct json *meta)
{
    for (const struct json *g = json_first(json_get(meta, "gpu")); g;
         g = json_next(g)) {
        CLEANUP_BUF struct buf line = buf_of(FACT_MAX);
        const char *id = json_get_str(g, "pci_id");
        const char *driver = json_get_str(g, "driver");
        const char *vendor = json_get_str(g, "vendor");

        fact(&line, vendor ? vendor : json_get_str(g, "slot"));
        if (id)
            buf_printf(&line, ", PCI %s", id);
        buf_printf(&line, ", %s", driver ? driver : "no driver");
        put_fact_line(out, t, "Graphics", &line);
    }
}

static void
show_routes(struct buf *out, const struct term *t, const struct json *network)
{
    for (const struct json *r = json_first(json_get(network, "default_routes"));
         r; r = json_next(r)) {
        CLEANUP_BUF struct buf line = buf_of(FACT_MAX);
        const char *gateway = json_get_str(r, "gateway");
        const char *interface = json_get_str(r, "interface");

        buf_printf(&line, "%s%sby %s", gateway ? gateway : "",
                   gateway ? " " : "", interface ? interface : "?");
        put_fact_line(out, t, "Route", &line);
    }
}

static void
show_disks(struct buf *out, const struct term *t, const struct json *disks)
{
    static const char *const heads[] = {
        "MOUNTED AT", "SIZE", "AVAILABLE", "USED", "TYPE", "DEVICE", NULL};
    CLEANUP(facts_table_done) struct facts_table table;

    facts_table_init(&table, t, heads, 1u << 1 | 1u << 2 | 1u << 3);
    for (const struct json *d = json_first(disks); d; d = json_next(d)) {
        facts_table_text(&table, json_get(d, "mount_point"));
        facts_table_size(&table, json_get(d, "size_bytes"));
        facts_table_size(&table, json_get(d, "available_bytes"));
        facts_table_size(&table, json_get(d, "used_bytes"));
        facts_table_text(&table, json_get(d, "type"));
        facts_table_text(&table, json_get(d, "source"));
    }
    if (table.n > 0 && out->len > 0)
        buf_ch(out, '\n');
    facts_table_put(&table, out);
}

/* One row an address; the interface's own facts stand in the first. */
static void
add_interface(struct facts_table *table, const struct json *i)
{
    const struct json *a = json_first(json_get(i, "addresses"));
    bool first = true;

    do {
        CLEANUP_BUF struct buf address = buf_of(256);
        int64_t prefix = 0;

        if (a && json_int(json_get(a, "prefix"), &prefix))
            buf_printf(&address, "%.200s/%" PRId64, json_get_str(a, "address"),
                       prefix);
        facts_table_cell(table, first ? json_get_str(i, "name") : " ");
        facts_table_cell(table, first ? json_get_str(i, "state") : " ");
        facts_table_cell(table, address.p);
        if (first) {
            facts_table_size(table, json_get(i, "rx_bytes"));
            facts_table_size(table, json_get(i, "tx_bytes"));
        } else {
            facts_table_cell(table, " ");
            facts_table_cell(table, " ");
        }
        first = false;
        a = a ? json_next(a) : NULL;
    } while (a);
}

static void
show_network(struct buf *out, const struct term *t, const struct json *network)
{
    static const char *const heads[] = {"INTERFACE", "STATE", "ADDRESS",
                                        "RECEIVED",  "SENT",  NULL};
    CLEANUP(facts_table_done) struct facts_table table;

    facts_table_init(&table, t, heads, 1u << 3 | 1u << 4);
    for (const struct json *i = json_first(json_get(network, "interfaces")); i;
         i = json_next(i))
        add_interface(&table, i);
    if (table.n > 0 && out->len > 0)
        buf_ch(out, '\n');
    facts_table_put(&table, out);
}

static void
sysinfo_show(struct buf *out, const struct term *t, const struct json *meta)
{
    show_os(out, t, meta);
    show_cpu(out, t, meta);
    show_memory(out, t, meta);
    show_gpus(out, t, meta);
    show_routes(out, t, json_get(meta, "network"));
    show_disks(out, t, json_get(meta, "disks"));
    show_network(out, t, json_get(meta, "network"));
}

static int
run_sysinfo(struct command_args *c)
{
    static const struct facts_verb verb = {"sysinfo", "get", sysinfo_args,
                                           sysinfo_show};

    return facts_run(c, &verb);
}

const struct command cmd_sysinfo = {
    .name = "sysinfo",
    .args = "[PART…]",
    .help = N_("show facts about this machine"),
    .options = FOR_REPORT | FOR_NAMES,
    .run = run_sysinfo,
};
