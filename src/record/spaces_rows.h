/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_rows.h - reads what the store of approvals knows of a run and its last
 * question. Another user may have written the file: what is no row of ours is
 * ERR_PARSE. */
#ifndef RECORD_SPACES_ROWS_H
#define RECORD_SPACES_ROWS_H

#include "record/spaces_store.h"
#include "record/sqlite.h"

enum spaces_run_state {
    SPACES_RUN_WAITS,
    SPACES_RUN_UNDER_WAY,
    SPACES_RUN_OVER,
};

struct spaces_row {
    int64_t n, approval;
    enum spaces_run_state state;
    enum spaces_approval_state answered;
    size_t index;
    int64_t asked_ms, expires_ms, decided_ms;
    char id[SPACES_STORE_ID_SIZE];
    char digest[SHA256_HEX_SIZE];
    /* owned */
    char *owner, *workspace, *policy, *operations, *op, *type, *what, *reason,
        *rule, *by, *via, *why;
    size_t operations_n, op_n;
};

#define SPACES_ROWS_SELECT                                                     \
    "SELECT run.n, approval.n, run.state, approval.state, run.at, "            \
    "approval.asked, approval.expires, approval.decided, run.id, "             \
    "approval.digest, run.owner, run.workspace, run.policy, run.operations, "  \
    "approval.op, approval.type, approval.what, approval.reason, "             \
    "approval.rule, approval.by, approval.via, approval.why FROM run JOIN "    \
    "approval ON approval.n = run.approval WHERE "

/* Reads the row that a query of SPACES_ROWS_SELECT has fetched. row is all zero
 * before, and is released with spaces_row_done in any case. */
int spaces_row_read(struct sqlite_query *q, struct spaces_row *row,
                    struct err *e);
void spaces_row_done(struct spaces_row *row); /* accepts NULL */

/* Runs such a query with ?1 a text, or where that is NULL a number, and reads
 * the only row. ERR_NOT_FOUND. */
int spaces_row_find(struct sqlite *db, const char *sql, const char *text,
                    int64_t number, struct spaces_row *row, struct err *e);

/* Copies the id of a run. Returns whether it is one. */
bool spaces_row_copy_id(struct sqlite_query *q, int column,
                        char id[SPACES_STORE_ID_SIZE]);

#endif
