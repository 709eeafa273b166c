/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spoken_word.c - the plain words of a wish, one after the other. */
#include "person/spoken_word.h"

#include <stddef.h>
#include <string.h>

static const char between[] = " \t\n?!.,:;\"()";

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' ||
           c == '-' || (unsigned char)c >= 0x80;
}

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Bytes up to what stands between words: a dot inside is a part of a name. */
static size_t
length(const char *p)
{
    size_t n = 0;

    while (p[n] &&
           !(strchr(between, p[n]) && (!p[n + 1] || strchr(between, p[n + 1]) ||
                                       strchr(" \t\n()\"", p[n]))))
        n++;
    return n;
}

bool
spoken_word(const char **p, char word[SPOKEN_WORD_MAX])
{
    size_t n, i = 0;

    *p += strspn(*p, between);
    if (!**p)
        return false;
    n = length(*p);
    while (i < n && i < SPOKEN_WORD_MAX - 1 && is_letter((*p)[i])) {
        word[i] = lower((*p)[i]);
        i++;
    }
    word[i == n && word[0] != '-' ? n : 0] = '\0';
    *p += n;
    return true;
}
