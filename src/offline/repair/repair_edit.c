/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_edit.c - edits of the command that failed. */
#include <string.h>

#include "base/shell_quote.h"
#include "base/str.h"
#include "offline/repair/repair.h"
#include "offline/repair/repair_command.h"

/* Chooses the call that was chosen before an edit. */
static void
choose_again(struct repair_command *c, size_t chosen)
{
    size_t i = 0;

    c->call = NULL;
    c->program = NULL;
    if (!chosen || !repair_command_choose(c, NULL, false))
        return;
    for (const struct syntax_node *n = c->tree.all; n; n = n->after) {
        if ((n->kind == SYNTAX_CALL || n->kind == SYNTAX_TEST) && ++i == chosen)
            c->call = n;
    }
    c->chosen = chosen;
}

/* Takes a changed text for the command; not one that no shell parses, where it
 * did before. */
static bool
take_text(struct repair_command *c, struct buf *text)
{
    struct repair_command next = {0};
    const char *name = repair_command_program(c);
    char names[64] = "";
    size_t chosen = c->chosen;

    if (strlen(name) < sizeof(names))
        memcpy(names, name, strlen(name) + 1);
    if (text->bad || !repair_command_read(&next, text->p, c->home) ||
        (next.tree.fault && !c->tree.fault)) {
        repair_command_done(&next);
        return false;
    }
    repair_command_done(c);
    *c = next;
    if (!names[0] || !repair_command_choose(c, names, false))
        choose_again(c, chosen);
    return true;
}

static bool
splice(struct repair_command *c, size_t from, size_t to, const char *text)
{
    CLEANUP_BUF struct buf out = buf_of(REPAIR_TEXT_MAX);

    if (from > to || to > c->text.len)
        return false;
    buf_add(&out, c->text.p, from);
    buf_str(&out, text);
    buf_str(&out, c->text.p + to);
    return take_text(c, &out);
}

/* Whether the word is ~/REST and `path` is what it stands for. */
static bool
is_below_home(const struct repair_command *c, const struct syntax_word *w,
              const char *path)
{
    size_t n = c->home ? strlen(c->home) : 0;

    return n > 0 && w->text[0] == '~' && w->text[1] == '/' &&
           strncmp(path, c->home, n) == 0 && strcmp(path + n, w->text + 1) == 0;
}

static bool
swap_whole(struct repair_command *c, const struct syntax_word *w,
           const char *from, const char *to)
{
    CLEANUP_BUF struct buf out = buf_of(REPAIR_TEXT_MAX);
    size_t n = c->home ? strlen(c->home) : 0;

    if (is_below_home(c, w, from) && strncmp(to, c->home, n) == 0 &&
        to[n] == '/' && to[n + 1]) {
        buf_str(&out, "~/");
        shell_quote_word(&out, to + n + 1);
    } else if (syntax_word_is_literal(w) && strcmp(w->text, from) == 0) {
        shell_quote_word(&out, to);
    } else {
        return false;
    }
    return !out.bad && splice(c, w->from, w->to, out.p);
}

/* Whether the shell reads the text as it stands, within a word. */
static bool
reads_as_typed(const char *text)
{
    return text[0] && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_./+:@%,-")];
}

static bool
swap_part(struct repair_command *c, const struct syntax_word *w,
          const char *from, const char *to)
{
    static const char bounds[] = "./=:,@'\"{} ();";
    size_t n = strlen(from);

    if (!reads_as_typed(from) || !reads_as_typed(to) || w->to > c->text.len)
        return false;
    for (size_t at = w->from; at + n <= w->to; at++) {
        const char *p = c->text.p + at;

        if (memcmp(p, from, n) == 0 &&
            (at == w->from || strchr(bounds, p[-1]) ||
             (at == w->from + 1 && p[-1] == '-')) &&
            (at + n == w->to || strchr(bounds, p[n])))
            return splice(c, at, at + n, to);
    }
    return false;
}

typedef bool swap_fn(struct repair_command *c, const struct syntax_word *w,
                     const char *from, const char *to);

static bool
swap_word_of(struct repair_command *c, const struct syntax_node *n,
             const char *from, const char *to, swap_fn *swap)
{
    for (const struct syntax_word *w = n->words; w; w = w->next) {
        if (swap(c, w, from, to))
            return true;
    }
    for (const struct syntax_redirect *r = n->redirects; r; r = r->next) {
        if (swap(c, r->target, from, to))
            return true;
    }
    return false;
}

