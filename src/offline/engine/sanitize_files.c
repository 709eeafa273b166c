/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sanitize_files.c - keeps a command from overwriting files that no request
 * names, and from changing .git. */
#include "offline/engine/sanitize.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk.h"
#include "guard/syntax/syntax.h"
#include "offline/generate/generate.h"
#include "offline/parse/lexicon.h"

#define NAMES_MAX 99 /* archive-99.tar.gz: then somebody should tidy up */

#define GIT_OUT " -not -path '*/.git' -not -path '*/.git/*'"

/* A change of the command's bytes [from, to). */
struct edit {
    size_t from, to;
    char text[PATH_MAX];
};

#define EDITS_MAX 8

struct keeper {
    const struct request *q;
    const char *command;
    const struct syntax *s;
    const struct risk *r; /* NULL: not read yet */
    bool wants_risk;      /* a word was met that it must be asked about */
    struct edit edits[EDITS_MAX];
    size_t n;
    bool failed;
};

static struct edit *
add_edit(struct keeper *p, size_t from, size_t to)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->edits[i].from == from)
            return NULL; /* of a word that is there twice in the tree */
    if (p->n == EDITS_MAX) {
        p->failed = true;
        return NULL;
    }
    p->edits[p->n] = (struct edit){.from = from, .to = to};
    return &p->edits[p->n++];
}

static bool
is_regular_file(const struct seat *here, const char *path)
{
    struct stat st;

    return seat_stat(here, path, AT_SYMLINK_NOFOLLOW, &st) == 0 &&
           S_ISREG(st.st_mode);
}

/* Whether it is a name in the working directory: others are meant, as
 * ~/.bashrc. */
static bool
is_own_name(const struct syntax_word *w)
{
    return !(w->flags & SYNTAX_EXPANDS) && w->text[0] && w->text[0] != '.' &&
           w->text[0] != '/' && w->text[0] != '-' && w->text[0] != '~' &&
           strlen(w->text) + sizeof("-99") < PATH_MAX;
}

/* Whether the guard reads that the file is only read. */
static bool
is_read(const struct risk *r, const struct syntax_word *w)
{
    bool reads = false;

    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *p = &r->paths[i];

        if (strcmp(p->text, w->text) != 0)
            continue;
        if (p->use == RISK_CHANGES || p->use == RISK_DELETES)
            return false;
        reads = true;
    }
    return reads;
}

/* "test -e x ||": whether the command itself tests for the file. */
static bool
is_tested(const char *command, const char *name)
{
    static const char *const tests[] = {"-e ", "-f ", "-s "};

    for (size_t i = 0; i < ARRAY_SIZE(tests); i++)
        for (const char *at = command; (at = strstr(at, tests[i])); at++)
            if (strncmp(at + 3, name, strlen(name)) == 0)
                return true;
    return false;
}

/* The first free name: x-2.tar.gz for x.tar.gz. */
static bool
free_name(const struct seat *here, const char *name, char out[PATH_MAX])
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    const char *dot = *base ? strchr(base + 1, '.') : NULL;
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    struct stat st;

    for (int i = 2; i <= NAMES_MAX; i++) {
        snprintf(out, PATH_MAX, "%.*s-%d%s", stem, name, i, dot ? dot : "");
        if (seat_stat(here, out, AT_SYMLINK_NOFOLLOW, &st) != 0)
            return true;
    }
    return false;
}

/* Whether it is an existing file that the request does not name. */
static bool
is_unnamed(const struct keeper *p, const struct syntax_word *w)
{
    return is_own_name(w) && is_regular_file(p->q->seat, w->text) &&
           !strstr(p->q->text, w->text) && !is_tested(p->command, w->text);
}

static void
rename_word(struct keeper *p, const struct syntax_word *w)
{
    CLEANUP_BUF struct buf word = buf_of(PATH_MAX);
    char name[PATH_MAX];
    struct edit *edit;

    if (!is_unnamed(p, w))
        return;
    if (!p->r) {
        p->wants_risk = true;
        return;
    }
    if (is_read(p->r, w))
        return;
    edit = free_name(p->q->seat, w->text, name) ? add_edit(p, w->from, w->to)
                                                : NULL;
    if (!edit) {
        p->failed = true;
        return;
    }
    generate_word(&word, name);
    snprintf(edit->text, PATH_MAX, "%s", word.len ? word.p : name);
}

static void
rename_words(struct keeper *p)
{
    for (const struct syntax_node *n = p->s->all; n; n = n->after) {
        if (n->mapped)
            continue;
        for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
            if (r->target)
                rename_word(p, r->target);
        if (n->kind != SYNTAX_CALL || !n->words)
            continue;
        for (const struct syntax_word *w = n->words->next; w; w = w->next)
            rename_word(p, w);
    }
}

/* Whether split would overwrite files of its default names. */
static bool
splits_over(const struct keeper *p)
{
    for (size_t i = 0; i < p->r->n_calls; i++)
        if (strcmp(p->r->calls[i].name, "split") == 0 &&
            (is_regular_file(p->q->seat, "xaa") ||
             is_regular_file(p->q->seat, "x00")))
            return true;
    return false;
}

