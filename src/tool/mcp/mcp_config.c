/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_config.c - reads the MCP servers of mcp.json. */
#include "tool/mcp/mcp_config.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/utf8.h"
#include "config/config_file.h"
#include "tool/manifest_reader.h"
#include "tool/mcp/mcp_http.h"

#define FILE_BYTES (1u << 20)
/* Of a server's name, so that the name of a tool fits behind it. */
#define NAME_BYTES 40
#define WORD_BYTES (64u * 1024)
#define TEXT_MAX   (128u * 1024) /* the longest argument of a command */

#define NAME_MAX_BYTES 128
#define SHOWN_BYTES    40 /* of an invalid one */

static void
words_free(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

static void
server_entry_done(struct mcp_server *m)
{
    free(m->name);
    free(m->url);
    words_free(m->headers);
    words_free(m->argv);
    words_free(m->env);
    free(m->cwd);
}

void
mcp_config_free(struct mcp_config *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        server_entry_done(&s->all[i]);
    free(s->all);
    for (int i = 0; i < 2; i++) {
        json_free(s->roots[i]);
        free(s->files[i]);
    }
    free(s);
}

/* Expands one ${…}; text is what is between the braces. */
static int
put_expanded_variable(const struct seat *s, struct buf *out, const char *text,
                      size_t n, struct err *e)
{
    const char *other = memmem(text, n, ":-", 2), *value;
    size_t len = other ? (size_t)(other - text) : n;
    char name[NAME_MAX_BYTES];

    if (len == 0)
        return err_set(e, ERR_CONFIG, "${%.*s}: bad substitution",
                       (int)utf8_boundary(text, n, SHOWN_BYTES), text);
    if (len >= sizeof(name))
        return err_set(e, ERR_CONFIG, "${%.*s…}: a name of more than %d bytes",
                       (int)utf8_boundary(text, n, SHOWN_BYTES), text,
                       NAME_MAX_BYTES - 1);
    memcpy(name, text, len);
    name[len] = '\0';
    value = seat_variable(s, name);
    if (value && (value[0] || !other))
        buf_str(out, value);
    else if (other)
        buf_add(out, other + 2, n - len - 2);
    else
        return err_set(e, ERR_CONFIG, "the variable %s is not set", name);
    return 0;
}

/* Expands ${NAME} and ${NAME:-default}; the caller frees the result. NULL: a
 * variable is not set (ERR_CONFIG), or there is no memory. */
static char *
expand_variables(const struct seat *s, const char *text, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);

    while (*text) {
        const char *at = strstr(text, "${"), *end = at ? strchr(at, '}') : NULL;

        if (!end) {
            buf_str(&out, text);
            break;
        }
        buf_add(&out, text, (size_t)(at - text));
        if (put_expanded_variable(s, &out, at + 2, (size_t)(end - at - 2), e) <
            0)
            return NULL;
        text = end + 1;
    }
    return buf_ok(&out, "a text", e) < 0 ? NULL : buf_take(&out);
}

static char *
read_string(const struct json *v, const struct mcp_server *m,
            const struct manifest_spot *at, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);
    struct err why = {0};
    char *text;

    if (!s || strlen(s) < n || n > WORD_BYTES) {
        manifest_report(at, e, "must be a string without a NUL");
        return NULL;
    }
    text = m->session ? strdup(s) : expand_variables(m->seat, s, &why);
    if (!text && why.code == ERR_NONE)
        err_nomem(&why);
    if (!text)
        manifest_report(at, e, "%.120s", why.text);
    return text;
}

