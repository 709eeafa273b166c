/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overwrite.c - finds existing files that a command would replace. */
#include "offline/engine/overwrite.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "guard/risk/risk.h"
#include "offline/parse/lexicon.h"

/* Where a file is looked for. */
struct overwrite_scope {
    const struct seat *here;     /* NULL: no file exists */
    const struct request *named; /* only its values count; NULL: all files */
    const struct syntax *syntax;
    size_t before; /* what stands there and names a file excuses it */
};

/* Whether the request names the path; true when all files count. */
static bool
is_asked_about(const struct request *named, const char *path)
{
    for (size_t i = 0; named && i < named->n_values; i++)
        if (strcmp(named->values[i].text, path) == 0)
            return true;
    return !named;
}

/* Whether a word before that byte names the file: it was moved or read
 * before. */
static bool
is_word_before(const struct overwrite_scope *in, const char *name)
{
    for (const struct syntax_node *n = in->syntax->all; n; n = n->after)
        for (const struct syntax_word *w = n->words; w; w = w->next)
            if (n->to <= in->before && strcmp(w->text, name) == 0)
                return true;
    return false;
}

/* Whether the path is a file that is not empty, or a link. */
static bool
is_full(const struct overwrite_scope *in, const char *path)
{
    struct stat st;

    return seat_stat(in->here, path, AT_SYMLINK_NOFOLLOW, &st) == 0 &&
           S_ISREG(st.st_mode) && st.st_size > 0 &&
           is_asked_about(in->named, path) && !is_word_before(in, path);
}

static bool
is_dir(const struct overwrite_scope *in, const char *path)
{
    struct stat st;

    return seat_stat(in->here, path, 0, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The last component of a name, also of box:file. */
static const char *
base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *colon = strchr(path, ':');

    if (!slash && colon)
        return colon + 1;
    return slash && slash[1] ? slash + 1 : path;
}

/* Whether a directory has a file of that file's name. */
static bool
is_taken_in(const struct overwrite_scope *in, const char *dir, const char *file)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof(path), "%s/%s", dir, base_of(file));

    return n > 0 && (size_t)n < sizeof(path) && is_full(in, path);
}

/* glob(3), which knows no other directory than the process's, in that of the
 * seat. *skip: bytes of each path before what the pattern itself matches. */
static int
glob_here(const struct seat *here, const char *pattern, glob_t *all,
          size_t *skip)
{
    const char *dir = here ? seat_dir(here) : NULL;
    CLEANUP_BUF struct buf whole = buf_of(3 * PATH_MAX);

    *skip = 0;
    if (!dir)
        return GLOB_NOMATCH;
    if (pattern[0] != '/') {
        for (const char *p = dir; *p; p++)
            buf_printf(&whole, "%s%c", strchr("*?[]\\", *p) ? "\\" : "", *p);
        buf_str(&whole, dir[1] ? "/" : "");
        *skip = dir[1] ? strlen(dir) + 1 : 1;
    }
    buf_str(&whole, pattern);
    return whole.bad ? GLOB_NOSPACE : glob(whole.p, GLOB_NOSORT, NULL, all);
}

static bool
are_taken_in(const struct overwrite_scope *in, const char *dir,
             const char *pattern)
{
    CLEANUP(globfree) glob_t all = {0};
    size_t skip;

    if (!strpbrk(pattern, "*?["))
        return is_taken_in(in, dir, pattern);
    if (glob_here(in->here, pattern, &all, &skip) != 0)
        return false;
    for (size_t i = 0; i < all.gl_pathc; i++)
        if (is_taken_in(in, dir, all.gl_pathv[i] + skip))
            return true;
    return false;
}

/* An option of letters, or a long one. */
static bool
has_call_option(const struct risk_call *c, const char *letters,
                const char *longs)
{
    for (size_t i = 1; i < c->n; i++) {
        const char *w = c->argv[i];

        if (w[0] == '-' && w[1] != '-' && strpbrk(w, letters))
            return true;
        if (w[0] == '-' && lexicon_listed(w, longs))
            return true;
    }
    return false;
}

