/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_actions.c - find: what is printed, sorted, deleted or run. */
#include <string.h>

#include "base/array.h"
#include "guard/syntax/syntax.h"
#include "offline/generate/find.h"

static const struct find_order {
    const char *row, *format, *sort;
    bool one; /* "the largest file": one, when the request has no number */
} orders[] = {
    {"biggest|largest", "%s\\t%p", "-rn", true},
    {"top {number} big|large", "%s\\t%p", "-rn", true},
    {"smallest", "%s\\t%p", "-n", true},
    {"most|more recently|recent ?modified|changed", "%T+ %p", "-r", true},
    {"newest|latest|last-modified", "%T+ %p", "-r", true},
    {"oldest", "%T+ %p", "", true},
    {"sort|sorted|order|ordered by|on ?file size|sizes", "%s\\t%p", "-n",
     false},
    {"sort|sorted|order|ordered by|on|according ?last|modification "
     "time|date|age|modified|timestamp",
     "%T+ %p", "", false},
};

/* The number in "the 10 biggest" or "top 5 largest"; 0 when there is none. */
static long long
stated_amount(struct find *f, const struct generate_hit *hit)
{
    for (size_t i = hit->from > 2 ? hit->from - 2 : 0; i <= hit->to; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (!generate_may(v, SLOT_NUMBER) || generate_used(f->used, i) ||
            v->unit)
            continue;
        find_use(f, i);
        return v->amount;
    }
    return 0;
}

/* Deletes the head of the list, or all but the head, through a pipe: find
 * itself would delete before sort has read the list. */
static void
delete_some(struct find *f, const struct find_order *o, long long n)
{
    bool keep = find_says(f, "but|except|keep|keeping|leave");
    bool time = strchr(o->format, 'T') != NULL;
    bool down = strchr(o->sort, 'r') != NULL;

    find_says(f, "only");
    buf_printf(&f->part[FIND_ACTION], " -printf '%s\\t%%p\\0'",
               time ? "%T@" : "%s");
    buf_printf(&f->part[FIND_PIPE], " | sort -zn%s | ", down ? "r" : "");
    if (keep)
        buf_printf(&f->part[FIND_PIPE], "tail -zn +%lld", n + 1);
    else
        buf_printf(&f->part[FIND_PIPE], "head -zn %lld", n);
    buf_str(&f->part[FIND_PIPE], " | cut -zf2- | xargs -0 rm");
    f->deletes = false;
    f->regular = true;
}

static void
print_ordered(struct find *f, const struct find_order *o, long long n)
{
    static const char *const down = "descending|decreasing|reverse|reversed|"
                                    "largest|biggest|newest|latest|recent";
    const char *sort = o->sort;

    if (!o->one && find_says(f, down))
        sort = *o->sort ? "-rn" : "-r";
    find_says(f, "first|order|top|sorted|sort");
    buf_printf(&f->part[FIND_ACTION], " -printf '%s\\n'", o->format);
    buf_printf(&f->part[FIND_PIPE], " | sort%s%s", *sort ? " " : "", sort);
    if (n)
        buf_printf(&f->part[FIND_PIPE], " | head -n %lld", n);
}

/* The number for "the largest file" and "the largest files". */
static long long
add_usual(const struct find *f, const struct find_order *o)
{
    if (!o->one)
        return 0;
    for (size_t i = 0; i < f->q->n; i++)
        if (!strcmp(f->q->words[i].plain, "files"))
            return 10;
    return 1;
}

void
find_read_order(struct find *f)
{
    struct generate_hit hit;
    long long n;

    for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
        if (!find_sees(f, orders[i].row, &hit))
            continue;
        f->used |= hit.set;
        n = stated_amount(f, &hit);
        n = n ? n : add_usual(f, &orders[i]);
        if (f->deletes && n)
            delete_some(f, &orders[i], n);
        else
            print_ordered(f, &orders[i], n);
        return;
    }
}

#define WITH "with|and|along|together|show|list|their|its|only|just"

