/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - wishes that the offline engine can have no command for. */
#include "person/beyond.h"

#include <string.h>

#include "offline/request/words.h"
#include "person/spoken_word.h"

#define TAKES_MODEL " needs a model, and none was used (see agentsh doctor)"

struct row {
    const char *verbs, *things;
    const char *before, *after; /* of the thing, in the reason */
};

static const struct row rows[] = {
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

/* With one of these the thing is a name. */
static const char named[] =
    " file files directory directories folder folders named called branch "
    "database table container user script list playlist locale keyboard ";

static bool
is_meant(const struct row *row, const char *wish, char thing[SPOKEN_WORD_MAX])
{
    char word[SPOKEN_WORD_MAX];
    bool verb = false;

    thing[0] = '\0';
    while (spoken_word(&wish, word)) {
        if (!word[0] || words_listed(word, named))
            return false;
        if (verb && !thing[0] && words_listed(word, row->things))
            memcpy(thing, word, SPOKEN_WORD_MAX);
        verb = verb || words_listed(word, row->verbs);
    }
    return thing[0];
}

/* "undo", "undo that": what was done here, and no more is said. */
static bool
is_undo(const char *wish)
{
    static const char others[] = " that this it the last run please what you "
                                 "did step plan just again ";
    char word[SPOKEN_WORD_MAX];
    bool undo = false;

    while (spoken_word(&wish, word)) {
        if (strcmp(word, "undo") == 0)
            undo = true;
        else if (!word[0] || !words_listed(word, others))
            return false;
    }
    return undo;
}

bool
beyond_commands(const char *wish, struct buf *why)
{
    char thing[SPOKEN_WORD_MAX];

    if (is_undo(wish)) {
        buf_str(why, "a run cannot be undone yet; the log shows what each "
                     "one did, and key p of a review runs the next in a view, "
                     "which can be dropped");
        return true;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (is_meant(&rows[i], wish, thing)) {
            buf_printf(why, "%s%s%s", rows[i].before, thing, rows[i].after);
            return true;
        }
    }
    return false;
}

bool
beyond_english(const char *wish)
{
    char word[SPOKEN_WORD_MAX];
    size_t n = 0, known = 0;

    while (spoken_word(&wish, word)) {
        if (!word[0] || !word[1])
            continue;
        n++;
        known += words_known(word);
    }
    return n >= 2 && 5 * known < 2 * n;
}
