/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_name.c - finds secrets by what stands before them: the name of a
 * field, a header, or an option that takes a password. */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/redact_find.h"
#include "base/secret_name.h"

#define JUDGE_BYTES 1024 /* of a value, to judge it */

#define RANDOM_MIN 8   /* shorter words cannot be told from ordinary ones */
#define RANDOM_MAX 512 /* longer is a blob, not something typed */

/* The closing quote, or the end of the line or text where it is missing. */
static size_t
quoted_end(const struct redact_text *t, size_t i, size_t stop, char quote,
           bool escaped)
{
    for (; i < stop && t->p[i] != '\n'; i++) {
        if (escaped && t->p[i] == '\\' && redact_at(t, i + 1) == quote)
            return i;
        if (!escaped && t->p[i] == quote)
            return i;
        if (!escaped && t->p[i] == '\\' && i + 1 < stop)
            i++;
    }
    return i;
}

/* "\n" of text within JSON ends a value; "\ " of a shell does not. */
static bool
is_json_escape(const struct redact_text *t, size_t i)
{
    int c = redact_at(t, i + 1);

    return t->p[i] == '\\' && (c == 'n' || c == 'r' || c == 't' || c == '"');
}

/* The end of the value that begins at i, quoted or not; *i moves behind the
 * quote. A backslash before the opening quote (JSON in JSON) is understood. At
 * most `most` bytes are examined: few to judge a value, all to remove it. */
static size_t
find_value_end(const struct redact_text *t, size_t *i, size_t most)
{
    size_t stop = t->n - *i < most ? t->n : *i + most, end;
    int c = redact_at(t, *i);
    bool escaped = c == '\\';

    if (escaped)
        c = redact_at(t, *i + 1);
    if (c == '"' || c == '\'' || c == '`') {
        *i += escaped ? 2 : 1;
        return quoted_end(t, *i, stop, (char)c, escaped);
    }
    for (end = *i; end < stop; end++) {
        if (strchr(" \t\r\n\"'`;&|)<>", t->p[end]) || is_json_escape(t, end))
            break;
    }
    return end;
}

static bool
is_one_of_words(const char *p, size_t n, const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == n && strncasecmp(p, *words, n) == 0)
            return true;
    }
    return false;
}

static bool
is_masked(const char *p, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (p[i] != p[0])
            return false;
    }
    return n > 0 && strchr("*xX.-_#", p[0]) != NULL;
}

/* env:NAME, file:PATH, fd:3: where openssl and others read the secret from. */
static bool
is_stored_elsewhere(const char *p, size_t n)
{
    return (n > 4 && memcmp(p, "env:", 4) == 0) ||
           (n > 5 && memcmp(p, "file:", 5) == 0) ||
           (n == 4 && memcmp(p, "fd:", 3) == 0);
}

bool
redact_is_harmless(const char *p, size_t n)
{
    static const char *const words[] = {
        "true", "false", "null",     "none",     "nil",    "undefined",
        "yes",  "no",    "required", "optional", "string", "str",
        "",     ",",     "is",       "has",      "...",    NULL};
    const size_t mark = sizeof(REDACT_MARK) - 1;

    if (is_one_of_words(p, n, words) || is_masked(p, n) ||
        is_stored_elsewhere(p, n))
        return true;
    if (n >= mark && memcmp(p, REDACT_MARK, mark) == 0)
        return true;
    if (p[0] == '<' || p[0] == '%' || p[0] == '{' || p[0] == '[')
        return true; /* <token>, %s, {{ token }}, [list] */
    return p[0] == '$' && n > 1 &&
           (ascii_is_word((unsigned char)p[1]) || strchr("{(", p[1])) &&
           !ascii_is_digit(p[1]);
}

bool
redact_looks_random(const char *p, size_t n)
{
    bool digit = false, lower = false, upper = false, other = false;
    bool seen[256] = {false};
    size_t kinds = 0;

    if (n < RANDOM_MIN || n > RANDOM_MAX || strchr("/.~$<-(", p[0]))
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];

        kinds += !seen[c];
        seen[c] = true;
        digit |= ascii_is_digit(c);
        lower |= ascii_is_lower(c);
        upper |= ascii_is_upper(c);
        other |= strchr("!@#%^*+=?_", c) != NULL && c;
    }
    return kinds >= 6 && digit && (lower || upper) &&
           (n >= 12 || (lower && upper) || other);
}

