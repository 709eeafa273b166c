/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pattern.c - matches a rule's words: bytes, and stars among them. */
#include "guard/policy/policy_pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Tokens above the bytes. */
enum {
    STAR = 256, /* any bytes; in a path: except a slash */
    DIRS,       /* followed by INSIDE: any number of directories */
    INSIDE,     /* a directory's name and its slash */
    BELOW,      /* followed by ANY: the end, or a slash and anything */
    ANY,
};

struct word_reader {
    const char *at;
    uint16_t tokens[POLICY_PATTERN_MAX];
    char text[POLICY_PATTERN_MAX + 1];
    size_t n;
};

static int
take(struct word_reader *r, uint16_t token, struct err *e)
{
    if (r->n == POLICY_PATTERN_MAX)
        return err_set(e, ERR_CONFIG, "a word is longer than %d bytes",
                       POLICY_PATTERN_MAX);
    r->text[r->n] = token == STAR ? '*' : (char)token;
    r->tokens[r->n++] = token;
    return 0;
}

/* Reads a part in quotes; r->at is behind the opening quote. */
static int
take_quoted(struct word_reader *r, char quote, struct err *e)
{
    while (*r->at && *r->at != quote) {
        if (quote == '"' && r->at[0] == '\\' &&
            (r->at[1] == '"' || r->at[1] == '\\'))
            r->at++;
        if (take(r, (unsigned char)*r->at++, e) < 0)
            return -1;
    }
    if (!*r->at)
        return err_set(e, ERR_CONFIG, "unclosed quote (%c)", quote);
    r->at++;
    return 0;
}

static int
take_pattern_word(struct word_reader *r, struct err *e)
{
    while (*r->at && *r->at != ' ' && *r->at != '\t') {
        char c = *r->at++;
        int rc;

        if (c == '\'' || c == '"') {
            rc = take_quoted(r, c, e);
        } else if (c == '\\') {
            if (!*r->at)
                return err_set(e, ERR_CONFIG, "backslash at the end");
            rc = take(r, (unsigned char)*r->at++, e);
        } else {
            rc = take(r, c == '*' ? STAR : (unsigned char)c, e);
        }
        if (rc < 0)
            return -1;
    }
    return 0;
}

int
policy_pattern_next(const char **at, struct policy_pattern *out, struct err *e)
{
    struct word_reader r = {.at = *at + strspn(*at, " \t")};
    struct policy_pattern p = {0};

    *at = r.at;
    if (!*r.at || *r.at == '#')
        return 0;
    if (take_pattern_word(&r, e) < 0)
        return -1;
    r.text[r.n] = '\0';
    p.text = strdup(r.text);
    p.tokens = malloc((r.n + 1) * sizeof(*p.tokens));
    if (!p.text || !p.tokens) {
        policy_pattern_done(&p);
        return err_sys(e, "a rule");
    }
    memcpy(p.tokens, r.tokens, r.n * sizeof(*p.tokens));
    p.n = r.n;
    for (size_t i = 0; i < p.n; i++)
        p.has_star = p.has_star || p.tokens[i] == STAR;
    *out = p;
    *at = r.at;
    return 1;
}

void
policy_pattern_done(struct policy_pattern *p)
{
    if (!p)
        return;
    free(p->text);
    free(p->tokens);
    *p = (struct policy_pattern){0};
}

bool
policy_pattern_is_star(const struct policy_pattern *p)
{
    return p->n == 1 && p->tokens[0] == STAR;
}

bool
policy_pattern_takes_below(const struct policy_pattern *p)
{
    return p->n > 0 && p->tokens[p->n - 1] == ANY;
}

bool
policy_pattern_is_rooted(const struct policy_pattern *p)
{
    return p->base != POLICY_BASE_NONE || (p->n > 1 && p->tokens[1] < STAR);
}

static bool
ends_component(const struct policy_pattern *p, size_t i)
{
    return i == p->n || p->tokens[i] == '/';
}

static bool
is_double_star(const struct policy_pattern *p, size_t i)
{
    return i + 1 < p->n && p->tokens[i] == STAR && p->tokens[i + 1] == STAR;
}

/* Replaces the two stars at i, with the slash that belongs to them. Returns the
 * index behind the new tokens. */