static const struct print {
    const char *row, *text;
} prints[] = {
    {"null|nul|zero ?terminated|separated|delimited ?character|byte|delimiter",
     " -print0"},
    {"print0", " -print0"},
    {"white|whitespace ?space safe|safety|safely ?in|of ?their "
     "?path|paths|name",
     " -print0"},
    {"stop|quit|exit after first ?match", " -print -quit"},
    {"first match ?only", " -print -quit"},
    {"only first match|one", " -print -quit"},
    {"and|then quit|stop", " -print -quit"},
    {WITH " ?their inode|inodes numbers", " -printf '%i %p\\n'"},
    {"directory|folder name|names only", " -printf '%h\\n'"},
    {"name|names without path|directory|extension", " -printf '%f\\n'"},
    {"only|just file|base ?name|names", " -printf '%f\\n'"},
    {WITH " ?their size|sizes", " -printf '%s %p\\n'"},
    {WITH " ?their ?modification timestamp|timestamps|date|dates|time|times",
     " -printf '%T+ %p\\n'"},
    {WITH " ?their owner|owners", " -printf '%u %p\\n'"},
    {"print|list|show permission|permissions", " -printf '%m %p\\n'"},
    {"parent directory|directories", " -printf '%h\\n'"},
};

/* Whether a comma stands before word i. */
static bool
behind_comma(const struct request *q, size_t i)
{
    size_t at = q->words[i].from;

    while (at > 0 && q->text[at - 1] == ' ')
        at--;
    return at > 0 && strchr(",;", q->text[at - 1]);
}

/* Whether the word is an order: the first verb, or one behind "and". "to be
 * deleted" and "wants to delete" are none. */
static bool
is_order(const struct request *q, size_t i)
{
    static const char how[] = "recursive recursively force safely permanently "
                              "please also just";
    const char *word = q->words[i].plain;
    size_t n = strlen(word);
    bool next = true; /* nothing stands between it and "and" */

    if ((n > 2 && !strcmp(word + n - 2, "ed")) ||
        generate_is(q, i, "deletion removal"))
        return false;
    for (;; i--) {
        if (next && behind_comma(q, i))
            return true;
        if (i == 0)
            return true;
        if (next && generate_is(q, i - 1, "and then"))
            return true;
        if (generate_is(q, i - 1, how))
            continue;
        if (!q->words[i - 1].weak || generate_is(q, i - 1, "which what"))
            return false;
        next = false;
    }
}

/* "get rid of the spaces in file names", "delete foo from all names" */
static bool
is_of_names(const struct request *q, size_t i)
{
    for (i++; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (generate_is(q, i,
                        "file directory symlink link folder everything") ||
            generate_may(v, SLOT_GLOB) || generate_may(v, SLOT_EXT))
            return false;
        if (!generate_is(q, i, "in from"))
            continue;
        do
            i++;
        while (i < q->n && (q->words[i].weak || generate_is(q, i, "file")));
        return generate_is(q, i, "name names filename filenames");
    }
    return false;
}

static void
read_delete(struct find *f)
{
    struct generate_hit hit = {.to = 0};
    bool other = false;

    while (generate_match(f->q, "?force delete", f->used, hit.to, &hit)) {
        size_t at = hit.to - 1;

        if (!generate_is(f->q, at, "delete") ||
            generate_negated(f->q, hit.from))
            continue;
        if (is_order(f->q, at) && !is_of_names(f->q, at)) {
            f->used |= hit.set;
            f->deletes = true;
            return;
        }
        other = true;
    }
    f->none |= other;
}

#define CHANGE                                                                 \
    "change|changes|set|sets|add|adds|give|grant|make|assign|remove|update|"   \
    "modify|reset|chmod|apply"
#define DIR   "directory|folder|location"
#define COPY  "copy|copies|copying"
#define MOVE  "move|moves|moving"
#define LINES "line|lines"

/* A program to run; %s is its operand, which is in the row or behind it. */
static const struct action {
    const char *row;
    const char *operand; /* where it is in the request; NULL: in row, or there
                            is none */
    const char *run;     /* {} are the files */
    const char *open;    /* for an operand that the request lacks; NULL: without
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

/* Appends run with the operand in place of %s, quoted where that is needed. */
static void
add_run_command(struct find *f, const char *run, const char *operand,
                bool command)
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
        generate_path(&f->run, operand);
    buf_str(&f->run, at + 2);
}

