/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_members.c - what is brought into a directory leaves files alone. */
#include "offline/wish/keep_members.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
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

/* Whether nothing is there that could be lost. What cannot be read may hold
 * something. */
static bool
is_vacant(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    bool vacant = true;

    if (!dir)
        return errno == ENOENT;
    while (vacant && (entry = readdir(dir)))
        vacant = words_listed(entry->d_name, " . .. ");
    closedir(dir);
    return vacant;
}

/* Behind the last word of a tar that has to leave files alone; 0. */
static size_t
end_of_tar(const struct syntax_node *n)
{
    const struct syntax_word *w = words_of_tar(n);

    if (!w || !unpacks(w) || is_vacant(target_of(w)))
        return 0;
    while (w->next)
        w = w->next;
    return w->to;
}

/* Whether "{} docs" brings files to where some are. */
static bool
brings(const struct syntax_word *w)
{
    static const char own[] = " -n -i -u -b --no-clobber --backup --update "
                              "--interactive ";

    for (; w && !words_listed(w->text, " ; + "); w = w->next) {
        if (words_listed(w->text, own))
            return false;
        if (w->next && words_listed(w->text, " {} -t "))
            return !is_vacant(w->next->text);
    }
    return false;
}

/* Behind the mv or cp of find's -exec that has to leave files alone; 0. */
static size_t
end_of_mover(const struct syntax_node *n)
{
    const struct syntax_word *w = n->kind == SYNTAX_CALL && !n->mapped
                                      ? n->words
                                      : NULL;

    if (!w || strcmp(w->text, "find") != 0)
        return 0;
    for (; w && w->next; w = w->next)
        if (words_listed(w->text, " -exec -execdir ") &&
            words_listed(w->next->text, " mv cp ") && brings(w->next->next))
            return w->next->to;
    return 0;
}

/* The first place from that byte on where an option is to be put in; 0: there
 * is none. */
static size_t
next_place(const struct syntax *s, size_t at, const char **option)
{
    size_t first = 0;

    for (const struct syntax_node *n = s->all; n; n = n->after) {
        size_t tar = end_of_tar(n);
        size_t to = tar ? tar : end_of_mover(n);

        if (to <= at || (first && to >= first))
            continue;
        first = to;
        *option = tar ? " -k" : " -n";
    }
    return first;
}

int
keep_members(const struct request *q, const char *command, struct buf *out,
             struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    const char *option;
    size_t at = 0, to;

    if ((strstr(command, "tar ") || strstr(command, "-exec")) &&
        !overwrite_is_asked(q)) {
        if (syntax_read(command, strlen(command), &s, e) < 0)
            return -1;
        while ((to = next_place(&s, at, &option)) > 0) {
            buf_add(out, command + at, to - at);
            buf_str(out, option);
            at = to;
        }
    }
    buf_str(out, command + at);
    return buf_ok(out, "the command", e);
}
