/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_members.c - what is brought into a directory leaves files alone. */
#include "offline/wish/keep_members.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "guard/path/path_absolute.h"
#include "guard/risk/risk.h"
#include "guard/syntax/syntax.h"
#include "offline/request/words.h"
#include "offline/wish/overwrite.h"

/* What says by itself which files stay, or writes none. */
#define OWN_LETTERS "kO"
#define OWN_OPTIONS                                                            \
    " --keep-old-files --skip-old-files --keep-newer-files --overwrite "       \
    "--unlink-first --to-stdout "

/* The words of tar and behind it; NULL: another program. */
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

/* -xzf, and xzf as the first word. */
static bool
has_letters(const struct syntax_word *tar, const struct syntax_word *w)
{
    return w->text[0] == '-' ? w->text[1] != '-' : w == tar->next;
}

/* Whether it may put files in place of others. */
static bool
unpacks(const struct syntax_word *tar)
{
    bool extracts = false;

    for (const struct syntax_word *w = tar->next; w; w = w->next) {
        bool letters = has_letters(tar, w);

        if (words_listed(w->text, OWN_OPTIONS) ||
            (letters && strpbrk(w->text, OWN_LETTERS)))
            return false;
        extracts = extracts || (letters && strchr(w->text, 'x')) ||
                   words_listed(w->text, " --extract --get ");
    }
    return extracts;
}

/* The directory that it unpacks into. */
static const char *
target_of(const struct syntax_word *tar)
{
    static const char option[] = "--directory=";

    for (const struct syntax_word *w = tar->next; w; w = w->next) {
        if (strncmp(w->text, option, strlen(option)) == 0)
            return w->text + strlen(option);
        if (w->next && words_listed(w->text, " -C --directory "))
            return w->next->text;
    }
    return ".";
}

/* A command line, and where it begins. */
struct line {
    const struct syntax *s;
    const struct risk *risk;
    struct risk_place where;
};

/* Where a command of the line works; NULL: it is not known. */
static const char *
directory_of(const struct line *l, const struct syntax_word *w)
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
        if (words_listed(l->risk->calls[i].name, " cd pushd popd "))
            return NULL;
    return l->where.cwd;
}

/* Whether nothing is there that could be lost. What is not known, or cannot be
 * read, may hold something. */
static bool
is_vacant(const struct line *l, const struct syntax_word *w, const char *target)
{
    const struct dirent *entry;
    char path[PATH_MAX];
    bool vacant = true, cut = false;
    DIR *dir;

    if (!path_absolute(target, directory_of(l, w), &l->where, path, &cut) ||
        cut)
        return false;
    dir = opendir(path);
    if (!dir)
        return errno == ENOENT;
    while (vacant && (entry = readdir(dir)))
        vacant = words_listed(entry->d_name, " . .. ");
    closedir(dir);
    return vacant;
}

/* An option that is to be put in. */
struct place {
    size_t at; /* in the line; 0: there is none */
    const char *option;
};

/* In a tar that has to leave files alone: in front of its first letters, which
 * may have no dash, and so before what could end the options. */
static struct place
place_in_tar(const struct line *l, const struct syntax_node *n)
{
    const struct syntax_word *w = words_of_tar(n);

    if (!w || !unpacks(w) || is_vacant(l, w, target_of(w)))
        return (struct place){0};
    if (w->next->text[0] == '-')
        return (struct place){w->to, " -k"};
    return (struct place){w->next->from, "k"};
}

/* Whether "{} docs" brings files to where some are; w is in a find's words. */
static bool
brings(const struct line *l, const struct syntax_word *find,
       const struct syntax_word *w)
{
    static const char own[] = " -n -i -u -b --no-clobber --backup --update "
                              "--interactive ";

    for (; w && !words_listed(w->text, " ; + "); w = w->next) {
        if (words_listed(w->text, own))
            return false;
        if (w->next && words_listed(w->text, " {} -t "))
            return !is_vacant(l, find, w->next->text);
    }
    return false;
}

/* Behind the mv or cp of find's -exec that has to leave files alone. */
static struct place
place_in_find(const struct line *l, const struct syntax_node *n)
{
    const struct syntax_word *find = n->kind == SYNTAX_CALL && !n->mapped
                                         ? n->words
                                         : NULL;

    if (!find || strcmp(find->text, "find") != 0)
        return (struct place){0};
    for (const struct syntax_word *w = find; w->next; w = w->next)
        if (words_listed(w->text, " -exec -execdir ") &&
            words_listed(w->next->text, " mv cp ") &&
            brings(l, find, w->next->next))
            return (struct place){w->next->to, " -n"};
    return (struct place){0};
}

/* The first place behind that byte. */
static struct place
next_place(const struct line *l, size_t at)
{
    struct place first = {0};

    for (const struct syntax_node *n = l->s->all; n; n = n->after) {
        struct place p = place_in_tar(l, n);

        if (p.at == 0)
            p = place_in_find(l, n);
        if (p.at > at && (first.at == 0 || p.at < first.at))
            first = p;
    }
    return first;
}

static int
put_options(const char *command, struct buf *out, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk risk = {0};
    char cwd[PATH_MAX];
    struct line l = {.s = &s, .risk = &risk};
    struct place p;
    size_t at = 0;

    l.where = risk_place_here(getcwd(cwd, sizeof(cwd)) ? cwd
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
keep_members(const struct request *q, const char *command, struct buf *out,
             struct err *e)
{
    bool may = strstr(command, "tar ") || strstr(command, "-exec");

    if (!may || overwrite_is_asked(q))
        buf_str(out, command);
    else if (put_options(command, out, e) < 0)
        return -1;
    return buf_ok(out, "the command", e);
}
