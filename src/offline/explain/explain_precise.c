/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_precise.c - options said with the values that they have. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_phrase.h"

/* Whether the row, "-f" or "-f=-", is about the option as it was used. */
static bool
is_about(const struct explainer *x, const struct page_row *row,
         const struct fact_option *o)
{
    const char *name = row->field[0], *value = strchr(name + 1, '=');
    size_t n = value ? (size_t)(value - name) : strlen(name);

    if (o->to <= o->from || !page_row_names(o->row, name, n))
        return false;
    return !value || (strlen(value + 1) == o->to - o->from &&
                      !memcmp(value + 1, x->line + o->from, o->to - o->from));
}

static void
say_option(struct explainer *x, const struct fact *f,
           const struct fact_option *o)
{
    struct phrase none;
    struct sayer s = {.x = x, .f = f, .option = o, .out = &none};
    bool said = false;

    phrase_init(&none);
    for (size_t i = 0; !said && i < f->table->n; i++) {
        const struct page_row *row = &f->table->rows[i];
        CLEANUP_BUF struct buf meaning = buf_of(PHRASE_PART_MAX);

        said = row->kind == 'V' && is_about(x, row, o) &&
               template_text(&s, row->field[1], row->field[2], &meaning);
        if (said)
            explain_say_again(x, o->part, &meaning);
    }
    phrase_done(&none);
}

void
explain_precise(struct explainer *x, const struct fact *f)
{
    for (size_t i = 0; f && f->table && i < f->n_options; i++)
        if (f->options[i].row->kind == 'O')
            say_option(x, f, &f->options[i]);
}
