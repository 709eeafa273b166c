/* SPDX-License-Identifier: GPL-3.0-or-later */
/* examples.c - recipes that a model is shown beside the wish. */
#include "person/examples.h"

#include <string.h>

#include "offline/wish/engine.h"

#define EXAMPLES_MAX 5

/* The engine's confidence that the first is meant. A model needs less than a
 * person who would run it: it sees what does not fit. Below this most is
 * beside the point. */
#define NEAR 0.3
/* Of the first one's score, the others. */
#define SHARE 0.8

static bool
is_near(const struct engine_answers *a, size_t i)
{
    return a->confidence >= NEAR && a->v[i].score >= SHARE * a->v[0].score;
}

/* A command of several lines would not be one example a line. */
static void
put_example(const struct engine_answer *v, size_t max, struct buf *out)
{
    size_t n = strlen(v->title) + strlen(v->command) + 3;

    if (strchr(v->command, '\n') || out->len + n > max)
        return;
    buf_printf(out, "%s%s%s\n", v->title, v->title[0] ? ": " : "", v->command);
}

void
examples_write(const char *wish, size_t max, struct buf *out)
{
    CLEANUP(engine_free_p) struct engine *g = engine_new(NULL);
    CLEANUP(engine_answers_done) struct engine_answers a = {0};

    if (!g || engine_ask(g, wish, &a, NULL) < 0)
        return;
    for (size_t i = 0; i < a.n && i < EXAMPLES_MAX; i++) {
        if (is_near(&a, i))
            put_example(&a.v[i], max, out);
    }
}