/* Options of programs that take a password. */

enum option_form {
    ATTACHED,  /* -pSECRET only: "-p x" prompts for it, and x is something else
                */
    SEPARATE,  /* -p SECRET or -pSECRET */
    USER_PASS, /* -u user:SECRET */
    SOURCE,    /* -passin pass:SECRET */
};

struct redact_command {
    const char *name, *option;
    enum option_form form;
};

static const struct redact_command commands[] = {
    {"mysql", "-p", ATTACHED},
    {"mysqldump", "-p", ATTACHED},
    {"mysqladmin", "-p", ATTACHED},
    {"mysqlimport", "-p", ATTACHED},
    {"mysqlcheck", "-p", ATTACHED},
    {"mariadb", "-p", ATTACHED},
    {"mariadb-dump", "-p", ATTACHED},
    {"mariadb-admin", "-p", ATTACHED},
    {"7z", "-p", ATTACHED},
    {"7za", "-p", ATTACHED},
    {"sshpass", "-p", SEPARATE},
    {"login", "-p", SEPARATE}, /* docker login, podman login */
    {"mongo", "-p", SEPARATE},
    {"mongosh", "-p", SEPARATE},
    {"mongodump", "-p", SEPARATE},
    {"redis-cli", "-a", SEPARATE},
    {"ldapsearch", "-w", SEPARATE},
    {"ldapmodify", "-w", SEPARATE},
    {"ldapadd", "-w", SEPARATE},
    {"ssh-keygen", "-N", SEPARATE},
    {"zip", "-P", SEPARATE},
    {"unzip", "-P", SEPARATE},
    {"smbclient", "-U", USER_PASS},
    {"curl", "-u", USER_PASS},
    {"curl", "--user", USER_PASS},
    {"openssl", "-passin", SOURCE},
    {"openssl", "-passout", SOURCE},
    {"openssl", "-pass", SOURCE},
};

#define N_COMMANDS ARRAY_SIZE(commands)

void
redact_index_commands(struct pair_index *x)
{
    pair_index_init(x);
    for (size_t k = N_COMMANDS; k-- > 0;)
        pair_index_add(x, k, commands[k].name[0], commands[k].name[1]);
}

static size_t
redacted_word_end(const struct redact_text *t, size_t i)
{
    while (i < t->n &&
           (ascii_is_word((unsigned char)t->p[i]) || t->p[i] == '-'))
        i++;
    return i;
}

const struct redact_command *
redact_command_at(const struct redact_text *t, size_t i)
{
    const struct pair_index *x = t->index ? &t->index->commands : NULL;
    size_t k = pair_index_first(x, redact_at(t, i), redact_at(t, i + 1)), n = 0;

    for (; k < N_COMMANDS; k = pair_index_next(x, k)) {
        if (commands[k].name[0] != t->p[i])
            continue;
        n = n ? n : redacted_word_end(t, i) - i;
        if (strlen(commands[k].name) == n &&
            memcmp(t->p + i, commands[k].name, n) == 0)
            return &commands[k];
    }
    return NULL;
}

static bool
take_secret_value(const struct redact_text *t, const struct redact_command *c,
                  size_t from, struct redact_span *s)
{
    const char *colon;

    s->to = find_value_end(t, &from, t->n);
    s->from = from;
    s->kind = "password";
    if (c->form == USER_PASS || c->form == SOURCE) {
        colon = memchr(t->p + from, ':', s->to - from);
        if (!colon)
            colon = memchr(t->p + from, '%', s->to - from);
        if (!colon)
            return false;
        if (c->form == SOURCE && memcmp(t->p + from, "pass:", 5) != 0)
            return false;
        s->from = (size_t)(colon - t->p) + 1;
    }
    return s->to > s->from &&
           !redact_is_harmless(t->p + s->from, s->to - s->from);
}

