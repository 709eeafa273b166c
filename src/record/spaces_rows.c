/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_rows.c - reads what the store of approvals knows of a run. */
#include "record/spaces_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

#define FIRST_TEXT 10 /* of the columns behind the numbers, id and digest */

static const char *const state_names[] = {
    [SPACES_APPROVAL_WAITS] = "waiting",
    [SPACES_APPROVAL_YES] = "approved",
    [SPACES_APPROVAL_NO] = "denied",
    [SPACES_APPROVAL_EXPIRED] = "expired",
};

const char *
spaces_approval_state_name(enum spaces_approval_state s)
{
    return state_names[s];
}

static int
fail_damaged(struct err *e)
{
    return err_set(e, ERR_PARSE, "approvals.db is damaged");
}

bool
spaces_row_copy_id(struct sqlite_query *q, int column,
                   char id[SPACES_STORE_ID_SIZE])
{
    size_t n;
    const char *text = sqlite_query_text(q, column, &n);

    if (n != SPACES_STORE_ID_SIZE - 1 || !str_begins(text, "run_") ||
        strspn(text + 4, "0123456789abcdef") != n - 4)
        return false;
    memcpy(id, text, n + 1);
    return true;
}

/* n NULL: a text that holds no NUL. */
static int
copy_column(struct sqlite_query *q, int column, char **out, size_t *n,
            struct err *e)
{
    size_t len;
    const char *text = sqlite_query_text(q, column, &len);

    if (!n && memchr(text, '\0', len))
        return fail_damaged(e);
    if (!(*out = malloc(len + 1)))
        return err_nomem(e);
    memcpy(*out, text, len);
    (*out)[len] = '\0';
    if (n)
        *n = len;
    return 0;
}

static int
read_numbers(struct sqlite_query *q, struct spaces_row *row, struct err *e)
{
    int64_t state = sqlite_query_int(q, 2), answered = sqlite_query_int(q, 3);
    int64_t index = sqlite_query_int(q, 4);

    if (state < 0 || state > SPACES_RUN_OVER || answered < 0 ||
        answered >= (int64_t)ARRAY_SIZE(state_names) || index < 0)
        return fail_damaged(e);
    row->n = sqlite_query_int(q, 0);
    row->approval = sqlite_query_int(q, 1);
    row->state = (enum spaces_run_state)state;
    row->answered = (enum spaces_approval_state)answered;
    row->index = (size_t)index;
    row->asked_ms = sqlite_query_int(q, 5);
    row->expires_ms = sqlite_query_int(q, 6);
    row->decided_ms = sqlite_query_int(q, 7);
    return 0;
}

int
spaces_row_read(struct sqlite_query *q, struct spaces_row *row, struct err *e)
{
    const struct {
        char **text;
        size_t *n;
    } texts[] = {
        {&row->owner, NULL},    {&row->workspace, NULL},
        {&row->policy, NULL},   {&row->operations, &row->operations_n},
        {&row->op, &row->op_n}, {&row->type, NULL},
        {&row->what, NULL},     {&row->reason, NULL},
        {&row->rule, NULL},     {&row->by, NULL},
        {&row->via, NULL},      {&row->why, NULL},
    };
    const char *digest;
    size_t n;

    if (read_numbers(q, row, e) < 0)
        return -1;
    digest = sqlite_query_text(q, 9, &n);
    if (n != SHA256_HEX_SIZE - 1 || strlen(digest) != n)
        return fail_damaged(e);
    memcpy(row->digest, digest, n + 1);
    if (!spaces_row_copy_id(q, 8, row->id))
        return fail_damaged(e);
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (copy_column(q, FIRST_TEXT + (int)i, texts[i].text, texts[i].n, e) <
            0)
            return -1;
    return 0;
}

void
spaces_row_done(struct spaces_row *row)
{
    char **texts[] = {&row->owner,      &row->workspace, &row->policy,
                      &row->operations, &row->op,        &row->type,
                      &row->what,       &row->reason,    &row->rule,
                      &row->by,         &row->via,       &row->why};

    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        free(*texts[i]);
    *row = (struct spaces_row){0};
}

int
spaces_row_find(struct sqlite *db, const char *sql, const char *text,
                int64_t number, struct spaces_row *row, struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(db, sql, e);
    int rc;

    if (!q)
        return -1;
    if (text)
        sqlite_query_bind_text(q, 1, text, strlen(text));
    else
        sqlite_query_bind_int(q, 1, number);
    rc = sqlite_query_step(q, e);
    if (rc == 0)
        return err_set(e, ERR_NOT_FOUND, "no run waits under this name: %.60s",
                       text ? text : "there is no such approval");
    return rc < 0 ? -1 : spaces_row_read(q, row, e);
}
