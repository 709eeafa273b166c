/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_reader.c - programs that hand their words to a shell once more. */
#include <string.h>

#include "base/shell_quote.h"
#include "offline/wish/fill_place.h"

/* Which of a program's words a shell reads. */
enum read_words {
    ALL,      /* joined with blanks */
    OPERANDS, /* joined, but for the first, which is a host */
    OPERAND,  /* the first */
    BEHIND,   /* the one behind that option */
};

static const struct row {
    const char *program;
    enum read_words words;
    const char *option; /* of BEHIND; of others: with it no shell reads */
    const char *valued; /* options with a value, by their letters */
} rows[] = {
    {"watch", ALL, "-x", "nq"},
    {"watch", ALL, "--exec", "nq"},
    {"eval", ALL, NULL, ""},
    {"parallel", ALL, ":::", "jPnLNIS"},
    {"parallel", ALL, "::::", "jPnLNIS"},
    {"ssh", OPERANDS, NULL, "BbcDEeFIiJLlmOopQRSWw"},
    {"trap", OPERAND, NULL, ""},
    {"send-keys", ALL, NULL, "t"},
    {"sh", BEHIND, "-c", ""},
    {"bash", BEHIND, "-c", ""},
    {"bash", BEHIND, "-lc", ""},
    {"bash", BEHIND, "-ic", ""},
    {"dash", BEHIND, "-c", ""},
    {"zsh", BEHIND, "-c", ""},
    {"fish", BEHIND, "-c", ""},
    {"su", BEHIND, "-c", ""},
    {"runuser", BEHIND, "-c", ""},
    {"script", BEHIND, "-c", ""},
    {"flock", BEHIND, "-c", ""},
    {"env", BEHIND, "-S", ""},
    {"rsync", BEHIND, "-e", ""},
    {"run-shell", OPERAND, NULL, "t"},
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

/* One row held against the words before a place. */
struct scan {
    const struct row *row;
    bool seen;   /* the program */
    bool valued; /* the next word belongs to an option */
    bool behind; /* the next word is behind the option of the row */
    bool file;   /* the next word is where output goes, or input comes from */
    bool shell;  /* the next word is rsync's -e */
    size_t operands;
    bool stops; /* the option was there, with which no shell reads */
    bool reads; /* of the last word: a shell does */
};

static bool
is(const char *word, size_t n, const char *text)
{
    return text && strlen(text) == n && memcmp(word, text, n) == 0;
}

/* <, 2>>, >log */
static bool
is_redirect(const char *word, size_t n)
{
    return n > 0 && (strchr("<>", word[0]) || (n > 1 && word[1] == '>'));
}

static bool
see_word(void *arg, const char *word, size_t n)
{
    struct scan *s = arg;
    bool value = s->valued, option = n > 1 && word[0] == '-' && !value;

    s->reads = s->seen && !option && !s->file && !is_redirect(word, n) &&
               (s->row->words == BEHIND     ? s->behind
                : value || s->stops         ? false
                : s->row->words == OPERANDS ? s->operands > 0
                : s->row->words == OPERAND  ? s->operands == 0
                                            : true);
    s->behind = s->seen && is(word, n, s->row->option);
    s->stops |= s->behind && s->row->words != BEHIND;
    s->operands += s->seen && !option && !value && n > 0;
    s->valued = option && s->operands == 0 && word[1] != '-' &&
                strchr(s->row->valued, word[n - 1]);
    s->seen |= !s->shell && is(word, n, s->row->program);
    s->file = is_redirect(word, n);
    s->shell = is(word, n, "-e");
    return false;
}

static bool
is_read_by_program(const struct fill_place *at)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        struct scan s = {.row = &rows[i]};

        fill_words(at, see_word, &s);
        if (!s.reads)
            continue;
        for (size_t k = 0; k < N_ROWS; k++) { /* of another row: "-x" */
            struct scan other = {.row = &rows[k]};

            if (strcmp(rows[k].program, rows[i].program) == 0)
                fill_words(at, see_word, &other);
            s.stops |= other.stops;
        }
        return !s.stops;
    }
    return false;
}

