/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chronicle_need.c - what a tool has run as root, for the journal. */
#include "person/chronicle.h"
#include "json/write.h"

#define WORDS_MAX (1u << 20) /* of an event line, escaped */

static struct json *
tree_of(const char *const *argv)
{
    CLEANUP_BUF struct buf text = buf_of(WORDS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_array(&w);
    for (; *argv; argv++)
        json_put_str(&w, *argv);
    json_close_array(&w);
    return text.bad ? NULL : json_parse(text.p, text.len, 0, NULL);
}

void
chronicle_root(struct app *a, int64_t step, const char *const *argv,
               const char *by, bool runs)
{
    CLEANUP(json_free_p) struct json *words = tree_of(argv);

    app_record(a, "need",
               (const struct journal_member[]){
                   chronicle_number("step", step),
                   JOURNAL_TREE("argv", words),
                   JOURNAL_STR("by", by),
                   JOURNAL_STR("decision", runs ? "run" : "refused"),
                   {0},
               });
}

void
chronicle_need(struct app *a, size_t step, const char *const *argv,
               enum plan_need how)
{
    static const char *const whose[] = {
        [PLAN_NEED_STEP] = "the yes to the step",
        [PLAN_NEED_YES] = "person",
        [PLAN_NEED_NO] = "person",
        [PLAN_NEED_NOBODY] = "no terminal to ask on",
    };

    if (chronicle_open(a))
        chronicle_root(a, (int64_t)step + 1, argv, whose[how],
                       how == PLAN_NEED_STEP || how == PLAN_NEED_YES);
}