bool
repair_command_swap(struct repair_command *c, const char *from, const char *to)
{
    static swap_fn *const ways[] = {swap_whole, swap_part};

    if (!from[0] || !to[0] || (to[0] == '-' && from[0] != '-') ||
        shell_quote_has_control(to))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
        if (c->call && swap_word_of(c, c->call, from, to, ways[i]))
            return true;
        for (const struct syntax_node *n = c->tree.all; n; n = n->after) {
            if (!n->mapped && swap_word_of(c, n, from, to, ways[i]))
                return true;
        }
    }
    return false;
}

static bool
insert_at(struct repair_command *c, size_t at, const char *text, bool behind)
{
    CLEANUP_BUF struct buf out = buf_of(REPAIR_TEXT_MAX);

    buf_printf(&out, behind ? " %s" : "%s ", text);
    return !out.bad && splice(c, at, at, out.p);
}

bool
repair_command_before(struct repair_command *c, const char *text)
{
    return c->call && c->program && insert_at(c, c->program->from, text, false);
}

bool
repair_command_behind_program(struct repair_command *c, const char *text)
{
    return c->program && insert_at(c, c->program->to, text, true);
}

bool
repair_command_behind_sub(struct repair_command *c, const char *text)
{
    const struct syntax_word *w = c->program ? c->program->next : NULL;

    while (w && w->text[0] == '-')
        w = w->next;
    return w && insert_at(c, w->to, text, true);
}

bool
repair_command_append(struct repair_command *c, const char *text)
{
    const struct syntax_word *w = c->program;

    while (w && w->next)
        w = w->next;
    return w && insert_at(c, w->to, text, true);
}

bool
repair_command_replace(struct repair_command *c, const char *from,
                       const char *text)
{
    for (const struct syntax_word *w = c->program; w; w = w->next) {
        size_t begin = w->from;

        if (!syntax_word_is_literal(w) || strcmp(w->text, from) != 0)
            continue;
        while (!text[0] && begin > 0 && c->text.p[begin - 1] == ' ')
            begin--;
        return splice(c, begin, w->to, text);
    }
    return false;
}

bool
repair_command_text(struct repair_command *c, const char *change)
{
    CLEANUP_BUF struct buf old = buf_of(REPAIR_TEXT_MAX);
    CLEANUP_BUF struct buf new = buf_of(REPAIR_TEXT_MAX);
    const char *middle = change[0] ? strchr(change + 1, change[0]) : NULL;
    const char *end = middle ? strchr(middle + 1, change[0]) : NULL;
    const char *at;

    if (!end || middle == change + 1)
        return false;
    buf_add(&old, change + 1, (size_t)(middle - change) - 1);
    buf_add(&new, middle + 1, (size_t)(end - middle) - 1);
    if (old.bad || new.bad || !(at = strstr(c->text.p, old.p)))
        return false;
    return splice(c, (size_t)(at - c->text.p),
                  (size_t)(at - c->text.p) + old.len, new.p);
}

/* Whether a word is a pattern and nothing else that the shell expands. */
static bool
is_bare_pattern(const struct syntax_word *w)
{
    if (!(w->flags & SYNTAX_PATTERN) || (w->flags & SYNTAX_QUOTED))
        return false;
    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        if (p->kind != SYNTAX_TEXT && p->kind != SYNTAX_GLOB &&
            p->kind != SYNTAX_BRACE)
            return false;
    }
    return true;
}

static bool
quote_first_pattern(struct repair_command *c)
{
    CLEANUP_BUF struct buf out = buf_of(REPAIR_TEXT_MAX);
    const struct syntax_word *w = c->program ? c->program->next : NULL;

    while (w && !is_bare_pattern(w))
        w = w->next;
    if (!w)
        return false;
    shell_quote_word(&out, w->text);
    return !out.bad && splice(c, w->from, w->to, out.p);
}

bool
repair_command_quote_patterns(struct repair_command *c)
{
    bool changed = false;

    while (quote_first_pattern(c))
        changed = true;
    return changed;
}

#define BUNDLE_MAX 3 /* letters of -la, which are options each */

/* What a dash of typography stands for: -- before a word, - before few letters
 * and where the dash is a word; find and its like know one only. */
static const char *
dash_for(const struct repair_command *c, const char *behind)
{
    static const char *const single[] = {
        "find", "java", "gcc", "g++", "clang", "openssl", "ip", "tar", "ps"};
    size_t n = strcspn(behind, " \t\n=|;&<>'\"");

    if (n == 0)
        return "-";
    return (n <= BUNDLE_MAX && !(n == 3 && str_begins(behind, "all"))) ||
                   STR_IN(repair_command_program(c), single)
               ? "-"
               : "--";
}