static bool
option_matches(const struct redact_text *t, size_t i,
               const struct redact_command *c, struct redact_span *s)
{
    size_t n = strlen(c->option), at = i + n;

    if (t->n - i <= n || memcmp(t->p + i, c->option, n) != 0)
        return false;
    if (ascii_is_blank(t->p[at])) {
        if (c->form == ATTACHED)
            return false;
        while (ascii_is_blank(redact_at(t, at)))
            at++;
        return redact_at(t, at) != '-' && take_secret_value(t, c, at, s);
    }
    if (n > 2 && t->p[at] != '=')
        return false; /* a longer option */
    return take_secret_value(t, c, at + (t->p[at] == '='), s);
}

bool
redact_option(const struct redact_text *t, size_t i,
              const struct redact_command *c, struct redact_span *s)
{
    const char *name = c->name;

    for (; c < commands + N_COMMANDS && strcmp(c->name, name) == 0; c++) {
        if (option_matches(t, i, c, s))
            return true;
    }
    return false;
}

/* How a name is bound to its value: name = value, name: value, --name value,
 * prose. */
enum binding { BIND_NONE, BIND_EQUALS, BIND_COLON, BIND_OPTION, BIND_PROSE };

/* Where the name that begins at i ends. */
static size_t
secret_name_end(const struct redact_text *t, size_t i)
{
    size_t stop = t->n - i < SECRET_NAME_MAX ? t->n : i + SECRET_NAME_MAX;

    while (i < stop && (ascii_is_word((unsigned char)t->p[i]) ||
                        t->p[i] == '-' || t->p[i] == '.'))
        i++;
    return i;
}

static size_t
skip_text_blanks(const struct redact_text *t, size_t i)
{
    while (ascii_is_blank(redact_at(t, i)))
        i++;
    return i;
}

/* Whether a word precedes i on its line: then i is within a sentence, and is no
 * name of a field. */
static bool
is_in_sentence(const struct redact_text *t, size_t i)
{
    if (i == 0 || !ascii_is_blank(t->p[i - 1]))
        return false;
    while (i > 0 && ascii_is_blank(t->p[i - 1]))
        i--;
    return i > 0 && ascii_is_word((unsigned char)t->p[i - 1]);
}

/* Skips the verb of "password is x", "the token was x". */
static size_t
skip_verb(const struct redact_text *t, size_t i)
{
    static const char *const verbs[] = {"is ", "was ", "as ", "to "};

    for (size_t k = 0; k < ARRAY_SIZE(verbs); k++) {
        size_t n = strlen(verbs[k]);

        if (t->n - i > n && memcmp(t->p + i, verbs[k], n) == 0)
            return skip_text_blanks(t, i + n);
    }
    return i;
}

/* "--name", "-name"; the hyphen within a word ("reset-password") is no option.
 */
static bool
is_option_name(const struct redact_text *t, size_t i)
{
    if (i == 0 || t->p[i - 1] != '-')
        return false;
    return i == 1 ||
           (!ascii_is_word((unsigned char)t->p[i - 2]) && t->p[i - 2] != '\\');
}

/* How the name that begins at i and ends at *at is bound to a value; *at moves
 * to the start of the value. */
static enum binding
binding_of(const struct redact_text *t, size_t i, size_t *at)
{
    size_t k = *at;
    bool option = is_option_name(t, i);

    if (redact_at(t, k) == '\\' && redact_at(t, k + 1) == '"')
        k += 2; /* a name in JSON in JSON */
    else if (redact_at(t, k) == '"' || redact_at(t, k) == '\'')
        k++;
    k = skip_text_blanks(t, k);
    switch (redact_at(t, k)) {
    case '=':
        if (redact_at(t, k + 1) == '=' || redact_at(t, k + 1) == '~')
            return BIND_NONE; /* a comparison */
        *at = skip_text_blanks(t, k + 1);
        return BIND_EQUALS;
    case ':':
        *at = skip_text_blanks(t, k + 1 + (redact_at(t, k + 1) == '='));
        return is_in_sentence(t, i) ? BIND_PROSE : BIND_COLON;
    default:
        if (k == *at)
            return BIND_NONE;
        *at = option ? k : skip_verb(t, k);
        return option ? BIND_OPTION : BIND_PROSE;
    }
}

