/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.c - finds the tools that are installed, and whether they are
 * trusted. */
#include "tool/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/owner.h"
#include "base/path.h"
#include "config/nearest.h"
#include "tool/manifest_reader.h"
#include "tool/mcp/mcp_config.h"
#include "tool/mcp/mcp_hash.h"
#include "tool/mcp/mcp_tools.h"
#include "tool/plugin_dirs.h"
#include "tool/trust.h"

/* A tool, and what belongs to it. */
struct registry_row {
    struct tool tool;
    char *name;
    struct manifest *manifest;
    size_t order;              /* the place in the order of the search */
    bool filled;               /* the manifest and the hash were read */
    bool is_unreadable;        /* an unreadable plugin directory, and no tool */
    struct registry_row *next; /* in the list of hidden rows */
};

struct registry {
    const struct seat *seat;
    const struct config *config;
    struct registry_row **rows; /* sorted by name, then by order */
    size_t n;
    size_t order;       /* of the next row */
    struct buf trusted; /* the file `trusted`, once it was read */
    bool trusted_read;
    bool all_filled; /* all rows are filled */
    struct mcp_config *servers;
    struct mcp_config *session;  /* its servers; NULL: none were added */
    struct registry_row *hidden; /* servers that their tools have replaced */
};

static void
row_free(struct registry_row *row)
{
    if (!row)
        return;
    free(row->name);
    free(row->tool.dir);
    free(row->tool.program);
    manifest_free(row->manifest);
    free(row);
}

const struct config *
registry_config(const struct registry *r)
{
    return r->config;
}

void
registry_free(struct registry *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        row_free(r->rows[i]);
    free(r->rows);
    while (r->hidden) {
        struct registry_row *row = r->hidden;

        r->hidden = row->next;
        row_free(row);
    }
    mcp_config_free(r->servers);
    mcp_config_free(r->session);
    buf_done(&r->trusted);
    free(r);
}

/* Adds a row at the end, for sort_rows, and takes ownership of dir, which
 * may be NULL. NULL: there are too many, or there is no memory. */
static struct registry_row *
add_registry_row(struct registry *r, const char *name, enum tool_source source,
                 char *dir, struct err *e)
{
    CLEANUP(free_p) char *own = dir;
    struct registry_row *row;

    if (r->n == REGISTRY_TOOLS_MAX) {
        err_set(e, ERR_NOMEM, "there are more than %d tools (%.100s)",
                REGISTRY_TOOLS_MAX, dir ? dir : name);
        return NULL;
    }
    row = calloc(1, sizeof(*row));
    if (!row || !(row->name = strdup(name))) {
        row_free(row);
        err_nomem(e);
        return NULL;
    }
    row->tool = (struct tool){
        .name = row->name, .source = source, .dir = TAKE_PTR(own)};
    row->order = r->order++;
    r->rows[r->n++] = row;
    return row;
}

static int
compare_rows(const void *a, const void *b)
{
    const struct registry_row *x = *(struct registry_row *const *)a;
    const struct registry_row *y = *(struct registry_row *const *)b;
    int rc = strcmp(x->name, y->name);

    return rc ? rc : x->order < y->order ? -1 : 1;
}

static void
sort_rows(struct registry *r)
{
    qsort(r->rows, r->n, sizeof(struct registry_row *), compare_rows);
}

static int
on_plugin(void *arg, const char *name, enum tool_source source, char *dir,
          struct err *e)
{
    return add_registry_row(arg, name, source, dir, e) ? 0 : -1;
}

static int
on_unreadable(void *arg, const char *place, enum tool_source source,
              const struct err *why, struct err *e)
{
    char *dir = strdup(place);
    struct registry_row *row;

    if (!dir)
        return err_nomem(e);
    if (!(row = add_registry_row(arg, place, source, dir, e)))
        return -1;
    row->filled = row->is_unreadable = true;
    row->tool.fault = *why;
    return 0;
}

static int
add_server_row(struct registry *r, const struct mcp_server *m, struct err *e)
{
    struct registry_row *row = add_registry_row(r, m->name, TOOL_MCP, NULL, e);

    if (!row)
        return -1;
    row->tool.server = m;
    return 0;
}

/* Adds a row for each server of mcp.json. */
static int
add_servers(struct registry *r, const struct registry_dirs *p, struct err *e)
{
    r->servers = mcp_config_read(r->seat, p->mcp, p->mcp_system, e);
    if (!r->servers)
        return -1;
    for (size_t i = 0; i < r->servers->n; i++)
        if (add_server_row(r, &r->servers->all[i], e) < 0)
            return -1;
    return 0;
}

