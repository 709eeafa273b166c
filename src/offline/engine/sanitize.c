/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sanitize.c - rewrites a generated command so that it does less harm.
 *
 * sudo is dropped for root, names that begin with a dash get ./, existing
 * files are not overwritten, and .git is left alone. */
#include "offline/engine/sanitize.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk.h"
#include "guard/syntax/syntax.h"
#include "offline/engine/overwrite.h"
#include "offline/generate/generate.h"
#include "offline/parse/lexicon.h"

/* Whether the node is a call of sudo without options; where the command that
 * it starts begins. */
static bool
asks_for_root(const char *command, const struct syntax_node *node, size_t *from,
              size_t *to)
{
    const struct syntax_word *sudo = node->words, *next;

    if (node->kind != SYNTAX_CALL || node->n_words < 2)
        return false;
    next = sudo->next;
    *from = sudo->from;
    *to = next->from;
    return sudo->to - sudo->from == 4 &&
           strncmp(command + sudo->from, "sudo", 4) == 0 &&
           command[next->from] != '-';
}

int
sanitize_drop_sudo(const char *command, struct buf *out, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    size_t at = 0, from, to;

    if (syntax_read(command, strlen(command), &s, e) < 0)
        return -1;
    for (const struct syntax_node *n = s.all; n; n = n->after) {
        if (n->mapped || !asks_for_root(command, n, &from, &to) || from < at)
            continue;
        buf_add(out, command + at, from - at);
        at = to;
    }
    buf_str(out, command + at);
    return buf_ok(out, "the command", e);
}

/* Names that begin with a dash. */

int
sanitize_own_names(const char *command, struct buf *out, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    size_t at = 0;

    if (syntax_read(command, strlen(command), &s, e) < 0)
        return -1;
    for (const struct syntax_node *n = s.all; n; n = n->after) {
        const struct syntax_word *w = n->words;

        /* the first word of a call is what runs; of a loop it is a name */
        if (n->mapped || !w ||
            (n->kind != SYNTAX_CALL && n->kind != SYNTAX_FOR))
            continue;
        for (w = n->kind == SYNTAX_CALL ? w->next : w; w; w = w->next) {
            if (w->from < at || !strchr("*?[", command[w->from]))
                continue;
            buf_add(out, command + at, w->from - at);
            buf_str(out, "./");
            at = w->from;
        }
    }
    buf_str(out, command + at);
    return buf_ok(out, "the command", e);
}

/* Files that are brought into a directory. */

/* Options that state which files stay, or with which tar writes none. */
#define OWN_LETTERS "kO"
#define WITH_VALUE  "CFHIKLNTVXbfg" /* letters of tar's that have one */
#define OWN_OPTIONS                                                            \
    " --keep-old-files --skip-old-files --keep-newer-files --overwrite "       \
    "--unlink-first --to-stdout "

/* The words of tar and its arguments; NULL for another program. */
static const struct syntax_word *
words_of_tar(const struct syntax_node *n)
{
    const struct syntax_word *w = n->kind == SYNTAX_CALL && !n->mapped
                                      ? n->words
                                      : NULL;

    if (w && strcmp(w->text, "sudo") == 0)
        w = w->next;
    return w && strcmp(w->text, "tar") == 0 ? w : NULL;
}

/* The number of option letters at the begin of a word: -xzf, or xzf as the
 * first word. Behind a letter with a value comes the value: -Cdir. */
static size_t
length_of_letters(const struct syntax_word *tar, const struct syntax_word *w)
{
    size_t n = strcspn(w->text, WITH_VALUE);

    if (w->text[0] != '-')
        return w == tar->next ? strlen(w->text) : 0;
    if (w->text[1] == '-')
        return 0;
    return n + (w->text[n] != '\0');
}

static bool
has_tar_letter(const struct syntax_word *tar, const struct syntax_word *w,
               const char *letters)
{
    return strcspn(w->text, letters) < length_of_letters(tar, w);
}

