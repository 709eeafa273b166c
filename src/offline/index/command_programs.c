/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_programs.c - finds the programs that a generated command starts. */
#include "offline/index/command_programs.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "guard/path/path_table.h"

/* They start what follows them. */
static const char passed[] =
    " sudo env nohup time nice ionice timeout command exec builtin stdbuf then"
    " do else if while until ! { done fi ";

static bool
is_in_spaced_list(const char *list, const char *word, size_t n)
{
    for (const char *at = list; *at; at++) {
        if (at[0] == ' ' && at[1] == *word && strncmp(at + 1, word, n) == 0 &&
            at[1 + n] == ' ')
            return true;
    }
    return false;
}

/* The end of the word at p, with its quotes. */
static const char *
quoted_word_end(const char *p)
{
    char quote = '\0';

    for (; *p; p++) {
        if (quote)
            quote = *p == quote ? '\0' : quote;
        else if (*p == '\\' && p[1])
            p++;
        else if (*p == '\'' || *p == '"')
            quote = *p;
        else if (strchr(" |;&()<>\n", *p))
            break;
    }
    return p;
}

/* Whether the word may be a program: no option, no {} of xargs -I, no 1 of
 * xargs -n 1. */
static bool
may_be_program(const char *word, size_t n)
{
    bool letter = false;

    for (size_t i = 0; i < n; i++)
        letter = letter || isalpha((unsigned char)word[i]);
    return (letter || *word == '[') && *word != '-' && *word != '{';
}

static bool
is_assignment(const char *word, size_t n)
{
    size_t i = 0;

    while (i < n && (isalnum((unsigned char)word[i]) || word[i] == '_'))
        i++;
    return i > 0 && i < n && word[i] == '=';
}

static void
add_command_program(struct command_programs *out, const char *word, size_t n)
{
    const char *dir;
    size_t at = 0;

    while ((dir = path_next(PATH_IS_BIN_DIR, &at))) { /* /usr/bin/env is env */
        size_t k = strlen(dir) + 1;

        if (n > k && memcmp(word, dir, k - 1) == 0 && word[k - 1] == '/') {
            word += k;
            n -= k;
            break;
        }
    }
    if (out->n == COMMAND_PROGRAMS_MAX || n == 0 ||
        n >= COMMAND_PROGRAMS_NAME ||
        memchr(word, '$', n)) /* which it is, only the shell knows */
        return;
    memcpy(out->names[out->n], word, n);
    out->names[out->n++][n] = '\0';
}

void
command_programs_of(const char *command, struct command_programs *out)
{
    bool begins = true; /* the next word is a program */

    out->n = 0;
    for (const char *p = command, *end; *p; p = end) {
        end = quoted_word_end(p);
        if (end == p) {
            begins = begins || strchr("|;&(\n", *p);
            if (*p == '<' || *p == '>')
                begins = false;
            end = p + 1;
            continue;
        }
        if (begins && may_be_program(p, (size_t)(end - p)) &&
            !is_assignment(p, (size_t)(end - p)) &&
            !is_in_spaced_list(passed, p, (size_t)(end - p))) {
            add_command_program(out, p, (size_t)(end - p));
            begins = end - p == 5 && strncmp(p, "xargs", 5) == 0;
        }
    }
}

/* An estimate in three steps; programs that are not listed are rare. */
static const struct common {
    double often;
    const char *names;
} common[] = {
    {1.0, " find "},
    {.8, " ls grep cd cat cp mv rm mkdir tar ssh git echo sed awk "},
    {.6, " sort ps chmod chown du df head tail wc kill ln rsync curl xargs"
         " uniq cut apt systemctl docker diff less touch which man "},
    {.4, " ip ping scp wget zip unzip gzip tr tee date top history export"
         " export uname free mount crontab rmdir file stat pwd sleep split"
         " paste join comm dig ss lsof pkill pgrep who id passwd useradd"
         " usermod alias source screen tmux watch basename dirname readlink"
         " printf seq rename ifconfig netstat hostname env nl tac rev "},
};

double
command_programs_common(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(common); i++) {
        if (is_in_spaced_list(common[i].names, name, strlen(name)))
            return common[i].often;
    }
    return 0;
}
