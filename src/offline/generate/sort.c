/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.c - generates sort, uniq, shuf and wc commands. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

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
