/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_config.c - knows which keys of git's configuration run something. */
#include "guard/path/git_config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"

#define KEY_MAX   4096 /* bytes, with the subsection */
#define VALUE_MAX GIT_CONFIG_MAX

/* The keys that `git init`, clone, branch, remote, submodule and people write.
 * `*` stands for a subsection, between the first and the last full stop. */
static const char *const data_keys[] = {
    "branch.autosetuprebase",
    "branch.*.description",
    "branch.*.merge",
    "branch.*.rebase",
    "branch.*.remote",
    "color.ui",
    "commit.verbose",
    "core.abbrev",
    "core.autocrlf",
    "core.bare",
    "core.compression",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.logallrefupdates",
    "core.precomposeunicode",
    "core.protecthfs",
    "core.protectntfs",
    "core.quotepath",
    "core.repositoryformatversion",
    "core.safecrlf",
    "core.sharedrepository",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.splitindex",
    "core.symlinks",
    "core.untrackedcache",
    "diff.algorithm",
    "diff.renames",
    "extensions.compatobjectformat",
    "extensions.objectformat",
    "extensions.partialclone",
    "extensions.preciousobjects",
    "extensions.refstorage",
    "extensions.relativeworktrees",
    "extensions.worktreeconfig",
    "fetch.prune",
    "fetch.prunetags",
    "gc.auto",
    "index.skiphash",
    "index.sparse",
    "index.version",
    "init.defaultbranch",
    "merge.conflictstyle",
    "merge.ff",
    "pull.ff",
    "pull.rebase",
    "push.autosetupremote",
    "push.default",
    "receive.denycurrentbranch",
    "receive.denynonfastforwards",
    "remote.*.fetch",
    "remote.*.mirror",
    "remote.*.partialclonefilter",
    "remote.*.promisor",
    "remote.*.prune",
    "remote.*.push",
    "remote.*.pushurl",
    "remote.*.tagopt",
    "remote.*.url",
    "submodule.active",
    "submodule.*.active",
    "submodule.*.branch",
    "submodule.*.ignore",
    "submodule.*.url",
    "tag.sort",
    "user.email",
    "user.name",
};

/* Keys that name a file or a directory from which nothing is run. */
static const char *const names[] = {
    "blame.ignorerevsfile",       "commit.template",
    "core.attributesfile",        "core.excludesfile",
    "gpg.ssh.allowedsignersfile", "mailmap.file",
};

static bool
key_matches(const char *key, const char *row)
{
    const char *star = strstr(row, ".*.");
    const char *last = strrchr(key, '.');
    size_t n = star ? (size_t)(star - row) : 0;

    if (!star)
        return strcmp(key, row) == 0;
    return strncmp(key, row, n + 1) == 0 && last > key + n &&
           strcmp(last, star + 2) == 0;
}

static bool
key_is_among(const char *key, const char *const *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (key_matches(key, rows[i]))
            return true;
    return false;
}

/* A transport is a program ("ext::sh -c …"), and a word with a dash is an
 * option. */
static bool
is_remote_address(const char *value)
{
    return value[0] != '-' && !strstr(value, "::");
}

enum git_config_use
git_config_use_of(const char *key, const char *value)
{
    const char *name = strrchr(key, '.');

    if (strcmp(key, "core.hookspath") == 0 ||
        strcmp(key, "init.templatedir") == 0)
        return GIT_DIRECTORY;
    if (strcmp(key, "include.path") == 0 ||
        key_matches(key, "includeif.*.path"))
        return GIT_FILE;
    if (strcmp(key, "core.worktree") == 0)
        return GIT_TREE;
    if (strncmp(key, "alias.", 6) == 0)
        return value[0] == '!' ? GIT_COMMAND : GIT_DATA;
    if (key_is_among(key, names, ARRAY_SIZE(names)))
        return GIT_DATA;
    if (!key_is_among(key, data_keys, ARRAY_SIZE(data_keys)))
        return GIT_COMMAND;
    if (name && (strcmp(name, ".url") == 0 || strcmp(name, ".pushurl") == 0 ||
                 strcmp(name, ".remote") == 0))
        return is_remote_address(value) ? GIT_DATA : GIT_COMMAND;
    return GIT_DATA;
}

/* The text, and the reading position. */
struct config_text {
    const char *p, *end;
    char key[KEY_MAX];
    size_t section; /* bytes of the key that are the section's, with its "." */
    struct buf value;
};

