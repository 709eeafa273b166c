/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_check.c - checks every rule and its examples. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "offline/repair/repair.h"
#include "offline/repair/repair_find.h"
#include "offline/repair/repair_rows.h"
#include "offline/repair/repair_slots.h"

/* The text of an example, \n in it a newline. */
static void
read_example(const char *example, char out[REPAIR_ROW_MAX])
{
    size_t n = 0;

    for (const char *p = example; *p; p++) {
        bool newline = p[0] == '\\' && p[1] == 'n';

        out[n++] = newline ? '\n' : *p;
        p += newline;
    }
    out[n] = '\0';
}

/* Whether the messages of a stanza fit a text. */
static bool
fits_example(const char *rows, const char *example)
{
    CLEANUP_BUF struct buf plain = buf_of(REPAIR_ROW_MAX);
    struct repair_slots slots = {0};
    char text[REPAIR_ROW_MAX], row[REPAIR_ROW_MAX];
    bool fits = true;

    read_example(example, text);
    repair_slots_plain(&plain, text);
    while (repair_rows_next(&rows, row)) {
        bool other = str_begins(row, "or ");

        if (!other && !fits)
            return false;
        if (str_begins(row, "message ") || (other && !fits))
            fits = repair_slots_match(&slots, strchr(row, ' ') + 1, plain.p,
                                      NULL);
    }
    return fits;
}

static void
check_row(const struct repair_rule *rule, const char *row,
          struct buf *complaints)
{
    size_t n = strcspn(row, " ");
    char kind[64] = "";
    bool value = str_begins(row, "near ") || str_begins(row, "find ");
    const char *name = row[0] == 'n' ? "near" : "find";

    if (!repair_row_is_known(row, n))
        buf_printf(complaints, "%s: no such row: %s\n", rule->name, row);
    if (value && (sscanf(row + n, "%*s %63s", kind) != 1 ||
                  !repair_find_is_kind(name, kind)))
        buf_printf(complaints, "%s: no such kind: %s\n", rule->name, row);
    if ((str_begins(row, "if ") || str_begins(row, "unless ")) &&
        (sscanf(row + n, "%63s", kind) != 1 ||
         !repair_find_is_kind("if", kind)))
        buf_printf(complaints, "%s: no such condition: %s\n", rule->name, row);
}

static void
check_repair_rule(const struct repair_rule *rule, struct buf *complaints)
{
    char row[REPAIR_ROW_MAX];
    bool message = false, example = false, ends = false;

    for (const char *p = rule->rows; repair_rows_next(&p, row);) {
        bool plus = strchr("+~", row[0]) && row[1] == ' ';
        bool minus = row[0] == '-' && row[1] == ' ';

        message |= str_begins(row, "message ");
        example |= plus;
        ends |= str_begins(row, "$ ") || strcmp(row, "none") == 0;
        if ((plus || minus) && fits_example(rule->rows, row + 2) != plus)
            buf_printf(complaints, "%s: %s\n", rule->name, row);
        if (!plus && !minus && row[0] != '#')
            check_row(rule, row, complaints);
    }
    if (message && !example)
        buf_printf(complaints, "%s: it has no example\n", rule->name);
    if (!ends)
        buf_printf(complaints, "%s: it ends in no repair\n", rule->name);
}

size_t
repair_check(struct buf *complaints)
{
    struct repair_rule rule;
    const char *at = NULL;
    size_t rules = 0;

    while (repair_rows_rule(&at, &rule)) {
        rules++;
        check_repair_rule(&rule, complaints);
    }
    return rules;
}