/* The text of a directory. A plain word gets a /, so that cp and mv fail when
 * it is no directory. */
static const char *
directory_at(const struct request *q, size_t i, struct buf *room)
{
    static const struct {
        const char *word, *path;
    } known[] = {
        {"parent", ".."},
        {"home", "~"},
        {"current|present|working", "."},
    };
    const char *text = generate_text(q, i, room);

    if (request_value_of(q, i))
        return text;
    for (size_t k = 0; k < ARRAY_SIZE(known); k++)
        if (generate_is(q, i, known[k].word))
            return known[k].path;
    buf_ch(room, '/');
    return room->p;
}

/* Whether the text is a simple command, which find can run without a shell. */
static bool
is_simple_command(const char *text)
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

/* The command to run: a command of the request may have {} itself. */
static const char *
run_template(const struct action *a, const char *operand)
{
    return *a->run == '%' && strstr(operand, "{}") ? "%s" : a->run;
}

static bool
try_action(struct find *f, const struct action *a)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    struct generate_hit verb, to = {.at = REQUEST_NONE};
    const char *operand = a->open;
    uint64_t set;

    if (!find_sees(f, a->row, &verb) || generate_negated(f->q, verb.from))
        return false;
    set = verb.set;
    if (!a->operand)
        to.at = verb.at;
    else if (generate_match(f->q, a->operand, f->used | set, verb.to, &to))
        set |= to.set;
    else if (!a->open)
        return false;
    if (to.at != REQUEST_NONE)
        operand = generate_text(f->q, to.at, &room);
    if (a->operand && strstr(a->operand, DIR) && strstr(a->operand, "{}"))
        operand = directory_at(f->q, to.at, &room);
    if (strstr(a->run, "%s") && !operand)
        return false;
    if (*a->run == '%' && !is_simple_command(operand))
        return false;
    f->open += operand == a->open && a->open;
    f->used |= set;
    add_run_command(f, run_template(a, operand ? operand : ""), operand,
                    *a->run == '%');
    f->one_each = a->one_each;
    if (strstr(a->run, "wc -"))
        find_says(f, "count");
    return true;
}

/* "open them in vim" */
static bool
try_editor(struct find *f)
{
    static const char *const editors[] = {"vim",  "vi",   "nano", "emacs",
                                          "less", "code", NULL};
    CLEANUP_BUF struct buf row = buf_of(REQUEST_STEM_MAX * 4);
    struct generate_hit hit;

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
    generate_quoted(out, script.p);
    buf_str(out, " {}");
}

/* Whether sed can take the text: it has no newline, and no backslash that would
 * escape the delimiter. */
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

static bool
try_replace(struct find *f)
{
    CLEANUP_BUF struct buf from = buf_of(REQUEST_BYTES_MAX);
    CLEANUP_BUF struct buf to = buf_of(REQUEST_BYTES_MAX);
    struct generate_hit what, with;
    const char *old, *new;

    if (!find_sees(f,
                   "replace|substitute ?occurrence|occurrences "
                   "?string|word|text {}",
                   &what) ||
        !generate_match(f->q, "with|by|to ?string|word|text {}",
                        f->used | what.set, what.to, &with) ||
        with.from > what.to + 2)
        return false;
    old = generate_text(f->q, what.at, &from);
    new = generate_text(f->q, with.at, &to);
    f->none |= !fits_sed(old) || !fits_sed(new);
    add_sed(&f->run, old, new);
    f->used |= what.set | with.set;
    return true;
}

static void
find_read_run(struct find *f)
{
    if (find_says(f, "detail|detailed|details ?list|listing|information")) {
        buf_str(&f->part[FIND_ACTION], " -ls");
        return;
    }
    if (try_replace(f) || try_editor(f))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
        if (try_action(f, &actions[i]))
            return;
}

void
find_read_action(struct find *f)
{
    if (!f->run.len)
        find_read_run(f);
    if (!f->run.len)
        read_delete(f);
    if (f->run.len || f->deletes || f->part[FIND_ACTION].len)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(prints); i++)
        if (find_says(f, prints[i].row)) {
            buf_str(&f->part[FIND_ACTION], prints[i].text);
            return;
        }
}
