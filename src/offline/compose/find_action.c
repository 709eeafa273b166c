/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_action.c - which program is run for what is found. */
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/compose/find.h"

#define CHANGE                                                                 \
    "change|changes|set|sets|add|adds|give|grant|make|assign|remove|update|"   \
    "modify|reset|chmod|apply"
#define DIR   "directory|folder|location"
#define COPY  "copy|copies|copying"
#define MOVE  "move|moves|moving"
#define LINES "line|lines"

/* A program to run; %s is its operand, which stands in row or after it. */
static const struct action {
    const char *row;
    const char *operand; /* where that is said; NULL: in row, or there is
                            none */
    const char *run;     /* {} are the files */
    const char *open;    /* for an operand that is not said; NULL: without
                            it, this is not meant */
    bool one_each;
} actions[] = {
    {COPY, "to|into " DIR " {}", "cp {} %s", NULL, true},
    {COPY, "to|into {} " DIR, "cp {} %s", NULL, true},
    {COPY, "to|into {path}", "cp {} %s", NULL, true},
    {COPY, "in|inside|under ?" DIR " {path}", "cp {} %s", "DIR", true},
    {MOVE, "to|into " DIR " {}", "mv {} %s", NULL, true},
    {MOVE, "to|into {} " DIR, "mv {} %s", NULL, true},
    {MOVE, "to|into {path}", "mv {} %s", NULL, true},
    {MOVE, "in|inside|under ?" DIR " {path}", "mv {} %s", "DIR", true},
    {CHANGE " ?file|directory permission|permissions",
     "to|as|with|of ?permission {mode}", "chmod %s {}", NULL, false},
    {CHANGE " permission|permissions {mode}", NULL, "chmod %s {}", NULL, false},
    {"permission|permissions", "to ?permission {mode}", "chmod %s {}", NULL,
     false},
    {"chmod {mode}", NULL, "chmod %s {}", NULL, false},
    {"chmod", "to {mode}", "chmod %s {}", "MODE", false},
    {"change|set|give|chown ?user owner", "to ?user {}", "chown %s {}", "USER",
     false},
    {"chown", "to ?user {}", "chown %s {}", "USER", false},
    {"give|hand|transfer them|it|these|those", "to ?user {}", "chown %s {}",
     NULL, false},
    {"change|set|chgrp ?owner group", "to ?group {}", "chgrp %s {}", "GROUP",
     false},
    {"make|set|mark|turn", "executable", "chmod +x {}", NULL, false},
    {"make|set|mark|turn", "readonly|read-only", "chmod a-w {}", NULL, false},
    {"gzip|compress|compresses", NULL, "gzip {}", NULL, false},
    {"bzip2", NULL, "bzip2 {}", NULL, false},
    {"gunzip|decompress|uncompress|unzip", NULL, "gunzip {}", NULL, false},
    {"count|number lines ?in|of", NULL, "wc -l {}", NULL, false},
    {"count|number words ?in|of", NULL, "wc -w {}", NULL, false},
    {"md5|md5sum ?sum|sums|checksum|checksums|hash", NULL, "md5sum {}", NULL,
     false},
    {"sha1|sha1sum ?sum|checksum|hash", NULL, "sha1sum {}", NULL, false},
    {"sha256|sha256sum|checksum ?sum|checksum|hash", NULL, "sha256sum {}", NULL,
     false},
    {"long listing|list|format|details", NULL, "ls -l {}", NULL, false},
    {"ls ?-l", NULL, "ls -l {}", NULL, false},
    {"list|check|determine file type|types", NULL, "file {}", NULL, false},
    {"type of file|files", NULL, "file {}", NULL, false},
    {"disk use|usage ?of", NULL, "du -h {}", NULL, false},
    {"first {number} " LINES " ?of", NULL, "head -n %s {}", NULL, false},
    {"last {number} " LINES " ?of", NULL, "tail -n %s {}", NULL, false},
    {"first line ?of", NULL, "head -n 1 {}", NULL, false},
    {"last line ?of", NULL, "tail -n 1 {}", NULL, false},
    {"list|output ?its content|contents ?of", NULL, "cat {}", NULL, false},
    {"cat|concatenate", NULL, "cat {}", NULL, false},
    {"run|execute|executes|call|use|invoke ?command|script|program "
     "{text} ?command|script",
     NULL, "%s {}", NULL, true},
    {"run|execute|executes ?command|script|program {path}", NULL, "%s {}", NULL,
     true},
};

/* Appends run with the operand, quoted where need be, in place of %s. */
static void
add_run(struct find *f, const char *run, const char *operand, bool command)
{
    const char *at = strstr(run, "%s");

    if (!at) {
        buf_str(&f->run, run);
        return;
    }
    buf_add(&f->run, run, (size_t)(at - run));
    if (command)
        buf_str(&f->run, operand);
    else
        compose_path(&f->run, operand);
    buf_str(&f->run, at + 2);
}

/* A command that is named may say itself where the file comes. */
static const char *
run_of(const struct action *a, const char *operand)
{
    return *a->run == '%' && strstr(operand, "{}") ? "%s" : a->run;
}

