/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_type.c - the types of agents: rows of the files `agents`. */
#include "server/gateway/agent_type.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "base/str.h"
#include "config/config.h"
#include "config/config_file.h"
#include "config/config_table.h"
#include "config/ini_file.h"
#include "config/nearest.h"

#define AGENTS_FILE  "agents"
#define SYSTEM_TYPES SYSCONFDIR "/agentsh/" AGENTS_FILE
#define SECRET_FILE  "secret_file." /* then the variable */
#define SECRET_BY    "secret_command."
#define LETTERS                                                                \
    "abcdefghijklmnopqrstuvwxyz"                                               \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

enum type_field {
    FIELD_TEXT,
    FIELD_INT,
    FIELD_NUMBER,
    FIELD_BOOL,
    FIELD_PROFILE
};

/* The keys of a section. config_check checks their values. */
struct type_key {
    struct config_row row; /* without section and default */
    enum type_field field;
    size_t at; /* in struct agent_type */
};

#define AT(member) offsetof(struct agent_type, member)
#define PATHS_MAX  32

#define TRANSCRIPT_MB 256 /* unless a type says otherwise: weeks of work */

static const struct type_key type_keys[] = {
    {{.name = "name", .type = CONFIG_TEXT}, FIELD_TEXT, AT(name)},
    {{.name = "description", .type = CONFIG_TEXT}, FIELD_TEXT, AT(description)},
    {{.name = "image", .type = CONFIG_TEXT, .plain = true},
     FIELD_TEXT,
     AT(image)},
    {{.name = "command", .type = CONFIG_TEXT}, FIELD_TEXT, AT(command)},
    {{.name = "directory", .type = CONFIG_PATH}, FIELD_TEXT, AT(directory)},
    {{.name = "capabilities", .type = CONFIG_TEXT},
     FIELD_TEXT,
     AT(capabilities)},
    {{.name = "readable", .type = CONFIG_PATHS, .max = PATHS_MAX},
     FIELD_TEXT,
     AT(readable)},
    {{.name = "writable", .type = CONFIG_PATHS, .max = PATHS_MAX},
     FIELD_TEXT,
     AT(writable)},
    {{.name = "found_linux", .type = CONFIG_TEXT}, FIELD_TEXT, AT(found_linux)},
    {{.name = "found_macos", .type = CONFIG_TEXT}, FIELD_TEXT, AT(found_macos)},
    {{.name = "found_windows", .type = CONFIG_TEXT},
     FIELD_TEXT,
     AT(found_windows)},
    {{.name = "memory_mb", .type = CONFIG_INT, .max = 1 << 24},
     FIELD_INT,
     AT(memory_mb)},
    {{.name = "cores", .type = CONFIG_NUMBER, .max = 4096},
     FIELD_NUMBER,
     AT(cores)},
    {{.name = "limit_s", .type = CONFIG_INT, .max = 7 * 24 * 3600},
     FIELD_INT,
     AT(limit_s)},
    {{.name = "transcript_mb", .type = CONFIG_INT, .max = 1 << 20},
     FIELD_INT,
     AT(transcript_mb)},
    {{.name = "profile", .type = CONFIG_WORD, .words = "workspace-write|full"},
     FIELD_PROFILE,
     AT(profile)},
    {{.name = "enabled", .type = CONFIG_BOOL}, FIELD_BOOL, AT(enabled)},
};

struct agent_types {
    struct agent_type *all[AGENT_TYPES_MAX];
    size_t n;
};

/* One file that is being read. */
struct type_source {
    struct agent_types *types;
    struct agent_type *type; /* of the section */
    unsigned set_at[ARRAY_SIZE(type_keys)];
    struct agent_type *seen[AGENT_TYPES_MAX]; /* of this file */
    size_t n_seen;
};

static void
free_type(struct agent_type *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(type_keys); i++)
        if (type_keys[i].field == FIELD_TEXT)
            free(*(char **)(void *)((char *)t + type_keys[i].at));
    for (size_t i = 0; i < t->n_secrets; i++) {
        free(t->secrets[i].variable);
        free(t->secrets[i].file);
        free(t->secrets[i].command);
    }
    free(t->id);
    free(t);
}

