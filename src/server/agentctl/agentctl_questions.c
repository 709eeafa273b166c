/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_questions.c - an agent's own requests that have no answer yet. */
#include "server/agentctl/agentctl_questions.h"

#include <stdlib.h>
#include <string.h>

/* Bytes; of a longer line the id alone is kept. */
#define LINE_KEPT (256u << 10)

struct agentctl_question {
    struct agentctl_question *next;
    char *id;   /* as it is written */
    char *line; /* NULL: it was too long */
    size_t n;
};

static void
question_free(struct agentctl_question *x)
{
    free(x->id);
    free(x->line);
    free(x);
}

int
agentctl_questions_add(struct agentctl_questions *q, const struct jsonrpc *m,
                       const char *line, size_t n, struct err *e)
{
    struct agentctl_question *x, **at = &q->first;

    if (q->n == AGENTCTL_QUESTIONS_MAX)
        return err_set(e, ERR_NOMEM, "%d requests wait for an answer already",
                       AGENTCTL_QUESTIONS_MAX);
    if (!(x = calloc(1, sizeof(*x))))
        return err_nomem(e);
    x->id = strdup(m->id);
    if (n <= LINE_KEPT && (x->line = malloc(n + 1))) {
        memcpy(x->line, line, n);
        x->n = n;
    }
    if (!x->id) {
        question_free(x);
        return err_nomem(e);
    }
    while (*at)
        at = &(*at)->next;
    *at = x;
    q->n++;
    return 0;
}

/* Whether two ids are the same, however they are written. */
static bool
is_same_id(const char *a, const struct json *b)
{
    CLEANUP(json_free_p) struct json *v = json_parse(a, strlen(a), 0, NULL);

    return v && b && json_equal(v, b);
}

char *
agentctl_questions_take(struct agentctl_questions *q, const struct jsonrpc *m)
{
    const struct json *id = json_get(m->root, "id");

    for (struct agentctl_question **at = &q->first; *at; at = &(*at)->next) {
        struct agentctl_question *x = *at;
        char *own;

        if (!is_same_id(x->id, id))
            continue;
        *at = x->next;
        q->n--;
        own = TAKE_PTR(x->id);
        question_free(x);
        return own;
    }
    return NULL;
}

void
agentctl_questions_each(const struct agentctl_questions *q,
                        void (*each)(void *arg, const char *line, size_t n),
                        void *arg)
{
    for (const struct agentctl_question *x = q->first; x; x = x->next)
        if (x->line)
            each(arg, x->line, x->n);
}

void
agentctl_questions_clear(struct agentctl_questions *q)
{
    while (q->first) {
        struct agentctl_question *x = q->first;

        q->first = x->next;
        question_free(x);
    }
    q->n = 0;
}

void
agentctl_questions_put_yes(const struct json *params, struct buf *out)
{
    const struct json *o = json_first(json_get(params, "options"));
    struct json_writer w;
    const char *kind;

    while (o && (!(kind = json_get_str(o, "kind")) ||
                 strncmp(kind, "allow", 5) != 0 || !json_get(o, "optionId")))
        o = json_next(o);
    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "outcome");
    json_open_object(&w);
    json_member_str(&w, "outcome", o ? "selected" : "cancelled");
    if (o) {
        json_key(&w, "optionId");
        json_put_value(&w, json_get(o, "optionId"));
    }
    json_close_object(&w);
    json_close_object(&w);
}
