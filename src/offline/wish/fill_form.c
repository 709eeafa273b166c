/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_form.c - which texts may stand in a slot of a type. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell_quote.h"
#include "offline/wish/fill_place.h"

#define PORT_MAX 65535

#define ALNUM "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static bool
is_of(const char *text, const char *bytes)
{
    for (; *text; text++) {
        if (!strchr(bytes, *text) && !((unsigned char)*text & 0x80))
            return false;
    }
    return true;
}

/* An extension is only in a pattern such as *.jpg. */
static bool
is_extension(const char *text)
{
    if (strpbrk(text, "*?["))
        return text[0] == '*' && text[1] == '.' && text[2] &&
               !strpbrk(text + 2, "*?[/ ");
    text += strspn(text, ".");
    return *text && *text != '-' && is_of(text, ALNUM "._-+~");
}

/* ssh gives the host to a shell where a proxy is set; a dash behind the @ is
 * an option to programs that cut the user off. */
static bool
is_host(const char *text)
{
    return is_of(text, ALNUM "._-:@[]%/") && !strstr(text, "@-");
}

static bool
is_port(const char *text)
{
    char *end;
    long n;

    text += *text == ':';
    if (!isdigit((unsigned char)*text)) /* its name: http */
        return is_of(text, ALNUM "-_");
    n = strtol(text, &end, 10);
    return n > 0 && n <= PORT_MAX && (!*end || !isdigit((unsigned char)*end));
}

/* 755, -w, u+x,go= */
static bool
is_mode(const char *text)
{
    return is_of(text, "01234567ugoarwxXst+-=,") && strcmp(text, "-") != 0 &&
           strncmp(text, "--", 2) != 0;
}

static bool
is_word(const char *text)
{
    return !strpbrk(text, " /\t\n`$();|&<>\"'\\!");
}

bool
fill_has_form(enum slot_type slot, const char *text)
{
    bool dash = text[0] == '-';

    if (!text[0]) /* s/x// takes x away; nothing else is wanted empty */
        return slot == SLOT_TEXT;
    switch (slot) {
    case SLOT_PATH:
    case SLOT_GLOB:
    case SLOT_TEXT:
    case SLOT_DATE:
        return true;
    case SLOT_EXT:
        return is_extension(text);
    case SLOT_MODE:
        return is_mode(text);
    case SLOT_HOST:
        return !dash && is_host(text);
    case SLOT_PORT:
        return !dash && is_port(text);
    case SLOT_USER:
    case SLOT_GROUP:
        return !dash && is_of(text, ALNUM "._-+:@$\\");
    case SLOT_NAME:
        return !dash && is_word(text);
    default:
        return !dash;
    }
}

/* The word that ends before that place, and its length. */
static const char *
word_before(const struct fill_place *at, size_t *n)
{
    size_t to = at->n_before, from;

    while (to > 0 && at->before[to - 1] == ' ')
        to--;
    for (from = to; from > 0 && at->before[from - 1] != ' '; from--)
        ;
    *n = to - from;
    return at->before + from;
}

/* Behind these a word is never taken for an option. */
static bool
is_safe_behind(const struct fill_place *at)
{
    static const char *const words[] = {
        "--", "-e", "-m", "-d", "-am", "-name", "-iname", "'%s\\n'",
    };
    size_t n;
    const char *word = word_before(at, &n);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
            return true;
    }
    return false;
}

bool
fill_wants_e(const struct fill_place *at)
{
    return fill_begins_word(at) && !fill_is_quoted(at) && fill_searches(at) &&
           !is_safe_behind(at);
}

static bool
is_identifier(const char *text)
{
    return !isdigit((unsigned char)*text) && !text[strspn(text, ALNUM "_")];
}

/* Where the text of "${{…" begins that the place is in, as a template writes
 * it; NULL: in none. */
static const char *
expansion(const struct fill_place *at)
{
    const char *end = at->before + at->n_before, *from = NULL;

    for (const char *c = at->before; c + 2 < end; c++) {
        if (strncmp(c, "${{", 3) == 0)
            from = c + 3;
        else if (from && c >= from && strncmp(c, "}}", 2) == 0)
            from = NULL;
    }
    return from;
}

/* Whether the shell takes what stands there for a variable's name. */
static bool
is_variable(const struct fill_place *at)
{
    const char *end = at->before + at->n_before;
    const char *behind = strchr(end, '}'), *from = expansion(at);

    if (from)
        return from + strspn(from, "#!") == end;
    if (!fill_begins_word(at) || !behind)
        return false;
    behind += 1 + (behind[1] == '+');
    return *behind == '=' && strncmp(at->before, "alias ", 6) != 0;
}

bool
fill_may_stand(enum slot_type slot, const char *text,
               const struct fill_place *at)
{
    if (!fill_has_form(slot, text))
        return false;
    /* what reads it there may know no $'…' */
    if (shell_quote_has_control(text) &&
        (fill_is_quoted(at) || fill_is_command(slot, at) ||
         fill_reader(slot, at) != FILL_READER_NONE))
        return false;
    if (is_variable(at))
        return is_identifier(text);
    if (expansion(at) && !is_of(text, ALNUM " ._-,:@=+^"))
        return false;
    if (!text[0])
        return at->inside;
    if (at->n_before > 0 && at->before[at->n_before - 1] == '\\') /* \ls */
        return is_of(text, ALNUM "._-");
    if (text[0] != '-' || !fill_begins_word(at))
        return true;
    return (slot != SLOT_TEXT && slot != SLOT_DATE) || is_safe_behind(at) ||
           fill_wants_e(at);
}
