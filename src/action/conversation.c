/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversation.c - keeps what was said between a person and a model. */
#include "action/conversation.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/prompt/origin.h"

#define ANSWER_MAX (64u << 10) /* bytes of an answer that are sent again */
/* Of earlier requests, in bytes. */
#define IMAGES_MAX (2 * MODEL_IMAGES_BYTES_MAX)

struct conversation {
    struct model_turn turns[CONVERSATION_TURNS_MAX];
    size_t n;
    /* the turns that begin a request, and whether the next one does */
    bool begins[CONVERSATION_TURNS_MAX], beginning;
    struct origin origin; /* of all that was sent */
    struct conversation_usage usage;
    int rounds; /* answers, whatever was in them */
};

struct conversation *
conversation_new(struct err *e)
{
    struct conversation *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    conversation_begin(c);
    return c;
}

/* The conversation owns the texts of its turns, which others borrow. */
static void
text_done(const char *text)
{
    free((void *)(uintptr_t)text);
}

static void
calls_done(const struct model_tool_call *list, size_t n)
{
    for (size_t i = 0; list && i < n; i++) {
        text_done(list[i].id);
        text_done(list[i].name);
        text_done(list[i].args);
        text_done(list[i].extra);
    }
    free((void *)(uintptr_t)list);
}

static void
turn_done(struct model_turn *turn)
{
    calls_done(turn->tool_calls, turn->n_tool_calls);
    text_done(turn->text);
    text_done(turn->outside);
    text_done(turn->call_id);
    text_done(turn->call_name);
    model_images_free(turn->images);
    *turn = (struct model_turn){0};
}

void
conversation_free(struct conversation *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++)
        turn_done(&c->turns[i]);
    free(c);
}

size_t
conversation_last_request(const struct conversation *c)
{
    size_t i = c->n;

    while (i > 0 && !c->begins[i - 1])
        i--;
    return i > 0 ? i - 1 : 0;
}

static size_t
turn_bytes(const struct model_turn *turn)
{
    size_t n = turn->text ? strlen(turn->text) : 0;

    for (size_t i = 0; i < turn->n_tool_calls; i++)
        n += turn->tool_calls[i].args_len;
    return n;
}

/* Drops the turns before `to`. */
static void
drop_oldest(struct conversation *c, size_t to)
{
    for (size_t i = 0; i < to; i++)
        turn_done(&c->turns[i]);
    c->n -= to;
    memmove(c->turns, c->turns + to, c->n * sizeof(c->turns[0]));
    memmove(c->begins, c->begins + to, c->n * sizeof(c->begins[0]));
}

void
conversation_begin(struct conversation *c)
{
    size_t bytes = 0, images = 0, keep = c->n;

    c->beginning = true;
    c->rounds = 0;
    c->usage = (struct conversation_usage){.tokens_cached = -1,
                                           .tokens_cache_written = -1,
                                           .tokens_reasoning = -1};
    for (size_t i = c->n; i-- > 0;) {
        bytes += turn_bytes(&c->turns[i]);
        images += c->turns[i].images ? c->turns[i].images->bytes : 0;
        if (bytes > CONVERSATION_BYTES_MAX || images > IMAGES_MAX ||
            c->n - i > CONVERSATION_TURNS_MAX / 2)
            break;
        if (c->begins[i])
            keep = i;
    }
    drop_oldest(c, keep);
}

void
conversation_settle(struct conversation *c)
{
    size_t at = c->n;

    while (at > 0 && c->turns[at - 1].role == MODEL_RESULT)
        at--;
    if (at == 0 || c->n - at >= c->turns[at - 1].n_tool_calls)
        return;
    while (c->n >= at)
        turn_done(&c->turns[--c->n]);
}

const struct model_turn *
conversation_turns(const struct conversation *c, size_t *n)
{
    *n = c->n;
    return c->turns;
}

/* Counts the next turn, if all of it could be copied. */
static int
count_turn(struct conversation *c, bool whole, struct err *e)
{
    if (whole) {
        c->begins[c->n++] = c->beginning;
        c->beginning = false;
        return 0;
    }
    turn_done(&c->turns[c->n]);
    return err_set(e, ERR_NOMEM, "out of memory for the conversation");
}

static struct model_turn *
next_turn(struct conversation *c, enum model_role role, struct err *e)
{
    if (c->n == CONVERSATION_TURNS_MAX) {
        err_set(e, ERR_NOMEM, "the conversation is longer than %d turns",
                CONVERSATION_TURNS_MAX);
        return NULL;
    }
    c->turns[c->n] = (struct model_turn){.role = role};
    return &c->turns[c->n];
}

