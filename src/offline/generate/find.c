/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find.c - generates commands of find(1). */
#include "offline/generate/find.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"

static const char *
noun_for_type(const struct find *f, bool person)
{
    static const struct {
        const char *test, *things;
    } kinds[] = {
        {"-xtype l", N_("broken links")},  {"-type d", N_("directories")},
        {"-type l", N_("symbolic links")}, {"-type s", N_("sockets")},
        {"-type p", N_("pipes")},          {"-type b", N_("devices")},
        {"-type c", N_("devices")},
    };

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strstr(f->part[FIND_TYPE].p, kinds[i].test))
            return message_for(person, kinds[i].things);
    return message_for(person, "files");
}

/* " by name, size and age", of the tests that there are. */
static void
add_tests(const struct find *f, bool person, struct buf *out)
{
    static const struct {
        enum find_part part;
        const char *first, *further;
    } tests[] = {
        {FIND_NAME, N_(" by name"), ""}, /* it is always the first */
        {FIND_SIZE, N_(" by size"), N_("size")},
        {FIND_TIME, N_(" by age"), N_("age")},
        {FIND_PERM, N_(" by permissions"), N_("permissions")},
        {FIND_OWNER, N_(" by owner"), N_("owner")},
    };
    size_t n = 0, last = 0;

    for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
        if (f->part[tests[i].part].len)
            last = i;
    for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
        if (!f->part[tests[i].part].len)
            continue;
        if (n++ == 0)
            buf_str(out, message_for(person, tests[i].first));
        else
            buf_printf(out, "%s%s",
                       i == last ? message_for(person, " and ") : ", ",
                       message_for(person, tests[i].further));
    }
}

/* What becomes of them. */
static void
add_find_action(const struct find *f, bool person, struct buf *out)
{
    const char *pipe = f->part[FIND_PIPE].p;
    const char *program = f->run.p;

    if (f->deletes)
        buf_str(out, message_for(person, ", and delete them"));
    else if (!strncmp(program, "grep", 4))
        buf_str(out, message_for(person, ", and search in them"));
    else if (!strncmp(program, "mv ", 3))
        buf_str(out, message_for(person, ", and move them"));
    else if (!strncmp(program, "cp ", 3))
        buf_str(out, message_for(person, ", and copy them"));
    else if (f->run.len)
        buf_printf(out, message_for(person, ", and run %.*s on them"),
                   (int)strcspn(program, " "), program);
    else if (strstr(f->part[FIND_ACTION].p, "-ls"))
        buf_str(out, message_for(person, ", with details"));
    if (strstr(pipe, "| wc -l"))
        buf_str(out, message_for(person, ", and count them"));
    else if (strstr(pipe, "| sort"))
        buf_str(out, message_for(person, ", in order"));
    if (strstr(pipe, " > "))
        buf_str(out, message_for(person, ", into a file"));
}

/* "find files by name and age, and delete them" */
static void
find_title(const struct find *f, bool person, char *title, size_t size)
{
    CLEANUP_BUF struct buf out = buf_of(size);
    CLEANUP_BUF struct buf tests = buf_of(size);

    add_tests(f, person, &tests);
    buf_printf(&out, message_for(person, "find %s%s"), noun_for_type(f, person),
               tests.len ? tests.p : "");
    add_find_action(f, person, &out);
    snprintf(title, size, "%s", out.p);
}

/* Whether find is what the request is about. */

#define THINGS                                                                 \
    "file directory symlink link socket pipe device subdirectory folder fifo"

/* The weights for and against find. */
static const struct find_weight {
    const char *stems;
    double by;
} signs[] = {
    {"find", .35},
    {"recursive recursively", .15},
    {"tree hierarchy everywhere", .2},
    {"under below beneath", .1},
    {"entire system filesystem", .1},
    {"regular hidden", .1},
    {"where", .25},
    {"all any every each", .05},
    {"list count delete", .05},
    {"process service package branch commit", -.4},
    {"alias variable column cd crontab", -.4},
    {"sort unique", -.05},
    {"create rename split merge compare download install", -.2},
    {"standard stdin stdout input", -.2},
};

/* The share of unread words: another program may read them. */
static double
count_unread(const struct find *f)
{
    size_t left = 0;

    for (size_t i = 0; i < f->q->n; i++)
        left += !generate_used(f->used, i) && !f->q->words[i].weak;
    return left > 8 ? .28 : .035 * (double)left;
}

/* "find the word x in notes.txt": searching in one file is for grep. */
static bool
is_one_file(const struct find *f)
{
    const char *place = f->part[FIND_PLACE].p;
    const char *dot = strrchr(place, '.');

    return !strncmp(f->run.p, "grep", 4) && f->placed && dot && dot[1] &&
           !strchr(dot, '/') && dot > place + 1 &&
           !request_has(f->q, "directory all every each");
}

/* "count the lines in a file": of one that is not named, not of all. */
static bool
is_some_file(const struct find *f)
{
    const struct request *q = f->q;

    if (f->tests > 0 || !f->run.len || f->part[FIND_NAME].len)
        return false;
    for (size_t i = 1; i < q->n; i++)
        if (strcmp(q->words[i].plain, "file") == 0 &&
            generate_is(q, i - 1, "a the this my one"))
            return true;
    return false;
}

