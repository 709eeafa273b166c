/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair.c - applies the first rule that fits a failure. */
#include "offline/repair/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/shell_quote.h"
#include "base/str.h"
#include "base/utf8.h"
#include "offline/repair/repair_find.h"
#include "offline/repair/repair_rows.h"
#include "offline/repair/repair_slots.h"

/* A rule under way: what its rows have said so far. */
struct repair_reading {
    struct repair_place place;
    const struct repair_failure *f;
    const char *message;       /* as the rules read it */
    struct repair_pairs pairs; /* of the message */
    struct repair_command command, typed;
    struct repair_slots slots;
    struct repair *out;
    const char *title;
    bool edited;
};

void
repair_done(struct repair *r)
{
    for (size_t i = 0; r && i < REPAIR_STEPS_MAX; i++)
        buf_done(&r->steps[i]);
}

static void
begin_rule(struct repair *r)
{
    repair_done(r);
    *r = (struct repair){0};
    for (size_t i = 0; i < REPAIR_STEPS_MAX; i++)
        buf_init(&r->steps[i], REPAIR_TEXT_MAX);
}

static bool
is_status(int status, const char *list)
{
    for (const char *p = list; *p;) {
        char *end;
        long v = strtol(p, &end, 10);

        if (end == p)
            return false;
        if (v == status)
            return true;
        p = end + strspn(end, " ");
    }
    return false;
}

/* The value of a slot, or of a word of the command; NULL: none. */
static const char *
get_value(const struct repair_reading *r, const char *name, size_t n)
{
    const char *value = repair_slots_get(&r->slots, name, n);

    return value ? value : repair_command_word(&r->typed, name, n);
}

/* Appends a row with its {NAME} replaced: as words of a shell, or as they are.
 * {command} is the whole command with its edits, {root} "sudo " where this is
 * not root. False: a slot has no value, or one that a command must not begin a
 * word with. */
static bool
put_row(const struct repair_reading *r, struct buf *out, const char *row,
        bool quoted)
{
    while (*row) {
        const char *end = *row == '{' ? strchr(row, '}') : NULL;
        const char *value;
        size_t n = end ? (size_t)(end - row) - 1 : 0;

        if (!end) {
            buf_ch(out, *row++);
            continue;
        }
        if (quoted && n == strlen("command") &&
            memcmp(row + 1, "command", n) == 0) {
            buf_add(out, r->command.text.p, r->command.text.len);
        } else if (quoted && n == strlen("root") &&
                   memcmp(row + 1, "root", n) == 0) {
            buf_str(out, geteuid() == 0 ? "" : "sudo ");
        } else {
            value = get_value(r, row + 1, n);
            if (!value || shell_quote_has_control(value) ||
                (quoted && value[0] == '-'))
                return false;
            if (quoted)
                shell_quote_word(out, value);
            else
                buf_str(out, value);
        }
        row = end + 1;
    }
    return !out->bad;
}

static bool
put_step(struct repair_reading *r, const char *row)
{
    struct buf *out;

    if (r->out->n == REPAIR_STEPS_MAX)
        return false;
    out = &r->out->steps[r->out->n];
    if (!put_row(r, out, row, true))
        return false;
    r->out->n++;
    return true;
}

/* NAME KIND [VALUE], of near and of find; the value of near is a slot's name.
 */
static bool
find_slot_value(struct repair_reading *r, const char *row, bool near)
{
    CLEANUP_BUF struct buf kind = buf_of(PATH_MAX);
    CLEANUP_BUF struct buf value = buf_of(PATH_MAX);
    char found[PATH_MAX] = "";
    size_t name = strcspn(row, " "), n;
    const char *at = row + name + (row[name] == ' ');
    char part[PATH_MAX];

    n = strcspn(at, " ");
    snprintf(part, sizeof(part), "%.*s", (int)n, at);
    at += n + (at[n] == ' ');
    if (!put_row(r, &kind, part, false) || !put_row(r, &value, at, false) ||
        (near && value.len == 0))
        return false;
    if (near ? !repair_find_near(&r->place, kind.p, value.p, found)
             : !repair_find_fact(&r->place, kind.p, value.p, found))
        return false;
    return repair_slots_set(&r->slots, row, name, found, strlen(found));
}

static bool
row_program(struct repair_reading *r, const char *row)
{
    return repair_command_choose(&r->command, row, false) &&
           repair_command_choose(&r->typed, row, false);
}

static bool
row_last(struct repair_reading *r, const char *row)
{
    return repair_command_choose(&r->command, row, true) &&
           repair_command_choose(&r->typed, row, true);
}