void
agent_types_free(struct agent_types *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        free_type(t->all[i]);
    free(t);
}

const struct agent_type *
agent_types_at(const struct agent_types *t, size_t i)
{
    return i < t->n ? t->all[i] : NULL;
}

static size_t
find_agent_type(const struct agent_types *t, const char *id)
{
    size_t i = 0;

    while (i < t->n && strcmp(t->all[i]->id, id) != 0)
        i++;
    return i;
}

const struct agent_type *
agent_types_find(const struct agent_types *t, const char *id)
{
    return agent_types_at(t, find_agent_type(t, id));
}

/* Puts a new type in the place of the one with its id, or behind the last. */
static struct agent_type *
begin_type(struct agent_types *t, const char *id, struct err *e)
{
    struct agent_type *type;
    size_t at = find_agent_type(t, id);

    if (at == AGENT_TYPES_MAX) {
        err_set(e, ERR_CONFIG, "more than %d types", AGENT_TYPES_MAX);
        return NULL;
    }
    type = calloc(1, sizeof(*type));
    if (!type || !(type->id = strdup(id)) || !(type->name = strdup(id))) {
        free_type(type);
        err_nomem(e);
        return NULL;
    }
    type->enabled = true;
    type->profile = PROFILE_WORKSPACE_WRITE;
    type->transcript_mb = TRANSCRIPT_MB;
    if (at < t->n)
        free_type(t->all[at]);
    else
        t->n++;
    return t->all[at] = type;
}

static int
on_type_section(void *arg, const char *name, struct err *e)
{
    struct type_source *s = arg;
    size_t n = strspn(name, LETTERS DIGITS ".-");

    if (n == 0 || name[n])
        return err_set(e, ERR_CONFIG,
                       "[ID] has letters, digits, \"_\", \"-\" and \".\"");
    for (size_t i = 0; i < s->n_seen; i++)
        if (strcmp(s->seen[i]->id, name) == 0)
            return err_set(e, ERR_CONFIG, "[%s] is there already", name);
    if (!(s->type = begin_type(s->types, name, e)))
        return -1;
    s->seen[s->n_seen++] = s->type;
    memset(s->set_at, 0, sizeof(s->set_at));
    return 0;
}

static int
unknown_type_key(const struct type_source *s, const char *name, struct err *e)
{
    struct nearest meant;

    nearest_init(&meant, name);
    for (size_t i = 0; i < ARRAY_SIZE(type_keys); i++)
        nearest_consider(&meant, type_keys[i].row.name);
    if (meant.best)
        return err_set(e, ERR_CONFIG,
                       "unknown key \"%.48s\" in [%s]; did you mean \"%s\"?",
                       name, s->type->id, meant.best);
    return err_set(e, ERR_CONFIG, "unknown key \"%.48s\" in [%s]", name,
                   s->type->id);
}

static int
set_type_text(char **to, const char *value, struct err *e)
{
    char *copy = strdup(value);

    if (!copy)
        return err_nomem(e);
    free(*to);
    *to = copy;
    return 0;
}

static int
set_type_field(struct agent_type *t, const struct type_key *k,
               const char *value, struct err *e)
{
    void *to = (char *)t + k->at;

    switch (k->field) {
    case FIELD_TEXT:
        return set_type_text(to, value, e);
    case FIELD_INT:
        *(int64_t *)to = (int64_t)config_parse_number(value);
        break;
    case FIELD_NUMBER:
        *(double *)to = config_parse_number(value);
        break;
    case FIELD_BOOL:
        *(bool *)to = config_truth(value);
        break;
    case FIELD_PROFILE:
        (void)profile_find(value, to);
        break;
    }
    return 0;
}

/* What the agent's own settings, its way to us, and the loader of programs
 * read is no secret of a person's. */
