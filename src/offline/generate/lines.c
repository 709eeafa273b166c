/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - generates cat, head and tail commands. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/archive.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char lines_refused[] =
    "replace substitute match matching contain containing contains commit "
    "process search grep directory folder directories folders find column "
    "columns field fields archive compare differ common convert user users "
    "history package rename copy move split compress only "
    "permission permissions executable owner ownership give";
static const char showing[] = "show print display list get see view output "
                              "read give cat head tail extract take dump "
                              "follow watch";
static const char sources[] = "file files line lines text log output content "
                              "contents stdin input document";

/* "20 lines from line 100 on" */
static bool
lines_from(struct builder *k, const struct literal *n,
           const struct literal *from)
{
    const struct request *q = k->l->q;

    if (!literals_in("lines", q->words[n->word + 1].plain) ||
        !literals_in("line", q->words[from->word - 1].plain))
        return false;
    builder_mark(k, n->word);
    builder_mark(k, from->word);
    builder_says(k, "line lines");
    builder_says(k, "from start starting begin beginning");
    buf_printf(&k->out, "tail -n +%lld", (long long)from->value->amount);
    if (!builder_files(k, 1u << ROLE_IN | 1u << ROLE_FROM | 1u << ROLE_OBJECT))
        builder_open(k, "FILE");
    buf_printf(&k->out, " | head -n %lld", (long long)n->value->amount);
    k->piped = true;
    return true;
}

/* What is shown of the lines; several of them make a pipeline. */
static bool
put_range(struct builder *k, bool *range)
{
    size_t line = builder_row_at(k, "line/lines");
    const struct literal *a = NULL;
    const struct literal *b = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || l->value->is != SLOT_NUMBER)
            continue;
        if (!a)
            a = l;
        else if (!b)
            b = l;
    }
    if (a && b && lines_from(k, a, b))
        return true;
    if (!a || line == REQUEST_NONE || line > a->word ||
        builder_has(k, "first last top bottom"))
        return false;
    *range = b != NULL;
    builder_mark(k, a->word);
    builder_mark(k, line);
    if (b) {
        builder_mark(k, b->word);
        builder_says(k, "between from through");
        buf_printf(&k->out, "sed -n %lld,%lldp", (long long)a->value->amount,
                   (long long)b->value->amount);
    } else if (builder_says(k, "start starting from onwards onward since "
                               "begin beginning after")) {
        builder_says(k, "onwards onward");
        buf_printf(&k->out, "tail -n +%lld", (long long)a->value->amount);
    } else {
        buf_printf(&k->out, "sed -n %lldp", (long long)a->value->amount);
    }
    return true;
}

/* "first 5 lines", "the last line", "all but the first line", "skip the
 * first 3 lines" */
static bool
put_head_or_tail(struct builder *k)
{
    static const char units[] = "line lines byte bytes character characters";
    bool last = builder_has(k, "last bottom tail");
    bool first = builder_has(k, "first top head");
    bool but = builder_has(k, "but except skip skipping without ignore "
                              "ignoring excluding exclude omit omitting");
    bool bytes = builder_has(k, "byte bytes character characters");
    const struct literal *l = NULL;
    long n = builder_count(k, units);

    if ((!last && !first) ||
        (bytes && builder_has(k, "each every") && builder_has(k, "line")))
        return false;
    if ((l = builder_take(k, ROLE_ANY, 1u << SLOT_SIZE))) {
        builder_says(k, last ? "last" : "first");
        buf_printf(&k->out, "%s -c %lld", last ? "tail" : "head",
                   (long long)l->value->amount);
        if (l->value->unit && l->value->unit != 'c')
            buf_ch(&k->out, l->value->unit);
        return true;
    }
    if (n < 0 && !bytes)
        l = builder_take(k, ROLE_ANY, 1u << SLOT_NUMBER);
    if (l && l->value->is == SLOT_NUMBER)
        n = (long)l->value->amount;
    if (n < 0 && builder_has(k, "line"))
        n = builder_row_at(k, "last/first line") != REQUEST_NONE ? 1 : 10;
    if (n < 0 && !builder_has(k, "head tail"))
        return false;
    if (n < 0)
        n = 10;
    builder_says(k, last ? "last bottom tail" : "first top head");
    if (but)
        builder_says(k, "but except skip skipping without ignore ignoring "
                        "excluding exclude omit omitting");
    builder_says(k, "line lines byte bytes character characters");
    if (last)
        buf_printf(&k->out, but ? "head -%c -%ld" : "tail -%c %ld",
                   bytes ? 'c' : 'n', n);
    else if (but)
        buf_printf(&k->out, "tail -%c +%ld", bytes ? 'c' : 'n', n + 1);
    else
        buf_printf(&k->out, "head -%c %ld", bytes ? 'c' : 'n', n);
    return true;
}

static bool
wants_following(const struct builder *k)
{
    return builder_plain_at(k, "follow following live realtime real-time "
                               "continuously grow grows growing") !=
               REQUEST_NONE ||
           builder_row_at(k, "as it grow/grows/change/changes") !=
               REQUEST_NONE ||
           builder_row_at(k, "real time") != REQUEST_NONE ||
           builder_row_at(k, "new line/lines added/appended/written/add/"
                             "append") != REQUEST_NONE ||
           builder_row_at(k, "additional data") != REQUEST_NONE ||
           builder_row_at(k, "keep watching/printing/reading") !=
               REQUEST_NONE ||
           (builder_has(k, "watch") && builder_has(k, "log"));
}

