/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find.c - commands of find(1) for a request. */
#include <string.h>

#include "offline/compose/find.h"

bool
find_sees(const struct find *f, const char *row, struct compose_hit *hit)
{
    return compose_match(f->q, row, f->used, 0, hit);
}

bool
find_says(struct find *f, const char *row)
{
    return compose_claim(f->q, row, &f->used) != REQUEST_NONE;
}

void
find_use(struct find *f, size_t word)
{
    f->used |= (uint64_t)1 << word;
}

size_t
find_value(const struct find *f, enum slot_type type, size_t from)
{
    for (size_t i = from; i < f->q->n; i++)
        if (!compose_used(f->used, i) &&
            compose_may(request_value_of(f->q, i), type))
            return i;
    return REQUEST_NONE;
}

void
find_add_word(struct find *f, struct buf *out, size_t i)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);

    compose_word(out, compose_text(f->q, i, &room));
}

void
find_test(struct find *f, enum find_part part, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(&f->part[part], fmt, ap);
    va_end(ap);
    f->tests++;
}

static void
read_places(struct find *f)
{
    CLEANUP_BUF struct buf places = buf_of(FIND_PART_BYTES);

    f->placed = compose_places(f->q, &f->used, &places);
    buf_printf(&f->part[FIND_PLACE], " %s", places.p);
    f->none |= places.bad;
}

static void
read_errors(struct find *f)
{
    compose_errors(f->q, &f->used, &f->part[FIND_ERRORS]);
}

static void
read_tail(struct find *f)
{
    find_says(f, "find|list");
    find_says(f, "recursive");
    f->counts = request_has(f->q, "count");
    compose_tail(f->q, &f->used, &f->part[FIND_PIPE]);
}

/* Words that have done their work beside others. */
static void
read_small(struct find *f)
{
    static const struct {
        enum find_part part;
        const char *words;
    } small[] = {
        {FIND_SIZE, "large larger big bigger great greater small smaller more "
                    "less over least most size between exactly or"},
        {FIND_TIME, "not more less after before since between over exactly old "
                    "new time date day hour minute week month year"},
        {FIND_OWNER, "more less exactly own"},
        {FIND_NAME, "image photo video audio type format case file"},
        {FIND_DEPTH, "deep depth level only maximum minimum"},
        {FIND_PRUNE, "not except ignore skip but prune"},
        {FIND_PLACE, "where"},
    };

    for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
        for (size_t w = 0; w < f->q->n; w++)
            if (f->part[small[i].part].len &&
                compose_is(f->q, w, small[i].words))
                find_use(f, w);
    for (size_t i = 0; i < FIND_ACTION; i++)
        if (strstr(f->part[i].p, " !"))
            find_says(f, "not|except");
    if (strstr(f->run.p, "grep -L"))
        find_says(f, "not|without");
}

/* "delete all files in this directory" is not said of what lies below it. */
static void
read_bounds(struct find *f)
{
    static const enum find_part bounds[] = {FIND_DEPTH, FIND_SIZE, FIND_TIME,
                                            FIND_PERM, FIND_OWNER};

    if (!f->deletes || find_named(f) || f->part[FIND_TYPE].len ||
        request_has(f->q, "recursive under below beneath tree everything "
                          "subdirectory hierarchy"))
        return;
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
        if (f->part[bounds[i]].len)
            return;
    buf_str(&f->part[FIND_DEPTH], " -maxdepth 1");
}

/* Something was named that no test heeds: what is left would delete too much,
 * so that it is only shown. */
static void
read_unheeded(struct find *f)
{
    for (size_t i = 0; f->deletes && i < f->q->n; i++)
        if (request_value_of(f->q, i) && !compose_used(f->used, i))
            f->deletes = false;
}

/* Directories that hold something: rm takes them with all of it. */
static bool
deletes_trees(const struct find *f)
{
    return f->deletes && strstr(f->part[FIND_TYPE].p, "-type d") &&
           !strstr(f->part[FIND_SIZE].p, "-empty");
}

/* What is old, big or empty in a repository is not meant. */
static bool
goes_into_git(const struct find *f)
{
    return !f->part[FIND_NAME].len && !deletes_trees(f) &&
           !strstr(f->part[FIND_DEPTH].p, "-maxdepth 1") &&
           !strstr(f->part[FIND_PRUNE].p, ".git") &&
           !strstr(f->part[FIND_TYPE].p, "type l");
}

/* The directory that find begins with is not one of those below it. */
static void
read_top(struct find *f)
{
    if (!f->run.len && deletes_trees(f) &&
        !strstr(f->part[FIND_DEPTH].p, "-mindepth"))
        buf_str(&f->part[FIND_DEPTH], " -mindepth 1");
}

/* What was cut off would make it another command. */
static void
read_lost(struct find *f)
{
    struct err e;

    for (size_t i = 0; i < FIND_PARTS; i++)
        f->none |= buf_ok(&f->part[i], "a part", &e) < 0;
    f->none |= buf_ok(&f->run, "a part", &e) < 0;
    f->none |= buf_ok(&f->kinds, "a part", &e) < 0;
}

