/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trouble.c - what is said of an error where no model reads it. */
#include "person/trouble.h"

#include <string.h>

#include "base/cleanup.h"
#include "guard/exit_status.h"
#include "model/prompt/last_command.h"
#include "offline/request/words.h"
#include "person/complaints.h"
#include "person/spoken_word.h"

#define LINES_MAX   (COMPLAINTS_SHOWN * (COMPLAINT_BYTES + 8))
#define MEANING_MAX 256
#define COMMAND_MAX 2000 /* of a command, bytes: more is no help */

/* What a word of the wish says. */
enum {
    POINTS = 1,  /* at something that was there before: "this" */
    TROUBLE = 2, /* that it is an error */
    WHY = 4,     /* that the cause is wanted */
    FIX = 8,     /* that it is to be mended */
    HOW = 16,    /* the same with FIX; else a question of another kind */
};

static const struct {
    unsigned says;
    const char *words;
} lists[] = {
    {TROUBLE, " error errors fail fails failed failing failure broke broken "
              "problem problems crash crashed happened happening complain "
              "complains complaining work working "},
    {TROUBLE | WHY, " wrong "},
    {WHY, " why explain "},
    {FIX, " fix fixed fixing repair solve resolve correct mend "},
    {HOW, " how "},
    {POINTS,
     " a about above again all an and any anything at by can cause caused "
     "causes command could did do does doesn't didn't don't doing for from "
     "gave gives go goes going gone had has have help here i in is isn't it "
     "it's its just last last's log made make makes matter me mean means "
     "message messages my not now of on or out output please previous reason "
     "review run running said say saying says so something sum summarize "
     "summary tell text that that's the there these thing things this those to "
     "try understand up us was wasn't went were what what's when whats where "
     "with you "},
};

static unsigned
look_up(const char *word)
{
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (words_listed(word, lists[i].words))
            return lists[i].says;
    }
    return 0;
}

bool
trouble_is_meant(const char *words, enum aiaction_mode mode, bool piped)
{
    char word[SPOKEN_WORD_MAX];
    unsigned says, all = 0;

    while (spoken_word(&words, word)) {
        says = look_up(word);
        if (!says)
            return false;
        all |= says;
    }
    if (all & HOW && !(all & FIX))
        return false;
    if (mode != AIACTION_EXPLAIN)
        return all & FIX || (all & TROUBLE && all & WHY);
    return all & (TROUBLE | FIX) || (piped && all);
}

/* Lines as a block of code: what they hold cannot end it. */
static void
put_block(struct buf *out, const char *lines, size_t n)
{
    buf_str(out, "\n    ");
    for (size_t i = 0; i < n; i++) {
        buf_ch(out, lines[i]);
        if (lines[i] == '\n' && i + 1 < n)
            buf_str(out, "    ");
    }
    buf_str(out, "\n\n");
}

static void
put_lines(struct buf *out, const char *text, size_t n, const char *whose)
{
    CLEANUP_BUF struct buf lines = buf_of(LINES_MAX);
    struct complaints c;
    const char *kind;

    complaints_find(text, n, &c, &lines);
    kind = c.are == COMPLAINTS_ERRORS ? "an error" : "a warning";
    if (c.are == COMPLAINTS_NONE)
        return;
    if (c.are == COMPLAINTS_END)
        buf_printf(out, "No line of %s looks like an error. The last", whose);
    else if (c.lines == 1)
        buf_printf(out, "It looks like %s", kind);
    else
        buf_printf(out, "Of the %zu lines of %s, %zu look%s like %s", c.lines,
                   whose, c.found, c.found == 1 ? "s" : "", kind);
    if (c.are != COMPLAINTS_END && c.found > c.shown)
        buf_printf(out, "; the first %zu", c.shown);
    buf_str(out, ":\n");
    put_block(out, lines.p, lines.len);
}

static void
put_last(struct buf *out, const struct last_command *last)
{
    CLEANUP_BUF struct buf meaning = buf_of(MEANING_MAX);
    size_t n = last->command.len;

    exit_status_describe(last->command.p, last->exit_code, &meaning);
    buf_str(out, "The last command of this shell:\n");
    put_block(out, last->command.p, n < COMMAND_MAX ? n : COMMAND_MAX);
    buf_printf(out, "Its exit status is %d: %s.\n", last->exit_code, meaning.p);
    if (last->exit_code != 0 && last->captured) {
        buf_ch(out, '\n');
        put_lines(out, last->shown.p, last->shown.len, "what it showed");
    }
}

static void
put_unknown(struct buf *out)
{
    buf_str(out, "No previous command is recorded. A text can be piped in:\n\n "
                 "   COMMAND 2>&1 | ai explain what is wrong here\n\nand "
                 "`agentsh init` makes a shell record its last command.\n");
}

void
trouble_tell(const struct buf *input, struct buf *out)
{
    CLEANUP(last_command_done) struct last_command last;

    last_command_read(&last);
    buf_printf(
        out, "%s needs a model, and none was used; see `agentsh doctor`. ",
        input->len ? "To read what was piped in" : "To say what went wrong");
    if (input->len > 0)
        put_lines(out, input->p, input->len, "what was piped in");
    else if (last.known)
        put_last(out, &last);
    else
        put_unknown(out);
}