/* A text that others could have written is not sent without its label. */
static bool
set_text(struct model_turn *turn, const char *text, const char *outside)
{
    turn->text = strdup(text);
    turn->outside = outside ? strdup(outside) : NULL;
    return turn->text && (turn->outside || !outside);
}

int
conversation_add_user(struct conversation *c, const char *text,
                      const char *outside, struct model_images *images,
                      struct err *e)
{
    struct model_turn *turn = next_turn(c, MODEL_USER, e);

    if (!turn)
        return -1;
    turn->images = model_images_share(images);
    return count_turn(c, set_text(turn, text, outside), e);
}

static bool
copy_call(const struct model_tool_call *from, struct model_tool_call *to)
{
    to->id = strdup(from->id);
    to->name = strdup(from->name);
    to->args = strndup(from->args, from->args_len);
    to->args_len = to->args ? strlen(to->args) : 0;
    to->extra = from->extra ? strdup(from->extra) : NULL;
    return to->id && to->name && to->args && (to->extra || !from->extra);
}

int
conversation_add_assistant(struct conversation *c, const struct model_answer *a,
                           struct err *e)
{
    struct model_turn *turn = next_turn(c, MODEL_ASSISTANT, e);
    size_t len = a->text ? strnlen(a->text, a->len) : 0;
    struct model_tool_call *calls;
    bool whole;

    if (!turn)
        return -1;
    calls = calloc(a->n_tool_calls + 1, sizeof(*calls));
    turn->text = strndup(len ? a->text : "",
                         utf8_boundary(a->text, len, ANSWER_MAX));
    whole = calls && turn->text;
    turn->tool_calls = calls;
    for (; whole && turn->n_tool_calls < a->n_tool_calls; turn->n_tool_calls++)
        whole = copy_call(&a->tool_calls[turn->n_tool_calls],
                          &calls[turn->n_tool_calls]);
    return count_turn(c, whole, e);
}

int
conversation_add_result(struct conversation *c,
                        const struct model_tool_call *call, const char *text,
                        const char *outside, bool failed, struct err *e)
{
    struct model_turn *turn = next_turn(c, MODEL_RESULT, e);
    bool whole;

    if (!turn)
        return -1;
    whole = set_text(turn, text, outside);
    turn->call_id = strdup(call->id);
    turn->call_name = strdup(call->name);
    turn->failed = failed;
    return count_turn(c, whole && turn->call_id && turn->call_name, e);
}

void
conversation_fill_request(struct conversation *c, struct model_request *r)
{
    r->turns = c->turns;
    r->n_turns = c->n;
    origin_note_request(&c->origin, r);
}

/* One count that is not told makes the sum unknown. */
static int64_t
add_tokens(int64_t sum, int64_t more)
{
    return sum < 0 || more < 0 ? -1 : sum + more;
}

/* A part that is not told is left out: many servers tell only what there is. */
static int64_t
add_reported_tokens(int64_t sum, int64_t more)
{
    if (more < 0)
        return sum;
    return sum < 0 ? more : sum + more;
}

void
conversation_count_answer(struct conversation *c, const struct model_answer *a)
{
    struct conversation_usage *u = &c->usage;

    c->rounds++;
    u->model = a->model;
    u->ms += a->ms;
    u->tokens_in = add_tokens(u->tokens_in, a->tokens_in);
    u->tokens_out = add_tokens(u->tokens_out, a->tokens_out);
    u->tokens_cached = add_reported_tokens(u->tokens_cached, a->tokens_cached);
    u->tokens_cache_written = add_reported_tokens(u->tokens_cache_written,
                                                  a->tokens_cache_written);
    u->tokens_reasoning = add_reported_tokens(u->tokens_reasoning,
                                              a->tokens_reasoning);
    if (a->tokens_in > u->tokens_in_most)
        u->tokens_in_most = a->tokens_in;
}

void
conversation_note_repair(struct conversation *c)
{
    c->usage.repaired = true;
}

void
conversation_note_replaced(struct conversation *c, bool replaced)
{
    c->usage.replaced = replaced;
}

int
conversation_rounds(const struct conversation *c)
{
    return c->rounds;
}

const struct conversation_usage *
conversation_usage(const struct conversation *c)
{
    return &c->usage;
}

void
conversation_note_outside(struct conversation *c, const char *what)
{
    origin_note(&c->origin, what);
}

const char *
conversation_outside(const struct conversation *c)
{
    return origin_outside(&c->origin);
}
