/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_script.c - searches code in other languages for calls that matter.
 *
 * No language is parsed. Strings, regular expressions and comments are
 * blanked; a name that is left and that the table has is applied: its string
 * arguments are files, hosts or commands. */
#include "guard/risk/risk_script.h"

#include <string.h>

#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_paths.h"

#define ARGUMENTS_MAX 8 /* of one call */

static void
report_opaque_code(struct risk_script *c)
{
    risk_report_unread(c->st, c->arg->from, c->arg->to,
                       "runs code that cannot be checked");
}

/* An argument of a call. */
struct script_argument {
    const char *text; /* the string that it begins with; NULL: none */
    bool whole;       /* the string is the whole argument */
};

static void
touch_argument(struct risk_script *c, const struct script_argument *w,
               enum risk_use use)
{
    struct risk_arg a = {.text = w->whole ? w->text : "*",
                         .glob = w->whole ? w->text : "*",
                         .known = w->whole,
                         .from = c->arg->from,
                         .to = c->arg->to};

    risk_path_touch(c->st, c->frame, &a, use, false, c->language->name);
}

/* The end of the argument at i, in text whose strings are blanked. */
static size_t
argument_end(const char *blank, size_t i, bool lines)
{
    int depth = 0;

    for (; blank[i]; i++) {
        char c = blank[i];

        if (depth == 0 && (strchr(",;)]}", c) || (c == '\n' && !lines)))
            return i;
        depth += (strchr("([{", c) != NULL) - (strchr(")]}", c) != NULL);
    }
    return i;
}

/* Skips the key of a keyword argument: mode= or mode: */
static const char *
skip_keyword(const char *s, const char *end)
{
    const char *at = s + strspn(s, "abcdefghijklmnopqrstuvwxyz_");

    if (at == s)
        return s;
    at += strspn(at, " \t");
    return at < end && (*at == '=' || *at == ':') ? at + 1 : s;
}

/* Whether a string has interpolations: "$x", f'{x}' and "#{x}". */
static bool
is_interpolated(const char *s, size_t n)
{
    return s[0] != '\'' && (memchr(s, '$', n) || memchr(s, '{', n));
}

static struct script_argument
read_argument(struct risk_script *c, const char *s, const char *end)
{
    struct script_argument w = {0};
    const char *at;

    s += strspn(s, " \t\n");
    s = skip_keyword(s, end);
    at = s += strspn(s, " \t\n");
    if (s >= end)
        return w;
    w.text = risk_script_string(c->st, c->language->quotes, &at);
    if (!w.text)
        return w;
    w.whole = !is_interpolated(s, (size_t)(at - s));
    at += strspn(at, " \t\n");
    w.whole = w.whole && at >= end;
    return w;
}

static size_t
read_call_arguments(struct risk_script *c, const char *at,
                    struct script_argument out[ARGUMENTS_MAX])
{
    const char *blank = c->blank + (at - c->text);
    size_t i = strspn(blank, " \t"), n = 0;
    bool parens = blank[i] == '(';

    i += parens;
    while (n < ARGUMENTS_MAX && blank[i]) {
        size_t end = argument_end(blank, i, parens);

        out[n++] = read_argument(c, at + i, at + end);
        if (blank[end] != ',')
            break;
        i = end + 1;
    }
    return n;
}

/* perl opens a command: "|-" with the command behind it, or "rm x |". */
static bool
open_pipe(struct risk_script *c, const struct script_argument *v, size_t n)
{
    const char *mode = v[1].text;
    size_t len = strlen(mode);
    struct script_argument command = v[1];

    if (strcmp(mode, "|-") == 0 || strcmp(mode, "-|") == 0) {
        if (n < 3 || !v[2].text)
            report_opaque_code(c);
        else
            risk_walk_text(c->st, c->frame, v[2].text, v[2].whole);
        return true;
    }
    if (len < 2 || (mode[0] != '|' && mode[len - 1] != '|'))
        return false;
    command.text = risk_copy(c->st, mode + (mode[0] == '|'), len - 1);
    risk_walk_text(c->st, c->frame, command.text, command.whole);
    return true;
}

/* open(F, ">", "file"), open(F, ">file") */
static void
open_perl(struct risk_script *c, const struct script_argument *v, size_t n)
{
    const struct script_argument none = {0};
    struct script_argument file;
    enum risk_use use;
    const char *mode;

    if (n < 2 || !v[1].text || open_pipe(c, v, n))
        return;
    file = v[1];
    mode = file.text + (file.text[0] == '+');
    if (mode[0] != '>' && (mode[0] != '<' || mode == file.text))
        return; /* only read */
    use = mode[1] == '>' ? RISK_MAKES : RISK_CHANGES;
    file.text = mode + strspn(mode, "<> ");
    if (!file.text[0] || file.text[0] == ':')
        file = n > 2 ? v[2] : none;
    touch_argument(c, &file, use);
}

