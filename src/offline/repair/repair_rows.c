/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_rows.c - reads the stanzas of the rules. */
#include "offline/repair/repair_rows.h"

#include <stdio.h>
#include <string.h>

#include "offline/repair/repair.h"

bool
repair_rows_next(const char **at, char row[REPAIR_ROW_MAX])
{
    const char *p = *at;
    size_t blanks = strspn(p, " "), n = strcspn(p, "\n");

    if (blanks == 0)
        return false;
    snprintf(row, REPAIR_ROW_MAX, "%.*s", (int)(n - blanks), p + blanks);
    *at = p + n + (p[n] == '\n');
    return true;
}

/* Whether the line is a rule's head, NAME: TITLE, and no list's. */
static bool
is_rule_head(const char *line)
{
    size_t n = strcspn(line, ": \n");

    return line[0] != '#' && line[0] != ' ' && n > 0 && line[n] == ':';
}

bool
repair_rows_rule(const char **at, struct repair_rule *out)
{
    const char *p = *at ? *at : repair_rules_text();

    for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t n = strcspn(p, ":"), line = strcspn(p, "\n");
        size_t title = n + 1 + strspn(p + n + 1, " ");

        if (!is_rule_head(p))
            continue;
        snprintf(out->name, sizeof(out->name), "%.*s", (int)n, p);
        snprintf(out->title, sizeof(out->title), "%.*s",
                 line > title ? (int)(line - title) : 0, p + title);
        *at = out->rows = p + line + (p[line] == '\n');
        return true;
    }
    return false;
}
