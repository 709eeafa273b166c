/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_output.c - the last lines that an agent has written. */
#include "server/agentctl/agentctl_output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "json/write.h"

#define BYTES_A_LINE    (2u << 10) /* on average; more, and the oldest go */
#define LINES_MAX_ADDED 256        /* bytes of JSON around the lines */

struct output_line {
    enum agentctl_stream which;
    time_t at;
    size_t n;
    char *text;
};

struct agentctl_output {
    struct output_line *ring;
    size_t room, first, n; /* first is the oldest of the n */
    size_t bytes, max_bytes;
    uint64_t total;
};

struct agentctl_output *
agentctl_output_new(size_t lines, struct err *e)
{
    struct agentctl_output *o = calloc(1, sizeof(*o));

    if (o && !(o->ring = calloc(lines, sizeof(*o->ring)))) {
        free(o);
        o = NULL;
    }
    if (!o) {
        err_nomem(e);
        return NULL;
    }
    o->room = lines;
    o->max_bytes = lines * BYTES_A_LINE;
    if (o->max_bytes < AGENTCTL_OUTPUT_LINE_MAX)
        o->max_bytes = AGENTCTL_OUTPUT_LINE_MAX;
    return o;
}

static void
drop_oldest_line(struct agentctl_output *o)
{
    struct output_line *l = o->ring + o->first;

    o->bytes -= l->n;
    free(l->text);
    *l = (struct output_line){0};
    o->first = (o->first + 1) % o->room;
    o->n--;
}

void
agentctl_output_free(struct agentctl_output *o)
{
    if (!o)
        return;
    while (o->n > 0)
        drop_oldest_line(o);
    free(o->ring);
    free(o);
}

void
agentctl_output_add(struct agentctl_output *o, enum agentctl_stream which,
                    const char *line, size_t n)
{
    CLEANUP_BUF struct buf text = buf_of(3 * AGENTCTL_OUTPUT_LINE_MAX);
    size_t kept = n;
    struct output_line *l;

    if (kept > AGENTCTL_OUTPUT_LINE_MAX) {
        kept = AGENTCTL_OUTPUT_LINE_MAX;
        kept -= utf8_incomplete_tail(line, kept);
    }
    utf8_repair(&text, line, kept);
    if (text.len > AGENTCTL_OUTPUT_LINE_MAX)
        buf_cut(&text,
                utf8_boundary(text.p, text.len, AGENTCTL_OUTPUT_LINE_MAX));
    while (o->n > 0 && (o->n == o->room || o->bytes + text.len > o->max_bytes))
        drop_oldest_line(o);
    o->total++;
    l = o->ring + (o->first + o->n) % o->room;
    buf_fit(&text);
    *l = (struct output_line){.which = which,
                              .at = time(NULL),
                              .n = text.len,
                              .text = buf_take(&text)};
    if (!l->text)
        l->n = 0; /* no memory: an empty line stands for it */
    o->bytes += l->n;
    o->n++;
}

size_t
agentctl_output_count(const struct agentctl_output *o)
{
    return o->n;
}

uint64_t
agentctl_output_total(const struct agentctl_output *o)
{
    return o->total;
}

static const struct output_line *
line_back(const struct agentctl_output *o, size_t back)
{
    return o->ring + (o->first + o->n - 1 - back) % o->room;
}

void
agentctl_output_put(const struct agentctl_output *o, size_t back,
                    struct buf *out)
{
    const struct output_line *l = line_back(o, back);
    char at[CLOCK_RFC3339_SIZE];
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "timestamp", clock_rfc3339(l->at, at));
    json_member_str(&w, "stream",
                    l->which == AGENTCTL_STDOUT ? "stdout" : "stderr");
    json_key(&w, "content");
    json_put_strn(&w, l->text ? l->text : "", l->n);
    json_close_object(&w);
}

size_t
agentctl_output_bytes(const struct agentctl_output *o)
{
    return 6 * o->bytes + (o->n + 1) * LINES_MAX_ADDED;
}

void
agentctl_output_put_last(const struct agentctl_output *o, size_t last,
                         struct buf *out)
{
    size_t n = last < o->n ? last : o->n;

    buf_str(out, "{\"lines\":[");
    while (n-- > 0) {
        agentctl_output_put(o, n, out);
        if (n > 0)
            buf_ch(out, ',');
    }
    buf_printf(out, "],\"total\":%zu}\n", o->n);
}

/* How many lines back the last ones begin, of standard error, that have at most
 * max bytes. */
static size_t
errors_begin(const struct agentctl_output *o, uint64_t since, size_t max)
{
    size_t back = 0, bytes = 0;

    while (back < o->n && o->total - back > since) {
        const struct output_line *l = line_back(o, back);

        if (l->which == AGENTCTL_STDERR && (bytes += l->n + 1) > max)
            break;
        back++;
    }
    return back;
}

void
agentctl_output_put_errors(const struct agentctl_output *o, uint64_t since,
                           size_t max, struct buf *out)
{
    size_t back = errors_begin(o, since, max), from = out->len;

    while (back-- > 0) {
        const struct output_line *l = line_back(o, back);

        if (l->which != AGENTCTL_STDERR || l->n == 0)
            continue;
        if (out->len > from)
            buf_ch(out, '\n');
        buf_add(out, l->text, l->n);
    }
}
