/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.c - the processors: model, cores, threads. */
#include "plugins/sysinfo/cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "plugins/lib/machine.h"
#include "plugins/sysinfo/part.h"

/* The first record or two: for each one the kernel may ask that processor how
 * fast it runs, which on a large machine takes longer than all the rest. */
#define RECORD_SIZE 4096
#define LIST_SIZE   4096
#define CPUS_MAX    4096

static bool
is_model(struct span key)
{
    return span_is(key, "model name") || span_is(key, "cpu model") ||
           span_is(key, "cpu") || span_is(key, "uarch") ||
           span_is(key, "Processor");
}

void
cpu_parse(struct span text, struct cpu *out)
{
    struct span line, key, value;

    *out = (struct cpu){0};
    while (span_line(&text, &line)) {
        if (!span_pair(line, ':', &key, &value))
            continue;
        if (is_model(key) && out->model[0] == '\0')
            span_copy(value, out->model, sizeof(out->model));
        else if (span_is(key, "cpu cores") && out->package_cores == 0)
            span_number(value, 10, &out->package_cores);
        else if (span_is(key, "siblings") && out->package_threads == 0)
            span_number(value, 10, &out->package_threads);
    }
}

/* Takes "3" or "0-3" off the front. */
static bool
range(struct span *list, uint64_t *from, uint64_t *to)
{
    struct span part, first;

    if (!span_split(list, ',', &part) || !span_split(&part, '-', &first) ||
        !span_number(first, 10, from))
        return false;
    *to = *from;
    span_number(part, 10, to);
    return *to >= *from && *to < CPUS_MAX;
}

uint64_t
cpu_list_count(struct span list)
{
    uint64_t n = 0, from, to;

    while (range(&list, &from, &to))
        n += to - from + 1;
    return n;
}

bool
cpu_list_first(struct span list, uint64_t *out)
{
    uint64_t to;

    return range(&list, out, &to);
}

/* A core is counted at the first of its threads. */
static uint64_t
count_cores(int root, struct span online)
{
    uint64_t n = 0, from, to, first;

    while (range(&online, &from, &to)) {
        for (; from <= to; from++) {
            char path[96], list[256];

            snprintf(path, sizeof(path),
                     "sys/devices/system/cpu/cpu%" PRIu64
                     "/topology/thread_siblings_list",
                     from);
            machine_read(root, path, list, sizeof(list));
            n += !cpu_list_first(span_of(list), &first) || first == from;
        }
    }
    return n;
}

static uint64_t
cores_of(int root, const struct cpu *c, struct span online, uint64_t threads)
{
    char active[16];

    machine_read(root, "sys/devices/system/cpu/smt/active", active,
                 sizeof(active));
    if (active[0] == '0')
        return threads;
    /* packages are alike in one machine: no need to look at each processor */
    if (c->package_cores > 0 && c->package_threads >= c->package_cores &&
        threads % c->package_threads == 0)
        return threads / c->package_threads * c->package_cores;
    return count_cores(root, online);
}

/* Boards whose processors have no name have one themselves. */
static void
model_of_board(int root, struct cpu *c)
{
    if (c->model[0] == '\0')
        machine_read(root, "sys/firmware/devicetree/base/model", c->model,
                     sizeof(c->model));
}

void
part_cpu(int root, struct buf *text, struct json_writer *w)
{
    char record[RECORD_SIZE], online[LIST_SIZE];
    struct cpu c;
    uint64_t threads, cores;

    machine_read(root, "proc/cpuinfo", record, sizeof(record));
    cpu_parse(span_of(record), &c);
    model_of_board(root, &c);
    machine_read(root, "sys/devices/system/cpu/online", online, sizeof(online));
    threads = cpu_list_count(span_of(online));
    if (threads == 0)
        threads = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    cores = cores_of(root, &c, span_of(online), threads);
    buf_printf(text, "cpu: %s; %" PRIu64 " cores, %" PRIu64 " threads\n",
               c.model[0] ? c.model : "unknown model", cores, threads);
    json_open_object(w);
    part_member(w, "model", c.model);
    json_member_int(w, "cores", (int64_t)cores);
    json_member_int(w, "threads", (int64_t)threads);
    json_close_object(w);
}
