/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_fit.c - whether find is what a request is about. */
#include <string.h>

#include "offline/compose/find.h"

#define THINGS                                                                 \
    "file directory symlink link socket pipe device subdirectory folder fifo"

/* What speaks for find, and what for another program. */
static const struct sign {
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

/* Words that nobody has read speak for a program that would read them. */
static double
unread(const struct find *f)
{
    size_t left = 0;

    for (size_t i = 0; i < f->q->n; i++)
        left += !compose_used(f->used, i) && !f->q->words[i].weak;
    return left > 8 ? .28 : .035 * (double)left;
}

/* "find the word x in notes.txt": one file to look into is for grep. */
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
            compose_is(q, i - 1, "a the this my one"))
            return true;
    return false;
}

/* What find does itself it does with all, whatever a pipe behind it leaves
 * of the list: "delete the first 10 files". */
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
        bool unread = !compose_used(f->used, i) && !f->q->words[i].weak;

        if (unread && (!things || (i + 1 < f->q->n &&
                                   compose_is(f->q, i + 1, "file link"))))
            return true;
        if (unread && !f->placed && compose_is(f->q, i - 1, "of in under"))
            return true; /* a place that is not there */
    }
    return false;
}

/* "empty the file x" asks for it to be emptied; images of docker are none
 * of find's; what was deleted by mistake is wanted back. */
static bool
is_other_wish(const struct find *f)
{
    if (f->q->n > 1 && compose_is(f->q, 0, "empty") &&
        compose_is(f->q, 1, "the a this my"))
        return true;
    if (request_has(f->q, "docker podman kubernetes container") ||
        (request_has(f->q, "git") && !request_has(f->q, "find file directory")))
        return true;
    for (size_t i = 0; f->deletes && i < f->q->n; i++)
        if (compose_is(f->q, i,
                       "mistake accident accidentally recover "
                       "restore undelete undo listed"))
            return true;
    return false;
}

/* An age or a size that was named, which few other programs heed. */
static bool
is_measured(const struct find *f)
{
    for (size_t i = 0; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && compose_used(f->used, i) &&
            (v->is == SLOT_AGE || v->is == SLOT_SIZE) && !v->quoted)
            return true;
    }
    return false;
}

#define MEASURED .2

/* Below it find is not offered; nothing is as sure as a recipe in the same
 * words. */
#define LEAST .1
#define MOST  .95

double
find_fit(const struct find *f)
{
    double fit = .3;

    if (f->none || does_too_much(f) || is_one_file(f) || is_some_file(f) ||
        is_too_wide(f) || is_other_wish(f))
        return 0;
    if (!request_has(f->q, THINGS) && !f->part[FIND_NAME].len &&
        !(f->tests && request_has(f->q, "find list delete")))
        return 0;
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        for (size_t w = 0; w < f->q->n; w++)
            if (compose_is(f->q, w, signs[i].stems)) {
                fit += signs[i].by;
                break;
            }
    if (is_measured(f))
        fit += MEASURED;
    fit += .08 * (f->tests > 4 ? 4 : f->tests) - unread(f);
    return fit < LEAST ? 0 : fit > MOST ? MOST : fit;
}
