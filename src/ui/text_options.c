/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_options.c - finds where the text of a request ends and options follow.
 */
#include "ui/text_options.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "offline/explain/explain.h"

#define TEXT_MAX (256u << 10) /* bytes: about what the kernel passes */

/* Whether it is a file such as "-notes.txt": none of our options has a dot. */
static bool
is_file_here(const char *word)
{
    return word[1] != '-' && strchr(word, '.') &&
           faccessat(AT_FDCWD, word, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether the word looks like an option; "-5" is a number and "-" a file. */
static bool
looks_like_option(const char *word)
{
    return word[0] == '-' && word[1] && !isdigit((unsigned char)word[1]) &&
           strcmp(word, "--") != 0 && !is_file_here(word);
}

/* The index of the first word from `at` on that looks like an option; n: there
 * is none before the end or before a `--`. */
static int
next_like_option(const char *const *words, int n, int at)
{
    while (at < n && !looks_like_option(words[at])) {
        if (strcmp(words[at], "--") == 0)
            return n;
        at++;
    }
    return at;
}

static bool
words_are_command(const struct seat *s, const char *const *words, int n)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    for (int i = 0; i < n; i++)
        buf_printf(&text, "%s%s", i ? " " : "", words[i]);
    return buf_ok(&text, "the text", NULL) == 0 &&
           explain_is_command(s, text.p);
}

/* Whether the word is a program that is known to have this option. */
static bool
program_has_option(const struct seat *s, const char *word, const char *option)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf line = buf_of(TEXT_MAX);

    buf_printf(&line, "%s %s", word, option);
    if (buf_ok(&line, "the line", NULL) < 0 ||
        explain_line(s, line.p, &x, NULL) < 0 || !x.known)
        return false;
    for (size_t i = 0; i < x.n; i++) {
        if (x.parts[i].kind == EXPLAIN_OPTION)
            return x.parts[i].known;
    }
    return false;
}

static int
refuse_ambiguous(const char *word, const char *program, struct err *e)
{
    return err_set(
        e, ERR_USAGE,
        "%.60s could be an option of %.60s or of this program: put this "
        "program's options before the text, and -- before a text with options",
        word, program);
}

static int
refuse_inside_text(const char *word, bool known, struct err *e)
{
    return err_set(e, ERR_USAGE,
                   "%s%.60s%s: options go before or after the text; quote a "
                   "text that contains one, or put -- before it",
                   known ? "" : "unknown option '", word,
                   known ? " in the text" : "'");
}

/* Checks that none of the options of a command line could be ours. */
static int
check_command_options(const char *const *words, int n, int at, unsigned known,
                      struct err *e)
{
    for (; at < n; at = next_like_option(words, n, at + 1)) {
        if (options_knows(words[at], known))
            return refuse_ambiguous(words[at], words[0], e);
    }
    return 0;
}

/* Reads all words from `at` on as options; any other word is an error. */
static int
read_to_end_as_options(const char *const *words, int *n, int at, unsigned known,
                       struct options *o, struct err *e)
{
    struct options read = *o;
    int end = at;

    for (int i = at; i < *n; i = next_like_option(words, *n, i + 1)) {
        if (!options_knows(words[i], known))
            return refuse_inside_text(words[i], false, e);
    }
    if (options_read(words, *n, &end, known, &read, e) < 0)
        return -1;
    if (end < *n)
        return refuse_inside_text(words[at], true, e);
    *o = read;
    *n = at;
    return 0;
}

/* A question may name options. Options of explain at its very end are ours,
 * unless the word before them is a program that has them. */
static void
read_question(const struct seat *s, const char *const *words, int *n, int at,
              unsigned known, struct options *o)
{
    for (; at < *n; at = next_like_option(words, *n, at + 1)) {
        struct options read = *o;
        int end = at;

        if (options_read(words, *n, &end, known, &read, NULL) < 0 || end < *n)
            continue;
        if (program_has_option(s, words[at - 1], words[at]))
            return;
        *o = read;
        *n = at;
        return;
    }
}

int
text_options_read(const struct seat *s, const char *const *words, int *n,
                  unsigned known, struct options *o, struct err *e)
{
    int at = next_like_option(words, *n, 1);

    if (at >= *n)
        return 0;
    if (at == 1 && strpbrk(words[0], " \t\n"))
        return read_to_end_as_options(words, n, at, known, o, e);
    if (!(known & FOR_PLAN)) {
        if (!words_are_command(s, words, at))
            read_question(s, words, n, at, known, o);
        return 0;
    }
    if (words_are_command(s, words, at))
        return check_command_options(words, *n, at, known, e);
    if (program_has_option(s, words[at - 1], words[at]) &&
        options_knows(words[at], known))
        return refuse_ambiguous(words[at], words[at - 1], e);
    return read_to_end_as_options(words, n, at, known, o, e);
}
