/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out_of_scope.c - recognises requests that the offline engine cannot answer.
 */
#include "offline/engine/out_of_scope.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "offline/parse/lexicon.h"

#define TAKES_MODEL " needs a model, and none was used (see agentsh doctor)"

static const char between[] = " \t\n?!.,:;\"()";

static bool
is_word_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' ||
           c == '-' || (unsigned char)c >= 0x80;
}

/* Length of a word; a dot inside it is a part of a name. */
static size_t
request_word_length(const char *p)
{
    size_t n = 0;

    while (p[n] &&
           !(strchr(between, p[n]) && (!p[n + 1] || strchr(between, p[n + 1]) ||
                                       strchr(" \t\n()\"", p[n]))))
        n++;
    return n;
}

bool
out_of_scope_next_word(const char **p, char word[OUT_OF_SCOPE_WORD_MAX])
{
    size_t n, i = 0;

    *p += strspn(*p, between);
    if (!**p)
        return false;
    n = request_word_length(*p);
    while (i < n && i < OUT_OF_SCOPE_WORD_MAX - 1 && is_word_letter((*p)[i])) {
        word[i] = ascii_to_lower((*p)[i]);
        i++;
    }
    word[i == n && word[0] != '-' ? n : 0] = '\0';
    *p += n;
    return true;
}

struct out_of_scope_row {
    const char *verbs, *things;
    const char *before, *after; /* around the thing, in the reason */
};

static const struct out_of_scope_row rows[] = {
    {" write make tell print compose sing give create invent generate ",
     " poem poems story stories essay song lyrics haiku limerick email letter "
     "speech tweet ",
     "to write a ", TAKES_MODEL},
    {" order buy book make bring get call cook reserve fetch ",
     " pizza coffee tea beer taxi cab flight hotel ticket tickets food lunch "
     "dinner breakfast sandwich appointment ",
     "no shell command can get a ", ""},
    {" delete remove close cancel open create deactivate ",
     " facebook instagram twitter tiktok whatsapp netflix amazon paypal "
     "linkedin snapchat youtube gmail reddit spotify ",
     "no shell command can manage an account of ", ""},
    {" translate ",
     " english german french spanish italian portuguese dutch polish russian "
     "chinese japanese korean turkish arabic latin greek swedish ",
     "to translate into ", TAKES_MODEL},
};

/* With one of these words the thing is the name of something. */
static const char named[] =
    " file files directory directories folder folders named called branch "
    "database table container user script list playlist locale keyboard ";

static bool
matches_row(const struct out_of_scope_row *row, const char *request,
            char thing[OUT_OF_SCOPE_WORD_MAX])
{
    char word[OUT_OF_SCOPE_WORD_MAX];
    bool verb = false;

    thing[0] = '\0';
    while (out_of_scope_next_word(&request, word)) {
        if (!word[0] || lexicon_listed(word, named))
            return false;
        if (verb && !thing[0] && lexicon_listed(word, row->things))
            memcpy(thing, word, OUT_OF_SCOPE_WORD_MAX);
        verb = verb || lexicon_listed(word, row->verbs);
    }
    return thing[0];
}

/* Whether it is "undo" or "undo that" and no more, which means the last run. */
static bool
is_undo(const char *request)
{
    static const char others[] = " that this it the last run please what you "
                                 "did step plan just again ";
    char word[OUT_OF_SCOPE_WORD_MAX];
    bool undo = false;

    while (out_of_scope_next_word(&request, word)) {
        if (strcmp(word, "undo") == 0)
            undo = true;
        else if (!word[0] || !lexicon_listed(word, others))
            return false;
    }
    return undo;
}

bool
out_of_scope_reason(const char *request, struct buf *why)
{
    char thing[OUT_OF_SCOPE_WORD_MAX];

    if (is_undo(request)) {
        buf_str(why, "it is a verb: ai undo puts back the files that the last "
                     "run changed, after a question; ai log shows the runs");
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (matches_row(&rows[i], request, thing)) {
            buf_printf(why, "%s%s%s", rows[i].before, thing, rows[i].after);
            return true;
        }
    }
    return false;
}

bool
out_of_scope_language(const char *request)
{
    char word[OUT_OF_SCOPE_WORD_MAX];
    size_t n = 0, known = 0;

    while (out_of_scope_next_word(&request, word)) {
        if (!word[0] || !word[1])
            continue;
        n++;
        known += lexicon_known(word);
    }
    return n >= 2 && 5 * known < 2 * n;
}
