/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sentence.c - the first sentences of a paragraph. */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "offline/manual/harvest.h"

#define ENOUGH_BYTES 45  /* a shorter sentence takes the next with it */
#define MOST_BYTES   240 /* three lines of a screen beside the options */

/* Bytes looked at: a paragraph may be a whole page. */
#define LOOK_BYTES 4096

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Copies up to LOOK_BYTES with blanks made one and marks left out. */
static void
flatten(const char *text, struct buf *out)
{
    bool blank = false;

    for (; *text && out->len < LOOK_BYTES; text++) {
        if (is_blank(*text)) {
            blank = out->len > 0;
            continue;
        }
        if ((unsigned char)*text < 0x20)
            continue;
        if (blank)
            buf_ch(out, ' ');
        blank = false;
        buf_ch(out, *text);
    }
}

/* Whether the full stop at s[i] only shortens a word: "e.g.", "i.e.", "vs.",
 * a single letter. */
static bool
is_abbreviation(const char *s, size_t i)
{
    static const char *const short_words[] = {"etc",  "vs", "cf",  "resp",
                                              "eg",   "ie", "fig", "approx",
                                              "incl", "no", "e.g", "i.e"};
    size_t from = i;

    while (from > 0 && s[from - 1] != ' ' && s[from - 1] != '(')
        from--;
    if (i - from <= 1)
        return true;
    for (size_t k = 0; k < sizeof(short_words) / sizeof(*short_words); k++)
        if (strlen(short_words[k]) == i - from &&
            strncasecmp(short_words[k], s + from, i - from) == 0)
            return strcmp(short_words[k], "no") != 0;
    return false;
}

/* Where the sentence that holds byte `from` ends. */
static size_t
sentence_end(const char *s, size_t n, size_t from)
{
    for (size_t i = from; i < n; i++) {
        size_t next = i + 1;

        if (s[i] != '.' && s[i] != '!' && s[i] != '?')
            continue;
        while (next < n && strchr(")\"'", s[next]))
            next++;
        if (next == n || (s[next] == ' ' && !is_abbreviation(s, i) &&
                          !islower((unsigned char)s[next + 1])))
            return next;
    }
    return n;
}

/* Cut at a blank, with a mark that something is missing. */
static void
add_cut(const char *s, size_t n, struct buf *out)
{
    size_t at = MOST_BYTES;

    while (at > MOST_BYTES / 2 && s[at] != ' ')
        at--;
    if (s[at] != ' ')
        at = utf8_boundary(s, n, MOST_BYTES);
    while (at > 0 && strchr(" ,;:", s[at - 1]))
        at--;
    buf_add(out, s, at);
    buf_str(out, " \342\200\246");
}

void
harvest_sentence(const char *text, struct buf *out)
{
    CLEANUP_BUF struct buf flat = buf_of(2 * LOOK_BYTES);
    size_t first, end;

    flatten(text, &flat);
    first = end = sentence_end(flat.p, flat.len, 0);
    if (first < ENOUGH_BYTES && first < flat.len)
        end = sentence_end(flat.p, flat.len, first);
    if (end > 0 && flat.p[end - 1] == ':')
        end = first; /* what it announces is not here */
    while (end > 0 && strchr(" ;,", flat.p[end - 1]))
        end--;
    if (end > MOST_BYTES)
        add_cut(flat.p, flat.len, out);
    else
        buf_add(out, flat.p, end);
}
