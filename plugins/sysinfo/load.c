/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - how busy it has been: nothing is sampled. */
#include "plugins/sysinfo/load.h"

#include <inttypes.h>

#include "plugins/lib/machine.h"
#include "plugins/sysinfo/part.h"

bool
load_parse(struct span text, struct load *out)
{
    struct load l = {0};
    struct span word, running;

    for (int i = 0; i < 3; i++) {
        if (!span_word(&text, &word) ||
            !span_hundredths(word, &l.hundredths[i]))
            return false;
    }
    if (!span_word(&text, &word) || !span_split(&word, '/', &running) ||
        !span_number(running, 10, &l.running) ||
        !span_number(word, 10, &l.processes))
        return false;
    *out = l;
    return true;
}

void
part_load(int root, struct buf *text, struct json_writer *w)
{
    static const char *const names[] = {"1min", "5min", "15min"};
    char line[128];
    struct load l;

    machine_read(root, "proc/loadavg", line, sizeof(line));
    if (!load_parse(span_of(line), &l)) {
        json_put_null(w);
        return;
    }
    buf_str(text, "load:");
    json_open_object(w);
    for (int i = 0; i < 3; i++) {
        uint64_t h = l.hundredths[i];

        buf_printf(text, " %" PRIu64 ".%02u", h / 100, (unsigned)(h % 100));
        json_key(w, names[i]);
        json_put_num(w, (double)h / 100);
    }
    /* the kernel counts threads as processes here */
    buf_printf(text, "; %" PRIu64 " of %" PRIu64 " threads running\n",
               l.running, l.processes);
    json_member_int(w, "running", (int64_t)l.running);
    json_member_int(w, "threads", (int64_t)l.processes);
    json_close_object(w);
}
