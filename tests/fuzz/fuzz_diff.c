/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_diff.c - any two texts: the lines that a diff keeps and adds are the
 * new text, those that it keeps and removes are the old one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sides {
    struct buf old, new;
};

static void
add(struct buf *b, const char *line, size_t n)
{
    buf_add(b, line, n);
    buf_ch(b, '\n');
}

static void
on_line(void *arg, char mark, const char *line, size_t n)
{
    struct sides *s = arg;

    if (mark == '@')
        return;
    if (mark == '\\')
        abort(); /* the texts below all end in a newline */
    if (mark == '-' || mark == ' ')
        add(&s->old, line, n);
    if (mark == '+' || mark == ' ')
        add(&s->new, line, n);
}

static void
nothing(void *arg, char mark, const char *line, size_t n)
{
    (void)arg;
    (void)mark;
    if (n > 0 && memchr(line, '\n', n))
        abort();
}

/* Whole texts as one hunk must give both back. */
static void
check_whole(const char *old, size_t old_n, const char *new, size_t new_n)
{
    struct sides s = {buf_of(1u << 20), buf_of(1u << 20)};
    struct diff d;

    if (diff_make(old, old_n, new, new_n, &d, NULL) < 0)
        return;
    diff_unified(&d, 1u << 20, on_line, &s);
    if (d.added + d.removed > 0 &&
        (s.old.len != old_n || memcmp(s.old.p, old, old_n) != 0 ||
         s.new.len != new_n || memcmp(s.new.p, new, new_n) != 0))
        abort();
    if (d.added + d.removed == 0 &&
        (old_n != new_n || memcmp(old, new, old_n) != 0))
        abort();
    diff_done(&d);
    buf_done(&s.old);
    buf_done(&s.new);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *cut = size ? memchr(text, '\0', size) : NULL;
    size_t n = cut ? (size_t)(cut - text) : size / 2;
    size_t skip = cut ? n + 1 : n;
    struct diff d;

    if (diff_make(text, n, text + skip, size - skip, &d, NULL) == 0) {
        diff_unified(&d, 3, nothing, NULL);
        diff_unified(&d, 0, nothing, NULL);
        diff_done(&d);
    }
    while (n > 0 && text[n - 1] != '\n')
        n--;
    while (size > skip && text[size - 1] != '\n')
        size--;
    check_whole(text, n, text + skip, size - skip);
    return 0;
}
