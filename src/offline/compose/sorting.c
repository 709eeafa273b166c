/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorting.c - sort, uniq and wc: lines put in order, told apart, counted. */
#include <string.h>

#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char refused[] =
    "find process processes memory cpu disk directory directories folder "
    "folders commit package search modification modify newest oldest recent "
    "replace permission images split array branch usage join compare diff "
    "grep";
static const unsigned file_parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_BY);

static void
put_key(struct sketch *k)
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

    if (!sketch_has(k, nouns))
        return;
    separator = sketch_find(k, 1u << ROLE_BY | 1u << ROLE_WITH,
                            1u << SLOT_TEXT);
    if (separator && strlen(separator->value->text) <= 2 &&
        separator->value->is != SLOT_NUMBER) {
        sketch_mark(k, separator->word);
        sketch_put(k, "-t");
        buf_cut(&k->out, k->out.len);
        compose_quoted(&k->out, separator->value->text);
    } else if (sketch_says(k, "comma comma-separated csv") ||
               sketch_has_ending(k, ".csv")) {
        sketch_put(k, "-t,");
    } else if (sketch_says(k, "colon colon-separated")) {
        sketch_put(k, "-t:");
    } else if (sketch_says(k, "semicolon")) {
        sketch_put(k, "-t';'");
    } else if (sketch_says(k, "tab tab-separated tsv") ||
               sketch_has_ending(k, ".tsv")) {
        sketch_put(k, "-t$'\\t'");
    }
    n = sketch_count(k, nouns);
    for (size_t i = 0; n < 0 && i < sizeof(ordinals) / sizeof(ordinals[0]); i++)
        if (sketch_says(k, ordinals[i].words))
            n = ordinals[i].n;
    if (n > 0)
        buf_printf(&k->out, " -k%ld,%ld", n, n);
    sketch_says(k, nouns);
}

static void
put_order(struct sketch *k)
{
    char letters[8] = "";
    size_t n = 0;

    if (sketch_row(k, "human readable/numeric") || sketch_says(k, "human") ||
        sketch_row(k, "size/sizes like"))
        letters[n++] = 'h';
    else if (sketch_says(k, "numerically numeric numerical") ||
             sketch_row(k, "by number/value") ||
             sketch_row(k, "sort number/numbers"))
        letters[n++] = 'n';
    else if (sketch_says(k, "version versions"))
        letters[n++] = 'V';
    else if (sketch_says(k, "month months"))
        letters[n++] = 'M';
    else if (sketch_says(k, "random randomly shuffle shuffled"))
        letters[n++] = 'R';
    if (sketch_says(k, "reverse reversed descending decreasing backwards") ||
        sketch_row(k, "largest/highest/biggest first"))
        letters[n++] = 'r';
    if (sketch_says(k, "case-insensitively case-insensitive") ||
        sketch_row(k, "ignore/ignoring case") ||
        sketch_row(k, "case insensitive/insensitively"))
        letters[n++] = 'f';
    if (n)
        buf_printf(&k->out, " -%s", letters);
}

static bool
wants_unique(struct sketch *k)
{
    return sketch_says(k, "unique distinct deduplicate dedupe uniq") ||
           sketch_row(k, "remove/removing/delete/without/eliminate/drop/no "
                         "duplicate/duplicates/duplicated/repeated");
}

static bool
wants_tally(struct sketch *k)
{
    if (sketch_row(k, "how often/frequently") ||
        sketch_says(k, "frequency frequencies") ||
        sketch_row(k, "most common/frequent/often") ||
        sketch_row(k, "number/count of occurrence/occurrences/times") ||
        sketch_row(k, "count of each/every/duplicate/duplicates/unique") ||
        sketch_row(k, "count duplicate/duplicates/repeated") ||
        sketch_row(k, "count each/every/occurrence/occurrences") ||
        sketch_row(k, "many times each/every"))
        return true;
    return sketch_has(k, "occurrence occurrences") &&
           sketch_has(k, "each every");
}