/* Whether find would act on all files although a pipe cuts the list: "delete
 * the first 10 files". */
static bool
does_too_much(const struct find *f)
{
    static const char *const harmless[] = {"grep ", "cat ",  "ls ",   "wc ",
                                           "head ", "tail ", "file ", "du ",
                                           "md5",   "sha",   NULL};

    if (!strstr(f->part[FIND_PIPE].p, "| head") &&
        !strstr(f->part[FIND_PIPE].p, "| tail"))
        return false;
    for (const char *const *h = harmless; *h; h++)
        if (!strncmp(f->run.p, *h, strlen(*h)))
            return false;
    return f->deletes || f->run.len;
}

/* "delete backups older than a week", "delete screenshot files": what kind
 * of file is meant is not known, and all others would go, too. */
static bool
is_too_wide(const struct find *f)
{
    bool things = request_has(f->q, THINGS " everything anything");

    if (!f->deletes || f->part[FIND_NAME].len)
        return false;
    for (size_t i = 1; i < f->q->n; i++) {
        bool unread = !generate_used(f->used, i) && !f->q->words[i].weak;

        if (unread && (!things || (i + 1 < f->q->n &&
                                   generate_is(f->q, i + 1, "file link"))))
            return true;
        if (unread && !f->placed && generate_is(f->q, i - 1, "of in under"))
            return true; /* a place that is not there */
    }
    return false;
}

/* "empty the file x" asks for it to be emptied; images of docker are none
 * of find's; what was deleted by mistake is wanted back. */
static bool
is_other_request(const struct find *f)
{
    if (f->q->n > 1 && generate_is(f->q, 0, "empty") &&
        generate_is(f->q, 1, "the a this my"))
        return true;
    if (request_has(f->q, "docker podman kubernetes container") ||
        (request_has(f->q, "git") && !request_has(f->q, "find file directory")))
        return true;
    for (size_t i = 0; f->deletes && i < f->q->n; i++)
        if (generate_is(f->q, i,
                        "mistake accident accidentally recover "
                        "restore undelete undo listed"))
            return true;
    return false;
}

/* Whether the request has an age or a size, which few other programs use. */
static bool
is_measured(const struct find *f)
{
    for (size_t i = 0; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && generate_used(f->used, i) &&
            (v->is == SLOT_AGE || v->is == SLOT_SIZE) && !v->quoted)
            return true;
    }
    return false;
}

#define MEASURED .2

/* The least fit to offer find, and the most: a recipe in the same words is
 * surer. */
#define LEAST .1
#define MOST  .95

/* How likely, 0..1, find is meant, after everything was read. */
static double
find_fit(const struct find *f)
{
    double fit = .3;

    if (f->none || does_too_much(f) || is_one_file(f) || is_some_file(f) ||
        is_too_wide(f) || is_other_request(f))
        return 0;
    if (!request_has(f->q, THINGS) && !f->part[FIND_NAME].len &&
        !(f->tests && request_has(f->q, "find list delete")))
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
        for (size_t w = 0; w < f->q->n; w++)
            if (generate_is(f->q, w, signs[i].stems)) {
                fit += signs[i].by;
                break;
            }
    if (is_measured(f))
        fit += MEASURED;
    fit += .08 * (f->tests > 4 ? 4 : f->tests) - count_unread(f);
    return fit < LEAST ? 0 : fit > MOST ? MOST : fit;
}

bool
find_sees(const struct find *f, const char *row, struct generate_hit *hit)
{
    return generate_match(f->q, row, f->used, 0, hit);
}

bool
find_says(struct find *f, const char *row)
{
    return generate_claim(f->q, row, &f->used) != REQUEST_NONE;
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
        if (!generate_used(f->used, i) &&
            generate_may(request_value_of(f->q, i), type))
            return i;
    return REQUEST_NONE;
}

void
find_add_word(struct find *f, struct buf *out, size_t i)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);

    generate_word(out, generate_text(f->q, i, &room));
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

    f->placed = generate_places(f->q, &f->used, &places);
    buf_printf(&f->part[FIND_PLACE], " %s", places.p);
    f->none |= places.bad;
}

static void
read_errors(struct find *f)
{
    generate_errors(f->q, &f->used, &f->part[FIND_ERRORS]);
}

static void
read_pipe(struct find *f)
{
    find_says(f, "find|list");
    find_says(f, "recursive");
    f->counts = request_has(f->q, "count");
    generate_tail(f->q, &f->used, &f->part[FIND_PIPE]);
}

/* Marks words that are used together with others. */
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

    for (size_t i = 0; i < ARRAY_SIZE(small); i++)
        for (size_t w = 0; w < f->q->n; w++)
            if (f->part[small[i].part].len &&
                generate_is(f->q, w, small[i].words))
                find_use(f, w);
    for (size_t i = 0; i < FIND_ACTION; i++)
        if (strstr(f->part[i].p, " !"))
            find_says(f, "not|except");
    if (strstr(f->run.p, "grep -L"))
        find_says(f, "not|without");
}