/* The value of an option, in the next word or behind "=", or NULL. The option
 * may be the last letter of several. */
static const char *
option_value(const struct risk_call *c, char letter, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 1; i < c->n; i++) {
        const char *w = c->argv[i];
        const char *next = i + 1 < c->n ? c->argv[i + 1] : NULL;

        if (strncmp(w, name, n) == 0 && (w[n] == '=' || !w[n]))
            return w[n] ? w + n + 1 : next;
        if (w[0] == '-' && w[1] && w[1] != '-' && w[strlen(w) - 1] == letter)
            return next;
    }
    return NULL;
}

/* "for d in *\/; do cp x "$d"; done" */
static bool
is_taken_below(const struct overwrite_scope *in, const struct risk_call *c)
{
    CLEANUP(globfree) glob_t all = {0};
    size_t skip;

    if (glob_here(in->here, c->argv[c->n - 1], &all, &skip) != 0)
        return false;
    for (size_t k = 0; k < all.gl_pathc; k++)
        for (size_t i = 1; i + 1 < c->n; i++)
            if (is_taken_in(in, all.gl_pathv[k] + skip, c->argv[i]))
                return true;
    return false;
}

/* cp and mv: the last operand is the target. */
static bool
puts_over(const struct overwrite_scope *in, const struct risk_call *c)
{
    const char *dir = option_value(c, 't', "--target-directory");
    const char *to = dir ? dir : c->argv[c->n - 1];

    if (c->n < 3 || has_call_option(c, "niub",
                                    " --no-clobber --interactive "
                                    "--update --backup "))
        return false;
    if (strpbrk(to, "*?[")) /* as the guard reads "$d" of a loop */
        return is_taken_below(in, c);
    if (!is_dir(in, to))
        return is_full(in, to);
    for (size_t i = 1; i < c->n; i++)
        if (c->argv[i][0] != '-' && c->argv[i] != to &&
            are_taken_in(in, to, c->argv[i]))
            return true;
    return false;
}

/* docker cp box:x . */
static bool
takes_out_over(const struct overwrite_scope *in, const struct risk_call *c)
{
    const char *to = c->argv[c->n - 1];

    if (c->n < 4 || strcmp(c->argv[1], "cp") != 0 || strchr(to, ':'))
        return false;
    return is_dir(in, to) ? is_taken_in(in, to, c->argv[c->n - 2])
                          : is_full(in, to);
}

/* A link to a directory: the new link would be created inside it. */
static bool
links_over(const struct overwrite_scope *in, const struct risk_call *c)
{
    const char *to = c->argv[c->n - 1];
    struct stat st;

    if (has_call_option(c, "nTib",
                        " --no-dereference --no-target-directory "
                        "--interactive --backup "))
        return false;
    if (seat_stat(in->here, to, AT_SYMLINK_NOFOLLOW, &st) == 0 &&
        S_ISLNK(st.st_mode) && is_dir(in, to))
        return is_asked_about(in->named, to);
    return has_call_option(c, "f", " --force ") && is_full(in, to);
}

/* tar -czf x, tar czf x, tar -f x -c */
static bool
packs_over(const struct overwrite_scope *in, const struct risk_call *c)
{
    const char *file = option_value(c, 'f', "--file");
    bool creates = false;

    for (size_t i = 1; i < c->n; i++) {
        const char *w = c->argv[i];
        bool old = i == 1 && w[0] != '-';
        bool letters = (w[0] == '-' && w[1] != '-') || old;

        creates = creates || (letters && strchr(w, 'c')) ||
                  strcmp(w, "--create") == 0;
        if (!file && old && strchr(w, 'f') && i + 1 < c->n)
            file = c->argv[i + 1];
    }
    return creates && file && is_full(in, file);
}

