/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sudo_line.c - tells which lines with sudo run as steps. */
#include "action/sudo_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "base/str.h"
#include "guard/path/system_sudo.h"

#define VALUE_OPTIONS "ugUCDrtT" /* a word follows, or the rest of this one */
#define OTHER_OPTIONS "nkKvlHEPBV"

static bool
refuse_line(char *why, const char *before, const char *about, const char *after)
{
    snprintf(why, SUDO_LINE_WHY, "%s%.60s%s", before, about, after);
    return false;
}

/* Whether it is a word of letters alone, as sudo and the shell read it. */
static bool
is_plain(const struct syntax_word *w)
{
    return syntax_word_is_literal(w);
}

static bool
is_sudo_call(const struct syntax_node *n)
{
    return n->kind == SYNTAX_CALL && n->words && is_plain(n->words) &&
           strcmp(path_base(n->words->text), "sudo") == 0;
}

/* Builtins after which a name, sudo among them, may mean something else. */
static bool
changes_names(const char *name)
{
    static const char *const names[] = {
        ".",       "alias",  "bind",  "builtin", "command",   "coproc",
        "declare", "enable", "eval",  "exec",    "export",    "getopts",
        "hash",    "let",    "local", "mapfile", "readarray", "readonly",
        "read",    "set",    "shopt", "source",  "trap",      "typeset",
        "unalias", "unset",
    };

    return STR_IN(name, names);
}

static bool
is_kind_allowed(enum syntax_kind k)
{
    return k == SYNTAX_CALL || k == SYNTAX_PIPELINE || k == SYNTAX_LIST ||
           k == SYNTAX_SUBSHELL || k == SYNTAX_GROUP;
}

/* Whether a word could set the variable, as ${PATH:=x} and $((PATH=1)) do. */
static bool
may_set_path(const struct syntax_word *w)
{
    return w->flags & SYNTAX_EXPANDS && strstr(w->text, "PATH");
}

/* printf -v and the like: a variable is named by a word. */
static bool
sets_by_option(const struct syntax_node *n)
{
    return strcmp(n->words->text, "printf") == 0 && n->words->next &&
           (!is_plain(n->words->next) || n->words->next->text[0] == '-');
}

/* Checks one command of the line for what could change the others. */
static bool
check_line_command(const struct syntax_node *n, char *why)
{
    if (!is_kind_allowed(n->kind))
        return refuse_line(
            why, "it stands beside a function, a loop or a condition", "", "");
    if (n->assigns)
        return refuse_line(why, "the line sets the variable ", n->assigns->name,
                           "");
    for (const struct syntax_word *w = n->words; w; w = w->next)
        if (may_set_path(w))
            return refuse_line(why, "the line names PATH", "", "");
    if (n->kind != SYNTAX_CALL || !n->words)
        return true;
    if (!is_plain(n->words))
        return refuse_line(why, "an expansion decides what the line runs", "",
                           "");
    if (changes_names(n->words->text) || sets_by_option(n))
        return refuse_line(why, "", n->words->text,
                           " may change what sudo means");
    return true;
}

static bool
check_long_option(const struct syntax_word *w, bool *takes_value, char *why)
{
    static const char *const alone[] = {
        "--non-interactive",
        "--reset-timestamp",
        "--remove-timestamp",
        "--validate",
        "--list",
        "--set-home",
        "--preserve-env",
        "--preserve-groups",
        "--bell",
        "--version",
    };
    static const char *const valued[] = {
        "--user",  "--group", "--other-user", "--close-from",
        "--chdir", "--role",  "--type",       "--command-timeout",
    };
    size_t n = strcspn(w->text, "=");

    for (size_t i = 0; i < ARRAY_SIZE(alone); i++)
        if (strncmp(w->text, alone[i], n) == 0 && !alone[i][n])
            return true;
    for (size_t i = 0; i < ARRAY_SIZE(valued); i++) {
        if (strncmp(w->text, valued[i], n) == 0 && !valued[i][n]) {
            *takes_value = w->text[n] != '=';
            return true;
        }
    }
    return refuse_line(why, "sudo ", w->text, " is for your own shell");
}

/* Checks a word that begins with one dash. */
static bool
check_short_options(const struct syntax_word *w, bool *takes_value, char *why)
{
    for (const char *p = w->text + 1; *p; p++) {
        if (strchr(VALUE_OPTIONS, *p)) {
            *takes_value = !p[1];
            return true;
        }
        if (*p == 'S')
            return refuse_line(why, "sudo -S reads the password from a pipe",
                               "", "");
        if (*p == 'A')
            return refuse_line(why, "sudo -A asks a program for the password",
                               "", "");
        if (!strchr(OTHER_OPTIONS, *p))
            return refuse_line(why, "sudo ", w->text, " is for your own shell");
    }
    return true;
}

