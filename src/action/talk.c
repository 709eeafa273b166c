/* SPDX-License-Identifier: GPL-3.0-or-later */
/* talk.c - a conversation with a model, kept turn by turn. */
#include "action/talk.h"

#include <string.h>

#include "base/utf8.h"

#define ANSWER_KEPT                                                            \
    (64u << 10) /* of an answer, to show it to the model again */

struct talk {
    struct model_turn turns[TALK_TURNS_MAX];
    size_t n;
};

struct talk *
talk_new(struct err *e)
{
    struct talk *t = calloc(1, sizeof(*t));

    if (!t)
        err_nomem(e);
    return t;
}

/* The texts of a turn are its own, though everyone else borrows them. */
static void
text_done(const char *text)
{
    free((void *)(uintptr_t)text);
}

static void
wanted_done(const struct model_tool_call *list, size_t n)
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
    wanted_done(turn->tool_calls, turn->n_tool_calls);
    text_done(turn->text);
    text_done(turn->outside);
    text_done(turn->call_id);
    text_done(turn->call_name);
    *turn = (struct model_turn){0};
}

void
talk_free(struct talk *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        turn_done(&t->turns[i]);
    free(t);
}

const struct model_turn *
talk_turns(const struct talk *t, size_t *n)
{
    *n = t->n;
    return t->turns;
}

/* Counts what is there when all of it could be copied. */
static int
add(struct talk *t, bool whole, struct err *e)
{
    if (whole) {
        t->n++;
        return 0;
    }
    turn_done(&t->turns[t->n]);
    return err_set(e, ERR_NOMEM, "out of memory for the conversation");
}

static struct model_turn *
next_turn(struct talk *t, enum model_role role, struct err *e)
{
    if (t->n == TALK_TURNS_MAX) {
        err_set(e, ERR_NOMEM, "the conversation is longer than %d turns",
                TALK_TURNS_MAX);
        return NULL;
    }
    t->turns[t->n] = (struct model_turn){.role = role};
    return &t->turns[t->n];
}

/* Without the label nothing of the text may be sent. */
static bool
set_text(struct model_turn *turn, const char *text, const char *outside)
{
    turn->text = strdup(text);
    turn->outside = outside ? strdup(outside) : NULL;
    return turn->text && (turn->outside || !outside);
}

int
talk_user(struct talk *t, const char *text, const char *outside, struct err *e)
{
    struct model_turn *turn = next_turn(t, MODEL_USER, e);

    if (!turn)
        return -1;
    return add(t, set_text(turn, text, outside), e);
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
talk_assistant(struct talk *t, const struct model_answer *a, struct err *e)
{
    struct model_turn *turn = next_turn(t, MODEL_ASSISTANT, e);
    size_t len = a->text ? strnlen(a->text, a->len) : 0;
    struct model_tool_call *calls;
    bool whole;

    if (!turn)
        return -1;
    calls = calloc(a->n_tool_calls + 1, sizeof(*calls));
    turn->text = strndup(len ? a->text : "",
                         utf8_boundary(a->text, len, ANSWER_KEPT));
    whole = calls && turn->text;
    turn->tool_calls = calls;
    for (; whole && turn->n_tool_calls < a->n_tool_calls; turn->n_tool_calls++)
        whole = copy_call(&a->tool_calls[turn->n_tool_calls],
                          &calls[turn->n_tool_calls]);
    return add(t, whole, e);
}

int
talk_result(struct talk *t, const struct model_tool_call *call,
            const char *text, const char *outside, bool failed, struct err *e)
{
    struct model_turn *turn = next_turn(t, MODEL_RESULT, e);
    bool whole;

    if (!turn)
        return -1;
    whole = set_text(turn, text, outside);
    turn->call_id = strdup(call->id);
    turn->call_name = strdup(call->name);
    turn->failed = failed;
    return add(t, whole && turn->call_id && turn->call_name, e);
}
