/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.c - writes a sandbox_spec as the launcher's words, and reads it back. */
#include "sandbox/spec.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"

#define OPTION_MAX 32 /* bytes of an option that are shown in an error */

enum spec_option_kind { FLAG, NUMBER, COUNT, PATH, PATHS };

/* One row for each option: its name, its kind and its member in the spec. */
struct spec_option {
    const char *name;
    enum spec_option_kind kind;
    size_t at;
    size_t max; /* for PATHS: the most paths */
};

#define AT(member) offsetof(struct sandbox_spec, member)
static const struct spec_option options[] = {
    {"net", FLAG, AT(net), 0},
    {"workspace", PATH, AT(workspace), 0},
    {"home", PATH, AT(home), 0},
    {"writable", PATHS, AT(writable), SPEC_PATHS_MAX},
    {"readable", PATHS, AT(readable), SPEC_READABLE_MAX},
    {"cache", PATHS, AT(cache), SPEC_PATHS_MAX},
    {"program", PATHS, AT(programs), SPEC_PATHS_MAX},
    {"secret", PATHS, AT(secret), SPEC_SECRETS_MAX},
    {"state", PATH, AT(state), 0},
    {"preview", PATH, AT(preview), 0},
    {"copied", FLAG, AT(copied), 0},
    {"limit-ms", NUMBER, AT(limit_ms), 0},
    {"memory", NUMBER, AT(memory_bytes), 0},
    {"file-size", NUMBER, AT(file_bytes), 0},
    {"processes", COUNT, AT(processes), 0},
    {"sees-all", FLAG, AT(sees_all), 0},
    {"keep-terminal", FLAG, AT(keep_terminal), 0},
    {"leave", FLAG, AT(leave), 0},
    {"alike", FLAG, AT(alike), 0},
    {"report", FLAG, AT(report), 0},
    {"owners", FLAG, AT(owners), 0},
    {"reduced", FLAG, AT(reduced), 0},
};
#define OPTIONS ARRAY_SIZE(options)

static const void *
member_at(const struct sandbox_spec *s, size_t at)
{
    return (const char *)s + at;
}

static bool
is_absolute_path(const char *text)
{
    return text[0] == '/' && strlen(text) < PATH_MAX;
}

bool
spec_is_reduced(const struct sandbox_spec *s)
{
    return s->reduced || s->profile == PROFILE_REDUCED;
}

/* Returns whether a directory is writable that is not a tool's own state. */
static bool
writes_beside_state(const struct sandbox_spec *s)
{
    for (const char *const *p = s->writable; *p; p++)
        if (!s->state || strcmp(*p, s->state) != 0)
            return true;
    return false;
}

bool
spec_writes(const struct sandbox_spec *s)
{
    return s->profile == PROFILE_WORKSPACE_WRITE ||
           s->profile == PROFILE_PREVIEW || s->profile == PROFILE_REDUCED ||
           s->profile == PROFILE_FULL || writes_beside_state(s);
}

bool
spec_hides_home(const struct sandbox_spec *spec)
{
    enum profile p = spec->profile;

    return p == PROFILE_READ_ONLY || p == PROFILE_WORKSPACE_WRITE ||
           p == PROFILE_PREVIEW || p == PROFILE_REDUCED ||
           (p == PROFILE_PLUGIN && !spec->sees_all);
}

/* Returns the length of the longest of the directories that contain the path;
 * 0: none does. */
static size_t
longest_match(const char *const *dirs, const char *path)
{
    size_t longest = 0;

    for (; *dirs; dirs++) {
        size_t n = strlen(*dirs);

        if (n > longest && path_is_below(path, *dirs))
            longest = n;
    }
    return longest;
}

bool
spec_shows_path(const struct sandbox_spec *spec, const char *path)
{
    const char *const *const lists[] = {spec->readable, spec->cache,
                                        spec->writable, spec->programs};
    size_t hidden = longest_match(spec->secret, path), shown = 0;

    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        size_t n = longest_match(lists[i], path);

        shown = n > shown ? n : shown;
    }
    if (spec->workspace && path_is_below(path, spec->workspace) &&
        strlen(spec->workspace) > shown)
        shown = strlen(spec->workspace);
    if (hidden)
        return shown > hidden;
    return shown || !spec_hides_home(spec) || !spec->home ||
           !path_is_below(path, spec->home);
}

struct spec_writer {
    struct buf *out;
    size_t words;
};

static void
write_word(struct spec_writer *w, const char *word)
{
    buf_add(w->out, word, strlen(word) + 1);
    w->words++;
}

static int
write_path(struct spec_writer *w, const char *name, const char *path,
           struct err *e)
{
    if (!path)
        return 0;
    if (!is_absolute_path(path))
        return err_set(e, ERR_INVALID, "--%s: '%.100s' is not an absolute path",
                       name, path);
    buf_printf(w->out, "--%s=", name);
    write_word(w, path);
    return 0;
}

static void
write_number(struct spec_writer *w, const char *name, uint64_t n)
{
    if (n == 0)
        return;
    buf_printf(w->out, "--%s=%llu%c", name, (unsigned long long)n, '\0');
    w->words++;
}

static int
write_option(struct spec_writer *w, const struct sandbox_spec *s,
             const struct spec_option *o, struct err *e)
{
    const void *at = member_at(s, o->at);
    const char *const *paths = at;

    switch (o->kind) {
    case FLAG:
        if (*(const bool *)at) {
            buf_str(w->out, "--");
            write_word(w, o->name);
        }
        return 0;
    case NUMBER:
        write_number(w, o->name, *(const uint64_t *)at);
        return 0;
    case COUNT:
        write_number(w, o->name, *(const unsigned *)at);
        return 0;
    case PATH:
        return write_path(w, o->name, *paths, e);
    case PATHS:
        for (; *paths; paths++) {
            if (write_path(w, o->name, *paths, e) < 0)
                return -1;
        }
        return 0;
    }
    return 0;
}

