/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_discovery.c - which agents are installed on this machine. */
#include "server/gateway/agent_discovery.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "server/gateway/agent_process.h"
#include "json/write.h"

#define NAME_MAX_LEN 128 /* bytes of the name of a variable */
#define LETTERS                                                                \
    "abcdefghijklmnopqrstuvwxyz"                                               \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* Appends the value of the variable at *at, which is behind its dollar sign,
 * and moves *at behind it. False: it is not set. */
static bool
expand_variable(const char **at, const struct seat *seat, struct buf *out)
{
    bool braces = **at == '{';
    const char *name = *at + braces, *value;
    size_t n = strspn(name, LETTERS);
    char copy[NAME_MAX_LEN];

    if (n == 0 || n >= sizeof(copy) || (braces && name[n] != '}'))
        return false;
    memcpy(copy, name, n);
    copy[n] = '\0';
    value = seat_variable(seat, copy);
    if (!value || !*value)
        return false;
    buf_str(out, value);
    *at = name + n + braces;
    return true;
}

/* The text with ~ and variables expanded; the caller frees it. NULL: a variable
 * is not set, or it is too long. */
static char *
expand_found_path(const char *path, const struct seat *seat)
{
    CLEANUP_BUF struct buf out = buf_of(PATH_MAX);

    while (*path) {
        if (*path != '$') {
            buf_ch(&out, *path++);
            continue;
        }
        path++;
        if (!expand_variable(&path, seat, &out))
            return NULL;
    }
    return out.bad ? NULL : seat_expand_home(seat, out.p);
}

static const char *
paths_here(const struct agent_type *t)
{
#if defined(__APPLE__)
    return t->found_macos;
#elif defined(_WIN32)
    return t->found_windows;
#else
    return t->found_linux;
#endif
}

/* The path by which it is known to be here; the caller frees it. NULL: it is
 * not known to be. */
static char *
find_installed_agent(const struct agent_type *t, const struct seat *seat)
{
    const char *at = paths_here(t), *item;
    size_t n;

    if (!at)
        return agent_process_find_command(t, seat);
    while (config_list_next(&at, &item, &n)) {
        CLEANUP(free_p) char *one = strndup(item, n);
        CLEANUP(free_p)
        char *path = one ? expand_found_path(one, seat) : NULL;

        if (path && *path == '/' && access(path, F_OK) == 0)
            return TAKE_PTR(path);
    }
    return NULL;
}

static void
put_optional(struct json_writer *w, const char *name, const char *text)
{
    if (text)
        json_member_str(w, name, text);
}

static void
put_type_capabilities(struct json_writer *w, const char *at)
{
    const char *item;
    size_t n;

    json_key(w, "capabilities");
    json_open_array(w);
    while (at && config_list_next(&at, &item, &n))
        json_put_strn(w, item, n);
    json_close_array(w);
}

/* agentsh's own agent is always here, and needs no command. */
static void
put_agent_type(struct json_writer *w, const struct agent_type *t,
               const struct seat *seat)
{
    CLEANUP(free_p) char *path = find_installed_agent(t, seat);
    bool own = !t->command && !t->image;

    json_open_object(w);
    json_member_str(w, "id", t->id);
    json_member_str(w, "name", t->name);
    put_optional(w, "description", t->description);
    put_optional(w, "image", t->image);
    put_optional(w, "command", t->command);
    put_type_capabilities(w, t->capabilities);
    json_member_bool(w, "enabled", t->enabled);
    json_member_bool(w, "available", own || path);
    put_optional(w, "path", path);
    json_close_object(w);
}

void
agent_discovery_put(const struct agent_types *types, const struct seat *seat,
                    struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_array(&w);
    for (size_t i = 0; agent_types_at(types, i); i++)
        put_agent_type(&w, agent_types_at(types, i), seat);
    json_close_array(&w);
}