/* Sorts, and in which way; the pipeline of the words that ask for it. */
static int
add_sorted(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool sort = sketch_has(k, "sort sorted sorts order alphabetize");
    bool tally = wants_tally(k);
    bool only = !tally && (sketch_row(k, "only/show/print/list/find duplicate/"
                                         "duplicates/duplicated/repeated") ||
                           sketch_row(k, "that appear/occur/are "
                                         "more/repeated/duplicated"));
    bool unique = !tally && !only && wants_unique(k);
    double fit = sort || tally || unique ? FIT_SURE : FIT_LIKELY;
    long n;

    if (!sort && !tally && !unique && !only)
        return 0;
    if (!sort && !sketch_has(k, "line lines word words entry entries value "
                                "values"))
        fit = FIT_MAYBE;
    sketch_says(k, "sort sorted sorts order alphabetize");
    sketch_says(k, "line lines");
    sketch_says(k, "alphabetically alphabetical");
    buf_str(&k->out, "sort");
    if (!tally)
        put_order(k);
    if (!only && !tally)
        put_key(k);
    if (unique)
        sketch_put(k, "-u");
    if (!sketch_files(k, file_parts) && !k->piped) {
        if (!sketch_has(k, "line lines file stdin input column field"))
            return 0;
        sketch_open(k, "FILE");
        fit *= 0.8;
    }
    sketch_says(k, "file files");
    sketch_says(k, "duplicate duplicates duplicated repeated");
    if (only)
        sketch_put(k, "| uniq -d");
    if (tally)
        sketch_put(k, "| uniq -c");
    if (tally)
        sketch_says(k, "count number how many");
    if (tally && (sketch_has(k, "most common frequent frequency sort sorted "
                                "top often descending")))
        sketch_put(k, "| sort -rn");
    if (tally && (n = sketch_count(k, "common frequent top most")) > 0)
        buf_printf(&k->out, " | head -n %ld", n);
    return sketch_add(k, s, fit, "sort lines", e);
}

static int
add_shuffled(struct sketch *k, struct shortlist *s, struct err *e)
{
    sketch_put(k, "shuf");
    sketch_files_or(k, file_parts, "FILE");
    sketch_says(k, "line lines file");
    sketch_says(k, "sort order random randomly put");
    return sketch_add(k, s, FIT_SURE, "lines in any order", e);
}

/* wc's letter for what is counted; 0: nothing is. */
static char
counted(struct sketch *k)
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

    if (sketch_row(k, "longest line"))
        return 'L';
    if (!sketch_says(k, "count counts number total many wc") &&
        !sketch_says(k, "length"))
        return 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (sketch_says(k, rows[i].words))
            return rows[i].letter;
    return 0;
}

static int
add_counted(struct sketch *k, struct shortlist *s, struct err *e)
{
    char letter = counted(k);
    double fit = FIT_SURE;

    if (!letter || sketch_row_at(k, "line number/numbers") != REQUEST_NONE ||
        sketch_has(k, "match matching contain containing contains first last "
                      "empty blank occurrence occurrences times"))
        return 0;
    sketch_says(k, "how");
    buf_printf(&k->out, "wc -%c", letter);
    if (sketch_has(k, "variable") && sketch_has(k, "save store assign set") &&
        !k->piped)
        sketch_put(k, "<");
    if (!sketch_files(k, file_parts) && !k->piped) {
        sketch_open(k, "FILE");
        fit = FIT_LIKELY;
    }
    sketch_says(k, "file files");
    return sketch_add_plain(k, s, fit, "count lines, words, letters", e);
}

/* "list files sorted by size": it is not lines that are sorted. */
static bool
sorts_others(const struct sketch *k)
{
    size_t at = sketch_at(k, "sort");

    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is_dir)
            return true;
    if (sketch_has(k, "both shared"))
        return true;
    if (at == REQUEST_NONE)
        return sketch_row_at(k, "common line") != REQUEST_NONE &&
               sketch_row_at(k, "most common") == REQUEST_NONE;
    return !literals_in("sort sorts", k->l->q->words[at].plain) &&
           sketch_has(k, "files file") && !sketch_has(k, "line lines content");
}

int
sort_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    size_t before = s->n;

    literals_read(q, &l);
    sketch_init(&k, &l, "sort");
    if (sorts_others(&k) || sketch_wants_find(&k) || sketch_has(&k, refused) ||
        sketch_row_at(&k, "line number/numbers") != REQUEST_NONE)
        return 0;
    sketch_source(&k);
    if (sketch_says(&k, "shuffle shuf") || sketch_row(&k, "random order") ||
        sketch_row(&k, "random lines"))
        return add_shuffled(&k, s, e);
    if (add_sorted(&k, s, e) < 0)
        return -1;
    if (s->n > before)
        return 0;
    sketch_again(&k);
    return add_counted(&k, s, e);
}
