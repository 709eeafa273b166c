/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot_shell.c - quotes a value for the place in a command where it goes. */
#include "offline/engine/slot_shell.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/shell_quote.h"
#include "offline/generate/generate.h"

#define NEST_MAX 6

/* Reads one character of the template, and updates the open quotes. */
static void
read_char(struct slot_quotes *q, const struct slot_position *at, size_t i)
{
    const char *c = at->before + i;

    if (!q->around && (*c == '\'' || *c == '"')) {
        *q = (struct slot_quotes){.around = *c, .open = i, .start = q->start};
        if (at->n_before - i > 2 && c[1] == 's' && ispunct((unsigned char)c[2]))
            q->divider = c[2]; /* s|a|b| */
    } else if (q->around && *c == q->around) {
        *q = (struct slot_quotes){.start = q->start};
    } else if (q->around == '\'' && *c == '"') {
        q->string = !q->string;
    } else if (q->around && *c == '/' && !q->divider) {
        q->divider = '/';
    } else if (!q->around && strchr(";|&\n", *c)) {
        q->start = i + 1;
    }
}

/* In "$(…)" quotes begin anew. */
static struct slot_quotes
quotes_at(const struct slot_position *at)
{
    struct slot_quotes stack[NEST_MAX] = {{0}};
    size_t depth = 0;

    for (size_t i = 0; i < at->n_before; i++) {
        struct slot_quotes *q = &stack[depth];
        const char *c = at->before + i;
        bool expands = *c == '(' && i > 0 && c[-1] == '$';

        if (*c == '\\' && q->around != '\'' && i + 1 < at->n_before) {
            i++;
        } else if (q->around != '\'' &&
                   (expands || (*c == '(' && !q->around))) {
            depth += depth + 1 < NEST_MAX;
            stack[depth] = (struct slot_quotes){.start = i + 1};
        } else if (*c == ')' && !q->around && depth > 0) {
            depth--;
        } else {
            read_char(q, at, i);
        }
    }
    return stack[depth];
}

bool
slot_shell_is_quoted(const struct slot_position *at)
{
    return at->inside || quotes_at(at).around;
}

bool
slot_shell_begins_word(const struct slot_position *at)
{
    return at->n_before == 0 || strchr(" ('\"", at->before[at->n_before - 1]);
}

/* The length of the word at s with its quotes. */
static size_t
quoted_word_length(const char *s, size_t n)
{
    char quote = '\0';
    size_t i;

    for (i = 0; i < n && (quote || s[i] != ' '); i++) {
        if (quote ? s[i] == quote : s[i] == '\'' || s[i] == '"')
            quote = quote ? '\0' : s[i];
    }
    return i;
}

bool
slot_shell_words(const struct slot_position *at,
                 bool (*word)(void *arg, const char *word, size_t n), void *arg)
{
    size_t i = quotes_at(at).start;

    while (i < at->n_before) {
        size_t n = quoted_word_length(at->before + i, at->n_before - i);

        if (n && word(arg, at->before + i, n))
            return true;
        if (i + n == at->n_before)
            return false;
        i += n + 1;
    }
    return word(arg, at->before + i, 0);
}

/* Values inside quotes of the template. */

static bool
see_perl(void *arg, const char *word, size_t n)
{
    bool *perl = arg;

    *perl |= (n == 4 && memcmp(word, "perl", 4) == 0) ||
             (n >= 6 && memcmp(word, "rename", 6) == 0) ||
             (n == 8 && memcmp(word, "prename", 7) == 0);
    return false;
}

/* Whether perl would run code in a pattern: @{[ ... ]}, ${ ... }, $1[ ... ],
 * (?{ ... }). Only $1 may stay a variable. */
static bool
is_perl_code(const char *c, const char *text)
{
    size_t digits;

    if (*c == '@')
        return true;
    if (*c == '{')
        return c > text && c[-1] == '?';
    if (*c != '$')
        return false;
    digits = strspn(c + 1, "0123456789");
    if (digits)
        return strchr("[{-", c[1 + digits]) && c[1 + digits];
    return c[1] && !strchr(")|", c[1]);
}

/* Appends a pattern: the delimiter is escaped, and a \ at the end escapes
 * nothing. */