/* Checks a variable that sudo sets for the command. */
static bool
check_sudo_variable(const struct syntax_word *w, char *why)
{
    static const char *const names[] = {
        "PATH=", "ENV=", "BASH_", "IFS=", "SUDO_", "SHELL", "GCONV_"};
    bool steers = strncmp(w->text, "LD_", 3) == 0;

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        steers |= strncmp(w->text, names[i], strlen(names[i])) == 0;
    return steers ? refuse_line(why, "", w->text, " decides what runs as root")
                  : true;
}

/* Checks the options of one sudo, and the variables before its command. */
static bool
check_sudo_words(const struct syntax_node *n, char *why)
{
    const struct syntax_word *w = n->words->next;
    bool options = true;

    for (; w; w = w->next) {
        bool takes_value = false;

        if (!is_plain(w))
            return refuse_line(why, "an expansion decides what sudo runs", "",
                               "");
        if (options && strcmp(w->text, "--") == 0) {
            options = false;
            continue;
        }
        if (options && w->text[0] == '-') {
            if (!(w->text[1] == '-' ? check_long_option : check_short_options)(
                    w, &takes_value, why))
                return false;
            if (takes_value && (w = w->next) && !is_plain(w))
                return refuse_line(why, "an expansion decides who sudo is", "",
                                   "");
            if (!w)
                return refuse_line(why, "sudo lacks a word", "", "");
            continue;
        }
        if (!strchr(w->text, '='))
            return true;
        if (!check_sudo_variable(w, why))
            return false;
    }
    return true;
}

/* Whether what becomes another user does so inside a sudo of the line. */
static bool
is_inside_sudo(const struct syntax *s, const struct risk_call *c)
{
    for (const struct syntax_node *n = s->all; n; n = n->after)
        if (is_sudo_call(n) && c->from >= n->from && c->to <= n->to)
            return true;
    return false;
}

static bool
check_sudo_file(const struct syntax_node *n, const char *path, char *why)
{
    const char *name = n->words->text;
    CLEANUP(free_p) char *found = NULL;

    if (strchr(name, '/')) {
        if (system_sudo_is(name))
            return true;
    } else if ((found = system_sudo_find(path))) {
        return true;
    }
    return refuse_line(why, "", name,
                       " is not this machine's own sudo, or your PATH has a "
                       "place before it that others than root can write");
}

bool
sudo_line_check(const struct syntax *s, const struct risk *r, const char *path,
                char why[SUDO_LINE_WHY])
{
    if (s->fault || r->facts & RISK_OPAQUE)
        return refuse_line(why, "not all that runs can be read", "", "");
    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if (c->facts & RISK_SUDO && !is_inside_sudo(s, c))
            return refuse_line(why, "", c->wrapper[0] ? c->wrapper : c->name,
                               " hides what becomes another user");
    }
    for (const struct syntax_node *n = s->all; n; n = n->after) {
        if (!check_line_command(n, why))
            return false;
        if (is_sudo_call(n) &&
            (!check_sudo_words(n, why) || !check_sudo_file(n, path, why)))
            return false;
    }
    return true;
}

/* Whether one call of sudo has -n among its options. */
static bool
has_option_n(const struct syntax_node *n)
{
    char why[SUDO_LINE_WHY];

    for (const struct syntax_word *w = n->words->next;
         w && w->text[0] == '-' && strcmp(w->text, "--") != 0; w = w->next) {
        bool takes_value = false, is_long = w->text[1] == '-';
        size_t letters = strcspn(w->text, VALUE_OPTIONS);

        if (is_long ? strcmp(w->text, "--non-interactive") == 0
                    : memchr(w->text, 'n', letters) != NULL)
            return true;
        if (!(is_long ? check_long_option
                      : check_short_options)(w, &takes_value, why))
            return false;
        if (takes_value && !(w = w->next))
            return false;
    }
    return false;
}

bool
sudo_line_never_asks(const char *line)
{
    struct syntax s;
    bool never = false;

    if (syntax_read(line, strlen(line), &s, NULL) < 0)
        return false;
    for (const struct syntax_node *n = s.all; n; n = n->after) {
        if (!is_sudo_call(n))
            continue;
        never = has_option_n(n);
        if (!never)
            break;
    }
    syntax_done(&s);
    return never;
}
