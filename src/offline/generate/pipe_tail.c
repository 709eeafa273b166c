/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipe_tail.c - appends what is done with the lines that a command prints. */
#include <string.h>

#include "guard/path/path_table.h"
#include "offline/generate/generate.h"

static const char *const counting[] = {
    "how many", "count|total|calculate number", "number of", "count", NULL,
};
static const char *const backwards[] = {
    "reverse|descending|decreasing order",
    "reverse|descending|decreasing",
    "in reverse",
    "largest|biggest|newest|latest first",
    NULL,
};
static const char *const by_number[] = {
    "numerically", "by number", "numeric order", "numerical order", NULL,
};
static const char *const once[] = {
    "without duplicates",
    "unique|distinct",
    "remove duplicates",
    NULL,
};

static void
add_sort(const struct request *q, uint64_t *used, struct buf *out)
{
    bool down, number, unique;

    if (generate_claim(q, "sort|sorted|order|ordered by name", used) ==
            REQUEST_NONE &&
        generate_claim(q, "sort|sorted|sorts|sorting", used) == REQUEST_NONE &&
        generate_claim(q, "alphabetical|alphabetically order", used) ==
            REQUEST_NONE)
        return;
    down = generate_claims(q, backwards, used);
    number = generate_claims(q, by_number, used);
    unique = generate_claims(q, once, used);
    buf_str(out, " | sort");
    if (down || number || unique)
        buf_printf(out, " -%s%s%s", number ? "n" : "", down ? "r" : "",
                   unique ? "u" : "");
}

/* "first 5", "top 10 lines", "last 3": " | head -n 5" */
static void
add_some(const struct request *q, uint64_t *used, struct buf *out)
{
    for (size_t i = 0; i + 1 < q->n; i++) {
        const struct request_value *v = request_value_of(q, i + 1);
        bool last = generate_is(q, i, "last bottom");

        if (generate_used(*used, i) || generate_used(*used, i + 1) ||
            !generate_may(v, SLOT_NUMBER) || v->unit ||
            (!last && !generate_is(q, i, "first top only")))
            continue;
        buf_printf(out, " | %s -n %lld", last ? "tail" : "head",
                   (long long)v->amount);
        *used |= (uint64_t)3 << i;
        return;
    }
}

static const char *const saving[] = {
    "save|write|store|redirect|output|put|dump to|in|into|as",
    NULL,
};
static const char *const appending[] = {"append|add to", NULL};

/* Whether word i is the file that a verb before it writes: "save the output to
 * the file list.txt". */
static bool
is_named_output(const struct request *q, size_t i, const char *verbs)
{
    size_t at = i;
    bool to = false;

    while (at-- > 0 && (q->words[at].weak || generate_is(q, at, "file")))
        to |= generate_is(q, at, "to into in as");
    if (!to)
        return false;
    for (at = 0; at < i; at++)
        if (generate_is(q, at, verbs))
            return true;
    return false;
}

/* "save the list in files.txt": " > files.txt" */
static void
add_output_file(const struct request *q, uint64_t *used, struct buf *out)
{
    for (size_t i = 1; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);
        bool more = is_named_output(q, i, "append");

        if (generate_used(*used, i) || !v || !generate_may(v, SLOT_PATH) ||
            (!more &&
             !is_named_output(q, i, "save write store redirect output dump")))
            continue;
        buf_str(out, more ? " >> " : " > ");
        generate_word(out, v->text);
        generate_claims(q, more ? appending : saving, used);
        *used |= (uint64_t)1 << i;
        return;
    }
}

/* Words that discard error messages such as "Permission denied". */
void
generate_errors(const struct request *q, uint64_t *used, struct buf *out)
{
    static const char *const quiet[] = {
        "delete|suppress|hide|ignore|omit|except|without|redirect|drop|"
        "silence ?all|any ?permission ?denied error|warning ?message|output",
        "permission denied ?error|message",
        NULL,
    };
    struct generate_hit hit;

    if (!generate_claims(q, quiet, used))
        return;
    if (generate_match(q, "to {path}", *used, 0, &hit) &&
        path_is(request_value_of(q, hit.at)->text, PATH_IS_NULL))
        *used |= hit.set;
    buf_str(out, " 2>/dev/null");
}

bool
generate_tail(const struct request *q, uint64_t *used, struct buf *out)
{
    size_t before = out->len;

    generate_errors(q, used, out);
    add_sort(q, used, out);
    add_some(q, used, out);
    if (generate_claims(q, counting, used))
        buf_str(out, " | wc -l");
    add_output_file(q, used, out);
    return out->len > before;
}