static bool
is_harming(const struct risk_call *c)
{
    static const char harming[] =
        " rm rmdir unlink shred mv sed chmod chown chgrp truncate gzip bzip2 "
        "xz zstd perl touch tee cp ln rename dos2unix unix2dos trash ";
    bool runs = false;

    for (size_t i = 1; i < c->n; i++) {
        if (strcmp(c->argv[i], "-delete") == 0)
            return true;
        if (runs && lexicon_listed(c->argv[i], harming))
            return true;
        runs = lexicon_listed(c->argv[i], " -exec -execdir -ok -okdir ");
    }
    return false;
}

/* Whether a directory of find is the top of a repository. */
static bool
begins_at_repository(const struct seat *here, const struct risk_call *c)
{
    char path[PATH_MAX];
    struct stat st;
    bool named = false;

    for (size_t i = 1; i < c->n && !strchr("-(!", c->argv[i][0]); i++) {
        named = true;
        if (snprintf(path, sizeof(path), "%s/.git", c->argv[i]) < PATH_MAX &&
            seat_stat(here, path, AT_SYMLINK_NOFOLLOW, &st) == 0)
            return true;
    }
    return !named && seat_stat(here, ".git", AT_SYMLINK_NOFOLLOW, &st) == 0;
}

static const struct syntax_node *
node_at(const struct syntax *s, size_t from, size_t to)
{
    for (const struct syntax_node *n = s->all; n; n = n->after)
        if (n->kind == SYNTAX_CALL && n->words && !n->mapped &&
            n->from >= from && n->to <= to &&
            strcmp(n->words->text, "find") == 0)
            return n;
    return NULL;
}

/* The first test of find: behind its directories and global options. */
static size_t
first_test(const struct syntax_node *n)
{
    size_t at = n->words->to;
    const struct syntax_word *w = n->words->next;

    for (; w && (!strchr("-(!", w->text[0]) ||
                 lexicon_listed(w->text, " -H -L -P -E -X "));
         w = w->next)
        at = w->to;
    while (w && lexicon_listed(w->text, " -maxdepth -mindepth -depth -xdev ")) {
        at = w->to;
        w = w->next;
        if (w && w->text[0] != '-') {
            at = w->to;
            w = w->next;
        }
    }
    return at;
}

static bool
has_or(const struct risk_call *c)
{
    for (size_t i = 1; i < c->n; i++)
        if (lexicon_listed(c->argv[i], " -o -or , "))
            return true;
    return false;
}

/* Excludes .git and all below it from each find that deletes or changes files
 * of a repository; sets failed where that is not possible. */
static void
keep_git(struct keeper *p)
{
    const char *command = p->command;

    for (size_t i = 0; i < p->r->n_calls; i++) {
        const struct risk_call *c = &p->r->calls[i];
        const struct syntax_node *n;
        struct edit *edit;
        size_t at;

        if (strcmp(c->name, "find") != 0 || strstr(command, ".git") ||
            !begins_at_repository(p->q->seat, c))
            continue;
        if (!is_harming(c) && !strstr(command, "xargs"))
            continue;
        n = has_or(c) ? NULL : node_at(p->s, c->from, c->to);
        at = n ? first_test(n) : 0;
        edit = n ? add_edit(p, at, at) : NULL;
        if (edit)
            snprintf(edit->text, PATH_MAX, "%s", GIT_OUT);
        else
            p->failed = true;
    }
}

/* The first edit at or behind that byte, or NULL. */
static const struct edit *
next_edit(const struct keeper *p, size_t at)
{
    const struct edit *next = NULL;

    for (size_t i = 0; i < p->n; i++)
        if (p->edits[i].from >= at && (!next || p->edits[i].from < next->from))
            next = &p->edits[i];
    return next;
}

static void
put_edited(const struct keeper *p, struct buf *out)
{
    const char *command = p->command;
    size_t at = 0;

    for (const struct edit *edit; (edit = next_edit(p, at)) != NULL;) {
        buf_add(out, command + at, edit->from - at);
        buf_str(out, edit->text);
        if (edit->to == edit->from &&
            command[edit->to]) { /* put in: what follows is as it was */
            buf_add(out, command + edit->to, 1);
            at = edit->to + 1;
        } else {
            at = edit->to;
        }
    }
    buf_str(out, command + at);
}

int
sanitize_keep_files(const struct request *q, const char *command,
                    struct buf *out, bool *clear, struct err *e)
{
    static const struct path_context nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    struct keeper p = {.q = q, .command = command, .s = &s};

    *clear = true;
    if (syntax_read(command, strlen(command), &s, e) < 0)
        return -1;
    rename_words(&p);
    if (p.wants_risk || strstr(command, "find ") || strstr(command, "split ")) {
        if (risk_read(&s, &nowhere, &r, e) < 0)
            return -1;
        p.r = &r;
        rename_words(&p);
        keep_git(&p);
        *clear = !p.failed && !splits_over(&p);
    }
    put_edited(&p, out);
    return buf_ok(out, "the command", e);
}