static int
peek_byte(const struct config_text *t)
{
    return t->p < t->end ? (unsigned char)*t->p : EOF;
}

static bool
is_config_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void
skip_line(struct config_text *t)
{
    while (peek_byte(t) != EOF && peek_byte(t) != '\n')
        t->p++;
}

static bool
append_key_char(struct config_text *t, size_t *n, int c)
{
    if (*n + 2 > KEY_MAX || c == '\0' || c == EOF || c == '\n')
        return false;
    t->key[(*n)++] = (char)c;
    t->key[*n] = '\0';
    return true;
}

/* Reads name"] behind [section. It is taken literally, except backslashes. */
static bool
read_subsection(struct config_text *t, size_t *n)
{
    while (is_config_blank(peek_byte(t)))
        t->p++;
    if (peek_byte(t) != '"' || !append_key_char(t, n, '.'))
        return false;
    for (t->p++; peek_byte(t) != '"'; t->p++) {
        t->p += peek_byte(t) == '\\';
        if (!append_key_char(t, n, peek_byte(t)))
            return false;
    }
    t->p++;
    return peek_byte(t) == ']';
}

static bool
read_section(struct config_text *t)
{
    size_t n = 0;

    for (t->p++; peek_byte(t) != ']'; t->p++) {
        int c = peek_byte(t);

        if (is_config_blank(c)) {
            if (!read_subsection(t, &n))
                return false;
            break;
        }
        if ((!isalnum(c) && c != '.' && c != '-') ||
            !append_key_char(t, &n, tolower(c)))
            return false;
    }
    t->p++;
    t->section = n + 1;
    return n > 0 && append_key_char(t, &n, '.');
}

/* The byte that a backslash and c stand for; EOF: none. */
static int
escaped(int c)
{
    static const char from[] = "\\\"ntb", to[] = "\\\"\n\t\b";
    const char *at = c > 0 ? strchr(from, c) : NULL;

    return at ? to[at - from] : EOF;
}

/* Reads a backslash; at the end of a line, it joins the next line. */
static bool
read_config_escape(struct config_text *t)
{
    int c;

    t->p++;
    if (peek_byte(t) == '\r' && t->p + 1 < t->end && t->p[1] == '\n')
        t->p++;
    c = peek_byte(t);
    if (c != '\n' && (c = escaped(c)) == EOF)
        return false;
    if (peek_byte(t) != '\n')
        buf_ch(&t->value, (char)c);
    t->p++;
    return true;
}

/* Reads a value up to the end of the line. Spaces at its end are dropped, and
 * so is what follows an unquoted # or ;. */
static bool
read_value(struct config_text *t)
{
    bool quoted = false;
    size_t kept = 0;
    int c;

    buf_clear(&t->value);
    while (is_config_blank(peek_byte(t)))
        t->p++;
    while ((c = peek_byte(t)) != EOF && c != '\n') {
        if (!quoted && (c == '#' || c == ';'))
            break;
        if (c == '\\') {
            if (!read_config_escape(t))
                return false;
            kept = t->value.len;
            continue;
        }
        if (c == '"')
            quoted = !quoted;
        else
            buf_ch(&t->value, (char)c);
        if (quoted || !is_config_blank(c))
            kept = t->value.len;
        t->p++;
    }
    buf_cut(&t->value, kept);
    skip_line(t);
    return !quoted && !t->value.bad && !memchr(t->value.p, '\0', t->value.len);
}

static bool
read_variable_key(struct config_text *t)
{
    size_t n = t->section;

    if (n == 0)
        return false;
    while (isalnum(peek_byte(t)) || peek_byte(t) == '-') {
        if (!append_key_char(t, &n, tolower(peek_byte(t))))
            return false;
        t->p++;
    }
    while (is_config_blank(peek_byte(t)))
        t->p++;
    if (n == t->section)
        return false;
    if (peek_byte(t) == '=') {
        t->p++;
        return read_value(t);
    }
    buf_clear(&t->value);
    buf_str(&t->value, "true");
    return peek_byte(t) == '\n' || peek_byte(t) == EOF;
}

