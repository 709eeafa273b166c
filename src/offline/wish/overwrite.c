/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overwrite.c - files that a command would put others in place of. */
#include "offline/wish/overwrite.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "guard/risk/risk.h"
#include "offline/request/words.h"

/* Where a file is looked for. */
struct scope {
    const struct request *named; /* only its values count; NULL: all files */
    const struct syntax *syntax;
    size_t before; /* what stands there and names a file excuses it */
};

/* Whether a value of the request is that path; always, where all count. */
static bool
is_asked_about(const struct request *named, const char *path)
{
    for (size_t i = 0; named && i < named->n_values; i++)
        if (strcmp(named->values[i].text, path) == 0)
            return true;
    return !named;
}

/* Whether a word that ends before that byte names the file: then it was moved
 * away, or read, to be put back changed. */
static bool
is_named_before(const struct scope *in, const char *name)
{
    for (const struct syntax_node *n = in->syntax->all; n; n = n->after)
        for (const struct syntax_word *w = n->words; w; w = w->next)
            if (n->to <= in->before && strcmp(w->text, name) == 0)
                return true;
    return false;
}

/* A file that would be lost; a link is what is pointed elsewhere. */
static bool
is_full(const struct scope *in, const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
           is_asked_about(in->named, path) && !is_named_before(in, path);
}

static bool
is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *
base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Whether a directory has a file of that file's name. */
static bool
is_taken_in(const struct scope *in, const char *dir, const char *file)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof(path), "%s/%s", dir, base_of(file));

    return n > 0 && (size_t)n < sizeof(path) && is_full(in, path);
}

static bool
are_taken_in(const struct scope *in, const char *dir, const char *pattern)
{
    CLEANUP(globfree) glob_t all = {0};

    if (!strpbrk(pattern, "*?["))
        return is_taken_in(in, dir, pattern);
    if (glob(pattern, GLOB_NOSORT, NULL, &all) != 0)
        return false;
    for (size_t i = 0; i < all.gl_pathc; i++)
        if (is_taken_in(in, dir, all.gl_pathv[i]))
            return true;
    return false;
}

/* An option of letters, or a long one. */
static bool
has_option(const struct risk_call *c, const char *letters, const char *longs)
{
    for (size_t i = 1; i < c->n; i++) {
        const char *w = c->argv[i];

        if (w[0] == '-' && w[1] != '-' && strpbrk(w, letters))
            return true;
        if (w[0] == '-' && words_listed(w, longs))
            return true;
    }
    return false;
}

/* "for d in *\/; do cp x "$d"; done" */
static bool
is_taken_below(const struct scope *in, const struct risk_call *c)
{
    CLEANUP(globfree) glob_t all = {0};

    if (glob(c->argv[c->n - 1], GLOB_NOSORT, NULL, &all) != 0)
        return false;
    for (size_t k = 0; k < all.gl_pathc; k++)
        for (size_t i = 1; i + 1 < c->n; i++)
            if (is_taken_in(in, all.gl_pathv[k], c->argv[i]))
                return true;
    return false;
}

/* Of cp and mv: the last operand is where it goes. */
static bool
puts_over(const struct scope *in, const struct risk_call *c)
{
    const char *to = c->argv[c->n - 1];

    if (c->n < 3 || has_option(c, "niubt",
                               " --no-clobber --interactive "
                               "--update --backup "))
        return false;
    if (strpbrk(to, "*?[")) /* as the guard reads "$d" of a loop */
        return is_taken_below(in, c);
    if (!is_dir(to))
        return is_full(in, to);
    for (size_t i = 1; i + 1 < c->n; i++)
        if (c->argv[i][0] != '-' && are_taken_in(in, to, c->argv[i]))
            return true;
    return false;
}