/* "delete all files in this directory" does not mean what lies below it. */
static void
read_bounds(struct find *f)
{
    static const enum find_part bounds[] = {FIND_DEPTH, FIND_SIZE, FIND_TIME,
                                            FIND_PERM, FIND_OWNER};

    if (!f->deletes || find_named(f) || f->part[FIND_TYPE].len ||
        request_has(f->q, "recursive under below beneath tree everything "
                          "subdirectory hierarchy"))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(bounds); i++)
        if (f->part[bounds[i]].len)
            return;
    buf_str(&f->part[FIND_DEPTH], " -maxdepth 1");
}

/* A name was not used by any test: the rest would delete too much, so that
 * files are only listed. */
static void
read_unheeded(struct find *f)
{
    for (size_t i = 0; f->deletes && i < f->q->n; i++)
        if (request_value_of(f->q, i) && !generate_used(f->used, i))
            f->deletes = false;
}

/* Whether directories that are not empty are deleted: rm -r does that. */
static bool
deletes_trees(const struct find *f)
{
    return f->deletes && strstr(f->part[FIND_TYPE].p, "-type d") &&
           !strstr(f->part[FIND_SIZE].p, "-empty");
}

/* Whether it would delete by age, size or emptiness inside .git. */
static bool
goes_into_git(const struct find *f)
{
    return !f->part[FIND_NAME].len && !deletes_trees(f) &&
           !strstr(f->part[FIND_DEPTH].p, "-maxdepth 1") &&
           !strstr(f->part[FIND_PRUNE].p, ".git") &&
           !strstr(f->part[FIND_TYPE].p, "type l");
}

/* Excludes the directory that find starts with, which is not below itself. */
static void
exclude_top(struct find *f)
{
    if (!f->run.len && deletes_trees(f) &&
        !strstr(f->part[FIND_DEPTH].p, "-mindepth"))
        buf_str(&f->part[FIND_DEPTH], " -mindepth 1");
}

/* a command that was cut off would be another one */
static void
read_lost(struct find *f)
{
    struct err e;

    for (size_t i = 0; i < FIND_PARTS; i++)
        f->none |= buf_ok(&f->part[i], "a part", &e) < 0;
    f->none |= buf_ok(&f->run, "a part", &e) < 0;
    f->none |= buf_ok(&f->kinds, "a part", &e) < 0;
}

/* The readers in order: the first one gets words that two could read. */
static void (*const readers[])(struct find *f) = {
    read_errors,      find_read_depth,  find_read_skip,    find_read_look,
    find_read_naming, find_read_action, find_read_content, find_read_perm,
    find_read_owner,  find_read_time,   find_read_size,    find_read_order,
    find_read_kind,   find_read_name,   read_places,       find_read_rest,
    find_join_kinds,  find_read_type,   read_pipe,         read_small,
    read_bounds,      read_unheeded,    exclude_top,       read_lost,
};

/* How a line may differ for the same reading. */
struct find_variant {
    bool regular; /* -type f where the request has "files" */
    bool xargs, each, rm;
};

static void
add_exec(const struct find *f, const struct find_variant *v, struct buf *line)
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

/* Deletes directories with their contents; -prune since find must not enter
 * them. */
static void
add_tree_deletion(const struct find *f, const struct find_variant *v,
                  struct buf *line)
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
add_find_variant(const struct find *f, const struct find_variant *v, double fit,
                 struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(CANDIDATE_BYTES);
    struct candidate c = {.recipe = -1,
                          .generator = "find",
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
        add_exec(f, v, &line);
    else if (f->deletes)
        add_tree_deletion(f, v, &line);
    else if (f->part[FIND_PRUNE].len && !f->part[FIND_ACTION].len)
        buf_str(&line, " -print");
    buf_str(&line, f->part[FIND_ERRORS].p);
    buf_str(&line, f->part[FIND_PIPE].p);
    find_title(f, false, c.title, sizeof(c.title));
    if (message_is_translated())
        find_title(f, true, c.shown, sizeof(c.shown));
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
    const struct find_variant variants[] = {
        {.regular = regular},
        {.regular = !regular},
        {.regular = regular, .xargs = true, .rm = true},
        {.regular = regular, .each = true, .rm = true},
    };

    for (size_t i = 0; i < ARRAY_SIZE(variants); i++) {
        if ((i == 1 && (!f->plain || f->deletes || f->regular)) ||
            (i > 1 && !acts))
            continue;
        if (add_find_variant(f, &variants[i],
                             fit * (1 - LESS_LIKELY * (double)i), s, e) < 0)
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
generate_find(const struct request *q, struct shortlist *s, struct err *e)
{
    CLEANUP(find_done) struct find f;
    double fit;

    find_init(&f, q);
    for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
        readers[i](&f);
    fit = find_fit(&f);
    return fit > 0 ? add_variants(&f, fit, s, e) : 0;
}