/* In this order: who stands first takes the words that two could read. */
static void (*const readers[])(struct find *f) = {
    read_errors,      find_read_depth,  find_read_skip,    find_read_look,
    find_read_naming, find_read_action, find_read_content, find_read_perm,
    find_read_owner,  find_read_time,   find_read_size,    find_read_order,
    find_read_kind,   find_read_name,   read_places,       find_read_rest,
    find_join_kinds,  find_read_type,   read_tail,         read_small,
    read_bounds,      read_unheeded,    read_top,          read_lost,
};

/* How a line may differ for the same reading. */
struct variant {
    bool regular; /* -type f where "files" was said */
    bool xargs, each, rm;
};

static void
add_run(const struct find *f, const struct variant *v, struct buf *line)
{
    const char *files = strstr(f->run.p, "{}");
    bool last = files && !files[2];

    if (v->xargs && last)
        buf_printf(line, " -print0 | xargs -0 %.*s",
                   (int)(files - f->run.p - 1), f->run.p);
    else
        buf_printf(line, " -exec %s %s", f->run.p,
                   v->each || f->one_each || !last ? "\\;" : "+");
}

/* Directories that hold something go with it, and find must not look for
 * them again. */
static void
add_delete(const struct find *f, const struct variant *v, struct buf *line)
{
    bool dirs = strstr(f->part[FIND_TYPE].p, "-type d");
    bool prune = f->part[FIND_PRUNE].len; /* -delete would go in there */

    if (goes_into_git(f))
        buf_str(line, " ! -path '*/.git/*'");
    if (deletes_trees(f))
        buf_str(line, " -prune -exec rm -r {} +");
    else if (dirs && (v->rm || prune))
        buf_str(line, " -exec rmdir {} +");
    else
        buf_str(line, v->rm || prune ? " -exec rm {} +" : " -delete");
}

static int
add_variant(const struct find *f, const struct variant *v, double fit,
            struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(CANDIDATE_BYTES);
    struct candidate c = {.recipe = -1,
                          .composer = "find",
                          .fit = fit,
                          .used = f->used,
                          .open = f->open};

    buf_str(&line, "find");
    for (size_t i = 0; i < FIND_ACTION; i++) {
        if (i == FIND_TYPE && v->regular && !f->part[i].len)
            buf_str(&line, " -type f");
        if (i == FIND_PRUNE && f->part[i].len)
            buf_printf(&line,
                       f->skips > 1 ? " \\(%s \\) -prune -o" : "%s -prune -o",
                       f->part[i].p);
        else
            buf_str(&line, f->part[i].p);
    }
    buf_str(&line, f->part[FIND_ACTION].p);
    if (f->run.len)
        add_run(f, v, &line);
    else if (f->deletes)
        add_delete(f, v, &line);
    else if (f->part[FIND_PRUNE].len && !f->part[FIND_ACTION].len)
        buf_str(&line, " -print");
    buf_str(&line, f->part[FIND_ERRORS].p);
    buf_str(&line, f->part[FIND_PIPE].p);
    find_title(f, c.title, sizeof(c.title));
    return shortlist_offer(s, &c, &line, e);
}

#define LESS_LIKELY 0.05

static int
add_variants(const struct find *f, double fit, struct shortlist *s,
             struct err *e)
{
    bool acts = f->run.len || f->deletes;
    bool named = f->part[FIND_NAME].len != 0;
    bool measured = f->part[FIND_SIZE].len || f->part[FIND_TIME].len ||
                    f->part[FIND_ACTION].len || f->part[FIND_DEPTH].len ||
                    strstr(f->part[FIND_PERM].p, "able");
    bool files = f->deletes || f->counts || !f->tests ||
                 (!named && (acts || measured));
    bool regular = f->regular || (f->plain && files);
    const struct variant variants[] = {
        {.regular = regular},
        {.regular = !regular},
        {.regular = regular, .xargs = true, .rm = true},
        {.regular = regular, .each = true, .rm = true},
    };

    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        if ((i == 1 && (!f->plain || f->deletes || f->regular)) ||
            (i > 1 && !acts))
            continue;
        if (add_variant(f, &variants[i], fit * (1 - LESS_LIKELY * (double)i), s,
                        e) < 0)
            return -1;
    }
    return 0;
}

static void
find_init(struct find *f, const struct request *q)
{
    memset(f, 0, sizeof(*f));
    f->q = q;
    for (size_t i = 0; i < FIND_PARTS; i++)
        buf_init(&f->part[i], FIND_PART_BYTES);
    buf_init(&f->run, FIND_PART_BYTES);
    buf_init(&f->kinds, FIND_PART_BYTES);
}

static void
find_done(struct find *f)
{
    for (size_t i = 0; i < FIND_PARTS; i++)
        buf_done(&f->part[i]);
    buf_done(&f->run);
    buf_done(&f->kinds);
}

int
find_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    CLEANUP(find_done) struct find f;
    double fit;

    find_init(&f, q);
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
        readers[i](&f);
    fit = find_fit(&f);
    return fit > 0 ? add_variants(&f, fit, s, e) : 0;
}
