/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_mend.c - the known word that a mistyped one was meant to be. */
#include <string.h>

#include "offline/recipe/index_form.h"
#include "offline/request/words.h"

/* Shorter words are too near each other, and two slips need a long one. */
#define MEND_LEAST 4
#define MEND_TWO   7
#define MEND_FIRST 5 /* shorter, the first letter is right */

/* Fewer slips are better; then the right first letter, which is seldom wrong;
 * then the word that recipes say more often. */
static bool
is_better(unsigned slips, unsigned best, bool first, bool best_first,
          uint32_t times, uint32_t best_times)
{
    if (slips != best)
        return slips < best;
    if (first != best_first)
        return first;
    return times > best_times;
}

const char *
index_mend(const struct index *x, const char *word)
{
    struct index_tables t = index_tables_of(x);
    size_t length = strlen(word);
    unsigned most = length >= MEND_TWO ? 2 : 1, best = most + 1;
    const struct index_word *found = NULL;

    if (length < MEND_LEAST || length >= REQUEST_STEM_MAX)
        return NULL;
    for (size_t i = 0; i < x->n_words; i++) {
        const char *known = t.text + t.words[i].text;
        size_t n = strlen(known);
        unsigned slips;

        if (n + most < length || n > length + most || n < MEND_LEAST)
            continue;
        slips = words_distance(word, known, most);
        if (slips == 0)
            return NULL; /* no slip at all */
        if (slips <= most && (length >= MEND_FIRST || known[0] == word[0]) &&
            is_better(slips, best, known[0] == word[0],
                      found && t.text[found->text] == word[0], t.words[i].times,
                      found ? found->times : 0)) {
            best = slips;
            found = &t.words[i];
        }
    }
    return found ? t.text + found->text : NULL;
}
