/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - memory and swap. */
#include "plugins/sysinfo/memory.h"

#include <stddef.h>

#include "base/size.h"
#include "plugins/lib/machine.h"
#include "plugins/sysinfo/part.h"

#define MEMINFO_SIZE 8192 /* some 60 lines of under 40 bytes */

struct meminfo {
    struct memory m;
    uint64_t free, buffers, cached;
};

struct row {
    const char *key;
    size_t offset;
};

static const struct row rows[] = {
    {"MemTotal", offsetof(struct meminfo, m.total)},
    {"MemAvailable", offsetof(struct meminfo, m.available)},
    {"SwapTotal", offsetof(struct meminfo, m.swap_total)},
    {"SwapFree", offsetof(struct meminfo, m.swap_free)},
    {"MemFree", offsetof(struct meminfo, free)},
    {"Buffers", offsetof(struct meminfo, buffers)},
    {"Cached", offsetof(struct meminfo, cached)},
};

static bool
take(struct meminfo *info, struct span key, struct span value)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t kib = 0;

        if (!span_is(key, rows[i].key))
            continue;
        if (span_number(value, 10, &kib) && kib <= UINT64_MAX / 4096)
            *(uint64_t *)((char *)info + rows[i].offset) = kib * 1024;
        return true;
    }
    return false;
}

void
memory_parse(struct span text, struct memory *out)
{
    struct meminfo info = {0};
    struct span line, key, value;
    bool told = false;

    while (span_line(&text, &line)) {
        if (!span_pair(line, ':', &key, &value) || !take(&info, key, value))
            continue;
        told = told || span_is(key, "MemAvailable");
    }
    if (!told)
        info.m.available = info.free + info.buffers + info.cached;
    if (info.m.available > info.m.total)
        info.m.available = info.m.total;
    if (info.m.swap_free > info.m.swap_total)
        info.m.swap_free = info.m.swap_total;
    *out = info.m;
}

/* {"total_bytes", "available_bytes", "used_bytes" */
static void
put_use(struct json_writer *w, uint64_t total, uint64_t available)
{
    json_open_object(w);
    json_member_int(w, "total_bytes", (int64_t)total);
    json_member_int(w, "available_bytes", (int64_t)available);
    json_member_int(w, "used_bytes", (int64_t)(total - available));
}

void
part_memory(int root, struct buf *text, struct json_writer *w)
{
    char info[MEMINFO_SIZE], total[SIZE_TEXT], left[SIZE_TEXT], used[SIZE_TEXT];
    struct memory m;

    machine_read(root, "proc/meminfo", info, sizeof(info));
    memory_parse(span_of(info), &m);
    buf_printf(text, "memory: %s, %s available", size_text(m.total, total),
               size_text(m.available, left));
    if (m.swap_total > 0)
        buf_printf(text, "; swap %s, %s used\n", size_text(m.swap_total, total),
                   size_text(m.swap_total - m.swap_free, used));
    else
        buf_str(text, "; no swap\n");
    put_use(w, m.total, m.available);
    json_key(w, "swap");
    put_use(w, m.swap_total, m.swap_free);
    json_close_object(w);
    json_close_object(w);
}