struct registry *
registry_open_in(const struct seat *s, const struct registry_dirs *p,
                 const struct config *c, struct err *e)
{
    static const struct plugin_dirs_events dir_events = {
        .plugin = on_plugin, .unreadable = on_unreadable};
    CLEANUP(registry_free_p) struct registry *r = calloc(1, sizeof(*r));

    if (!r || !(r->rows = calloc(REGISTRY_TOOLS_MAX,
                                 sizeof(struct registry_row *)))) {
        err_nomem(e);
        return NULL;
    }
    r->seat = s;
    r->config = c;
    buf_init(&r->trusted, TRUST_NOTES_MAX);
    if (plugin_dirs_each(p, &dir_events, r, e) < 0 || add_servers(r, p, e) < 0)
        return NULL;
    sort_rows(r);
    return TAKE_PTR(r);
}

struct registry *
registry_open(const struct seat *s, const struct config *c, struct err *e)
{
    CLEANUP(free_p) char *builtin = path_libexec("plugins", e);
    CLEANUP(free_p) char *user = seat_place(s, PATH_DATA, "plugins", NULL);
    CLEANUP(free_p) char *mcp = seat_place(s, PATH_CONFIG, "mcp.json", NULL);
    const struct registry_dirs places = {
        .builtin = builtin,
        .user = user,
        .list = seat_variable(s, "AGENTSH_PLUGIN_PATH"),
        .mcp = mcp,
        .mcp_system = SYSCONFDIR "/agentsh/mcp.json",
    };

    return builtin ? registry_open_in(s, &places, c, e) : NULL;
}

static const struct tool *
unknown_tool(const struct registry *r, const char *name, struct err *e)
{
    struct nearest near;

    nearest_init(&near, name);
    for (size_t i = 0; i < r->n; i++)
        if (!r->rows[i]->is_unreadable)
            nearest_consider(&near, r->rows[i]->name);
    if (near.best)
        err_set(e, ERR_NOT_FOUND, "unknown tool '%.64s'; did you mean %s?",
                name, near.best);
    else
        err_set(e, ERR_NOT_FOUND, "unknown tool '%.64s'", name);
    return NULL;
}

static int
no_single_tool(const struct tool *t, struct err *e, const char *why)
{
    err_set(e, ERR_INVALID, "%s", why);
    return manifest_name_file(e, t->dir);
}

static int
read_row_manifest(struct registry_row *row, struct err *e)
{
    struct tool *t = &row->tool;
    CLEANUP(manifest_free_p) struct manifest *m = manifest_read(t->dir, e);

    if (!m)
        return -1;
    if (strcmp(m->name, row->name) != 0)
        return no_single_tool(
            t, e, "its name differs from that of the symbolic link to it");
    if (m->step && t->source != TOOL_BUILTIN)
        return no_single_tool(t, e, "confinement: only for built-in tools");
    if (!(t->program = path_join(t->dir, m->executable)))
        return err_nomem(e);
    row->manifest = TAKE_PTR(m);
    return 0;
}

/* Resolves the path of the directory, which is the name in `trusted`. */
static int
resolve_dir(struct tool *t, struct err *e)
{
    char *real = realpath(t->dir, NULL);

    if (!real)
        return err_sys(e, "%s", t->dir);
    free(t->dir);
    t->dir = real;
    for (const char *p = real; *p; p++)
        if ((unsigned char)*p < ' ')
            return no_single_tool(t, e,
                                  "its path contains a control character");
    return owner_check_parents(real, e);
}

/* Reads the file `trusted`, once. */
static int
read_trusted(struct registry *r, struct err *e)
{
    if (r->trusted_read)
        return 0;
    if (trust_read(r->seat, &r->trusted, e) < 0) {
        buf_clear(&r->trusted);
        return -1;
    }
    r->trusted_read = true;
    return 0;
}

static int
set_trust(struct registry *r, struct tool *t, struct err *e)
{
    if (trust_hash(t->dir, t->hash, e) < 0 || read_trusted(r, e) < 0)
        return -1;
    t->trust = trust_find(&r->trusted, t->dir, t->hash);
    return 0;
}