static bool
row_status(struct repair_reading *r, const char *row)
{
    return is_status(r->f->status, row);
}

static bool
row_message(struct repair_reading *r, const char *row)
{
    return repair_slots_match(&r->slots, row, r->message, &r->pairs);
}

static bool
row_line(struct repair_reading *r, const char *row)
{
    return repair_slots_match(&r->slots, row, r->f->command, NULL);
}

static bool
row_silent(struct repair_reading *r, const char *row)
{
    (void)row;
    return r->f->text[0] == '\0';
}

static bool
row_near(struct repair_reading *r, const char *row)
{
    return find_slot_value(r, row, true);
}

static bool
row_find(struct repair_reading *r, const char *row)
{
    return find_slot_value(r, row, false);
}

static bool
row_set(struct repair_reading *r, const char *row)
{
    CLEANUP_BUF struct buf value = buf_of(PATH_MAX);
    size_t n = strcspn(row, " ");

    return row[n] && put_row(r, &value, row + n + 1, false) &&
           repair_slots_set(&r->slots, row, n, value.p, value.len);
}

static bool
holds(struct repair_reading *r, const char *row, bool *known)
{
    CLEANUP_BUF struct buf value = buf_of(PATH_MAX);
    char name[REPAIR_NAME_MAX];
    size_t n = strcspn(row, " ");

    snprintf(name, sizeof(name), "%.*s", (int)n, row);
    *known = put_row(r, &value, row + n + (row[n] == ' '), false);
    return *known && repair_find_holds(&r->place, name, value.p);
}

static bool
row_if(struct repair_reading *r, const char *row)
{
    bool known;

    return holds(r, row, &known);
}

static bool
row_unless(struct repair_reading *r, const char *row)
{
    bool known;

    return !holds(r, row, &known) && known;
}

static bool
row_swap(struct repair_reading *r, const char *row)
{
    size_t n = strcspn(row, " ");
    const char *from = get_value(r, row, n);
    const char *to = row[n] ? get_value(r, row + n + 1, strlen(row + n + 1))
                            : NULL;

    return from && to && repair_command_swap(&r->command, from, to);
}

static bool
row_replace(struct repair_reading *r, const char *row)
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_TEXT_MAX);
    size_t n = strcspn(row, " ");
    const char *from = get_value(r, row, n);

    return from && put_row(r, &text, row + n + (row[n] == ' '), true) &&
           repair_command_replace(&r->command, from, text.p);
}

/* An edit that puts text somewhere. */
static bool
edit_by(struct repair_reading *r, const char *row,
        bool (*edit)(struct repair_command *c, const char *text))
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_TEXT_MAX);

    return put_row(r, &text, row, true) && edit(&r->command, text.p);
}

static bool
row_before(struct repair_reading *r, const char *row)
{
    return edit_by(r, row, repair_command_before);
}

static bool
row_behind(struct repair_reading *r, const char *row)
{
    return edit_by(r, row, repair_command_behind_program);
}

static bool
row_behind_sub(struct repair_reading *r, const char *row)
{
    return edit_by(r, row, repair_command_behind_sub);
}

static bool
row_append(struct repair_reading *r, const char *row)
{
    return edit_by(r, row, repair_command_append);
}

static bool
row_text(struct repair_reading *r, const char *row)
{
    return repair_command_text(&r->command, row);
}

static bool
row_quote(struct repair_reading *r, const char *row)
{
    (void)row;
    return repair_command_quote_patterns(&r->command);
}

static bool
row_ascii(struct repair_reading *r, const char *row)
{
    (void)row;
    return repair_command_ascii(&r->command);
}

static bool
row_brackets(struct repair_reading *r, const char *row)
{
    (void)row;
    return repair_command_brackets(&r->command);
}

static bool
row_tee(struct repair_reading *r, const char *row)
{
    const char *file = get_value(r, row, strlen(row));

    return file && repair_command_tee(&r->command, file);
}

static bool
row_none(struct repair_reading *r, const char *row)
{
    (void)row;
    r->out->none = true;
    return true;
}

static const struct {
    const char *word;
    bool (*apply)(struct repair_reading *r, const char *row);
    bool edits; /* it changes the command */
} row_kinds[] = {
    {"program", row_program, false},
    {"last", row_last, false},
    {"status", row_status, false},
    {"message", row_message, false},
    {"or", row_message, false},
    {"line", row_line, false},
    {"silent", row_silent, false},
    {"near", row_near, false},
    {"find", row_find, false},
    {"set", row_set, false},
    {"if", row_if, false},
    {"unless", row_unless, false},
    {"swap", row_swap, true},
    {"replace", row_replace, true},
    {"before", row_before, true},
    {"behind", row_behind, true},
    {"behind-sub", row_behind_sub, true},
    {"append", row_append, true},
    {"text", row_text, true},
    {"quote-patterns", row_quote, true},
    {"ascii", row_ascii, true},
    {"brackets", row_brackets, true},
    {"tee", row_tee, true},
    {"none", row_none, false},
    {"$", put_step, false},
};

