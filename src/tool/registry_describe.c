/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_describe.c - describes a tool before a person trusts it. */
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "guard/path/secret.h"
#include "tool/mcp/mcp_hash.h"
#include "tool/mcp/mcp_http.h"
#include "tool/registry.h"

#define PATHS_MAX (80u << 10) /* bytes of one list of a manifest */

static void
put_described_line(struct buf *out, const char *what, const char *text)
{
    buf_printf(out, "  %-12s%s\n", what, text);
}

/* Writes a list in one line; an empty one is "nothing". */
static void
put_listed_line(struct buf *out, const char *what, const char *const *list)
{
    buf_printf(out, "  %-12s", what);
    for (size_t i = 0; list[i]; i++)
        buf_printf(out, "%s%s", i ? ", " : "", list[i]);
    buf_str(out, list[0] ? "\n" : "nothing\n");
}

static bool
is_secret_path(const char *path)
{
    return strcmp(path, "/") != 0 && secret_is_path(path, NULL);
}

/* Appends the paths that name secrets, or the others; returns how many. */
static size_t
add_secret_paths(struct buf *out, const char *const *list, bool secrets)
{
    const char *between = "";
    size_t n = 0;

    for (; *list; list++) {
        const char *word = *list;

        if (is_secret_path(word) != secrets)
            continue;
        if (strcmp(word, "/") == 0)
            word = "all files except secrets";
        else if (strcmp(word, "workspace") == 0)
            word = "the working directory";
        buf_printf(out, "%s%s", n++ ? between : "", word);
        between = strcmp(*list, "/") == 0 ? "; " : ", ";
    }
    return n;
}

/* Secrets come last and are called so: after "every file but secrets" a name
 * alone would look like another exception. */
static void
put_path_list(struct buf *out, const char *what, const char *const *list)
{
    CLEANUP_BUF struct buf secrets = buf_of(PATHS_MAX);
    size_t n_secrets = add_secret_paths(&secrets, list, true);
    size_t n;

    buf_printf(out, "  %-12s", what);
    n = add_secret_paths(out, list, false);
    if (n_secrets)
        buf_printf(out, "%sthese secrets: %s", n ? "; and " : "", secrets.p);
    buf_str(out, n + n_secrets ? "\n" : "nothing\n");
}

static bool
has_secret(const char *const *list)
{
    while (*list && !is_secret_path(*list))
        list++;
    return *list != NULL;
}

static void
put_manifest_limits(struct buf *out, const struct manifest_needs *n)
{
    if (n->time_limit_ms)
        buf_printf(out, "  %-12s%g s a call\n", "time",
                   (double)n->time_limit_ms / 1000);
    if (n->memory_mb)
        buf_printf(out, "  %-12s%lld MB\n", "memory", (long long)n->memory_mb);
}

static void
put_needs(struct buf *out, const struct manifest_needs *n, bool http)
{
    if (n->all_processes) /* no sandbox hides what it reads */
        put_described_line(
            out, "reads",
            "all your files, including keys, and the memory of your programs");
    else
        put_path_list(out, "reads", n->read);
    put_path_list(out, "writes", n->write);
    put_described_line(out, "network",
                       http         ? "this server"
                       : n->network ? "the internet"
                                    : "none");
    if (n->all_processes)
        put_described_line(out, "processes", "all processes of the machine");
    if (n->state)
        put_described_line(out, "keeps", "a directory of its own");
    if (n->programs[0])
        put_listed_line(out, "runs", n->programs);
    if (n->privileged[0])
        put_listed_line(out, "as root", n->privileged);
    put_manifest_limits(out, n);
}

static void
put_actions(struct buf *out, const struct manifest *m)
{
    for (size_t i = 0; i < m->n_actions; i++) {
        const struct manifest_action *a = &m->actions[i];

        buf_printf(out, "  %-12s%s: %s%s\n", i ? "" : "can", a->name,
                   a->summary,
                   a->read_only     ? " (read-only)"
                   : a->destructive ? " (may lose data)"
                                    : "");
    }
}

/* The address of a server over HTTP and the names of its headers; their values
 * may be secrets. */
static void
put_http_server(struct buf *out, const struct mcp_server *m)
{
    put_described_line(out, "from", m->file);
    buf_printf(out, "  %-12s", "url");
    mcp_http_write_url(m, out);
    buf_ch(out, '\n');
    if (m->headers[0])
        buf_printf(out, "  %-12s", "headers");
    for (size_t i = 0; m->headers[i]; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "",
                   (int)strcspn(m->headers[i], ":"), m->headers[i]);
    if (m->headers[0])
        buf_ch(out, '\n');
}

/* The command of a server and the names of its variables; their values may be
 * secrets. */
static void
put_mcp_server(struct buf *out, const struct mcp_server *m)
{
    CLEANUP(free_p) char *program = mcp_config_program(m, NULL);
    CLEANUP(free_p) char *place = mcp_hash_package_dir(m);

    put_described_line(out, "from", m->file);
    buf_printf(out, "  %-12s", "command");
    for (size_t i = 0; m->argv[i]; i++)
        buf_printf(out, "%s%s", i ? " " : "", m->argv[i]);
    buf_ch(out, '\n');
    put_described_line(out, "program", program ? program : "(not found)");
    if (m->env[0])
        buf_printf(out, "  %-12s", "variables");
    for (size_t i = 0; m->env[i]; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "", (int)strcspn(m->env[i], "="),
                   m->env[i]);
    if (m->env[0])
        buf_ch(out, '\n');
    if (m->cwd)
        put_described_line(out, "works in", m->cwd);
    if (place)
        put_described_line(out, "sees", place);
}

/* Whether it is below the working directory. */
static bool
is_here(const struct seat *s, const char *dir)
{
    const char *here = seat_dir(s);
    const char *rest = here && here[1] ? path_behind(dir, here) : NULL;

    return rest && *rest;
}

void
registry_describe(const struct seat *s, const struct tool *t, struct buf *out)
{
    const struct manifest *m = t->manifest;

    buf_printf(out, "%s: %s\n", t->name, m ? m->summary : t->fault.text);
    if (m && !t->server)
        put_described_line(out, "version", m->version);
    if (t->server && t->server->url && t->server->headers)
        put_http_server(out, t->server);
    else if (t->server && t->server->argv && t->server->env)
        put_mcp_server(out, t->server);
    if (t->dir)
        put_described_line(out, "from", t->dir);
    if (t->dir && t->source != TOOL_BUILTIN && is_here(s, t->dir))
        put_described_line(out, "", "which is in the working directory");
    if (m) {
        put_needs(out, &m->needs, t->server && t->server->url);
        put_actions(out, m);
    }
    if (t->hash[0])
        put_described_line(out, "sha256", t->hash);
    if (m && (has_secret(m->needs.read) || has_secret(m->needs.write)))
        buf_str(out, "\nWarning: it can read keys or passwords, which are "
                     "hidden from other tools.\n");
}
