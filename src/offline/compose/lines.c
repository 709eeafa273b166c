/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - cat, head, tail, sed -n, sort, uniq, wc: the lines of files. */
#include <string.h>

#include "offline/compose/archive.h"
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char refused[] =
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
lines_from(struct sketch *k, const struct literal *n,
           const struct literal *from)
{
    const struct request *q = k->l->q;

    if (!literals_in("lines", q->words[n->word + 1].plain) ||
        !literals_in("line", q->words[from->word - 1].plain))
        return false;
    sketch_mark(k, n->word);
    sketch_mark(k, from->word);
    sketch_says(k, "line lines");
    sketch_says(k, "from start starting begin beginning");
    buf_printf(&k->out, "tail -n +%lld", (long long)from->value->amount);
    if (!sketch_files(k, 1u << ROLE_IN | 1u << ROLE_FROM | 1u << ROLE_OBJECT))
        sketch_open(k, "FILE");
    buf_printf(&k->out, " | head -n %lld", (long long)n->value->amount);
    k->piped = true;
    return true;
}

/* What is shown of the lines; several of them make a pipeline. */
static bool
put_range(struct sketch *k, bool *range)
{
    size_t line = sketch_row_at(k, "line/lines");
    const struct literal *a = NULL;
    const struct literal *b = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!sketch_is_free(k, l) || l->value->is != SLOT_NUMBER)
            continue;
        if (!a)
            a = l;
        else if (!b)
            b = l;
    }
    if (a && b && lines_from(k, a, b))
        return true;
    if (!a || line == REQUEST_NONE || line > a->word ||
        sketch_has(k, "first last top bottom"))
        return false;
    *range = b != NULL;
    sketch_mark(k, a->word);
    sketch_mark(k, line);
    if (b) {
        sketch_mark(k, b->word);
        sketch_says(k, "between from through");
        buf_printf(&k->out, "sed -n %lld,%lldp", (long long)a->value->amount,
                   (long long)b->value->amount);
    } else if (sketch_says(k, "start starting from onwards onward since "
                              "begin beginning after")) {
        sketch_says(k, "onwards onward");
        buf_printf(&k->out, "tail -n +%lld", (long long)a->value->amount);
    } else {
        buf_printf(&k->out, "sed -n %lldp", (long long)a->value->amount);
    }
    return true;
}

/* "first 5 lines", "the last line", "all but the first line", "skip the
 * first 3 lines" */
static bool
put_ends(struct sketch *k)
{
    static const char units[] = "line lines byte bytes character characters";
    bool last = sketch_has(k, "last bottom tail");
    bool first = sketch_has(k, "first top head");
    bool but = sketch_has(k, "but except skip skipping without ignore "
                             "ignoring excluding exclude omit omitting");
    bool bytes = sketch_has(k, "byte bytes character characters");
    const struct literal *l = NULL;
    long n = sketch_count(k, units);

    if ((!last && !first) ||
        (bytes && sketch_has(k, "each every") && sketch_has(k, "line")))
        return false;
    if ((l = sketch_take(k, ROLE_ANY, 1u << SLOT_SIZE))) {
        sketch_says(k, last ? "last" : "first");
        buf_printf(&k->out, "%s -c %lld", last ? "tail" : "head",
                   (long long)l->value->amount);
        if (l->value->unit && l->value->unit != 'c')
            buf_ch(&k->out, l->value->unit);
        return true;
    }
    if (n < 0 && !bytes)
        l = sketch_take(k, ROLE_ANY, 1u << SLOT_NUMBER);
    if (l && l->value->is == SLOT_NUMBER)
        n = (long)l->value->amount;
    if (n < 0 && sketch_has(k, "line"))
        n = sketch_row_at(k, "last/first line") != REQUEST_NONE ? 1 : 10;
    if (n < 0 && !sketch_has(k, "head tail"))
        return false;
    if (n < 0)
        n = 10;
    sketch_says(k, last ? "last bottom tail" : "first top head");
    if (but)
        sketch_says(k, "but except skip skipping without ignore ignoring "
                       "excluding exclude omit omitting");
    sketch_says(k, "line lines byte bytes character characters");
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
wants_following(const struct sketch *k)
{
    return sketch_plain_at(k,
                           "follow following live realtime real-time "
                           "continuously grow grows growing") != REQUEST_NONE ||
           sketch_row_at(k, "as it grow/grows/change/changes") !=
               REQUEST_NONE ||
           sketch_row_at(k, "real time") != REQUEST_NONE ||
           sketch_row_at(k, "new line/lines added/appended/written/add/"
                            "append") != REQUEST_NONE ||
           sketch_row_at(k, "additional data") != REQUEST_NONE ||
           sketch_row_at(k, "keep watching/printing/reading") != REQUEST_NONE ||
           (sketch_has(k, "watch") && sketch_has(k, "log"));
}

static bool
put_follow(struct sketch *k)
{
    long n;

    if (!wants_following(k) || sketch_has(k, "command every second seconds"))
        return false;
    sketch_says(k, "follow following live realtime continuously watch tail "
                   "grow grows growing");
    n = sketch_count(k, "line lines last");
    if (n >= 0)
        buf_printf(&k->out, "tail -n %ld -f", n);
    else
        buf_str(&k->out, "tail -f");
    sketch_says(k, "last");
    return true;
}

static const unsigned file_parts = ROLE_ANY & ~(1u << ROLE_TO);

/* "the log of nginx": no file of that name. */
static bool
names_service(const struct sketch *k)
{
    for (size_t i = 0; sketch_has(k, "log journal") && i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->value->is == SLOT_NAME && !l->value->exists &&
            !l->value->quoted && !strpbrk(l->value->text, "./"))
            return true;
    }
    return false;
}

