/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_triage.c - answers "what went wrong" without a model. */
#include "action/error_triage.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "base/utf8.h"
#include "guard/exit_status.h"
#include "model/prompt/last_command.h"
#include "offline/engine/out_of_scope.h"
#include "offline/parse/lexicon.h"

#define TAIL_SHOWN      3    /* lines, where none looks like an error */
#define TRIAGE_LINE_MAX 4096 /* bytes of a line that are read */
#define LINES_MAX       (ERROR_LINES_SHOWN * (ERROR_LINE_BYTES + 8))
#define MEANING_MAX     256
#define COMMAND_MAX     2000 /* bytes of a command that are shown */

static const char *const error_words[] = {
    "error",
    "errors",
    "fatal",
    "failed",
    "failure",
    "failures",
    "fail",
    "fails",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable",
    "denied",
    "not found",
    "no such",
    "undefined",
    "undeclared",
    "unrecognized",
    "not permitted",
    "invalid",
    "exception",
    "traceback",
    "panic",
    "panicked",
    "core dumped",
    "segmentation",
    "killed",
    "aborted",
    "refused",
    "timed out",
    "out of memory",
    "unreachable",
    "no space left",
    "read-only file",
    "unexpected",
    "missing",
    "***",
    "e:",
    "err!",
};

static const char *const warning_words[] = {"warning", "warnings", "warn",
                                            "deprecated"};

/* Endings of a word that names a kind of error: SyntaxError, IOException. */
static const char *const error_ends[] = {"Error", "Exception"};

static bool
is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* -Werror, /var/log/error and error.c are not the word error. */
static bool
begins_word(const char *line, const char *at)
{
    return at == line || (!is_word_char(at[-1]) && !strchr("-/.", at[-1]));
}

static bool
ends_word(const char *end)
{
    return !is_word_char(end[-1]) ||
           (!is_word_char(*end) && !strchr("-/=", *end ? *end : ' ') &&
            !(*end == '.' && is_word_char(end[1])));
}

/* "0 errors", "no error", "without errors" */
static bool
is_negated_error(const char *line, const char *at)
{
    static const char *const none[] = {"0 ", "no ", "without "};

    for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
        size_t n = strlen(none[i]);

        if ((size_t)(at - line) >= n && strncasecmp(at - n, none[i], n) == 0 &&
            ((size_t)(at - line) == n || !is_word_char(at[-1 - (long)n])))
            return true;
    }
    return false;
}

static bool
contains_word(const char *line, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = line; (at = strcasestr(at, word)) != NULL; at++) {
        if (begins_word(line, at) && ends_word(at + n) &&
            !is_negated_error(line, at))
            return true;
    }
    return false;
}

static bool
line_names_error(const char *line)
{
    for (size_t i = 0; i < ARRAY_SIZE(error_ends); i++) {
        size_t n = strlen(error_ends[i]);

        for (const char *at = line; (at = strstr(at, error_ends[i])); at++) {
            if (at > line && is_word_char(at[-1]) && ends_word(at + n))
                return true;
        }
    }
    return false;
}

static enum error_lines_kind
classify_line(const char *line)
{
    for (size_t i = 0; i < ARRAY_SIZE(error_words); i++) {
        if (contains_word(line, error_words[i]))
            return ERROR_LINES_ERRORS;
    }
    if (line_names_error(line))
        return ERROR_LINES_ERRORS;
    for (size_t i = 0; i < ARRAY_SIZE(warning_words); i++) {
        if (contains_word(line, warning_words[i]))
            return ERROR_LINES_WARNINGS;
    }
    return *line ? ERROR_LINES_TAIL : ERROR_LINES_NONE;
}

/* Length of an escape sequence that sets colours; 0: there is none here. */
static size_t
colour_at(const char *p, size_t n)
{
    size_t at = 2;

    if (n < 3 || p[0] != '\x1b' || p[1] != '[')
        return 0;
    while (at < n && (isdigit((unsigned char)p[at]) || strchr(";:", p[at])))
        at++;
    return at < n && (p[at] == 'm' || p[at] == 'K') ? at + 1 : 0;
}