/* open("file", "w") */
static void
open_by_mode(struct risk_script *c, const struct script_argument *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *mode = v[i].text;

        if (!mode || !mode[0] || strlen(mode) > 4 ||
            mode[strspn(mode, "rwaxcbtU+")] ||
            (mode[0] == 'r' && !strchr(mode, '+')))
            continue;
        touch_argument(c, &v[0],
                       strchr("wr", mode[0]) ? RISK_CHANGES : RISK_MAKES);
        return;
    }
}

/* The receiver in front of a method: Path("file").write_text(…). */
static struct script_argument
read_receiver(struct risk_script *c, const char *dot)
{
    struct script_argument w = {0};
    const char *end = dot, *s;

    if (dot <= c->text + 1 || dot[-1] != ')')
        return w;
    end = s = dot - 1;
    while (s > c->text && c->blank[s - c->text - 1] != '(')
        s--;
    return read_argument(c, s, end);
}

static void
apply_file_call(struct risk_script *c, const struct risk_script_call *row,
                const char *at)
{
    const struct script_argument none = {0};
    struct script_argument v[ARGUMENTS_MAX] = {{0}};
    size_t n = read_call_arguments(c, at, v);
    const char *name = at - strlen(row->word);
    bool method = row->word[0] == 'w' && name > c->text && name[-1] == '.' &&
                  c->language->flag == SCRIPT_PYTHON;

    if (row->effect == SCRIPT_OPENS && c->language->flag == SCRIPT_PERL) {
        open_perl(c, v, n);
    } else if (row->effect == SCRIPT_OPENS) {
        open_by_mode(c, v, n);
    } else if (row->effect == SCRIPT_COPIES) {
        touch_argument(c, n > 1 ? &v[1] : &none, RISK_CHANGES);
    } else {
        struct script_argument file = method ? read_receiver(c, name - 1)
                                             : v[0];

        touch_argument(c, &file, RISK_CHANGES);
    }
}

#define STRINGS_MAX 16 /* of one call */

/* The leading arguments of a call that are string literals. more: at least one
 * is not the whole argument. */
static size_t
read_strings(struct risk_script *c, const char *at, const char **out,
             bool *more)
{
    size_t n = 0;

    *more = false;
    while (n < STRINGS_MAX) {
        const char *s;

        at += strspn(at, " \t\n([{,");
        s = risk_script_string(c->st, c->language->quotes, &at);
        if (!s)
            break;
        out[n++] = s;
        at += strspn(at, " \t\n");
        *more = *more || strchr("+.%", *at ? *at : ',');
    }
    return n;
}

static void
report_code(struct risk_script *c, unsigned fact, const char *what)
{
    risk_report_program(c->st, fact, c->arg->from, c->arg->to,
                        c->language->name, what);
}

static void
touch_path(struct risk_script *c, const char *path, enum risk_use use)
{
    struct risk_arg a = {.text = path,
                         .glob = path,
                         .known = true,
                         .from = c->arg->from,
                         .to = c->arg->to};

    risk_path_touch(c->st, c->frame, &a, use, false, c->language->name);
}

static void
run_script_command(struct risk_script *c, const char *at)
{
    const char *strings[STRINGS_MAX], *text;
    bool more;
    size_t n = read_strings(c, at, strings, &more);

    if (n == 0 && c->language->flag == SCRIPT_TCL) {
        at += strspn(at, " \t");
        strings[n++] = risk_copy(c->st, at, strcspn(at, ";\n]"));
    }
    if (n == 0) {
        report_opaque_code(c);
        return;
    }
    text = strings[0];
    for (size_t i = 1; i < n; i++)
        text = risk_join(c->st, risk_join(c->st, text, " "), strings[i]);
    risk_walk_text(c->st, c->frame, text, !more);
}

static void
delete_files(struct risk_script *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;
    size_t n = read_strings(c, at, strings, &more);

    report_code(c, RISK_DESTRUCTIVE, "code deletes files");
    for (size_t i = 0; i < n && i < 4; i++)
        touch_path(c, strings[i], RISK_DELETES);
}