static int
fill_plugin(struct registry *r, struct registry_row *row, struct err *e)
{
    struct tool *t = &row->tool;

    t->trust = TOOL_NEW;
    if (resolve_dir(t, e) < 0 || read_row_manifest(row, e) < 0)
        return -1;
    return set_trust(r, t, e);
}

/* The name of a server in the file `trusted`. */
static int
server_trust_name(const struct mcp_server *m, struct buf *out, struct err *e)
{
    buf_printf(out, "%s:%s", m->file, m->name);
    return buf_ok(out, "the name of a server", e);
}

static int
fill_server(struct registry *r, struct registry_row *row, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(TRUST_NOTES_MAX);
    struct tool *t = &row->tool;

    t->trust = TOOL_NEW;
    if (t->server->fault.code != ERR_NONE) {
        if (e)
            *e = t->server->fault;
        return -1;
    }
    if (mcp_hash(t->server, t->hash, e) < 0 || read_trusted(r, e) < 0 ||
        server_trust_name(t->server, &name, e) < 0 ||
        !(row->manifest = mcp_tools_server_manifest(t->server, e)))
        return -1;
    t->trust = t->server->session ? TOOL_TRUSTED
                                  : trust_find(&r->trusted, name.p, t->hash);
    return 0;
}

static int
fill_tool(struct registry *r, struct registry_row *row, struct err *e)
{
    if (row->tool.server)
        return fill_server(r, row, e);
    if (!manifest_is_name(row->name))
        return no_single_tool(
            &row->tool, e,
            "the directory's name is not a valid tool name (a-z 0-9 _ . -)");
    if (row->tool.source == TOOL_BUILTIN)
        return read_row_manifest(row, e);
    return fill_plugin(r, row, e);
}

/* Reads the manifest and the hash of a row, once. An error becomes its
 * fault. */
static void
fill_registry_row(struct registry *r, struct registry_row *row)
{
    if (row->filled)
        return;
    row->filled = true;
    if (fill_tool(r, row, &row->tool.fault) < 0) {
        manifest_free(row->manifest);
        row->manifest = NULL;
    }
    row->tool.manifest = row->manifest;
}

/* The first valid tool of that name. NULL: there is none, and *faulty is the
 * first invalid one, if any. */
static const struct tool *
find_valid_tool(struct registry *r, const char *name,
                const struct tool **faulty)
{
    *faulty = NULL;

    for (size_t i = 0; i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        if (strcmp(row->name, name) != 0)
            continue;
        fill_registry_row(r, row);
        if (row->manifest)
            return &row->tool;
        if (!*faulty)
            *faulty = &row->tool;
    }
    return NULL;
}

/* Takes the row of a server out of the list, but keeps it: others may hold its
 * tool. */
static void
hide_row(struct registry *r, struct registry_row *row)
{
    size_t i = 0;

    while (r->rows[i] != row)
        i++;
    memmove(&r->rows[i], &r->rows[i + 1],
            (--r->n - i) * sizeof(struct registry_row *));
    row->next = r->hidden;
    r->hidden = row;
}

/* A tool that cannot be used is a row as well, which says why. */
static int
add_tool(struct registry *r, const struct registry_row *of,
         const struct json *list, const struct json *v, struct err *e)
{
    const struct tool *server = &of->tool;
    char name[MANIFEST_NAME_MAX + 1] = "";
    struct err why = {0};
    const char *remote = NULL;
    CLEANUP(manifest_free_p)
    struct manifest *m = mcp_tools_manifest(server->server, list, v, name,
                                            &remote, &why);
    struct registry_row *row = add_registry_row(r, name[0] ? name : of->name,
                                                TOOL_MCP, NULL, e);

    if (!row)
        return -1;
    row->filled = true;
    row->tool.server = server->server;
    row->tool.remote = remote;
    (void)json_int(json_get(list, "skipped"), &row->tool.skipped);
    row->tool.era = mcp_tools_era(list);
    row->tool.trust = server->trust;
    row->tool.fault = why;
    memcpy(row->tool.hash, server->hash, sizeof(row->tool.hash));
    row->manifest = TAKE_PTR(m);
    row->tool.manifest = row->manifest;
    return 0;
}

static int
add_tools(struct registry *r, const struct registry_row *server,
          const struct json *list, struct err *e)
{
    const struct json *v = json_first(json_get(list, "tools"));

    if (!v)
        return err_set(e, ERR_NOT_FOUND, "the server offers no tools");
    for (; v; v = json_next(v))
        if (add_tool(r, server, list, v, e) < 0)
            return -1;
    return 0;
}