/* Copies a line without its colours and the blanks at its end; a NUL becomes a
 * blank, since it would end the line. */
static void
clean_line(const char *p, size_t n, struct buf *out)
{
    size_t colour;

    if (n > TRIAGE_LINE_MAX)
        n = utf8_boundary(p, n, TRIAGE_LINE_MAX);
    buf_clear(out);
    for (; n > 0; p += colour ? colour : 1, n -= colour ? colour : 1) {
        colour = colour_at(p, n);
        if (!colour)
            buf_ch(out, *p ? *p : ' ');
    }
    while (out->len > 0 && strchr(" \t\r", out->p[out->len - 1]))
        buf_cut(out, out->len - 1);
}

static void
put_error_line(const struct buf *line, struct buf *out)
{
    size_t n = utf8_boundary(line->p, line->len, ERROR_LINE_BYTES);

    buf_add(out, line->p, n);
    buf_str(out, n < line->len ? " ...\n" : "\n");
}

/* A walk over the lines of a text. */
struct line_walk {
    const char *p, *end;
    struct buf line;
};

static bool
next_output_line(struct line_walk *w)
{
    const char *nl;

    if (w->p >= w->end)
        return false;
    nl = memchr(w->p, '\n', (size_t)(w->end - w->p));
    clean_line(w->p, (size_t)((nl ? nl : w->end) - w->p), &w->line);
    w->p = nl ? nl + 1 : w->end;
    return true;
}

/* Counts the lines of each kind. */
static void
count_kinds(struct line_walk w, size_t of[ERROR_LINES_TAIL + 1])
{
    while (next_output_line(&w))
        of[classify_line(w.line.p)]++;
    buf_done(&w.line);
}

static void
put_found_lines(struct line_walk w, struct error_lines *c, struct buf *out)
{
    size_t skip = c->kind == ERROR_LINES_TAIL ? c->found - c->shown : 0, at = 0;

    while (at < skip + c->shown && next_output_line(&w)) {
        if (classify_line(w.line.p) == c->kind && at++ >= skip)
            put_error_line(&w.line, out);
    }
    buf_done(&w.line);
}

void
error_triage_find_lines(const char *text, size_t n, struct error_lines *out,
                        struct buf *lines)
{
    struct line_walk w = {
        .p = text, .end = text + n, .line = buf_of(TRIAGE_LINE_MAX)};
    size_t of[ERROR_LINES_TAIL + 1] = {0}, most = ERROR_LINES_SHOWN;

    count_kinds(w, of);
    *out = (struct error_lines){.kind = ERROR_LINES_ERRORS};
    while (out->kind < ERROR_LINES_TAIL && of[out->kind] == 0)
        out->kind++;
    if (of[out->kind] == 0)
        out->kind = ERROR_LINES_NONE;
    if (out->kind == ERROR_LINES_TAIL)
        most = TAIL_SHOWN;
    for (size_t i = 0; i <= ERROR_LINES_TAIL; i++)
        out->lines += of[i];
    out->found = out->kind == ERROR_LINES_NONE ? 0 : of[out->kind];
    out->shown = out->found < most ? out->found : most;
    put_found_lines(w, out, lines);
}

/* What a word of the request means. */
enum {
    POINTS = 1,  /* it points at something that was there before: "this" */
    TROUBLE = 2, /* there was an error */
    WHY = 4,     /* it asks for the cause */
    FIX = 8,     /* it asks for a repair */
    HOW = 16,    /* the same with FIX; alone, a question of another kind */
};

