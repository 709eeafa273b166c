/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sanitize_members.c - lets tar, mv and cp keep the files that are where they
 * bring others. */
#include "offline/engine/sanitize.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk.h"
#include "guard/syntax/syntax.h"
#include "offline/engine/overwrite.h"
#include "offline/parse/lexicon.h"

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
put_safe_options(const struct seat *here, const char *command, struct buf *out,
                 struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk risk = {0};
    struct command_line l = {.s = &s, .risk = &risk};
    struct insertion p;
    char gone[32];
    size_t at = 0;

    if (here)
        l.where = path_context_of(here);
    if (here && !l.where.cwd && seat_fd(here) >= 0) {
        /* a directory that was deleted has no path but this, and is empty */
        snprintf(gone, sizeof(gone), "/proc/self/fd/%d", seat_fd(here));
        l.where.cwd = gone;
    }
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
    else if (put_safe_options(q->seat, command, out, e) < 0)
        return -1;
    return buf_ok(out, "the command", e);
}