static void
put_delimited_pattern(struct buf *out, char divider, bool perl,
                      const char *text)
{
    for (const char *c = text; *c; c++) {
        if (perl && *c == '`') {
            buf_str(out, "\\x60");
            continue;
        }
        if (*c == '\\') {
            buf_ch(out, *c);
            c += c[1] != '\0';
        } else if (*c == divider || (perl && is_perl_code(c, text))) {
            buf_ch(out, '\\');
        }
        buf_ch(out, *c);
    }
}

static void
put_escaped_string(struct buf *out, bool shell, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || (shell && strchr("$`", *text)))
            buf_ch(out, '\\');
        buf_ch(out, *text);
    }
}

static void
put_inside_quotes(struct buf *out, char around, const char *text)
{
    for (; *text; text++) {
        if (around == '\'' && *text == '\'') {
            buf_str(out, "'\\''");
            continue;
        }
        if (around == '"' && strchr("\"\\$`", *text))
            buf_ch(out, '\\');
        buf_ch(out, *text);
    }
}

static enum slot_reader reader_at(const struct slot_position *at);

enum slot_reader
slot_shell_reader(enum slot_type slot, const struct slot_position *at)
{
    return slot_shell_is_command(slot, at) ? SLOT_READER_NONE : reader_at(at);
}

/* The same with only the escapes that the reader needs. */
static void
escape_for_reader(struct buf *out, enum slot_reader reader, const char *word)
{
    for (; *word; word++) {
        if (reader == SLOT_READER_CRON && *word == '%')
            buf_ch(out, '\\');
        buf_ch(out, *word);
    }
}

/* Appends the text in the form that the quotes around the position need. */
static void
put_inside(struct buf *out, enum slot_type slot, const char *text,
           const struct slot_position *at)
{
    CLEANUP_BUF struct buf word = buf_of(SLOT_WORD_MAX);
    CLEANUP_BUF struct buf own = buf_of(SLOT_WORD_MAX);
    struct slot_quotes q = quotes_at(at);
    enum slot_reader reader = slot_shell_reader(slot, at);
    bool perl = false;

    if (!q.around) {
        shell_quote_word(out, text);
        return;
    }
    slot_shell_words(at, see_perl, &perl);
    if (q.around == '\'' && q.string) {
        put_escaped_string(&own, reader != SLOT_READER_NONE, text);
    } else if (reader != SLOT_READER_NONE) { /* a word there */
        if (slot == SLOT_PATH)
            generate_word(&word, text);
        else
            shell_quote_word(&word, text);
        escape_for_reader(&own, reader, word.p);
    } else if (q.divider) {
        put_delimited_pattern(&own, q.divider, perl, text);
    } else {
        buf_str(&own, text);
    }
    put_inside_quotes(out, q.around, own.len ? own.p : "");
}

/* Programs that pass their words to a shell again. */

/* The words of a program that a shell parses again. */
enum read_words {
    ALL,      /* joined with blanks */
    OPERANDS, /* joined, but for the first, which is a host */
    OPERAND,  /* the first */
    BEHIND,   /* the one behind that option */
};

static const struct reader_row {
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

#define N_ROWS ARRAY_SIZE(rows)

/* The match of one row with the words before a position. */
struct quote_scan {
    const struct reader_row *row;
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
is_word_text(const char *word, size_t n, const char *text)
{
    return text && strlen(text) == n && memcmp(word, text, n) == 0;
}

/* <, 2>>, >log */
static bool
is_redirection_word(const char *word, size_t n)
{
    return n > 0 && (strchr("<>", word[0]) || (n > 1 && word[1] == '>'));
}

static bool
see_word(void *arg, const char *word, size_t n)
{
    struct quote_scan *s = arg;
    bool value = s->valued, option = n > 1 && word[0] == '-' && !value;

    s->reads = s->seen && !option && !s->file &&
               !is_redirection_word(word, n) &&
               (s->row->words == BEHIND     ? s->behind
                : value || s->stops         ? false
                : s->row->words == OPERANDS ? s->operands > 0
                : s->row->words == OPERAND  ? s->operands == 0
                                            : true);
    s->behind = s->seen && is_word_text(word, n, s->row->option);
    s->stops |= s->behind && s->row->words != BEHIND;
    s->operands += s->seen && !option && !value && n > 0;
    s->valued = option && s->operands == 0 && word[1] != '-' &&
                strchr(s->row->valued, word[n - 1]);
    s->seen |= !s->shell && is_word_text(word, n, s->row->program);
    s->file = is_redirection_word(word, n);
    s->shell = is_word_text(word, n, "-e");
    return false;
}

static bool
is_read_by_program(const struct slot_position *at)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        struct quote_scan s = {.row = &rows[i]};

        slot_shell_words(at, see_word, &s);
        if (!s.reads)
            continue;
        for (size_t k = 0; k < N_ROWS; k++) { /* of another row: "-x" */
            struct quote_scan other = {.row = &rows[k]};

            if (strcmp(rows[k].program, rows[i].program) == 0)
                slot_shell_words(at, see_word, &other);
            s.stops |= other.stops;
        }
        return !s.stops;
    }
    return false;
}

