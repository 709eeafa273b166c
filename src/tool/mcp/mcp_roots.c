/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_roots.c - writes the directories that an MCP server may use. */
#include "tool/mcp/mcp_roots.h"

#include <string.h>

#include "base/path.h"
#include "base/str.h"
#include "json/write.h"

/* Writes a path as a file URL (RFC 8089). */
static void
put_file_url(struct json_writer *w, const char *path)
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
put_root(const struct seat *s, struct json_writer *w, const char *need,
         const char *workspace)
{
    bool here = strcmp(need, "workspace") == 0;
    CLEANUP(free_p)
    char *path = !here       ? seat_expand_home(s, need)
                 : workspace ? strdup(workspace)
                             : NULL;

    if (!path)
        return;
    json_open_object(w);
    json_key(w, "uri");
    put_file_url(w, path);
    json_member_str(w, "name", path_base(path));
    json_close_object(w);
}

void
mcp_roots_write(const struct seat *s, const struct manifest_needs *n,
                const char *workspace, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "roots");
    json_open_array(&w);
    for (size_t i = 0; n->write[i]; i++)
        put_root(s, &w, n->write[i], workspace);
    for (size_t i = 0; n->read[i]; i++)
        if (!str_in_words(n->read[i], n->write))
            put_root(s, &w, n->read[i], workspace);
    json_close_array(&w);
    json_close_object(&w);
}
