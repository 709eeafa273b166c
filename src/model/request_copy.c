/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_copy.c - a request that outlives what it was made of. */
#include "model/request_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct request_copy {
    struct model_request request;
    struct arena *memory; /* of all that it points to */
    bool failed;          /* there was not enough */
};

static void *
keep_room(struct request_copy *c, size_t n)
{
    void *room = arena_get(c->memory, n);

    c->failed |= !room;
    return room;
}

static const char *
keep_bytes_of(struct request_copy *c, const char *text, size_t n)
{
    char *kept = text ? arena_text(c->memory, n + 1) : NULL;

    c->failed |= text && !kept;
    return kept ? memcpy(kept, text, n) : NULL;
}

static const char *
keep_string(struct request_copy *c, const char *text)
{
    return keep_bytes_of(c, text, text ? strlen(text) : 0);
}

static const struct model_tool_call *
keep_calls(struct request_copy *c, const struct model_tool_call *calls,
           size_t n)
{
    struct model_tool_call *kept = n ? keep_room(c, n * sizeof(*kept)) : NULL;

    for (size_t i = 0; kept && i < n; i++)
        kept[i] = (struct model_tool_call){
            .id = keep_string(c, calls[i].id),
            .name = keep_string(c, calls[i].name),
            .args = keep_bytes_of(c, calls[i].args, calls[i].args_len),
            .args_len = calls[i].args_len,
            .extra = keep_string(c, calls[i].extra)};
    return kept;
}

static const struct model_turn *
keep_turns(struct request_copy *c, const struct model_turn *turns, size_t n)
{
    struct model_turn *kept = n ? keep_room(c, n * sizeof(*kept)) : NULL;

    for (size_t i = 0; kept && i < n; i++)
        kept[i] = (struct model_turn){
            .role = turns[i].role,
            .text = keep_string(c, turns[i].text),
            .tool_calls = keep_calls(c, turns[i].tool_calls,
                                     turns[i].n_tool_calls),
            .n_tool_calls = turns[i].n_tool_calls,
            .call_id = keep_string(c, turns[i].call_id),
            .call_name = keep_string(c, turns[i].call_name),
            .failed = turns[i].failed,
            .images = model_images_share(turns[i].images),
            .outside = keep_string(c, turns[i].outside)};
    return kept;
}

static const struct model_tool *
keep_tools(struct request_copy *c, const struct model_tool *tools, size_t n)
{
    struct model_tool *kept = n ? keep_room(c, n * sizeof(*kept)) : NULL;

    for (size_t i = 0; kept && i < n; i++)
        kept[i] = (struct model_tool){
            .name = keep_string(c, tools[i].name),
            .description = keep_string(c, tools[i].description),
            .schema = keep_string(c, tools[i].schema),
            .outside = keep_string(c, tools[i].outside)};
    return kept;
}

struct request_copy *
request_copy_new(const struct model_request *r, struct err *e)
{
    CLEANUP(request_copy_free_p) struct request_copy *c = calloc(1, sizeof(*c));

    if (c && (c->memory = arena_new()))
        c->request = (struct model_request){
            .system = keep_string(c, r->system),
            .turns = keep_turns(c, r->turns, r->n_turns),
            .n_turns = r->n_turns,
            .schema = keep_string(c, r->schema),
            .tools = keep_tools(c, r->tools, r->n_tools),
            .n_tools = r->n_tools};
    if (!c || !c->memory || c->failed) {
        err_nomem(e);
        return NULL;
    }
    return TAKE_PTR(c);
}

void
request_copy_free(struct request_copy *c)
{
    const struct model_request *r;

    if (!c)
        return;
    r = &c->request;
    for (size_t i = 0; r->turns && i < r->n_turns; i++)
        model_images_free(r->turns[i].images);
    arena_free(c->memory);
    free(c);
}

const struct model_request *
request_copy_of(const struct request_copy *c)
{
    return &c->request;
}