static const struct {
    unsigned meaning;
    const char *words;
} word_lists[] = {
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
word_meaning(const char *word)
{
    for (size_t i = 0; i < ARRAY_SIZE(word_lists); i++) {
        if (lexicon_listed(word, word_lists[i].words))
            return word_lists[i].meaning;
    }
    return 0;
}

bool
error_triage_is_question(const char *words, enum aiaction_mode mode, bool piped)
{
    char word[OUT_OF_SCOPE_WORD_MAX];
    unsigned meaning, all = 0;

    while (out_of_scope_next_word(&words, word)) {
        meaning = word_meaning(word);
        if (!meaning)
            return false;
        all |= meaning;
    }
    if (all & HOW && !(all & FIX))
        return false;
    if (mode != AIACTION_EXPLAIN)
        return all & FIX || (all & TROUBLE && all & WHY);
    return all & (TROUBLE | FIX) || (piped && all);
}

/* Appends lines as an indented block of code in Markdown, which nothing in
 * them can end. */
static void
put_code_block(struct buf *out, const char *lines, size_t n)
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
put_error_lines(struct buf *out, bool person, const char *text, size_t n,
                const char *whose)
{
    CLEANUP_BUF struct buf lines = buf_of(LINES_MAX);
    struct error_lines c;
    const char *kind;

    error_triage_find_lines(text, n, &c, &lines);
    kind = c.kind == ERROR_LINES_ERRORS ? message_for(person, "an error")
                                        : message_for(person, "a warning");
    if (c.kind == ERROR_LINES_NONE)
        return;
    if (c.kind == ERROR_LINES_TAIL)
        buf_printf(out,
                   message_for(person, "No line of %s looks like an error. "
                                       "The last"),
                   whose);
    else if (c.lines == 1)
        buf_printf(out, message_for(person, "It looks like %s"), kind);
    else if (c.found == 1)
        buf_printf(out,
                   message_for(person, "Of the %zu lines of %s, 1 looks like "
                                       "%s"),
                   c.lines, whose, kind);
    else
        buf_printf(out,
                   message_for(person, "Of the %zu lines of %s, %zu look like "
                                       "%s"),
                   c.lines, whose, c.found, kind);
    if (c.kind != ERROR_LINES_TAIL && c.found > c.shown)
        buf_printf(out, message_for(person, "; the first %zu"), c.shown);
    buf_str(out, ":\n");
    put_code_block(out, lines.p, lines.len);
}

static void
put_failed_command(struct buf *out, bool person,
                   const struct last_command *last)
{
    CLEANUP_BUF struct buf meaning = buf_of(MEANING_MAX);
    size_t n = last->command.len;

    exit_status_describe(last->command.p, last->exit_code, &meaning);
    buf_printf(out, "%s\n",
               message_for(person, "The last command of this shell:"));
    put_code_block(out, last->command.p, n < COMMAND_MAX ? n : COMMAND_MAX);
    buf_printf(out, message_for(person, "Its exit status is %d: %s."),
               last->exit_code, meaning.p);
    buf_ch(out, '\n');
    if (last->exit_code != 0 && last->captured) {
        buf_ch(out, '\n');
        put_error_lines(out, person, last->shown.p, last->shown.len,
                        message_for(person, "what it showed"));
    }
}

static void
put_unknown(struct buf *out, bool person)
{
    buf_printf(out,
               "%s\n\n    COMMAND 2>&1 | ai explain what is wrong here"
               "\n\n%s\n",
               message_for(person, "No previous command is recorded. A text "
                                   "can be piped in:"),
               message_for(person, "and `agentsh init` makes a shell record "
                                   "its last command."));
}

void
error_triage_write(const struct seat *s, const struct user_request *request,
                   bool person, struct buf *out)
{
    CLEANUP(last_command_done) struct last_command last;

    last_command_read(s, &last);
    if (request->input_len > 0)
        buf_printf(out,
                   message_for(person, "To read %s needs a model, and none was "
                                       "used; see `agentsh doctor`. "),
                   message_for(person, request->input_name));
    else
        buf_str(out,
                message_for(person, "To say what went wrong needs a model, "
                                    "and none was used; see `agentsh "
                                    "doctor`. "));
    if (request->input_len > 0)
        put_error_lines(out, person, request->input, request->input_len,
                        message_for(person, request->input_name));
    else if (last.known)
        put_failed_command(out, person, &last);
    else
        put_unknown(out, person);
}