static bool
is_secret_variable(const char *name)
{
    size_t n = strspn(name, LETTERS DIGITS);

    return n > 0 && !name[n] && !strchr(DIGITS, name[0]) &&
           !str_begins(name, "AGENTCTL_") && !str_begins(name, "LD_") &&
           strcmp(name, "PATH") != 0 && strcmp(name, "HOME") != 0;
}

static int
add_type_secret(struct agent_type *t, const char *variable, const char *value,
                bool is_file, struct err *e)
{
    struct agent_secret *s;

    if (!is_secret_variable(variable))
        return err_set(e, ERR_CONFIG,
                       "\"%.48s\" is no variable that an agent may be given",
                       variable);
    for (size_t i = 0; i < t->n_secrets; i++)
        if (strcmp(t->secrets[i].variable, variable) == 0)
            return err_set(e, ERR_CONFIG, "the secret %s is set already",
                           variable);
    if (t->n_secrets == AGENT_SECRETS_MAX)
        return err_set(e, ERR_CONFIG, "more than %d secrets",
                       AGENT_SECRETS_MAX);
    if (!*value)
        return err_set(e, ERR_CONFIG, "the secret %s is empty", variable);
    s = &t->secrets[t->n_secrets++];
    return set_type_text(&s->variable, variable, e) < 0
               ? -1
               : set_type_text(is_file ? &s->file : &s->command, value, e);
}

static int
set_type_value(void *arg, const char *section, const char *name,
               const char *value, unsigned line, struct err *e)
{
    struct type_source *s = arg;
    size_t i = 0;

    if (!*section)
        return err_set(e, ERR_CONFIG, "\"%.48s\" comes before the first [ID]",
                       name);
    if (str_begins(name, SECRET_FILE))
        return add_type_secret(s->type, name + strlen(SECRET_FILE), value, true,
                               e);
    if (str_begins(name, SECRET_BY))
        return add_type_secret(s->type, name + strlen(SECRET_BY), value, false,
                               e);
    while (i < ARRAY_SIZE(type_keys) && strcmp(type_keys[i].row.name, name))
        i++;
    if (i == ARRAY_SIZE(type_keys))
        return unknown_type_key(s, name, e);
    if (s->set_at[i])
        return err_set(e, ERR_CONFIG, "%s is set already, on line %u", name,
                       s->set_at[i]);
    s->set_at[i] = line;
    if (config_check(&type_keys[i].row, value, e) < 0)
        return -1;
    return set_type_field(s->type, &type_keys[i], value, e);
}

static int
read_types_file(struct agent_types *t, const char *path,
                enum config_file_owner owner, struct err *e)
{
    static const struct ini_events events = {.section = on_type_section,
                                             .value = set_type_value};
    CLEANUP_BUF struct buf text = buf_of(CONFIG_FILE_MAX);
    struct type_source s = {.types = t};
    bool there = false;

    if (!path)
        return 0;
    if (config_file_read(path, owner, &text, &there, e) < 0)
        return -1;
    if (!there || ini_file_parse(path, text.p, text.len, &events, &s, e) == 0)
        return 0;
    if (e)
        e->code = ERR_CONFIG;
    return -1;
}

static struct agent_types *
load_type_files(const char *known, const char *user, struct err *e)
{
    CLEANUP(agent_types_free_p) struct agent_types *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    if (!begin_type(t, AGENT_TYPE_USUAL, e) ||
        read_types_file(t, known, CONFIG_FILE_ANYONE, e) < 0 ||
        read_types_file(t, SYSTEM_TYPES, CONFIG_FILE_ROOT, e) < 0 ||
        read_types_file(t, user, CONFIG_FILE_ANYONE, e) < 0)
        return NULL;
    return TAKE_PTR(t);
}

struct agent_types *
agent_types_load(const struct seat *seat, struct err *e)
{
    CLEANUP(free_p) char *known = path_share(AGENTS_FILE);
    /* without a home directory there is no user's file */
    CLEANUP(free_p)
    char *user = seat_place(seat, PATH_CONFIG, AGENTS_FILE, NULL);

    return load_type_files(known, user, e);
}
