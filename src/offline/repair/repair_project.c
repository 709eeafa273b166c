/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_project.c - targets of a makefile, scripts of a package.json. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "offline/repair/repair_find.h"
#include "json/json.h"

#define PARENTS_MAX 8

static bool
is_target_byte(char c)
{
    return c && !strchr("\t #=$%:?+!\n", c);
}

/* Offers the targets of "A B: …", a line. Names that begin with a dot are
 * make's own. */
static void
offer_targets(struct repair_near *n, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    char name[NAME_MAX + 1];

    if (!colon || (colon + 1 < line + len && colon[1] == '=') ||
        memchr(line, '=', (size_t)(colon - line)))
        return;
    for (const char *p = line; p < colon;) {
        size_t k = 0;

        while (p + k < colon && is_target_byte(p[k]))
            k++;
        if (k > 0 && k < sizeof(name) && p[0] != '.') {
            snprintf(name, sizeof(name), "%.*s", (int)k, p);
            repair_near_offer(n, name);
        }
        if (p + k < colon && p[k] != ' ' && p[k] != '\t')
            return;
        p += k + 1;
    }
}

void
repair_project_targets(const struct repair_place *p, struct repair_near *n)
{
    static const char *const names[] = {"GNUmakefile", "makefile", "Makefile"};
    CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);
    const char *dir = repair_command_behind(p->command, "-C");
    const char *file = repair_command_behind(p->command, "-f");
    char path[PATH_MAX];

    for (size_t i = 0; i < ARRAY_SIZE(names) && text.len == 0; i++) {
        if (file && file[0] == '/')
            dir = ""; /* -C does not move it */
        snprintf(path, sizeof(path), "%s/%s", dir ? dir : ".",
                 file ? file + strspn(file, "/") : names[i]);
        if (!repair_file_begin(p, path, &text))
            buf_clear(&text);
    }
    for (const char *at = text.p; *at;) {
        size_t len = strcspn(at, "\n");

        if (is_target_byte(*at))
            offer_targets(n, at, len);
        at += len + (at[len] == '\n');
    }
}

void
repair_project_scripts(const struct repair_place *p, struct repair_near *n)
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *scripts;
    char path[PATH_MAX] = "package.json", up[PATH_MAX];

    for (size_t i = 0; i < PARENTS_MAX; i++) {
        if (repair_file_begin(p, path, &text))
            break;
        buf_clear(&text);
        snprintf(up, sizeof(up), "../%.*s", PATH_MAX - 8, path);
        memcpy(path, up, sizeof(path));
    }
    root = json_parse(text.p, text.len, 0, NULL);
    scripts = root ? json_get(root, "scripts") : NULL;
    if (!scripts || json_type(scripts) != JSON_OBJECT)
        return;
    for (const struct json *x = json_first(scripts); x; x = json_next(x)) {
        const char *name = json_name(x, NULL);

        if (name)
            repair_near_offer(n, name);
    }
}