/* The text of ASCII for the character of typography at p, n bytes; NULL: it is
 * none. */
static const char *
ascii_for(const struct repair_command *c, const char *p, bool in_word,
          size_t *n)
{
    static const char *const dashes[] = {"\u2010", "\u2011", "\u2012", "\u2013",
                                         "\u2014", "\u2015", "\u2212"};
    static const struct {
        const char *from, *to;
    } others[] = {{"\u2018", "'"},  {"\u2019", "'"},  {"\u201a", "'"},
                  {"\u201c", "\""}, {"\u201d", "\""}, {"\u201e", "\""},
                  {"\u00a0", " "},  {"\u2009", " "},  {"\u202f", " "},
                  {"\u2026", "..."}};

    for (size_t i = 0; i < ARRAY_SIZE(dashes); i++) {
        *n = strlen(dashes[i]);
        if (str_begins(p, dashes[i]))
            return in_word || p[*n] == '-' ? "-" : dash_for(c, p + *n);
    }
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        *n = strlen(others[i].from);
        if (str_begins(p, others[i].from))
            return others[i].to;
    }
    return NULL;
}

/* The quote that is open behind this byte of a line, where `open` was before;
 * '\\': the next byte is taken as it is. */
static char
quote_behind(char open, char byte)
{
    if (open == '\\')
        return '\0';
    if (open)
        return byte == open ? '\0' : open;
    return byte == '\'' || byte == '"' || byte == '\\' ? byte : '\0';
}

bool
repair_command_ascii(struct repair_command *c)
{
    CLEANUP_BUF struct buf out = buf_of(REPAIR_TEXT_MAX);
    bool changed = false;
    char open = '\0'; /* what stands in quotes is meant as it is */

    for (const char *p = c->text.p; *p;) {
        size_t n = 1;
        bool in_word = p > c->text.p && !strchr(" \t\n\xa0", p[-1]);
        const char *to = open ? NULL : ascii_for(c, p, in_word, &n);

        if (to)
            buf_str(&out, to);
        else
            buf_ch(&out, *p);
        open = to ? '\0' : quote_behind(open, *p);
        changed |= to != NULL;
        p += to ? n : 1;
    }
    return changed && take_text(c, &out);
}

bool
repair_command_brackets(struct repair_command *c)
{
    CLEANUP_BUF struct buf out = buf_of(REPAIR_TEXT_MAX);
    const char *p = c->text.p, *begin = p;
    bool inside = false, changed = false;

    for (; *p; p++) {
        bool at_word = p == begin || strchr(" \t\n;|&(!", p[-1]);
        bool ends = !p[1] || strchr(" \t\n;|&)", p[1]);

        if (inside && *p == ']' && p[1] != ']' && ends) {
            if (p[-1] != ' ' && p[-1] != ']') {
                buf_ch(&out, ' ');
                changed = true;
            }
            inside = false;
        }
        buf_ch(&out, *p);
        if (at_word && *p == '[' && p[1] != '[') {
            inside = true;
            if (p[1] != ' ') {
                buf_ch(&out, ' ');
                changed = true;
            }
        }
    }
    return changed && take_text(c, &out);
}

bool
repair_command_tee(struct repair_command *c, const char *file)
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_TEXT_MAX);
    const struct syntax_redirect *r = c->call ? c->call->redirects : NULL;
    const struct syntax_word *first = c->call ? c->call->words : NULL;
    bool sudo = first && strcmp(first->text, "sudo") == 0 && first->next &&
                first->next == c->program;
    size_t from;

    while (r && !((r->kind == SYNTAX_WRITE || r->kind == SYNTAX_APPEND) &&
                  (r->fd == SYNTAX_FD_DEFAULT || r->fd == 1) &&
                  strcmp(r->target->text, file) == 0))
        r = r->next;
    if (!r || !first || c->call->redirects->next || r->from < first->from)
        return false;
    from = r->from;
    while (from > 0 && c->text.p[from - 1] == ' ')
        from--;
    buf_add(&text, c->text.p, sudo ? first->from : from);
    if (sudo)
        buf_add(&text, c->text.p + c->program->from, from - c->program->from);
    buf_printf(&text, " | sudo tee %s", r->kind == SYNTAX_APPEND ? "-a " : "");
    buf_add(&text, c->text.p + r->target->from,
            r->target->to - r->target->from);
    buf_str(&text, " >/dev/null");
    buf_str(&text, c->text.p + r->to);
    return take_text(c, &text);
}