static bool
has_operand(const struct risk_call *c, const char *name, size_t but)
{
    for (size_t i = 1; i < c->n; i++)
        if (i != but && strcmp(c->argv[i], name) == 0)
            return true;
    return false;
}

/* "-o x", unless x is also read: then it is changed in place. */
static bool
writes_over(const struct overwrite_scope *in, const struct risk_call *c)
{
    static const char options[] = " -o -O -w --output --output-document ";

    for (size_t i = 1; i < c->n; i++) {
        const char *is = strchr(c->argv[i], '=');

        if (is && strncmp(c->argv[i], "--output", strlen("--output")) == 0 &&
            is_full(in, is + 1) && !has_operand(c, is + 1, i))
            return true;
        if (i + 1 < c->n && lexicon_listed(c->argv[i], options) &&
            is_full(in, c->argv[i + 1]) &&
            !has_operand(c, c->argv[i + 1], i + 1))
            return true;
    }
    return strcmp(c->name, "curl") == 0 &&
                   has_call_option(c, "O", " --remote-name ")
               ? is_full(in, base_of(c->argv[c->n - 1]))
               : false;
}

static bool
tees_over(const struct overwrite_scope *in, const struct risk_call *c)
{
    for (size_t i = 1; i < c->n; i++)
        if (is_full(in, c->argv[i]))
            return !has_call_option(c, "a", " --append ");
    return false;
}

static bool
call_overwrites(const struct overwrite_scope *in, const struct risk_call *c)
{
    static const char outputs[] =
        " sort gcc cc g++ curl wget openssl gpg "
        "tcpdump convert pandoc tree objcopy shuf xxd ";

    if (lexicon_listed(c->name, " cp mv scp install "))
        return puts_over(in, c);
    if (strcmp(c->name, "tar") == 0)
        return packs_over(in, c);
    if (lexicon_listed(c->name, " docker podman "))
        return takes_out_over(in, c);
    if (strcmp(c->name, "ln") == 0)
        return c->n > 2 && links_over(in, c);
    if (strncmp(c->name, "mkfs", 4) == 0 || strcmp(c->name, "mkswap") == 0)
        return is_full(in, c->argv[c->n - 1]);
    if (strcmp(c->name, "tee") == 0)
        return tees_over(in, c);
    return lexicon_listed(c->name, outputs) && writes_over(in, c);
}

static bool
is_output(enum syntax_redirect_kind kind)
{
    return kind == SYNTAX_WRITE || kind == SYNTAX_CLOBBER ||
           kind == SYNTAX_WRITE_BOTH;
}

/* Whether > replaces a file. */
static bool
redirects_over(const struct overwrite_scope *in)
{
    for (const struct syntax_node *n = in->syntax->all; n; n = n->after)
        for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
            if (is_output(r->kind) && r->target && is_full(in, r->target->text))
                return true;
    return false;
}

static bool
is_requested(const struct request *q)
{
    static const char words[] =
        " over overwrite overwriting replace replacing force swap exchange "
        "empty emptied truncate clear zero blank wipe erase restore reset "
        "rewrite anyway ";

    for (size_t i = 0; i < q->n; i++)
        if (!request_value_of(q, i) &&
            (lexicon_listed(q->words[i].plain, words) ||
             lexicon_listed(q->words[i].stem, words)))
            return true;
    return false;
}

/* "without overwriting" means the opposite */
static bool
forbids_overwriting(const struct request *q)
{
    return request_has(q, "without not never avoid keep");
}

bool
overwrite_is_asked(const struct request *q)
{
    return is_requested(q) && !forbids_overwriting(q);
}

bool
overwrites(const struct request *q, const char *command, bool all)
{
    static const struct path_context nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    struct overwrite_scope in = {
        .here = q->seat, .named = all ? NULL : q, .syntax = &s};

    if (overwrite_is_asked(q))
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