static bool
see_echo(void *arg, const char *word, size_t n)
{
    *(bool *)arg = is(word, n, "echo") || is(word, n, "printf");
    return true;
}

/* What follows the command that the place is in, behind its |. */
static const char *
pipe_of(const struct fill_place *at)
{
    const char *s = at->before + at->n_before;
    char quote = fill_quotes(at).around;

    for (; *s; s++) {
        if (quote ? *s == quote : *s == '\'' || *s == '"')
            quote = quote ? '\0' : *s;
        else if (!quote && *s == '|' && s[1] != '|')
            return s + 1 + strspn(s + 1, " ");
        else if (!quote && strchr(";&|", *s))
            return NULL;
    }
    return NULL;
}

static enum fill_reader
reader_of_pipe(const struct fill_place *at)
{
    static const struct {
        const char *program;
        enum fill_reader reader;
    } pipes[] = {
        {"at", FILL_READER_SHELL},     {"batch", FILL_READER_SHELL},
        {"sh", FILL_READER_SHELL},     {"bash", FILL_READER_SHELL},
        {"crontab", FILL_READER_CRON},
    };
    const char *pipe = pipe_of(at);
    bool echo = false;

    fill_words(at, see_echo, &echo);
    if (!pipe || !echo)
        return FILL_READER_NONE;
    if (strncmp(pipe, "sudo ", 5) == 0)
        pipe += 5;
    for (size_t i = 0; i < sizeof(pipes) / sizeof(pipes[0]); i++)
        if (is(pipe, strcspn(pipe, " "), pipes[i].program))
            return pipes[i].reader;
    return FILL_READER_NONE;
}

bool
fill_is_job(const struct fill_place *at)
{
    return strncmp(at->before, "echo ", 5) == 0 && at->n_before == 5 &&
           reader_of_pipe(at) == FILL_READER_SHELL;
}

/* Whether what is filled in is a command, not a word of one: all that "sh -c"
 * is given, or the beginning of it. */
static bool
is_command(const struct fill_place *at)
{
    static const char *const starters[] = {"nohup ", "exec ", "time "};
    struct fill_quotes q = fill_quotes(at);
    const char *from = at->before + q.open + 1;
    const char *end = at->before + at->n_before;

    if (!q.around)
        return true;
    for (size_t i = 0; i < sizeof(starters) / sizeof(starters[0]); i++) {
        if (strncmp(from, starters[i], strlen(starters[i])) == 0)
            from += strlen(starters[i]);
    }
    return from >= end;
}

static enum fill_reader
reader_at(const struct fill_place *at)
{
    enum fill_reader reader = reader_of_pipe(at);

    return reader == FILL_READER_NONE && is_read_by_program(at)
               ? FILL_READER_SHELL
               : reader;
}

bool
fill_is_command(enum slot_type slot, const struct fill_place *at)
{
    return slot == SLOT_TEXT && reader_at(at) == FILL_READER_SHELL &&
           is_command(at);
}

enum fill_reader
fill_reader(enum slot_type slot, const struct fill_place *at)
{
    return fill_is_command(slot, at) ? FILL_READER_NONE : reader_at(at);
}

void
fill_escape(struct buf *out, enum fill_reader reader, const char *word)
{
    for (; *word; word++) {
        if (reader == FILL_READER_CRON && *word == '%')
            buf_ch(out, '\\');
        buf_ch(out, *word);
    }
}

void
fill_for_reader(struct buf *out, enum fill_reader reader, const char *word)
{
    CLEANUP_BUF struct buf escaped = buf_of(FILL_WORD_MAX);

    fill_escape(&escaped, reader, word);
    shell_quote_word(out, escaped.p);
}

static bool
see_search(void *arg, const char *word, size_t n)
{
    static const char *const programs[] = {"grep", "egrep", "fgrep", "zgrep",
                                           "rg"};
    bool *found = arg;

    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        *found |= is(word, n, programs[i]);
    return true;
}

bool
fill_searches(const struct fill_place *at)
{
    bool found = false;

    fill_words(at, see_search, &found);
    return found;
}