/* Whether it may replace files. */
static bool
unpacks_archive(const struct syntax_word *tar)
{
    bool extracts = false;

    for (const struct syntax_word *w = tar->next; w; w = w->next) {
        if (lexicon_listed(w->text, OWN_OPTIONS) ||
            has_tar_letter(tar, w, OWN_LETTERS))
            return false;
        extracts = extracts || has_tar_letter(tar, w, "x") ||
                   lexicon_listed(w->text, " --extract --get ");
    }
    return extracts;
}

/* The directory of xCf dir a.tar: the values follow in the order of the
 * letters. */
static const char *
target_behind(const struct syntax_word *letters)
{
    const struct syntax_word *value = letters->next;

    for (const char *p = letters->text; value && *p != 'C'; p++)
        if (strchr(WITH_VALUE, *p))
            value = value->next;
    return value ? value->text : ".";
}

/* The directory that it unpacks into. */
static const char *
target_of(const struct syntax_word *tar)
{
    static const char option[] = "--directory=";

    for (const struct syntax_word *w = tar->next; w; w = w->next) {
        size_t n = length_of_letters(tar, w);

        if (strncmp(w->text, option, strlen(option)) == 0)
            return w->text + strlen(option);
        if (w->next && strcmp(w->text, "--directory") == 0)
            return w->next->text;
        if (!has_tar_letter(tar, w, "C"))
            continue;
        if (w->text[0] != '-')
            return target_behind(w);
        if (w->text[n] || w->next)
            return w->text[n] ? w->text + n : w->next->text;
    }
    return ".";
}

/* A command line, and where it begins. */
struct command_line {
    const struct syntax *s;
    const struct risk *risk;
    struct path_context where;
};

/* The working directory of a command of the line; NULL when it is unknown. */
static const char *
directory_of(const struct command_line *l, const struct syntax_word *w)
{
    const struct syntax_word *last = w;

    while (last->next)
        last = last->next;
    for (size_t i = 0; i < l->risk->n_paths; i++) {
        const struct risk_path *p = &l->risk->paths[i];

        if (p->from >= w->from && p->to <= last->to && p->to > 0)
            return p->dir;
    }
    for (size_t i = 0; i < l->risk->n_calls; i++)
        if (lexicon_listed(l->risk->calls[i].name, " cd pushd popd "))
            return NULL;
    return l->where.cwd;
}

/* Whether the directory is empty or missing. An unknown or unreadable one may
 * have files. */
static bool
is_vacant(const struct command_line *l, const struct syntax_word *w,
          const char *target)
{
    CLEANUP(dir_close_p) DIR *dir = NULL;
    const struct dirent *entry;
    char path[PATH_MAX];
    bool cut = false;

    if (!path_absolute(target, directory_of(l, w), &l->where, path, &cut) ||
        cut)
        return false;
    dir = opendir(path);
    if (!dir)
        return errno == ENOENT;
    errno = 0;
    while ((entry = readdir(dir)))
        if (!lexicon_listed(entry->d_name, " . .. "))
            return false;
    return errno == 0;
}

/* An option to insert. */
struct insertion {
    size_t at; /* in the line; 0: there is none */
    const char *option;
};

/* For a tar that must keep files: before its first letters, which may have no
 * dash, and so before anything that could end the options. */
static struct insertion
place_in_tar(const struct command_line *l, const struct syntax_node *n)
{
    const struct syntax_word *w = words_of_tar(n);

    if (!w || !unpacks_archive(w) || is_vacant(l, w, target_of(w)))
        return (struct insertion){0};
    if (w->next->text[0] == '-')
        return (struct insertion){w->to, " -k"};
    return (struct insertion){w->next->from, "k"};
}

/* Whether "{} docs" brings files into a directory with files; w is a word of
 * find. */