/* Whether text is words that find may start: no shell of its own is. */
static bool
is_command(const char *text)
{
    struct syntax s;
    struct err e;
    bool whole;

    if (strpbrk(text, ";|&<>`$()#\n"))
        return false;
    if (syntax_read(text, strlen(text), &s, &e) < 0)
        return false;
    whole = !s.fault;
    syntax_done(&s);
    return whole;
}

/* A directory that is named in words; behind another plain word a / makes cp
 * and mv fail where there is no such directory. */
static const char *
directory(const struct request *q, size_t i, struct buf *room)
{
    static const struct {
        const char *word, *path;
    } known[] = {
        {"parent", ".."},
        {"home", "~"},
        {"current|present|working", "."},
    };
    const char *text = compose_text(q, i, room);

    if (request_value_of(q, i))
        return text;
    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
        if (compose_is(q, i, known[k].word))
            return known[k].path;
    buf_ch(room, '/');
    return room->p;
}

static bool
try_action(struct find *f, const struct action *a)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    struct compose_hit verb, to = {.at = REQUEST_NONE};
    const char *operand = a->open;
    uint64_t set;

    if (!find_sees(f, a->row, &verb) || compose_negated(f->q, verb.from))
        return false;
    set = verb.set;
    if (!a->operand)
        to.at = verb.at;
    else if (compose_match(f->q, a->operand, f->used | set, verb.to, &to))
        set |= to.set;
    else if (!a->open)
        return false;
    if (to.at != REQUEST_NONE)
        operand = compose_text(f->q, to.at, &room);
    if (a->operand && strstr(a->operand, DIR) && strstr(a->operand, "{}"))
        operand = directory(f->q, to.at, &room);
    if (strstr(a->run, "%s") && !operand)
        return false;
    if (*a->run == '%' && !is_command(operand))
        return false;
    f->open += operand == a->open && a->open;
    f->used |= set;
    add_run(f, run_of(a, operand ? operand : ""), operand, *a->run == '%');
    f->one_each = a->one_each;
    if (strstr(a->run, "wc -"))
        find_says(f, "count");
    return true;
}

/* Whether sed can take it: no line ends in it, and no backslash of its own
 * takes the slash that ends it. */
static bool
fits_sed(const char *text)
{
    size_t n = strlen(text), odd = 0;

    while (n && text[n - 1] == '\\') {
        odd ^= 1;
        n--;
    }
    return !odd && !strchr(text, '\n');
}

/* "replace foo with bar": sed -i, its slashes escaped that are not yet. */
static void
add_sed(struct buf *out, const char *from, const char *to)
{
    CLEANUP_BUF struct buf script = buf_of(REQUEST_BYTES_MAX);
    const char *const parts[] = {from, to};

    buf_str(&script, "s");
    for (size_t i = 0; i < 2; i++) {
        bool escaped = false;

        buf_ch(&script, '/');
        for (const char *s = parts[i]; *s; s++) {
            if (!escaped && strchr(i ? "/&" : "/", *s))
                buf_ch(&script, '\\');
            buf_ch(&script, *s);
            escaped = !escaped && *s == '\\';
        }
    }
    buf_str(&script, "/g");
    buf_str(out, "sed -i ");
    compose_quoted(out, script.p);
    buf_str(out, " {}");
}

static bool
try_replace(struct find *f)
{
    CLEANUP_BUF struct buf from = buf_of(REQUEST_BYTES_MAX);
    CLEANUP_BUF struct buf to = buf_of(REQUEST_BYTES_MAX);
    struct compose_hit what, with;
    const char *old, *new;

    if (!find_sees(f,
                   "replace|substitute ?occurrence|occurrences "
                   "?string|word|text {}",
                   &what) ||
        !compose_match(f->q, "with|by|to ?string|word|text {}",
                       f->used | what.set, what.to, &with) ||
        with.from > what.to + 2)
        return false;
    old = compose_text(f->q, what.at, &from);
    new = compose_text(f->q, with.at, &to);
    f->none |= !fits_sed(old) || !fits_sed(new);
    add_sed(&f->run, old, new);
    f->used |= what.set | with.set;
    return true;
}

/* "open them in vim" */
static bool
try_editor(struct find *f)
{
    static const char *const editors[] = {"vim",  "vi",   "nano", "emacs",
                                          "less", "code", NULL};
    CLEANUP_BUF struct buf row = buf_of(REQUEST_STEM_MAX * 4);
    struct compose_hit hit;

    for (const char *const *e = editors; *e; e++) {
        buf_clear(&row);
        buf_printf(&row, "open|edit|in|with|using|list|it %s", *e);
        if (find_sees(f, row.p, &hit)) {
            f->used |= hit.set;
            find_says(f, "open|edit");
            find_says(f, "editor");
            buf_printf(&f->run, "%s {}", *e);
            return true;
        }
    }
    return false;
}

void
find_read_run(struct find *f)
{
    if (find_says(f, "detail|detailed|details ?list|listing|information")) {
        buf_str(&f->part[FIND_ACTION], " -ls");
        return;
    }
    if (try_replace(f) || try_editor(f))
        return;
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
        if (try_action(f, &actions[i]))
            return;
}
