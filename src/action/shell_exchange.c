/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_exchange.c - collects what one request adds to the memory of a shell.
 */
#include "action/shell_exchange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "action/step_results.h"
#include "base/utf8.h"
#include "json/write.h"

/* A request of many rounds: what is behind this is left out. The last place is
 * for what others could have written, which must not get lost. */
#define ITEMS_MAX  64
#define WORDS_MAX  (8u << 10)  /* bytes of what was asked */
#define ANSWER_MAX (16u << 10) /* of an answer */
#define STREAM_MAX (2u << 10)  /* of the end of each stream of a step */
#define STEPS_MAX  (8u << 10)  /* of what a plan's steps wrote, about */
#define REASON_MAX 1024
/* Of all that is told of them: an end without its outputs is some 100 bytes. */
#define ROOM_FOR_STEPS (2 * STEPS_MAX)

struct shell_exchange {
    struct session_item items[ITEMS_MAX];
    size_t n;
    struct step_results results; /* of the plan that was proposed last */
    int64_t left_out;            /* ends of steps that are not in them */
    bool shows;                  /* they hold bytes that steps wrote */
    bool plan, ran;              /* it has steps; one of them ran */
    bool answered, ended;
};

static void
clear_exchange(struct shell_exchange *x)
{
    for (size_t i = 0; i < x->n; i++)
        free((void *)(uintptr_t)x->items[i].text);
    step_results_done(&x->results);
    *x = (struct shell_exchange){0};
    step_results_init(&x->results);
    x->results.stream_max = STREAM_MAX;
    x->results.max = STEPS_MAX;
}

struct shell_exchange *
shell_exchange_new(struct err *e)
{
    struct shell_exchange *x = calloc(1, sizeof(*x));

    if (!x) {
        err_nomem(e);
        return NULL;
    }
    clear_exchange(x);
    return x;
}

void
shell_exchange_free(struct shell_exchange *x)
{
    if (!x)
        return;
    clear_exchange(x);
    step_results_done(&x->results);
    free(x);
}

/* Adds the beginning of a text. */
static void
add_exchange_item(struct shell_exchange *x, const char *kind, const char *p,
                  size_t n, size_t max)
{
    CLEANUP_BUF struct buf text = buf_of(3 * max + 64);
    bool cut = n > max;

    if (x->n >= ITEMS_MAX - (strcmp(kind, SHELL_EXCHANGE_OUTSIDE) != 0))
        return;
    utf8_repair(&text, p, cut ? utf8_boundary(p, n, max) : n);
    if (cut)
        buf_str(&text, "\n[the rest was left out]");
    if (text.bad)
        return;
    x->items[x->n] = (struct session_item){kind, text.p ? text.p : strdup(""),
                                           text.len};
    x->n += x->items[x->n].text != NULL;
    buf_init(&text, 0); /* the text is the item's */
}

void
shell_exchange_begin(struct shell_exchange *x, const char *words, size_t input)
{
    CLEANUP_BUF struct buf text = buf_of(WORDS_MAX + 256);

    if (!x)
        return;
    clear_exchange(x);
    buf_add(&text, words, utf8_boundary(words, strlen(words), WORDS_MAX));
    if (input > 0)
        buf_printf(&text, "%s[%zu bytes were piped in with it]",
                   text.len ? "\n" : "", input);
    add_exchange_item(x, SHELL_EXCHANGE_ASK, text.p ? text.p : "", text.len,
                      text.max);
}

/* Adds what the steps wrote so far, before something else is said. */
static void
flush_results(struct shell_exchange *x)
{
    struct buf *text = &x->results.text;

    if (x->left_out > 0)
        buf_printf(text, "{\"left_out\":%" PRId64 "}\n", x->left_out);
    x->left_out = 0;
    if (text->len > 0)
        add_exchange_item(
            x, x->shows ? SHELL_EXCHANGE_CAME : SHELL_EXCHANGE_STATUS, text->p,
            text->len, text->len);
    buf_clear(&x->results.text);
    x->shows = false;
}

void
shell_exchange_reply(struct shell_exchange *x, const char *words)
{
    if (!x)
        return;
    flush_results(x);
    add_exchange_item(x, SHELL_EXCHANGE_REPLY, words, strlen(words), WORDS_MAX);
}

void
shell_exchange_propose(struct shell_exchange *x, const struct aiaction *a)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    struct json_writer w;

    if (!x)
        return;
    flush_results(x);
    if (x->n > 0 && strcmp(x->items[x->n - 1].kind, SHELL_EXCHANGE_ANSWER) == 0)
        free((void *)(uintptr_t)x->items[--x->n].text);
    json_write_init(&w, &text);
    aiaction_put(&w, a);
    if (text.bad)
        return;
    add_exchange_item(x, SHELL_EXCHANGE_ANSWER, text.p, text.len, ANSWER_MAX);
    x->answered = true;
    x->plan = a->kind != ANSWER_ONLY;
    x->ran = false;
}

void
shell_exchange_add_step(struct shell_exchange *x, const struct step *s,
                        const struct step_end *end)
{
    if (!x)
        return;
    x->ran = true;
    if (x->results.text.len > ROOM_FOR_STEPS) { /* many hosts */
        x->left_out++;
        return;
    }
    x->shows |= !end->secret &&
                (end->out_len > 0 || end->err_len > 0 || end->meta);
    x->shows |= end->denied && end->denied[0];
    step_results_add(&x->results, s, end);
}

/* How a plan ended that did not run to its end. */
static void
add_stop(struct shell_exchange *x, const struct err *why)
{
    struct json_writer w;

    json_write_init(&w, &x->results.text);
    json_open_object(&w);
    json_member_bool(&w, "stopped", true);
    if (!x->ran)
        json_member_bool(&w, "ran", false);
    json_member_str(&w, "why", why ? why->text : "it was only shown");
    json_close_object(&w);
    buf_ch(&x->results.text, '\n');
}

void
shell_exchange_end(struct shell_exchange *x, const struct err *why,
                   const char *outside)
{
    if (!x || !x->answered)
        return;
    if (x->plan && (why || !x->ran))
        add_stop(x, why);
    flush_results(x);
    if (outside)
        add_exchange_item(x, SHELL_EXCHANGE_OUTSIDE, outside, strlen(outside),
                          REASON_MAX);
    x->ended = true;
}

const struct session_item *
shell_exchange_items(const struct shell_exchange *x, size_t *n)
{
    *n = x && x->ended ? x->n : 0;
    return x ? x->items : NULL;
}
