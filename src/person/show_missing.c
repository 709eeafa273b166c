/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_missing.c - what a step would work on and is not there. */
#include "person/show_missing.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "term/escape.h"
#include "term/width.h"

#define NAMED_MAX  4     /* more would hide the step */
#define NAME_BYTES 16384 /* of one, all of it escapes */
#define AROUND     8     /* columns: the indent, and what follows a name */
#define MAKES      (RISK_WRITES | RISK_OPAQUE | RISK_ACTS | RISK_UNKNOWN)

/* Whether a call's name is in a list that ends with NULL. */
static bool
is_one_of(const struct risk_call *c, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(c->name, *names) == 0)
            return true;
    }
    return false;
}

/* Programs whose words are files, and that need them: of another's words nobody
 * is sure (fuser 8080/tcp, find !). */
static bool
needs_files(const struct risk_call *c)
{
    static const char *const names[] = {
        "awk",    "base64",   "bunzip2", "bzip2",     "cat",   "chgrp",
        "chmod",  "chown",    "cmp",     "comm",      "cp",    "cut",
        "diff",   "du",       "file",    "fold",      "grep",  "gunzip",
        "gzip",   "head",     "jq",      "less",      "ls",    "md5sum",
        "more",   "mv",       "nl",      "paste",     "patch", "rm",
        "rmdir",  "sed",      "sha1sum", "sha256sum", "shred", "sort",
        "source", "split",    "tac",     "tail",      "tar",   "tee",
        "tr",     "truncate", "uniq",    "unlink",    "unxz",  "unzip",
        "wc",     "xz",       "zcat",    "zip",       NULL};

    return is_one_of(c, names);
}

/* What a call changes may be new to it, but not to these. */
static bool
changes_what_is(const struct risk_call *c)
{
    static const char *const names[] = {"sed", "chmod", "chown", "chgrp", NULL};

    return is_one_of(c, names);
}

/* Whether the call works on what stands there: the last that mv names may be
 * new, and what it takes away counts as made, since nothing is lost. */
static bool
is_needed(const struct risk *r, const struct risk_path *path)
{
    const struct risk_call *c = &r->calls[0];

    switch (path->use) {
    case RISK_READS:
    case RISK_DELETES:
        return true;
    default:
        return changes_what_is(c) ||
               (path->use == RISK_MAKES && strcmp(c->name, "mv") == 0 &&
                c->n > 2 && strcmp(path->text, c->argv[c->n - 1]) != 0);
    }
}

/* Where the first call is not done yet, nothing that the line makes is there.
 */
static bool
is_of_first(const struct risk *r, const struct risk_path *path)
{
    const struct risk_call *c = r->calls;
    bool inside = r->n_calls > 0 && path->from >= c->from && path->to <= c->to;

    /* "< x" stands behind the call that it is for */
    return r->n_calls > 0 && needs_files(c) &&
           (inside || (r->n_calls == 1 && path->use == RISK_READS));
}

static bool
is_literal(const char *text)
{
    return text[0] && text[0] != '~' && text[0] != '-' &&
           !strpbrk(text, "*?[]{}$`");
}

static bool
is_gone(const struct risk_path *path, const char *directory)
{
    const char *dir = path->dir ? path->dir : directory;
    CLEANUP(free_p)
    char *full = path_join(path->text[0] == '/' ? "/" : dir, path->text);
    struct stat st;

    return full && lstat(full, &st) < 0 && errno == ENOENT;
}

static bool
is_missing(const struct risk *r, const struct risk_path *path,
           const char *directory)
{
    return path->known && is_literal(path->text) && is_of_first(r, path) &&
           is_needed(r, path) && is_gone(path, directory);
}

static bool
has_earlier(const struct risk *r, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(r->paths[k].text, r->paths[i].text) == 0)
            return true;
    }
    return false;
}

/* A word that is wider than a line is read in the command itself. */
static void
add_name(struct buf *out, const struct term *t, const char *path)
{
    CLEANUP_BUF struct buf name = buf_of(NAME_BYTES);

    escape_str(&name, NULL, path, ESCAPE_LINES);
    if (name.bad || width_str(name.p) + AROUND > (size_t)t->columns)
        buf_str(out, "a file that it names");
    else
        buf_add(out, name.p, name.len);
}

/* What a step does may depend on what those before it made or installed. */
static bool
is_known_now(const struct plan *p, size_t step)
{
    for (size_t i = 0; i < step; i++) {
        if (plan_judgement(p, i)->found.risk.facts & MAKES ||
            plan_judgement(p, i)->tool)
            return false;
    }
    return true;
}

static bool
is_program_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-+.";

    return isalnum((unsigned char)name[0]) && !name[strspn(name, letters)];
}

static bool
is_function(const struct syntax *s, const char *name)
{
    for (const struct syntax_node *n = s->all; n; n = n->after)
        if (n->kind == SYNTAX_FUNCTION && n->words &&
            strcmp(n->words->text, name) == 0)
            return true;
    return false;
}

/* The first program of the step that bash would not find; what the line
 * defines as a function is here. NULL: none. */
static const char *
find_uninstalled(const struct judgement *j, struct machine *m)
{
    const struct risk *r = &j->found.risk;

    for (size_t i = 0; i < r->n_calls; i++) {
        const char *name = r->calls[i].name;

        if (!r->calls[i].path && is_program_name(name) &&
            !risk_is_placeholder(name) &&
            !is_function(&j->found.syntax, name) && !machine_has(m, name))
            return name;
    }
    return NULL;
}

void
show_uninstalled(struct buf *out, const struct plan *p, size_t step,
                 struct machine *m)
{
    const struct judgement *j = plan_judgement(p, step);
    const char *name;

    if (!m || j->tool || !is_known_now(p, step))
        return;
    name = find_uninstalled(j, m);
    if (name)
        buf_printf(out, "%s is not installed here", name);
}

void
show_missing(struct buf *out, const struct term *t, const struct plan *p,
             size_t step)
{
    const struct judgement *j = plan_judgement(p, step);
    const struct risk *r = &j->found.risk;
    size_t n = 0;

    if (!is_known_now(p, step))
        return;
    for (size_t i = 0; i < r->n_paths && n < NAMED_MAX; i++) {
        if (!is_missing(r, &r->paths[i], j->directory) || has_earlier(r, i))
            continue;
        buf_str(out, n++ ? ", " : "");
        add_name(out, t, r->paths[i].text);
    }
    if (n > 0)
        buf_str(out, n == 1 ? " does not exist" : " do not exist");
}
