/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - generates cat, head, tail, sort, uniq, wc, split and tee commands.
 */
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

/* sort, uniq and wc. */

static const char sort_refused[] =
    "find process processes memory cpu disk directory directories folder "
    "folders commit package search modification modify newest oldest recent "
    "replace permission images split array branch usage join compare diff "
    "grep";
static const unsigned sort_file_parts = ROLE_ANY &
                                        ~(1u << ROLE_TO | 1u << ROLE_BY);

static void
put_key(struct builder *k)
{
    static const char nouns[] = "column field key columns fields word";
    static const struct {
        const char *words;
        unsigned n;
    } ordinals[] = {
        {"first 1st", 1},  {"second 2nd", 2}, {"third 3rd", 3},
        {"fourth 4th", 4}, {"fifth 5th", 5},
    };
    const struct literal *separator;
    long n;

    if (!builder_has(k, nouns))
        return;
    separator = builder_find(k, 1u << ROLE_BY | 1u << ROLE_WITH,
                             1u << SLOT_TEXT);
    if (separator && strlen(separator->value->text) <= 2 &&
        separator->value->is != SLOT_NUMBER) {
        builder_mark(k, separator->word);
        builder_put(k, "-t");
        buf_cut(&k->out, k->out.len);
        generate_quoted(&k->out, separator->value->text);
    } else if (builder_says(k, "comma comma-separated csv") ||
               builder_has_ending(k, ".csv")) {
        builder_put(k, "-t,");
    } else if (builder_says(k, "colon colon-separated")) {
        builder_put(k, "-t:");
    } else if (builder_says(k, "semicolon")) {
        builder_put(k, "-t';'");
    } else if (builder_says(k, "tab tab-separated tsv") ||
               builder_has_ending(k, ".tsv")) {
        builder_put(k, "-t$'\\t'");
    }
    n = builder_count(k, nouns);
    for (size_t i = 0; n < 0 && i < ARRAY_SIZE(ordinals); i++)
        if (builder_says(k, ordinals[i].words))
            n = ordinals[i].n;
    if (n > 0)
        buf_printf(&k->out, " -k%ld,%ld", n, n);
    builder_says(k, nouns);
}

static void
put_order(struct builder *k)
{
    char letters[8] = "";
    size_t n = 0;

    if (builder_row(k, "human readable/numeric") || builder_says(k, "human") ||
        builder_row(k, "size/sizes like"))
        letters[n++] = 'h';
    else if (builder_says(k, "numerically numeric numerical") ||
             builder_row(k, "by number/value") ||
             builder_row(k, "sort number/numbers"))
        letters[n++] = 'n';
    else if (builder_says(k, "version versions"))
        letters[n++] = 'V';
    else if (builder_says(k, "month months"))
        letters[n++] = 'M';
    else if (builder_says(k, "random randomly shuffle shuffled"))
        letters[n++] = 'R';
    if (builder_says(k, "reverse reversed descending decreasing backwards") ||
        builder_row(k, "largest/highest/biggest first"))
        letters[n++] = 'r';
    if (builder_says(k, "case-insensitively case-insensitive") ||
        builder_row(k, "ignore/ignoring case") ||
        builder_row(k, "case insensitive/insensitively"))
        letters[n++] = 'f';
    if (n)
        buf_printf(&k->out, " -%s", letters);
}

static bool
wants_unique(struct builder *k)
{
    return builder_says(k, "unique distinct deduplicate dedupe uniq") ||
           builder_row(k, "remove/removing/delete/without/eliminate/drop/no "
                          "duplicate/duplicates/duplicated/repeated");
}

static bool
wants_tally(struct builder *k)
{
    if (builder_row(k, "how often/frequently") ||
        builder_says(k, "frequency frequencies") ||
        builder_row(k, "most common/frequent/often") ||
        builder_row(k, "number/count of occurrence/occurrences/times") ||
        builder_row(k, "count of each/every/duplicate/duplicates/unique") ||
        builder_row(k, "count duplicate/duplicates/repeated") ||
        builder_row(k, "count each/every/occurrence/occurrences") ||
        builder_row(k, "many times each/every"))
        return true;
    return builder_has(k, "occurrence occurrences") &&
           builder_has(k, "each every");
}