static bool
see_echo(void *arg, const char *word, size_t n)
{
    *(bool *)arg = is_word_text(word, n, "echo") ||
                   is_word_text(word, n, "printf");
    return true;
}

/* The text behind the | that follows the command around the position. */
static const char *
pipe_of(const struct slot_position *at)
{
    const char *s = at->before + at->n_before;
    char quote = quotes_at(at).around;

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

static enum slot_reader
reader_of_pipe(const struct slot_position *at)
{
    static const struct {
        const char *program;
        enum slot_reader reader;
    } pipes[] = {
        {"at", SLOT_READER_SHELL},     {"batch", SLOT_READER_SHELL},
        {"sh", SLOT_READER_SHELL},     {"bash", SLOT_READER_SHELL},
        {"crontab", SLOT_READER_CRON},
    };
    const char *pipe = pipe_of(at);
    bool echo = false;

    slot_shell_words(at, see_echo, &echo);
    if (!pipe || !echo)
        return SLOT_READER_NONE;
    if (strncmp(pipe, "sudo ", 5) == 0)
        pipe += 5;
    for (size_t i = 0; i < ARRAY_SIZE(pipes); i++)
        if (is_word_text(pipe, strcspn(pipe, " "), pipes[i].program))
            return pipes[i].reader;
    return SLOT_READER_NONE;
}

/* Whether it begins a line that a shell reads: echo {path} | at now. */
static bool
is_at_job(const struct slot_position *at)
{
    return strncmp(at->before, "echo ", 5) == 0 && at->n_before == 5 &&
           reader_of_pipe(at) == SLOT_READER_SHELL;
}

/* Whether the slot is a command and no word of one: the whole argument of "sh
 * -c", or its begin. */
static bool
is_whole_command(const struct slot_position *at)
{
    static const char *const starters[] = {"nohup ", "exec ", "time "};
    struct slot_quotes q = quotes_at(at);
    const char *from = at->before + q.open + 1;
    const char *end = at->before + at->n_before;

    if (!q.around)
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(starters); i++) {
        if (strncmp(from, starters[i], strlen(starters[i])) == 0)
            from += strlen(starters[i]);
    }
    return from >= end;
}

static enum slot_reader
reader_at(const struct slot_position *at)
{
    enum slot_reader reader = reader_of_pipe(at);

    return reader == SLOT_READER_NONE && is_read_by_program(at)
               ? SLOT_READER_SHELL
               : reader;
}

bool
slot_shell_is_command(enum slot_type slot, const struct slot_position *at)
{
    return slot == SLOT_TEXT && reader_at(at) == SLOT_READER_SHELL &&
           is_whole_command(at);
}

/* Appends a word for the reader's shell, quoted once more for this shell. */
static void
put_for_reader(struct buf *out, enum slot_reader reader, const char *word)
{
    CLEANUP_BUF struct buf escaped = buf_of(SLOT_WORD_MAX);

    escape_for_reader(&escaped, reader, word);
    shell_quote_word(out, escaped.p);
}

static bool
see_search(void *arg, const char *word, size_t n)
{
    static const char *const programs[] = {"grep", "egrep", "fgrep", "zgrep",
                                           "rg"};
    bool *found = arg;

    for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
        *found |= is_word_text(word, n, programs[i]);
    return true;
}

/* Whether the command searches for a text, and has -e. */
static bool
slot_shell_searches(const struct slot_position *at)
{
    bool found = false;

    slot_shell_words(at, see_search, &found);
    return found;
}

/* The word that ends before the position, and its length. */
static const char *
slot_word_before(const struct slot_position *at, size_t *n)
{
    size_t to = at->n_before, from;

    while (to > 0 && at->before[to - 1] == ' ')
        to--;
    for (from = to; from > 0 && at->before[from - 1] != ' '; from--)
        ;
    *n = to - from;
    return at->before + from;
}

