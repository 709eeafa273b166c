/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_servers.c - MCP servers of a few lines of shell, and a registry of them.
 */
#include "unit.h"

#include "fake_servers.h"

#include <dirent.h>

#include "base/children.h"

#define FAKE_LOOP(cases)                                                       \
    "say() { printf '{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\\n' \"$id\" \"$1\"; "  \
    "}\n"                                                                      \
    "while read -r l; do id=${l#*\\\"id\\\":}; id=${id%%,*}\n"                 \
    "case $l in\n" cases "*'\"notifications/'*) ;;\n"                          \
    "*) say '\"error\":{\"code\":-32601,\"message\":\"what?\"}';;\n"           \
    "esac; done\n"

#define FAKE_GREETS                                                            \
    "*'\"initialize\"'*) say '\"result\":{\"protocolVersion\":\"2025-11-25\"," \
    "\"capabilities\":{},\"serverInfo\":{\"name\":\"x\",\"version\":\"3\"}}'"  \
    ";;\n"

#define FAKE_LISTS                                                             \
    "*'\"tools/list\"'*) say '\"result\":{\"tools\":[{\"name\":\"one\","       \
    "\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"two\","                \
    "\"inputSchema\":{\"type\":\"object\"}}]}';;\n"

/* Its tools say where it was started. */
#define FAKE_CALLS                                                             \
    "*'\"tools/call\"'*) say '\"result\":{\"content\":[{\"type\":\"text\","    \
    "\"text\":\"'\"$PWD\"'\"}]}';;\n"

/* A server by its name: NAME is the entry's, the rest its program. */
static const struct {
    const char *name, *script;
} fake_scripts[] = {
    {"good", FAKE_LOOP(FAKE_GREETS FAKE_LISTS FAKE_CALLS)},
    {"fine", FAKE_LOOP(FAKE_GREETS FAKE_LISTS)},
    {"silent", "trap '' TERM\nwhile read -r l; do :; done\n"
               "while :; do sleep 100; done\n"},
    {"flood", "while :; do echo '{\"jsonrpc\":\"2.0\",\"method\":"
              "\"notifications/message\",\"params\":{}}'; done\n"},
    {"dies", "read -r l; echo 'error: it hurts' >&2; exit 3\n"},
    {"empty", FAKE_LOOP(FAKE_GREETS "*'\"tools/list\"'*) say '\"result\":"
                                    "{\"tools\":[]}';;\n")},
};

int
count_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

size_t
count_children(void)
{
    pid_t pids[CHILDREN_MAX];

    return children_list(pids, CHILDREN_MAX);
}

/* Nothing of it is the process's: neither the directory nor a place. */
static struct seat *
seat_of_fakes(const char *top)
{
    char home[PATH_MAX + 8], st[PATH_MAX + 16], cache[PATH_MAX + 16];
    const char *const variables[] = {home, st, cache, "PATH=/usr/bin:/bin",
                                     NULL};
    const struct seat_params p = {.dir = top, .variables = variables};

    snprintf(home, sizeof(home), "HOME=%s/home", top);
    snprintf(st, sizeof(st), "XDG_STATE_HOME=%s", top);
    snprintf(cache, sizeof(cache), "XDG_CACHE_HOME=%s", top);
    return seat_new(&p, NULL);
}

int
fakes_setup(void **state)
{
    struct fakes *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    assert_int_equal(tree_make(&f->tree), 0);
    assert_non_null(f->seat = seat_of_fakes(f->tree.top));
    assert_non_null(f->loop = loop_new(NULL));
    *state = f;
    return 0;
}

int
fakes_teardown(void **state)
{
    struct fakes *f = *state;

    registry_free(f->registry);
    seat_free(f->seat);
    loop_free(f->loop);
    tree_drop(&f->tree);
    free(f);
    return 0;
}

/* Appends the entries of servers, a blank between two names, and writes their
 * programs. */
void
fakes_entries(const struct fakes *f, const char *names, struct buf *out)
{
    CLEANUP(free_p) char *list = strdup(names);
    char file[64], path[PATH_MAX], *rest = list;
    const char *between = "";

    buf_str(out, "{\"mcpServers\":{");
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;) {
        snprintf(file, sizeof(file), "%.50s.sh", name);
        for (size_t i = 0; i < N_OF(fake_scripts); i++)
            if (strcmp(fake_scripts[i].name, name) == 0)
                assert_int_equal(
                    tree_text(&f->tree, file, fake_scripts[i].script), 0);
        buf_printf(out, "%s\"%s\":{\"command\":\"/bin/sh\",\"args\":[\"%s\"]}",
                   between, name, tree_path(&f->tree, file, path));
        between = ",";
    }
    buf_str(out, "}}");
}

const struct tool *
must_find_tool(struct registry *r, const char *name)
{
    struct err e = {0};
    const struct tool *t = registry_find(r, name, &e);

    if (!t)
        fail_msg("%s: %s", name, e.text);
    return t;
}

/* Opens f->registry with these servers in mcp.json, all of them trusted. */
void
fakes_open(struct fakes *f, const char *names)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 16);
    CLEANUP(free_p) char *list = strdup(names);
    char path[PATH_MAX], *rest = list;
    const struct registry_dirs places = {
        .mcp = tree_path(&f->tree, "mcp.json", path)};

    fakes_entries(f, names, &text);
    assert_int_equal(tree_text(&f->tree, "mcp.json", text.p), 0);
    assert_non_null(
        f->registry = registry_open_in(f->seat, &places, NULL, NULL));
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
        assert_int_equal(registry_trust(f->registry,
                                        must_find_tool(f->registry, name),
                                        NULL),
                         0);
}

void
on_fakes_listed(void *arg)
{
    *(bool *)arg = true;
}

/* Asks all servers, or that of a tool, and waits. */
void
fakes_list(const struct fakes *f, const char *tool)
{
    static const struct registry_listing_events ev = {.done = on_fakes_listed};
    const struct registry_listing_params params = {.tool = tool};
    int64_t until = clock_ms() + FAKE_MS;
    bool done = false;
    struct registry_listing *l = registry_listing_start(
        f->loop, f->registry, &params, &ev, &done, NULL);

    assert_non_null(l);
    while (!done && clock_ms() < until)
        assert_true(loop_turn(f->loop, 100, NULL) >= 0);
    registry_listing_free(l);
    assert_true(done);
}

/* Without a sandbox no server starts. */
bool
fakes_can_start(void)
{
    void *state;
    struct err e = {0};
    struct fakes *f;
    bool can;

    fakes_setup(&state);
    f = state;
    fakes_open(f, "good");
    fakes_list(f, NULL);
    can = registry_find(f->registry, "good.one", &e) != NULL;
    if (!can)
        print_message("# %s\n", e.text);
    fakes_teardown(&state);
    return can;
}