/* Adds the command that sorts, or the pipeline for what the request asks. */
static int
add_sorted(struct builder *k, struct shortlist *s, struct err *e)
{
    bool sort = builder_has(k, "sort sorted sorts order alphabetize");
    bool tally = wants_tally(k);
    bool only = !tally && (builder_row(k, "only/show/print/list/find duplicate/"
                                          "duplicates/duplicated/repeated") ||
                           builder_row(k, "that appear/occur/are "
                                          "more/repeated/duplicated"));
    bool unique = !tally && !only && wants_unique(k);
    double fit = sort || tally || unique ? FIT_SURE : FIT_LIKELY;
    long n;

    if (!sort && !tally && !unique && !only)
        return 0;
    if (!sort && !builder_has(k, "line lines word words entry entries value "
                                 "values"))
        fit = FIT_MAYBE;
    builder_says(k, "sort sorted sorts order alphabetize");
    builder_says(k, "line lines");
    builder_says(k, "alphabetically alphabetical");
    buf_str(&k->out, "sort");
    if (!tally)
        put_order(k);
    if (!only && !tally)
        put_key(k);
    if (unique)
        builder_put(k, "-u");
    if (!builder_files(k, sort_file_parts) && !k->piped) {
        if (!builder_has(k, "line lines file stdin input column field"))
            return 0;
        builder_open(k, "FILE");
        fit *= 0.8;
    }
    builder_says(k, "file files");
    builder_says(k, "duplicate duplicates duplicated repeated");
    if (only)
        builder_put(k, "| uniq -d");
    if (tally)
        builder_put(k, "| uniq -c");
    if (tally)
        builder_says(k, "count number how many");
    if (tally && (builder_has(k, "most common frequent frequency sort sorted "
                                 "top often descending")))
        builder_put(k, "| sort -rn");
    if (tally && (n = builder_count(k, "common frequent top most")) > 0)
        buf_printf(&k->out, " | head -n %ld", n);
    return builder_add(k, s, fit, "sort lines", e);
}

static int
add_shuffled(struct builder *k, struct shortlist *s, struct err *e)
{
    builder_put(k, "shuf");
    builder_files_or(k, sort_file_parts, "FILE");
    builder_says(k, "line lines file");
    builder_says(k, "sort order random randomly put");
    return builder_add(k, s, FIT_SURE, "lines in any order", e);
}

/* wc's letter for what is counted; 0: nothing is. */
static char
is_counted(struct builder *k)
{
    static const struct {
        const char *words;
        char letter;
    } rows[] = {
        {"line lines newline newlines row rows", 'l'},
        {"word words", 'w'},
        {"character characters letter letters", 'm'},
        {"byte bytes", 'c'},
    };

    if (builder_row(k, "longest line"))
        return 'L';
    if (!builder_says(k, "count counts number total many wc") &&
        !builder_says(k, "length"))
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (builder_says(k, rows[i].words))
            return rows[i].letter;
    return 0;
}

static int
add_counted(struct builder *k, struct shortlist *s, struct err *e)
{
    char letter = is_counted(k);
    double fit = FIT_SURE;

    if (!letter || builder_row_at(k, "line number/numbers") != REQUEST_NONE ||
        builder_has(k, "match matching contain containing contains first last "
                       "empty blank occurrence occurrences times"))
        return 0;
    builder_says(k, "how");
    buf_printf(&k->out, "wc -%c", letter);
    if (builder_has(k, "variable") && builder_has(k, "save store assign set") &&
        !k->piped)
        builder_put(k, "<");
    if (!builder_files(k, sort_file_parts) && !k->piped) {
        builder_open(k, "FILE");
        fit = FIT_LIKELY;
    }
    builder_says(k, "file files");
    return builder_add_plain(k, s, fit, "count lines, words, letters", e);
}

/* "list files sorted by size": it is not lines that are sorted. */
static bool
sorts_others(const struct builder *k)
{
    size_t at = builder_at(k, "sort");

    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is_dir)
            return true;
    if (builder_has(k, "both shared"))
        return true;
    if (at == REQUEST_NONE)
        return builder_row_at(k, "common line") != REQUEST_NONE &&
               builder_row_at(k, "most common") == REQUEST_NONE;
    return !literals_in("sort sorts", k->l->q->words[at].plain) &&
           builder_has(k, "files file") &&
           !builder_has(k, "line lines content");
}

int
generate_sort(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    size_t before = s->n;

    literals_read(q, &l);
    builder_init(&k, &l, "sort");
    if (sorts_others(&k) || builder_wants_find(&k) ||
        builder_has(&k, sort_refused) ||
        builder_row_at(&k, "line number/numbers") != REQUEST_NONE)
        return 0;
    builder_source(&k);
    if (builder_says(&k, "shuffle shuf") || builder_row(&k, "random order") ||
        builder_row(&k, "random lines"))
        return add_shuffled(&k, s, e);
    if (add_sorted(&k, s, e) < 0)
        return -1;
    if (s->n > before)
        return 0;
    builder_again(&k);
    return add_counted(&k, s, e);
}

/* split and tee. */

/* Whether one of the nouns follows the literal: "100 lines". */
static bool
counts_pieces(const struct builder *k, const struct literal *l,
              const char *nouns)
{
    const struct request *q = k->l->q;

    for (size_t i = l->word + 1; i < q->n && i < l->word + 3; i++)
        if (literals_word_is(&q->words[i], nouns))
            return true;
    return false;
}

