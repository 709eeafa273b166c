/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_copy.c - a request that outlives what it was made of. */
#include "model/request_copy.h"

#include <stdlib.h>
#include <string.h>

/* All memory that belongs to a copy, newest first. */
struct kept_block {
    struct kept_block *next;
    max_align_t bytes[];
};

struct request_copy {
    struct model_request request;
    struct kept_block *blocks;
    bool failed; /* there was no memory for one */
};

/* Zeroed memory of n bytes; NULL: there is none, which is noted. */
static void *
keep_room(struct request_copy *c, size_t n)
{
    struct kept_block *b = calloc(1, sizeof(*b) + n);

    if (!b) {
        c->failed = true;
        return NULL;
    }
    b->next = c->blocks;
    c->blocks = b;
    return b->bytes;
}

static const char *
keep_bytes_of(struct request_copy *c, const char *text, size_t n)
{
    char *kept = text ? keep_room(c, n + 1) : NULL;

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

    if (c)
        c->request = (struct model_request){
            .system = keep_string(c, r->system),
            .turns = keep_turns(c, r->turns, r->n_turns),
            .n_turns = r->n_turns,
            .schema = keep_string(c, r->schema),
            .tools = keep_tools(c, r->tools, r->n_tools),
            .n_tools = r->n_tools};
    if (!c || c->failed) {
        err_nomem(e);
        return NULL;
    }
    return TAKE_PTR(c);
}

void
request_copy_free(struct request_copy *c)
{
    if (!c)
        return;
    while (c->blocks) {
        struct kept_block *b = c->blocks;

        c->blocks = b->next;
        free(b);
    }
    free(c);
}

const struct model_request *
request_copy_of(const struct request_copy *c)
{
    return &c->request;
}

size_t
model_request_bytes(const struct model_request *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_turns; i++)
        n += r->turns[i].text ? strlen(r->turns[i].text) : 0;
    return n;
}
