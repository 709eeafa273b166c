/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edits.c - pieces of a text replaced by others, one after another. */
#include "plugins/fs.edit_file/edits.h"

#include <stdbool.h>
#include <string.h>

struct edit {
    const char *find, *replace;
    size_t find_n, replace_n;
    bool all;
};

static int
read_edit(const struct json *v, struct edit *out, struct err *e)
{
    const struct json *all = json_get(v, "all");

    *out = (struct edit){0};
    out->find = json_str(json_get(v, "find"), &out->find_n);
    out->replace = json_str(json_get(v, "replace"), &out->replace_n);
    if (!out->find || !out->replace)
        return err_set(e, ERR_INVALID, "%s must be a string",
                       out->find ? "replace" : "find");
    if (out->find_n == 0)
        return err_set(e, ERR_INVALID, "find is empty");
    if (all && json_type(all) != JSON_NULL && !json_bool(all, &out->all))
        return err_set(e, ERR_INVALID, "all must be true or false");
    return 0;
}

static size_t
count(const struct buf *text, const struct edit *x)
{
    const char *p = text->p, *end = text->p + text->len;
    size_t n = 0;

    while ((p = memmem(p, (size_t)(end - p), x->find, x->find_n)) != NULL) {
        p += x->find_n;
        n++;
    }
    return n;
}

/* The usual reason for a text that is plainly there and is not found. */
static bool
has_other_ends(const struct buf *text, const struct edit *x)
{
    return memchr(x->find, '\n', x->find_n) &&
           !memmem(x->find, x->find_n, "\r\n", 2) &&
           memmem(text->p, text->len, "\r\n", 2);
}

static int
check_count(const struct buf *text, const struct edit *x, size_t n,
            struct err *e)
{
    if (n == 0)
        return err_set(e, ERR_NOT_FOUND, "the text is not in the file%s",
                       has_other_ends(text, x) ? ", whose lines end in \\r\\n"
                                               : "");
    if (n > 1 && !x->all)
        return err_set(e, ERR_INVALID,
                       "the text is in the file %zu times: use a longer one, "
                       "or \"all\": true",
                       n);
    return 0;
}

static int
replace_all(struct buf *text, const struct edit *x, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(EDITS_BYTES_MAX);
    const char *p = text->p, *end = text->p + text->len, *at;

    while ((at = memmem(p, (size_t)(end - p), x->find, x->find_n)) != NULL) {
        buf_add(&out, p, (size_t)(at - p));
        buf_add(&out, x->replace, x->replace_n);
        p = at + x->find_n;
    }
    buf_add(&out, p, (size_t)(end - p));
    if (buf_ok(&out, "the edited file", e) < 0)
        return -1;
    buf_done(text);
    *text = out;
    out = buf_of(0);
    return 0;
}

static int
apply(const struct json *v, struct buf *text, int64_t *made, struct err *e)
{
    struct edit x;
    size_t n;

    if (read_edit(v, &x, e) < 0)
        return -1;
    n = count(text, &x);
    if (check_count(text, &x, n, e) < 0 || replace_all(text, &x, e) < 0)
        return -1;
    *made += (int64_t)n;
    return 0;
}

int
edits_apply(const struct json *edits, struct buf *text, int64_t *made,
            struct err *e)
{
    size_t n = json_count(edits);
    int64_t sum = 0;
    int i = 1;

    if (json_type(edits) != JSON_ARRAY || n == 0 || n > EDITS_MAX)
        return err_set(e, ERR_INVALID,
                       "args.edits must be an array of 1 to %d edits",
                       EDITS_MAX);
    for (const struct json *v = json_first(edits); v; v = json_next(v), i++) {
        if (apply(v, text, &sum, e) < 0)
            return err_wrap(e, "edit %d", i);
    }
    *made = sum;
    return 0;
}
