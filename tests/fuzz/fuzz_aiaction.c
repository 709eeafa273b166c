/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_aiaction.c - whatever a model says is an action, an answer or an error;
 * an action prints as one that reads back and prints the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "action/aiaction.h"
#include "action/summary_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
ignore(void *arg, const char *bytes, size_t n)
{
    (void)arg;
    (void)bytes;
    (void)n;
}

static void
print(const struct aiaction *a, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    aiaction_put(&w, a);
}

/* Any tool but one, so that steps with tools are read and printed too. */
static int
check_tool(void *arg, const char *tool, const char **action,
           const struct json *args, struct err *e)
{
    (void)arg;
    (void)args;
    if (!*action)
        *action = "only";
    return strcmp(tool, "x.y") ? 0 : err_set(e, ERR_NOT_FOUND, "no tool");
}

static const struct aiaction_tools tools = {.check = check_tool};

static void
check_round_trip(const struct aiaction *a)
{
    CLEANUP(aiaction_free_p) struct aiaction *b = NULL;
    CLEANUP_BUF struct buf one = buf_of(16 << 20);
    CLEANUP_BUF struct buf two = buf_of(16 << 20);

    print(a, &one);
    b = aiaction_load(one.p, one.len, &tools, NULL);
    if (!b)
        abort();
    print(b, &two);
    if (strcmp(one.p, two.p) != 0)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_parse(text, size, AIACTION_DO, &tools, NULL);
    CLEANUP(summary_stream_free_p)
    struct summary_stream *s = summary_stream_new(ignore, NULL, NULL);

    summary_stream_add(s, text, size);
    if (a && a->n > 0)
        check_round_trip(a);
    return 0;
}