static const struct literal *
take_counted(struct builder *k, const char *nouns)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || l->value->is != SLOT_NUMBER ||
            !counts_pieces(k, l, nouns))
            continue;
        builder_mark(k, l->word);
        builder_says(k, nouns);
        return l;
    }
    return NULL;
}

static void
put_stated_size(struct builder *k)
{
    const struct literal *l = builder_take(k, ROLE_ANY, 1u << SLOT_SIZE);
    char unit;

    if (l && l->value->is == SLOT_SIZE) {
        unit = l->value->unit;
        buf_printf(&k->out, " -b %lld", (long long)l->value->amount);
        if (unit && unit != 'c')
            buf_ch(&k->out, unit);
        builder_says(k, "size");
    } else if ((l = take_counted(k, "line lines"))) {
        builder_put(k, "-l");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    } else if ((l = take_counted(k, "byte bytes"))) {
        builder_put(k, "-b");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    } else if ((l = take_counted(k, "file files part parts piece pieces chunk "
                                    "chunks equal"))) {
        builder_put(k, "-n");
        buf_printf(&k->out, " %lld", (long long)l->value->amount);
    }
}

static int
add_split(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *suffix = NULL;
    const struct literal *prefix = NULL;
    const struct request *q = k->l->q;
    size_t len;

    builder_source(k);
    builder_put(k, "split");
    if (builder_says(k, "numeric numerical digits"))
        builder_put_option(k, "-d");
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t from = l->word > 3 ? l->word - 3 : 0;

        for (size_t at = from; at < l->word && builder_is_free(k, l); at++) {
            if (literals_word_is(&q->words[at], "length") &&
                l->value->is == SLOT_NUMBER)
                suffix = l;
            else if (literals_word_is(&q->words[at], "prefix named name"))
                prefix = l;
        }
    }
    if (suffix) {
        builder_mark(k, suffix->word);
        builder_says(k, "length");
        buf_printf(&k->out, " -a %lld", (long long)suffix->value->amount);
    }
    if (prefix)
        builder_mark(k, prefix->word);
    put_stated_size(k);
    builder_says(k, "suffix suffixes");
    len = k->out.len;
    builder_files(k, ROLE_ANY & ~(1u << ROLE_NAMED));
    if (k->out.len == len && prefix && k->piped)
        builder_put(k, "-");
    else if (k->out.len == len && !k->piped)
        builder_open(k, "FILE");
    if (prefix) {
        builder_put_literal(k, prefix);
        builder_says(k, "prefix named");
    }
    builder_says(k, "split");
    builder_says(k, "file files piece pieces part parts");
    return builder_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                             "split a file", e);
}

static bool
wants_tee(const struct builder *k)
{
    if (builder_plain_at(k, "tee") != REQUEST_NONE)
        return true;
    if (!builder_has(k, "write print save send show append display output"))
        return false;
    return builder_row_at(k, "standard output and") != REQUEST_NONE ||
           builder_row_at(k, "stdout and") != REQUEST_NONE ||
           builder_row_at(k, "screen/terminal/console and") != REQUEST_NONE ||
           builder_row_at(k, "both screen/terminal/stdout/file") !=
               REQUEST_NONE;
}

/* What is written: a command's output, a file, a text. */
static bool
put_written(struct builder *k)
{
    const struct literal *what = builder_find(
        k, 1u << ROLE_OBJECT | 1u << ROLE_IN, ~0u);

    if (k->start) {
        buf_cut(&k->out, k->start - 3);
    } else if (what && what->noun != NOUN_TEXT &&
               (builder_says(k, "content contents") ||
                literal_is_surely_file(what))) {
        buf_str(&k->out, "cat");
        builder_put_literal(k, what);
    } else if (what) {
        buf_str(&k->out, "echo");
        builder_mark(k, what->word);
        builder_put_quoted(k, what->value->text);
    } else {
        return false;
    }
    return true;
}

static int
add_tee(struct builder *k, struct shortlist *s, struct err *e)
{
    builder_source(k);
    if (!put_written(k))
        return 0;
    if (builder_row(k, "output and error/errors") ||
        builder_row(k, "error/errors"))
        builder_put(k, "2>&1");
    builder_put(k, "| tee");
    builder_option(k, "append appending appends", "-a");
    builder_files_or(k, ROLE_ANY, "FILE");
    builder_says(k, "write print save send show display");
    builder_row(k, "standard output");
    builder_says(k, "screen terminal console stdout");
    builder_says(k, "file");
    return builder_add_plain(k, s, FIT_SURE, "show output and keep it", e);
}

int
generate_split(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "pieces");
    if (builder_has(&k, "split") &&
        !builder_has(&k, "screen window pane string terminal tmux column"))
        return add_split(&k, s, e);
    if (wants_tee(&k))
        return add_tee(&k, s, e);
    return 0;
}
