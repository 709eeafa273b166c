/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sentence.c - the first sentences of a paragraph. */
#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "offline/manual/harvest.h"
#include "offline/manual/roff.h"

#define ENOUGH_BYTES 45  /* a shorter sentence takes the next with it */
#define MOST_BYTES   240 /* three lines of a screen beside the options */

/* Bytes looked at: a paragraph may be a whole page. */
#define LOOK_BYTES 4096

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The name of an option's value where it is one word, "MODE" of "-MODE". */
struct value_name {
    const char *p;
    size_t n;
    bool large; /* capitals: it stands out without italics */
};

static bool
is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static struct value_name
name_of(const char *value)
{
    struct value_name name = {.p = value};

    if (strncmp(value, "[-]", 3) == 0 || strncmp(value, "[+]", 3) == 0)
        name.p += 3; /* "[-]NUM" */
    name.p += strspn(name.p, "-/+");
    while (is_word_byte(name.p[name.n]))
        name.n++;
    if (name.p[name.n] != '\0')
        name.n = 0;
    name.large = name.n > 0 &&
                 strspn(name.p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == name.n;
    return name;
}

/* Bytes of the value's name at p, its angle brackets too; 0: it is not there.
 * Nothing of a longer word is meant. */
static size_t
name_at(const char *p, const struct value_name *name, bool slanted)
{
    size_t angle = *p == '<';

    if (name->n == 0 || !(slanted || angle || name->large) ||
        strncasecmp(p + angle, name->p, name->n) != 0)
        return 0;
    if (angle)
        return p[1 + name->n] == '>' ? name->n + 2 : 0;
    if (name->large && memcmp(p, name->p, name->n) != 0)
        return 0;
    return is_word_byte(p[name->n]) ? 0 : name->n;
}

/* Copies up to LOOK_BYTES with blanks made one and marks left out, but those
 * round the value's name. */
static void
flatten(const char *text, const struct value_name *name, struct buf *out)
{
    bool blank = false, slanted = false;
    char before = ' ';

    for (; *text && out->len < LOOK_BYTES; text++) {
        size_t n = is_word_byte(before) ? 0 : name_at(text, name, slanted);

        if (is_blank(*text)) {
            blank = out->len > 0;
            before = ' ';
            continue;
        }
        slanted = *text == ROFF_ARG_ON || (slanted && *text != ROFF_ARG_OFF);
        if ((unsigned char)*text < 0x20)
            continue;
        if (blank)
            buf_ch(out, ' ');
        blank = false;
        if (n > 0) {
            buf_ch(out, ROFF_ARG_ON);
            buf_add(out, text, n);
            buf_ch(out, ROFF_ARG_OFF);
            text += n - 1;
        } else {
            buf_ch(out, *text);
        }
        before = *text;
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

/* What would be so without the option, which is there. */
static bool
is_of_its_absence(const char *s)
{
    static const char *const begins[] = {
        "If this option is not ", "If not given", "If not specified",
        "Without this option", "When this option is not "};

    for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
        if (strncmp(s, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

void
harvest_meaning(const char *text, const char *value, struct buf *out)
{
    CLEANUP_BUF struct buf flat = buf_of(4 * LOOK_BYTES);
    struct value_name name = name_of(value);
    size_t first, end;

    flatten(text, &name, &flat);
    first = end = sentence_end(flat.p, flat.len, 0);
    if (first < ENOUGH_BYTES && first < flat.len &&
        !is_of_its_absence(flat.p + first + 1))
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

void
harvest_sentence(const char *text, struct buf *out)
{
    harvest_meaning(text, "", out);
}
