/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words_small.c - weak words, numbers in words, and how far words differ. */
#include <stdlib.h>
#include <string.h>

#include "offline/request/words.h"

/* Said in any wish, whatever it is for. Sorted. */
static const char *const weak[] = {
    "a",     "all",    "also",       "am",     "an",       "and",
    "any",   "are",    "as",         "at",     "be",       "been",
    "being", "but",    "by",         "can",    "certain",  "could",
    "did",   "do",     "does",       "doing",  "done",     "e.g",
    "etc",   "for",    "from",       "given",  "going",    "had",
    "has",   "have",   "having",     "hello",  "her",      "hers",
    "hey",   "hi",     "him",        "his",    "how",      "i",
    "i.e",   "if",     "ill",        "im",     "in",       "inside",
    "into",  "is",     "it",         "its",    "ive",      "just",
    "let",   "lets",   "like",       "may",    "me",       "might",
    "must",  "my",     "need",       "of",     "on",       "onto",
    "or",    "our",    "particular", "please", "pls",      "really",
    "shall", "should", "so",         "some",   "specific", "specified",
    "such",  "than",   "thank",      "thanks", "that",     "the",
    "their", "theirs", "them",       "then",   "there",    "these",
    "they",  "this",   "those",      "to",     "under",    "us",
    "using", "via",    "want",       "was",    "way",      "we",
    "were",  "what",   "whats",      "which",  "whose",    "will",
    "wish",  "with",   "within",     "would",  "you",      "your",
};

static int
by_word(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

bool
words_is_weak(const char *stem)
{
    return bsearch(stem, weak, sizeof(weak) / sizeof(weak[0]), sizeof(weak[0]),
                   by_word) != NULL;
}

bool
words_listed(const char *word, const char *list)
{
    size_t n = strlen(word);

    if (n == 0 || strchr(word, ' '))
        return false;
    for (const char *s = strstr(list, word); s; s = strstr(s + 1, word))
        if ((s == list || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return true;
    return false;
}

static const struct {
    const char *word;
    long n;
} numbers[] = {
    {"zero", 0},          {"one", 1},       {"two", 2},
    {"three", 3},         {"four", 4},      {"five", 5},
    {"six", 6},           {"seven", 7},     {"eight", 8},
    {"nine", 9},          {"ten", 10},      {"eleven", 11},
    {"twelve", 12},       {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15},      {"sixteen", 16},  {"seventeen", 17},
    {"eighteen", 18},     {"nineteen", 19}, {"twenty", 20},
    {"thirty", 30},       {"forty", 40},    {"fifty", 50},
    {"sixty", 60},        {"seventy", 70},  {"eighty", 80},
    {"ninety", 90},       {"hundred", 100}, {"thousand", 1000},
    {"million", 1000000}, {"dozen", 12},    {"third", 3},
    {"fourth", 4},        {"fifth", 5},     {"sixth", 6},
    {"seventh", 7},       {"eighth", 8},    {"ninth", 9},
    {"tenth", 10},        {"couple", 2},
};

static long
number_row(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strlen(numbers[i].word) == n &&
            memcmp(numbers[i].word, word, n) == 0)
            return numbers[i].n;
    return -1;
}

/* "twenty-five" too */
long
words_number(const char *word)
{
    const char *dash = strchr(word, '-');
    long tens, ones;

    if (!dash)
        return number_row(word, strlen(word));
    tens = number_row(word, (size_t)(dash - word));
    ones = number_row(dash + 1, strlen(dash + 1));
    return tens >= 20 && tens <= 90 && ones >= 1 && ones <= 9 ? tens + ones
                                                              : -1;
}

static unsigned
least(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

/* A row of the table from the two before it; returns its least. */
static unsigned
next_row(const char *a, size_t i, const char *b, size_t n,
         unsigned r[3][REQUEST_STEM_MAX + 1])
{
    unsigned *now = r[i % 3], *last = r[(i + 2) % 3], *before = r[(i + 1) % 3];
    unsigned low;

    low = now[0] = (unsigned)i;
    for (size_t j = 1; j <= n; j++) {
        unsigned differ = a[i - 1] != b[j - 1];

        now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + differ);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            now[j] = least(now[j], before[j - 2] + 1, now[j]);
        low = now[j] < low ? now[j] : low;
    }
    return low;
}

unsigned
words_distance(const char *a, const char *b, unsigned most)
{
    unsigned rows[3][REQUEST_STEM_MAX + 1];
    size_t m = strnlen(a, REQUEST_STEM_MAX), n = strnlen(b, REQUEST_STEM_MAX);
    unsigned low = 0, before;

    if ((m > n ? m - n : n - m) > most)
        return most + 1;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        before = low;
        low = next_row(a, i, b, n, rows);
        /* a swap reaches over one row, so two must be too far */
        if (low > most && before > most)
            return most + 1;
    }
    return rows[m % 3][n] > most ? most + 1 : rows[m % 3][n];
}