/* tar -czf x, tar czf x, tar -c -f x */
static bool
packs_over(const struct scope *in, const struct risk_call *c)
{
    bool creates = false;

    for (size_t i = 1; i < c->n; i++) {
        const char *w = c->argv[i];
        bool letters = (w[0] == '-' && w[1] != '-') || i == 1;

        creates = creates || (letters && strchr(w, 'c')) ||
                  strcmp(w, "--create") == 0;
        if (letters && strchr(w, 'f') && i + 1 < c->n)
            return creates && is_full(in, c->argv[i + 1]);
    }
    return false;
}

static bool
has_operand(const struct risk_call *c, const char *name, size_t but)
{
    for (size_t i = 1; i < c->n; i++)
        if (i != but && strcmp(c->argv[i], name) == 0)
            return true;
    return false;
}

/* "-o x", unless x is read as well: then it is changed in place. */
static bool
writes_over(const struct scope *in, const struct risk_call *c)
{
    static const char options[] = " -o -O -w --output --output-document ";

    for (size_t i = 1; i + 1 < c->n; i++)
        if (words_listed(c->argv[i], options) && is_full(in, c->argv[i + 1]) &&
            !has_operand(c, c->argv[i + 1], i + 1))
            return true;
    return strcmp(c->name, "curl") == 0 && has_option(c, "O", " --remote-name ")
               ? is_full(in, base_of(c->argv[c->n - 1]))
               : false;
}

static bool
tees_over(const struct scope *in, const struct risk_call *c)
{
    for (size_t i = 1; i < c->n; i++)
        if (is_full(in, c->argv[i]))
            return !has_option(c, "a", " --append ");
    return false;
}

static bool
call_overwrites(const struct scope *in, const struct risk_call *c)
{
    static const char outputs[] =
        " sort gcc cc g++ curl wget openssl gpg "
        "tcpdump convert pandoc tree objcopy shuf xxd ";

    if (words_listed(c->name, " cp mv scp install "))
        return puts_over(in, c);
    if (strcmp(c->name, "tar") == 0)
        return packs_over(in, c);
    if (strncmp(c->name, "mkfs", 4) == 0 || strcmp(c->name, "mkswap") == 0)
        return is_full(in, c->argv[c->n - 1]);
    if (strcmp(c->name, "tee") == 0)
        return tees_over(in, c);
    return words_listed(c->name, outputs) && writes_over(in, c);
}

static bool
is_output(enum syntax_redirect_kind kind)
{
    return kind == SYNTAX_WRITE || kind == SYNTAX_CLOBBER ||
           kind == SYNTAX_WRITE_BOTH;
}

/* ">" over a file; what only empties it was said otherwise. */
static bool
redirects_over(const struct scope *in)
{
    for (const struct syntax_node *n = in->syntax->all; n; n = n->after)
        for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
            if (is_output(r->kind) && r->target && is_full(in, r->target->text))
                return true;
    return false;
}

static bool
is_said(const struct request *q)
{
    static const char said[] =
        " over overwrite overwriting replace replacing force swap exchange "
        "empty emptied truncate clear zero blank wipe erase restore reset "
        "rewrite anyway ";

    for (size_t i = 0; i < q->n; i++)
        if (!request_value_of(q, i) && (words_listed(q->words[i].plain, said) ||
                                        words_listed(q->words[i].stem, said)))
            return true;
    return false;
}

/* "without overwriting" says the contrary. */
static bool
is_forbidden(const struct request *q)
{
    return request_has(q, "without not never avoid keep");
}

bool
overwrites(const struct request *q, const char *command, bool all)
{
    static const struct risk_place nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    struct scope in = {.named = all ? NULL : q, .syntax = &s};

    if (is_said(q) && !is_forbidden(q))
        return false;
    if (syntax_read(command, strlen(command), &s, NULL) < 0 ||
        risk_read(&s, &nowhere, &r, NULL) < 0 || redirects_over(&in))
        return true;
    for (size_t i = 0; i < r.n_calls; i++) {
        const struct risk_call *c = &r.calls[i];

        in.before = c->from;
        if (c->n > 1 && call_overwrites(&in, c))
            return true;
    }
    return false;
}
