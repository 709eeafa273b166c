/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roots.c - the directories that a server is told to work in. */
#include "tool/mcp/roots.h"

#include <string.h>

#include "base/path.h"
#include "json/write.h"

/* As RFC 8089 has a path in an address. */
static void
put_address(struct json_writer *w, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789-._~/";
    CLEANUP_BUF struct buf text = buf_of(MCP_ROOTS_MAX);

    buf_str(&text, "file://");
    for (const char *p = path; *p; p++) {
        if (strchr(plain, *p))
            buf_ch(&text, *p);
        else
            buf_printf(&text, "%%%02X", (unsigned char)*p);
    }
    json_put_str(w, text.p);
}

static void
put_root(struct json_writer *w, const char *need, const char *workspace)
{
    bool here = strcmp(need, "workspace") == 0;
    CLEANUP(free_p)
    char *path = !here       ? path_expand_home(need)
                 : workspace ? strdup(workspace)
                             : NULL;

    if (!path)
        return;
    json_open_object(w);
    json_key(w, "uri");
    put_address(w, path);
    json_member_str(w, "name", path_base(path));
    json_close_object(w);
}

static bool
is_in(const char *const *list, const char *need)
{
    for (; *list; list++)
        if (strcmp(*list, need) == 0)
            return true;
    return false;
}

void
mcp_roots_write(const struct manifest_needs *n, const char *workspace,
                struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "roots");
    json_open_array(&w);
    for (size_t i = 0; n->write[i]; i++)
        put_root(&w, n->write[i], workspace);
    for (size_t i = 0; n->read[i]; i++)
        if (!is_in(n->write, n->read[i]))
            put_root(&w, n->read[i], workspace);
    json_close_array(&w);
    json_close_object(&w);
}