static bool
brings_files(const struct command_line *l, const struct syntax_word *find,
             const struct syntax_word *w)
{
    static const char own[] = " -n -i -u -b --no-clobber --backup --update "
                              "--interactive ";

    for (; w && !lexicon_listed(w->text, " ; + "); w = w->next) {
        if (lexicon_listed(w->text, own))
            return false;
        if (w->next && lexicon_listed(w->text, " {} -t "))
            return !is_vacant(l, find, w->next->text);
    }
    return false;
}

/* For the mv or cp of find -exec that must keep files: behind its name. */
static struct insertion
place_in_find(const struct command_line *l, const struct syntax_node *n)
{
    const struct syntax_word *find = n->kind == SYNTAX_CALL && !n->mapped
                                         ? n->words
                                         : NULL;

    if (!find || strcmp(find->text, "find") != 0)
        return (struct insertion){0};
    for (const struct syntax_word *w = find; w->next; w = w->next)
        if (lexicon_listed(w->text, " -exec -execdir ") &&
            lexicon_listed(w->next->text, " mv cp ") &&
            brings_files(l, find, w->next->next))
            return (struct insertion){w->next->to, " -n"};
    return (struct insertion){0};
}

/* The first insertion at or behind that byte. */
static struct insertion
next_place(const struct command_line *l, size_t at)
{
    struct insertion first = {0};

    for (const struct syntax_node *n = l->s->all; n; n = n->after) {
        struct insertion p = place_in_tar(l, n);

        if (p.at == 0)
            p = place_in_find(l, n);
        if (p.at > at && (first.at == 0 || p.at < first.at))
            first = p;
    }
    return first;
}

static int
put_safe_options(const char *command, struct buf *out, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk risk = {0};
    char cwd[PATH_MAX];
    struct command_line l = {.s = &s, .risk = &risk};
    struct insertion p;
    size_t at = 0;

    l.where = path_context_here(getcwd(cwd, sizeof(cwd)) ? cwd
                                                         : "/proc/self/cwd");
    if (syntax_read(command, strlen(command), &s, e) < 0 ||
        risk_read(&s, &l.where, &risk, e) < 0)
        return -1;
    while ((p = next_place(&l, at)).at > 0) {
        buf_add(out, command + at, p.at - at);
        buf_str(out, p.option);
        at = p.at;
    }
    buf_str(out, command + at);
    return 0;
}

int
sanitize_keep_members(const struct request *q, const char *command,
                      struct buf *out, struct err *e)
{
    bool may = strstr(command, "tar ") || strstr(command, "-exec");

    if (!may || overwrite_is_asked(q))
        buf_str(out, command);
    else if (put_safe_options(command, out, e) < 0)
        return -1;
    return buf_ok(out, "the command", e);
}

/* Files that a command would overwrite or delete, and .git. */

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
is_regular_file(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
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
free_name(const char *name, char out[PATH_MAX])
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    const char *dot = *base ? strchr(base + 1, '.') : NULL;
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    struct stat st;

    for (int i = 2; i <= NAMES_MAX; i++) {
        snprintf(out, PATH_MAX, "%.*s-%d%s", stem, name, i, dot ? dot : "");
        if (lstat(out, &st) != 0)
            return true;
    }
    return false;
}

/* Whether it is an existing file that the request does not name. */
static bool
is_unnamed(const struct keeper *p, const struct syntax_word *w)
{
    return is_own_name(w) && is_regular_file(w->text) &&
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
    edit = free_name(w->text, name) ? add_edit(p, w->from, w->to) : NULL;
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
            (is_regular_file("xaa") || is_regular_file("x00")))
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
begins_at_repository(const struct risk_call *c)
{
    char path[PATH_MAX];
    struct stat st;
    bool named = false;

    for (size_t i = 1; i < c->n && !strchr("-(!", c->argv[i][0]); i++) {
        named = true;
        if (snprintf(path, sizeof(path), "%s/.git", c->argv[i]) < PATH_MAX &&
            lstat(path, &st) == 0)
            return true;
    }
    return !named && lstat(".git", &st) == 0;
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
            !begins_at_repository(c))
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
