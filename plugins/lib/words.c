/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - finds programs and puts argv together. */
#include "plugins/lib/words.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"

#define LETTERS_DIGITS                                                         \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* DIR/NAME with DIR's links resolved. */
static char *
resolved(const char *path)
{
    const char *base = path_base(path);
    size_t n = (size_t)(base - path);
    CLEANUP(free_p) char *dir = strndup(path, n > 1 ? n - 1 : n);
    CLEANUP(free_p) char *real = dir ? realpath(dir, NULL) : NULL;

    return real ? path_join(real, base) : NULL;
}

char *
words_program(const char *name)
{
    static const char *const beside[] = {"/usr/sbin", "/sbin"};
    CLEANUP(free_p) char *found = path_find_program(name);
    char place[PATH_MAX];

    for (size_t i = 0; !found && i < ARRAY_SIZE(beside); i++) {
        snprintf(place, sizeof(place), "%s/%s", beside[i], name);
        found = path_find_program(place);
    }
    return found ? resolved(found) : NULL;
}

static int
add(struct words *w, const char *word, struct err *e)
{
    if (w->n == WORDS_MAX)
        return err_set(e, ERR_INVALID, "more than %d words", WORDS_MAX);
    w->argv[w->n++] = word;
    w->argv[w->n] = NULL;
    return 0;
}

static int
add_value(struct words *w, const struct words_value *v, struct err *e)
{
    for (size_t i = 0; i < v->n; i++) {
        if (add(w, v->list[i], e) < 0)
            return -1;
    }
    return 0;
}

static int
add_word(struct words *w, const char *word, const struct words_value *values,
         struct err *e)
{
    for (const struct words_value *v = values; v->mark; v++) {
        if (strcmp(word, v->mark) == 0)
            return add_value(w, v, e);
    }
    return add(w, word, e);
}

int
words_fill(struct words *w, const char *const row[WORDS_ROW],
           const struct words_value *values, struct err *e)
{
    *w = (struct words){.program = words_program(row[0])};
    if (!w->program)
        return err_set(e, ERR_UNSUPPORTED, "%s is not installed", row[0]);
    if (add(w, w->program, e) < 0)
        return -1;
    for (size_t i = 1; i < WORDS_ROW && row[i]; i++) {
        if (add_word(w, row[i], values, e) < 0)
            return -1;
    }
    return 0;
}

void
words_done(struct words *w)
{
    if (!w)
        return;
    free(w->program);
    *w = (struct words){0};
}

bool
words_is_name(const char *s, size_t n, const char *more, size_t max)
{
    if (n == 0 || n > max || !strchr(LETTERS_DIGITS, *s) || !*s)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!s[i] ||
            !(strchr(LETTERS_DIGITS "+._:@-", s[i]) || strchr(more, s[i])))
            return false;
    }
    return true;
}
