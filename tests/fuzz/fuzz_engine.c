/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_engine.c - any request: bash can parse what is proposed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "guard/syntax/syntax.h"
#include "offline/engine/engine.h"

#define REQUEST_MAX 4096
#define ANSWER_MAX  (4u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_command(const char *command)
{
    struct syntax s = {0};
    struct err e;

    if (!command[0] || strchr(command, '\n') ||
        syntax_read(command, strlen(command), &s, &e) < 0 || s.fault)
        abort();
    syntax_done(&s);
}

/* What no recipe has made runs nothing whose name is no name. */
static void
check_programs(const struct engine_answer *a)
{
    struct syntax s = {0};
    struct err e;

    if (a->recipe || syntax_read(a->command, strlen(a->command), &s, &e) < 0)
        return;
    for (const struct syntax_node *n = s.all; n; n = n->after)
        if (n->kind == SYNTAX_CALL && n->words &&
            strpbrk(n->words->text, " ;|&<>()`$\"'\\"))
            abort();
    syntax_done(&s);
}

static void
check_answers(const struct engine *g, struct engine_answers *a)
{
    CLEANUP_BUF struct buf text = buf_of(ANSWER_MAX);
    struct json_writer w;

    if (!(a->confidence >= 0 && a->confidence <= 1) || a->n > ENGINE_ANSWERS)
        abort();
    for (size_t i = 0; i < a->n; i++)
        check_command(a->v[i].command);
    for (size_t i = 0; i < a->n; i++)
        check_programs(&a->v[i]);
    json_write_init(&w, &text);
    engine_json(a, &w);
    engine_why(g, a, &w);
    if (text.bad || !utf8_valid(text.p, text.len))
        abort();
}

static void
check_plan(const struct engine_plan *p)
{
    if (p->n > RECIPE_STEPS_MAX)
        abort();
    for (size_t i = 0; i < p->n; i++)
        check_command(p->steps[i].command);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct seat *seat; /* one for all inputs */
    char *request = strndup((const char *)data,
                            size < REQUEST_MAX ? size : REQUEST_MAX);
    struct engine_answers answers = {0};
    struct engine_plan plan = {0};
    struct engine *g;
    struct err e;

    setenv("PATH", "/nonexistent", 1);
    if (!seat)
        seat = seat_of_process(NULL);
    g = seat ? engine_new(seat, &e) : NULL;
    if (request && g && engine_ask(g, request, &answers, &e) == 0)
        check_answers(g, &answers);
    if (request && g && engine_plan(g, request, &plan, &e) == 0)
        check_plan(&plan);
    engine_plan_done(&plan);
    engine_answers_done(&answers);
    engine_free(g);
    free(request);
    return 0;
}
