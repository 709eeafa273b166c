/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_input.c - answers what an MCP server needs before it can go on. */
#include "tool/mcp/mcp_input.h"

#include <string.h>

#include "json/write.h"

#define INPUTS_MAX 32 /* that a server needs at once */

enum mcp_input
mcp_input_kind(const struct json *result)
{
    const struct json *v = json_get(result, "resultType");
    const char *kind = json_get_str(result, "resultType");

    if (!v || (kind && strcmp(kind, "complete") == 0))
        return MCP_INPUT_NONE;
    return kind && strcmp(kind, "input_required") == 0 ? MCP_INPUT_REQUIRED
                                                       : MCP_INPUT_OTHER;
}

static int
put_required_input(struct json_writer *w, const struct json *asked,
                   const struct buf *roots, struct err *e)
{
    static const char decline[] = "{\"action\":\"decline\"}";
    const char *method = json_get_str(asked, "method");
    size_t n;
    const char *name = json_name(asked, &n);

    if (!method)
        return err_set(e, ERR_PEER, "needs input without saying which");
    json_keyn(w, name, n);
    if (strcmp(method, "roots/list") == 0)
        json_put_raw(w, roots->p, roots->len);
    else if (strcmp(method, "elicitation/create") == 0)
        json_put_raw(w, decline, sizeof(decline) - 1);
    else
        return err_set(e, ERR_PEER, "needs %.60s, which is refused", method);
    return 0;
}

int
mcp_input_answer(const struct json *result, const struct buf *roots,
                 struct buf *out, struct err *e)
{
    const struct json *inputs = json_get(result, "inputRequests");
    const struct json *state = json_get(result, "requestState");
    const struct json *v = json_first(inputs);
    struct json_writer w;

    if ((inputs && json_type(inputs) != JSON_OBJECT) ||
        (state && json_type(state) != JSON_STRING) || (!inputs && !state) ||
        json_count(inputs) > INPUTS_MAX)
        return err_set(e, ERR_PEER, "needs input in a form that is not known");
    json_write_init(&w, out);
    if (inputs) {
        json_key(&w, "inputResponses");
        json_open_object(&w);
        for (; v; v = json_next(v))
            if (put_required_input(&w, v, roots, e) < 0)
                return -1;
        json_close_object(&w);
    }
    if (state) {
        json_key(&w, "requestState");
        json_put_value(&w, state);
    }
    return buf_ok(out, "the input of a request", e);
}
