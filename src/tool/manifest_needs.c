/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest_needs.c - reads the needs of a tool from its manifest. */
#include <limits.h>
#include <string.h>

#include "tool/manifest_reader.h"

#define PATH_BYTES  (PATH_MAX - 1)
#define LIMIT_MS    (24 * 60 * 60 * 1000) /* the limit of cmd.run */
#define MEMORY_MB   (1 << 20)
#define PROGRAM_MAX 64

/* Whether some component of the path is "." or "..". */
static bool
has_dots(const char *path)
{
    while (*path) {
        size_t n = strcspn(path, "/");

        if ((n == 1 && path[0] == '.') ||
            (n == 2 && path[0] == '.' && path[1] == '.'))
            return true;
        path += n;
        path += strspn(path, "/");
    }
    return false;
}

static int
read_path(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    const char *s = manifest_read_string(v, at, PATH_BYTES, e);

    if (!s)
        return -1;
    if (strcmp(s, "workspace") != 0 && s[0] != '/' &&
        (strncmp(s, "~/", 2) != 0 || strspn(s + 1, "/") == strlen(s + 1)))
        return manifest_report(at, e,
                               "must be absolute, \"~/…\" or \"workspace\", "
                               "not \"%.40s\"",
                               s);
    if (has_dots(s))
        return manifest_report(at, e, "must not contain \".\" or \"..\"");
    *(const char **)out = s;
    return 0;
}

static int
read_written_path(const struct json *v, const struct manifest_spot *at,
                  void *out, struct err *e)
{
    const char *s;

    if (read_path(v, at, &s, e) < 0)
        return -1;
    if (strspn(s, "/") == strlen(s))
        return manifest_report(
            at, e, "must not be \"/\": no tool may write everywhere");
    *(const char **)out = s;
    return 0;
}

static int
read_program(const struct json *v, const struct manifest_spot *at, void *out,
             struct err *e)
{
    const char *s = manifest_read_string(v, at, PROGRAM_MAX, e);

    if (!s)
        return -1;
    if (strchr(s, '/') || strchr(s, ' '))
        return manifest_report(at, e,
                               "must be the name of a program on PATH, not "
                               "\"%.40s\"",
                               s);
    *(const char **)out = s;
    return 0;
}

static int
read_absolute_path(const struct json *v, const struct manifest_spot *at,
                   void *out, struct err *e)
{
    const char *s = manifest_read_string(v, at, PATH_BYTES, e);

    if (!s)
        return -1;
    if (s[0] != '/' || has_dots(s))
        return manifest_report(at, e,
                               "must be a program's absolute path, not "
                               "\"%.40s\"",
                               s);
    *(const char **)out = s;
    return 0;
}

static int
read_paths(const struct json *v, const struct manifest_spot *at, void *out,
           struct err *e)
{
    return manifest_read_list(v, at, read_path, out, e);
}

static int
read_written_paths(const struct json *v, const struct manifest_spot *at,
                   void *out, struct err *e)
{
    return manifest_read_list(v, at, read_written_path, out, e);
}

static int
read_programs(const struct json *v, const struct manifest_spot *at, void *out,
              struct err *e)
{
    return manifest_read_list(v, at, read_program, out, e);
}

static int
read_privileged(const struct json *v, const struct manifest_spot *at, void *out,
                struct err *e)
{
    return manifest_read_list(v, at, read_absolute_path, out, e);
}

static int
read_word(const struct json *v, const struct manifest_spot *at,
          const char *const words[2], bool *out, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    for (int i = 0; s && i < 2; i++) {
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0) {
            *out = i == 1;
            return 0;
        }
    }
    return manifest_report(at, e, "must be \"%s\" or \"%s\"", words[0],
                           words[1]);
}

static int
read_network(const struct json *v, const struct manifest_spot *at, void *out,
             struct err *e)
{
    static const char *const words[2] = {"none", "internet"};

    return read_word(v, at, words, out, e);
}

static int
read_processes(const struct json *v, const struct manifest_spot *at, void *out,
               struct err *e)
{
    static const char *const words[2] = {"own", "all"};

    return read_word(v, at, words, out, e);
}

static int
read_limit(const struct json *v, const struct manifest_spot *at, int64_t max,
           int64_t *out, struct err *e)
{
    int64_t n;

    if (!json_int(v, &n) || n < 1 || n > max)
        return manifest_report(at, e, "must be a whole number, 1 to %lld",
                               (long long)max);
    *out = n;
    return 0;
}

static int
read_time_limit(const struct json *v, const struct manifest_spot *at, void *out,
                struct err *e)
{
    return read_limit(v, at, LIMIT_MS, out, e);
}

static int
read_memory(const struct json *v, const struct manifest_spot *at, void *out,
            struct err *e)
{
    return read_limit(v, at, MEMORY_MB, out, e);
}

static const struct manifest_member rows[] = {
    {"read", read_paths, offsetof(struct manifest_needs, read), false},
    {"write", read_written_paths, offsetof(struct manifest_needs, write),
     false},
    {"network", read_network, offsetof(struct manifest_needs, network), false},
    {"processes", read_processes,
     offsetof(struct manifest_needs, all_processes), false},
    {"state", manifest_read_bool, offsetof(struct manifest_needs, state),
     false},
    {"programs", read_programs, offsetof(struct manifest_needs, programs),
     false},
    {"privileged", read_privileged, offsetof(struct manifest_needs, privileged),
     false},
    {"time_limit_ms", read_time_limit,
     offsetof(struct manifest_needs, time_limit_ms), false},
    {"memory_mb", read_memory, offsetof(struct manifest_needs, memory_mb),
     false},
    {0},
};

const struct manifest_member *
manifest_needs_rows(void)
{
    return rows;
}

int
manifest_read_needs(const struct json *v, const struct manifest_spot *at,
                    void *out, struct err *e)
{
    struct manifest_needs *n = out;

    if (manifest_read_members(v, at, rows, n, e) < 0)
        return -1;
    /* the profile observe-proc cannot confine these */
    if (n->all_processes && (n->write[0] || n->network || n->state))
        return manifest_report(at, e,
                               "a tool that sees all processes may have no "
                               "write, network or state");
    return 0;
}