static bool
apply_row(struct repair_reading *r, const char *row)
{
    size_t n = strcspn(row, " ");

    for (size_t i = 0; i < ARRAY_SIZE(row_kinds); i++) {
        if (strlen(row_kinds[i].word) == n &&
            memcmp(row_kinds[i].word, row, n) == 0) {
            r->edited |= row_kinds[i].edits;
            return row_kinds[i].apply(r, row + n + (row[n] == ' '));
        }
    }
    return false;
}

bool
repair_row_is_known(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(row_kinds); i++) {
        if (strlen(row_kinds[i].word) == n &&
            memcmp(row_kinds[i].word, word, n) == 0)
            return true;
    }
    return false;
}

/* The command as it was typed again, for the next rule. */
static bool
begin_typed_command(struct repair_reading *r)
{
    repair_command_done(&r->command);
    return repair_command_read(&r->command, r->f->command,
                               seat_home(r->place.seat));
}

/* The title in the person's language: its slots are those of the English one,
 * which had their values. */
static void
put_shown_title(struct repair_reading *r)
{
    CLEANUP_BUF struct buf shown = buf_of(sizeof(r->out->shown) - 1);
    bool fits = put_row(r, &shown, _(r->title), false) && shown.len > 0;

    snprintf(r->out->shown, sizeof(r->out->shown), "%s",
             fits ? shown.p : r->out->title);
}

/* Whether the rule came to its end: it proposes steps that are not the same
 * command alone, or says that there are none. A title that is too long is cut:
 * the steps have all of it. */
static bool
end_rule(struct repair_reading *r)
{
    CLEANUP_BUF struct buf title = buf_of(REPAIR_TEXT_MAX);

    if (!put_row(r, &title, r->title, false) ||
        (r->out->none ? r->out->n > 0 : r->out->n == 0) ||
        (r->out->n == 1 && strcmp(r->out->steps[0].p, r->f->command) == 0))
        return false;
    buf_cut(&title,
            utf8_boundary(title.p, title.len, sizeof(r->out->title) - 1));
    memcpy(r->out->title, title.p, title.len + 1);
    put_shown_title(r);
    return true;
}

/* Applies one stanza. False: it does not fit. */
static bool
apply_repair_rule(struct repair_reading *r, const struct repair_rule *rule)
{
    char line[REPAIR_ROW_MAX];
    const char *p = rule->rows;
    bool fits = true;

    begin_rule(r->out);
    if (r->edited && !begin_typed_command(r))
        return false;
    r->edited = false;
    r->slots.n = 0;
    r->title = rule->title;
    repair_command_choose(&r->typed, NULL, false);
    repair_command_choose(&r->command, NULL, false);
    memcpy(r->out->rule, rule->name, sizeof(r->out->rule));
    while (repair_rows_next(&p, line)) {
        bool other = str_begins(line, "or ");

        if (strchr("+-~#", line[0]) || (other && fits))
            continue;
        if (!fits && !other)
            return false;
        fits = apply_row(r, line);
        if (!fits && !other && !str_begins(line, "message "))
            return false;
    }
    return fits && end_rule(r);
}

int
repair_find(const struct seat *s, const struct repair_failure *f,
            struct repair *out, struct err *e)
{
    CLEANUP_BUF struct buf message = buf_of(REPAIR_TEXT_MAX);
    struct repair_reading r = {.f = f, .out = out};
    struct repair_rule rule;
    const char *at = NULL;
    size_t n = strlen(f->text);
    bool found = false;

    begin_rule(out);
    repair_slots_plain(&message, n > REPAIR_TEXT_MAX
                                     ? f->text + n - REPAIR_TEXT_MAX
                                     : f->text);
    r.message = message.p;
    repair_pairs_read(&r.pairs, message.p);
    r.place = (struct repair_place){s, &r.typed, message.p};
    if (repair_command_read(&r.typed, f->command, seat_home(s)) &&
        begin_typed_command(&r)) {
        while (!found && repair_rows_rule(&at, &rule))
            found = apply_repair_rule(&r, &rule);
    }
    repair_command_done(&r.typed);
    repair_command_done(&r.command);
    if (!found)
        begin_rule(out);
    return message.bad && !found ? err_nomem(e) : 0;
}
