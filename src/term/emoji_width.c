/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emoji_width.c - measures how wide the terminal shows emoji sequences. */
#include "term/emoji_width.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/term_query.h"
#include "term/width.h"

#define POSITION "\033[6n"

static const struct {
    const char *text;
    unsigned flag;
    long columns; /* that set the flag */
} samples[] = {
    {"\xE2\x9D\xA4\xEF\xB8\x8F", WIDTH_VS16, 2},         /* red heart */
    {"\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", WIDTH_SKIN, 2}, /* thumb */
    {"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", WIDTH_ZWJ,
     2}, /* woman at a computer */
    {"\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", WIDTH_FLAGS, 4}, /* flag */
};
#define SAMPLES ARRAY_SIZE(samples)

/* Terminals by a variable that they set, and the start of its value: tmux as
 * measured with version 3.3, the others because their authors say that they use
 * grapheme clusters (UAX #29). */
static const struct {
    const char *variable, *begins;
    unsigned joins;
} terminals[] = {
    {"TMUX", "", WIDTH_ZWJ},
    {"KITTY_WINDOW_ID", "", WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ},
    {"TERM", "xterm-kitty", WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ},
    {"TERM", "foot", WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ},
    {"TERM_PROGRAM", "ghostty", WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ},
    {"TERM_PROGRAM", "WezTerm", WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ},
    {"TERM_PROGRAM", "iTerm.app", WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ},
};

static unsigned
joins_by_name(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(terminals); i++) {
        const char *value = getenv(terminals[i].variable);
        const char *begins = terminals[i].begins;

        if (value && *value && strncmp(value, begins, strlen(begins)) == 0)
            return terminals[i].joins;
    }
    return 0;
}

/* Whether the text has a character whose width differs between terminals. */
static bool
has_sequence(const char *p, size_t n)
{
    uint32_t cp;

    for (size_t at = 0, len; at < n; at += len ? len : 1) {
        len = utf8_decode(p + at, n - at, &cp);
        if (len > 0 &&
            (cp == 0x200D || cp == 0xFE0F || (cp >= 0x1F1E6 && cp <= 0x1F1FF) ||
             (cp >= 0x1F3FB && cp <= 0x1F3FF)))
            return true;
    }
    return false;
}

/* Reads "12;3": the cursor is in the third column, so the text took two. False:
 * it is malformed. */
static bool
read_columns(const char *position, long *columns)
{
    const char *semicolon = strchr(position, ';');
    char *end;

    if (!semicolon)
        return false;
    *columns = strtol(semicolon + 1, &end, 10) - 1;
    return *end == '\n' && *columns > 0 && *columns < 16;
}

static bool
query_samples(struct term *t, unsigned *joins)
{
    CLEANUP_BUF struct buf question = buf_of(QUERY_BYTES);
    CLEANUP_BUF struct buf replies = buf_of(QUERY_BYTES);
    const char *line;

    *joins = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        buf_printf(&question, "\r%s" POSITION, samples[i].text);
    buf_str(&question, "\r\033[K");
    if (term_query(t, question.p, 'R', SAMPLES, &replies) < 0 || replies.bad)
        return false;
    line = replies.p;
    for (size_t i = 0; i < SAMPLES; i++) {
        long columns;

        if (!read_columns(line, &columns))
            return false;
        *joins |= columns == samples[i].columns ? samples[i].flag : 0;
        line = strchr(line, '\n') + 1;
    }
    return true;
}

void
emoji_width_measure(struct term *t, const char *text, size_t n)
{
    if (t->joins_known || !t->moves || !t->unicode || !has_sequence(text, n))
        return;
    t->joins_known = true;
    if (!query_samples(t, &t->joins))
        t->joins = joins_by_name();
}