bool
slot_shell_is_safe_behind(const struct slot_position *at)
{
    static const char *const words[] = {
        "--", "-e", "-m", "-d", "-am", "-name", "-iname", "'%s\\n'",
    };
    size_t n;
    const char *word = slot_word_before(at, &n);

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
            return true;
    }
    return false;
}

bool
slot_shell_wants_e(const struct slot_position *at)
{
    return slot_shell_begins_word(at) && !slot_shell_is_quoted(at) &&
           slot_shell_searches(at) && !slot_shell_is_safe_behind(at);
}

#define VALUE_MAX (REQUEST_BYTES_MAX + PATH_MAX)

/* In seconds, and in bytes. */
static const struct slot_unit {
    char unit;
    int64_t amount;
} times[] = {{'s', 1},          {'m', 60},        {'h', 3600},
             {'d', 86400},      {'w', 7 * 86400}, {'M', 30 * 86400},
             {'y', 365 * 86400}};
static const struct slot_unit sizes[] = {{'c', 1},
                                         {'k', INT64_C(1) << 10},
                                         {'M', INT64_C(1) << 20},
                                         {'G', INT64_C(1) << 30},
                                         {'T', INT64_C(1) << 40}};

#define N_TIMES ARRAY_SIZE(times)
#define N_SIZES ARRAY_SIZE(sizes)

static int64_t
unit_amount(const struct slot_unit *units, size_t n, char unit)
{
    for (size_t i = 0; i < n; i++) {
        if (units[i].unit == unit)
            return units[i].amount;
    }
    return 0;
}

/* Rounded up, so that it never becomes 0. */
static int64_t
convert_amount(enum slot_type slot, int64_t amount, char from, char to)
{
    const struct slot_unit *u = slot == SLOT_SIZE ? sizes : times;
    size_t n = slot == SLOT_SIZE ? N_SIZES : N_TIMES;
    int64_t have = unit_amount(u, n, from), want = unit_amount(u, n, to);
    int64_t all;

    if (!have || !want || __builtin_mul_overflow(amount, have, &all))
        return amount;
    return all / want + (all % want > 0);
}

/* Options that take a pattern unexpanded. */
static const char *const pattern_options[] = {
    "name",    "iname",   "path",       "ipath",  "wholename", "lname", "regex",
    "include", "exclude", "iwholename", "ilname", "iregex",    "x", /* of zip */
};

#define N_PATTERN_OPTIONS ARRAY_SIZE(pattern_options)

/* Whether the shell should expand a pattern there: not behind -name, nor in
 * --include=. */
static bool
is_operand(const struct slot_position *at)
{
    size_t end = at->n_before, from;

    if (end > 1 && memcmp(at->before + end - 2, "!(", 2) == 0)
        return true; /* a pattern of the shell's own */
    if (end == 0 || at->before[--end] != ' ')
        return false;
    for (from = end; from > 0 && at->before[from - 1] != ' '; from--)
        ;
    if (at->before[from] != '-')
        return true;
    for (; from < end && at->before[from] == '-'; from++)
        ;
    for (size_t i = 0; i < N_PATTERN_OPTIONS; i++) {
        if (strlen(pattern_options[i]) == end - from &&
            memcmp(pattern_options[i], at->before + from, end - from) == 0)
            return false;
    }
    return true;
}

/* Whether the text is a pattern of plain characters, which expands to names. */
static bool
is_plain_glob(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz"
                                "0123456789_./-*?[]";

    return text[0] && text[0] != '-' && !text[strspn(text, plain)];
}

/* Appends a path or a pattern as a word of one shell. */
static void
put_shell_word(struct buf *out, enum slot_type slot, const char *text,
               const struct slot_position *at)
{
    bool names = slot == SLOT_PATH || slot == SLOT_GLOB;

    if (names && is_operand(at) && is_plain_glob(text))
        buf_str(out, text);
    else if (slot == SLOT_PATH)
        generate_word(out, text);
    else if (slot == SLOT_GLOB)
        generate_quoted(out, text);
    else
        shell_quote_word(out, text);
}

