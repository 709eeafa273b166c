/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_guess.c - a command line, or a question in words? */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/words.h"
#include "offline/explain_state.h"

/* Words of questions that seldom stand in a command without quotes. */
static const char *const question_words[] = {
    "the",   "a",     "an",   "my",    "all",   "every", "is",    "are",
    "do",    "does",  "how",  "what",  "why",   "when",  "where", "who",
    "which", "can",   "i",    "me",    "to",    "of",    "from",  "with",
    "into",  "this",  "that", "these", "than",  "over",  "under", "between",
    "last",  "files", "by",   "and",   "not",   "there", "it",    "please",
    "on",    "for",   "has",  "have",  "using", "mean",  "means",
};

/* Commands that are words of everyday speech too. */
static const char *const verbs[] = {
    "find",    "sort",    "cut",    "make",    "kill",  "test",   "time",
    "who",     "which",   "look",   "watch",   "at",    "file",   "last",
    "split",   "join",    "head",   "tail",    "free",  "touch",  "install",
    "link",    "paste",   "print",  "read",    "set",   "help",   "type",
    "wait",    "write",   "finger", "history", "move",  "copy",   "list",
    "what",    "w",       "info",   "more",    "less",  "expand", "compare",
    "convert", "display", "import", "open",    "start", "stop",   "locate",
    "zip",     "unzip",   "ping",   "mount",   "exit",  "shift",
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool
is_in(const char *const *rows, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(rows[i], word) == 0)
            return true;
    return false;
}

/* Whether something here would run, or knows, a word. */
static bool
names_command(const struct word *w)
{
    CLEANUP(knowledge_done) struct knowledge k = {0};
    CLEANUP(free_p) char *path = NULL;

    if (w->flags & WORD_ASSIGN || explain_keyword(w))
        return true;
    path = path_find_program(w->text);
    return path || program_is_known(knowledge_get(&k, w->text));
}

/* What only a command line has: options, operators, expansions, paths. */
static bool
has_syntax(const struct words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct word *word = &w->v[i];
        const char *t = word->text;

        if (word->kind == WORD_COMMENT)
            continue;
        if (word->kind != WORD_PLAIN)
            return true;
        if (word->flags & WORD_EXPANDS && !(word->flags & WORD_GLOB))
            return true;
        if (i > 0 && t[0] == '-' && t[1] && !isspace((unsigned char)t[1]))
            return true;
        if (i > 0 && (strchr(t, '/') || word->flags & WORD_ASSIGN))
            return true;
    }
    return false;
}

/* Pipes, lists and redirections; brackets occur in prose. */
static bool
has_operators(const struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->v[i].kind == WORD_REDIRECT ||
            (w->v[i].kind == WORD_OPERATOR && !strchr("()!", *w->v[i].text)))
            return true;
    return false;
}

/* How many words look like speech: letters alone, or with its commas. */
static size_t
count_speech(const struct words *w, size_t *of_questions)
{
    size_t n = 0;

    *of_questions = 0;
    for (size_t i = 0; i < w->n; i++) {
        const char *t = w->v[i].text;
        size_t len = strlen(t);

        if (w->v[i].flags & WORD_QUOTED)
            continue;
        len -= len > 1 && strchr(",.?!:", t[len - 1]) ? 1 : 0;
        if (strspn(t, "abcdefghijklmnopqrstuvwxyz"
                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ'") < len)
            continue;
        n += access(t, F_OK) < 0;
        *of_questions += i > 0 &&
                         is_in(question_words, N_OF(question_words), t);
    }
    return n;
}

bool
explain_is_command(const char *text)
{
    CLEANUP(words_done) struct words w = {0};
    size_t n = strlen(text), speech, of_questions;

    if (words_split(text, n, &w, NULL) < 0 || w.n == 0)
        return false;
    if (w.v[0].kind != WORD_PLAIN)
        return has_syntax(&w) && w.n > 1;
    if (w.n == 1 && !strchr(w.v[0].text, '?'))
        return true; /* no question has one word */
    speech = count_speech(&w, &of_questions);
    if (!names_command(&w.v[0]))
        return has_syntax(&w) && of_questions == 0 && !w.fault;
    if (has_operators(&w))
        return true;
    if (of_questions >= 2 || (of_questions > 0 && !has_syntax(&w)))
        return false;
    if (has_syntax(&w) || w.n < 3)
        return true;
    return !(is_in(verbs, N_OF(verbs), w.v[0].text) && speech + 1 >= w.n);
}
