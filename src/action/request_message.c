/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_message.c - writes the messages to a model that begin a request. */
#include "action/request_message.h"

#include <stdbool.h>
#include <string.h>

#include "action/step_tools.h"
#include "base/buf.h"
#include "model/prompt/context.h"
#include "model/prompt/prompt.h"
#include "offline/engine/engine.h"

#define EXAMPLES_BYTES 1024 /* of the message, for recipes */
#define EXAMPLES_MAX   3
/* Bytes of a request: which recipe is near a longer one hangs on the words that
 * come first, and finding none takes 5 ms. */
#define EXAMPLES_REQUEST_MAX 256
/* The engine's confidence in its first answer below which no recipe is added. A
 * model needs less than a user who would run it: it sees what does not fit.
 * Below this most recipes are beside the point. */
#define NEAR        0.3
#define SHARE       0.8 /* of the best score: what the others must have */
#define CONTEXT_MAX (256u << 10)
#define WORDS_MAX   (1u << 20)

static const enum prompt_part mode_prompt[] = {
    [AIACTION_DO] = PROMPT_DO,
    [AIACTION_RUN] = PROMPT_RUN,
    [AIACTION_EXPLAIN] = PROMPT_EXPLAIN,
};

static bool
is_near_answer(const struct engine_answers *a, size_t i)
{
    return a->confidence >= NEAR && a->v[i].score >= SHARE * a->v[0].score;
}

/* Appends a recipe, unless its command has several lines. */
static void
put_example(const struct engine_answer *v, size_t max, struct buf *out)
{
    size_t n = strlen(v->title) + strlen(v->command) + 3;

    if (strchr(v->command, '\n') || out->len + n > max)
        return;
    buf_printf(out, "%s%s%s\n", v->title, v->title[0] ? ": " : "", v->command);
}

/* Appends at most max bytes of lines "title: command" of the recipes that are
 * nearest to the request. */
static void
put_examples(const struct seat *s, const char *request, size_t max,
             struct buf *out)
{
    CLEANUP(engine_free_p) struct engine *g = NULL;
    CLEANUP(engine_answers_done) struct engine_answers a = {0};

    if (strlen(request) > EXAMPLES_REQUEST_MAX)
        return;
    g = engine_new(s, NULL);
    if (!g || engine_ask(g, request, &a, NULL) < 0)
        return;
    for (size_t i = 0; i < a.n && i < EXAMPLES_MAX; i++) {
        if (is_near_answer(&a, i))
            put_example(&a.v[i], max, out);
    }
}

/* A model on this machine may have a few thousand tokens for everything, and
 * reads them slowly. */
static size_t
examples_bytes(const struct model_selection *c)
{
    return model_selection_is_local(c) ? EXAMPLES_BYTES / 2 : EXAMPLES_BYTES;
}

int
request_message_write_system(struct registry *r, enum aiaction_mode mode,
                             bool look, struct buf *out, struct origin *o,
                             struct err *e)
{
    CLEANUP_BUF struct buf tools = buf_of(CONTEXT_MAX);

    if (mode != AIACTION_EXPLAIN && r)
        step_tools_describe(r, &tools, o);
    return prompt_system(look, tools.bad ? NULL : tools.p, out, e);
}

/* Of other hosts nothing is known, and facts about this one would mislead. */
static int
write_request_context(const struct seat *s, const struct user_request *request,
                      struct buf *out, struct origin *o, struct err *e)
{
    if (!request->hosts || request->mode == AIACTION_EXPLAIN)
        return context_write(s, request->about_last, request->last_shown, out,
                             o, e);
    buf_str(out, "the commands run on other hosts, by ssh: ");
    host_list_put(request->hosts, out);
    buf_str(out, "\nnot on this machine; nothing is known of their files and "
                 "programs\nshell: bash, without a terminal; each command "
                 "begins in the home directory there\n");
    return buf_ok(out, "the context", e);
}

/* The words; of a command that ran here it is said what is asked about it. */
static int
put_request_words(const struct user_request *request, struct buf *out,
                  struct err *e)
{
    buf_str(out, request->text);
    if (request->about_last)
        buf_str(out, "\nThis is the last command of my shell. The facts have "
                     "how it ended and, if that is known, what it showed: "
                     "explain that too.");
    return buf_ok(out, "the request", e);
}

int
request_message_write(const struct seat *s, const struct user_request *request,
                      const struct model_selection *c, struct buf *out,
                      struct origin *o, struct err *e)
{
    CLEANUP_BUF struct buf context = buf_of(CONTEXT_MAX);
    CLEANUP_BUF struct buf recipes = buf_of(CONTEXT_MAX);
    CLEANUP_BUF struct buf words = buf_of(WORDS_MAX);
    struct prompt_params p = {.mode = mode_prompt[request->mode],
                              .before = request->before};

    if (put_request_words(request, &words, e) < 0)
        return -1;
    p.text = words.p ? words.p : "";
    if (write_request_context(s, request, &context, o, e) < 0)
        return -1;
    origin_note(o, request->before_outside);
    p.context = context.p;
    if (request->mode != AIACTION_EXPLAIN)
        put_examples(s, request->text, examples_bytes(c), &recipes);
    p.recipes = recipes.p;
    if (request->input_len > 0) {
        p.input = request->input;
        p.input_len = request->input_len;
        origin_note(o, request->input_name);
    }
    return prompt_user(&p, out, e);
}
