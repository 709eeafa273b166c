/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_read.c - from the lines of a file to recipes. */
#include <string.h>

#include "offline/recipe/recipe_book.h"

struct reader {
    struct recipe_book *book;
    struct recipe *r; /* of the stanza that is being read; NULL: none */
    unsigned rows;    /* a row each, that may stand once: its bit */
    const char *file;
    unsigned line;
    struct err *e;
};

static int
wrong(struct reader *rd, const char *what)
{
    return err_set(rd->e, ERR_USAGE, "%s:%u: %s", rd->file, rd->line, what);
}

/* A name of letters, digits and -, up to n bytes. */
static bool
is_id(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(s[i] >= 'a' && s[i] <= 'z') && !(s[i] >= '0' && s[i] <= '9') &&
            s[i] != '-')
            return false;
    return n > 0;
}

static int
add_phrase(struct reader *rd, char *text)
{
    if (rd->r->n_phrases == RECIPE_PHRASES_MAX)
        return wrong(rd, "more than six phrases: keep those that differ most");
    rd->r->phrases[rd->r->n_phrases++] = text;
    return recipe_slots(text, NULL, NULL, rd->e) < 0
               ? err_wrap(rd->e, "%s:%u", rd->file, rd->line)
               : 0;
}

/* Of a job: the command of the step above it. */
static int
add_step_command(struct reader *rd, char *text)
{
    struct recipe *r = rd->r;

    if (r->steps[r->n_steps - 1].command)
        return wrong(rd, "a job's command must follow a step of its own (-)");
    r->steps[r->n_steps - 1].command = text;
    return 0;
}

static int
add_command(struct reader *rd, char *text)
{
    struct recipe *r = rd->r;

    if (recipe_slots(text, NULL, NULL, rd->e) < 0)
        return err_wrap(rd->e, "%s:%u", rd->file, rd->line);
    if (r->composer)
        return wrong(rd, "a command, and a composer: one of the two");
    if (r->job)
        return add_step_command(rd, text);
    if (r->n_steps == RECIPE_COMMANDS_MAX)
        return wrong(rd, "more than six commands");
    r->steps[r->n_steps++].command = text;
    return 0;
}

static int
add_step(struct reader *rd, char *text)
{
    struct recipe *r = rd->r;

    if (r->composer || (!r->job && r->n_steps > 0))
        return wrong(rd, "a step after a command without a step");
    if (r->job && !r->steps[r->n_steps - 1].command)
        return wrong(rd, "the step before this one has no command ($)");
    if (r->n_steps == RECIPE_STEPS_MAX)
        return wrong(rd, "more than twelve steps");
    r->job = true;
    r->steps[r->n_steps++].description = text;
    return 0;
}

static int
set_composer(struct reader *rd, char *text)
{
    if (rd->r->n_steps > 0)
        return wrong(rd, "a command, and a composer: one of the two");
    if (!is_id(text, strlen(text)))
        return wrong(rd, "compose wants one name");
    rd->r->composer = text;
    return 0;
}

static int
set_needs(struct reader *rd, char *text)
{
    rd->r->needs = text;
    return 0;
}

static int
set_risk(struct reader *rd, char *text)
{
    for (int risk = RECIPE_READS; risk <= RECIPE_ROOT; risk++)
        if (strcmp(text, recipe_risk_name(risk)) == 0) {
            rd->r->risk = risk;
            return 0;
        }
    return wrong(rd, "risk is one of reads, writes, deletes, root");
}

static int
pass_over(struct reader *rd, char *text)
{
    (void)rd, (void)text;
    return 0;
}

static const struct row {
    const char *word;
    int (*add)(struct reader *rd, char *text);
    bool once;
} rows[] = {
    {"?", add_phrase, false},        {"$", add_command, false},
    {"-", add_step, false},          {"#", pass_over, false},
    {"compose", set_composer, true}, {"needs", set_needs, true},
    {"risk", set_risk, true},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int
read_row(struct reader *rd, char *text)
{
    size_t word = strcspn(text, " ");

    if (!rd->r)
        return wrong(rd, "a row without a stanza above it");
    for (size_t i = 0; i < ROWS; i++) {
        if (strlen(rows[i].word) != word ||
            strncmp(text, rows[i].word, word) != 0)
            continue;
        if (rows[i].once && (rd->rows & 1u << i))
            return wrong(rd, "a second row of the kind");
        rd->rows |= 1u << i;
        text += word;
        text += strspn(text, " ");
        if (!*text && rows[i].add != pass_over)
            return wrong(rd, "an empty row");
        return rows[i].add(rd, text);
    }
    return wrong(rd, "a row begins with ? $ - # compose needs or risk");
}

static int
end_stanza(struct reader *rd)
{
    const struct recipe *r = rd->r;

    if (!r)
        return 0;
    rd->line = r->line;
    rd->r = NULL;
    if (r->n_phrases == 0)
        return wrong(rd, "a recipe without a phrase (?)");
    if (r->n_steps == 0 && !r->composer)
        return wrong(rd, "a recipe without a command ($) or a composer");
    if (r->job && !r->steps[r->n_steps - 1].command)
        return wrong(rd, "its last step has no command ($)");
    return 0;
}

static int
begin_stanza(struct reader *rd, char *text)
{
    size_t id = strcspn(text, ":");
    unsigned line = rd->line;
    const struct recipe *same;
    char *title = text + id;

    if (end_stanza(rd) < 0)
        return -1;
    rd->line = line;
    if (!*title || !is_id(text, id))
        return wrong(rd, "a stanza begins with `name: title', the name of "
                         "small letters, digits and -; a row with four blanks");
    *title++ = '\0';
    title += strspn(title, " ");
    if (!*title)
        return wrong(rd, "a recipe without a title");
    same = recipe_book_find(rd->book, text);
    if (same)
        return err_set(rd->e, ERR_USAGE, "%s:%u: duplicate recipe %s: %s:%u",
                       rd->file, rd->line, text, same->file, same->line);
    rd->r = recipe_book_more(rd->book, rd->e);
    if (!rd->r)
        return -1;
    rd->rows = 0;
    rd->r->id = text;
    rd->r->title = title;
    rd->r->file = rd->file;
    rd->r->line = line;
    return 0;
}

/* The line ends at text[n]; blanks behind it go. */
static int
read_line(struct reader *rd, char *text, size_t n)
{
    size_t blanks = strspn(text, " ");

    if (n > RECIPE_ROW_MAX)
        return wrong(rd, "a line of more than 1024 bytes");
    while (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    if (strchr(text, '\t') || strchr(text, '\r'))
        return wrong(rd, "a tab or a carriage return: use blanks");
    if (blanks >= n || (blanks == 0 && *text == '#'))
        return 0;
    if (blanks == 0)
        return begin_stanza(rd, text);
    if (blanks < 4)
        return wrong(rd, "a row is indented by four blanks");
    return read_row(rd, text + blanks);
}

int
recipe_read(struct recipe_book *b, const char *name, char *text, struct err *e)
{
    struct reader rd = {.book = b, .file = name, .e = e};

    while (*text) {
        size_t n = strcspn(text, "\n");
        bool last = !text[n];

        rd.line++;
        if (read_line(&rd, text, n) < 0)
            return -1;
        text += n + !last;
    }
    return end_stanza(&rd);
}