/* Reads the command and its arguments. */
static int
read_server_words(const struct json *entry, struct mcp_server *m,
                  const struct manifest_spot *at, struct err *e)
{
    const struct json *args = json_get(entry, "args");
    const struct manifest_spot command = {.up = at, .name = "command"};
    const struct manifest_spot list = {.up = at, .name = "args"};
    struct manifest_spot one = {.up = &list};
    size_t n = json_count(args), i = 0;

    if (args && (json_type(args) != JSON_ARRAY || n > MCP_WORDS_MAX))
        return manifest_report(&list, e, "must be a list of at most %d strings",
                               MCP_WORDS_MAX);
    if (!(m->argv = calloc(n + 2, sizeof(*m->argv))))
        return err_nomem(e);
    m->argv[i++] = read_string(json_get(entry, "command"), m, &command, e);
    if (!m->argv[0])
        return -1;
    if (!m->argv[0][0])
        return manifest_report(&command, e, "must not be empty");
    for (const struct json *v = json_first(args); v; v = json_next(v)) {
        if (!(m->argv[i++] = read_string(v, m, &one, e)))
            return -1;
        one.index++;
    }
    return 0;
}

static bool
is_variable_name(const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];

        if (c >= 0x80 || !(isalpha(c) || c == '_' || (i > 0 && isdigit(c))))
            return false;
    }
    return n > 0;
}

static int
read_env(const struct json *entry, struct mcp_server *m,
         const struct manifest_spot *at, struct err *e)
{
    const struct json *env = json_get(entry, "env");
    const struct manifest_spot list = {.up = at, .name = "env"};
    size_t n = json_count(env), i = 0;

    if (env && (json_type(env) != JSON_OBJECT || n > MCP_WORDS_MAX))
        return manifest_report(&list, e,
                               "must be an object of at most %d variables",
                               MCP_WORDS_MAX);
    if (!(m->env = calloc(n + 1, sizeof(*m->env))))
        return err_nomem(e);
    for (const struct json *v = json_first(env); v; v = json_next(v)) {
        size_t len;
        const char *name = json_name(v, &len);
        const struct manifest_spot one = {.up = &list, .name = name};
        CLEANUP(free_p) char *value = NULL;

        if (!is_variable_name(name, len))
            return manifest_report(&one, e, "is not a valid variable name");
        if (!(value = read_string(v, m, &one, e)))
            return -1;
        if (asprintf(&m->env[i], "%s=%s", name, value) < 0) {
            m->env[i] = NULL;
            return err_nomem(e);
        }
        i++;
    }
    return 0;
}

static int
read_cwd(const struct json *entry, struct mcp_server *m,
         const struct manifest_spot *at, struct err *e)
{
    const struct json *v = json_get(entry, "cwd");
    const struct manifest_spot spot = {.up = at, .name = "cwd"};
    CLEANUP(free_p) char *text = NULL;

    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if (!(text = read_string(v, m, &spot, e)))
        return -1;
    if (!(m->cwd = seat_expand_home(m->seat, text)))
        return err_nomem(e);
    return m->cwd[0] == '/'
               ? 0
               : manifest_report(&spot, e, "must be absolute or begin with ~/");
}

/* Reads the needs. Without them a server may read the workspace and nothing
 * else. */
static int
read_needs(const struct json *entry, struct mcp_server *m,
           const struct manifest_spot *at, struct err *e)
{
    const struct json *v = m->session ? NULL : json_get(entry, "agentsh");
    const struct manifest_spot spot = {.up = at, .name = "agentsh"};

    if (v && manifest_read_needs(v, &spot, &m->needs, e) < 0)
        return -1;
    if (m->needs.privileged[0])
        return manifest_report(&spot, e, "privileged: only for plugins");
    if (m->needs.all_processes)
        return manifest_report(&spot, e, "processes: only for plugins");
    if (!json_get(v, "read"))
        m->needs.read[0] = "workspace";
    return 0;
}

static int
check_transport(const struct json *entry, const struct manifest_spot *at,
                struct err *e)
{
    const char *type = json_get_str(entry, "type");