static void
blame_server(struct registry_row *row, const struct err *why)
{
    row->tool.fault = *why;
    row->tool.manifest = NULL;
}

/* Replaces a server's row by its tools. Returns their number. */
static size_t
expand_server(struct registry *r, struct registry_row *row,
              const struct json *list)
{
    size_t before = r->n;
    struct err why = {0};
    int rc = add_tools(r, row, list, &why);
    size_t n = r->n - before;

    if (rc < 0)
        blame_server(row, &why);
    else
        hide_row(r, row);
    sort_rows(r);
    r->all_filled = false;
    return rc < 0 ? 0 : n;
}

/* Whether it stands for the tools of a trusted server. */
static bool
may_list(struct registry *r, struct registry_row *row)
{
    const struct tool *t = &row->tool;

    fill_registry_row(r, row);
    return t->source == TOOL_MCP && !t->remote && row->manifest &&
           t->trust == TOOL_TRUSTED;
}

/* Takes the list of the cache directory, if there is one. again: even if the
 * server failed a moment ago. Returns whether the rows have changed. */
static bool
expand_from_cache(struct registry *r, struct registry_row *row, bool again)
{
    CLEANUP(json_free_p) struct json *list = NULL;
    struct err why = {0};

    if (!may_list(r, row) || (!row->tool.manifest && !again))
        return false;
    list = mcp_tools_read_cache(r->seat, row->tool.hash, again, &why);
    if (list)
        return expand_server(r, row, list) > 0;
    if (why.code == ERR_PEER)
        blame_server(row, &why);
    return false;
}

static void
expand_all_from_cache(struct registry *r)
{
    for (size_t i = 0; i < r->n;)
        i = expand_from_cache(r, r->rows[i], false) ? 0 : i + 1;
}

/* The server whose tool this name would be; NULL: there is none. */
static struct registry_row *
find_server(struct registry *r, const char *name)
{
    const char *dot = strchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : 0;

    for (size_t i = 0; n > 0 && i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        if (row->tool.source == TOOL_MCP && !row->tool.remote &&
            strlen(row->name) == n && strncmp(row->name, name, n) == 0)
            return row;
    }
    return NULL;
}

static const struct tool *
unlisted_tool(const char *name, struct err *e)
{
    err_set(e, ERR_NOT_FOUND,
            "%.64s: its server was not asked for its tools yet", name);
    return NULL;
}

const struct tool *
registry_find(struct registry *r, const char *name, struct err *e)
{
    const struct tool *faulty, *found = find_valid_tool(r, name, &faulty);
    struct registry_row *server = found ? NULL : find_server(r, name);

    if (server && expand_from_cache(r, server, true))
        found = find_valid_tool(r, name, &faulty);
    else if (server && server->tool.manifest && !may_list(r, server))
        found = &server->tool; /* which is not trusted */
    else if (server && server->tool.manifest)
        return unlisted_tool(name, e);
    else if (server)
        faulty = &server->tool;
    if (found)
        return found;
    if (!faulty)
        return unknown_tool(r, name, e);
    if (e)
        *e = faulty->fault;
    return NULL;
}

/* Of several tools of a name the first valid one counts. */
static void
fill_all_rows(struct registry *r)
{
    const struct registry_row *first = NULL;

    expand_all_from_cache(r);
    for (size_t i = 0; i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        fill_registry_row(r, row);
        if (!row->manifest)
            continue;
        if (!first || strcmp(first->name, row->name) != 0) {
            first = row;
            continue;
        }
        row->tool.manifest = NULL;
        err_set(&row->tool.fault, ERR_INVALID,
                "not used: the one in %.150s has the same name",
                first->tool.dir ? first->tool.dir : "mcp.json");
    }
    r->all_filled = true;
}

const struct tool *
registry_at(struct registry *r, size_t i)
{
    if (!r->all_filled)
        fill_all_rows(r);
    return i < r->n ? &r->rows[i]->tool : NULL;
}

size_t
registry_unlisted(struct registry *r, const char *tool,
                  const struct tool *out[REGISTRY_SERVERS_MAX])
{
    struct registry_row *row;
    size_t n = 0;

    if (tool) {
        row = find_server(r, tool);
        if (!row || expand_from_cache(r, row, true) || !may_list(r, row))
            return 0;
        out[0] = &row->tool;
        return 1;
    }
    expand_all_from_cache(r);
    for (size_t i = 0; i < r->n && n < REGISTRY_SERVERS_MAX; i++) {
        row = r->rows[i];
        if (may_list(r, row) && row->tool.manifest)
            out[n++] = &row->tool;
    }
    return n;
}