int
spec_write(const struct sandbox_spec *s, const char *const *argv,
           struct buf *out, size_t *words, struct err *e)
{
    struct spec_writer w = {.out = out};

    if ((unsigned)s->profile >= PROFILE_N || !argv[0] || s->limit_ms < 0)
        return err_set(e, ERR_INVALID, "launcher: missing profile or program");
    write_word(&w, "agentsh-launch");
    buf_str(out, "--profile=");
    write_word(&w, profile_row(s->profile)->name);
    for (size_t i = 0; i < OPTIONS; i++) {
        if (write_option(&w, s, &options[i], e) < 0)
            return -1;
    }
    write_word(&w, "--");
    for (; *argv; argv++)
        write_word(&w, *argv);
    if (buf_ok(out, "the launcher's command line", e) < 0)
        return -1;
    *words = w.words;
    return 0;
}

const char **
spec_argv(const struct buf *words, size_t n, struct err *e)
{
    const char **argv = calloc(n + 1, sizeof(*argv));
    const char *p = words->p;

    if (!argv) {
        err_set(e, ERR_NOMEM, "the launcher's command line");
        return NULL;
    }
    for (size_t i = 0; i < n; i++, p += strlen(p) + 1)
        argv[i] = p;
    return argv;
}

static int
parse_number(const char *value, uint64_t max, uint64_t *out)
{
    uint64_t n = 0;

    if (!*value)
        return -1;
    for (; *value; value++) {
        unsigned digit = (unsigned char)*value - (unsigned)'0';

        if (digit > 9 || n > (max - digit) / 10)
            return -1;
        n = n * 10 + digit;
    }
    *out = n;
    return 0;
}

static int
add_spec_path(const char **paths, size_t max, const char *value, struct err *e)
{
    size_t n = 0;

    while (n < max && paths[n])
        n++;
    if (n == max)
        return err_set(e, ERR_USAGE, "more than %zu paths", max);
    paths[n] = value;
    return 0;
}

/* Sets the member of an option. value NULL: the option had no "=value". */
static int
set_option(const struct spec_option *o, const char *value,
           struct sandbox_spec *s, struct err *e)
{
    void *at = (char *)s + o->at;
    uint64_t n = 0;

    if ((o->kind == FLAG) != (value == NULL))
        return err_set(e, ERR_USAGE, "--%s: %s", o->name,
                       value ? "takes no value" : "needs a value");
    if (o->kind == FLAG) {
        *(bool *)at = true;
        return 0;
    }
    if (o->kind == PATH || o->kind == PATHS) {
        if (!is_absolute_path(value))
            return err_set(e, ERR_USAGE, "--%s: not an absolute path", o->name);
        if (o->kind == PATHS)
            return add_spec_path(at, o->max, value, e);
        *(const char **)at = value;
        return 0;
    }
    if (parse_number(value, o->kind == COUNT ? UINT_MAX : INT64_MAX, &n) < 0)
        return err_set(e, ERR_USAGE, "--%s: not a number", o->name);
    if (o->kind == COUNT)
        *(unsigned *)at = (unsigned)n;
    else
        *(uint64_t *)at = n;
    return 0;
}

/* Parses a word without its dashes: "name" or "name=value". */
static int
parse_word(const char *word, struct sandbox_spec *s, bool *named, struct err *e)
{
    size_t n = strcspn(word, "=");
    const char *value = word[n] ? word + n + 1 : NULL;

    if (value && n == strlen("profile") && !memcmp(word, "profile", n)) {
        *named = profile_find(value, &s->profile);
        return *named ? 0
                      : err_set(e, ERR_USAGE, "unknown profile '%.40s'", value);
    }
    for (size_t i = 0; i < OPTIONS; i++) {
        if (strlen(options[i].name) == n && !memcmp(options[i].name, word, n))
            return set_option(&options[i], value, s, e);
    }
    return err_set(e, ERR_USAGE, "unknown option --%.*s",
                   n < OPTION_MAX ? (int)n : OPTION_MAX, word);
}

int
spec_read(int argc, char **argv, struct sandbox_spec *out, int *rest,
          struct err *e)
{
    struct sandbox_spec s = {0};
    bool named = false;
    int i = 1;

    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            return err_set(e, ERR_USAGE, "'%.40s' is not an option", argv[i]);
        if (parse_word(argv[i] + 2, &s, &named, e) < 0)
            return -1;
    }
    if (!named)
        return err_set(e, ERR_USAGE, "--profile=NAME is missing");
    if (i + 1 >= argc)
        return err_set(e, ERR_USAGE, "no program after --");
    *out = s;
    *rest = i + 1;
    return 0;
}

int
sandbox_layer_missing(struct err *e, const char *layer)
{
    err_sys(e, "sandbox: %s", layer);
    if (e)
        e->code = ERR_SANDBOX;
    return -1;
}

int
sandbox_layer_missing_at(struct err *e, const char *layer, const char *part)
{
    err_sys(e, "sandbox: %s: %s", layer, part);
    if (e)
        e->code = ERR_SANDBOX;
    return -1;
}

int
sandbox_layer_closed_at(struct err *e, const char *layer, const char *part)
{
    if (errno != EACCES)
        return sandbox_layer_missing_at(e, layer, part);
    return err_set(e, ERR_SANDBOX,
                   "sandbox: %s: %.110s: %s: " SANDBOX_LAYER_CLOSED, layer,
                   part, err_system(errno));
}
