/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.c - the user's message: the wish, and what belongs to it. */
#include "person/message.h"

#include "action/known.h"
#include "model/prompt/context.h"
#include "model/prompt/prompt.h"
#include "person/examples.h"

#define CONTEXT_MAX (256u << 10)

static const enum prompt_part mode_prompt[] = {
    [AIACTION_DO] = PROMPT_DO,
    [AIACTION_RUN] = PROMPT_RUN,
    [AIACTION_EXPLAIN] = PROMPT_EXPLAIN,
};

/* A model on this machine may have few thousand tokens for all, and reads them
 * slowly. */
static size_t
examples_room(const struct model_selection *c)
{
    return model_selection_is_local(c) ? EXAMPLES_BYTES / 2 : EXAMPLES_BYTES;
}

int
message_write(struct app *a, const struct wish *w,
              const struct model_selection *c, const struct buf *input,
              struct buf *out, struct origin *o, struct err *e)
{
    CLEANUP_BUF struct buf context = buf_of(CONTEXT_MAX);
    CLEANUP_BUF struct buf tools = buf_of(CONTEXT_MAX);
    CLEANUP_BUF struct buf recipes = buf_of(CONTEXT_MAX);
    struct prompt_params p = {.mode = mode_prompt[w->mode], .text = w->text};

    if (context_write(&context, o, e) < 0)
        return -1;
    p.context = context.p;
    if (w->mode != AIACTION_EXPLAIN && a->registry)
        known_write(a->registry, &tools, o);
    p.tools = tools.bad ? NULL : tools.p;
    if (w->mode != AIACTION_EXPLAIN)
        examples_write(w->text, examples_room(c), &recipes);
    p.recipes = recipes.p;
    if (input->len > 0) {
        p.input = input->p;
        p.input_len = input->len;
        origin_note(o, "what was piped in");
    }
    return prompt_user(&p, out, e);
}
