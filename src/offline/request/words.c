/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - the words of a wish, made comparable. */
#include <stdlib.h>
#include <string.h>

#include "offline/request/synonyms.h"
#include "offline/request/words.h"

/* A word of this many letters or less has no ending that could go. */
#define SHORT_WORD 3

/* Letters of ASCII alone: what a wish means does not hang on the locale. */
static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_vowel(char c)
{
    return c && strchr("aeiouy", c) != NULL;
}

static bool
ends(const char *w, size_t n, const char *end)
{
    size_t k = strlen(end);

    return n > k && memcmp(w + n - k, end, k) == 0;
}

/* Lower case, without "'s" and what else is no letter at its end. */
static size_t
fold(const char *word, size_t n, char *out)
{
    size_t k = 0;

    for (size_t i = 0; i < n && k < REQUEST_STEM_MAX - 1; i++) {
        if ((unsigned char)word[i] == 0xe2 && n - i >= 3 &&
            memcmp(word + i, "\xe2\x80\x99", 3) == 0) {
            out[k++] = '\'';
            i += 2;
        } else {
            out[k++] = lower(word[i]);
        }
    }
    if (ends(out, k, "'s"))
        k -= 2;
    else if (ends(out, k, "s'"))
        k -= 1;
    out[k] = '\0';
    return k;
}

/* "dont" of "don't" */
static void
drop_apostrophes(char *w)
{
    char *to = w;

    for (const char *p = w; *p; p++)
        if (*p != '\'' || p == w)
            *to++ = *p;
    *to = '\0';
}

/* What stands for w when w is a word that we know: returns whether it is. */
static bool
settle(char *w)
{
    const char *means = synonym_of(w);

    if (means) {
        memcpy(w, means, strlen(means) + 1);
        return true;
    }
    return vocabulary_has(w);
}

/* Tries w[0..n) followed by end; keeps it when it is known. */
static bool
try(char *w, size_t n, const char *end)
{
    char t[REQUEST_STEM_MAX];
    size_t k = strlen(end);

    if (n < 2 || n >= sizeof(t) || k >= sizeof(t) - n)
        return false;
    memcpy(t, w, n);
    memcpy(t + n, end, k + 1);
    if (!settle(t))
        return false;
    memcpy(w, t, sizeof(t));
    return true;
}

/* An ending, and what the word may have had in its place. */
static const struct ending {
    const char *end;
    const char *base[4];
} endings[] = {
    {"ies", {"y", "ie", NULL}}, {"ied", {"y", NULL}},
    {"ves", {"f", "ve", NULL}}, {"es", {"e", "", NULL}},
    {"s", {"", NULL}},          {"ed", {"", "e", NULL}},
    {"ings", {"", "e", NULL}},  {"ing", {"", "e", NULL}},
    {"ally", {"al", "", NULL}}, {"ily", {"y", NULL}},
    {"ly", {"", "le", NULL}},   {"er", {"", "e", NULL}},
    {"est", {"", "e", NULL}},   {"ation", {"e", "", NULL}},
    {"ion", {"e", "", NULL}},   {"ment", {"", NULL}},
};

/* "stopp" of "stopping" */
static bool
is_doubled(const char *w, size_t n)
{
    return n >= 3 && w[n - 1] == w[n - 2] && !is_vowel(w[n - 1]);
}

/* Takes one ending off so that what is left is a known word. */
static bool
known_without_ending(char *w, size_t n)
{
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t left = n - strlen(endings[i].end);

        if (!ends(w, n, endings[i].end))
            continue;
        for (const char *const *b = endings[i].base; *b; b++)
            if (try(w, left, *b))
                return true;
        if (is_doubled(w, left) && try(w, left - 1, ""))
            return true;
    }
    return false;
}

static bool
has_vowel(const char *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_vowel(w[i]))
            return true;
    return false;
}

/* The commonest endings of a word that nobody knows: its plural alone. What
 * ends in -ing or -ed may be a name, and is left. */
static void
strip_plural(char *w, size_t n)
{
    if (n <= SHORT_WORD || w[n - 1] != 's' || strchr("siu'", w[n - 2]) ||
        !has_vowel(w, n - 1))
        return;
    w[n - 1] = '\0';
}

void
words_stem(const char *word, size_t n, char *out)
{
    size_t k = fold(word, n, out);

    if (out[0] == 'i' && out[1] == '\'') /* I'd, I'm, I'll */
        out[k = 1] = '\0';
    if (memchr(out, '\'', k)) {
        drop_apostrophes(out);
        k = strlen(out);
    }
    if (settle(out) || words_is_weak(out))
        return;
    if (k > SHORT_WORD && known_without_ending(out, k))
        return;
    strip_plural(out, k);
}

bool
words_known(const char *word)
{
    char w[REQUEST_STEM_MAX];
    size_t n = strlen(word);

    words_stem(word, n, w);
    return vocabulary_has(w) || words_is_weak(w) || words_number(word) >= 0;
}