size_t
registry_set_list(struct registry *r, const struct tool *server,
                  const struct json *list, const struct err *why)
{
    for (size_t i = 0; i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        if (&row->tool != server)
            continue;
        if (list)
            return expand_server(r, row, list);
        blame_server(row, why);
        return 0;
    }
    return 0;
}

/* Whether a server of this name comes before it. */
static bool
has_server_before(const struct registry *r, const struct mcp_server *m)
{
    const struct mcp_config *own = r->servers;

    for (size_t i = 0; i < own->n; i++)
        if (strcmp(own->all[i].name, m->name) == 0)
            return true;
    for (const struct mcp_server *x = r->session->all; x < m; x++)
        if (strcmp(x->name, m->name) == 0)
            return true;
    return false;
}

static int
add_session_rows(struct registry *r, registry_refused *refused, void *arg,
                 struct err *e)
{
    struct err why = {0};

    for (size_t i = 0; i < r->session->n; i++) {
        const struct mcp_server *m = &r->session->all[i];

        if (has_server_before(r, m)) {
            err_set(&why, ERR_INVALID,
                    "a server of that name is there already: %s", m->name);
            refused(arg, m->title, &why);
        } else if (add_server_row(r, m, e) < 0)
            return -1;
    }
    return 0;
}

int
registry_add_servers(struct registry *r, const char *text, size_t n,
                     registry_refused *refused, void *arg, struct err *e)
{
    int rc;

    if (r->session)
        return err_set(e, ERR_INVALID, "the session has its servers already");
    if (!(r->session = mcp_config_read_session(r->seat, text, n, e)))
        return -1;
    rc = add_session_rows(r, refused, arg, e);
    sort_rows(r);
    r->all_filled = false;
    if (rc < 0)
        registry_remove_servers(r);
    return rc;
}

const struct mcp_config *
registry_session_servers(const struct registry *r)
{
    return r->session;
}

void
registry_remove_servers(struct registry *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++) {
        if (mcp_config_has(r->session, r->rows[i]->tool.server))
            row_free(r->rows[i]);
        else
            r->rows[n++] = r->rows[i];
    }
    r->n = n;
    for (struct registry_row **at = &r->hidden; *at;) {
        struct registry_row *row = *at;

        if (!mcp_config_has(r->session, row->tool.server)) {
            at = &row->next;
            continue;
        }
        *at = row->next;
        row_free(row);
    }
    mcp_config_free(TAKE_PTR(r->session));
    r->all_filled = false;
}

const struct tool *
registry_unreadable_dir(const struct registry *r, size_t i)
{
    for (size_t k = 0; k < r->n; k++)
        if (r->rows[k]->is_unreadable && i-- == 0)
            return &r->rows[k]->tool;
    return NULL;
}

static void
mark_trusted(struct registry *r, const struct tool *t)
{
    for (size_t i = 0; i < r->n; i++)
        if (&r->rows[i]->tool == t)
            r->rows[i]->tool.trust = TOOL_TRUSTED;
    r->all_filled = false;
}

static int
trust_server(const struct seat *s, const struct tool *t, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(TRUST_NOTES_MAX);
    char hash[SHA256_HEX_SIZE];

    if (mcp_hash(t->server, hash, e) < 0 ||
        server_trust_name(t->server, &name, e) < 0)
        return -1;
    if (strcmp(hash, t->hash) != 0)
        return err_set(
            e, ERR_INVALID,
            "%s changed since it was shown; run agentsh tool list again",
            t->name);
    return trust_write(s, name.p, hash, e);
}

int
registry_trust(struct registry *r, const struct tool *t, struct err *e)
{
    char hash[SHA256_HEX_SIZE];

    if (t->source == TOOL_BUILTIN)
        return 0;
    if (t->server) {
        if (trust_server(r->seat, t, e) < 0)
            return -1;
        mark_trusted(r, t);
        return 0;
    }
    if (trust_hash(t->dir, hash, e) < 0)
        return -1;
    if (strcmp(hash, t->hash) != 0)
        return err_set(
            e, ERR_INVALID,
            "%.100s changed since it was shown; run agentsh tool list again",
            t->dir);
    if (trust_write(r->seat, t->dir, hash, e) < 0)
        return -1;
    mark_trusted(r, t);
    return 0;
}
