/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_option.c - short options that take a password, by program. */
#include <string.h>

#include "base/redact_in.h"

enum form {
    ATTACHED,  /* -pSECRET only: "-p x" asks, and x is something else */
    SEPARATE,  /* -p SECRET or -pSECRET */
    USER_PASS, /* -u user:SECRET */
    SOURCE,    /* -passin pass:SECRET */
};

struct redact_command {
    const char *name, *option;
    enum form form;
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

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static size_t
word_end(const struct redact_text *t, size_t i)
{
    while (i < t->n &&
           (redact_is_word((unsigned char)t->p[i]) || t->p[i] == '-'))
        i++;
    return i;
}

const struct redact_command *
redact_command_at(const struct redact_text *t, size_t i)
{
    for (size_t k = 0; k < N_COMMANDS; k++) {
        size_t n = strlen(commands[k].name);

        if (commands[k].name[0] == t->p[i] && word_end(t, i) - i == n &&
            memcmp(t->p + i, commands[k].name, n) == 0)
            return &commands[k];
    }
    return NULL;
}

static bool
take_value(const struct redact_text *t, const struct redact_command *c,
           size_t from, struct redact_span *s)
{
    const char *colon;

    s->to = redact_value(t, &from, t->n);
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
    if (redact_is_blank(t->p[at])) {
        if (c->form == ATTACHED)
            return false;
        while (redact_is_blank(redact_at(t, at)))
            at++;
        return redact_at(t, at) != '-' && take_value(t, c, at, s);
    }
    if (n > 2 && t->p[at] != '=')
        return false; /* a longer option */
    return take_value(t, c, at + (t->p[at] == '='), s);
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