static size_t
replace_stars(struct policy_pattern *p, size_t i)
{
    if (i + 2 < p->n) { /* with the slash behind it: a/ ** /b */
        memmove(p->tokens + i + 2, p->tokens + i + 3,
                (p->n - i - 3) * sizeof(*p->tokens));
        p->n--;
        p->tokens[i] = DIRS;
        p->tokens[i + 1] = INSIDE;
        return i + 2;
    }
    if (i == 0) { /* the whole pattern is ** */
        p->tokens[0] = ANY;
        return p->n = 1;
    }
    p->tokens[i - 1] = BELOW; /* with the slash before it: a/ ** */
    p->tokens[i] = ANY;
    return p->n = i + 1;
}

/* Paths are compared without "." and "..", so such a component never
 * matches. */
static bool
has_dot_component(const struct policy_pattern *p)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t dots = 0;

        while (i + dots < p->n && p->tokens[i + dots] == '.')
            dots++;
        if ((dots == 1 || dots == 2) && ends_component(p, i + dots) &&
            (i == 0 || p->tokens[i - 1] == '/'))
            return true;
    }
    return false;
}

static void
remove_base(struct policy_pattern *p, enum policy_base base)
{
    p->base = base;
    p->n--;
    memmove(p->tokens, p->tokens + 1, p->n * sizeof(*p->tokens));
}

int
policy_pattern_to_path(struct policy_pattern *p, struct err *e)
{
    const char *t = p->text;

    p->is_path = true;
    if ((*t == '~' || *t == '.') && (t[1] == '/' || !t[1]))
        remove_base(p, *t == '~' ? POLICY_BASE_HOME : POLICY_BASE_HERE);
    else if (*t != '/' && !is_double_star(p, 0))
        return err_set(e, ERR_CONFIG,
                       "a path begins with /, ~/, ./ or **, not \"%.60s\"", t);
    while (p->n > (p->base == POLICY_BASE_NONE) && p->tokens[p->n - 1] == '/')
        p->n--;
    if (has_dot_component(p))
        return err_set(e, ERR_CONFIG, "a path must not contain . or ..");
    for (size_t i = 0; i < p->n;) {
        bool begins = i == 0 || p->tokens[i - 1] == '/';

        if (!is_double_star(p, i))
            i++;
        else if (begins && ends_component(p, i + 2))
            i = replace_stars(p, i);
        else
            return err_set(e, ERR_CONFIG,
                           "** must be a whole component between slashes");
    }
    return 0;
}

void
policy_pattern_to_host(struct policy_pattern *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->tokens[i] < STAR)
            p->tokens[i] = (uint16_t)tolower(p->tokens[i]);
    if (p->n > 1 && p->tokens[p->n - 1] == '.')
        p->n--;
}

/* Adds the states that are reached without a further byte. */
static void
skip_empty(const struct policy_pattern *p, bool *on)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!on[i])
            continue;
        if (p->tokens[i] == STAR || p->tokens[i] == ANY || p->tokens[i] == DIRS)
            on[i + 1] = true;
        if (p->tokens[i] == DIRS)
            on[i + 2] = true;
    }
}

/* Computes the states after byte c; false: there are none. */
static bool
advance_states(const struct policy_pattern *p, const bool *on, bool *next,
               unsigned char c)
{
    bool any = false;

    memset(next, 0, p->n + 1);
    for (size_t i = 0; i < p->n; i++) {
        uint16_t t = p->tokens[i];
        bool stays = t == ANY || t == INSIDE ||
                     (t == STAR && !(p->is_path && c == '/'));
        bool goes = t == c || (c == '/' && (t == INSIDE || t == BELOW));

        if (!on[i])
            continue;
        next[i] = next[i] || stays;
        next[i + 1] = next[i + 1] || goes;
        any = any || stays || goes;
    }
    return any;
}

/* The length of the text's beginning that the pattern has literally. */
static size_t
literal_prefix(const struct policy_pattern *p, const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && i < p->n && p->tokens[i] == (unsigned char)text[i])
        i++;
    return i;
}

bool
policy_pattern_matches(const struct policy_pattern *p, const char *text,
                       size_t n, bool begins)
{
    bool sets[2][POLICY_PATTERN_MAX + 2];
    bool *on = sets[0], *next = sets[1], *old;
    size_t front = literal_prefix(p, text, n);

    if (front < n && (front == p->n || p->tokens[front] < STAR))
        return false; /* most texts already differ here */
    memset(on, 0, p->n + 1);
    on[front] = true;
    for (size_t i = front; i < n; i++) {
        skip_empty(p, on);
        if (!advance_states(p, on, next, (unsigned char)text[i]))
            return false;
        old = on;
        on = next;
        next = old;
    }
    if (begins)
        return true;
    skip_empty(p, on);
    return on[p->n] ||
           (p->n >= 2 && on[p->n - 2] && p->tokens[p->n - 2] == BELOW);
}