/* Skips the scheme of "Bearer x", "Basic x", which is no secret. */
static size_t
skip_scheme(const struct redact_text *t, size_t i)
{
    static const char *const names[] = {"Bearer ", "Basic ",  "Token ",
                                        "Digest ", "ApiKey ", "Negotiate "};

    for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
        size_t n = strlen(names[k]);

        if (t->n - i > n && strncasecmp(t->p + i, names[k], n) == 0)
            return skip_text_blanks(t, i + n);
    }
    return i;
}

/* A header's value extends to the end of the line, or of the quotes round it.
 */
static size_t
header_end(const struct redact_text *t, size_t i, size_t most)
{
    size_t stop = t->n - i < most ? t->n : i + most;

    while (i < stop && !strchr("\r\n\"'`", t->p[i])) {
        if (t->p[i] == '\\' && i + 1 < stop && strchr("nr\"", t->p[i + 1]))
            break;
        i++;
    }
    return i;
}

static bool
is_small_number(const char *p, size_t n)
{
    if (n > 5)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_digit(p[i]))
            return false;
    }
    return true;
}

/* "token = Keyword.Type": the name of a variable in a program, not its value.
 */
static bool
is_program_variable(const struct redact_text *t, size_t from, size_t n)
{
    const char *p = t->p + from;

    if (from < 2 || p[-1] != ' ' || p[-2] != '=')
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_word((unsigned char)p[i]) && p[i] != '.')
            return false;
        if (ascii_is_digit(p[i]))
            return false;
    }
    return true;
}

static bool
is_secret_value(const struct redact_text *t, const struct secret_name *r,
                enum binding b, const struct redact_span *s)
{
    const char *p = t->p + s->from;
    size_t n = s->to - s->from;

    if (redact_is_harmless(p, n))
        return false;
    if (b == BIND_PROSE || r->weak)
        return !(b == BIND_PROSE && r->weak) && redact_looks_random(p, n);
    if (strcmp(r->kind, "password") != 0 &&
        (is_small_number(p, n) || is_program_variable(t, s->from, n)))
        return false; /* token: 5 */
    if (memchr(p, '(', n))
        return false; /* a function call in a program */
    if (b == BIND_OPTION)
        return n > 0 && p[0] != '-' && (n < 3 || memcmp(p, "id=", 3) != 0);
    return true;
}

/* "Bearer x" without a header's name. */
static bool
is_bearer(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t from = i + 7, to;

    if (ascii_to_lower(t->p[i]) != 'b' || t->n - i < 20 ||
        strncasecmp(t->p + i, "Bearer ", 7) != 0)
        return false;
    to = find_value_end(t, &from, t->n);
    *s = (struct redact_span){from, to, "bearer-token"};
    return !redact_is_harmless(t->p + from, to - from) &&
           redact_looks_random(t->p + from, to - from);
}

/* "$TOKEN", "${TOKEN:-x}": a reference to a variable. */
static bool
is_reference(const struct redact_text *t, size_t i)
{
    return (i > 0 && t->p[i - 1] == '$') ||
           (i > 1 && t->p[i - 1] == '{' && t->p[i - 2] == '$');
}

/* Sets s to the value at `at`, of which at most `most` bytes are examined. */
static void
span_value(const struct redact_text *t, bool header, size_t at, size_t most,
           struct redact_span *s)
{
    s->from = at;
    if (!header) {
        s->to = find_value_end(t, &s->from, most);
        return;
    }
    s->from = skip_scheme(t, at);
    if (redact_at(t, s->from) == '"' || redact_at(t, s->from) == '\'')
        s->from = skip_scheme(t, s->from + 1); /* in JSON */
    s->to = header_end(t, s->from, most);
}

bool
redact_named(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t at = secret_name_end(t, i);
    const struct secret_name *r = secret_name_look_up(
        t->index ? &t->index->names : NULL, t->p + i, at - i);
    enum binding b;
    bool header;

    if (!r)
        return is_bearer(t, i, s);
    b = binding_of(t, i, &at);
    header = strcmp(r->kind, "authorization") == 0 ||
             strcmp(r->kind, "cookie") == 0;
    if (b == BIND_NONE || (header && b != BIND_COLON) || is_reference(t, i))
        return false;
    s->kind = r->kind;
    span_value(t, header, at, JUDGE_BYTES, s);
    if (!is_secret_value(t, r, b, s))
        return false;
    span_value(t, header, at, t->n, s);
    return true;
}