int
git_config_read(const char *text, size_t n, git_config_fn *fn, void *arg)
{
    struct config_text t = {.p = text, .end = text + n};
    CLEANUP_BUF struct buf value = buf_of(VALUE_MAX);
    int rc = 0;

    t.value = value;
    while (rc == 0 && peek_byte(&t) != EOF) {
        int c = peek_byte(&t);

        if (c == '\n' || is_config_blank(c)) {
            t.p++;
        } else if (c == '#' || c == ';') {
            skip_line(&t);
        } else if (c == '[') {
            rc = read_section(&t) ? 0 : -1;
        } else if (read_variable_key(&t)) {
            rc = fn(arg, t.key, t.value.p);
        } else {
            rc = -1;
        }
    }
    value = t.value;
    return rc;
}

/* Whether a line has the form that git writes when nothing needs quotes. Such a
 * line means the same to every reader, however it continues lines. */
static bool
is_plain_line(const char *line, size_t n)
{
    size_t i = 0;

    if (n == 0 || line[0] == '#' || line[0] == ';')
        return true;
    if (line[0] == '[') {
        const char *quote = memchr(line, '"', n);
        size_t name = 1 + strspn(line + 1, "abcdefghijklmnopqrstuvwxyz"
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789-");

        if (line[n - 1] != ']' || memchr(line, '\\', n))
            return false;
        if (!quote)
            return name == n - 1;
        return quote == line + name + 1 && line[name] == ' ' &&
               memchr(quote + 1, '"', (size_t)(line + n - quote - 1)) ==
                   line + n - 2;
    }
    if (line[0] != '\t')
        return false;
    for (i = 1; i < n && (isalnum((unsigned char)line[i]) || line[i] == '-');)
        i++;
    return i > 1 && i + 3 <= n && memcmp(line + i, " = ", 3) == 0 &&
           !memchr(line, '"', n) && !memchr(line, '\\', n) &&
           !memchr(line, '#', n) && !memchr(line, ';', n);
}

static bool
has_control_byte(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)line[i] < ' ' && (line[i] != '\t' || i > 0))
            return true;
    return false;
}

static bool
climbs_above(const char *path, unsigned depth)
{
    if (*path == '/' || *path == '~')
        return true;
    for (; strncmp(path, "../", 3) == 0; path += 3)
        if (depth-- == 0)
            return true;
    return strstr(path, "..") != NULL;
}

static bool
is_data_key(const char *key, const char *value, unsigned depth)
{
    enum git_config_use use = git_config_use_of(key, value);

    return use == GIT_DATA || (use == GIT_TREE && !climbs_above(value, depth));
}

static int
stop_at_command(void *arg, const char *key, const char *value)
{
    const unsigned *depth = arg;

    return is_data_key(key, value, *depth) ? 0 : 1;
}

bool
git_config_is_data(const char *text, size_t n, unsigned depth)
{
    const char *end = text + n;

    for (const char *p = text; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((nl ? nl : end) - p);

        if (has_control_byte(p, len) || !is_plain_line(p, len))
            return false;
        p += len + 1;
    }
    return n <= GIT_CONFIG_MAX &&
           git_config_read(text, n, stop_at_command, &depth) == 0;
}

static void
put_quoted_value(struct buf *out, const char *text, size_t n)
{
    buf_ch(out, '"');
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            buf_ch(out, '\\');
        if (text[i] == '\n')
            buf_str(out, "\\n");
        else if (text[i] == '\t')
            buf_str(out, "\\t");
        else if ((unsigned char)text[i] >= ' ')
            buf_ch(out, text[i]);
    }
    buf_ch(out, '"');
}

struct data_writer {
    struct buf *out;
    unsigned depth;
};

static int
write_if_data(void *arg, const char *key, const char *value)
{
    const struct data_writer *k = arg;
    struct buf *out = k->out;
    const char *first = strchr(key, '.'), *last = strrchr(key, '.');

    if (!is_data_key(key, value, k->depth))
        return 0;
    buf_printf(out, "[%.*s", (int)(first - key), key);
    if (last > first) {
        buf_ch(out, ' ');
        put_quoted_value(out, first + 1, (size_t)(last - first - 1));
    }
    buf_printf(out, "]\n\t%s = ", last + 1);
    put_quoted_value(out, value, strlen(value));
    buf_ch(out, '\n');
    return 0;
}

int
git_config_keep_data(const char *text, size_t n, unsigned depth,
                     struct buf *out)
{
    struct data_writer k = {out, depth};

    (void)git_config_read(text, n < GIT_CONFIG_MAX ? n : GIT_CONFIG_MAX,
                          write_if_data, &k);
    return out->bad ? -1 : 0;
}