static void
connect_host(struct risk_script *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;

    if (read_strings(c, at, strings, &more) == 0 || more ||
        !risk_host_is_loopback(risk_host_parse(c->st, strings[0])))
        report_code(c, RISK_NETWORK, "code contacts a host");
}

static void
apply_call(struct risk_script *c, const struct risk_script_call *row,
           const char *behind)
{
    const char *at = c->text + (behind - c->blank);

    c->connects = c->connects || row->effect == SCRIPT_CONNECTS;
    c->executes = c->executes || row->effect == SCRIPT_EXECUTES;
    switch (row->effect) {
    case SCRIPT_DELETES:
        delete_files(c, at);
        return;
    case SCRIPT_HARMS:
        report_code(c, RISK_DESTRUCTIVE, "code destroys data");
        return;
    case SCRIPT_EXECUTES:
        run_script_command(c, at);
        return;
    case SCRIPT_CONNECTS:
        connect_host(c, at);
        return;
    case SCRIPT_OPAQUE:
        report_opaque_code(c);
        return;
    case SCRIPT_OPENS:
    case SCRIPT_WRITES:
    case SCRIPT_COPIES:
        apply_file_call(c, row, at);
        return;
    }
}

/* The next place from `at` on where the word is a name of its own. */
static const char *
find_name(const struct risk_script *c, const char *at, const char *word)
{
    size_t n = strlen(word);

    for (;; at++) {
        char before;

        at = c->language->any_case ? strcasestr(at, word) : strstr(at, word);
        if (!at)
            return NULL;
        before = at > c->blank ? at[-1] : ' ';
        if (risk_script_is_name_char(word[0]) &&
            (risk_script_is_name_char(before) || strchr("$@%", before)))
            continue;
        if (risk_script_is_name_char(word[n - 1]) &&
            risk_script_is_name_char(at[n]))
            continue;
        if (c->language->flag == SCRIPT_REDIS && at > c->blank &&
            before != '\n')
            continue; /* a command, not the name of a key */
        return at;
    }
}

/* The text in `…` runs as a command. */
static void
run_backticks(struct risk_script *c)
{
    const char *at = c->text;

    while ((at = strchr(at, '`'))) {
        const char *end = strchr(at + 1, '`');

        if (!end)
            return;
        if (c->blank[at - c->text] == '`')
            risk_walk_text(c->st, c->frame,
                           risk_copy(c->st, at + 1, (size_t)(end - at - 1)),
                           true);
        at = end + 1;
    }
}

static void
search_calls(struct risk_script *c)
{
    const struct risk_script_call *row;

    for (size_t i = 0; (row = risk_script_call(i)); i++) {
        const char *at = c->blank;

        if (!(row->languages & c->language->flag) ||
            (row->needs && !strstr(c->text, row->needs) &&
             !(c->language->any_case && strcasestr(c->text, row->needs))))
            continue;
        while ((at = find_name(c, at, row->word)) && !c->st->full) {
            c->st->steps++;
            at += strlen(row->word);
            apply_call(c, row, at);
        }
    }
    if (!c->executes && c->language->flag == SCRIPT_NODE &&
        strstr(c->text, "child_process"))
        report_opaque_code(c);
    if (c->connects && c->executes)
        risk_report_unread(c->st, c->arg->from, c->arg->to,
                           "runs code that another machine may change");
}

void
risk_script(struct risk_state *st, const struct risk_frame *f,
            const char *language, const struct risk_arg *a)
{
    struct risk_frame inner = *f;
    struct risk_script c = {
        .st = st, .frame = &inner, .arg = a, .text = a->text};

    if (!a->known && strspn(a->glob, "*") == strlen(a->glob)) {
        risk_report_unread(st, a->from, a->to,
                           "runs code that is only known when it runs");
        return;
    }
    inner.mapped = true;
    inner.from = a->from;
    inner.to = a->to;
    inner.positional = NULL;
    if (strcmp(language, "sed") == 0) {
        risk_script_sed(st, &inner, a);
        return;
    }
    c.language = risk_script_language(language);
    if (!c.language)
        return;
    if (c.language->flag == SCRIPT_SQL)
        c.text = risk_script_sql(st, a);
    c.blank = risk_script_blank(st, c.language, c.text);
    if (strlen(c.blank) != strlen(c.text))
        return; /* no memory: st->full is set */
    search_calls(&c);
    risk_script_check_names(&c);
    if (c.language->executes)
        run_backticks(&c);
    if (c.language->flag == SCRIPT_AWK)
        risk_script_awk(st, &inner, a, c.blank);
}
