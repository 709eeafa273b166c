/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_words.c - splits the command of an agent into words. */
#include "server/agentctl/agentctl_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define BLANKS " \t\n"

void
agentctl_words_free(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

/* Reads what stands between double quotes, from behind the first one. Returns
 * what is behind the last; NULL: there is none. */
static const char *
read_double_quotes(const char *at, struct buf *word)
{
    for (; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1] && strchr("\"\\$`\n", at[1])) {
            at++;
            if (*at == '\n')
                continue;
        }
        buf_ch(word, *at);
    }
    return *at ? at + 1 : NULL;
}

static const char *
read_single_quotes(const char *at, struct buf *word)
{
    size_t n = strcspn(at, "'");

    buf_add(word, at, n);
    return at[n] ? at + n + 1 : NULL;
}

/* A backslash stands before at: it takes the meaning of one character. */
static const char *
read_escaped(const char *at, struct buf *word)
{
    if (!*at)
        return NULL;
    if (*at != '\n')
        buf_ch(word, *at);
    return at + 1;
}

/* Reads one word, at its first character. Returns what is behind it. */
static const char *
read_agent_word(const char *at, struct buf *word, struct err *e)
{
    while (at && *at && !strchr(BLANKS, *at)) {
        char c = *at++;

        if (c == '\'')
            at = read_single_quotes(at, word);
        else if (c == '"')
            at = read_double_quotes(at, word);
        else if (c == '\\')
            at = read_escaped(at, word);
        else
            buf_ch(word, c);
    }
    if (!at)
        err_set(e, ERR_USAGE,
                "a quotation mark is not closed, or a backslash is the last "
                "character");
    return at;
}

static int
add_agent_words(char **words, const char *at, struct err *e)
{
    size_t n = 0;

    for (at += strspn(at, BLANKS); *at; at += strspn(at, BLANKS)) {
        CLEANUP_BUF struct buf word = buf_of(AGENTCTL_COMMAND_MAX);

        if (n == AGENTCTL_WORDS_MAX)
            return err_set(e, ERR_USAGE, "it has more than %d words",
                           AGENTCTL_WORDS_MAX);
        if (!(at = read_agent_word(at, &word, e)))
            return -1;
        if (!(words[n++] = buf_take(&word)))
            return err_nomem(e);
    }
    return n > 0 ? 0 : err_set(e, ERR_USAGE, "it names no program");
}

char **
agentctl_words_split(const char *command, struct err *e)
{
    char **words;

    if (strlen(command) > AGENTCTL_COMMAND_MAX) {
        err_set(e, ERR_USAGE, "it has more than %u bytes",
                AGENTCTL_COMMAND_MAX);
        return NULL;
    }
    words = calloc(AGENTCTL_WORDS_MAX + 1, sizeof(*words));
    if (!words) {
        err_nomem(e);
        return NULL;
    }
    if (add_agent_words(words, command, e) == 0)
        return words;
    agentctl_words_free(words);
    return NULL;
}