static int
add_shown(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool range = false;
    double fit = FIT_SURE;

    if (!put_follow(k) && !put_range(k, &range) && !put_ends(k))
        return 0;
    sketch_says(k, showing);
    if (!sketch_files(k, file_parts) && !k->piped &&
        !(wants_following(k) && sketch_files(k, ROLE_ANY))) {
        if (!sketch_has(k, "line lines file log"))
            return 0;
        sketch_open(k, "FILE");
        fit = FIT_LIKELY;
    }
    sketch_says(k, sources);
    return sketch_add(k, s, fit, "some lines of a file", e);
}

/* No lines to show, nor to put one behind the other. */
static bool
is_no_text(const struct sketch *k)
{
    static const char *const endings[] = {
        ".pdf", ".jpg", ".jpeg", ".png", ".gif",  ".mp3",  ".mp4",
        ".avi", ".mkv", ".mov",  ".wav", ".docx", ".xlsx", ".odt",
    };

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (sketch_has_ending(k, endings[i]))
            return true;
    return false;
}

/* "show x.txt", "print the contents of x with line numbers" */
static int
add_cat(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *file = sketch_find_file(k, file_parts);
    bool content = sketch_has(k, "content contents");
    const struct literal *into;
    double fit = content ? FIT_SURE : FIT_MAYBE;
    size_t n;

    if (sketch_has(k, "description type format size kind name names descriptor "
                      "variable mount base time error"))
        fit = FIT_OTHER;
    if (!content && sketch_plain_at(k, "list") != REQUEST_NONE)
        return 0;
    if (!file || !(sketch_has(k, showing) ||
                   sketch_has(k, "concatenate join merge combine")))
        return 0;
    if (archive_is_name(file->value->text) || is_no_text(k) ||
        (file->bare && !literal_is_surely_file(file)) ||
        (sketch_has(k, "join merge combine") && sketch_has(k, "line lines")))
        return 0;
    if (file->value->is == SLOT_TEXT || file->value->is_dir ||
        file->noun == NOUN_DIRECTORY)
        return 0;
    if (sketch_says(k, "concatenate merge combine"))
        fit = FIT_SURE;
    else if (sketch_has(k, "file") && !content && !sketch_has(k, "files"))
        fit = FIT_LIKELY;
    sketch_says(k, "reverse backwards");
    buf_str(&k->out, sketch_says(k, "backwards") ? "tac" : "cat");
    if (sketch_row(k, "line number/numbers") || sketch_says(k, "numbered"))
        sketch_put(k, "-n");
    else if (sketch_row(k, "number line/lines"))
        sketch_put(k, "-n");
    if (sketch_row(k, "non-printing/nonprinting/special/hidden/invisible "
                      "character/characters"))
        sketch_put(k, "-A");
    sketch_says(k, "content contents");
    sketch_says(k, showing);
    n = sketch_files(k, file_parts);
    if (!n)
        return 0;
    sketch_says(k, "file files");
    if (n > 1 && (into = sketch_find_file(k, 1u << ROLE_TO))) {
        sketch_put(k, ">");
        sketch_put_literal(k, into);
    }
    return sketch_add(k, s, fit, "the contents of files", e);
}

static bool
applies(struct sketch *k)
{
    if (wants_following(k))
        return !sketch_has(k, "command process");
    return !sketch_has(k, refused) && !sketch_has_type(k, SLOT_AGE) &&
           (!sketch_wants_find(k) || sketch_has(k, "first last")) &&
           !sketch_has(k, "delete remove insert append add count sort unique "
                          "duplicate duplicates many change modify "
                          "shuffle");
}

int
lines_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    size_t before = s->n;

    literals_read(q, &l);
    sketch_init(&k, &l, "lines");
    if (!applies(&k) || names_service(&k))
        return 0;
    sketch_source(&k);
    if (add_shown(&k, s, e) < 0)
        return -1;
    if (s->n > before)
        return 0;
    if (k.start)
        return 0;
    sketch_again(&k);
    return add_cat(&k, s, e);
}
