/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_spaces.c - a line of an agent, whatever it is, is read or refused with a
 * reason; what is valid stays valid with its defaults filled in, and no path
 * of it leaves the workspace. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/spaces/spaces_event.h"
#include "server/spaces/spaces_message.h"

#define OUT_MAX (4u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static void
check_op(const struct json *v, size_t index)
{
    CLEANUP_BUF struct buf list = buf_of(OUT_MAX);
    struct spaces_op op;
    char own[SPACES_OP_ID_SIZE];
    size_t n;

    spaces_op_read(v, &op);
    must(op.type < SPACES_TYPE_N);
    must(op.timeout_ms >= SPACES_TIMEOUT_MIN_MS &&
         op.timeout_ms <= SPACES_TIMEOUT_MAX_MS);
    must(!op.path || (op.path[0] != '/' && !strstr(op.path, "..")));
    must((op.type == SPACES_SHELL) == (op.command != NULL));
    must(spaces_event_op_id(&op, index, own, &n) != NULL);
    spaces_event_message(&list, &op);
    spaces_event_failed(&list, &op, "x", 0);
    spaces_event_denied(&list, &op, index, "x", NULL);
    spaces_event_error(&list, &op, "system", "x");
    must(list.bad || list.len > 0);
}

static void
check_verdict(const char *line, size_t n, bool valid)
{
    CLEANUP_BUF struct buf out = buf_of(OUT_MAX);
    CLEANUP(json_free_p) struct json *root = NULL;
    bool told = false;

    (void)spaces_line_check(line, n, &out);
    if (out.bad)
        return;
    root = json_parse(out.p, out.len, JSON_UNIQUE, NULL);
    must(root && json_bool(json_get(root, "success"), &told));
    must(told || !valid);
    must(told == (json_get(root, "data") != NULL));
    must(told != (json_get(root, "error") != NULL));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(spaces_line_done) struct spaces_line l = {0};
    const char *line = (const char *)data;
    struct err e = {0};
    size_t index = 0;
    bool valid = spaces_line_parse(line, size, &l, &e) == 0;

    must(valid || (e.code != ERR_NONE && e.text[0]));
    if (valid)
        must((l.operations != NULL) != (l.run != NULL));
    if (valid && l.operations)
        for (const struct json *op = json_first(l.operations); op;
             op = json_next(op))
            check_op(op, index++);
    check_verdict(line, size, valid);
    return 0;
}