void
slot_shell_text(struct buf *out, enum slot_type slot, const char *text,
                const struct slot_position *at)
{
    CLEANUP_BUF struct buf own = buf_of(VALUE_MAX);
    CLEANUP_BUF struct buf word = buf_of(SLOT_WORD_MAX);
    bool names = slot == SLOT_PATH || slot == SLOT_GLOB;
    enum slot_reader reader = slot_shell_reader(slot, at);

    if (names && strchr("-|", text[0]) && slot_shell_begins_word(at))
        buf_str(&own, "./"); /* a file of that name, no option */
    else if (text[0] == '-' && slot_shell_wants_e(at))
        buf_str(out, "-e ");
    buf_str(&own, text);
    if (slot_shell_is_quoted(at)) {
        put_inside(out, slot, own.p ? own.p : "", at);
    } else if (reader == SLOT_READER_NONE) {
        put_shell_word(out, slot, own.p ? own.p : "", at);
    } else {
        put_shell_word(&word, slot, own.p, at);
        put_for_reader(out, reader, word.p);
    }
}

static bool
is_amount(enum slot_type slot, const struct request_value *v)
{
    switch (slot) {
    case SLOT_NUMBER:
        return v->types & (1u << SLOT_NUMBER | 1u << SLOT_AGE);
    case SLOT_SIZE:
    case SLOT_AGE:
        return true;
    default:
        return false;
    }
}

static void
amount(struct buf *out, enum slot_type slot, const struct request_value *v,
       const struct slot_position *at)
{
    int64_t n = v->amount;

    if (at->unit && v->unit)
        n = convert_amount(slot, n, v->unit, at->unit);
    buf_printf(out, "%" PRId64, n);
    if (slot != SLOT_SIZE || !v->unit || at->unit)
        return;
    /* find alone counts blocks where no unit stands */
    if (v->unit != 'c' || strstr(at->before, "-size"))
        buf_ch(out, v->unit);
}

/* Programs that run the command in their arguments. */
static bool
starts_others(const char *word, size_t n)
{
    static const char *const names[] = {"sudo",   "nohup",   "time",
                                        "nice",   "env",     "exec",
                                        "setsid", "timeout", "watch"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (strlen(names[i]) == n && memcmp(names[i], word, n) == 0)
            return true;
    }
    return false;
}

/* Whether the position is the name of a program: before it are only wrappers
 * with their options and amounts. */
static bool
is_run(const struct slot_position *at)
{
    size_t from = at->n_before;
    const char *s = at->before, *end = at->before + at->n_before;

    while (from > 0 && !strchr(";|&", s[from - 1]))
        from--;
    if (memchr(s + from, '(', at->n_before - from))
        return false;
    for (s += from; s < end;) {
        size_t n = strcspn(s, " ");

        if (s + n > end)
            return false;
        if (n && !strchr("-{0123456789", *s) && !starts_others(s, n))
            return false;
        s += n + (s[n] == ' ');
    }
    return true;
}

/* Appends a file of the working directory for a reader that starts elsewhere:
 * cron works in the home directory, and neither the shell nor at searches
 * programs in the working directory. */
static void
put_absolute_file(struct buf *out, const struct seat *s, enum slot_type slot,
                  const struct request_value *v, const struct slot_position *at)
{
    enum slot_reader reader = slot_shell_reader(slot, at);
    bool bare = !strchr(v->text, '/');
    const char *here = s ? seat_dir(s) : NULL;

    if (!v->exists || strchr("/~$", v->text[0]))
        return;
    if (reader == SLOT_READER_CRON && here && !strchr(here, '\n'))
        buf_printf(out, "%s/", here);
    else if (!v->is_dir && bare && (is_run(at) || is_at_job(at)))
        buf_str(out, "./");
}

/* jpg, of .jpg and *.jpg. */
static const char *
extension_of(const struct request_value *v)
{
    const char *dot = v->is == SLOT_GLOB ? strrchr(v->text, '.') : NULL;

    return dot ? dot + 1 : v->text + strspn(v->text, ".");
}

void
slot_shell_value(struct buf *out, const struct seat *s, enum slot_type slot,
                 const struct request_value *v, const struct slot_position *at)
{
    CLEANUP_BUF struct buf text = buf_of(VALUE_MAX);

    if (is_amount(slot, v)) {
        amount(out, slot, v, at);
        return;
    }
    if (slot == SLOT_EXT)
        buf_str(&text, extension_of(v));
    else if ((slot == SLOT_GLOB || slot == SLOT_PATH) && v->is == SLOT_EXT)
        buf_printf(&text, "*.%s", extension_of(v));
    else if (slot == SLOT_PORT)
        buf_str(&text, v->text + (v->text[0] == ':'));
    else {
        put_absolute_file(&text, s, slot, v, at);
        buf_str(&text, v->text);
    }
    slot_shell_text(out, slot, text.p, at);
}