    if (json_type(entry) != JSON_OBJECT)
        return manifest_report(at, e, "must be an object");
    if (mcp_http_is_entry(entry))
        return 0;
    if (type && strcmp(type, "sse") == 0)
        return manifest_report(at, e,
                               "uses the older transport \"sse\", which is "
                               "not supported: many such servers also offer "
                               "\"http\", at another URL");
    if (type && strcmp(type, "stdio") != 0)
        return manifest_report(at, e,
                               "type: \"%.40s\" is not supported, only "
                               "\"stdio\" and \"http\"",
                               type);
    if (!json_get(entry, "command"))
        return manifest_report(at, e, "missing \"command\" or \"url\"");
    return 0;
}

static int
fill_entry(const struct json *entry, struct mcp_server *m,
           const struct manifest_spot *at, struct err *e)
{
    if (check_transport(entry, at, e) < 0)
        return -1;
    if (mcp_http_is_entry(entry))
        return mcp_http_read_entry(entry, m, read_string, at, e);
    if (read_server_words(entry, m, at, e) < 0 ||
        read_env(entry, m, at, e) < 0 || read_cwd(entry, m, at, e) < 0)
        return -1;
    return read_needs(entry, m, at, e);
}

/* NULL: there are too many, or no memory. */
static struct mcp_server *
add_server_entry(struct mcp_config *s, int which, const char *title)
{
    char name[NAME_BYTES + 1];
    struct mcp_server *m;

    mcp_config_name(title, name, sizeof(name));
    if (!s->all && !(s->all = calloc(2 * (MCP_SERVERS_MAX + 1), sizeof(*m))))
        return NULL;
    m = &s->all[s->n];
    *m = (struct mcp_server){.title = title,
                             .file = s->files[which],
                             .seat = s->seat,
                             .session = s->session};
    if (!(m->name = strdup(name[0] ? name : "mcp.json")))
        return NULL;
    s->n++;
    return m;
}

static bool
is_disabled(const struct json *entry)
{
    bool off = false;

    return json_bool(json_get(entry, "disabled"), &off) && off;
}

static bool
has_entry(const struct mcp_config *s, const char *title)
{
    char name[NAME_BYTES + 1];

    mcp_config_name(title, name, sizeof(name));
    for (size_t i = 0; i < s->n; i++)
        if (name[0] && strcmp(s->all[i].name, name) == 0)
            return true;
    return false;
}

static int
add_server(struct mcp_config *s, int which, const struct json *v,
           const struct manifest_spot *at, struct err *e)
{
    size_t n;
    const char *title = json_name(v, &n);
    const struct manifest_spot spot = {.up = at, .name = title};
    struct mcp_server *m;

    if (is_disabled(v) || (which > 0 && has_entry(s, title)))
        return 0;
    if (!(m = add_server_entry(s, which, title)))
        return err_nomem(e);
    m->json = v;
    if (strlen(title) < n || strcmp(m->name, "mcp.json") == 0)
        manifest_report(&spot, &m->fault, "is not a valid server name");
    else if (fill_entry(v, m, &spot, &m->fault) == 0)
        return 0;
    m->fault.code = ERR_CONFIG;
    manifest_name_file(&m->fault, s->files[which]);
    return 0;
}

/* Puts the line in front of the parser's "byte 41: …". */
static void
add_line_number(const char *text, size_t n, struct err *e)
{
    unsigned line = 1;

    for (size_t i = 0; i + 1 < e->at && i < n; i++)
        line += text[i] == '\n';
    if (e->at > 0)
        err_wrap(e, "line %u", line);
}

static int
read_config_text(struct mcp_config *s, int which, const char *text, size_t n,
                 struct err *e)
{
    const struct manifest_spot at = {.name = "mcpServers"};
    const struct json *list;