static bool
put_follow(struct builder *k)
{
    long n;

    if (!wants_following(k) || builder_has(k, "command every second seconds"))
        return false;
    builder_says(k, "follow following live realtime continuously watch tail "
                    "grow grows growing");
    n = builder_count(k, "line lines last");
    if (n >= 0)
        buf_printf(&k->out, "tail -n %ld -f", n);
    else
        buf_str(&k->out, "tail -f");
    builder_says(k, "last");
    return true;
}

static const unsigned lines_file_parts = ROLE_ANY & ~(1u << ROLE_TO);

/* "the log of nginx": no file of that name. */
static bool
names_service(const struct builder *k)
{
    for (size_t i = 0; builder_has(k, "log journal") && i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->value->is == SLOT_NAME && !l->value->exists &&
            !l->value->quoted && !strpbrk(l->value->text, "./"))
            return true;
    }
    return false;
}

static int
add_shown(struct builder *k, struct shortlist *s, struct err *e)
{
    bool range = false;
    double fit = FIT_SURE;

    if (!put_follow(k) && !put_range(k, &range) && !put_head_or_tail(k))
        return 0;
    builder_says(k, showing);
    if (!builder_files(k, lines_file_parts) && !k->piped &&
        !(wants_following(k) && builder_files(k, ROLE_ANY))) {
        if (!builder_has(k, "line lines file log"))
            return 0;
        builder_open(k, "FILE");
        fit = FIT_LIKELY;
    }
    builder_says(k, sources);
    return builder_add(k, s, fit, "some lines of a file", e);
}

/* No lines to show, nor to put one behind the other. */
static bool
is_no_text(const struct builder *k)
{
    static const char *const endings[] = {
        ".pdf", ".jpg", ".jpeg", ".png", ".gif",  ".mp3",  ".mp4",
        ".avi", ".mkv", ".mov",  ".wav", ".docx", ".xlsx", ".odt",
    };

    for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
        if (builder_has_ending(k, endings[i]))
            return true;
    return false;
}

/* "show x.txt", "print the contents of x with line numbers" */
static int
add_cat(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *file = builder_find_file(k, lines_file_parts);
    bool content = builder_has(k, "content contents");
    const struct literal *into;
    double fit = content ? FIT_SURE : FIT_MAYBE;
    size_t n;

    if (builder_has(k,
                    "description type format size kind name names descriptor "
                    "variable mount base time error"))
        fit = FIT_OTHER;
    if (!content && builder_plain_at(k, "list") != REQUEST_NONE)
        return 0;
    if (!file || !(builder_has(k, showing) ||
                   builder_has(k, "concatenate join merge combine")))
        return 0;
    if (archive_is_name(file->value->text) || is_no_text(k) ||
        (file->bare && !literal_is_surely_file(file)) ||
        (builder_has(k, "join merge combine") && builder_has(k, "line lines")))
        return 0;
    if (file->value->is == SLOT_TEXT || file->value->is_dir ||
        file->noun == NOUN_DIRECTORY)
        return 0;
    if (builder_says(k, "concatenate merge combine"))
        fit = FIT_SURE;
    else if (builder_has(k, "file") && !content && !builder_has(k, "files"))
        fit = FIT_LIKELY;
    builder_says(k, "reverse backwards");
    buf_str(&k->out, builder_says(k, "backwards") ? "tac" : "cat");
    if (builder_row(k, "line number/numbers") || builder_says(k, "numbered"))
        builder_put(k, "-n");
    else if (builder_row(k, "number line/lines"))
        builder_put(k, "-n");
    if (builder_row(k, "non-printing/nonprinting/special/hidden/invisible "
                       "character/characters"))
        builder_put(k, "-A");
    builder_says(k, "content contents");
    builder_says(k, showing);
    n = builder_files(k, lines_file_parts);
    if (!n)
        return 0;
    builder_says(k, "file files");
    if (n > 1 && (into = builder_find_file(k, 1u << ROLE_TO))) {
        builder_put(k, ">");
        builder_put_literal(k, into);
    }
    return builder_add(k, s, fit, "the contents of files", e);
}

static bool
lines_apply(struct builder *k)
{
    if (wants_following(k))
        return !builder_has(k, "command process");
    return !builder_has(k, lines_refused) && !builder_has_type(k, SLOT_AGE) &&
           (!builder_wants_find(k) || builder_has(k, "first last")) &&
           !builder_has(k, "delete remove insert append add count sort unique "
                           "duplicate duplicates many change modify "
                           "shuffle");
}

int
generate_lines(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    size_t before = s->n;

    literals_read(q, &l);
    builder_init(&k, &l, "lines");
    if (!lines_apply(&k) || names_service(&k))
        return 0;
    builder_source(&k);
    if (add_shown(&k, s, e) < 0)
        return -1;
    if (s->n > before)
        return 0;
    if (k.start)
        return 0;
    builder_again(&k);
    return add_cat(&k, s, e);
}
