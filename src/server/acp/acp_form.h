/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_form.h - asks the person, by a form of the editor, what an answer leaves
 * open: which of the commands that it names, or a value that it lacks.
 *
 * Nothing runs by it: what is chosen becomes a plan like any other. A secret is
 * never asked for. */
#ifndef SERVER_ACP_ACP_FORM_H
#define SERVER_ACP_ACP_FORM_H

#include "action/proposal.h"
#include "wire/jsonrpc.h"

/* Whether an answer in words leaves something open. */
bool acp_form_is_useful(const struct proposal *p);

/* Writes the params of elicitation/create. */
void acp_form_write(struct buf *out, const char *session,
                    const struct proposal *p);

enum acp_form_end {
    ACP_FORM_LEFT,   /* declined, cancelled, or no answer to it */
    ACP_FORM_CHOSEN, /* *choice: a command of the proposal */
    ACP_FORM_NAMED,  /* *value: the words to add; borrowed from m */
};

/* Reads the answer; m NULL: there is none. */
enum acp_form_end acp_form_read(const struct jsonrpc *m,
                                const struct proposal *p, size_t *choice,
                                const char **value);

#endif