    if (!(s->roots[which] = json_parse(text, n, JSON_UNIQUE, e))) {
        add_line_number(text, n, e);
        return -1;
    }
    list = json_get(s->roots[which], at.name);
    if (json_type(s->roots[which]) != JSON_OBJECT || !list)
        return err_set(e, ERR_CONFIG, "must be an object with \"mcpServers\"");
    if (json_type(list) != JSON_OBJECT || json_count(list) > MCP_SERVERS_MAX)
        return manifest_report(
            &at, e, "must be an object of at most %d servers", MCP_SERVERS_MAX);
    for (const struct json *v = json_first(list); v; v = json_next(v))
        if (add_server(s, which, v, &at, e) < 0)
            return -1;
    return 0;
}

int
mcp_config_add(struct mcp_config *s, int which, const char *text, size_t n,
               struct err *e)
{
    struct err why = {0};
    struct mcp_server *m;

    if (read_config_text(s, which, text, n, &why) == 0)
        return 0;
    if (why.code == ERR_NOMEM || !(m = add_server_entry(s, which, "")))
        return err_set(e, ERR_NOMEM, "%s", why.text);
    m->fault = why;
    m->fault.code = ERR_CONFIG;
    manifest_name_file(&m->fault, s->files[which]);
    return 0;
}

static int
read_config_file(struct mcp_config *s, int which, const char *path,
                 struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(FILE_BYTES);
    struct mcp_server *m;
    struct err why = {0};
    bool there = false;

    if (!path)
        return 0;
    if (!(s->files[which] = strdup(path)))
        return err_nomem(e);
    if (config_file_read(path,
                         which > 0 ? CONFIG_FILE_ROOT : CONFIG_FILE_ANYONE,
                         &text, &there, &why) == 0)
        return there ? mcp_config_add(s, which, text.p, text.len, e) : 0;
    if (!(m = add_server_entry(s, which, "")))
        return err_nomem(e);
    m->fault = why;
    return 0;
}

struct mcp_config *
mcp_config_read(const struct seat *seat, const char *user, const char *system,
                struct err *e)
{
    CLEANUP(mcp_config_free_p) struct mcp_config *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->seat = seat;
    if (read_config_file(s, 0, user, e) < 0 ||
        read_config_file(s, 1, system, e) < 0)
        return NULL;
    return TAKE_PTR(s);
}

struct mcp_config *
mcp_config_read_session(const struct seat *seat, const char *text, size_t n,
                        struct err *e)
{
    CLEANUP(mcp_config_free_p) struct mcp_config *s = calloc(1, sizeof(*s));
    struct err why = {0};

    if (!s || !(s->files[0] = strdup("session"))) {
        err_nomem(e);
        return NULL;
    }
    s->seat = seat;
    s->session = true;
    if (read_config_text(s, 0, text, n, &why) == 0)
        return TAKE_PTR(s);
    err_set(e, why.code == ERR_NOMEM ? ERR_NOMEM : ERR_CONFIG, "%s", why.text);
    return NULL;
}

bool
mcp_config_has(const struct mcp_config *s, const struct mcp_server *m)
{
    for (size_t i = 0; s && m && i < s->n; i++)
        if (&s->all[i] == m)
            return true;
    return false;
}

void
mcp_config_name(const char *text, char *out, size_t size)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c < 0x80 && (isalnum(c) || c == '_' || c == '-');

        if (plain && (n > 0 || isalnum(c)))
            out[n++] = (char)tolower(c);
        else if (n > 0 && (c & 0xC0) != 0x80) /* once for each character */
            out[n++] = '_';
    }
    out[n] = '\0';
}

char *
mcp_config_program(const struct mcp_server *m, struct err *e)
{
    CLEANUP(free_p)
    char *command = m->url ? NULL : seat_expand_home(m->seat, m->argv[0]);
    char *found = command && (command[0] == '/' || !strchr(command, '/'))
                      ? seat_find_program(m->seat, command)
                      : NULL;

    if (m->url)
        return path_libexec(MCP_HTTP_PROGRAM, e);
    if (!found)
        err_set(e, ERR_NOT_FOUND, "its command %.80s: command not found",
                m->argv[0]);
    return found;
}
